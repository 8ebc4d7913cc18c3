//! The linear equations of implicit steps and of statics: matrix, factor and the vectors of Newton's method.
//!
//! ```text
//! A = m M + d D_mass + k K + c D_terms,   rows and columns of held unknowns the identity   (1)
//! ```
//!
//! Solved by a factor, or by conjugate gradients. The rows of live hands are no part of A: with a factor `rows` adds them to its
//! solutions, gradients add them to their products. Everything is allocated once, what rows need with the first step that meets such rows; from then on
//! refilling, factoring and solving allocate nothing.

mod by_factor;
mod by_gradients;
mod compliance;
mod factoring;

use std::sync::Arc;

use pliant_numerics::{
    BlockCholesky, BlockMatrix, CholeskyError, ConjugateGradients, GradientLimits, Mat3, Preconditioner,
};

use super::Inputs;
use super::contact::{Penalty, SpringsAt};
use super::hands::take_hands;
use super::held::for_each_held;
use super::newton_report::NewtonFault;
use crate::model::Model;
use crate::rigid::RigidRows;
use crate::rows::{Gradients, HeldMatrix, Rows, Woodbury};
use crate::state::State;
use crate::term::{At, Coeffs};
use crate::workspace::Workspace;

/// For equations that are solved outside steps.
const TIGHT: GradientLimits = GradientLimits { tolerance: 1e-12, steps: 10_000 };

/// How linear equations are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinearSolver {
    /// By a Cholesky factor.
    Direct,
    /// By conjugate gradients; as a choice that was made, with symmetric Gauss-Seidel as preconditioner.
    Gradients,
    /// By conjugate gradients with block Jacobi as preconditioner.
    Jacobi,
}

/// What solves.
enum Solver {
    Direct(Box<BlockCholesky>),
    Gradients(Box<Iterative>),
}

/// Conjugate gradients, and what helps where they come to no end.
struct Iterative {
    method: ConjugateGradients,
    /// Made when it is first needed.
    factor: Option<Box<BlockCholesky>>,
    /// Solutions that only the factor found.
    fallbacks: u32,
}

/// Weights of the parts of (1).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    /// Of M.
    pub mass: f64,
    /// Of the damping in proportion to mass.
    pub mass_damping: f64,
    /// Of the terms' K and D.
    pub terms: Coeffs,
    /// Whether their definite tangents are wanted.
    pub definite: bool,
}

impl Weights {
    /// K alone.
    pub const STATIC: Self =
        Self { mass: 0.0, mass_damping: 0.0, terms: Coeffs { k: 1.0, d: 0.0 }, definite: false };
}

/// See the [module](self).
pub(crate) struct SparseSystem {
    /// Over all nodes, where some depend on others.
    all: Option<BlockMatrix>,
    pub matrix: BlockMatrix,
    solver: Solver,
    /// Whether all terms are symmetric.
    symmetric: bool,
    /// Springs of contacts.
    pub penalty: Penalty,
    /// Live hands, and springs between bodies.
    rows: Rows,
    woodbury: Woodbury,
    /// What the rows put on the diagonal, by nodes and then in the order of the rows.
    lumps: Vec<((u32, u32), Mat3<f64>)>,
    /// Whether matrix and factor hold the lumps of the rows.
    lumped: bool,
    gradients: Gradients,
    /// Unknowns that do not move freely.
    pub held: Vec<bool>,
    /// Rows of the equations that stand for no motion: held unknowns, and what bones leave over.
    shut: Vec<bool>,
    /// Bones in the equations.
    pub rigid: RigidRows,
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
    /// The right side of the equations, and what gradients make of it.
    right: Vec<f64>,
    correction: Vec<f64>,
}

impl SparseSystem {
    /// Whether a factor solves.
    pub fn is_direct(&self) -> bool {
        matches!(self.solver, Solver::Direct(_))
    }

    /// For a model.
    pub fn new(model: &Model, solver: LinearSolver) -> Result<Self, CholeskyError> {
        let structure = model.structure();
        let solver = match solver {
            LinearSolver::Direct => Solver::Direct(Box::new(BlockCholesky::analyse(
                structure.free(),
                &model.elimination().order,
            )?)),
            LinearSolver::Gradients | LinearSolver::Jacobi => {
                let order: Vec<u32> = (0..structure.free().row_count() as u32).collect();
                let preconditioner = match solver {
                    LinearSolver::Jacobi => Preconditioner::Jacobi,
                    _ => Preconditioner::Sweeps,
                };
                let method = ConjugateGradients::analyse(structure.free(), &order, preconditioner);
                Solver::Gradients(Box::new(Iterative { method, factor: None, fallbacks: 0 }))
            }
        };
        let unknowns = vec![0.0; 3 * model.layout().free_count()];
        Ok(Self {
            all: structure.folds().then(|| BlockMatrix::zero(Arc::clone(structure.all()))),
            matrix: BlockMatrix::zero(Arc::clone(structure.free())),
            solver,
            penalty: Penalty::default(),
            rows: Rows::default(),
            woodbury: Woodbury::default(),
            lumps: Vec::new(),
            lumped: false,
            gradients: Gradients::default(),
            symmetric: model.terms().iter().all(|t| t.caps().symmetric),
            held: vec![false; unknowns.len()],
            shut: vec![false; unknowns.len()],
            rigid: RigidRows::new(model.layout().skeleton(), structure.free()),
            target: unknowns.clone(),
            unbalanced: unknowns.clone(),
            step: unknowns.clone(),
            before: unknowns.clone(),
            predicted_x: unknowns.clone(),
            predicted_v: unknowns.clone(),
            product: unknowns.clone(),
            right: unknowns.clone(),
            correction: unknowns,
        })
    }

    /// Notes which unknowns are held in a step from s0.
    pub fn hold(&mut self, model: &Model, s0: &State, inputs: &Inputs) {
        // a node in no element has no equation
        for (node, mass) in model.mass().iter().enumerate() {
            self.held[3 * node..3 * node + 3].fill(*mass <= 0.0);
        }
        for_each_held(model, &s0.holding, inputs, |dof| self.held[dof] = true);
        self.rigid.hold(&self.held, &mut self.shut);
        self.target.copy_from_slice(&s0.x);
    }

    /// (1) at a state, and the hands there.
    pub fn assemble(&mut self, model: &Model, at: At, weights: Weights, inputs: &Inputs, w: &mut Workspace) {
        self.matrix.clear();
        let wanted = (weights.terms, weights.definite);
        match &mut self.all {
            None => w.assemble_tangent(model, at, wanted, &mut self.matrix),
            Some(all) => {
                all.clear();
                w.assemble_tangent(model, at, wanted, all);
                model.structure().fold(all, &mut self.matrix);
            }
        }
        if !self.symmetric && matches!(self.solver, Solver::Direct(_)) {
            self.matrix.symmetrise();
        }
        if weights.mass != 0.0 || weights.mass_damping != 0.0 {
            model.inertia_add(weights.mass, weights.mass_damping, &mut self.matrix);
        }
        self.rigid.reduce_matrix(&mut self.matrix, weights.terms.k, weights.definite);
        take_hands(&mut self.rows, (model, &self.rigid), (&w.full(model, at), weights.terms), inputs.grabs);
        if !Penalty::is_idle(model, inputs) {
            let springs = SpringsAt {
                model,
                inputs,
                time: at.time,
                part: if at.still { at.load } else { 1.0 },
                still: at.still,
                x: at.x,
                v: at.v,
            };
            let Self { penalty, matrix, rigid, rows, .. } = self;
            penalty.tangent_add(&springs, weights.terms.k, (matrix, rigid, rows));
        }
        if let Solver::Direct(_) = self.solver {
            self.woodbury.make_room(&self.rows, self.shut.len());
        }
    }

    /// The step that takes held unknowns to their targets and, to first order, the forces left over to zero.
    ///
    /// Gives whether held unknowns move; fails where gradients meet a direction that the matrix does not resist.
    pub fn solve(&mut self, model: &Model, x: &[f64], limits: GradientLimits) -> Result<bool, NewtonFault> {
        let moves = self.solve_reduced(model, x, limits)?;
        self.rigid.expand(&mut self.step);
        Ok(moves)
    }

    /// The same in the unknowns of the equations, of which bones have six each.
    fn solve_reduced(
        &mut self,
        model: &Model,
        x: &[f64],
        limits: GradientLimits,
    ) -> Result<bool, NewtonFault> {
        let moves = self.carry_held(x);
        if moves {
            let (step, mut product) = (&self.step, std::mem::take(&mut self.product));
            self.multiply_into(step, &mut product);
            self.product = product;
        }
        self.ask_of_free(moves);
        let Self { matrix, rows, woodbury, shut: held, solver, step, right, .. } = self;
        match solver {
            Solver::Direct(factor) if self.lumped => {
                step.iter_mut()
                    .zip(&*right)
                    .zip(&*held)
                    .filter(|(_, h)| !**h)
                    .for_each(|((s, r), _)| *s = *r);
                HeldMatrix { matrix, rows, held }.solve(factor, &mut self.gradients, step);
            }
            Solver::Direct(factor) => {
                step.iter_mut()
                    .zip(&*right)
                    .zip(&*held)
                    .filter(|(_, h)| !**h)
                    .for_each(|((s, r), _)| *s = *r);
                factor.solve_in_place(step);
                woodbury.correct(rows, &mut **factor, held, step);
            }
            Solver::Gradients(_) => {
                self.correction.fill(0.0);
                self.gradients(model, limits)?;
                self.take_correction();
            }
        }
        Ok(moves)
    }

    /// A x with the rows; rows of held unknowns mean nothing.
    fn multiply_into(&self, x: &[f64], out: &mut [f64]) {
        let Self { matrix, rows, shut: held, .. } = self;
        if self.lumped {
            HeldMatrix { matrix, rows, held }.multiply_into(x, out);
        } else {
            matrix.multiply_into(x, out);
            rows.multiply_add(x, out);
        }
    }

    /// Held unknowns of the step: what is left of their way; free ones zero. Gives whether any moves.
    fn carry_held(&mut self, x: &[f64]) -> bool {
        let mut moves = false;
        for (i, step) in self.step.iter_mut().enumerate() {
            *step = if self.held[i] { self.target[i] - x[i] } else { 0.0 };
            moves |= *step != 0.0;
        }
        moves
    }

    /// The right side for the free unknowns: what is left over, less what held unknowns that move take with them.
    fn ask_of_free(&mut self, moves: bool) {
        self.right.copy_from_slice(&self.unbalanced);
        self.rigid.reduce(&mut self.right);
        for (i, right) in self.right.iter_mut().enumerate() {
            let taken = if moves { self.product[i] } else { 0.0 };
            *right = if self.shut[i] { 0.0 } else { *right - taken };
        }
    }

    /// Solves for a given right side over the free unknowns, as if there were no rows; held ones become zero.
    pub fn solve_for(&mut self, right: &mut [f64]) {
        mask(right, &self.shut);
        match &mut self.solver {
            Solver::Direct(factor) => factor.solve_in_place(right),
            Solver::Gradients(iterative) => {
                self.right.copy_from_slice(right);
                right.fill(0.0);
                iterative.method.solve(&self.right, right, TIGHT, None);
            }
        }
    }
}

/// Zero where held.
fn mask(values: &mut [f64], held: &[bool]) {
    values.iter_mut().zip(held).filter(|(_, held)| **held).for_each(|(value, _)| *value = 0.0);
}
