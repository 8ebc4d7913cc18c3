//! A published state, encoded when a page wants it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use bytes::Bytes;
use pliant_solid::FullState;

use super::demand::Demand;
use super::surface::SceneSurface;
use crate::server::wire::frame::{self, Arrow, Ball, Frame, Mark, Pose, Stats};
use crate::server::wire::{Field, Wanted};

/// Topologies by their hashes.
pub(super) type Topologies = Vec<(u64, Bytes)>;

/// One published state of the simulation: the surface, and all nodes where somebody wants to see stresses.
pub struct Picture {
    pub(super) number: u32,
    pub(super) sequence: u32,
    pub(super) flags: u16,
    pub(super) time: f64,
    /// None before the first scene.
    pub(super) surface: Option<Arc<SceneSurface>>,
    /// Of this scene and some before, which a page may be asking for just now.
    pub(super) topologies: Arc<Topologies>,
    pub(super) positions: Vec<[f64; 3]>,
    pub(super) cells: Option<FullState>,
    pub(super) pins: Vec<u32>,
    pub(super) arrows: Vec<Arrow>,
    pub(super) bones: Vec<[f64; 3]>,
    pub(super) colliders: Vec<Pose>,
    pub(super) tool: Option<Ball>,
    pub(super) contacts: Vec<Mark>,
    pub(super) stats: Stats,
    pub(super) demand: Arc<Demand>,
    /// Wall time of the last encoding, ns, shared by all pictures.
    pub(super) encoding: Arc<AtomicU64>,
    /// By field, without and with marks at contacts.
    pub(super) encoded: [[OnceLock<Bytes>; 2]; 4],
}

impl Picture {
    /// A picture of nothing.
    pub(super) fn blank(demand: &Arc<Demand>, encoding: &Arc<AtomicU64>) -> Self {
        Self {
            number: 0,
            sequence: 0,
            flags: 0,
            time: 0.0,
            surface: None,
            topologies: Arc::default(),
            positions: Vec::new(),
            cells: None,
            pins: Vec::new(),
            arrows: Vec::new(),
            bones: Vec::new(),
            colliders: Vec::new(),
            tool: None,
            contacts: Vec::new(),
            stats: Stats::default(),
            demand: Arc::clone(demand),
            encoding: Arc::clone(encoding),
            encoded: Default::default(),
        }
    }

    /// Its number; 0 before the first scene, when there is nothing to send.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The topology with a hash, if it is the one shown or one of those before.
    pub fn topology(&self, hash: u64) -> Option<Bytes> {
        self.topologies.iter().find(|(known, _)| *known == hash).map(|(_, bytes)| bytes.clone())
    }

    /// The frame as a page wants it, empty before the first scene, encoded once for all pages; this may take some milliseconds.
    ///
    /// Stresses that nobody asked for before come with a later picture, which is then on its way.
    pub fn bytes(&self, wanted: impl Into<Wanted>) -> Bytes {
        let wanted = wanted.into();
        let field = wanted.field;
        self.demand.look();
        let of_cells = matches!(field, Field::VonMises | Field::EnergyDensity);
        match &self.cells {
            Some(_) if of_cells => self.demand.go_on(),
            None if of_cells => self.demand.ask_for_cells(),
            _ => {}
        }
        let slot = &self.encoded[field as usize][usize::from(wanted.contacts)];
        slot.get_or_init(|| self.encode(wanted)).clone()
    }

    fn encode(&self, Wanted { field, contacts }: Wanted) -> Bytes {
        let start = Instant::now();
        let Some(surface) = &self.surface else { return Bytes::new() };
        let values = match (field, &self.cells) {
            (Field::Displacement, _) => Some(surface.displacements(&self.positions)),
            (Field::VonMises | Field::EnergyDensity, Some(full)) => Some(surface.cell_means(full, field)),
            _ => None,
        };
        let bytes = frame::encode(&Frame {
            number: self.number,
            sequence: self.sequence,
            flags: self.flags,
            time: self.time,
            topology: surface.hash,
            positions: &self.positions,
            field: values.as_deref().map(|values| (field, values)),
            pins: &self.pins,
            arrows: &self.arrows,
            bones: &self.bones,
            colliders: &self.colliders,
            tool: self.tool,
            contacts: if contacts { &self.contacts } else { &[] },
            stats: self.stats,
        });
        self.encoding.store(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        bytes.into()
    }
}
