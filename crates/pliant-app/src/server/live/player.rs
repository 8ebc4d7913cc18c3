//! A scene that is being played: its world, its surface, the user's hand and tool.

use std::sync::Arc;

use pliant_scene::spec::ViewField;
use pliant_scene::{CompileOptions, LoadedScene, SceneError, compile};
use pliant_solid::contact::Contact;
use pliant_solid::integrator::{Course, Inputs, StepError, StepReport};
use pliant_solid::law::InsideOut;
use pliant_solid::term::{At, Grab};
use pliant_solid::{ColliderId, FullState, Model, OnDivergence, World};

use super::around;
use super::ball::Ball;
use super::hand::{Hand, scripted};
use super::status::{CameraCard, SceneCard, Trouble, Warned, body_cards};
use super::surface::SceneSurface;
use crate::memory;
use crate::run::{Moment, Trust};
use crate::server::gallery::{Offer, description, title};
use crate::server::wire::command::{Hold, Placing};
use crate::server::wire::frame::{self, Arrow, Mark, Pose};

/// A headless run of this length fills some seconds on the screen.
const LONG_ENOUGH: f64 = 3.0;

/// See the [module](self).
pub struct Player {
    world: World,
    surface: Arc<SceneSurface>,
    grabs: Vec<Grab>,
    on_divergence: OnDivergence,
    trust: Trust,
    /// The user's hand.
    pub hand: Option<Hand>,
    /// The user's tool.
    pub ball: Option<Ball>,
    /// The scene in short.
    pub card: SceneCard,
    /// What looked wrong but may be meant.
    pub warnings: Vec<Warned>,
}

impl Player {
    /// Reads and compiles a scene.
    pub fn open(offer: &Offer) -> Result<Self, Trouble> {
        let loaded = offer.read().map_err(|e| Trouble::of_scene(&e))?;
        Self::make(offer, &loaded).map_err(|fault| match fault {
            Fault::Scene(error) => Trouble::of_scene(&error),
            Fault::Other(what) => Trouble { what, ..Trouble::default() },
        })
    }

    fn make(offer: &Offer, loaded: &LoadedScene) -> Result<Self, Fault> {
        let compiled =
            compile(loaded, CompileOptions { memory: memory::available(), ..CompileOptions::default() })
                .map_err(Fault::Scene)?;
        let model = &compiled.model;
        let world = compiled.world().map_err(|refusal| Fault::Other(refusal.to_string()))?;
        let surface = Arc::new(SceneSurface::of(model, &compiled.surfaces).map_err(Fault::Other)?);
        let card = SceneCard {
            id: offer.id.clone(),
            title: title(&offer.id, &loaded.scene),
            description: description(&loaded.scene),
            file: offer.file().map(|path| path.display().to_string()),
            method: compiled.integrator().traits().name,
            duration: compiled.duration,
            topology: format!("{:016x}", surface.hash),
            bodies: body_cards(model),
            field: loaded.scene.view.field.map(ViewField::name),
            camera: loaded.scene.view.camera.as_ref().map(CameraCard::of),
        };
        let lines = compiled.warnings.iter().map(|w| w.line(&loaded.source));
        let warnings = lines.map(|text| Warned { id: text.clone(), text }).collect();
        let trust = Trust::new(&world, &compiled.inside_out_allowed);
        Ok(Self {
            world,
            surface,
            grabs: compiled.grabs,
            on_divergence: compiled.on_divergence,
            trust,
            hand: None,
            ball: None,
            card,
            warnings,
        })
    }

    /// The model.
    pub fn model(&self) -> &Arc<Model> {
        self.world.model()
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The surface.
    pub fn surface(&self) -> &Arc<SceneSurface> {
        &self.surface
    }

    /// The speed that shows a short motion slowly: a power of two, at most 1.
    pub fn fitting_speed(&self) -> f64 {
        let part = self.card.duration / LONG_ENOUGH;
        match self.is_dynamic() {
            true => part.log2().floor().exp2().clamp(1.0 / 16.0, 1.0),
            false => 1.0,
        }
    }

    /// Back to the beginning.
    pub fn reset(&mut self) -> Result<(), Trouble> {
        (self.hand, self.ball) = (None, None);
        let fault = |refusal: pliant_solid::integrator::Refusal| Trouble {
            what: refusal.to_string(),
            ..Trouble::default()
        };
        self.world =
            World::new(Arc::clone(self.model()), Arc::clone(self.world.scheme()), self.on_divergence)
                .map_err(fault)?;
        self.trust = self.trust.anew(&self.world);
        Ok(())
    }

    /// Whether this is statics under loads that are all there: then only a hand can change anything.
    pub fn is_settled(&self) -> bool {
        self.rests() && self.world.state().solver.load >= 1.0
    }

    /// Whether this is statics: no time passes in it.
    fn rests(&self) -> bool {
        self.world.integrator().traits().equilibria == Some(Course::Resting)
    }

    /// Whether the hand has moved or the tool is under way, which settled statics follows.
    pub fn is_stirred(&self) -> bool {
        self.hand.as_ref().is_some_and(|hand| hand.moved)
            || self.ball.as_ref().is_some_and(Ball::is_under_way)
    }

    /// Whether states in between may be shown: those between two equilibria are none.
    pub fn is_dynamic(&self) -> bool {
        !self.world.integrator().traits().is_static()
    }

    /// One step.
    pub fn step(&mut self) -> Result<StepReport, StepError> {
        self.turn_hand();
        self.lead_ball();
        let start = self.world.state().time;
        let grabs = self.hand.as_ref().map_or(&[][..], |hand| std::slice::from_ref(hand.grab()));
        let tools = self.ball.as_ref().map_or(&[][..], |ball| std::slice::from_ref(ball.tool()));
        let report = self.world.step(&Inputs { grabs, tools, ..Inputs::default() });
        if let Some(hand) = &mut self.hand {
            hand.moved = false;
        }
        if let (Some(ball), Ok(_)) = (&mut self.ball, &report) {
            ball.went(self.world.state().time - start);
        }
        if let Ok(report) = &report {
            self.trust.note_step(&self.world, report);
        }
        report
    }

    /// Why what is shown cannot be trusted; matter that is inside out is told by itself.
    pub fn doubts(&mut self) -> Vec<Warned> {
        let energy = self.world.energy();
        self.trust.note_sample(&mut self.world, &energy);
        let words = |doubt: String| {
            // figures change, their cause does not
            let cause = doubt.split(|c: char| c.is_ascii_digit()).next().unwrap_or_default();
            Warned { id: format!("doubt: {cause}"), text: format!("do not trust what you see: {doubt}") }
        };
        self.trust.doubts_of_motion(&self.world, Moment::OnTheWay).into_iter().map(words).collect()
    }

    /// The hand follows the turns of what it holds.
    fn turn_hand(&mut self) {
        let (state, model) = (self.world.state(), self.world.model());
        let Some(hand) = &mut self.hand else { return };
        if model.layout().dependents().count() == 0 {
            hand.follow(&state.x);
        } else {
            hand.follow(&model.full_state(state).x);
        }
    }

    /// Takes hold of a point, at a speed of time.
    pub fn take(&mut self, hold: &Hold, speed: f64) -> Result<(), String> {
        self.hand = None;
        let mut hand = Hand::take(&self.surface, self.world.state(), hold)?;
        hand.aim(self.world.integrator(), (self.world.state().time, speed), hold.target);
        self.hand = Some(hand);
        self.turn_hand();
        Ok(())
    }

    /// Moves the hand.
    pub fn aim(&mut self, target: [f64; 3], speed: f64) {
        let time = self.world.state().time;
        if let Some(hand) = &mut self.hand {
            hand.aim(self.world.integrator(), (time, speed), target);
        }
        self.turn_hand();
    }

    /// The ball goes where it is wanted in a step that will be about as long as the last.
    fn lead_ball(&mut self) {
        let (rests, state) = (self.rests(), self.world.state());
        let Some(ball) = &mut self.ball else { return };
        match rests {
            true => ball.shift(),
            false => ball.lead(if state.step > 0 { state.solver.dt } else { 0.0 }),
        }
    }

    /// Takes up a tool; none that was meant for another scene, whose size and place may be quite different.
    pub fn place(&mut self, placing: &Placing) {
        if placing.topology != self.surface.hash {
            return;
        }
        let vertices = self.positions(f64::INFINITY);
        let surfaces = (&vertices[..], &self.surface.triangles[..]);
        self.ball = Some(Ball::place(placing, surfaces, self.surface.extent()));
    }

    /// Leads it at a speed of time.
    pub fn lead(&mut self, target: [f64; 3], radius: f64, speed: f64) {
        if let Some(ball) = &mut self.ball {
            ball.aim(target, radius, speed);
        }
    }

    /// The tool at a time between the last two states.
    pub fn tool(&self, time: f64) -> Option<frame::Ball> {
        let before = self.world.state().time - time;
        self.ball.as_ref().map(|ball| ball.shown(if self.is_dynamic() { before } else { 0.0 }))
    }

    /// How the tool pushes, if it does.
    fn push(&self) -> Option<Arrow> {
        let frame::Ball { place, .. } = self.tool(self.world.state().time)?;
        let on_tool = self.world.force_on(ColliderId(self.model().colliders().len() as u32));
        let force = on_tool.map(|f| -f);
        let pushes = force.iter().any(|f| *f != 0.0);
        pushes.then_some(Arrow { kind: 3, at_limit: false, point: place, force, target: place })
    }

    /// Surface vertices at a time between the last two states, m.
    pub fn positions(&self, time: f64) -> Vec<[f64; 3]> {
        let mut out = Vec::new();
        let ends = [self.world.previous(), self.world.state()];
        let time = if self.is_dynamic() { time } else { f64::INFINITY };
        self.model().layout().places_between(ends, time, &self.surface.nodes, &mut out);
        self.surface.positions(out)
    }

    /// Masters of the bones at a time between the last two states, m.
    pub fn bones(&self, time: f64) -> Vec<[f64; 3]> {
        let mut out = Vec::new();
        if !self.surface.masters.is_empty() {
            let ends = [self.world.previous(), self.world.state()];
            let time = if self.is_dynamic() { time } else { f64::INFINITY };
            self.model().layout().places_between(ends, time, &self.surface.masters, &mut out);
        }
        out
    }

    /// Where the colliders are at a time that move by a script.
    pub fn colliders(&self, time: f64) -> Vec<Pose> {
        let time = if self.is_dynamic() { time } else { self.world.state().time };
        around::poses(self.model().colliders(), time)
    }

    /// What touches now.
    pub fn contacts(&self) -> Vec<Mark> {
        let pushes = |contact: &Contact| contact.normal_force > 0.0 || contact.gap <= 0.0;
        let mark = |contact: Contact| Mark {
            collider: contact.collider.0,
            point: contact.point,
            normal: contact.normal,
            gap: contact.gap,
            force: contact.force(),
        };
        self.world.contacts().filter(pushes).map(mark).collect()
    }

    /// Bodies with elements near the surface that are turned inside out, and what to say of them.
    pub fn inside_out(&self) -> Vec<Warned> {
        let names = self.model().layout().bodies().iter().map(|body| &body.name);
        let counts = self.surface.inverted(&self.full());
        let bad = counts.into_iter().zip(names).enumerate().filter(|(_, (count, _))| *count > 0);
        let words = |(body, (count, name)): (usize, (usize, &String))| {
            let (elements, are) = if count == 1 { ("element", "is") } else { ("elements", "are") };
            let law = match self.model().matter()[body].traits().inside_out {
                InsideOut::Unseen | InsideOut::Stays => {
                    "Reset it (R) and pull less; law = \"neo-hookean\" resists that, \"corotated\" recovers"
                }
                InsideOut::Recovers => "Let go: this law recovers",
                InsideOut::Forbidden => "Reset it (R) and pull less",
            };
            let text = format!(
                "{count} {elements} of body `{name}` {are} turned inside out: this is no state of real matter any more. {law}"
            );
            Warned { id: format!("inside out: {name}"), text }
        };
        bad.map(words).collect()
    }

    /// All nodes, for stresses.
    pub fn full(&self) -> FullState {
        self.model().full_state(self.world.state())
    }

    /// The user's hand and tool, and hands of the scene that hold something now.
    pub fn arrows(&self, clock: Clock) -> Vec<Arrow> {
        let mut arrows = self.pulls(clock);
        arrows.extend(self.push());
        arrows
    }

    fn pulls(&self, clock: Clock) -> Vec<Arrow> {
        if self.hand.is_none() && self.grabs.is_empty() {
            return Vec::new();
        }
        let (state, model) = (self.world.state(), self.model());
        if model.layout().dependents().count() == 0 {
            return self.arrows_at(state.at(), clock);
        }
        self.arrows_at(model.full_state(state).at(), clock)
    }

    fn arrows_at(&self, at: At, clock: Clock) -> Vec<Arrow> {
        let at = self.world.integrator().seen(self.world.state(), at);
        // while time stands still the hand is at once where it is wanted, and nothing moves
        let users = match clock {
            Clock::Runs => at,
            Clock::Stands => At { time: f64::INFINITY, still: true, ..at },
        };
        let users = self.hand.as_ref().map(|hand| hand.arrow(&users));
        users.into_iter().chain(self.grabs.iter().filter_map(|grab| scripted(grab, &at))).collect()
    }
}

/// Whether time runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// It does.
    Runs,
    /// It does not.
    Stands,
}

enum Fault {
    Scene(SceneError),
    Other(String),
}
