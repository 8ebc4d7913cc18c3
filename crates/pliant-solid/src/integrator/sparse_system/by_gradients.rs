//! Solutions by conjugate gradients; where the matrix is not symmetric, of its symmetric part, and then corrected.
//!
//! ```text
//! S c = r roughly,   c <- c - sum_k (A c . q_k) c_k,   x <- x + (r . q) c,   r <- r - (r . q) q,   q = A c, both over |A c|       (1)
//! ```
//!
//! (1) is the method of generalised conjugate residuals [EisenstatElmanSchultz] with the symmetric part S as its preconditioner, and the last few directions kept: no step of it makes
//! the forces left over larger, however far the matrix is from symmetric.

use pliant_numerics::{GradientLimits, GradientReport, ordered};

use super::{ExactProduct, Indefinite, Solver, SparseSystem, mask};

/// Passes of gradients that correct each other where the matrix is not symmetric.
const MOST_PASSES: usize = 60;
/// How far one of them goes.
const ROUGH: f64 = 0.05;
/// The part of the right side that a solution may leave before it counts as none.
const LEFT_TO_FAIL: f64 = 0.1;
/// Directions that are remembered.
const KEPT: usize = 8;

/// Directions c_k of (1) and their products q_k, the last few; made when they are first needed.
#[derive(Default)]
pub(super) struct KeptDirections {
    directions: Vec<Vec<f64>>,
    products: Vec<Vec<f64>>,
    count: usize,
}

impl KeptDirections {
    fn begin(&mut self, unknowns: usize) {
        self.count = 0;
        for vectors in [&mut self.directions, &mut self.products] {
            vectors.resize_with(KEPT, Vec::new);
            vectors.iter_mut().for_each(|v| v.resize(unknowns, 0.0));
        }
    }

    /// Makes a direction's product orthogonal to those kept and keeps it; gives where, if there is anything left of it.
    fn keep(&mut self, direction: &mut [f64], product: &mut [f64]) -> Option<usize> {
        for k in 0..self.count.min(KEPT) {
            let along = ordered::dot(product, &self.products[k]);
            subtract(product, along, &self.products[k]);
            subtract(direction, along, &self.directions[k]);
        }
        let norm = ordered::dot(product, product).sqrt();
        if !(norm.is_finite() && norm > 0.0) {
            return None;
        }
        let place = self.count % KEPT;
        let scaled =
            |out: &mut [f64], from: &[f64]| out.iter_mut().zip(from).for_each(|(o, f)| *o = f / norm);
        scaled(&mut self.directions[place], direction);
        scaled(&mut self.products[place], product);
        self.count += 1;
        Some(place)
    }
}

impl SparseSystem {
    /// As [`Self::solve`], from what `step` holds as a first guess; where the matrix is not symmetric, `exact` multiplies with it, and gradients
    /// of its symmetric part correct the solution until the forces left over are small.
    ///
    /// Gives the steps that gradients took, and what was left.
    pub fn solve_from_guess(
        &mut self,
        x: &[f64],
        limits: GradientLimits,
        exact: Option<ExactProduct>,
    ) -> Result<GradientReport, Indefinite> {
        std::mem::swap(&mut self.step, &mut self.correction);
        let moves = self.carry_held(x);
        mask(&mut self.correction, &self.held);
        let Some(exact) = exact else {
            if moves {
                self.matrix.multiply_into(&self.step, &mut self.product);
                self.hands.multiply_add(&self.step, &mut self.product);
            }
            self.ask_of_free(moves);
            let report = self.gradients(limits);
            self.take_correction();
            return if report.indefinite { Err(Indefinite) } else { Ok(report) };
        };
        if moves {
            exact(&self.step, &mut self.product);
        }
        self.ask_of_free(moves);
        self.refine(limits, exact)
    }

    /// (1), from the guess in `correction`.
    fn refine(&mut self, limits: GradientLimits, exact: ExactProduct) -> Result<GradientReport, Indefinite> {
        let whole = ordered::dot(&self.right, &self.right).sqrt();
        self.kept.begin(self.right.len());
        exact(&self.correction, &mut self.product);
        mask(&mut self.product, &self.held);
        subtract(&mut self.right, 1.0, &self.product);
        self.take_correction();
        let mut report = GradientReport { unsolved: true, ..GradientReport::default() };
        for _ in 0..MOST_PASSES {
            let left = ordered::dot(&self.right, &self.right).sqrt();
            report.residual = if whole > 0.0 { left / whole } else { left };
            report.unsolved = report.residual > limits.tolerance;
            if !report.unsolved || report.steps >= limits.steps {
                break;
            }
            self.correction.fill(0.0);
            let tolerance = (0.5 * limits.tolerance / report.residual).max(ROUGH);
            let part = self.gradients(GradientLimits { tolerance, ..limits });
            report.steps += part.steps;
            exact(&self.correction, &mut self.product);
            mask(&mut self.product, &self.held);
            let Some(place) = self.kept.keep(&mut self.correction, &mut self.product) else { break };
            let (direction, product) = (&self.kept.directions[place], &self.kept.products[place]);
            let length = ordered::dot(&self.right, product);
            subtract(&mut self.right, length, product);
            subtract(&mut self.step, -length, direction);
        }
        // a solution that is far from one is none
        if report.residual > LEFT_TO_FAIL { Err(Indefinite) } else { Ok(report) }
    }

    /// Conjugate gradients from `correction` on, hands included.
    pub(super) fn gradients(&mut self, limits: GradientLimits) -> GradientReport {
        let Self { solver: Solver::Gradients(gradients), right, correction, hands, held, .. } = self else {
            return GradientReport { indefinite: true, ..GradientReport::default() };
        };
        if !hands.act() {
            return gradients.solve(right, correction, limits, None);
        }
        let mut pull = |x: &[f64], out: &mut [f64]| {
            hands.multiply_add(x, out);
            mask(out, held);
        };
        gradients.solve(right, correction, limits, Some(&mut pull))
    }

    /// The free unknowns of the step become what gradients found.
    pub(super) fn take_correction(&mut self) {
        for ((step, correction), held) in self.step.iter_mut().zip(&self.correction).zip(&self.held) {
            if !held {
                *step = *correction;
            }
        }
    }
}

/// a -= factor b.
fn subtract(a: &mut [f64], factor: f64, b: &[f64]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a -= factor * b);
}
