//! Equations whose unknowns have bounds: a linear complementarity problem in a box.
//!
//! ```text
//! w = Q x - q:   lo < x < hi and w = 0,   or x = lo and w >= 0,   or x = hi and w <= 0                    (1)
//! ```
//!
//! Source: block principal pivoting [JudicePires]: all unknowns on the wrong side change over at once, and one by one (Murty's rule, which ends where Q is a P-matrix)
//! once that does not lead on. Free unknowns are solved for by [`Ranked`], so that redundant rows do no harm. Where pivoting leads round, which takes
//! a Q without full rank, projected gradients find the bounds that are met, or Gauss-Seidel sweeps where Q is not symmetric.

use super::projected::ProjectedGradients;
use super::ranked::Ranked;

/// Changes of all at once without progress before they change one by one.
const PATIENCE: usize = 10;
/// Sweeps of Gauss-Seidel.
const MOST_SWEEPS: usize = 20_000;
/// What equations may be left with, as a part of the largest right side.
const TOLERANCE: f64 = 1e-9;
/// The same as a part of what is summed up in them: its rounding.
const ROUNDING: f64 = 1e-12;
/// Products of projected gradients, for each unknown.
const PRODUCTS: usize = 60;

/// Where an unknown is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Free,
    Low,
    High,
}

/// A solver that keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Bounded {
    sides: Vec<Side>,
    free: Vec<usize>,
    right: Vec<f64>,
    wrong: Vec<usize>,
    /// The largest right side.
    whole: f64,
    scale: Vec<f64>,
    scaled: Vec<f64>,
    scaled_bounds: Vec<[f64; 2]>,
    ranked: Ranked,
    gradients: ProjectedGradients,
}

/// How it went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BoundedReport {
    /// Solutions of the free unknowns, and sweeps if there were any.
    pub iterations: usize,
    /// Equations of free unknowns that depend on others.
    pub redundant: usize,
    /// The row that (1) does not hold for, and what is left there, where it has no solution: rows in conflict.
    pub conflict: Option<(usize, f64)>,
}

impl Bounded {
    /// Solves (1), Q row after row; bounds may be infinite.
    ///
    /// # Panics
    /// If lengths differ.
    pub fn solve(
        &mut self,
        matrix: &[f64],
        right: &[f64],
        bounds: &[[f64; 2]],
        x: &mut [f64],
    ) -> BoundedReport {
        let n = right.len();
        assert!(matrix.len() == n * n && bounds.len() == n && x.len() == n, "a square of as many rows");
        if let Some(row) = (0..n).find(|i| !is_sound(matrix, right, *i)) {
            x.fill(0.0);
            return BoundedReport { conflict: Some((row, f64::NAN)), ..BoundedReport::default() };
        }
        self.whole = right.iter().fold(0.0, |most, q| most.max(q.abs()));
        self.sides.clear();
        self.sides.resize(n, Side::Free);
        let mut report = BoundedReport::default();
        let (mut fewest, mut patience) = (n + 1, PATIENCE);
        let most = 4 * n + 50;
        while report.iterations < most {
            report.iterations += 1;
            report.redundant = self.solve_free(matrix, right, bounds, x);
            self.find_wrong(matrix, right, bounds, x);
            if self.wrong.is_empty() {
                return report;
            }
            if self.wrong.len() < fewest {
                (fewest, patience) = (self.wrong.len(), PATIENCE);
            } else {
                patience = patience.saturating_sub(1);
            }
            let last = self.wrong.len() - 1;
            let first = if patience > 0 { 0 } else { last };
            let changed = self.change_over(first, (matrix, right), bounds, x);
            if !changed {
                break;
            }
        }
        report.iterations += match is_symmetric(matrix, n) {
            true => self.by_gradients((matrix, right), bounds, x),
            false => sweep((matrix, right, self.whole), bounds, x),
        };
        report.conflict = worst((matrix, right, self.whole), bounds, x);
        report
    }

    /// Projected gradients in units of the diagonal; with the bounds that they meet, pivoting once more.
    fn by_gradients(
        &mut self,
        (matrix, right): (&[f64], &[f64]),
        bounds: &[[f64; 2]],
        x: &mut [f64],
    ) -> usize {
        let n = right.len();
        let root = |i: usize| if matrix[i * n + i] > 0.0 { matrix[i * n + i].sqrt().recip() } else { 1.0 };
        self.scale.clear();
        self.scale.extend((0..n).map(root));
        let Self { scale, scaled, scaled_bounds, right: units, gradients, .. } = self;
        units.clear();
        units.extend(right.iter().zip(&*scale).map(|(q, s)| q * s));
        scaled_bounds.clear();
        scaled_bounds.extend(bounds.iter().zip(&*scale).map(|(b, s)| b.map(|b| b / s)));
        scaled.clear();
        scaled.resize(n, 0.0);
        let product = |z: &[f64], out: &mut [f64]| {
            for (i, out) in out.iter_mut().enumerate() {
                let row = matrix[i * n..][..n].iter().zip(z).zip(&*scale);
                *out = scale[i] * row.map(|((a, z), s)| a * z * s).sum::<f64>();
            }
        };
        let found = gradients.solve(product, units, scaled_bounds, scaled, (1e-13, PRODUCTS * n + 1000));
        for (i, x) in x.iter_mut().enumerate() {
            *x = (scaled[i] * scale[i]).clamp(bounds[i][0], bounds[i][1]);
            self.sides[i] = match *x {
                x if x <= bounds[i][0] => Side::Low,
                x if x >= bounds[i][1] => Side::High,
                _ => Side::Free,
            };
        }
        self.scaled.copy_from_slice(x);
        self.solve_free(matrix, right, bounds, x);
        self.find_wrong(matrix, right, bounds, x);
        if !self.wrong.is_empty() {
            x.copy_from_slice(&self.scaled);
        }
        found.products
    }

    /// Solves for free unknowns with the others at their bounds; gives how many equations depend on others.
    fn solve_free(&mut self, matrix: &[f64], right: &[f64], bounds: &[[f64; 2]], x: &mut [f64]) -> usize {
        let n = right.len();
        self.free.clear();
        for i in 0..n {
            match self.sides[i] {
                Side::Free => self.free.push(i),
                Side::Low => x[i] = bounds[i][0],
                Side::High => x[i] = bounds[i][1],
            }
        }
        self.right.clear();
        self.right.extend_from_slice(right);
        for (i, side) in self.right.iter_mut().enumerate() {
            let bound = (0..n).filter(|j| self.sides[*j] != Side::Free);
            *side -= bound.map(|j| matrix[i * n + j] * x[j]).sum::<f64>();
        }
        self.free.len() - self.ranked.solve(matrix, &self.right, &self.free, x)
    }

    /// Unknowns outside their bounds, and those at a bound that their equation drives away from.
    fn find_wrong(&mut self, matrix: &[f64], right: &[f64], bounds: &[[f64; 2]], x: &[f64]) {
        let n = right.len();
        self.wrong.clear();
        for i in 0..n {
            let (left, small) = left_of((matrix, right, self.whole), x, i);
            let [low, high] = bounds[i];
            let little = TOLERANCE * x[i].abs().max(low.abs().min(high.abs()));
            let wrong = match self.sides[i] {
                Side::Free => x[i] < low - little || x[i] > high + little || left.abs() > small,
                Side::Low => left < -small,
                Side::High => left > small,
            };
            if wrong {
                self.wrong.push(i);
            }
        }
    }

    /// Moves unknowns on the wrong side to the other one; says whether any has another.
    fn change_over(
        &mut self,
        first: usize,
        (matrix, right): (&[f64], &[f64]),
        bounds: &[[f64; 2]],
        x: &[f64],
    ) -> bool {
        let mut changed = false;
        for &i in &self.wrong[first..] {
            let [low, high] = bounds[i];
            let (left, small) = left_of((matrix, right, self.whole), x, i);
            let to = match self.sides[i] {
                Side::Low | Side::High => Side::Free,
                Side::Free if x[i] < low => Side::Low,
                Side::Free if x[i] > high => Side::High,
                // depends on others, and is left with something: at rest on a bound, if that is where it points
                Side::Free if left > small && low.is_finite() => Side::Low,
                Side::Free if left < -small && high.is_finite() => Side::High,
                Side::Free => Side::Free,
            };
            changed |= to != self.sides[i];
            self.sides[i] = to;
        }
        changed
    }
}

/// Q, q and the largest of q.
type Equations<'a> = (&'a [f64], &'a [f64], f64);

/// w of (1) in one row, and what counts as nothing there.
fn left_of((matrix, right, whole): Equations, x: &[f64], i: usize) -> (f64, f64) {
    let row = &matrix[i * right.len()..][..right.len()];
    let (mut left, mut size) = (-right[i], 0.0_f64);
    for (a, x) in row.iter().zip(x) {
        left += a * x;
        size = size.max((a * x).abs());
    }
    (left, TOLERANCE * whole + ROUNDING * size)
}

/// Whether a row has numbers only.
fn is_sound(matrix: &[f64], right: &[f64], i: usize) -> bool {
    right[i].is_finite() && matrix[i * right.len()..][..right.len()].iter().all(|a| a.is_finite())
}

fn is_symmetric(matrix: &[f64], n: usize) -> bool {
    let alike = |i: usize, j: usize| {
        let (a, b) = (matrix[i * n + j], matrix[j * n + i]);
        (a - b).abs() <= 1e-9 * (matrix[i * n + i] * matrix[j * n + j]).abs().sqrt()
    };
    (0..n).all(|i| (0..i).all(|j| alike(i, j)))
}

/// Projected Gauss-Seidel from where x is; gives the number of sweeps.
fn sweep((matrix, right, whole): Equations, bounds: &[[f64; 2]], x: &mut [f64]) -> usize {
    let n = right.len();
    x.iter_mut().zip(bounds).for_each(|(x, [low, high])| *x = x.clamp(*low, *high));
    for count in 0..MOST_SWEEPS {
        let mut moved = false;
        for i in (0..n).filter(|i| matrix[i * n + i] > 0.0) {
            let (left, small) = left_of((matrix, right, whole), x, i);
            let [low, high] = bounds[i];
            let to = (x[i] - left / matrix[i * n + i]).clamp(low, high);
            moved |= ((to - x[i]) * matrix[i * n + i]).abs() > 0.1 * small;
            x[i] = to;
        }
        if !moved {
            return count;
        }
    }
    MOST_SWEEPS
}

/// The row that (1) holds least for, if there is one.
fn worst((matrix, right, whole): Equations, bounds: &[[f64; 2]], x: &[f64]) -> Option<(usize, f64)> {
    let mut found: Option<(usize, f64)> = None;
    for i in 0..right.len() {
        let (left, small) = left_of((matrix, right, whole), x, i);
        let [low, high] = bounds[i];
        let left = if x[i] <= low { left.min(0.0) } else { left };
        let left = if x[i] >= high { left.max(0.0) } else { left };
        if left.abs() > 10.0 * small && found.is_none_or(|(_, most)| left.abs() > most.abs()) {
            found = Some((i, left));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
    const ONE: [f64; 2] = [0.0, f64::INFINITY];

    fn solved(matrix: &[f64], right: &[f64], bounds: &[[f64; 2]]) -> (Vec<f64>, BoundedReport) {
        let mut x = vec![0.0; right.len()];
        let report = Bounded::default().solve(matrix, right, bounds, &mut x);
        (x, report)
    }

    #[test]
    fn a_push_that_would_pull_is_let_go() {
        // by hand: alone x_1 = 2 suffices, and w_2 = 1 x 2 - (-1) = 3 >= 0
        let (x, report) = solved(&[1.0, 1.0, 1.0, 4.0], &[2.0, -1.0], &[ONE, ONE]);
        assert_eq!((x, report.conflict), (vec![2.0, 0.0], None));
        let (x, _) = solved(&[1.0, 1.0, 1.0, 4.0], &[2.0, -1.0], &[TWO, TWO]);
        assert!((x[0] - 3.0).abs() < 1e-14 && (x[1] + 1.0).abs() < 1e-14, "{x:?}");
        // a largest force
        let (x, _) = solved(&[1.0, 1.0, 1.0, 4.0], &[2.0, 5.0], &[[0.0, 0.5], ONE]);
        assert!((x[0] - 0.5).abs() < 1e-14 && (x[1] - 4.5 / 4.0).abs() < 1e-14, "{x:?}");
    }

    #[test]
    fn redundant_rows_are_solved_and_conflicts_told() {
        let twice = [3.0, 3.0, 3.0, 3.0];
        for bounds in [[TWO, TWO], [ONE, ONE], [ONE, TWO]] {
            let (x, report) = solved(&twice, &[6.0, 6.0], &bounds);
            assert!((x[0] + x[1] - 2.0).abs() < 1e-12, "{bounds:?}: {x:?}");
            assert_eq!((report.redundant, report.conflict), (1, None), "{bounds:?}");
        }
        let (_, report) = solved(&twice, &[6.0, 7.0], &[TWO, TWO]);
        assert!(report.conflict.is_some(), "{report:?}");
        // one-sided rows ask for at least so much: the larger one decides
        let (x, report) = solved(&twice, &[6.0, 7.5], &[ONE, ONE]);
        assert!((x[0] + x[1] - 2.5).abs() < 1e-8 && report.conflict.is_none(), "{x:?} {report:?}");
        // from both sides into a gap that is too small: nothing helps
        let (_, report) = solved(&[1.0, -1.0, -1.0, 1.0], &[1.0, 1.0], &[ONE, ONE]);
        assert!(report.conflict.is_some(), "{report:?}");
        // a row that nothing moves
        assert_eq!(solved(&[0.0], &[1.0], &[TWO]).1.conflict, Some((0, -1.0)));
        assert_eq!(solved(&[0.0], &[0.0], &[TWO]).1.conflict, None);
    }

    #[test]
    fn random_problems_meet_the_conditions() {
        // a table on many legs: Q = B B^T of rank 3 and of full rank, by a fixed sequence
        let mut seed = 1_u64;
        let mut noise = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        for (n, rank) in [(4, 3), (12, 12), (12, 3), (40, 40), (40, 25), (100, 100)] {
            let b: Vec<f64> = (0..n * rank).map(|_| noise()).collect();
            let q = |i: usize, j: usize| (0..rank).map(|k| b[i * rank + k] * b[j * rank + k]).sum::<f64>();
            let matrix: Vec<f64> = (0..n * n).map(|p| q(p / n, p % n)).collect();
            // of the range of Q, so that there is a solution with some at their bound
            let way: Vec<f64> = (0..n).map(|_| noise()).collect();
            let push: Vec<f64> = way.iter().map(|w| w.max(0.0)).collect();
            let gap: Vec<f64> = way.iter().map(|w| (-w).max(0.0)).collect();
            let right: Vec<f64> =
                (0..n).map(|i| (0..n).map(|j| matrix[i * n + j] * push[j]).sum::<f64>() - gap[i]).collect();
            let (x, report) = solved(&matrix, &right, &vec![ONE; n]);
            assert_eq!(report.conflict, None, "{n} {rank}");
            for i in 0..n {
                let w = (0..n).map(|j| matrix[i * n + j] * x[j]).sum::<f64>() - right[i];
                assert!(x[i] >= -1e-9 && w >= -1e-7 && (x[i] * w).abs() < 1e-6, "{n} {rank}: {} {w}", x[i]);
            }
        }
    }

    #[test]
    fn the_row_that_asks_for_more_decides() {
        // Q = J J^T / m of rank 1; by hand x = (2, 0): w = (0, 1)
        let (x, report) = solved(&[16e3, 12e3, 12e3, 9e3], &[32000.0, 23999.0], &[ONE, ONE]);
        assert!(report.conflict.is_none() && report.iterations < 100, "{x:?} {report:?}");
    }

    #[test]
    fn conflicts_beside_large_forces_are_told() {
        // a light thing (1 g) is asked for 0 and for 0.0005 m, a heavy one (1 t) for 1 m beside it
        let (l, h) = (1e3, 1e-3);
        let matrix = [l, -l, l, -l, l + h, -l, l, -l, l];
        for gap in [5e-4, 2e-3] {
            let (x, report) = solved(&matrix, &[0.0, 1.0, gap], &[TWO; 3]);
            assert!(report.conflict.is_some(), "{gap}: {x:?} {report:?}");
        }
    }

    #[test]
    fn what_is_no_number_is_told() {
        for (matrix, right) in [([1.0], [f64::NAN]), ([f64::NAN], [1.0]), ([f64::INFINITY], [1.0])] {
            let (x, report) = solved(&matrix, &right, &[TWO]);
            assert!(report.conflict.is_some(), "{x:?} {report:?}");
        }
    }
}
