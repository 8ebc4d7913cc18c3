//! Scratch memory of a step: allocated once, never part of the result.

use std::sync::Arc;

use pliant_numerics::{BlockMatrix, ordered};

use crate::law::InsideOut;
use crate::model::Model;
use crate::state::State;
use crate::term::{At, Coeffs, Deformation, Exchange, ForceTerm, Grab, Report, Scatter, Scratch};

/// The named phases of a step, told to a [`PhaseHook`] as each begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Finding the stable step, when it is due.
    Stability,
    /// Moving positions and held nodes.
    Predict,
    /// Evaluating forces.
    Forces,
    /// Assembling the matrix of an implicit step.
    Assemble,
    /// Factoring it.
    Factor,
    /// Solving with the factor.
    Solve,
    /// Accelerations and velocities.
    Advance,
    /// Accounts and checks.
    Accounts,
    /// The step is over.
    Done,
}

/// Told when a phase begins; the crate itself never reads a clock.
pub type PhaseHook = Box<dyn FnMut(Phase) + Send>;

/// What a step writes beside the new state.
pub struct Workspace {
    /// Forces on all nodes, N.
    pub(crate) force: Vec<f64>,
    /// Positions with dependents; empty where nobody asks for them.
    full_x: Vec<f64>,
    full_v: Vec<f64>,
    /// The same at the start of a step, for accounts; velocities are those that forces were evaluated with.
    from_x: Vec<f64>,
    from_v: Vec<f64>,
    lagged_v: Vec<f64>,
    scratch: Vec<Scratch>,
    /// What terms remember of the state that was evaluated last.
    history: Vec<f64>,
    grab_scratch: Scratch,
    pub(crate) chunks: Vec<ChunkResult>,
    /// Products with the tangent since it was set to zero.
    pub(crate) products: u32,
    /// 1 / sqrt(m) of every degree of freedom, zero where held.
    pub(crate) scale: Vec<f64>,
    pub(crate) direction: Vec<f64>,
    /// Norm of the largest kind of force on each body, N.
    pub(crate) body_scale: Vec<f64>,
    phase_hook: Option<PhaseHook>,
}

/// What a chunk of nodes found while it advanced.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChunkResult {
    /// Power lost to mass-proportional damping, W.
    pub dissipated_power: f64,
    /// Largest squared speed, infinite when something is not a number.
    pub peak: f64,
    /// Largest squared speed with which nodes leave for their new places.
    pub travel: f64,
}

/// Nodes a chunk of the vector loops holds.
pub const CHUNK_NODES: usize = 1024;

impl Workspace {
    /// For a model.
    pub fn new(model: &Model) -> Self {
        let (all, free) = (3 * model.layout().node_count(), 3 * model.layout().free_count());
        let full = if all > free { all } else { 0 };
        Self {
            force: vec![0.0; all],
            full_x: vec![0.0; full],
            full_v: vec![0.0; full],
            from_x: vec![0.0; full],
            from_v: vec![0.0; full],
            lagged_v: vec![0.0; free],
            scratch: model.terms().iter().map(|t| t.new_scratch()).collect(),
            history: vec![0.0; model.histories().last().map_or(0, |last| last.end)],
            grab_scratch: Box::new(()),
            chunks: vec![ChunkResult::default(); free.div_ceil(3 * CHUNK_NODES)],
            products: 0,
            scale: vec![0.0; free],
            direction: vec![0.0; free],
            body_scale: vec![0.0; model.layout().bodies().len()],
            phase_hook: None,
        }
    }

    /// Adds what elements lose to velocities at a shape, dependent nodes as nodes of their own.
    pub(crate) fn assemble_viscosity(&mut self, model: &Model, at: At, out: &mut BlockMatrix) {
        let at = with_dependents(model, at, &mut self.full_x, &mut self.full_v);
        let terms = model.terms_at(at).zip(&mut self.scratch);
        for ((term, at), scratch) in terms.filter(|((t, _), _)| is_viscous(*t)) {
            term.tangent_add(&at, Coeffs { k: 0.0, d: 1.0 }, out, scratch);
        }
    }

    /// Power that damping takes at the middle of a step with its mean velocity, W.
    pub(crate) fn power_lost_between(&mut self, model: &Model, s0: &State, s1: &State, dt: f64) -> f64 {
        let (rates, by_mass) = (model.has_rate_terms(), model.is_mass_damped());
        if !rates && !by_mass {
            return 0.0;
        }
        let mut mean = std::mem::take(&mut self.lagged_v);
        mean.iter_mut().zip(&s1.x).zip(&s0.x).for_each(|((mean, x1), x0)| *mean = (x1 - x0) / dt);
        let mut power = 0.0;
        if by_mass {
            model.damping_times(&mean, &mut self.direction);
            power += ordered::dot(&mean, &self.direction);
        }
        if rates {
            let mut middle = std::mem::take(&mut self.direction);
            middle.iter_mut().zip(&s1.x).zip(&s0.x).for_each(|((m, x1), x0)| *m = 0.5 * (x0 + x1));
            self.force.fill(0.0);
            let at = At { x: &middle, v: &mean, ..s1.at() };
            power += self.evaluate_forces(model, at, &[]).dissipated_power;
            self.direction = middle;
        }
        self.lagged_v = mean;
        power
    }

    /// Asks to be told of phases.
    pub fn set_phase_hook(&mut self, hook: Option<PhaseHook>) {
        self.phase_hook = hook;
    }

    pub(crate) fn phase(&mut self, phase: Phase) {
        if let Some(hook) = &mut self.phase_hook {
            hook(phase);
        }
    }

    /// A state with its dependent nodes filled in.
    pub(crate) fn full<'a>(&'a mut self, model: &Model, at: At<'a>) -> At<'a> {
        with_dependents(model, at, &mut self.full_x, &mut self.full_v)
    }

    /// Adds (c.k K + c.d D) of all terms of the model, dependent nodes as nodes of their own.
    pub(crate) fn assemble_tangent(
        &mut self,
        model: &Model,
        at: At,
        (c, definite): (Coeffs, bool),
        out: &mut BlockMatrix,
    ) {
        let at = with_dependents(model, at, &mut self.full_x, &mut self.full_v);
        for ((term, at), scratch) in model.terms_at(at).zip(&mut self.scratch) {
            if definite {
                term.definite_tangent_add(&at, c, out, scratch);
            } else {
                term.tangent_add(&at, c, out, scratch);
            }
        }
    }

    /// The smallest volume ratio of the elements of all bodies whose law feels it.
    pub(crate) fn smallest_volume_ratio(&mut self, model: &Model, at: At) -> f64 {
        let at = with_dependents(model, at, &mut self.full_x, &mut self.full_v);
        let feels = |t: &dyn ForceTerm| {
            t.cell_body().is_some_and(|b| model.matter()[b].traits().inside_out != InsideOut::Unseen)
        };
        let terms = model.terms_at(at).zip(&mut self.scratch).filter(|((t, _), _)| feels(*t));
        terms.map(|((t, at), scratch)| t.smallest_volume_ratio(&at, scratch)).fold(f64::INFINITY, f64::min)
    }

    /// Adds the forces of all terms and grabs to `force`, dependents handed over.
    pub(crate) fn evaluate_forces(&mut self, model: &Model, at: At, grabs: &[Grab]) -> Report {
        let at = with_dependents(model, at, &mut self.full_x, &mut self.full_v);
        let mut report = Report::default();
        let terms = model.terms_at(at).zip(&mut self.scratch).zip(model.histories());
        for (((term, at), scratch), own) in terms {
            let history = &mut self.history[own.clone()];
            report.join(term.force_add(&at, &mut Scatter { force: &mut self.force, scratch, history }));
        }
        for grab in grabs {
            let scratch = &mut self.grab_scratch;
            report.join(grab.force_add(&at, &mut Scatter::new(&mut self.force, scratch)));
        }
        model.layout().dependents().hand_over(&mut self.force);
        report
    }

    /// As [`Self::evaluate_forces`], with velocities that rate terms see changed by `calm`.
    pub(crate) fn evaluate_forces_calmed(
        &mut self,
        model: &Model,
        at: At,
        grabs: &[Grab],
        calm: impl FnOnce(&mut [f64]),
    ) -> Report {
        let mut seen = std::mem::take(&mut self.lagged_v);
        seen.copy_from_slice(at.v);
        calm(&mut seen);
        let report = self.evaluate_forces(model, At { v: &seen, ..at }, grabs);
        self.lagged_v = seen;
        report
    }

    /// As [`Self::evaluate_forces`] from zero on; leaves the norm of what the elements contribute to each body in `body_scale`, what an
    /// error of forces is judged by.
    pub(crate) fn evaluate_forces_with_scale(&mut self, model: &Model, at: At, grabs: &[Grab]) -> Report {
        self.force.fill(0.0);
        let full = with_dependents(model, at, &mut self.full_x, &mut self.full_v);
        let (mut report, mut measured) = (Report::default(), false);
        let terms = model.terms_at(full).zip(&mut self.scratch).zip(model.histories());
        for (((term, at), scratch), own) in terms {
            // elements come first
            if term.cell_body().is_none() && !measured {
                norms_of_bodies(model, &self.force, &mut self.body_scale);
                measured = true;
            }
            let history = &mut self.history[own.clone()];
            report.join(term.force_add(&at, &mut Scatter { force: &mut self.force, scratch, history }));
        }
        if !measured {
            norms_of_bodies(model, &self.force, &mut self.body_scale);
        }
        for grab in grabs {
            let scratch = &mut self.grab_scratch;
            report.join(grab.force_add(&full, &mut Scatter::new(&mut self.force, scratch)));
        }
        model.layout().dependents().hand_over(&mut self.force);
        report
    }

    /// What all terms and grabs exchanged with the outside between two states.
    ///
    /// The forces of `from` were evaluated with its v - half a, those of `to` with its v: the balance closes to
    /// second order for dampers too if just those forces are counted.
    pub(crate) fn exchange(
        &mut self,
        model: &Model,
        [from, to]: [At; 2],
        (half, a): (f64, &[f64]),
        grabs: &[Grab],
    ) -> Exchange {
        // elements keep what they take
        if grabs.is_empty() && model.terms().iter().all(|t| t.cell_body().is_some()) {
            return Exchange::default();
        }
        let damped = |t: &Arc<dyn ForceTerm>| t.caps().rate && t.cell_body().is_none();
        let from_v = if grabs.iter().any(|g| g.damping > 0.0) || model.terms().iter().any(damped) {
            let lagged = self.lagged_v.iter_mut().zip(from.v).zip(a);
            lagged.for_each(|((lagged, v), a)| *lagged = v - half * a);
            &self.lagged_v
        } else {
            from.v
        };
        let dependents = model.layout().dependents();
        let (from, to) = if dependents.count() > 0 {
            dependents.fill(from.x, &mut self.from_x);
            dependents.fill(from_v, &mut self.from_v);
            dependents.fill(to.x, &mut self.full_x);
            dependents.fill(to.v, &mut self.full_v);
            (At { x: &self.from_x, v: &self.from_v, ..from }, At { x: &self.full_x, v: &self.full_v, ..to })
        } else {
            (At { v: from_v, ..from }, to)
        };
        let terms =
            model.terms_at(from).zip(model.terms_at(to)).map(|((t, from), (_, to))| t.exchange(&from, &to));
        let mut sum = Exchange::default();
        for part in terms.chain(grabs.iter().map(|g| g.exchange(&from, &to))) {
            sum.work += part.work;
            sum.dissipated += part.dissipated;
        }
        sum
    }

    /// Keeps what terms remember of the state that was evaluated last, which is the accepted one.
    pub(crate) fn keep_history(&self, s1: &mut State) {
        s1.history.copy_from_slice(&self.history);
    }

    /// The largest deformation of any term's elements.
    pub(crate) fn deformation(&mut self, model: &Model, at: At) -> Deformation {
        let at = with_dependents(model, at, &mut self.full_x, &mut self.full_v);
        let terms = model.terms_at(at).zip(&mut self.scratch);
        let larger = |a: Deformation, b: Deformation| Deformation {
            stiffening: a.stiffening.max(b.stiffening),
            rate: a.rate.max(b.rate),
        };
        terms.map(|((term, at), scratch)| term.deformation(&at, scratch)).fold(Deformation::default(), larger)
    }

    /// `force = (c.k K + c.d D) direction` over free nodes; `direction` is the workspace's own.
    pub(crate) fn apply_tangent(&mut self, model: &Model, at: At, c: Coeffs, grabs: &[Grab]) {
        self.apply_tangents(model, at, [c, c], grabs);
    }

    /// As [`Self::apply_tangent`], with weights of their own for elements and for all other terms.
    pub(crate) fn apply_tangents(
        &mut self,
        model: &Model,
        at: At,
        [elements, others]: [Coeffs; 2],
        grabs: &[Grab],
    ) {
        self.products += 1;
        self.force.fill(0.0);
        let dependents = model.layout().dependents();
        let (at, direction) = if dependents.count() > 0 {
            dependents.fill(at.x, &mut self.full_x);
            dependents.fill(&self.direction, &mut self.full_v);
            (At { x: &self.full_x, ..at }, self.full_v.as_slice())
        } else {
            (at, self.direction.as_slice())
        };
        for ((term, at), scratch) in model.terms_at(at).zip(&mut self.scratch) {
            let c = if term.cell_body().is_some() { elements } else { others };
            term.tangent_apply_add(&at, c, direction, &mut Scatter::new(&mut self.force, scratch));
        }
        for grab in grabs {
            let scratch = &mut self.grab_scratch;
            grab.tangent_apply_add(&at, others, direction, &mut Scatter::new(&mut self.force, scratch));
        }
        dependents.hand_over(&mut self.force);
    }
}

/// The norm of a vector of the free nodes, body by body.
pub(crate) fn norms_of_bodies(model: &Model, values: &[f64], out: &mut [f64]) {
    for (body, out) in model.layout().bodies().iter().zip(out) {
        let dofs = &values[3 * body.nodes.start as usize..3 * body.nodes.end as usize];
        *out = ordered::dot(dofs, dofs).sqrt();
    }
}

/// Whether a term is made of elements that resist velocities.
fn is_viscous(term: &dyn ForceTerm) -> bool {
    term.caps().rate && term.cell_body().is_some()
}

/// The same with the dependent nodes filled in, where there are any.
fn with_dependents<'a>(model: &Model, at: At<'a>, x: &'a mut [f64], v: &'a mut [f64]) -> At<'a> {
    let dependents = model.layout().dependents();
    if dependents.count() == 0 {
        return at;
    }
    dependents.fill(at.x, x);
    dependents.fill(at.v, v);
    At { x, v, ..at }
}
