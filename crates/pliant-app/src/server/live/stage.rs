//! The loop of the simulation thread: obey, step as far as the clock wants, publish.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use pliant_solid::integrator::StepError;
use tokio::sync::watch;

use super::Request;
use super::demand::{Demand, Wish};
use super::hand::norm;
use super::pace::{Meter, Pace};
use super::picture::Picture;
use super::player::Player;
use super::status::{Phase, SceneCard, Status, Trouble};
use crate::server::gallery::Gallery;
use crate::server::wire::command::Hold;
use crate::server::wire::frame::{HOLDS, RUNS, Stats};
use crate::server::wire::{Command, Order};

/// States are published at most this often: twice a frame of a screen, so that none waits long for the next.
const TICK: Duration = Duration::from_millis(8);

/// See the [module](self).
pub struct Stage {
    gallery: Gallery,
    pictures: watch::Sender<Arc<Picture>>,
    statuses: watch::Sender<Arc<str>>,
    status: Status,
    player: Option<Player>,
    pace: Pace,
    meter: Meter,
    /// The time that is shown, s.
    shown: f64,
    sequence: u32,
    number: u32,
    demand: Arc<Demand>,
    wish: Wish,
    encoding: Arc<AtomicU64>,
    frozen: usize,
}

impl Stage {
    /// An empty stage and what it publishes.
    #[allow(clippy::type_complexity)]
    pub fn new(
        gallery: Gallery,
        requests: Sender<Request>,
    ) -> (Self, watch::Receiver<Arc<Picture>>, watch::Receiver<Arc<str>>) {
        let (demand, encoding) = (Arc::new(Demand::new(requests)), Arc::default());
        let status = Status::new();
        let (pictures, seen) = watch::channel(Arc::new(blank(&demand, &encoding)));
        let (statuses, told) = watch::channel(status.json().into());
        let stage = Self {
            gallery,
            pictures,
            statuses,
            status,
            player: None,
            pace: Pace::from(0.0, 1.0),
            meter: Meter::default(),
            shown: 0.0,
            sequence: 0,
            number: 0,
            demand,
            wish: Wish::default(),
            encoding,
            frozen: 0,
        };
        (stage, seen, told)
    }

    /// Plays until the program ends.
    pub fn run(mut self, first: &str, inbox: &Receiver<Request>) {
        self.guarded(|stage| stage.open(first));
        let mut next = Instant::now();
        loop {
            let wait = if self.runs() {
                next.saturating_duration_since(Instant::now())
            } else {
                Duration::from_secs(1)
            };
            match inbox.recv_timeout(wait) {
                Ok(request) => {
                    self.guarded(|stage| stage.answer(request));
                    while let Ok(request) = inbox.try_recv() {
                        self.guarded(|stage| stage.answer(request));
                    }
                    self.guarded(Self::settle);
                    if !self.runs() {
                        self.guarded(Self::publish);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if self.runs() && Instant::now() >= next {
                // a beat, but no hurry to make up for beats that were missed
                next = (next + TICK).max(Instant::now());
                self.guarded(|stage| {
                    stage.advance();
                    stage.publish();
                });
            }
        }
    }

    /// A fault of ours must not end the program while somebody works with it.
    fn guarded(&mut self, work: impl FnOnce(&mut Self)) {
        if catch_unwind(AssertUnwindSafe(|| work(self))).is_err() {
            self.player = None;
            let what = "the simulation failed by an error of the program itself".into();
            let help = "please report it with the scene file; open the scene again to go on".into();
            self.fail(Phase::Failed, Trouble { what, help, ..Trouble::default() });
        }
    }

    fn runs(&self) -> bool {
        self.status.phase == Phase::Running
    }

    fn answer(&mut self, request: Request) {
        match request {
            Request::Cells => self.wish.renew(),
            Request::Command(command) => self.obey(command),
        }
    }

    fn obey(&mut self, Command { sequence, order }: Command) {
        self.sequence = sequence;
        match order {
            Order::Open { scene } => self.open(&scene),
            Order::Play => self.play(),
            Order::Pause if self.runs() => self.enter(Phase::Paused),
            Order::Pause => {}
            Order::Step => self.step_once(),
            Order::Reset => self.reset(),
            Order::Speed(speed) => {
                self.pace = Pace::from(self.shown, speed);
                self.status.speed = speed;
                self.tell();
            }
            Order::Grab(hold) => self.grab(&hold),
            Order::Move(target) => {
                if let Some(player) = &mut self.player {
                    player.aim(target, self.pace.speed);
                }
            }
            Order::Release => self.release(),
        }
    }

    fn open(&mut self, id: &str) {
        let Some(offer) = self.gallery.find(id).cloned() else {
            let known = self.gallery.ids().collect::<Vec<_>>();
            let hint = pliant_scene::nearest(id, known.iter().copied())
                .map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            self.status.say(format!("there is no scene `{id}`{hint}"));
            return self.tell();
        };
        let (id, title, description) = (offer.id.clone(), offer.title.clone(), offer.description.clone());
        self.status.scene = Some(SceneCard { id, title, description, ..SceneCard::default() });
        self.status.warnings.clear();
        self.enter(Phase::Loading);
        self.player = None;
        match Player::open(&offer) {
            Err(trouble) => self.fail(Phase::Failed, trouble),
            Ok(player) => {
                self.status.scene = Some(player.card.clone());
                self.status.warnings = player.warnings.clone();
                self.status.speed = player.fitting_speed();
                self.player = Some(player);
                self.begin();
                // the topology must be there before a page hears of it
                self.publish();
                self.enter(Phase::Running);
            }
        }
    }

    /// Clocks and counters at the start of a scene.
    fn begin(&mut self) {
        self.shown = 0.0;
        self.frozen = 0;
        self.meter = Meter::default();
        self.pace = Pace::from(0.0, self.status.speed);
    }

    fn reset(&mut self) {
        let Some(player) = &mut self.player else {
            // a scene that failed may have been mended
            let id = self.status.scene.as_ref().map(|scene| scene.id.clone());
            return id.iter().for_each(|id| self.open(id));
        };
        if let Err(trouble) = player.reset() {
            return self.fail(Phase::Failed, trouble);
        }
        self.begin();
        let phase = match self.status.phase {
            Phase::Running | Phase::Finished => Phase::Running,
            _ => Phase::Paused,
        };
        self.enter(phase);
    }

    fn play(&mut self) {
        match self.status.phase {
            Phase::Paused => {
                self.pace.rebase(self.shown);
                self.meter = Meter::default();
                self.enter(Phase::Running);
            }
            Phase::Diverged => self.notice("the motion cannot go on from here: reset it (R)"),
            Phase::Finished => self.notice("the equilibrium is reached: pull the body, or reset it (R)"),
            _ => {}
        }
    }

    fn step_once(&mut self) {
        if self.status.phase == Phase::Running {
            self.enter(Phase::Paused);
        }
        if self.status.phase != Phase::Paused {
            return;
        }
        let Some(player) = &mut self.player else { return };
        match player.step() {
            Ok(_) => self.shown = player.world().state().time,
            Err(error) => self.diverge(&error),
        }
        self.watch_ends();
    }

    fn grab(&mut self, hold: &Hold) {
        let Some(player) = &mut self.player else { return };
        if let Err(why) = player.take(hold, self.pace.speed) {
            self.notice(&why);
        }
    }

    fn release(&mut self) {
        let Some(player) = &mut self.player else { return };
        let held = player.hand.take().is_some();
        if held && self.status.phase == Phase::Finished {
            self.settle_now();
        }
    }

    /// Statics under all loads follows a hand that moved.
    fn settle(&mut self) {
        let moved = |player: &Player| player.hand.as_ref().is_some_and(|hand| hand.moved);
        if self.status.phase == Phase::Finished && self.player.as_ref().is_some_and(moved) {
            self.settle_now();
        }
    }

    fn settle_now(&mut self) {
        let Some(player) = &mut self.player else { return };
        if let Err(error) = player.step() {
            match player.hand {
                Some(_) => self.notice("no equilibrium is found that far: pull less, or more slowly"),
                None => self.diverge(&error),
            }
        }
    }

    /// Steps as far as the clock wants, or as far as a tick allows.
    fn advance(&mut self) {
        let (start, target) = (Instant::now(), self.pace.target());
        let Some(player) = &mut self.player else { return };
        let (mut steps, mut failed, mut late) = (0, None, false);
        while player.world().state().time < target && !player.is_settled() {
            if let Err(error) = player.step() {
                failed = Some(error);
                break;
            }
            steps += 1;
            if start.elapsed() > TICK {
                late = player.world().state().time < target;
                break;
            }
        }
        let time = player.world().state().time;
        self.meter.add(steps, start.elapsed());
        self.shown = if player.is_dynamic() { time.min(target) } else { time };
        if late {
            self.pace.rebase(time);
        }
        self.meter.note(self.shown);
        if let Some(error) = failed {
            self.diverge(&error);
        }
        self.watch_ends();
    }

    /// Says when statics is done and when a body is frozen.
    fn watch_ends(&mut self) {
        let Some(player) = &self.player else { return };
        if player.is_settled() && matches!(self.status.phase, Phase::Running | Phase::Paused) {
            self.enter(Phase::Finished);
        }
        let Some(player) = &self.player else { return };
        let frozen = player.world().frozen_because();
        if frozen.len() > self.frozen {
            let text = frozen[self.frozen..].iter().map(|e| format!("{e}; it stands still from here on"));
            let text = text.collect::<Vec<_>>().join("\n");
            self.frozen = frozen.len();
            self.notice(&text);
        }
    }

    fn diverge(&mut self, error: &StepError) {
        let Some(player) = &mut self.player else { return };
        player.hand = None;
        let trouble = Trouble::of_step(error, player.model());
        self.shown = player.world().state().time;
        self.fail(Phase::Diverged, trouble);
    }

    fn fail(&mut self, phase: Phase, trouble: Trouble) {
        self.enter(phase);
        self.status.failure = Some(trouble);
        self.tell();
    }

    fn enter(&mut self, phase: Phase) {
        self.status.phase = phase;
        self.status.failure = None;
        self.tell();
    }

    fn notice(&mut self, text: &str) {
        self.status.say(text);
        self.tell();
    }

    fn tell(&self) {
        self.statuses.send_replace(self.status.json().into());
    }

    fn publish(&mut self) {
        let Some(player) = &self.player else { return };
        self.number = self.number.wrapping_add(1).max(1);
        let arrows = player.arrows();
        let users = arrows.iter().find(|arrow| arrow.kind == 1);
        let state = player.world().state();
        let stats = Stats {
            wanted: self.pace.speed,
            measured: if self.runs() { self.meter.real_time_factor() } else { 0.0 },
            dt: if state.step > 0 { state.solver.dt } else { 0.0 },
            step_ms: self.meter.step_ms(),
            steps: state.step as f64,
            force: users.map_or(0.0, |arrow| norm(arrow.force)),
            largest_force: player.hand.as_ref().map_or(0.0, |hand| hand.grab().max_force),
            encode_ms: 1e-6 * self.encoding.load(Ordering::Relaxed) as f64,
        };
        let flags = if self.runs() { RUNS } else { 0 } | if player.hand.is_some() { HOLDS } else { 0 };
        let picture = Picture {
            number: self.number,
            sequence: self.sequence,
            flags,
            time: self.shown,
            surface: Some(Arc::clone(player.surface())),
            former: self.pictures.borrow().former_for(player.surface()),
            positions: player.positions(self.shown),
            cells: self.wish.lasts(&self.demand).then(|| player.full()),
            pins: player.surface().pins_at(self.shown),
            arrows,
            stats,
            ..blank(&self.demand, &self.encoding)
        };
        self.pictures.send_replace(Arc::new(picture));
    }
}

/// A picture of nothing.
fn blank(demand: &Arc<Demand>, encoding: &Arc<AtomicU64>) -> Picture {
    Picture {
        number: 0,
        sequence: 0,
        flags: 0,
        time: 0.0,
        surface: None,
        former: None,
        positions: Vec::new(),
        cells: None,
        pins: Vec::new(),
        arrows: Vec::new(),
        stats: Stats::default(),
        demand: Arc::clone(demand),
        encoding: Arc::clone(encoding),
        encoded: Default::default(),
    }
}
