//! Which solver `auto` takes: gradients where they are quick, a factor where they would crawl.

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::integrator::{Inputs, IntegratorKind, LinearSolver};
use pliant_solid::law::{LawKind, Warp};

use super::euler;
use super::support::{Scene, moduli};

fn choice(cells: [usize; 3], side: f64, law: LawKind) -> LinearSolver {
    let mesh = box_mesh(cells.map(|c| c as f64 * side), cells, BoxElement::Tet5).unwrap();
    let model = Scene::new(mesh, law)
        .integrator(IntegratorKind::ImplicitEuler(euler(0.01)))
        .hold(|p| p[2] < 1e-9)
        .model();
    model.integrator().linear_solver(&model)
}

/// Measured with `pliant bench`, one thread, ms a step by gradients and by a factor: the bar 0.26 and 0.65 at 0.1 MPa, 0.32 and 0.69 at 1 MPa; the rod 0.68 and 0.26 at 0.1 MPa, 11 and 0.26 at
/// 1 GPa; the sheet 5.3 and 7.1 at 0.1 MPa, 48 and 6.6 at 1 GPa.
#[test]
fn the_quicker_one_is_taken() {
    let corotated = |young: f64| LawKind::Corotated(moduli(young, 0.33));
    let (bar, rod, sheet) = ([3, 3, 10], [1, 1, 50], [30, 1, 30]);
    assert_eq!(choice(bar, 0.1, corotated(1e5)), LinearSolver::Gradients);
    assert_eq!(choice(bar, 0.1, corotated(1e6)), LinearSolver::Gradients);
    assert_eq!(choice(rod, 0.02, corotated(1e5)), LinearSolver::Direct);
    assert_eq!(choice(rod, 0.02, corotated(1e9)), LinearSolver::Direct);
    assert_eq!(choice(sheet, 0.02, corotated(1e5)), LinearSolver::Gradients);
    assert_eq!(choice(sheet, 0.02, corotated(1e9)), LinearSolver::Direct);
    // no factor serves a matrix that is not symmetric
    let warped = LawKind::Warped(moduli(1e9, 0.33), Warp::default());
    assert_eq!(choice(rod, 0.02, warped), LinearSolver::Gradients);
}

/// Two thousand steps of gradients leave this rod unsolved; its factor does not.
#[test]
fn a_stiff_rod_is_solved() {
    let mesh = box_mesh([0.02, 0.02, 4.0], [1, 1, 200], BoxElement::Tet5).unwrap();
    let law = LawKind::Corotated(moduli(1e9, 0.33));
    let scene =
        Scene::new(mesh, law).integrator(IntegratorKind::ImplicitEuler(euler(0.01))).hold(|p| p[2] < 1e-9);
    let mut world = scene.gravity([0.0, -9.81, 0.0]).world();
    for _ in 0..5 {
        let report = world.step(&Inputs::default()).unwrap();
        assert!(report.gradients.is_none() && report.solved, "{report:?}");
    }
    // so soon the far end falls nearly freely, by g dt^2 (1 + 2 + ... + 5); waves of bending have taken 0.6 % of it
    let (x, rest) = (&world.state().x, world.model().layout().rest());
    let far = (0..x.len() / 3).max_by(|a, b| rest[3 * a + 2].total_cmp(&rest[3 * b + 2])).unwrap();
    let fallen = x[3 * far + 1] - rest[3 * far + 1];
    assert!((fallen / (-15.0 * 9.81e-4) - 1.0).abs() < 0.01, "{fallen}");
}

/// The same rod by gradients: what they leave after all their steps is no solution, and the step is halved until they find one.
#[test]
fn what_gradients_leave_unsolved_is_no_step() {
    let mesh = box_mesh([0.02, 0.02, 4.0], [1, 1, 200], BoxElement::Tet5).unwrap();
    let law = LawKind::Corotated(moduli(1e9, 0.33));
    let mut method = euler(0.01);
    method.solver = Some(LinearSolver::Gradients);
    let scene = Scene::new(mesh, law).integrator(IntegratorKind::ImplicitEuler(method));
    let mut world = scene.hold(|p| p[2] < 1e-9).gravity([0.0, -9.81, 0.0]).world();
    let (mut halvings, mut worst) = (0, 0.0_f64);
    for _ in 0..3 {
        let report = world.step(&Inputs::default()).unwrap();
        halvings += report.halvings;
        worst = worst.max(report.gradients.unwrap().residual);
    }
    assert!(halvings > 0 && worst <= 0.1, "{halvings} halvings, {worst:.1e}");
}
