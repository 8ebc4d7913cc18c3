//! A user's hand: a patch whose pull does not depend on the mesh, whatever the mouse does.

use pliant_geometry::{BoxElement, MaterialPoint, Surface};
use pliant_solid::integrator::{Inputs, stable_step};
use pliant_solid::law::LawKind;
use pliant_solid::term::{Grab, GrabPath};
use pliant_solid::{Kit, State, World};

use super::bytes;
use super::support::meshes::block;
use super::support::{Scene, moduli, node_at};

const YOUNG: f64 = 1e5;
const TOP: [f64; 3] = [0.05, 0.05, 0.3];
const TOP_CORNER: [f64; 3] = [0.1, 0.1, 0.3];

/// A tower of cells of 1/n of its width.
fn tower(n: usize) -> Scene {
    let mesh = block([0.1, 0.1, 0.3], [n, n, 3 * n], BoxElement::Hex);
    Scene::new(mesh, LawKind::StVenant(moduli(YOUNG, 0.3))).hold(|p| p[2] < 1e-9)
}

fn surface(world: &World) -> Vec<u32> {
    let body = &world.model().layout().bodies()[0];
    Surface::of(&body.mesh).unwrap().nodes().iter().map(|&n| body.world[n as usize]).collect()
}

/// A hand at the node nearest to a place.
fn hand(world: &World, place: [f64; 3]) -> Option<Grab> {
    let touched = MaterialPoint::node(node_at(world.model().layout(), place));
    world.model().hand(0, &touched, &surface(world), &world.state().holding)
}

#[test]
fn its_strength_does_not_depend_on_the_mesh() {
    let [coarse, fine] = [4, 12].map(|n| {
        let world = tower(n).dt(1e-4).world();
        hand(&world, TOP).unwrap()
    });
    let sum = |grab: &Grab| grab.point.iter().map(|(_, w)| w).sum::<f64>();
    assert!((sum(&coarse) - 1.0).abs() < 1e-12 && (sum(&fine) - 1.0).abs() < 1e-12);
    assert!(coarse.point.len() > 3 && fine.point.len() > 2 * coarse.point.len());
    // 2 cells of the coarse one are 5 cm, wider than 15 % of the extent, 4.97 cm; of the fine one that counts
    assert!((coarse.max_force - YOUNG * 0.05 * 0.05).abs() < 1e-9, "{}", coarse.max_force);
    let radius = 0.15 * 0.11_f64.sqrt();
    assert!((fine.stiffness - YOUNG * radius).abs() < 1e-6 * fine.stiffness, "{}", fine.stiffness);
    assert!((fine.max_force - YOUNG * radius * radius).abs() < 1e-9, "{}", fine.max_force);
}

#[test]
fn it_holds_nothing_where_a_fix_holds_everything() {
    let world = tower(4).dt(1e-4).world();
    assert!(hand(&world, [0.05, 0.05, 0.0]).is_none());
    let edge = hand(&world, [0.1, 0.05, 0.025]).unwrap();
    let layout = world.model().layout();
    assert!(edge.point.nodes().all(|node| layout.rest_of(node)[2] > 1e-9), "held nodes are left out");
}

#[test]
fn it_takes_hold_of_long_cells_too() {
    // a bar of two cells: the middle of its face is 2.5 m from any node, 15 % of the extent is 1.5 m
    let mesh = block([10.0, 0.1, 0.1], [2, 1, 1], BoxElement::Hex);
    let scene = Scene::new(mesh, LawKind::StVenant(moduli(YOUNG, 0.3))).hold(|p| p[0] < 1e-9);
    let world = scene.dt(1e-4).world();
    let node = |x: f64, y: f64| node_at(world.model().layout(), [x, y, 0.1]);
    let touched = [(node(5.0, 0.0), 0.25), (node(10.0, 0.0), 0.5), (node(5.0, 0.1), 0.25)].into();
    let grab = world.model().hand(0, &touched, &surface(&world), &world.state().holding).unwrap();
    assert!(!grab.point.is_empty());
    // half held: the rest can be pulled
    let half = [(node(0.0, 0.0), 0.5), (node(5.0, 0.0), 0.5)].into();
    let grab = world.model().hand(0, &half, &surface(&world), &world.state().holding).unwrap();
    assert!(grab.point.nodes().all(|n| world.model().layout().rest_of(n)[0] > 1e-9));
}

#[test]
fn it_hardly_shortens_the_stable_step() {
    for n in [1, 2, 4, 8] {
        let world = tower(n).dt(1e-6).world();
        let grab = hand(&world, TOP_CORNER).unwrap();
        let limit = |inputs: &Inputs| {
            let mut mode = vec![0.0; world.state().x.len()];
            stable_step(
                world.model(),
                world.state(),
                &mut Kit::new(world.model(), std::sync::Arc::clone(world.scheme())),
                &mut mode,
                inputs,
            )
            .dt
        };
        let (free, held) =
            (limit(&Inputs::default()), limit(&Inputs { grabs: &[grab], ..Inputs::default() }));
        // a corner has the least mass; with one cell the patch is the four corners of the top
        assert!(held > 0.6 * free, "{n}: {held} {free}");
    }
}

#[test]
fn the_step_beside_a_hand_is_stable_although_nobody_looked_for_it() {
    for damping in [0.0, 2e-4] {
        for n in [2, 5] {
            let mut world = tower(n).matter(|m| m.stiffness_damping = damping).auto(0.9).world();
            let mut grab = hand(&world, TOP_CORNER).unwrap();
            // ten times as stiff as a user's, so that it counts
            grab.stiffness *= 10.0;
            grab.path = GrabPath::held_at(TOP_CORNER);
            let inputs = Inputs { grabs: std::slice::from_ref(&grab), ..Inputs::default() };
            let mut mode = vec![0.0; world.state().x.len()];
            let exact = stable_step(
                world.model(),
                world.state(),
                &mut Kit::new(world.model(), std::sync::Arc::clone(world.scheme())),
                &mut mode,
                &inputs,
            )
            .dt;
            // nothing has moved, so that the step is the limit times its safety
            let used = world.step(&inputs).unwrap().dt / 0.9;
            // Weyl's bound is never above the limit; that of the sum of what damps is the coarser one
            assert!(used <= exact * (1.0 + 1e-9), "{damping} {n}: {used} {exact}");
            assert!(used > 0.5 * exact, "{damping} {n}: {used} {exact}");
        }
    }
}

/// A tower that a hand bends for some steps.
fn held(damping: f64) -> (World, Grab) {
    let mut world = tower(4).matter(|m| m.stiffness_damping = damping).auto(0.9).world();
    let mut grab = hand(&world, TOP).unwrap();
    grab.path = GrabPath::held_at([TOP[0] + 0.03, TOP[1], TOP[2]]);
    for _ in 0..600 {
        world.step(&Inputs { grabs: std::slice::from_ref(&grab), ..Inputs::default() }).unwrap();
    }
    (world, grab)
}

#[test]
fn taking_hold_and_letting_go_take_no_product_with_the_tangent() {
    for damping in [0.0, 2e-4] {
        let (mut world, grab) = held(damping);
        let other = hand(&world, TOP_CORNER).unwrap();
        let mut stiffer = grab.clone();
        stiffer.stiffness *= 2.0;
        let hands = [grab, other];
        for grabs in [&[][..], &hands[..1], &[stiffer], &hands[1..], &hands, &[]] {
            let report = world.step(&Inputs { grabs, ..Inputs::default() }).unwrap();
            // a search anew takes 8 to 24
            assert_eq!((report.renewed, report.products), (false, 0), "{damping}, {} hands", grabs.len());
            let mut mode = vec![0.0; world.state().x.len()];
            let mut workspace = Kit::new(world.model(), std::sync::Arc::clone(world.scheme()));
            let inputs = Inputs { grabs, ..Inputs::default() };
            let limit = stable_step(world.model(), world.state(), &mut workspace, &mut mode, &inputs).dt;
            assert!(report.dt < limit, "{damping}, {} hands: {} {limit}", grabs.len(), report.dt);
            assert!(report.dt > 0.5 * limit, "{damping}, {} hands: {} {limit}", grabs.len(), report.dt);
        }
    }
}

#[test]
fn a_run_saved_in_a_hand_is_let_go_with_the_same_bits() {
    let (mut whole, grab) = held(0.0);
    let mut resumed = tower(4).auto(0.9).world();
    resumed.restore(postcard::from_bytes::<State>(&bytes(whole.state())).unwrap()).unwrap();
    for step in 0..600 {
        let held = [grab.clone()];
        let inputs = Inputs { grabs: if step < 50 { &held } else { &[] }, ..Inputs::default() };
        assert_eq!(whole.step(&inputs).unwrap(), resumed.step(&inputs).unwrap());
        assert!(bytes(whole.state()) == bytes(resumed.state()), "after {step} steps");
    }
}

#[test]
fn a_wild_mouse_does_not_tear_a_soft_body_apart() {
    // neo-Hookean, as a scene for rough hands should be; the target leaps by ten times the body's height, to and fro
    let mesh = block([0.1, 0.1, 0.3], [4, 4, 12], BoxElement::Hex);
    let scene = Scene::new(mesh, LawKind::NeoHookean(moduli(YOUNG, 0.3))).hold(|p| p[2] < 1e-9);
    let mut world = scene.auto(0.8).world();
    let mut grab = hand(&world, TOP).unwrap();
    let mut side = 3.0;
    for step in 0..4000 {
        if step % 100 == 0 {
            side = -side;
            grab.path = GrabPath::held_at([side, 0.05, 0.3]);
        }
        let report = world.step(&Inputs { grabs: std::slice::from_ref(&grab), ..Inputs::default() });
        report.unwrap_or_else(|e| panic!("step {step}: {e}"));
    }
    let full = world.model().full_state(world.state());
    assert_eq!(world.model().fields(&full)[0].inverted(), 0);
    assert!(
        grab.force(&full.at()).iter().map(|f| f * f).sum::<f64>().sqrt() <= grab.max_force * (1.0 + 1e-12)
    );
}
