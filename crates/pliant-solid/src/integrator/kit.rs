//! What a step works with beside the state: a workspace that evaluates terms, and what a method keeps to solve with.

use std::sync::Arc;

use pliant_numerics::Lanczos;

use super::Refusal;
use super::contact::ContactKit;
use super::failure::too_large;
use super::rungs::Rungs;
use super::scheme::Scheme;
use super::sparse_system::{LinearSolver, SparseSystem};
use crate::model::Model;
use crate::workspace::Workspace;

/// Memory of steps, allocated once, never part of the result.
pub struct Kit {
    /// Evaluates terms.
    pub(crate) workspace: Workspace,
    /// What the method keeps.
    pub(crate) solvers: Solvers,
    /// What meets what.
    pub(crate) contact: ContactKit,
    /// The method.
    pub(crate) scheme: Arc<Scheme>,
}

impl Kit {
    /// For a model and what advances it.
    pub fn new(model: &Model, scheme: impl Into<Arc<Scheme>>) -> Self {
        Self {
            workspace: Workspace::new(model),
            solvers: Solvers::default(),
            contact: ContactKit::default(),
            scheme: scheme.into(),
        }
    }
}

/// What a method keeps from step to step to solve with, each made when it is first needed.
#[derive(Default)]
pub(crate) struct Solvers {
    system: Option<Box<SparseSystem>>,
    rungs: Option<Box<Rungs>>,
    /// Equations that belong to no step.
    aside: Option<Box<SparseSystem>>,
    lanczos: Option<Lanczos>,
}

impl Solvers {
    /// Makes room for linear equations, or says that there is none.
    pub fn make_system(&mut self, model: &Model, solver: LinearSolver) -> Result<(), Refusal> {
        let made = SparseSystem::new(model, solver).map_err(|e| too_large(model, &e))?;
        self.system = Some(Box::new(made));
        Ok(())
    }

    /// Equations with a factor that questions between steps may use.
    pub fn aside(&mut self, model: &Model) -> Result<&mut SparseSystem, Refusal> {
        if self.aside.is_none() {
            let made = SparseSystem::new(model, LinearSolver::Direct).map_err(|e| too_large(model, &e))?;
            self.aside = Some(Box::new(made));
        }
        Ok(self.aside.as_mut().expect("made above"))
    }

    /// Makes room for factors of mass and damping, or says that there is none.
    pub fn make_rungs(&mut self, model: &Model) -> Result<(), Refusal> {
        let made = Rungs::new(model).map_err(|e| too_large(model, &e))?;
        self.rungs = Some(Box::new(made));
        Ok(())
    }

    /// The linear equations.
    ///
    /// # Panics
    /// If there are none; methods that solve any make them at the start.
    pub fn system(&mut self) -> &mut SparseSystem {
        self.system.as_mut().expect("equations that were made at the start")
    }

    /// The factors of mass and damping.
    ///
    /// # Panics
    /// If they do not fit into memory; methods that need them ask for them at the start.
    pub fn rungs(&mut self, model: &Model) -> &mut Rungs {
        self.rungs.get_or_insert_with(|| Box::new(Rungs::new(model).expect("a factor that fits into memory")))
    }

    /// Vectors of the search for the highest frequency, so many numbers each.
    pub fn lanczos(&mut self, length: usize) -> &mut Lanczos {
        self.lanczos.get_or_insert_with(|| Lanczos::new(length))
    }
}
