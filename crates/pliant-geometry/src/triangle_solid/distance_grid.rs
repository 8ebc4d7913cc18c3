//! Signed distances at the middles of the cells of a grid, which bound those everywhere.
//!
//! ```text
//! |d(p) - d(c)| <= |p - c|                                                                            (1)
//! ```
//!
//! with c the middle of any cell; the one that p is in, or is nearest to, gives the best bounds. Numbers are
//! kept in f32, since only bounds are read from them; `slack` is what that loses.

use pliant_numerics::parallel;
use rayon::prelude::*;

use crate::bounds::Bounds;
use crate::vector::{Vec3, norm, sub};

/// Cells for each triangle, and fewest and most of all.
const CELLS: (usize, usize, usize) = (4, 64, 16_384);

/// See the [module](self).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DistanceGrid {
    low: Vec3,
    /// Sides of a cell, m.
    side: Vec3,
    counts: [usize; 3],
    /// By x, then y, then z, m.
    distances: Vec<f32>,
    /// What rounding may add to a distance, m.
    slack: f64,
}

impl DistanceGrid {
    /// One that knows nothing.
    pub fn empty(bounds: Bounds) -> Self {
        Self { low: bounds.min, side: [1.0; 3], counts: [0; 3], distances: Vec::new(), slack: 0.0 }
    }

    /// Over a box; `distance` is asked for the signed one of a place whose magnitude is below a bound.
    pub fn of(bounds: Bounds, triangles: usize, distance: impl Fn(Vec3, f64) -> f64 + Sync) -> Self {
        let size = bounds.size();
        let wanted = (CELLS.0 * triangles).clamp(CELLS.1, CELLS.2) as f64;
        // cells as even as a thin box allows
        let diagonal = bounds.diagonal();
        let thick = size.map(|s| s.max(0.03 * diagonal));
        let even = (thick.iter().product::<f64>() / wanted).cbrt();
        let counts = thick.map(|s| (s / even).round().clamp(1.0, 1024.0) as usize);
        let side: Vec3 = std::array::from_fn(|k| thick[k] / counts[k] as f64);
        let slack = 1e-6 * diagonal;
        let mut grid = Self { low: bounds.min, side, counts, distances: Vec::new(), slack };
        let rows = (0..counts[1] * counts[2]).into_par_iter();
        let row = |row: usize| {
            let mut most = f64::INFINITY;
            let along = |i: usize| {
                let found = distance(grid.middle([i, row % counts[1], row / counts[1]]), most);
                // the next middle is one side away (1)
                most = found.abs() + side[0] + slack;
                found as f32
            };
            (0..counts[0]).map(along).collect::<Vec<f32>>()
        };
        grid.distances = parallel::collect(rows, row).concat();
        grid
    }

    /// No place is nearer to the surface from outside than this, m; minus infinity if nothing is known.
    #[inline]
    pub fn least(&self, place: Vec3) -> f64 {
        self.near(place).map_or(f64::NEG_INFINITY, |(distance, away)| distance - away - self.slack)
    }

    /// No place is farther from the surface, on either side, than this, m.
    #[inline]
    pub fn most(&self, place: Vec3) -> f64 {
        self.near(place).map_or(f64::INFINITY, |(distance, away)| {
            // what f32 loses grows with the distance
            (distance.abs() + away) * (1.0 + 1e-6) + self.slack
        })
    }

    /// The distance at the middle of the nearest cell, and how far away that is.
    #[inline]
    fn near(&self, place: Vec3) -> Option<(f64, f64)> {
        let at: [usize; 3] = std::array::from_fn(|k| {
            // negative and NaN become zero
            let cell = ((place[k] - self.low[k]) / self.side[k]) as usize;
            cell.min(self.counts[k].saturating_sub(1))
        });
        let number = at[0] + self.counts[0] * (at[1] + self.counts[1] * at[2]);
        let distance = *self.distances.get(number)?;
        Some((f64::from(distance), norm(sub(place, self.middle(at)))))
    }

    fn middle(&self, at: [usize; 3]) -> Vec3 {
        std::array::from_fn(|k| self.low[k] + (at[k] as f64 + 0.5) * self.side[k])
    }
}
