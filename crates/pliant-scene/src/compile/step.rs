//! The integrator, and whether a given step is stable.

use std::sync::Arc;

use pliant_solid::integrator::{
    Course, EulerSolve, Explicit, ImplicitEuler, Inputs, IntegratorKind, Ladder, Lengths, LinearSolver,
    Newmark, Statics, StepChoice, StepLimit, stable_step,
};
use pliant_solid::{Kit, Model, Scheme};

use super::estimate::time;
use super::load;
use crate::diagnostic::Problem;
use crate::spec::{self, DampingMatrix, Load, Located, Mass, Method, Scene, Step, Warning};
use crate::units::{Dimensionless, Quantity, Time, si_array};

/// Forces left over in equilibrium, as a part of the elements' forces: slender bodies turn them into far larger displacements.
const STATIC_TOLERANCE: f64 = 1e-10;

/// The scene's integrator; a fixed step is adjusted so that it divides the duration.
pub(super) fn integrator(scene: &Scene, duration: f64) -> IntegratorKind {
    let spec = &scene.integrator;
    let step = match &*spec.step {
        Step::Auto => StepChoice::Auto { safety: spec.safety.si() },
        Step::Fixed(step) => StepChoice::Fixed(even_step(duration, step.si())),
    };
    let given = |value: &Option<Located<Quantity<Dimensionless>>>| value.as_ref().map(|v| v.si());
    let statics = |course| {
        let tolerance = given(&spec.tolerance).unwrap_or(STATIC_TOLERANCE);
        IntegratorKind::Statics(Statics { course, duration, step, tolerance })
    };
    match *spec.method {
        Method::Explicit if needs_full_matrices(scene) => {
            IntegratorKind::Ladder(Ladder { step, lengths: lengths(scene) })
        }
        Method::Explicit => IntegratorKind::Explicit(Explicit { step }),
        Method::Newmark => {
            let usual = Newmark::default();
            IntegratorKind::Newmark(Newmark {
                beta: given(&spec.beta).unwrap_or(usual.beta),
                gamma: given(&spec.gamma).unwrap_or(usual.gamma),
                tolerance: given(&spec.tolerance).unwrap_or(usual.tolerance),
                step,
            })
        }
        Method::ImplicitEuler => IntegratorKind::ImplicitEuler(implicit_euler(&scene.integrator, step)),
        Method::Static => statics(Course::Resting),
        Method::Quasistatic => statics(Course::History),
    }
}

fn implicit_euler(spec: &spec::Integrator, step: StepChoice) -> ImplicitEuler {
    let usual = ImplicitEuler { step, ..ImplicitEuler::default() };
    let tolerance = |usual: f64| spec.tolerance.as_ref().map_or(usual, |t| t.si());
    let solve = match spec.solve.as_deref().copied().unwrap_or_default() {
        spec::Solve::Once => EulerSolve::Linearised { tolerance: tolerance(1e-5) },
        spec::Solve::Newton => EulerSolve::Newton { tolerance: tolerance(1e-6) },
    };
    let solver = match spec.solver.as_deref().copied().unwrap_or_default() {
        spec::Solver::Auto => usual.solver,
        spec::Solver::Direct => Some(LinearSolver::Direct),
        spec::Solver::Gradients => Some(LinearSolver::Gradients),
    };
    let keep_momenta = spec.keep_momenta.as_deref().copied().unwrap_or(usual.keep_momenta);
    ImplicitEuler { solve, solver, keep_momenta, ..usual }
}

fn lengths(scene: &Scene) -> Lengths {
    match *scene.integrator.lengths {
        spec::Lengths::Halved => Lengths::Halved,
        spec::Lengths::Any => Lengths::Any,
    }
}

/// Loads and motions that are on their way, or gone, at the end: a resting shape does not see what was before.
fn unfinished(scene: &Scene, end: f64) -> Vec<Warning> {
    let (mut found, mut idle) = (Vec::new(), Vec::new());
    let mut look = |what: &str,
                    over: Option<f64>,
                    release: Option<&Located<Quantity<Time>>>,
                    place: std::ops::Range<usize>| {
        let message = match (over, release.map(|r| r.si())) {
            (_, Some(release)) if release <= end => {
                format!(
                    "this {what} is released at {release} s and does not act at the end, {end} s, which is what `static` looks at"
                )
            }
            (Some(over), _) if over > end => format!(
                "this {what} takes {over} s and has not come to its full value at the end, {end} s, which is what `static` looks at"
            ),
            _ => return,
        };
        found.push(Warning { message, span: place });
    };
    for body in scene.body.values() {
        for load in &body.load {
            look("load", load.over.as_ref().map(|o| o.si()), load.release.as_ref(), load.region.span());
            idle.extend(none_at(load, end));
        }
        for fix in &body.fix {
            let over = match &fix.motion {
                spec::Motion::Carry { over, .. } => Some(over.si()),
                _ => None,
            };
            look("fix", over, fix.release.as_ref(), fix.region.span());
        }
    }
    for grab in &scene.grab {
        look("grab", None, grab.release.as_ref(), grab.path.span());
    }
    found.extend(idle);
    found
}

/// A script of a load that is next to nothing at the end, although it is more at other times.
fn none_at(load: &Load, end: f64) -> Option<Warning> {
    load.script.as_ref()?;
    let script = load::script(load);
    let most = (0..=1000).map(|i| script.factor(end * f64::from(i) / 1000.0).abs()).fold(0.0, f64::max);
    (script.factor(end).abs() < 1e-6 * most).then(|| Warning {
        message: format!(
            "the script of this load is zero at the end, {end} s, which is what `static` looks at; use method = \"quasistatic\" for a shape at every time"
        ),
        span: load.region.span(),
    })
}

/// Whether explicit steps have to solve with mass and damping.
fn needs_full_matrices(scene: &Scene) -> bool {
    let consistent = scene.body.values().any(|b| *b.mass == Mass::Consistent);
    consistent || *scene.integrator.damping == DampingMatrix::Full
}

/// A factor too large for most machines.
pub(super) fn memory_warning(scene: &Scene, model: &Model, scheme: &Scheme) -> Option<Warning> {
    const LARGE: u64 = 500_000_000;
    let factors =
        scheme.kind().traits().solves_tangent() && scheme.linear_solver(model) == LinearSolver::Direct;
    let numbers = if factors { model.elimination().factor_numbers } else { 0 };
    (numbers > LARGE).then(|| Warning {
        message: format!(
            "method = \"{}\" needs about {:.0} GB for the factor of its equations; use a coarser mesh, method = \"implicit-euler\" with solver = \"gradients\", or method = \"explicit\"",
            scene.integrator.method.word(),
            8e-9 * numbers as f64
        ),
        span: scene.integrator.method.span(),
    })
}

/// What looks wrong with a method but may be meant.
pub(super) fn warnings(scene: &Scene, integrator: &IntegratorKind) -> Vec<Warning> {
    let at_method = |message| Warning { message, span: scene.integrator.method.span() };
    let mut found: Vec<Warning> = integrator.caution().map(at_method).into_iter().collect();
    let method = integrator.traits();
    if method.equilibria == Some(Course::Resting) {
        found.extend(unfinished(scene, scene.duration.si()));
    }
    if method.is_static() {
        found.extend(idle_velocities(scene).map(at_method));
    }
    found
}

/// Velocities of bodies that have no motion.
fn idle_velocities(scene: &Scene) -> impl Iterator<Item = String> {
    let method = scene.integrator.method.word();
    let moves = |body: &spec::Body| {
        si_array(&body.velocity) != [0.0; 3] || body.angular_velocity.iter().any(|w| w.si() != 0.0)
    };
    let moving = scene.body.iter().filter(move |(_, body)| moves(body));
    moving.map(move |(name, _)| {
        format!("body `{name}` has a velocity, which means nothing to method = \"{method}\"")
    })
}

/// duration / round(duration / step).
pub(super) fn even_step(duration: f64, step: f64) -> f64 {
    duration / (duration / step).round().max(1.0)
}

/// The longest stable step at the start.
pub(super) fn limit(model: &Model, scheme: &Arc<Scheme>) -> StepLimit {
    let state = model.initial_state();
    let mut mode = vec![0.0; state.x.len()];
    stable_step(model, &state, &mut Kit::new(model, Arc::clone(scheme)), &mut mode, &Inputs::default())
}

/// The step that an explicit scene prescribes, s.
pub(super) fn given(scene: &Scene, duration: f64) -> Option<f64> {
    match &*scene.integrator.step {
        Step::Fixed(step) if *scene.integrator.method == Method::Explicit => {
            Some(even_step(duration, step.si()))
        }
        _ => None,
    }
}

/// Refuses a given step above the stable one, with the number to use.
pub(super) fn check(scene: &Scene, dt: f64, limit: &StepLimit, force: bool) -> Result<(), Problem> {
    if dt <= limit.dt || force {
        return Ok(());
    }
    // rounded down to two digits, so that it can be typed
    let magnitude = 10_f64.powf(limit.dt.log10().floor() - 1.0);
    let usable = (limit.dt / magnitude).floor() * magnitude;
    let message =
        format!("the step of {} is not stable: the longest stable one is {}", time(dt), time(limit.dt));
    Err(Problem::new(scene.integrator.step.span(), message).help(format!(
        "use step = \"{}\", or step = \"auto\"; `pliant run --force` runs it all the same",
        time(usable)
    )))
}
