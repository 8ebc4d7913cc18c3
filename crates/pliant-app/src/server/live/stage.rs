//! The loop of the simulation thread: obey, step as far as the clock wants, publish.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use pliant_solid::integrator::StepError;
use tokio::sync::watch;

use super::Request;
use super::edited;
use super::pace::{Meter, Pace};
use super::player::{Clock, Player};
use super::publisher::{Moment, Publisher};
use super::status::{Phase, Status, Trouble, Warned};
use crate::report;
use crate::server::gallery::Gallery;
use crate::server::wire::{Command, Order};

/// States are published at most this often: twice a frame of a screen, so that none waits long for the next.
const TICK: Duration = Duration::from_millis(8);

/// No picture shows more than this later than the one before at normal speed, s.
const LONGEST_LEAP: f64 = 0.1;

/// How often bodies are looked at for matter that is turned inside out.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// See the [module](self).
pub struct Stage {
    pub(super) gallery: Gallery,
    pub(super) publisher: Publisher,
    pub(super) statuses: watch::Sender<Arc<str>>,
    pub(super) status: Status,
    pub(super) player: Option<Player>,
    pub(super) pace: Pace,
    pub(super) meter: Meter,
    /// Whether anybody has looked yet: before, no time passes.
    pub(super) watched: Watched,
    /// The time that is shown, s.
    pub(super) shown: f64,
    pub(super) sequence: u32,
    /// Warnings of bodies that stand still, and of what is inside out or cannot be trusted now.
    pub(super) frozen: Vec<Warned>,
    pub(super) amiss: Vec<Warned>,
    /// When bodies were last looked at.
    pub(super) looked_at: Instant,
    /// The scene's file, if it is not of the gallery.
    pub(super) file: Option<edited::Watched>,
}

/// Whether a page has come.
#[derive(PartialEq)]
pub(super) enum Watched {
    NotYet,
    Yes,
}

impl Stage {
    /// An empty stage, and the status that it tells.
    pub fn new(gallery: Gallery, publisher: Publisher) -> (Self, watch::Receiver<Arc<str>>) {
        let status = Status::new();
        let (statuses, told) = watch::channel(status.json().into());
        let stage = Self {
            gallery,
            publisher,
            statuses,
            status,
            player: None,
            pace: Pace::from(0.0, 1.0),
            meter: Meter::default(),
            watched: Watched::NotYet,
            shown: 0.0,
            sequence: 0,
            frozen: Vec::new(),
            amiss: Vec::new(),
            looked_at: Instant::now(),
            file: None,
        };
        (stage, told)
    }

    /// Plays until the program ends.
    pub fn run(mut self, first: &str, inbox: &Receiver<Request>) {
        self.guarded(|stage| stage.open(first));
        let mut next = Instant::now();
        loop {
            let wait = if self.runs() || self.is_stirred() {
                next.saturating_duration_since(Instant::now())
            } else {
                Duration::from_secs(1)
            };
            match inbox.recv_timeout(wait) {
                Ok(request) => {
                    let mut requests: Vec<Request> =
                        std::iter::once(request).chain(inbox.try_iter()).collect();
                    drop_overtaken(&mut requests);
                    for request in requests {
                        self.guarded(|stage| stage.answer(request));
                    }
                    if !self.runs() {
                        self.guarded(Self::settle);
                        self.guarded(Self::publish);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.watch_file();
            if self.runs() && Instant::now() >= next {
                // a beat, but no hurry to make up for beats that were missed
                next = (next + TICK).max(Instant::now());
                self.guarded(|stage| {
                    stage.advance();
                    stage.publish();
                });
            } else if self.is_stirred() && Instant::now() >= next {
                // a tool goes on to where it was led
                next = (next + TICK).max(Instant::now());
                self.guarded(|stage| {
                    stage.settle();
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

    pub(super) fn runs(&self) -> bool {
        self.status.phase == Phase::Running && self.watched == Watched::Yes
    }

    /// The speed of time as it is: a hand on a body that lags behind must not be faster than the body.
    pub(super) fn speed(&self) -> f64 {
        let measured = self.meter.real_time_factor();
        if self.runs() && measured > 0.0 { measured.min(self.pace.speed) } else { self.pace.speed }
    }

    fn answer(&mut self, request: Request) {
        match request {
            Request::Looked => {
                self.watched = Watched::Yes;
                self.pace.rebase(self.shown);
            }
            Request::Cells => self.publisher.show_cells(),
            Request::Command(command) => self.obey(command),
        }
    }

    /// Whether somebody stirs what has settled.
    fn is_stirred(&self) -> bool {
        self.status.phase == Phase::Finished && self.player.as_ref().is_some_and(Player::is_stirred)
    }

    /// Statics under all loads follows a hand that moved and a tool that is led.
    fn settle(&mut self) {
        if self.is_stirred() {
            self.settle_now();
        }
    }

    pub(super) fn settle_now(&mut self) {
        let Some(player) = &mut self.player else { return };
        let stepped = player.step();
        self.look_at_matter();
        let Some(player) = &mut self.player else { return };
        if let Err(error) = stepped {
            match (&player.hand, &mut player.ball) {
                (_, Some(ball)) if ball.has_shifted() => {
                    if ball.stays() {
                        self.notice("no equilibrium is found that far: push less");
                    }
                }
                (Some(_), _) => self.notice("no equilibrium is found that far: pull less, or more slowly"),
                (None, _) => self.diverge(&error),
            }
        }
    }

    /// Steps as far as the clock wants, or as far as a tick allows.
    fn advance(&mut self) {
        let start = Instant::now();
        // a program that was stopped for a while does not hurry afterwards
        let target = self.pace.target().min(self.shown + self.pace.speed * LONGEST_LEAP);
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
        if late || target < self.pace.target() - self.pace.speed * LONGEST_LEAP {
            self.pace.rebase(self.shown);
        }
        self.meter.note(self.shown);
        if let Some(error) = failed {
            self.give_way(&error);
        }
        self.watch_ends();
        self.watch_matter();
    }

    /// Statics may fail because of the hand or the tool alone: then it goes on without.
    pub(super) fn give_way(&mut self, error: &StepError) {
        let statics = self.player.as_mut().filter(|player| !player.is_dynamic());
        match statics.map(|player| (player.ball.take(), player.hand.take())) {
            Some((Some(_), _)) => self.notice("no equilibrium is found with that push: the tool is put away"),
            Some((None, Some(_))) => {
                self.notice("no equilibrium is found with that pull: the hand has let go")
            }
            _ => self.diverge(error),
        }
    }

    /// Says what is inside out, which not every law resists, as long as it is.
    fn watch_matter(&mut self) {
        if self.looked_at.elapsed() >= LOOK_EVERY {
            self.look_at_matter();
        }
    }

    pub(super) fn look_at_matter(&mut self) {
        let Some(player) = &mut self.player else { return };
        self.looked_at = Instant::now();
        let now: Vec<Warned> = player.inside_out().into_iter().chain(player.doubts()).collect();
        if now != self.amiss {
            self.amiss = now;
            self.warn();
        }
    }

    /// Says when the scene's file is another one than when it was read.
    fn watch_file(&mut self) {
        if let Some(edited) = self.file.as_mut().and_then(edited::Watched::look)
            && edited != self.status.edited
        {
            self.status.edited = edited;
            self.tell();
        }
    }

    /// Tells all warnings that hold now: of the scene, of bodies that stand still, of matter that is inside out, of motion that cannot be trusted.
    pub(super) fn warn(&mut self) {
        let of_scene = self.player.as_ref().map_or(&[][..], |player| &player.warnings);
        self.status.warnings = of_scene.iter().chain(&self.frozen).chain(&self.amiss).cloned().collect();
        self.tell();
    }

    /// Says when statics is done and when a body is frozen.
    pub(super) fn watch_ends(&mut self) {
        let Some(player) = &self.player else { return };
        if player.is_settled() && matches!(self.status.phase, Phase::Running | Phase::Paused) {
            self.enter(Phase::Finished);
        }
        let Some(player) = &self.player else { return };
        let frozen = player.world().frozen_because();
        if frozen.len() != self.frozen.len() {
            let stands = |error: &StepError| {
                let (Trouble { what, help, .. }, name) =
                    (Trouble::of_step(error, player.world()), &error.body_name);
                let text = format!("body `{name}` stands still from here on: {what}; help: {help}");
                Warned { id: format!("stands still: {name}"), text }
            };
            self.frozen = frozen.iter().map(stands).collect();
            self.warn();
        }
    }

    pub(super) fn diverge(&mut self, error: &StepError) {
        let Some(player) = &mut self.player else { return };
        (player.hand, player.ball) = (None, None);
        let trouble = Trouble::of_step(error, player.world());
        self.shown = player.world().state().time;
        self.fail(Phase::Diverged, trouble);
    }

    pub(super) fn fail(&mut self, phase: Phase, trouble: Trouble) {
        // also for whoever looks at the terminal
        report::error(&trouble.text());
        self.status.phase = phase;
        self.status.failure = Some(trouble);
        self.tell();
    }

    pub(super) fn enter(&mut self, phase: Phase) {
        self.status.phase = phase;
        self.status.failure = None;
        self.tell();
    }

    pub(super) fn notice(&mut self, text: &str) {
        self.status.say(text);
        self.tell();
    }

    pub(super) fn tell(&self) {
        self.statuses.send_replace(self.status.json().into());
    }

    pub(super) fn publish(&mut self) {
        let Some(player) = &self.player else { return };
        let moment = Moment {
            sequence: self.sequence,
            clock: if self.status.phase == Phase::Running { Clock::Runs } else { Clock::Stands },
            time: self.shown,
            wanted: self.pace.speed,
            measured: self.meter.real_time_factor(),
            step_ms: self.meter.step_ms(),
        };
        self.publisher.publish(player, &moment);
    }
}

/// What is asked of a scene that another one follows at once is not done.
fn drop_overtaken(requests: &mut Vec<Request>) {
    let opens =
        |request: &Request| matches!(request, Request::Command(Command { order: Order::Open { .. }, .. }));
    let of_pages = |request: &Request| !matches!(request, Request::Command(_));
    if let Some(last) = requests.iter().rposition(opens) {
        let mut place = 0..;
        requests.retain(|request| place.next() >= Some(last) || of_pages(request));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_of_scenes_that_another_follows_is_not_done() {
        let command = |sequence, order| Request::Command(Command { sequence, order });
        let open = |sequence| command(sequence, Order::Open { scene: "jelly".into() });
        let mut requests = vec![
            open(1),
            command(2, Order::Step),
            Request::Cells,
            open(3),
            command(4, Order::Speed(2.0)),
            command(5, Order::Pause),
        ];
        drop_overtaken(&mut requests);
        let sequences: Vec<u32> =
            requests.iter().map(|r| if let Request::Command(c) = r { c.sequence } else { 0 }).collect();
        assert_eq!(sequences, [0, 3, 4, 5]);
        let mut moves = vec![command(1, Order::Step), command(2, Order::Step)];
        drop_overtaken(&mut moves);
        assert_eq!(moves.len(), 2, "without another scene everything is done");
    }
}
