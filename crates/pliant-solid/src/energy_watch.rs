//! Whether motion holds more energy than anything can have given it.
//!
//! ```text
//! T <= T_0 + U_0 - U_min + gravity's work + work of fixes, loads, hands and colliders                                                  (1)
//! ```
//!
//! What a body stores and damping takes only lessens the right side. A step that breaks (1) by a factor of a thousand is no error of time any more: equations that are
//! not solved, or forces without an energy (`warped` near nu = 0.5), feed the motion, and go on doing so. The work of violent hands is known roughly, hence the factor
//! and the largest works so far.

use crate::integrator::{Divergence, StepError};
use crate::model::Model;
use crate::state::{Energy, State};

/// How far (1) may be broken.
const EXCESS: f64 = 1e3;

/// Watches (1) from a state on; no part of the state, which it does not change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EnergyWatch {
    /// T_0 + U_0 - U_min and what can only be rounding, J.
    start: f64,
    /// The most that work came to, J.
    work: f64,
    /// The most that gravity's did, J: what it gave is there while bodies rise again.
    fall: f64,
}

impl EnergyWatch {
    /// From a state of these energies on.
    pub fn from(model: &Model, energy: &Energy) -> Self {
        let start =
            energy.kinetic + energy.elastic.abs() + model.prestress_energy() + model.rounding_energy();
        Self { start, work: energy.work.abs(), fall: energy.gravity.abs() }
    }

    /// Refuses the step from s0 to s1 if it breaks (1).
    pub fn look(&mut self, model: &Model, [s0, s1]: [&State; 2], dt: f64) -> Result<(), StepError> {
        self.work = self.work.max(s1.accounts.work.abs() + s1.accounts.pushed.abs());
        let bodies = model.layout().bodies();
        let (mut held, mut fall, mut worst) = (0.0, 0.0, (0, 0.0));
        for (index, body) in bodies.iter().enumerate() {
            let (kinetic, fallen) =
                of_nodes(model, s1, 3 * body.nodes.start as usize..3 * body.nodes.end as usize);
            held += kinetic;
            fall += fallen;
            if kinetic > worst.1 {
                worst = (index, kinetic);
            }
        }
        self.fall = self.fall.max(f64::abs(fall));
        let given = self.start + self.work + self.fall;
        match held > EXCESS * given {
            true => Err(StepError::of(model, s0, dt, worst.0, Divergence::Energy { held, given })),
            false => Ok(()),
        }
    }
}

/// Kinetic energy of some degrees of freedom and what gravity did on them, J.
fn of_nodes(model: &Model, s: &State, dofs: std::ops::Range<usize>) -> (f64, f64) {
    let (mass, g, rest) = (model.mass(), model.gravity(), model.layout().rest());
    dofs.fold((0.0, 0.0), |(kinetic, fallen), i| {
        let m = mass[i / 3];
        (kinetic + 0.5 * m * s.v[i] * s.v[i], fallen + m * g[i % 3] * (s.x[i] - rest[i]))
    })
}
