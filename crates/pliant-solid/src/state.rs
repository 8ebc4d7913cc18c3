//! Everything that changes: enough to save, load and continue with the same bits.

use serde::{Deserialize, Serialize};

use crate::holding::Holding;
use crate::solver_memory::SolverMemory;
use crate::term::At;
use crate::touch::Contacts;

/// The mutable half of a simulation; vectors hold three numbers per free node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Time, s.
    pub time: f64,
    /// Steps taken.
    pub step: u64,
    /// Positions, m.
    pub x: Vec<f64>,
    /// Velocities, m/s.
    pub v: Vec<f64>,
    /// Accelerations, m/s^2.
    pub a: Vec<f64>,
    /// Memory of terms with a history.
    pub history: Vec<f64>,
    /// Forces that hold the nodes of every fix, N, in the order of the model's fixes.
    pub reactions: Vec<f64>,
    /// What holds nodes from now on.
    pub holding: Holding,
    /// What touches colliders.
    pub contacts: Contacts,
    /// How far a node of each body has been from its place at rest, at most, m; noted by automatic implicit steps.
    pub travelled: Vec<f64>,
    /// What the integrator carries from step to step.
    pub solver: SolverMemory,
    /// Energy that crossed the border so far.
    pub accounts: Accounts,
}

impl State {
    /// Becomes the state of the step after `s0`, before anything has moved.
    pub(crate) fn follow(&mut self, s0: &Self) {
        self.solver.follow(&s0.solver);
        self.step = s0.step + 1;
        self.history.clone_from(&s0.history);
        self.holding.follow(&s0.holding);
        self.contacts.follow(&s0.contacts);
        self.travelled.clone_from(&s0.travelled);
    }

    /// As terms want it, where no node depends on others.
    pub fn at(&self) -> At<'_> {
        At {
            time: self.time,
            load: 1.0,
            still: false,
            x: &self.x,
            v: &self.v,
            history: &self.history,
            since: 0.0,
        }
    }
}

/// Path integrals since the start, J.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Accounts {
    /// Lost to damping.
    pub dissipated: f64,
    /// Done on the bodies by moving fixes, loads and grabs.
    pub work: f64,
    /// Given to colliders by contact, or lost there: the sum of what follows, and of what contacts hold and give back.
    pub contact: f64,
    /// Lost to friction.
    pub friction: f64,
    /// Lost to bounces.
    pub restitution: f64,
    /// Done on bodies by colliders that move, which counts against the sum.
    pub pushed: f64,
    /// The part of both that went through held nodes only: what damping took from nodes that a fix carried.
    pub passed_through: f64,
}

/// All energies at one time, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Of motion.
    pub kinetic: f64,
    /// Stored in the bodies.
    pub elastic: f64,
    /// Gained against gravity since the start.
    pub gravity: f64,
    /// Lost to damping.
    pub dissipated: f64,
    /// Work done on the bodies by fixes, loads and grabs.
    pub work: f64,
    /// Stored in or lost by contact.
    pub contact: f64,
}

impl Energy {
    /// What must stay constant: its drift is the integrator's own error.
    pub fn total(&self) -> f64 {
        self.kinetic + self.elastic + self.gravity + self.dissipated + self.contact - self.work
    }
}
