//! Energy accounts: the drift of `total` is the integrator's own error and falls with dt^2.

use pliant_geometry::FaceNodes;
use pliant_solid::term::{Grab, GrabPath, LoadHistory, LoadScript, NodalForce, Pressure};
use pliant_solid::{Layout, Motion, Spline, Turn};

use super::support::{Scene, Vec3, node_at, nodes_in, order, run};
use super::tower;

const END: f64 = 0.2;

fn top(p: Vec3) -> bool {
    p[2] > 0.3 - 1e-9
}

/// The largest |total(t) - total(0)| over END in `steps` steps, and the largest |work|.
fn drift(scene: &Scene, steps: usize) -> (f64, f64) {
    let mut world = scene.world();
    let start = world.energy().total();
    let (mut drift, mut exchanged) = (0.0_f64, 0.0_f64);
    for _ in 0..steps {
        run(&mut world, 1);
        let energy = world.energy();
        drift = drift.max((energy.total() - start).abs());
        exchanged = exchanged.max(energy.work.abs()).max(energy.dissipated);
    }
    (drift, exchanged)
}

/// Asks for at least `least` as the order of the drift, and for an exchange that is far larger than it.
fn assert_order(name: &str, scene: impl Fn() -> Scene, least: f64) {
    let runs = [800, 1600, 3200].map(|steps| drift(&scene().dt(END / steps as f64), steps));
    let orders = [order(runs[0].0, runs[1].0), order(runs[1].0, runs[2].0)];
    println!(
        "{name}: drift {:.2e} J of {:.2e} J exchanged, orders {:.2} {:.2}",
        runs[2].0, runs[2].1, orders[0], orders[1]
    );
    assert!(orders[1] >= least, "{name}: {runs:?} {orders:?}");
    assert!(runs[2].1 > 30.0 * runs[2].0, "{name}: {runs:?} says little");
}

fn move_and_turn() -> Motion {
    let turn = Turn { axis: [0.0, 0.2, 1.0], angle: 0.5, center: [0.05, 0.05, 0.3] };
    Motion::Carry { shift: [0.02, 0.0, -0.03], turn: Some(turn), over: 0.1 }
}

fn sine() -> Motion {
    Motion::Sine { amplitude: [0.005, 0.01, 0.0], omega: 40.0, phase: 0.7 }
}

fn table() -> Motion {
    let points = vec![[0.0; 3], [0.02, 0.0, 0.0], [0.0, 0.01, -0.01], [0.0, 0.01, 0.0]];
    Motion::Table(Spline::through(vec![0.0, 0.05, 0.1, 0.15], points).unwrap())
}

/// A dead force on every node of the top, about 0.1 N each.
fn pull(layout: &Layout, history: LoadHistory) -> NodalForce {
    let forces = nodes_in(layout, &top).into_iter().map(|n| (n, [0.5, 0.0, 0.3])).collect();
    NodalForce { forces, history }
}

/// Pressure on one side of the tower, on quads and (split) triangles alike.
fn push(layout: &Layout, history: LoadHistory) -> Pressure {
    let mut faces = Vec::new();
    for k in 0..6 {
        for j in 0..2 {
            let (y, z) = (0.05 * f64::from(j), 0.05 * f64::from(k));
            // outward is -x
            let corners = [[0.0, y, z], [0.0, y, z + 0.05], [0.0, y + 0.05, z + 0.05], [0.0, y + 0.05, z]];
            let [a, b, c, d] = corners.map(|p| node_at(layout, p));
            if k % 2 == 0 {
                faces.push(FaceNodes::Quad([a, b, c, d]));
            } else {
                faces.extend([FaceNodes::Triangle([a, b, c]), FaceNodes::Triangle([a, c, d])]);
            }
        }
    }
    Pressure { faces, pressure: 800.0, history }
}

/// A hand on a point of an edge that follows a path with a bend.
fn hand(layout: &Layout, damping: f64) -> Grab {
    let point = [[0.1, 0.1, 0.25], [0.1, 0.1, 0.3]].map(|p| (node_at(layout, p), 0.5)).into();
    let points = vec![(0.0, [0.1, 0.1, 0.275]), (0.1, [0.14, 0.1, 0.275]), (0.2, [0.14, 0.12, 0.29])];
    Grab {
        point,
        path: GrabPath { points, release: None },
        stiffness: 60.0,
        damping,
        max_force: f64::INFINITY,
    }
}

const SLOWLY: LoadHistory = LoadHistory::growing(0.05);
const AT_ONCE: LoadHistory = LoadHistory::growing(0.0);

#[test]
fn gravity_and_elasticity_trade_without_loss() {
    let mut world = tower().gravity([3.0, 0.0, -9.81]).dt(END / 800.0).world();
    let start = world.energy().total();
    run(&mut world, 800);
    let energy = world.energy();
    assert!(energy.gravity < -1e-3 && energy.elastic > 1e-3, "{energy:?}");
    assert!((energy.total() - start).abs() < 1e-5, "{energy:?}");
    assert_eq!((energy.work, energy.dissipated), (0.0, 0.0));
}

#[test]
fn carried_nodes_do_work_that_is_accounted_to_second_order() {
    assert_order("move and turn", || tower().carry(top, move_and_turn()), 1.9);
}

#[test]
fn swinging_nodes_do_work_that_is_accounted_to_second_order() {
    assert_order("sine", || tower().carry(top, sine()), 1.9);
}

#[test]
fn nodes_on_a_table_do_work_that_is_accounted_to_second_order() {
    assert_order("table", || tower().carry(top, table()), 1.9);
}

#[test]
fn nodes_carried_along_one_axis_only_do_work_along_it() {
    let scene = || tower().hold_along(top, [true, false, false], sine(), None);
    assert_order("sine along x", scene, 1.9);
}

#[test]
fn dead_loads_do_work_that_is_accounted_to_second_order() {
    assert_order("slow load", || tower().term(|l| pull(l, SLOWLY)), 1.9);
    assert_order("sudden load", || tower().term(|l| pull(l, AT_ONCE)), 1.9);
    let short = || LoadHistory { release: Some(0.1), ..LoadHistory::growing(0.05) };
    assert_order("load that ends", move || tower().term(move |l| pull(l, short())), 1.9);
}

#[test]
fn loads_that_vary_do_work_that_is_accounted_to_second_order() {
    let sine = || LoadHistory {
        script: LoadScript::Sine { omega: 40.0, phase: 0.3, mean: 0.5 },
        ..LoadHistory::growing(0.05)
    };
    assert_order("sine load", move || tower().term(move |l| pull(l, sine())), 1.9);
    assert_order("sine pressure", move || tower().term(move |l| push(l, sine())), 1.9);
    let table = || LoadHistory {
        script: LoadScript::Table(vec![(0.0, 0.0), (0.05, 1.0), (0.1, 1.0), (0.15, -1.0)]),
        ..LoadHistory::default()
    };
    assert_order("load by a table", move || tower().term(move |l| pull(l, table())), 1.9);
    assert_order("pressure by a table", move || tower().term(move |l| push(l, table())), 1.9);
}

#[test]
fn pressure_does_work_that_is_accounted_to_second_order() {
    assert_order("slow pressure", || tower().term(|l| push(l, SLOWLY)), 1.9);
    assert_order("sudden pressure", || tower().term(|l| push(l, AT_ONCE)), 1.9);
}

#[test]
fn a_hand_does_work_that_is_accounted_to_second_order() {
    assert_order("hand", || tower().term(|l| hand(l, 0.0)), 1.9);
}

#[test]
fn a_hand_with_a_damper_is_accounted_to_second_order() {
    // its damper sees velocities half a step old; the account counts the very forces that acted
    assert_order("damped hand", || tower().term(|l| hand(l, 0.5)), 1.9);
    let weak = |l: &Layout| Grab { max_force: 0.5, ..hand(l, 0.5) };
    assert_order("weak damped hand", move || tower().term(weak), 1.9);
}

#[test]
fn a_weak_hand_is_accounted_to_second_order() {
    let weak = |l: &Layout| Grab { max_force: 0.5, ..hand(l, 0.0) };
    assert_order("weak hand", move || tower().term(weak), 1.9);
}

#[test]
fn mass_damping_takes_energy_that_is_accounted_to_second_order() {
    let scene = || tower().gravity([3.0, 0.0, -9.81]).matter(|m| m.mass_damping = 8.0);
    assert_order("mass damping", scene, 1.9);
    let carried = || tower().matter(|m| m.mass_damping = 8.0).carry(top, sine());
    assert_order("mass damping of carried nodes", carried, 1.9);
}

#[test]
fn stiffness_damping_takes_energy_that_is_accounted_to_first_order() {
    // it sees velocities half a step old, so first order is what the scheme allows
    let scene = || tower().gravity([3.0, 0.0, -9.81]).matter(|m| m.stiffness_damping = 2e-3);
    assert_order("stiffness damping", scene, 0.9);
}

#[test]
fn everything_together_is_accounted_to_second_order() {
    let scene = || {
        tower()
            .gravity([1.0, 0.5, -9.81])
            .matter(|m| m.mass_damping = 3.0)
            .carry(|p| top(p) && p[0] < 0.01, sine())
            .term(|l| pull(l, SLOWLY))
            .term(|l| push(l, SLOWLY))
            .term(|l| hand(l, 0.0))
    };
    assert_order("together", scene, 1.9);
}

#[test]
fn letting_go_of_moving_nodes_is_accounted_to_second_order() {
    // released in mid-swing, on a step of every run
    let scene = || tower().hold_along(top, [true; 3], sine(), Some(0.1));
    assert_order("release", scene, 1.9);
}
