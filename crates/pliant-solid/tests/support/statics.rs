//! Equilibrium by Newton's method, for tests that compare states at rest.

use pliant_solid::term::Coeffs;
use pliant_solid::{FullState, Model};

use super::linear_algebra::solve_symmetric;
use super::{Vec3, forces, nodes_in, peak};

/// Degrees of freedom of the nodes outside a region of rest positions.
pub fn dofs_outside(model: &Model, region: impl Fn(Vec3) -> bool) -> Vec<usize> {
    let free = nodes_in(model.layout(), &|p| !region(p));
    free.into_iter().flat_map(|n| 3 * n as usize..3 * n as usize + 3).collect()
}

/// Moves the degrees of freedom in `kept` until the forces plus `load` vanish on them.
///
/// Stops when the correction is 1e-13 of the positions; panics after 30 iterations.
pub fn relax(model: &Model, start: FullState, kept: &[usize], load: &[f64]) -> FullState {
    let mut full = start;
    for _ in 0..30 {
        let force = forces(model, &full);
        let right: Vec<f64> = kept.iter().map(|&i| force[i] + load[i]).collect();
        let tangent = model.tangent(&full, Coeffs { k: 1.0, d: 0.0 });
        let change = solve_symmetric(&tangent, kept, &right);
        kept.iter().zip(&change).for_each(|(&i, change)| full.x[i] += change);
        if peak(&change) < 1e-13 * peak(&full.x) {
            return full;
        }
    }
    panic!("Newton's method did not settle");
}
