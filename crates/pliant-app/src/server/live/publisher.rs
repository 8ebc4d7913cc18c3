//! Publishes states: the latest one is in a slot, from which pages take what they can use.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;

use pliant_geometry::vector::norm;
use tokio::sync::watch;

use super::Request;
use super::demand::{Demand, Wish};
use super::picture::{Picture, Topologies};
use super::player::{Clock, Player};
use super::surface::SceneSurface;
use crate::server::wire::frame::{HOLDS, PUSHES, RUNS, Stats};

/// Scenes that a page may still be asking for when others have taken their place.
const TOPOLOGIES: usize = 4;

/// What the stage knows of a state beside the player.
#[derive(Clone, Copy)]
pub struct Moment {
    /// The last command obeyed.
    pub sequence: u32,
    /// Whether time runs.
    pub clock: Clock,
    /// The time that is shown, s.
    pub time: f64,
    /// Wanted speed.
    pub wanted: f64,
    /// Measured speed.
    pub measured: f64,
    /// Wall time of a step, ms.
    pub step_ms: f64,
}

/// See the [module](self).
pub struct Publisher {
    pictures: watch::Sender<Arc<Picture>>,
    demand: Arc<Demand>,
    wish: Wish,
    encoding: Arc<AtomicU64>,
    topologies: Arc<Topologies>,
    number: u32,
}

impl Publisher {
    /// A slot with nothing in it, and its other end.
    pub fn new(requests: Sender<Request>) -> (Self, watch::Receiver<Arc<Picture>>) {
        let (demand, encoding) = (Arc::new(Demand::new(requests)), Arc::default());
        let (pictures, seen) = watch::channel(Arc::new(Picture::blank(&demand, &encoding)));
        let wish = Wish::default();
        (Self { pictures, demand, wish, encoding, topologies: Arc::default(), number: 0 }, seen)
    }

    /// Somebody wants stresses.
    pub fn show_cells(&mut self) {
        self.wish.renew();
    }

    /// Puts the player's state into the slot.
    pub fn publish(&mut self, player: &Player, moment: &Moment) {
        self.number = self.number.wrapping_add(1).max(1);
        self.know(player.surface());
        let runs = moment.clock == Clock::Runs;
        let arrows = player.arrows(moment.clock);
        let force =
            |kind| arrows.iter().find(|arrow| arrow.kind == kind).map_or(0.0, |arrow| norm(arrow.force));
        let (state, contacts) = (player.world().state(), player.contacts());
        let stats = Stats {
            wanted: moment.wanted,
            measured: if runs { moment.measured } else { 0.0 },
            dt: if state.step > 0 { state.solver.dt } else { 0.0 },
            step_ms: moment.step_ms,
            steps: state.step as f64,
            force: force(1),
            largest_force: player.hand.as_ref().map_or(0.0, |hand| hand.grab().max_force),
            encode_ms: 1e-6 * self.encoding.load(Ordering::Relaxed) as f64,
            contacts: contacts.len() as f64,
            deepest: player.world().deepest_penetration(),
            push: force(3),
        };
        let picture = Picture {
            number: self.number,
            sequence: moment.sequence,
            flags: if runs { RUNS } else { 0 }
                | if player.hand.is_some() { HOLDS } else { 0 }
                | if player.ball.is_some() { PUSHES } else { 0 },
            time: moment.time,
            surface: Some(Arc::clone(player.surface())),
            topologies: Arc::clone(&self.topologies),
            positions: player.positions(moment.time),
            cells: self.wish.lasts(&self.demand).then(|| player.full()),
            pins: player.surface().pins_at(moment.time),
            arrows,
            bones: player.bones(moment.time),
            colliders: player.colliders(moment.time),
            tool: player.tool(moment.time),
            contacts,
            stats,
            ..Picture::blank(&self.demand, &self.encoding)
        };
        self.pictures.send_replace(Arc::new(picture));
    }

    /// Keeps the topology, newest first.
    fn know(&mut self, surface: &SceneSurface) {
        if self.topologies.first().is_none_or(|(hash, _)| *hash != surface.hash) {
            let mut known = Topologies::clone(&self.topologies);
            known.retain(|(hash, _)| *hash != surface.hash);
            known.insert(0, (surface.hash, surface.topology.clone()));
            known.truncate(TOPOLOGIES);
            self.topologies = Arc::new(known);
        }
    }
}
