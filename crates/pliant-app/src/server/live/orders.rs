//! What the controller wants of the stage.

use super::edited;
use super::pace::{Meter, Pace};
use super::player::Player;
use super::stage::Stage;
use super::status::{Phase, SceneCard};
use crate::server::wire::command::{Hold, Placing};
use crate::server::wire::{Command, Order};

impl Stage {
    /// Does it, between two steps.
    pub(super) fn obey(&mut self, Command { sequence, order }: Command) {
        self.sequence = sequence;
        match order {
            Order::Open { scene } => self.open(&scene),
            Order::Play => self.play(),
            Order::Pause if self.status.phase == Phase::Running => self.enter(Phase::Paused),
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
                let speed = self.speed();
                if let Some(player) = &mut self.player {
                    player.aim(target, speed);
                }
            }
            Order::Release => self.release(),
            Order::Tool(placing) => self.take_up(&placing),
            Order::Lead { target, radius } => {
                let speed = self.speed();
                if let Some(player) = &mut self.player {
                    player.lead(target, radius, speed);
                }
            }
            Order::PutAway => self.put_away(),
        }
    }

    pub(super) fn open(&mut self, id: &str) {
        let Some(offer) = self.gallery.find(id).cloned() else {
            let known = self.gallery.ids().collect::<Vec<_>>();
            let hint = pliant_scene::nearest(id, known.iter().copied())
                .map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            self.status.say(format!("there is no scene `{id}`{hint}"));
            return self.tell();
        };
        let (id, title, description) = (offer.id.clone(), offer.title.clone(), offer.description.clone());
        let file = offer.file().map(|path| path.display().to_string());
        self.status.scene = Some(SceneCard { id, title, description, file, ..SceneCard::default() });
        self.status.warnings.clear();
        (self.frozen, self.amiss) = (Vec::new(), Vec::new());
        // before it is read, so that no change is missed
        self.file = offer.file().map(edited::Watched::new);
        self.status.edited = false;
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
        self.frozen.clear();
        self.amiss.clear();
        self.meter = Meter::default();
        self.pace = Pace::from(0.0, self.status.speed);
    }

    fn reset(&mut self) {
        // a scene that failed may have been mended, and one whose file was edited is read anew
        let Some(player) = self.player.as_mut().filter(|_| !self.status.edited) else {
            let id = self.status.scene.as_ref().map(|scene| scene.id.clone());
            return id.iter().for_each(|id| self.open(id));
        };
        if let Err(trouble) = player.reset() {
            return self.fail(Phase::Failed, trouble);
        }
        self.begin();
        // bodies that stood still move again
        self.warn();
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
            Err(error) => self.give_way(&error),
        }
        self.watch_ends();
        self.look_at_matter();
    }

    fn grab(&mut self, hold: &Hold) {
        if self.status.phase == Phase::Diverged {
            return self.notice("the motion cannot go on from here: reset it (R)");
        }
        let speed = self.speed();
        let Some(player) = &mut self.player else { return };
        if let Err(why) = player.take(hold, speed) {
            self.notice(&why);
        }
    }

    fn take_up(&mut self, placing: &Placing) {
        if self.status.phase == Phase::Diverged {
            return self.notice("the motion cannot go on from here: reset it (R)");
        }
        if let Some(player) = &mut self.player {
            player.place(placing);
        }
    }

    fn put_away(&mut self) {
        let Some(player) = &mut self.player else { return };
        let pushed = player.ball.take().is_some();
        if pushed && self.status.phase == Phase::Finished {
            self.settle_now();
        }
    }

    fn release(&mut self) {
        let Some(player) = &mut self.player else { return };
        let held = player.hand.take().is_some();
        if held && self.status.phase == Phase::Finished {
            self.settle_now();
        }
    }
}
