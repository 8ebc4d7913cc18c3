//! Contact in a step: which points meet which colliders, and how the step answers.
//!
//! `poses` places colliders and tools, `nearby` lists the vertices that may meet them, `meet` decides which do and what each wants, `constraint` answers in
//! explicit steps (points that are one free node by themselves, `coupled` the others through the list of rows), `bounce` where a collider has a
//! restitution, and `penalty` as a force in any method. What they leave is in the state's [`crate::Contacts`].

mod bounce;
mod constraint;
mod coupled;
mod levers;
mod meet;
mod nearby;
mod penalty;
mod poses;
mod springs;
mod tally;

pub(super) use bounce::bounce;
pub(super) use constraint::{Answered, respond, respond_by_rows};
pub(crate) use penalty::Penalty;
pub(crate) use poses::{SpringsAt, met, pose};
pub(crate) use tally::ContactTally;

use self::bounce::Bounced;
use self::coupled::CoupledRows;
use self::meet::Meet;
use self::nearby::Nearby;

/// More contacts than this make room when they come.
pub(crate) const EXPECTED: usize = 1 << 16;

/// Memory of contact, allocated once, never part of the result.
#[derive(Default)]
pub(crate) struct ContactKit {
    nearby: Nearby,
    /// What meets in this step, by collider and vertex.
    meets: Vec<Meet>,
    /// How many of them each free node takes part in.
    shares: Vec<u32>,
    coupled: CoupledRows,
    /// Nodes that have bounced in this step, by collider and vertex.
    bounced: Vec<Bounced>,
    /// Springs of `penalty`.
    pub penalty: Penalty,
    scratch: (Vec<bool>, Vec<f64>),
}

impl ContactKit {
    /// Forgets what it found for another state.
    pub fn forget(&mut self) {
        self.nearby.forget();
        self.penalty.forget();
    }

    /// Vectors for whoever answers; to be given back.
    pub fn take_scratch(&mut self) -> (Vec<bool>, Vec<f64>) {
        std::mem::take(&mut self.scratch)
    }

    /// See [`Self::take_scratch`].
    pub fn give_scratch(&mut self, held: Vec<bool>, values: Vec<f64>) {
        self.scratch = (held, values);
    }

    /// Makes room for so many contacts, so that steps need not.
    pub fn make_room(&mut self, (colliders, vertices): (usize, usize), nodes: usize) {
        let contacts = (colliders * vertices).min(EXPECTED);
        self.nearby.make_room(colliders, vertices);
        self.meets.reserve(contacts);
        self.shares.resize(nodes, 0);
    }
}
