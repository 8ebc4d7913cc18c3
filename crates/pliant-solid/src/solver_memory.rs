//! What moves bits between steps beside positions and velocities, a part for each that keeps it.

use serde::{Deserialize, Serialize};

/// All of it; its own fields are the frame's.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SolverMemory {
    /// Length of the last step, s; before the first, of the coming one.
    pub dt: f64,
    /// The part of the loads that acts; statics brings it to 1.
    pub load: f64,
    /// The step that is held, s.
    pub dt_limit: f64,
    /// The watch over the stable step's.
    pub watch: WatchMemory,
    /// The ladder's.
    pub ladder: LadderMemory,
}

/// What is remembered of the stable step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WatchMemory {
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
    /// Whether contacts may push in every second step.
    pub alternates: bool,
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
}

/// What is remembered of full matrices.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LadderMemory {
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
        (self.dt, self.load, self.dt_limit) = (other.dt, other.load, other.dt_limit);
        self.watch.follow(&other.watch);
        self.ladder.follow(&other.ladder);
    }
}

impl WatchMemory {
    fn follow(&mut self, other: &Self) {
        let same = self.mode_of == other.mode_of && self.circumstances == other.circumstances;
        if !same || self.mode.len() != other.mode.len() {
            self.mode.clone_from(&other.mode);
        }
        let mode = std::mem::take(&mut self.mode);
        *self = Self { mode, ..*other };
    }
}

impl LadderMemory {
    fn follow(&mut self, other: &Self) {
        if self.reference_key != other.reference_key || self.reference.len() != other.reference.len() {
            self.reference.clone_from(&other.reference);
        }
        let reference = std::mem::take(&mut self.reference);
        *self = Self { reference, ..*other };
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
