//! A model with its state: the thing that is stepped.

use std::sync::Arc;

use pliant_geometry::MaterialPoint;

use crate::energy_watch::EnergyWatch;
use crate::integrator::contact::EXPECTED;
use crate::integrator::{
    Compliance, Inputs, IntegratorKind, Kit, Refusal, Scheme, StepError, StepReport, advance,
    in_the_long_run, of_step, stalled,
};
use crate::measure::{FreeShare, FullState};
use crate::model::Model;
use crate::progress::Progress;
use crate::state::{Energy, State};
use crate::term::At;
use crate::workspace::PhaseHook;

/// What happens when a body diverges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnDivergence {
    /// The step fails.
    #[default]
    Stop,
    /// The body stands still from then on, the others go on.
    Freeze,
}

/// Model, state and scratch memory.
pub struct World {
    model: Arc<Model>,
    s0: State,
    s1: State,
    kit: Kit,
    progress: Progress,
    energy_watch: EnergyWatch,
    on_divergence: OnDivergence,
    frozen_because: Vec<StepError>,
}

impl World {
    /// At time zero, if the integrator takes the model.
    pub fn new(
        model: Arc<Model>,
        scheme: impl Into<Arc<Scheme>>,
        on_divergence: OnDivergence,
    ) -> Result<Self, Refusal> {
        let start = model.initial_state();
        Self::starting(model, scheme, start, on_divergence)
    }

    /// From places, velocities and a time of one's own, if the integrator takes the model; it finds accelerations and the first step.
    pub fn starting(
        model: Arc<Model>,
        scheme: impl Into<Arc<Scheme>>,
        mut s0: State,
        on_divergence: OnDivergence,
    ) -> Result<Self, Refusal> {
        let scheme: Arc<Scheme> = scheme.into();
        scheme.get().accepts(&model)?;
        let mut kit = Kit::new(&model, Arc::clone(&scheme));
        s0.holding.let_go(model.fixes(), scheme.get().seen(s0.time));
        scheme.get().start(&model, &mut s0, &mut kit)?;
        let mut s1 = s0.clone();
        make_room(&model, [&mut s0, &mut s1], &mut kit);
        Ok(Self {
            progress: Progress::default(),
            energy_watch: EnergyWatch::from(&model, &scheme.energy(&model, &s0)),
            model,
            s0,
            s1,
            kit,
            on_divergence,
            frozen_because: Vec::new(),
        })
    }

    /// Goes on from a saved state of the same model; one of another shape is refused.
    pub fn restore(&mut self, state: State) -> Result<(), Refusal> {
        let lengths = |s: &State| {
            let vectors = [&s.x, &s.v, &s.a, &s.history, &s.reactions, &s.travelled].map(Vec::len);
            (vectors, s.holding.lengths())
        };
        let vertices = || self.model.surface().vertices().len();
        let touches = state.contacts.touches();
        if lengths(&state) != lengths(&self.s0)
            || touches.iter().any(|touch| touch.vertex.index() >= vertices())
        {
            return Err(Refusal {
                what: "the state belongs to another model".into(),
                way_out: "start anew".into(),
            });
        }
        self.energy_watch = EnergyWatch::from(&self.model, &self.scheme().energy(&self.model, &state));
        self.s1 = state.clone();
        self.s0 = state;
        self.kit.contact.forget();
        make_room(&self.model, [&mut self.s0, &mut self.s1], &mut self.kit);
        Ok(())
    }

    /// The model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// What advances it.
    pub fn scheme(&self) -> &Arc<Scheme> {
        &self.kit.scheme
    }

    /// The integrator with its settings.
    pub fn integrator(&self) -> &IntegratorKind {
        self.kit.scheme.kind()
    }

    /// The state now.
    pub fn state(&self) -> &State {
        &self.s0
    }

    /// The state before the last step; what frames are interpolated from.
    pub fn previous(&self) -> &State {
        &self.s1
    }

    /// Why bodies were frozen, in the order it happened.
    pub fn frozen_because(&self) -> &[StepError] {
        &self.frozen_because
    }

    /// All energies now.
    pub fn energy(&self) -> Energy {
        self.scheme().energy(&self.model, &self.s0)
    }

    /// What of the energies concerns free nodes now.
    pub fn free_share(&self) -> FreeShare {
        self.scheme().free_share(&self.model, &self.s0)
    }

    /// The smallest volume ratio of elements whose law feels it, now: zero or below where one is inside out.
    pub fn smallest_volume_ratio(&mut self) -> f64 {
        let Self { model, s0, kit, .. } = self;
        kit.workspace.smallest_volume_ratio(model, s0.at())
    }

    /// The state at a time between the last two, to be shown. The cubic path of nodes may turn elements inside out that are sound at both
    /// ends: then nodes go straight, and where even that does so they stand where the nearer end has them.
    pub fn shown_at(&mut self, time: f64) -> FullState {
        let Self { model, s0: after, s1: before, kit, .. } = self;
        let cubic = model.full_state_between(before, after, time);
        let free = after.x.len();
        let mut turned =
            |x: &[f64]| kit.workspace.smallest_volume_ratio(model, At { x: &x[..free], ..after.at() }) <= 0.0;
        let between = before.time < time && time < after.time;
        if !between || !turned(&cubic.x) || turned(&before.x) || turned(&after.x) {
            return cubic;
        }
        let straight = model.full_state_straight_between(before, after, time);
        if !turned(&straight.x) {
            return straight;
        }
        let nearer = if time - before.time < after.time - time { &*before } else { &*after };
        FullState { time, ..model.full_state(nearer) }
    }

    /// How a point gives way in the coming step to a force that acts in it: J A^-1 J^T at the shape of now.
    #[doc(alias = "effective mass")]
    pub fn compliance_at(&mut self, point: &MaterialPoint, inputs: &Inputs) -> Result<Compliance, Refusal> {
        of_step(&self.model, &self.s0, &mut self.kit, (point, inputs))
    }

    /// How a point gives way in the long run: J K^-1 J^T at the shape of now, what a hand feels over many steps. Refused where nothing holds the body.
    #[doc(alias = "contact stiffness")]
    pub fn static_compliance_at(
        &mut self,
        point: &MaterialPoint,
        inputs: &Inputs,
    ) -> Result<Compliance, Refusal> {
        in_the_long_run(&self.model, &self.s0, &mut self.kit, (point, inputs))
    }

    /// Asks to be told of the phases of a step.
    pub fn set_phase_hook(&mut self, hook: Option<PhaseHook>) {
        self.kit.workspace.set_phase_hook(hook);
    }

    /// One step. On error the state is the old one, to the bit.
    pub fn step(&mut self, inputs: &Inputs) -> Result<StepReport, StepError> {
        let (model, scheme) = (Arc::clone(&self.model), Arc::clone(self.scheme()));
        loop {
            let stepped = advance(scheme.get(), &model, &self.s0, &mut self.s1, &mut self.kit, inputs);
            match stepped.and_then(|report| self.lead_on(report, inputs)) {
                Ok(report) => {
                    std::mem::swap(&mut self.s0, &mut self.s1);
                    return Ok(report);
                }
                Err(error)
                    if self.on_divergence == OnDivergence::Freeze
                        && !self.s0.holding.is_frozen(error.body) =>
                {
                    self.freeze(error);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Refuses a step that feeds on itself, or of a run that comes to no end.
    fn lead_on(&mut self, report: StepReport, inputs: &Inputs) -> Result<StepReport, StepError> {
        if report.load.is_some() {
            return Ok(report); // equilibria have no motion, and end by themselves
        }
        let ends = [&self.s0, &self.s1];
        // explicit steps that do leap soon, and are too short for a look at every node
        if report.solved || report.newton.is_some() {
            self.energy_watch.look(&self.model, ends, report.dt)?;
        }
        let left = inputs.end.map(|end| end - self.s0.time).filter(|left| *left > 0.0);
        let untold = self.integrator().traits().is_automatic() && (report.solved || report.newton.is_some());
        let stuck = match untold {
            true => self.progress.note_untold(report.dt, left),
            false => self.progress.note(report.dt, left),
        };
        match stuck {
            None => Ok(report),
            Some(steps) => {
                self.progress = Progress::default();
                Err(stalled(&self.model, ends, report.dt, steps))
            }
        }
    }

    /// Stops a body where it is, from the step's start on.
    fn freeze(&mut self, error: StepError) {
        let nodes = self.model.layout().bodies()[error.body].nodes.clone();
        let dofs = 3 * nodes.start as usize..3 * nodes.end as usize;
        self.s0.holding.freeze(error.body);
        // all kinetic energy: full mass shares it with bodies that are tied to this one
        let (model, all) = (&self.model, 0..self.s0.v.len());
        let method = self.kit.scheme.get();
        let before = method.kinetic(model, &self.s0, all.clone());
        self.s0.v[dofs.clone()].fill(0.0);
        self.s0.a[dofs].fill(0.0);
        self.s0.accounts.dissipated += before - method.kinetic(model, &self.s0, all);
        self.frozen_because.push(error);
    }
}

/// Room for contacts, in both states that take turns and beside them.
fn make_room(model: &Model, states: [&mut State; 2], kit: &mut Kit) {
    if model.colliders().is_empty() {
        return;
    }
    let (colliders, vertices) = (model.colliders().len(), model.surface().vertices().len());
    let most = (colliders * vertices).min(EXPECTED);
    states.into_iter().for_each(|state| state.contacts.make_room(most));
    kit.contact.make_room((colliders, vertices), model.layout().free_count());
}
