//! By how much a point gives way to a force: in the coming step, and in the long run.
//!
//! ```text
//! C = J A^-1 J^T,   J the rows of the point,   A what a force meets in the step                           (1)
//! implicit:  A = K + (M + gamma dt D) / (beta dt^2)      explicit:  A = M / dt^2 + D / (2 dt)              (2)
//! static:    A = K                                                                                        (3)
//! ```
//!
//! A is taken at the shape that the body has now, with live hands beside it. In the long run a hand feels (3), in a single step (2), which is far stiffer the
//! shorter the step. An explicit force moves nodes a step later than an implicit one: (2) is then what x_{n+2} differs by. Warped laws have no symmetric K, and are answered by its symmetric
//! part.

use pliant_geometry::MaterialPoint;
use pliant_numerics::Mat3;

use super::balance::{Balance, Recurrence};
use super::held::for_each_held;
use super::needs::needs_doubles;
use super::sparse_system::Weights;
use super::{Inputs, Kit, Refusal};
use crate::matter::MassKind;
use crate::model::Model;
use crate::rows::{LumpedRows, RowGroup, Rows};
use crate::state::State;
use crate::term::Coeffs;

/// A part of the right side that a solution may leave before it counts as none: steel on foam leaves 4e-6 by rounding, a body that nothing holds about 1.
const LEFT: f64 = 1e-4;

/// How a point gives way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compliance {
    /// Motion of the point, m, by a force of 1 N along each axis, column by column.
    pub matrix: Mat3<f64>,
    /// Length of the step that it is for, s; infinite for the static one.
    pub dt: f64,
}

/// (2), with what a method says of its step.
pub(crate) fn of_step(
    model: &Model,
    state: &State,
    kit: &mut Kit,
    point: (&MaterialPoint, &Inputs),
) -> Result<Compliance, Refusal> {
    let (scheme, dt) = (std::sync::Arc::clone(&kit.scheme), state.solver.dt_limit);
    let weights = scheme.get().resistance(dt);
    let lumped = model.matter().iter().all(|matter| matter.mass_kind() == MassKind::Lumped);
    let by_mass = weights.terms == Coeffs { k: 0.0, d: 0.0 } && lumped && model.layout().bones().is_empty();
    let matrix = match by_mass {
        true => over_lumped_mass(model, state, weights, point),
        false => by_factor(model, state, kit, weights, point)?,
    };
    sound(Compliance { matrix, dt })
}

/// (3).
pub(crate) fn in_the_long_run(
    model: &Model,
    state: &State,
    kit: &mut Kit,
    point: (&MaterialPoint, &Inputs),
) -> Result<Compliance, Refusal> {
    if kit.scheme.kind().seen(state, state.at()).load < 1.0 {
        return Err(Refusal {
            what: "loads and hands act in part only until the equilibrium is found".into(),
            way_out: "take its steps first".into(),
        });
    }
    let matrix = by_factor(model, state, kit, Weights::STATIC, point)?;
    sound(Compliance { matrix, dt: f64::INFINITY })
}

/// What is no number is no answer.
fn sound(found: Compliance) -> Result<Compliance, Refusal> {
    match found.matrix.0.as_flattened().iter().all(|c| c.is_finite()) {
        true => Ok(found),
        false => Err(unknown()),
    }
}

fn unknown() -> Refusal {
    Refusal {
        what: "how far a force moves this point is not known: nothing holds its body, or the body gives way"
            .into(),
        way_out: "hold it with a fix or a hand, or ask for the compliance of a step".into(),
    }
}

fn over_lumped_mass(
    model: &Model,
    state: &State,
    weights: Weights,
    (point, inputs): (&MaterialPoint, &Inputs),
) -> Mat3<f64> {
    let (dependents, free) = (model.layout().dependents(), model.layout().free_count());
    let mut held = std::collections::BTreeSet::new();
    for_each_held(model, &state.holding, inputs, |dof| {
        held.insert(dof);
    });
    let mut rows = Rows::default();
    rows.add(RowGroup::exact(3, [0.0; 3]), |add| {
        dependents.for_each_free(point, free, |node, weight| add(node, Mat3::diagonal(weight)));
    });
    let inverse = |dof: usize| {
        let resists = weights.mass * model.mass()[dof / 3] + weights.mass_damping * model.damping()[dof / 3];
        if held.contains(&dof) || resists <= 0.0 { 0.0 } else { 1.0 / resists }
    };
    LumpedRows::default().schur(&rows, inverse)
}

fn by_factor(
    model: &Model,
    state: &State,
    kit: &mut Kit,
    weights: Weights,
    (point, inputs): (&MaterialPoint, &Inputs),
) -> Result<Mat3<f64>, Refusal> {
    needs_doubles(model, "a compliance")?;
    let scheme = std::sync::Arc::clone(&kit.scheme);
    let Kit { workspace: w, solvers, .. } = kit;
    let system = solvers.aside(model)?;
    system.hold(model, state, inputs);
    system.hold_others(model, point);
    let seen = scheme.kind().seen(state, state.at());
    let balance = Balance {
        model,
        inputs,
        time: seen.time,
        load: seen.load,
        recurrence: (!seen.still).then_some(Recurrence { beta: 1.0, gamma: 1.0, dt: state.solver.dt_limit }),
        since: f64::INFINITY,
        definite: weights.definite,
    };
    // forces on bones resist their turning
    balance.evaluate(state, system, w);
    system.assemble(model, seen, weights, inputs, w);
    let alone = if system.factor().is_ok() { system.compliance(model, point) } else { None };
    if let Some((matrix, left)) = alone
        && left <= LEFT
    {
        return Ok(matrix);
    }
    // only hands hold it: its own matrix has no factor, or one by rounding alone
    system.assemble(model, seen, weights, inputs, w);
    let held = if system.factor_with_rows() { system.compliance(model, point) } else { None };
    held.filter(|(_, left)| *left <= LEFT).map(|(matrix, _)| matrix).ok_or_else(unknown)
}
