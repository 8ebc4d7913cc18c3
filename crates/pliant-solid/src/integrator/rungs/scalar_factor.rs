//! Factors of M + d D where both treat the three components alike: one number a block.
//!
//! ```text
//! M + d D_mass = B (x) I3,   B = L L^T,  or three of them where components are held apart
//! ```
//!
//! Lumped mass needs no factor but a reciprocal. A node that is held along some axes only makes B differ from component to component;
//! then each has a factor of its own, which together are a third of the size of one over all unknowns.

use pliant_numerics::{CholeskyError, ScalarCholesky};

use crate::model::Model;

/// See the [module](self).
pub(crate) enum ScalarFactor {
    /// Reciprocals, one a node.
    Diagonal(Vec<f64>),
    /// Of full matrices.
    Sparse(SparseParts),
}

/// One factor, or three.
pub(crate) struct SparseParts {
    parts: Vec<ScalarCholesky>,
    values: Vec<f64>,
    /// Held nodes of each component.
    held: [Vec<bool>; 3],
    side: Vec<f64>,
    split: bool,
}

impl ScalarFactor {
    /// For a model, not yet factored.
    pub fn new(model: &Model) -> Result<Self, CholeskyError> {
        let count = model.layout().free_count();
        let Some(inertia) = model.inertia() else { return Ok(Self::Diagonal(vec![0.0; count])) };
        let parts = vec![analysed(model)?];
        let (values, side) = (inertia.mass.values().to_vec(), Vec::new());
        let held = std::array::from_fn(|_| vec![false; count]);
        Ok(Self::Sparse(SparseParts { parts, values, held, side, split: false }))
    }

    /// Stored numbers.
    pub fn length(&self) -> usize {
        match self {
            Self::Diagonal(inverse) => inverse.len(),
            Self::Sparse(sparse) => sparse.parts.iter().map(ScalarCholesky::factor_length).sum(),
        }
    }

    /// Factors M + d D_mass.
    pub fn factor(&mut self, model: &Model, d: f64, held: &[bool]) -> Result<(), CholeskyError> {
        match (self, model.inertia()) {
            (Self::Sparse(sparse), Some(inertia)) => {
                let sums = inertia.mass.values().iter().zip(inertia.damping.values());
                sparse.values.iter_mut().zip(sums).for_each(|(out, (m, a))| *out = d.mul_add(*a, *m));
                sparse.factor(model, held)
            }
            (Self::Diagonal(inverse), _) => {
                let nodes = inverse.iter_mut().zip(model.mass()).zip(model.damping());
                nodes.for_each(|((out, m), a)| *out = if *m > 0.0 { 1.0 / d.mul_add(*a, *m) } else { 0.0 });
                Ok(())
            }
            (Self::Sparse(_), None) => Ok(()),
        }
    }

    /// Turns the right side, zero where held, into the solution.
    pub fn solve(&mut self, right: &mut [f64]) {
        match self {
            Self::Diagonal(inverse) => {
                let nodes = right.chunks_exact_mut(3).zip(inverse);
                nodes.for_each(|(r, inverse)| r.iter_mut().for_each(|r| *r *= *inverse));
            }
            Self::Sparse(sparse) => sparse.solve(right),
        }
    }
}

impl SparseParts {
    fn factor(&mut self, model: &Model, held: &[bool]) -> Result<(), CholeskyError> {
        for (c, mask) in self.held.iter_mut().enumerate() {
            mask.iter_mut().zip(held.chunks_exact(3)).for_each(|(out, held)| *out = held[c]);
        }
        self.split = self.held[0] != self.held[1] || self.held[0] != self.held[2];
        let count = if self.split { 3 } else { 1 };
        while self.parts.len() < count {
            self.parts.push(analysed(model)?);
        }
        let mut parts = self.parts.iter_mut().zip(&self.held).take(count);
        parts.try_for_each(|(part, held)| part.factor(&self.values, held))
    }

    fn solve(&mut self, right: &mut [f64]) {
        if !self.split {
            return self.parts[0].solve3_in_place(right);
        }
        for (c, part) in self.parts.iter_mut().enumerate() {
            self.side.clear();
            self.side.extend_from_slice(right);
            part.solve3_in_place(&mut self.side);
            let own = right.iter_mut().zip(&self.side).skip(c).step_by(3);
            own.for_each(|(out, solved)| *out = *solved);
        }
    }
}

fn analysed(model: &Model) -> Result<ScalarCholesky, CholeskyError> {
    let structure = model.structure();
    ScalarCholesky::analyse(structure.free(), &model.elimination().order)
}
