//! Newton's method with a line search, for implicit steps and statics.
//!
//! ```text
//! A p = r(x) - A_fh p_h,   p_h = target - x_h,   x <- x + s p                             (1)
//! s = 1, unless r(x + s p) . p < - r(x) . p / 2  or elements turn inside out                (2)
//! ```
//!
//! A is the tangent and p_h takes held unknowns to their place, so that the others follow at once. With A positive definite, r . p > 0
//! falls along the line until the energy is least: by (2) a step that has gone well beyond that place is shortened, by the secant
//! [MatthiesStrang].

use std::ops::Range;

use pliant_numerics::{CholeskyError, GradientLimits};

use super::balance::{Balance, Imbalance};
use super::newton_report::{NewtonFault, NewtonReport};
use super::sparse_system::SparseSystem;
use crate::state::State;
use crate::workspace::{Phase, Workspace};

/// Trials of a line search.
const MOST_TRIALS: usize = 10;
/// The part of the slope at the start that a step may overshoot by.
const OVERSHOOT: f64 = 0.5;

/// Where only rounding is left of the forces an equilibrium may move by this part of the largest displacement, and is sought this often.
const VAGUE: f64 = 1e-4;
const MOST_VAGUE: usize = 6;

/// How far gradients go in an iteration.
pub(super) const FORCING: GradientLimits = GradientLimits { tolerance: 1e-3, steps: 2000 };

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NewtonLimits {
    /// Norm of the forces left over, as a part of the largest force.
    pub tolerance: f64,
    /// The last correction as a part of the largest displacement; infinite where it does not matter.
    pub correction: f64,
    /// Iterations after which a step counts as failed.
    pub iterations: usize,
    /// Whether elements may be inside out on the way and at the end.
    pub inversion: Inversion,
    /// What to do on the way where the tangent is not positive definite.
    pub indefinite: Indefinite,
}

/// What to do on the way where the tangent is not positive definite; the end must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Indefinite {
    /// Give up.
    Fails,
    /// Go downhill with a tangent that is stiffened until it is definite.
    Stiffened,
}

/// What to do about elements that turn inside out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inversion {
    /// Nothing: the law decides what they cost.
    Allowed,
    /// A state with one is not accepted.
    Refused,
}

/// Moves the free unknowns of `s` until the balance holds; `s.x` is the first guess and must be finite.
pub(crate) fn settle(
    balance: &Balance,
    s: &mut State,
    system: &mut SparseSystem,
    w: &mut Workspace,
    limits: &NewtonLimits,
) -> Result<NewtonReport, NewtonFault> {
    let mut report = NewtonReport::new();
    w.phase(Phase::Forces);
    let mut imbalance = balance.evaluate(s, system, w);
    report.note(imbalance.worst, imbalance.rounding);
    if !imbalance.norm.is_finite() {
        return Err(NewtonFault::NotFinite);
    }
    let (mut stiffening, mut previous) = (0.0, f64::INFINITY);
    let mut correction = Correction { relative: f64::INFINITY, steps_of_rounding: f64::INFINITY };
    loop {
        // a first guess that looks good is not a solution
        let solved =
            imbalance.norm == 0.0 || (report.iterations > 0 && correction.relative <= limits.correction);
        let balanced = imbalance.worst <= limits.tolerance && solved;
        // what is left is rounding, and does not fall any more
        let stays = imbalance.rounding && report.iterations > 0 && imbalance.norm >= 0.1 * previous;
        let exhausted = stays || correction.steps_of_rounding <= 4.0;
        // forces of slender and next to incompressible bodies may be rounded by as much as what bends them
        let moves = correction.relative > VAGUE && correction.steps_of_rounding > 4.0;
        let vague = exhausted && !balanced && limits.correction.is_finite() && moves;
        let again = vague && report.iterations < MOST_VAGUE;
        previous = imbalance.norm;
        if (balanced || exhausted) && !again && in_place(system, &s.x) && stiffening == 0.0 {
            if vague {
                report.is_not_rounding(imbalance.worst);
            }
            return Ok(report);
        }
        if report.iterations == limits.iterations {
            return Err(NewtonFault::NotConverged { report });
        }
        w.phase(Phase::Assemble);
        balance.assemble(s, system, w);
        w.phase(Phase::Factor);
        stiffening = factor(system, limits.indefinite)?;
        imbalance = advance(balance, s, system, w, (limits.inversion, &mut report), imbalance)?;
        report.iterations += 1;
        report.note(imbalance.worst, imbalance.rounding);
        correction = Correction::of(balance, s, system);
    }
}

/// Factors the tangent; gives by how much its diagonal had to be raised.
fn factor(system: &mut SparseSystem, indefinite: Indefinite) -> Result<f64, NewtonFault> {
    match system.factor() {
        Ok(()) => return Ok(0.0),
        Err(CholeskyError::NotPositiveDefinite { .. }) => {}
        Err(_) => return Err(NewtonFault::NotFinite),
    }
    if system.factor_with_rows() {
        return Ok(0.0);
    }
    match indefinite {
        Indefinite::Stiffened => system.stiffen().map_err(|_| NewtonFault::NotPositiveDefinite),
        Indefinite::Fails => Err(NewtonFault::NotPositiveDefinite),
    }
}

/// Whether held unknowns are where they belong.
fn in_place(system: &SparseSystem, x: &[f64]) -> bool {
    system.held.iter().zip(&system.target).zip(x).all(|((held, target), x)| !held || target == x)
}

/// How large the last step was.
struct Correction {
    /// As a part of the largest displacement.
    relative: f64,
    /// In units of what positions of the same body are rounded by, at most.
    steps_of_rounding: f64,
}

impl Correction {
    fn of(balance: &Balance, s: &State, system: &SparseSystem) -> Self {
        let rest = balance.model.layout().rest();
        let largest =
            |values: &mut dyn Iterator<Item = f64>| values.fold(0.0_f64, |most, v| most.max(v.abs()));
        let moved = largest(&mut s.x.iter().zip(rest.iter()).map(|(x, r)| x - r));
        let step = largest(&mut system.step.iter().copied());
        let ratio = |step: f64, whole: f64| if whole > 0.0 { step / whole } else { step };
        // body by body: one that is far away is rounded more coarsely than its neighbours
        let of_body = |nodes: &Range<u32>| {
            let dofs = 3 * nodes.start as usize..3 * nodes.end as usize;
            let place = largest(&mut s.x[dofs.clone()].iter().copied());
            ratio(largest(&mut system.step[dofs].iter().copied()), f64::EPSILON * place)
        };
        let bodies = balance.model.layout().bodies().iter().map(|body| of_body(&body.nodes));
        Self { relative: ratio(step, moved), steps_of_rounding: bodies.fold(0.0, f64::max) }
    }
}

/// (1) and (2); gives the imbalance at the new place.
fn advance(
    balance: &Balance,
    s: &mut State,
    system: &mut SparseSystem,
    w: &mut Workspace,
    (inversion, report): (Inversion, &mut NewtonReport),
    start: Imbalance,
) -> Result<Imbalance, NewtonFault> {
    w.phase(Phase::Solve);
    let carried = system.solve(balance.model, &s.x, FORCING)?;
    w.phase(Phase::Forces);
    balance.begin(s, system);
    let slope = slope(system);
    let (mut part, mut fault) = (1.0_f64, NewtonFault::NotFinite);
    for _ in 0..MOST_TRIALS {
        balance.take(part, s, system);
        let imbalance = balance.evaluate(s, system, w);
        fault = match inversion {
            _ if !imbalance.norm.is_finite() => NewtonFault::NotFinite,
            Inversion::Refused if w.smallest_volume_ratio(balance.model, s.at()) <= 0.0 => {
                NewtonFault::Inverted
            }
            _ => {
                let here = self::slope(system);
                // energy may rise while held unknowns are carried along
                if carried || here >= -OVERSHOOT * slope || imbalance.norm <= 0.5 * start.norm {
                    return Ok(imbalance);
                }
                part *= (slope / (slope - here)).clamp(0.1, 0.5);
                report.shortened += 1;
                fault = NewtonFault::NotConverged { report: *report };
                continue;
            }
        };
        part *= 0.5;
        report.shortened += 1;
    }
    Err(fault)
}

/// r . p over the free unknowns.
fn slope(system: &SparseSystem) -> f64 {
    let entries = system.unbalanced.iter().zip(&system.step).zip(&system.held);
    entries.filter(|(_, held)| !**held).map(|((r, p), _)| r * p).sum()
}
