//! The linear equations of implicit steps and of statics: matrix, factor and the vectors of Newton's method.
//!
//! ```text
//! A = m M + d D_mass + k K + c D_terms,   rows and columns of held unknowns the identity   (1)
//! ```
//!
//! Live hands are no part of A: `hands` and `lumped_hands` add them to its solutions. Everything is allocated once, what hands need with the first
//! step that meets such hands; from then on refilling, factoring and solving allocate nothing.

use std::sync::Arc;

use pliant_numerics::{BlockCholesky, BlockMatrix, CholeskyError};

use super::Inputs;
use super::hands::Hands;
use super::held::for_each_held;
use super::lumped_hands::{Gradients, HeldMatrix};
use crate::model::Model;
use crate::state::State;
use crate::term::{At, Coeffs};
use crate::workspace::Workspace;

/// How often the diagonal is raised fourfold, from a ten-thousandth of its largest entry.
const MOST_STIFFENINGS: usize = 12;
/// Steps of the search for the weakest motion.
const INVERSE_ITERATIONS: usize = 20;

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
    hands: Hands,
    /// Whether matrix and factor hold the lumps of the hands.
    lumped: bool,
    gradients: Gradients,
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
            hands: Hands::default(),
            lumped: false,
            gradients: Gradients::default(),
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

    /// (1) at a state, and the hands there.
    pub fn assemble(&mut self, model: &Model, at: At, weights: Weights, inputs: &Inputs, w: &mut Workspace) {
        self.matrix.clear();
        match &mut self.all {
            None => w.assemble_tangent(model, at, weights.terms, &mut self.matrix),
            Some(all) => {
                all.clear();
                w.assemble_tangent(model, at, weights.terms, all);
                model.structure().fold(all, &mut self.matrix);
            }
        }
        if !self.symmetric {
            self.matrix.symmetrise();
        }
        if weights.mass != 0.0 || weights.mass_damping != 0.0 {
            model.inertia_add(weights.mass, weights.mass_damping, &mut self.matrix);
        }
        self.hands.take(model, &w.full(model, at), weights.terms, inputs.grabs);
    }

    /// Factors the matrix as it is.
    pub fn factor(&mut self) -> Result<(), CholeskyError> {
        self.lumped = false;
        self.factor.factor(&self.matrix, &self.held)
    }

    /// Factors a matrix that has no factor of its own, but may be positive definite together with the hands; says whether it is.
    pub fn factor_with_hands(&mut self) -> bool {
        if !self.hands.act() {
            return false;
        }
        self.add_lumps(1.0);
        let factored = self.factor();
        let Self { matrix, hands, held, .. } = self;
        let definite = factored.is_ok()
            && HeldMatrix { matrix, hands, held }.is_definite(&mut self.factor, &mut self.gradients);
        self.lumped = definite;
        if !definite {
            self.add_lumps(-1.0);
        }
        definite
    }

    fn add_lumps(&mut self, part: f64) {
        let Self { matrix, hands, .. } = self;
        hands.for_each_lump(|node, lump| {
            // a node in no element has no place and does not move
            if let Some(place) = matrix.pattern().find(node, node) {
                let block = &mut matrix.blocks_mut()[place];
                *block = *block + lump.scale(part);
            }
        });
    }

    /// Adds to the diagonal until the matrix has a factor; gives how much.
    pub fn stiffen(&mut self) -> Result<f64, CholeskyError> {
        let pattern = Arc::clone(self.matrix.pattern());
        let places = || (0..pattern.row_count() as u32).filter_map(|row| pattern.find(row, row));
        let largest = places().map(|p| self.matrix.blocks()[p].trace().abs()).fold(0.0, f64::max);
        let (mut added, mut wanted) = (0.0, 1e-4 * largest);
        let mut failed = CholeskyError::TooLarge;
        for _ in 0..MOST_STIFFENINGS {
            for place in places() {
                let block = &mut self.matrix.blocks_mut()[place];
                *block = block.add_diagonal(wanted - added);
            }
            added = wanted;
            wanted *= 4.0;
            match self.factor() {
                Ok(()) => return Ok(added),
                Err(error) => failed = error,
            }
        }
        Err(failed)
    }

    /// The unknown that moves most where the matrix resists least: inverse iteration with a stiffened one.
    pub fn weakest(&mut self) -> Option<usize> {
        self.stiffen().ok()?;
        let mut mode = std::mem::take(&mut self.product);
        mode.iter_mut().enumerate().for_each(|(i, m)| *m = 1.0 + (i % 7) as f64);
        for _ in 0..INVERSE_ITERATIONS {
            self.solve_for(&mut mode);
            let largest = mode.iter().fold(0.0_f64, |most, m| most.max(m.abs()));
            mode.iter_mut().for_each(|m| *m /= largest);
        }
        let weakest = (0..mode.len()).max_by(|a, b| mode[*a].abs().total_cmp(&mode[*b].abs()));
        self.product = mode;
        weakest
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
            let Self { matrix, hands, held, step, product, .. } = self;
            if self.lumped {
                HeldMatrix { matrix, hands, held }.multiply_into(step, product);
            } else {
                matrix.multiply_into(step, product);
                hands.multiply_add(step, product);
            }
        }
        for (i, step) in self.step.iter_mut().enumerate() {
            if !self.held[i] {
                *step = self.unbalanced[i] - if moves { self.product[i] } else { 0.0 };
            }
        }
        let Self { matrix, hands, held, factor, step, .. } = self;
        if self.lumped {
            HeldMatrix { matrix, hands, held }.solve(factor, &mut self.gradients, step);
        } else {
            factor.solve_in_place(step);
            hands.correct(factor, held, step);
        }
        moves
    }

    /// Solves for a given right side over the free unknowns, as if there were no hands; held ones become zero.
    pub fn solve_for(&mut self, right: &mut [f64]) {
        right.iter_mut().zip(&self.held).filter(|(_, held)| **held).for_each(|(r, _)| *r = 0.0);
        self.factor.solve_in_place(right);
    }
}
