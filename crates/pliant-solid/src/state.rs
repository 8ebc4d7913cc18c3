//! Everything that changes: enough to save, load and continue with the same bits.

use serde::{Deserialize, Serialize};

use crate::holding::Holding;
use crate::term::At;

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
        self.travelled.clone_from(&s0.travelled);
    }

    /// As terms want it, where no node depends on others.
    pub fn at(&self) -> At<'_> {
        At { time: self.time, load: 1.0, still: false, x: &self.x, v: &self.v, history: &self.history }
    }
}

/// What moves bits between steps beside positions and velocities.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SolverMemory {
    /// Length of the last step, s; before the first, of the coming one.
    pub dt: f64,
    /// The part of the loads that acts; statics brings it to 1.
    pub load: f64,
    /// The step that is held, s.
    pub dt_limit: f64,
    /// The step number since which it is held.
    pub changed_at: u64,
    /// The shortest step that would have been allowed since then, s.
    pub calm: f64,
    /// The stability limit when it was last found, s; with lumped mass that without live hands.
    pub dt_found: f64,
    /// Sum of k w^2 / m of the live hands, 1/s^2: what they can add to squares of frequencies.
    pub hand_stiffness: f64,
    /// Sum of c w^2 / m of the live hands, 1/s.
    pub hand_damping: f64,
    /// The largest strain when it was last found.
    pub strain_found: f64,
    /// What was held and pulled from outside when it was last found, as one number.
    pub circumstances: u64,
    /// Extremes of the largest strain over the last steps.
    pub strain_high: f64,
    /// See `strain_high`.
    pub strain_low: f64,
    /// The fastest deformation when it was last looked at, 1/s.
    pub rate: f64,
    /// The largest strain that is expected before it is looked at again.
    pub strain_ahead: f64,
    /// The largest strain when it was last looked at.
    pub strain_seen: f64,
    /// The step number at which it was looked at.
    pub looked_at: u64,
    /// The step number at which it is looked at next.
    pub look_at: u64,
    /// Mode of the highest frequency, in mass-scaled coordinates; empty while the step is fixed.
    pub mode: Vec<f64>,
    /// The step number at which `mode` was found.
    pub mode_of: u64,
    /// The largest step of a ladder of steps T / 2^i, s; 0 where a step may have any length.
    pub largest: f64,
    /// T of the factors of T / 2^i, s; 0 where one serves any step.
    pub factored: f64,
    /// The shape that the constant damping matrix belongs to; empty where there is none.
    pub reference: Vec<f64>,
    /// A number that changes with `reference`.
    pub reference_key: u64,
    /// How far elements have turned and stretched since, at most.
    pub turned: f64,
    /// The fastest decay that the damping matrix causes, 1/s.
    pub decay: f64,
    /// Power that elements lose to velocities beyond what the constant damping matrix takes, W.
    pub excess: f64,
}

impl SolverMemory {
    /// Becomes equal to `other`, copying long vectors only when they are others.
    pub(crate) fn follow(&mut self, other: &Self) {
        let same = self.mode_of == other.mode_of && self.circumstances == other.circumstances;
        if !same || self.mode.len() != other.mode.len() {
            self.mode.clone_from(&other.mode);
        }
        if self.reference_key != other.reference_key || self.reference.len() != other.reference.len() {
            self.reference.clone_from(&other.reference);
        }
        let (mode, reference) = (std::mem::take(&mut self.mode), std::mem::take(&mut self.reference));
        *self = Self { mode, reference, ..*other };
    }

    /// The step of the ladder that is at most `dt`, or `dt` itself where there is no ladder.
    pub(crate) fn rung_below(&self, dt: f64) -> f64 {
        if self.largest <= 0.0 {
            return dt;
        }
        // halving is exact, so that a rung is known by its bits
        (0..64).map(|i| self.largest * 0.5_f64.powi(i)).find(|rung| *rung <= dt).unwrap_or(dt)
    }

    /// The step whose factor serves a step: the rung above it, T 2^-i for any integer i; and i, if it is not below 0.
    pub(crate) fn rung_above(&self, dt: f64) -> (f64, Option<u32>) {
        if self.factored <= 0.0 || dt <= 0.0 {
            return (dt, None);
        }
        let below = (self.factored / dt).log2();
        // a quotient that should be whole may have lost its last digits
        let exponent = (below + 1e-9).floor().clamp(-64.0, 64.0) as i32;
        (self.factored * 0.5_f64.powi(exponent), u32::try_from(exponent).ok())
    }
}

/// Path integrals since the start, J.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Accounts {
    /// Lost to damping.
    pub dissipated: f64,
    /// Done on the bodies by moving fixes, loads and grabs.
    pub work: f64,
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
