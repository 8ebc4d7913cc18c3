//! Motion that feeds on itself is told, runs that come to no end are given up, and automatic steps follow swings.

use pliant_geometry::BoxElement;
use pliant_numerics::{BlockMatrix, PatternBuilder};
use pliant_solid::integrator::{
    Divergence, ImplicitEuler, IntegratorKind, LinearSolver, Newmark, StepChoice, StepError,
};
use pliant_solid::law::LawKind;
use pliant_solid::term::{At, Caps, Coeffs, ForceTerm, Report, Scatter, Scratch};

use super::support::meshes::block;
use super::support::{Scene, moduli, node_at, run_until};

/// A force along the velocity of every node, N s/m: what no matter does.
struct Tailwind {
    nodes: usize,
    strength: f64,
}

impl ForceTerm for Tailwind {
    fn caps(&self) -> Caps {
        Caps { rate: true, symmetric: true, ..Caps::default() }
    }

    fn pattern(&self, _out: &mut PatternBuilder) {}

    fn force_add(&self, at: &At, out: &mut Scatter) -> Report {
        (0..3 * self.nodes).for_each(|i| out.force[i] += self.strength * at.v[i]);
        Report::default()
    }

    fn tangent_apply_add(&self, _at: &At, _c: Coeffs, _direction: &[f64], _out: &mut Scatter) {}

    fn tangent_add(&self, _at: &At, _c: Coeffs, _out: &mut BlockMatrix, _scratch: &mut Scratch) {}
}

/// A clamped beam of a metre under its weight.
fn beam(law: LawKind, integrator: IntegratorKind) -> Scene {
    Scene::new(block([1.0, 0.2, 0.2], [10, 2, 2], BoxElement::Hex), law)
        .gravity([0.0, 0.0, -9.81])
        .hold(|p| p[0] < 1e-9)
        .integrator(integrator)
}

fn automatic() -> ImplicitEuler {
    ImplicitEuler { solver: Some(LinearSolver::Direct), ..ImplicitEuler::default() }
}

fn excess(error: Option<StepError>) -> (f64, f64) {
    match error.map(|error| error.reason) {
        Some(Divergence::Energy { held, given }) => (held, given),
        other => panic!("{other:?}"),
    }
}

#[test]
fn motion_that_holds_more_than_was_put_in_is_told() {
    // implicit Euler asks for forces where nothing moves yet, and would not see this wind
    let method = IntegratorKind::Newmark(Newmark { step: StepChoice::Fixed(1e-3), ..Newmark::default() });
    // nodes of 0.1 to 1 kg with 40 N s/m: e-folds within some ms, while gravity gives 40 kg some joules
    let scene = beam(LawKind::Linear(moduli(1e6, 0.3)), method)
        .term(|layout| Tailwind { nodes: layout.free_count(), strength: 40.0 });
    let (_, error) = run_until(&mut scene.world(), 2.0);
    let text = error.as_ref().map(ToString::to_string).unwrap_or_default();
    let (held, given) = excess(error);
    assert!(held > 1e3 * given && held < 1e5 * given, "{held} J of {given} J");
    assert!(text.contains("its motion holds ") && text.contains("body `first`"), "{text}");
}

#[test]
fn what_a_body_gives_back_is_no_energy_from_nowhere() {
    // thrown up by 5 m/s and falling by metres; a beam let go from a carried end would do as well
    let flying = Scene::new(block([0.2; 3], [2; 3], BoxElement::Hex), LawKind::Corotated(moduli(1e5, 0.3)))
        .gravity([0.0, 0.0, -9.81])
        .velocity(|p| [0.0, 3.0 * p[0], 5.0])
        .integrator(IntegratorKind::ImplicitEuler(ImplicitEuler {
            step: StepChoice::Fixed(0.01),
            ..automatic()
        }));
    assert_eq!(run_until(&mut flying.world(), 2.0).1, None);
}

#[test]
fn automatic_steps_follow_the_swing_of_a_nearly_incompressible_beam() {
    // after 1 s: Newmark's steps of 0.5 ms, whose error is a ten-thousandth
    let law = LawKind::Linear(moduli(2e5, 0.4999));
    let tip = |integrator: IntegratorKind| {
        let mut world = beam(law, integrator).world();
        let (reports, error) = run_until(&mut world, 1.0);
        assert_eq!(error, None);
        let node = node_at(world.model().layout(), [1.0, 0.2, 0.2]);
        (world.state().x[3 * node as usize + 2] - 0.2, reports.len())
    };
    let newmark = Newmark { step: StepChoice::Fixed(5e-4), ..Newmark::default() };
    let (exact, _) = tip(IntegratorKind::Newmark(newmark));
    let (found, steps) = tip(IntegratorKind::ImplicitEuler(automatic()));
    assert!((found - exact).abs() < 0.02, "{found} m in {steps} steps, expected {exact} m");
}
