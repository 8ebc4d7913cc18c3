//! Which solver `auto` takes: gradients where they are quick, a factor where they would crawl.

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::World;
use pliant_solid::integrator::{ImplicitEuler, Inputs, IntegratorKind, LinearSolver};
use pliant_solid::law::{LawKind, Warp};

use super::euler;
use super::support::{Scene, moduli};

fn choice(cells: [usize; 3], side: f64, law: LawKind) -> LinearSolver {
    let mesh = box_mesh(cells.map(|c| c as f64 * side), cells, BoxElement::Tet5).unwrap();
    let scene =
        Scene::new(mesh, law).integrator(IntegratorKind::ImplicitEuler(euler(0.01))).hold(|p| p[2] < 1e-9);
    scene.scheme().linear_solver(&scene.model())
}

/// Equations alone (`benches/preconditioners.rs`), one thread, ms by gradients and by a factor: the bar 0.07 and 0.36 at
/// 0.1 MPa, 0.12 and 0.33 at 1 MPa; the rod 0.21 and 0.13 at 0.1 MPa, 1.7 and 0.13 at 1 GPa; the sheet 2.5 and 6.3 at
/// 0.1 MPa, 27 and 6.7 at 1 GPa.
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

/// Gradients would crawl along this rod; its factor does not.
#[test]
fn a_stiff_rod_is_solved() {
    let mut world = rod(200, LawKind::Corotated(moduli(1e9, 0.33)), None);
    for _ in 0..5 {
        let report = world.step(&Inputs::default()).unwrap();
        assert!(report.gradients.is_none() && report.solved, "{report:?}");
        assert!(report.factor.is_some_and(|left| left.residual < 1e-9 && !left.unsolved), "{report:?}");
    }
    // so soon the far end falls nearly freely, by g dt^2 (1 + 2 + ... + 5); waves of bending have taken 0.6 % of it
    let (x, rest) = (&world.state().x, world.model().layout().rest());
    let far = (0..x.len() / 3).max_by(|a, b| rest[3 * a + 2].total_cmp(&rest[3 * b + 2])).unwrap();
    let fallen = x[3 * far + 1] - rest[3 * far + 1];
    assert!((fallen / (-15.0 * 9.81e-4) - 1.0).abs() < 0.01, "{fallen}");
}

/// A rod twice as long and a hundred times stiffer: two thousand steps of gradients leave it unsolved.
#[test]
fn what_gradients_leave_unsolved_the_factor_solves() {
    let tips = [Some(LinearSolver::Gradients), Some(LinearSolver::Direct)].map(|solver| {
        let mut world = rod(400, LawKind::Corotated(moduli(1e11, 0.33)), solver);
        for _ in 0..3 {
            let report = world.step(&Inputs::default()).unwrap();
            assert_eq!((report.fallbacks > 0, report.halvings), (solver == Some(LinearSolver::Gradients), 0));
            assert!(report.gradients.is_none_or(|g| g.residual <= 1e-5 && !g.unsolved), "{report:?}");
        }
        world.state().x[world.state().x.len() - 2]
    });
    assert!((tips[0] / tips[1] - 1.0).abs() < 1e-6, "{tips:?}");
}

/// Under `warped` no factor serves: the step is halved until gradients find a solution.
#[test]
fn what_is_left_unsolved_is_no_step() {
    let mut world = rod(400, LawKind::Warped(moduli(1e11, 0.33), Warp::default()), None);
    let (mut halvings, mut worst) = (0, 0.0_f64);
    for _ in 0..3 {
        let report = world.step(&Inputs::default()).unwrap();
        halvings += report.halvings;
        worst = worst.max(report.gradients.unwrap().residual);
    }
    assert!(halvings > 0 && worst <= 0.1, "{halvings} halvings, {worst:.1e}");
}

fn rod(cells: usize, law: LawKind, solver: Option<LinearSolver>) -> World {
    let mesh = box_mesh([0.02, 0.02, 0.02 * cells as f64], [1, 1, cells], BoxElement::Tet5).unwrap();
    let method = ImplicitEuler { solver, ..euler(0.01) };
    let scene = Scene::new(mesh, law).integrator(IntegratorKind::ImplicitEuler(method));
    scene.hold(|p| p[2] < 1e-9).gravity([0.0, -9.81, 0.0]).world()
}

/// Nearly incompressible bars, on which incomplete factors break down: in truth solved, or the energy is that of free
/// fall.
#[test]
fn gradients_are_true_at_any_poissons_ratio() {
    for (element, poisson) in [BoxElement::Hex, BoxElement::Tet5].into_iter().zip([0.45, 0.49]) {
        let ends = [LinearSolver::Gradients, LinearSolver::Jacobi, LinearSolver::Direct].map(|solver| {
            let mesh = box_mesh([0.25, 0.06, 0.06], [25, 6, 6], element).unwrap();
            let method = ImplicitEuler { solver: Some(solver), ..euler(0.005) };
            let scene = Scene::new(mesh, LawKind::Linear(moduli(5e5, poisson)));
            let scene = scene.integrator(IntegratorKind::ImplicitEuler(method)).hold(|p| p[0] < 1e-9);
            let mut world = scene.gravity([0.0, 0.0, -9.81]).world();
            for _ in 0..20 {
                let report = world.step(&Inputs::default()).unwrap();
                assert_eq!(report.fallbacks, 0);
                assert!(report.gradients.is_none_or(|g| g.residual <= 1e-5), "{report:?}");
            }
            world.energy().elastic
        });
        let near = |energy: f64| (energy / ends[2] - 1.0).abs() < 1e-3;
        assert!(near(ends[0]) && near(ends[1]), "{ends:?}");
    }
}
