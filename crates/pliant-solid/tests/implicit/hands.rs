//! Live hands in implicit steps: they hold any nodes, and move them as a hand of the model's own would.

use pliant_geometry::{BoxElement, MaterialPoint};
use pliant_solid::integrator::{Inputs, IntegratorKind, Newmark, StepChoice, StepReport};
use pliant_solid::law::LawKind;
use pliant_solid::term::{Grab, GrabPath};
use pliant_solid::{Layout, Motion, World};

use crate::support::meshes::{block, cube_with_hanging_nodes};
use crate::support::{Scene, Vec3, moduli, node_at, nodes_in, peak_difference};

const DT: f64 = 2e-3;

/// A patch of nodes of a region with uneven weights.
pub fn patch(layout: &Layout, region: &dyn Fn(Vec3) -> bool) -> MaterialPoint {
    let nodes = nodes_in(layout, region);
    let weight = |n: u32| 1.0 + 3.0 * layout.rest_of(n)[0] + layout.rest_of(n)[1];
    let sum: f64 = nodes.iter().map(|n| weight(*n)).sum();
    nodes.iter().map(|n| (*n, weight(*n) / sum)).collect()
}

/// A hand that comes after the start, where a hand of the model and a live one see the same accelerations.
fn hand(point: MaterialPoint, max_force: f64) -> Grab {
    let path = vec![(0.5 * DT, [0.3, 0.05, 0.12]), (10.5 * DT, [0.3, 0.15, 0.25])];
    Grab { point, path: GrabPath { points: path, release: None }, stiffness: 1e4, damping: 5.0, max_force }
}

fn bar() -> Scene {
    let law = LawKind::NeoHookean(moduli(1e5, 0.3));
    Scene::new(block([0.5, 0.1, 0.1], [5, 1, 1], BoxElement::Hex), law)
        .hold(|p| p[0] < 1e-9)
        .velocity(|p| [0.0, 0.0, 2.0 * p[0] * p[0]])
}

/// Newmark to so small a residual that two ways to the same solution agree.
fn tight(scene: Scene) -> Scene {
    let newmark = Newmark { tolerance: 1e-10, step: StepChoice::Fixed(DT), ..Newmark::default() };
    scene.integrator(IntegratorKind::Newmark(newmark))
}

fn steps(world: &mut World, grabs: &[Grab], count: usize) -> Vec<StepReport> {
    let inputs = Inputs { grabs, ..Inputs::default() };
    (0..count).map(|_| world.step(&inputs).unwrap_or_else(|error| panic!("{error}"))).collect()
}

/// Runs a scene with live hands and with the same hands as terms of the model; motions and iterations must be the same.
fn assert_same(scene: impl Fn() -> Scene, hands: impl Fn(&Layout) -> Vec<Grab> + Copy + 'static, what: &str) {
    let mut live = tight(scene()).world();
    let grabs = hands(live.model().layout());
    let mut scripted = scene();
    for index in 0..grabs.len() {
        scripted = scripted.term(move |layout| hands(layout).swap_remove(index));
    }
    let mut scripted = tight(scripted).world();
    let reports = [steps(&mut live, &grabs, 20), steps(&mut scripted, &[], 20)];
    for (a, b) in reports[0].iter().zip(&reports[1]) {
        assert_eq!(a.newton.unwrap().iterations, b.newton.unwrap().iterations, "{what}");
    }
    let (x, rest) = (&live.state().x, live.model().layout().rest());
    let moved = peak_difference(x, &rest[..x.len()]);
    let difference = peak_difference(x, &scripted.state().x);
    assert!(moved > 1e-2 && difference < 1e-9 * moved, "{what}: {difference:e} of {moved:e} m");
    let (a, b) = (live.energy(), scripted.energy());
    assert!((a.work - b.work).abs() < 1e-8 * b.work.abs(), "{what}: work {} and {} J", a.work, b.work);
}

#[test]
fn a_live_hand_moves_a_body_as_one_of_the_model_does() {
    // top nodes from end to end, held ones of x = 0 among them
    let top = |p: Vec3| p[2] > 0.0999;
    assert_same(bar, move |layout| vec![hand(patch(layout, &top), f64::INFINITY)], "spread");
    assert_same(bar, move |layout| vec![hand(patch(layout, &top), 0.7)], "as strong as it may be");
    let free = |p: Vec3| p[2] > 0.0999 && p[0] > 0.01;
    assert_same(bar, move |layout| vec![hand(patch(layout, &free), f64::INFINITY)], "free nodes only");
}

#[test]
fn hands_may_share_nodes_and_wait() {
    let hands = |layout: &Layout| {
        let right = hand(patch(layout, &|p| p[0] > 0.29), f64::INFINITY);
        let mut top = hand(patch(layout, &|p| p[2] > 0.0999), 1.0);
        top.path.points = vec![(0.0, [0.3, -0.1, 0.2])];
        top.path.release = Some(5.5 * DT);
        let mut late = hand(patch(layout, &|p| p[1] < 1e-9), f64::INFINITY);
        late.path.points = vec![(9.5 * DT, [0.2, 0.0, 0.0])];
        vec![right, top, late]
    };
    // the second begins with the first step, not before
    let hands = move |layout: &Layout| {
        let mut hands = hands(layout);
        hands[1].path.points[0].0 = 0.5 * DT;
        hands
    };
    assert_same(bar, hands, "three hands");
}

#[test]
fn a_hand_on_nodes_held_along_an_axis_or_carried_moves_the_rest() {
    let carry = Motion::Carry { shift: [0.0, 0.02, 0.0], turn: None, over: 0.02 };
    let scene = move || {
        bar().hold_along(|p| p[0] > 0.49, [false, true, false], Motion::Still, None).hold_along(
            |p| (p[0] - 0.3).abs() < 1e-9 && p[2] < 1e-9,
            [true; 3],
            carry.clone(),
            None,
        )
    };
    let hands = |layout: &Layout| vec![hand(patch(layout, &|p| p[0] > 0.19), f64::INFINITY)];
    assert_same(scene, hands, "along an axis");
}

#[test]
fn a_hand_on_hanging_nodes_pulls_their_masters() {
    let law = LawKind::NeoHookean(moduli(1e5, 0.3));
    let scene = move || {
        let (mesh, hanging) = cube_with_hanging_nodes();
        Scene::new(mesh, law).hanging(hanging).hold(|p| p[2] < 1e-9).velocity(|p| [p[2], 0.0, 0.0])
    };
    // a mid-edge and a mid-face node of the middle cell, and a free corner of the cube
    let hands = |layout: &Layout| {
        let third = 1.0 / 3.0;
        let places = [[0.5, third, third], [0.5, 0.5, 2.0 * third], [1.0; 3]];
        let nodes = places.map(|p| node_at(layout, p));
        assert!(nodes[..2].iter().all(|n| *n as usize >= layout.free_count()));
        let path = GrabPath { points: vec![(0.5 * DT, [0.7, 0.7, 0.9])], release: None };
        let point = nodes.into_iter().zip([0.3, 0.5, 0.2]).collect();
        vec![Grab { point, path, stiffness: 2e5, damping: 100.0, max_force: f64::INFINITY }]
    };
    assert_same(scene, hands, "hanging nodes");
}

#[test]
fn a_hand_may_hold_two_bodies() {
    let law = LawKind::NeoHookean(moduli(1e5, 0.3));
    let scene = move || {
        let above = block([0.5, 0.1, 0.1], [5, 1, 1], BoxElement::Tet5);
        bar().body("above", above.transformed(|p| [p[0], p[1], p[2] + 0.15]).unwrap(), law)
    };
    let hands = |layout: &Layout| vec![hand(patch(layout, &|p| p[0] > 0.29), f64::INFINITY)];
    assert_same(scene, hands, "two bodies");
}

#[test]
fn a_node_that_is_named_twice_counts_twice() {
    let ends = [false, true].map(|twice| {
        let mut world = tight(bar()).world();
        let mut grab = hand(patch(world.model().layout(), &|p| p[0] > 0.29), f64::INFINITY);
        if twice {
            let half = grab.point.scaled(0.5);
            grab.point = half.iter().chain(&half).collect();
        }
        steps(&mut world, &[grab], 20);
        world.state().x.clone()
    });
    assert!(peak_difference(&ends[0], &ends[1]) < 1e-11);
}

#[test]
fn newtons_method_stays_quadratic_with_a_hand() {
    for max_force in [f64::INFINITY, 20.0] {
        // a hand ten times as stiff as the bar, that comes at once and far away
        let newmark = Newmark { tolerance: 1e-12, step: StepChoice::Fixed(2e-2), ..Newmark::default() };
        let mut world = bar().integrator(IntegratorKind::Newmark(newmark)).world();
        let grab = Grab {
            path: GrabPath::held_at([0.35, 0.1, 0.15]),
            ..hand(patch(world.model().layout(), &|p| p[2] > 0.0999), max_force)
        };
        let newton = steps(&mut world, &[grab], 1)[0].newton.unwrap();
        let r = newton.residuals();
        let pairs: Vec<_> = r.windows(2).filter(|p| p[0] < 1.0 && p[1] > 1e-12).collect();
        assert!(pairs.len() >= 2, "{r:?}");
        // digits double: with a tangent that knew nothing of the hand they would only add up
        assert!(pairs.iter().all(|p| p[1] <= 2.0 * p[0] * p[0]), "{r:?}");
    }
}
