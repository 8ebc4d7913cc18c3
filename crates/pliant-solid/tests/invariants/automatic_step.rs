//! The automatic step: below the limit of every state it passes through, whatever happens outside.

use pliant_geometry::BoxElement;
use pliant_solid::integrator::{Inputs, stable_step};
use pliant_solid::law::LawKind;
use pliant_solid::term::{Grab, GrabPath};
use pliant_solid::{Kit, Motion, World};

use super::support::meshes::block;
use super::support::{Scene, moduli, node_at, run, triple};
use super::tower;

/// A stiff hand at the top corner of the tower, where that is now.
fn stiff_hand(world: &World) -> Grab {
    let node = node_at(world.model().layout(), [0.1, 0.1, 0.3]);
    Grab {
        point: [(node, 1.0)].into(),
        path: GrabPath::held_at(triple(&world.state().x, node)),
        stiffness: 1e6,
        damping: 0.0,
        max_force: f64::INFINITY,
    }
}

/// The corner node weighs 1000 * 0.05^3 / 8 kg = 15.6 g; at 1e6 N/m it swings with 8000 rad/s, so that
/// steps above 0.25 ms are unstable, while the tower alone allows milliseconds.
const HAND_LIMIT: f64 = 2.5e-4;

#[test]
fn a_hand_taken_in_mid_run_shortens_the_step_at_once() {
    let mut world = tower().gravity([1.0, 0.0, 0.0]).auto(0.9).world();
    run(&mut world, 300);
    let free = world.state().solver.dt;
    let hand = stiff_hand(&world);
    let inputs = Inputs { grabs: std::slice::from_ref(&hand), ..Inputs::default() };
    let report = world.step(&inputs).unwrap();
    assert!(report.dt < HAND_LIMIT && free > 1e-3, "{} {free}", report.dt);
    for _ in 0..500 {
        world.step(&inputs).unwrap();
    }
    assert!(world.energy().kinetic < 1.0, "it stays calm: {:?}", world.energy());
    // and the step grows back once the hand lets go
    let report = world.step(&Inputs::default()).unwrap();
    assert!(report.dt > 1e-3, "{}", report.dt);
}

#[test]
fn a_diverged_step_names_the_limit_that_the_hand_sets() {
    let mut world = tower().gravity([1.0, 0.0, 0.0]).dt(1e-3).world();
    run(&mut world, 50);
    let hand = stiff_hand(&world);
    let inputs = Inputs { grabs: std::slice::from_ref(&hand), ..Inputs::default() };
    let error = (0..1000).find_map(|_| world.step(&inputs).err()).unwrap();
    let stable = error.stable_dt.unwrap();
    assert!(stable < HAND_LIMIT && stable > 0.8 * HAND_LIMIT, "{error} {stable}");
}

#[test]
fn released_nodes_shorten_the_step_at_once() {
    // all of a stiff cube is held and then let go: nothing limits the step before, its own highest
    // frequency does after
    let mesh = || block([0.1; 3], [2; 3], BoxElement::Hex);
    let law = LawKind::StVenant(moduli(1e9, 0.3));
    let limit = Scene::new(mesh(), law).auto(0.9).world().state().solver.dt_limit;
    let held = Scene::new(mesh(), law)
        .gravity([0.0, 0.0, -9.81])
        .hold_along(|_| true, [true; 3], Motion::Still, Some(0.01))
        .auto(0.9);
    let mut world = held.world();
    let mut released_at = f64::NAN;
    while world.state().time < 0.02 {
        let report = world.step(&Inputs { end: Some(0.02), ..Inputs::default() }).unwrap();
        if world.previous().time >= 0.01 {
            released_at = released_at.min(world.previous().time);
            assert!(report.dt < 1.1 * limit, "{} {limit}", report.dt);
        }
    }
    // free fall from the first step that ends at or after the release: z = - g t^2 / 2
    let fall = -0.5 * 9.81 * (0.02 - released_at).powi(2);
    let z = world.state().x[2] - world.model().layout().rest()[2];
    assert!((z - fall).abs() < 1e-9, "{z} {fall}, released at {released_at}");
}

/// Runs to the end; after every step its length must be below the limit of the state it started from.
fn stays_below_the_limit(name: &str, scene: &Scene, end: f64) {
    let mut world = scene.world();
    let model = std::sync::Arc::clone(world.model());
    let mut workspace = Kit::new(&model, scene.scheme());
    let (mut steps, mut renewals, mut closest, mut shortest) = (0, 0, 0.0_f64, f64::INFINITY);
    while world.state().time < end {
        let report = world
            .step(&Inputs { end: Some(end), ..Inputs::default() })
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        steps += 1;
        renewals += usize::from(report.renewed);
        if steps % 5 == 0 {
            let mut mode = vec![0.0; world.state().x.len()];
            let limit = stable_step(&model, world.state(), &mut workspace, &mut mode, &Inputs::default()).dt;
            closest = closest.max(report.dt / limit);
            shortest = shortest.min(limit);
        }
    }
    println!(
        "{name}: {steps} steps, {renewals} renewals, at most {closest:.3} of the limit, which fell to {shortest:.2e} s"
    );
    assert!(closest < 1.0, "{name}: {closest}");
}

fn squash(by: f64, over: f64) -> Motion {
    Motion::Carry { shift: [0.0, 0.0, -by], turn: None, over }
}

#[test]
fn crushing_a_body_never_carries_the_step_over_the_limit() {
    // neo-Hookean matter stiffens without bound as it is pressed flat: 80 % in 0.3 s
    let mesh = block([0.1, 0.1, 0.3], [3, 3, 9], BoxElement::Hex);
    let scene = Scene::new(mesh, LawKind::NeoHookean(moduli(1e5, 0.3)))
        .hold(|p| p[2] < 1e-9)
        .carry(|p| p[2] > 0.3 - 1e-9, squash(0.24, 0.3))
        .matter(|m| m.mass_damping = 5.0)
        .auto(0.9);
    stays_below_the_limit("crushed", &scene, 0.35);
}

#[test]
fn stretching_a_body_never_carries_the_step_over_the_limit() {
    // St. Venant-Kirchhoff matter stiffens with the square of its stretch: three times as long
    let mesh = block([0.1, 0.1, 0.3], [2, 2, 6], BoxElement::Tet5);
    let scene = Scene::new(mesh, LawKind::StVenant(moduli(1e5, 0.3)))
        .hold(|p| p[2] < 1e-9)
        .carry(|p| p[2] > 0.3 - 1e-9, squash(-0.6, 0.3))
        .auto(0.9);
    stays_below_the_limit("stretched", &scene, 0.35);
}

#[test]
fn falling_hard_on_a_held_side_never_carries_the_step_over_the_limit() {
    // the whole body moves at 5 m/s when its lowest nodes are already held: a compression wave
    let mesh = block([0.1, 0.1, 0.2], [3, 3, 6], BoxElement::Tet6);
    for (name, law) in [
        ("st-venant", LawKind::StVenant(moduli(1e6, 0.3))),
        ("neo-hookean", LawKind::NeoHookean(moduli(1e6, 0.3))),
    ] {
        let scene = Scene::new(mesh.clone(), law)
            .hold(|p| p[2] < 1e-9)
            .velocity(|p| [0.0, 0.0, if p[2] < 1e-9 { 0.0 } else { -5.0 }])
            .auto(0.9);
        stays_below_the_limit(name, &scene, 0.05);
    }
}
