//! An integrator as one model is advanced by it, with what is found once for both.

use std::sync::{Arc, OnceLock};

use pliant_numerics::ordered;

use super::{Integrator, IntegratorKind, LinearSolver};
use crate::measure::{FreeShare, Potential};
use crate::model::Model;
use crate::state::{Energy, State};

/// Which integrator advances a model; belongs to that model alone.
#[derive(Debug)]
pub struct Scheme {
    kind: IntegratorKind,
    solver: OnceLock<LinearSolver>,
}

impl From<IntegratorKind> for Scheme {
    fn from(kind: IntegratorKind) -> Self {
        Self { kind, solver: OnceLock::new() }
    }
}

impl From<IntegratorKind> for Arc<Scheme> {
    fn from(kind: IntegratorKind) -> Self {
        Arc::new(kind.into())
    }
}

impl Scheme {
    /// The integrator with its settings.
    pub fn kind(&self) -> &IntegratorKind {
        &self.kind
    }

    /// The integrator itself.
    pub(crate) fn get(&self) -> &dyn Integrator {
        self.kind.get()
    }

    /// How linear equations of the model are solved; a trial may have to find that out, once.
    pub fn linear_solver(&self, model: &Model) -> LinearSolver {
        *self.solver.get_or_init(|| self.get().linear_solver(model))
    }

    /// All energies of a state.
    pub fn energy(&self, model: &Model, state: &State) -> Energy {
        let kinetic =
            ordered::sum(state.v.len(), |first, last| self.get().kinetic(model, state, first..last));
        let Potential { gravity, elastic } = model.potential(state);
        let accounts = state.accounts;
        let (dissipated, work) = (accounts.dissipated, accounts.work);
        Energy { kinetic, elastic, gravity, dissipated, work, contact: accounts.contact }
    }

    /// What of a state's energies concerns free nodes.
    pub fn free_share(&self, model: &Model, state: &State) -> FreeShare {
        model.free_share(state, |dof| self.get().kinetic(model, state, dof..dof + 1))
    }
}
