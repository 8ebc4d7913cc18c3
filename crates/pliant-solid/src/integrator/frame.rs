//! The frame of a step, the same for every method: choose its length, hold, attempt or halve, check, accounts, commit.
//!
//! A method provides what it aims at, its attempt and what it spent; [`Rules`] says what else differs between methods, on
//! purpose. Reads s0 and writes s1, which is garbage after an error.

use super::contact::{ContactTally, Penalty, SpringsAt};
use super::failure::step_error;
use super::held::{MOST_TURN, loss_at_pins, loss_of_carried, work_of_fixes};
use super::newton_report::NewtonFault;
use super::{Inputs, Integrator, Kit, StepError, StepReport};
use crate::contact::Response;
use crate::model::Model;
use crate::state::State;
use crate::term::Exchange;
use crate::workspace::Phase;

/// Where a step leads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Goal {
    /// Its end, s.
    pub time: f64,
    /// Its length, s; in statics of load or time, whichever is more.
    pub dt: f64,
    /// The part of the loads that acts there; statics brings it up.
    pub load: f64,
    /// What it took to find the length.
    pub search: Search,
}

/// How a stable step was looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Search {
    /// Whether the limit was found anew.
    pub renewed: bool,
    /// Products with the tangent for that.
    pub products: u32,
}

/// What differs between methods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rules {
    /// How often a step that failed, or went too far, is halved.
    pub retries: u32,
    /// The shortest step that is tried, s.
    pub shortest: f64,
    /// How far a step may turn held nodes, and what halvings for that count as.
    pub turning: Turning,
    /// Where nodes that leap out of their body are looked for.
    pub leaps: Leaps,
    /// The local error above which a step is repeated, as a part of the one that is allowed.
    pub too_far: f64,
    /// Whether repeating such a step counts as a failure.
    pub far_is_failure: bool,
    /// Whether it is a step of load, in which nothing moves.
    pub of_load: bool,
}

/// How steps that turn held nodes far are shortened: positions alone do not tell a full turn from none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turning {
    /// Not at all; they are short anyway.
    Free,
    /// Halved before they are tried, without a word.
    Halved,
    /// Halved and told.
    Told,
    /// Halved, told, and counted as retries.
    Counted,
}

/// Where leaps are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaps {
    /// Nowhere.
    Ignored,
    /// In the step that was accepted, which they end.
    End,
    /// In every attempt, which they fail.
    Retry,
}

/// What an attempt gave.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Attempt {
    pub report: StepReport,
    /// What was exchanged with the outside, where only the attempt can tell.
    pub exchange: Exchange,
    /// What contact exchanged.
    pub contact: ContactTally,
}

/// Why an attempt was none.
pub(crate) enum Failed {
    /// What is wrong is looked into only where it is told.
    Fault(NewtonFault),
    /// Told already.
    Error(StepError),
}

/// What a step exchanged with the outside beside the work of fixes, J.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spent {
    pub during: Exchange,
    /// Booked after everything else.
    pub after: Exchange,
}

/// How often a step was halved, and why.
#[derive(Clone, Copy, Default)]
struct Halvings {
    turned: u32,
    failed: u32,
    far: u32,
}

impl Halvings {
    /// Those that count against [`Rules::retries`].
    fn retries(&self, rules: &Rules) -> u32 {
        let turned = if rules.turning == Turning::Counted { self.turned } else { 0 };
        self.failed + self.far + turned
    }

    /// Those that are reported.
    fn told(&self, rules: &Rules) -> u32 {
        let turned = if matches!(rules.turning, Turning::Told | Turning::Counted) { self.turned } else { 0 };
        self.failed + turned + if rules.far_is_failure { self.far } else { 0 }
    }
}

/// One step of a method.
pub(crate) fn advance(
    method: &dyn Integrator,
    model: &Model,
    s0: &State,
    s1: &mut State,
    kit: &mut Kit,
    inputs: &Inputs,
) -> Result<StepReport, StepError> {
    let rules = method.rules();
    s1.follow(s0);
    let springs = has_springs(method, model, inputs);
    if springs {
        method.penalty(kit).begin(s0, None);
    }
    let goal = method.aim(model, s0, s1, kit, inputs);
    let (mut part, mut halvings) = (1.0, Halvings::default());
    if rules.turning != Turning::Free {
        while method.turn(model, s0, &goal, part) > MOST_TURN {
            part *= 0.5;
            halvings.turned += 1;
        }
    }
    let mut taken = loop {
        let place = method.part_way(s0, &goal, part);
        (s1.time, s1.solver.dt) = (place.time, place.dt);
        s1.holding.follow(&s0.holding);
        s1.holding.let_go(model.fixes(), method.seen(place.time));
        // contacts of the coming step are found here
        let tried = method.attempt(model, s0, s1, kit, (&place, inputs));
        // a filter that shortens the way to what is free of contact goes here
        let tried = match rules.leaps {
            Leaps::Retry => tried.and_then(|taken| {
                method.inspect(model, [s0, s1], kit, inputs).map(|()| taken).map_err(Failed::Error)
            }),
            Leaps::Ignored | Leaps::End => tried,
        };
        let far = tried.is_ok() && method.error(model, s0, s1, place.dt) > rules.too_far;
        let spent = halvings.retries(&rules) >= rules.retries;
        match tried {
            Ok(taken) if !far || spent => {
                // what else is evaluated of this step leaves no trace
                kit.workspace.keep_history(s1);
                s1.solver.load = place.load;
                s1.solver.dt_limit = method.next_step(model, s0, s1, (&taken.report, part));
                break taken;
            }
            Err(failed) if spent || 0.5 * place.dt < rules.shortest => {
                return Err(told(failed, model, s0, (&place, &rules), kit));
            }
            _ if far => halvings.far += 1,
            _ => halvings.failed += 1,
        }
        part *= 0.5;
    };
    kit.workspace.phase(Phase::Accounts);
    if rules.leaps == Leaps::End {
        method.inspect(model, [s0, s1], kit, inputs)?;
    }
    let Search { renewed, products } = goal.search;
    taken.report = StepReport { dt: s1.solver.dt, renewed, products, ..taken.report };
    taken.report.halvings = halvings.told(&rules);
    let spent = method.finish(model, s0, s1, kit, (&mut taken, inputs));
    settle_accounts(model, s0, s1, inputs, (&spent, rules.of_load, method));
    if springs {
        taken.contact.add(keep_springs(method, model, s1, kit, (inputs, rules.of_load)));
    }
    s1.accounts.contact -= taken.contact.work;
    s1.accounts.friction += taken.contact.friction;
    s1.accounts.restitution += taken.contact.restitution;
    s1.accounts.pushed += taken.contact.pushed;
    kit.workspace.phase(Phase::Done);
    Ok(taken.report)
}

/// Whether springs answer contacts.
pub(super) fn has_springs(method: &dyn Integrator, model: &Model, inputs: &Inputs) -> bool {
    !Penalty::is_idle(model, inputs) && response(method, model) == Response::Penalty
}

/// How contacts are answered.
pub(super) fn response(method: &dyn Integrator, model: &Model) -> Response {
    model.contact_settings().response.unwrap_or_else(|| method.usual_response())
}

/// Keeps the contacts of an accepted step.
fn keep_springs(
    method: &dyn Integrator,
    model: &Model,
    s1: &mut State,
    kit: &mut Kit,
    (inputs, of_load): (&Inputs, bool),
) -> ContactTally {
    let (x, v) = (std::mem::take(&mut s1.x), std::mem::take(&mut s1.v));
    let part = if of_load { s1.solver.load } else { 1.0 };
    let at = SpringsAt { model, inputs, time: method.seen(s1.time), part, still: of_load, x: &x, v: &v };
    let tally = method.penalty(kit).keep(&at, s1);
    (s1.x, s1.v) = (x, v);
    tally
}

/// The error of a step that is given up.
fn told(
    failed: Failed,
    model: &Model,
    s0: &State,
    (place, rules): (&Goal, &Rules),
    kit: &mut Kit,
) -> StepError {
    match failed {
        Failed::Error(error) => error,
        Failed::Fault(fault) => {
            let load = rules.of_load.then_some(s0.solver.load);
            step_error(model, s0, (place.dt, load), &fault, kit.solvers.system())
        }
    }
}

/// Adds this step's exchange with the outside, each from its own forces.
fn settle_accounts(
    model: &Model,
    s0: &State,
    s1: &mut State,
    inputs: &Inputs,
    (spent, of_load, method): (&Spent, bool, &dyn Integrator),
) {
    let mut accounts = s0.accounts;
    accounts.dissipated += spent.during.dissipated;
    accounts.work += spent.during.work + work_of_fixes(model, s0, s1);
    if !of_load {
        accounts.passed_through += loss_of_carried(model, s0, s1);
        accounts.dissipated += loss_at_pins(model, method, s0, inputs.pins);
    }
    accounts.work += spent.after.work;
    accounts.dissipated += spent.after.dissipated;
    s1.accounts = accounts;
}
