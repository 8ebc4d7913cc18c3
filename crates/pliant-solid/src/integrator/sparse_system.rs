//! The linear equations of implicit steps and of statics: matrix, factor and the vectors of Newton's method.
//!
//! ```text
//! A = m M + d D_mass + k K + c D_terms,   rows and columns of held unknowns the identity   (1)
//! ```
//!
//! Everything is allocated once; refilling, factoring and solving allocate nothing.

use std::sync::Arc;

use pliant_numerics::{BlockCholesky, BlockMatrix, CholeskyError};

use super::Inputs;
use super::held::for_each_held;
use crate::model::Model;
use crate::state::State;
use crate::term::{At, Coeffs};
use crate::workspace::Workspace;

/// Weights of the parts of (1).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    /// Of M.
    pub mass: f64,
    /// Of the damping in proportion to mass.
    pub mass_damping: f64,
    /// Of the terms' K and D.
    pub terms: Coeffs,
}

/// See the [module](self).
pub(crate) struct SparseSystem {
    /// Over all nodes, where some depend on others.
    all: Option<BlockMatrix>,
    pub matrix: BlockMatrix,
    factor: BlockCholesky,
    symmetric: bool,
    /// Unknowns that do not move freely.
    pub held: Vec<bool>,
    /// Where held unknowns have to be, m.
    pub target: Vec<f64>,
    /// Forces left over on all unknowns, N: on held ones minus the reaction.
    pub unbalanced: Vec<f64>,
    /// Newton's step, m.
    pub step: Vec<f64>,
    /// Positions before the step, or accelerations of what moves freely.
    pub before: Vec<f64>,
    /// x and v of a step whose acceleration is zero.
    pub predicted_x: Vec<f64>,
    /// See `predicted_x`.
    pub predicted_v: Vec<f64>,
    pub product: Vec<f64>,
}

impl SparseSystem {
    /// For a model.
    pub fn new(model: &Model) -> Result<Self, CholeskyError> {
        let structure = model.structure();
        let unknowns = vec![0.0; 3 * model.layout().free_count()];
        Ok(Self {
            all: structure.folds().then(|| BlockMatrix::zero(Arc::clone(structure.all()))),
            matrix: BlockMatrix::zero(Arc::clone(structure.free())),
            factor: BlockCholesky::analyse(structure.free(), structure.order())?,
            symmetric: model.terms().iter().all(|t| t.caps().symmetric),
            held: vec![false; unknowns.len()],
            target: unknowns.clone(),
            unbalanced: unknowns.clone(),
            step: unknowns.clone(),
            before: unknowns.clone(),
            predicted_x: unknowns.clone(),
            predicted_v: unknowns.clone(),
            product: unknowns,
        })
    }

    /// Notes which unknowns are held in a step from s0; `time` is what fixes see.
    pub fn hold(&mut self, model: &Model, s0: &State, time: f64, inputs: &Inputs) {
        // a node in no element has no equation
        for (node, mass) in model.mass().iter().enumerate() {
            self.held[3 * node..3 * node + 3].fill(*mass <= 0.0);
        }
        for_each_held(model, (time, &s0.frozen), inputs, |dof| self.held[dof] = true);
        self.target.copy_from_slice(&s0.x);
    }

    /// (1) at a state.
    pub fn assemble(&mut self, model: &Model, at: At, weights: Weights, inputs: &Inputs, w: &mut Workspace) {
        self.matrix.clear();
        match &mut self.all {
            None => w.assemble_tangent(model, at, weights.terms, inputs.grabs, &mut self.matrix),
            Some(all) => {
                all.clear();
                w.assemble_tangent(model, at, weights.terms, inputs.grabs, all);
                model.structure().fold(all, &mut self.matrix);
            }
        }
        if !self.symmetric {
            self.matrix.symmetrise();
        }
        if weights.mass != 0.0 || weights.mass_damping != 0.0 {
            model.inertia_add(weights.mass, weights.mass_damping, &mut self.matrix);
        }
    }

    /// Factors the matrix as it is.
    pub fn factor(&mut self) -> Result<(), CholeskyError> {
        self.factor.factor(&self.matrix, &self.held)
    }

    /// The step that takes held unknowns to their targets and, to first order, the forces left over to zero.
    ///
    /// Gives whether held unknowns move.
    pub fn solve(&mut self, x: &[f64]) -> bool {
        let mut moves = false;
        for (i, step) in self.step.iter_mut().enumerate() {
            *step = if self.held[i] { self.target[i] - x[i] } else { 0.0 };
            moves |= *step != 0.0;
        }
        if moves {
            self.matrix.multiply_into(&self.step, &mut self.product);
        }
        for (i, step) in self.step.iter_mut().enumerate() {
            if !self.held[i] {
                *step = self.unbalanced[i] - if moves { self.product[i] } else { 0.0 };
            }
        }
        self.factor.solve_in_place(&mut self.step);
        moves
    }

    /// Solves for a given right side over the free unknowns; held ones become zero.
    pub fn solve_for(&mut self, right: &mut [f64]) {
        right.iter_mut().zip(&self.held).filter(|(_, held)| **held).for_each(|(r, _)| *r = 0.0);
        self.factor.solve_in_place(right);
    }
}
