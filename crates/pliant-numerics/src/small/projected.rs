//! Conjugate gradients between bounds, for matrices that are known by their products alone.
//!
//! ```text
//! min x . Q x / 2 - q . x,   lo <= x <= hi                                                                (1)
//! phi = the gradient g = Q x - q where x is within its bounds,  beta = what of g drives away from a bound (2)
//! ```
//!
//! Source: MPRGP [Dostal]. Gradients run within the face of bounds where |beta| is small beside |phi|; a step that would leave it ends at the
//! first bound and is followed by one of fixed length along phi, cut to the bounds; otherwise bounds are left along beta. Q is symmetric and has no
//! negative eigenvalue; without bounds this is conjugate gradients, which bear redundant rows. A direction that Q does not resist and no bound ends has no
//! solution behind it: rows in conflict. The best iterate is the answer then, and its residual, found from Q, q and x, is told.

use crate::ordered;

/// Products from which the largest eigenvalue is estimated, and how much larger it may be.
const POWERS: usize = 12;
const MARGIN: f64 = 1.3;
/// A curvature below this part of the largest eigenvalue is none.
const FLAT: f64 = 1e-13;

/// A solver that keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct ProjectedGradients {
    gradient: Vec<f64>,
    free: Vec<f64>,
    chopped: Vec<f64>,
    direction: Vec<f64>,
    product: Vec<f64>,
    /// The iterate with the least residual.
    best: Vec<f64>,
}

/// How it went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProjectedReport {
    /// Products with Q.
    pub products: usize,
    /// |phi + beta| / |q| at the end, from Q, q and x.
    pub residual: f64,
    /// Whether products ran out.
    pub unsolved: bool,
}

impl ProjectedGradients {
    /// Solves (1) from `x` on, to a residual and within so many products; `multiply` writes Q times its first argument.
    pub fn solve(
        &mut self,
        mut multiply: impl FnMut(&[f64], &mut [f64]),
        right: &[f64],
        bounds: &[[f64; 2]],
        x: &mut [f64],
        (tolerance, most): (f64, usize),
    ) -> ProjectedReport {
        let Self { gradient, free, chopped, direction, product, best } = self;
        [&mut *gradient, free, chopped, direction, product, best]
            .into_iter()
            .for_each(|v| v.resize(right.len(), 0.0));
        let enough = tolerance * norm(right);
        x.iter_mut().zip(bounds).for_each(|(x, [low, high])| *x = x.clamp(*low, *high));
        let top = MARGIN * largest(&mut multiply, direction, product);
        let longest = 1.0 / top.max(f64::MIN_POSITIVE);
        let (mut products, mut least) = (POWERS + 2, f64::INFINITY);
        multiply(x, gradient);
        gradient.iter_mut().zip(right).for_each(|(g, q)| *g -= q);
        split(gradient, x, bounds, (free, chopped));
        direction.copy_from_slice(free);
        loop {
            let (square_free, square_chopped) = (ordered::dot(free, free), ordered::dot(chopped, chopped));
            let left = (square_free + square_chopped).sqrt();
            if left < least {
                least = left;
                best.copy_from_slice(x);
            }
            if left <= enough || products >= most || left.is_nan() {
                break;
            }
            let leaves = square_chopped > square_free;
            if leaves {
                direction.copy_from_slice(chopped);
            }
            multiply(direction, product);
            products += 1;
            let curvature = ordered::dot(direction, product);
            let part = ordered::dot(gradient, direction) / curvature;
            let room = room(x, direction, bounds);
            if curvature <= FLAT * top * ordered::dot(direction, direction) && room == f64::INFINITY {
                break;
            }
            if curvature > 0.0 && part <= room {
                x.iter_mut().zip(&*direction).for_each(|(x, d)| *x -= part * d);
                gradient.iter_mut().zip(&*product).for_each(|(g, p)| *g -= part * p);
                split(gradient, x, bounds, (free, chopped));
                if leaves {
                    direction.copy_from_slice(free);
                } else {
                    let turn = ordered::dot(free, product) / curvature;
                    direction.iter_mut().zip(&*free).for_each(|(d, f)| *d = f - turn * *d);
                }
                continue;
            }
            // to the first bound, and on along the free gradient, cut to the bounds
            let part = if room.is_finite() { room } else { longest };
            x.iter_mut().zip(&*direction).for_each(|(x, d)| *x -= part * d);
            gradient.iter_mut().zip(&*product).for_each(|(g, p)| *g -= part * p);
            split(gradient, x, bounds, (free, chopped));
            for ((x, free), [low, high]) in x.iter_mut().zip(&*free).zip(bounds) {
                *x = (*x - longest * free).clamp(*low, *high);
            }
            multiply(x, gradient);
            products += 1;
            gradient.iter_mut().zip(right).for_each(|(g, q)| *g -= q);
            split(gradient, x, bounds, (free, chopped));
            direction.copy_from_slice(free);
        }
        x.copy_from_slice(best);
        multiply(x, gradient);
        gradient.iter_mut().zip(right).for_each(|(g, q)| *g -= q);
        split(gradient, x, bounds, (free, chopped));
        let left = (ordered::dot(free, free) + ordered::dot(chopped, chopped)).sqrt();
        let whole = norm(right);
        let residual = if whole > 0.0 { left / whole } else { left };
        ProjectedReport { products, residual, unsolved: products >= most }
    }
}

fn norm(x: &[f64]) -> f64 {
    ordered::dot(x, x).sqrt()
}

/// (2).
fn split(gradient: &[f64], x: &[f64], bounds: &[[f64; 2]], (free, chopped): (&mut [f64], &mut [f64])) {
    for (i, g) in gradient.iter().enumerate() {
        let [low, high] = bounds[i];
        (free[i], chopped[i]) = match x[i] {
            x if x <= low => (0.0, g.min(0.0)),
            x if x >= high => (0.0, g.max(0.0)),
            _ => (*g, 0.0),
        };
    }
}

/// How far one can go against a direction before a bound is met.
fn room(x: &[f64], direction: &[f64], bounds: &[[f64; 2]]) -> f64 {
    let one = |((x, d), [low, high]): ((&f64, &f64), &[f64; 2])| match *d {
        d if d > 0.0 => (x - low) / d,
        d if d < 0.0 => (x - high) / d,
        _ => f64::INFINITY,
    };
    x.iter().zip(direction).zip(bounds).map(one).fold(f64::INFINITY, f64::min)
}

/// The largest eigenvalue, by powers of a vector without symmetry.
fn largest(multiply: &mut impl FnMut(&[f64], &mut [f64]), power: &mut [f64], product: &mut [f64]) -> f64 {
    power
        .iter_mut()
        .enumerate()
        .for_each(|(i, p)| *p = 0.1 + (0.618_033_988_749_895 * (i + 1) as f64).fract());
    let mut value = 0.0;
    for _ in 0..POWERS {
        let size = norm(power);
        if size == 0.0 {
            break;
        }
        power.iter_mut().for_each(|p| *p /= size);
        multiply(power, product);
        value = norm(product);
        power.copy_from_slice(product);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small::Bounded;

    /// A chain of masses between springs, pressed onto a floor in the middle.
    fn chain(n: usize) -> (Vec<f64>, Vec<f64>) {
        let entry = |i: usize, j: usize| match i.abs_diff(j) {
            0 => 2.0,
            1 => -1.0,
            _ => 0.0,
        };
        let matrix = (0..n * n).map(|p| entry(p / n, p % n)).collect();
        (matrix, (0..n).map(|i| if (n / 4..n / 2).contains(&i) { 1.0 } else { -0.5 }).collect())
    }

    fn product<'a>(matrix: &'a [f64], n: usize) -> impl FnMut(&[f64], &mut [f64]) + 'a {
        move |x, out| {
            for (row, out) in matrix.chunks_exact(n).zip(out) {
                *out = row.iter().zip(x).map(|(a, x)| a * x).sum();
            }
        }
    }

    #[test]
    fn it_finds_what_pivoting_finds() {
        for (n, bounds) in [(60, [0.0, f64::INFINITY]), (60, [0.0, 7.0]), (150, [-3.0, 40.0])] {
            let (matrix, right) = chain(n);
            let (mut exact, mut x) = (vec![0.0; n], vec![0.0; n]);
            let report = Bounded::default().solve(&matrix, &right, &vec![bounds; n], &mut exact);
            assert_eq!(report.conflict, None);
            let bounds = vec![bounds; n];
            let limits = (1e-12, 20_000);
            let report =
                ProjectedGradients::default().solve(product(&matrix, n), &right, &bounds, &mut x, limits);
            assert!(report.residual <= 1e-12 && report.products < 2000, "{report:?}");
            let off = x.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 1e-7, "{n}: {off}");
        }
    }

    #[test]
    fn without_bounds_redundant_rows_are_borne() {
        // every row twice
        let (small, side) = chain(20);
        let matrix: Vec<f64> = (0..1600).map(|p| small[p / 40 / 2 * 20 + p % 40 / 2]).collect();
        let right: Vec<f64> = (0..40).map(|i| side[i / 2]).collect();
        let mut x = vec![0.0; 40];
        let free = vec![[f64::NEG_INFINITY, f64::INFINITY]; 40];
        let report =
            ProjectedGradients::default().solve(product(&matrix, 40), &right, &free, &mut x, (1e-11, 500));
        assert!(report.residual <= 1e-11 && report.products < 120, "{report:?}");
        assert!((0..20).all(|i| (x[2 * i] - x[2 * i + 1]).abs() < 1e-9), "shared alike");
    }
}
