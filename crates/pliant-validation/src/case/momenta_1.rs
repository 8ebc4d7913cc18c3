//! MOMENTA-1: a free spinning block keeps its momenta under implicit Euler; without the correction it loses spin as theory says.
//!
//! ```text
//! L_1 - L_0 = dt sum x_i^0 x f_i = - dt^2 sum v_i x f_i                                     (1)
//! dL/dt = - dt 2T w,   d|L|/dt = - dt (2T)^2 / |L|                                          (2)
//! |L| = |L_0| / sqrt(1 + 2 dt k t),   k = (2T / |L|)^2 at the start                          (3)
//! ```
//!
//! (1) is what implicit Euler gives a body whose forces balance. For a stiff body that turns at w, v x (w x v) = w v^2, and (2) follows; 2T = L . w, and
//! |L| falls while its direction stays. (3) integrates (2) with T going as |L|^2; it is the first order in dt. So much is lost where the equations are
//! solved to the end, and by one solution too, since forces are linearised where the block would be if it were rigid. DYN-SPIN-1's block; its spin about the centre.

use pliant_solid::World;
use pliant_solid::integrator::{ImplicitEuler, StepChoice};
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::hanging_bar::warped;
use crate::measure::{Vec3, add, advance, cross, dot, peak, sub, triple};
use crate::motions::{converged_euler, thrown_block};
use crate::verify::{Case, Expected, MakeLaw, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "MOMENTA-1",
    title: "a free spinning block keeps its momenta by implicit Euler",
    source: "closed form; the block of DYN-SPIN-1, 1000 steps, one linearised solution each",
    file: "momenta_1.rs",
    flaw: Perturbation::LinearStrain,
    compare,
};

const STEPS: usize = 1000;
/// A step for which the first order is near, s, and how many are taken without correction.
const SHORT_STEP: f64 = 5e-4;
/// See [`SHORT_STEP`].
const FEWER: usize = 400;

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let block = |kind, euler: ImplicitEuler| thrown_block(perturbation.law(kind, 1e5, 0.3)?)?.euler(euler);
    let once = |dt: f64| ImplicitEuler { step: StepChoice::Fixed(dt), ..ImplicitEuler::default() };
    let mut rows = Vec::new();
    for (name, kind) in [("corotated", LawKind::Corotated as MakeLaw), ("warped", warped)] {
        for dt in [1e-2, 5e-4] {
            rows.extend(kept(&format!("{name}, {} ms", 1e3 * dt), block(kind, once(dt))?)?);
        }
    }
    let bare = ImplicitEuler { keep_momenta: false, ..once(SHORT_STEP) };
    rows.push(lost("corotated, Newton", block(LawKind::Corotated, converged_euler(SHORT_STEP))?)?);
    rows.push(lost("warped, once", block(warped, bare)?)?);
    Ok(rows)
}

/// Linear momentum; angular momentum and twice the kinetic energy about the centre of mass.
fn motion(world: &World) -> (Vec3, Vec3, f64) {
    let (model, state) = (world.model(), world.state());
    let nodes = || (0..model.layout().free_count() as u32).map(|n| (n, model.mass()[n as usize]));
    let mass: f64 = nodes().map(|(_, m)| m).sum();
    let mean = |values: &[f64]| {
        let sum = nodes().fold([0.0; 3], |sum, (n, m)| add(sum, triple(values, n).map(|c| m * c)));
        sum.map(|c| c / mass)
    };
    let (centre, drift) = (mean(&state.x), mean(&state.v));
    let (mut spin, mut twice) = ([0.0; 3], 0.0);
    for (node, m) in nodes() {
        let (arm, v) = (sub(triple(&state.x, node), centre), sub(triple(&state.v, node), drift));
        spin = add(spin, cross(arm, v).map(|c| m * c));
        twice += m * dot(v, v);
    }
    (drift.map(|c| mass * c), spin, twice)
}

fn length(a: Vec3) -> f64 {
    dot(a, a).sqrt()
}

/// The worst change of both over all steps.
fn kept(name: &str, mut world: World) -> Result<Vec<Row>, CaseError> {
    let (p, l, _) = motion(&world);
    let (mut linear, mut angular) = (0.0_f64, 0.0_f64);
    for _ in 0..STEPS {
        advance(&mut world, 1)?;
        let now = motion(&world);
        linear = linear.max(peak(&sub(now.0, p)));
        angular = angular.max(peak(&sub(now.1, l)));
    }
    let zero = |scale: Vec3| Expected::scaled(0.0, length(scale), 1e-10, Origin::ClosedForm);
    Ok(vec![
        Row::new(format!("{name}: worst change of L"), "kgm2/s", zero(l), angular),
        Row::new(format!("{name}: worst change of p"), "kgm/s", zero(p), linear),
    ])
}

/// What is lost of L without the correction, beside (3).
fn lost(name: &str, mut world: World) -> Result<Row, CaseError> {
    let (_, l, twice) = motion(&world);
    advance(&mut world, FEWER)?;
    let rate = (twice / length(l)).powi(2);
    let (dt, time) = (world.state().solver.dt, world.state().time);
    let theory = 1.0 - 1.0 / (1.0 + 2.0 * dt * rate * time).sqrt(); // (3)
    let ours = 1.0 - length(motion(&world).1) / length(l);
    // the block gives way to its spin, rho w^2 r^2 / E = 2 %, which theory leaves out
    let expected = Expected::scaled(theory, theory, 0.1, Origin::ClosedForm);
    Ok(Row::new(format!("{name}, not corrected: part of L lost"), "", expected, ours))
}
