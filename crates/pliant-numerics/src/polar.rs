//! The rotation nearest to a matrix, over lanes.
//!
//! ```text
//! R = argmax tr(R^T F) over rotations;   F = R S,  S symmetric with eigenvalues s1 >= s2 >= |s3|, s3 of the sign of det F   (1)
//! p(l) = (l^2 - |F|^2)^2 - 8 det(F) l - 4 |cof F|^2 = 0,   l = s1 + s2 + s3 its largest root                                (2)
//! R = ((i1^2 - i2) F + i1 cof F - F F^T F) / (i1 i2 - i3),   i1 = l, i2 = (l^2 - |F|^2) / 2, i3 = det F                      (3)
//! i1 i2 - i3 = (s1 + s2) (s2 + s3) (s3 + s1)                                                                                (4)
//! ```
//!
//! (2) is the square of i2^2 = |cof F|^2 + 2 i1 i3 with i1^2 = |F|^2 + 2 i2, the same quartic as that of the best turn of two sets of
//! points [Horn]. All its roots are real, so that Newton's method from above comes down to the largest. (3) follows from R (a S + b i3 S^-1 + c S^3) = R
//! and the theorem of Cayley and Hamilton; nothing is divided by but (4), which vanishes only where the nearest rotation is not unique. There
//! a rotation near to all of them is found by moving F a little. For det F < 0 (1) is the polar decomposition with the
//! smallest stretch turned over: what an element that is inside out needs.

use crate::{Lane, Mat3};

/// Newton's steps on (2): from rest two are enough, near a double root they halve the distance.
const MOST_STEPS: usize = 24;
/// (4) over |F|^3 below which the nearest rotation counts as not unique, in roots of the rounding.
const NOT_UNIQUE: f64 = 50.0;
/// How far F is moved there, as a part of its norm.
const MOVED: f64 = 1e-2;

/// The rotation nearest to a matrix; for a matrix that is not finite, values that are not finite.
#[inline(always)]
pub fn nearest_rotation<L: Lane>(f: &Mat3<L>) -> Mat3<L> {
    let (rotation, gap) = rotation_and_gap(f);
    let limit = L::splat(NOT_UNIQUE * L::EPSILON.sqrt());
    if gap.any_less(limit) {
        return without_gap(f, &rotation, gap);
    }
    orthonormal(&rotation)
}

/// (3), and (4) over |F|^3.
#[inline(always)]
fn rotation_and_gap<L: Lane>(f: &Mat3<L>) -> (Mat3<L>, L) {
    let (cofactor, square) = (f.cofactor(), f.dot(f));
    let determinant = f.0[0][0]
        .mul_add(cofactor.0[0][0], f.0[0][1].mul_add(cofactor.0[0][1], f.0[0][2] * cofactor.0[0][2]));
    let trace = largest_root(square, determinant, cofactor.dot(&cofactor));
    let trace_squared = trace * trace;
    let minors = (trace_squared - square) * L::splat(0.5);
    let gap = trace * minors - determinant; // (4)
    let cubed = *f * f.transpose_mul(f);
    let sum = f.scale_add(trace_squared - minors, &(cofactor.scale(trace) - cubed));
    (sum.scale(L::splat(1.0) / gap), gap / (square * square.sqrt()))
}

/// The largest root of (2).
#[inline(always)]
fn largest_root<L: Lane>(square: L, determinant: L, cofactor_square: L) -> L {
    let (eight_d, four_c) = (determinant * L::splat(8.0), cofactor_square * L::splat(4.0));
    // from above: i2 <= sqrt(3) |cof F|
    let mut l = (square + (cofactor_square * L::splat(3.0)).sqrt() * L::splat(2.0)).sqrt();
    for _ in 0..MOST_STEPS {
        let q = l * l - square;
        let value = q.mul_add(q, -(eight_d.mul_add(l, four_c)));
        let slope = (q * l).mul_add(L::splat(4.0), -eight_d);
        // at a double root value and slope are nothing but rounding
        let least = square * l * L::splat(L::EPSILON.sqrt());
        let step = slope.less_select(least, L::splat(0.0), value / slope);
        l = l - step;
        if !(l * L::splat(4.0 * L::EPSILON)).any_less(step) {
            break;
        }
    }
    l
}

/// A step of Newton and Schulz: what rounding took from R^T R = I is given back to second order.
#[inline(always)]
fn orthonormal<L: Lane>(r: &Mat3<L>) -> Mat3<L> {
    let excess = r.transpose_mul(r).scale(L::splat(-0.5)).add_diagonal(L::splat(1.5));
    *r * excess
}

/// The same where some lanes have no unique nearest rotation.
#[cold]
#[inline(never)]
fn without_gap<L: Lane>(f: &Mat3<L>, rotation: &Mat3<L>, gap: L) -> Mat3<L> {
    // of nothing at all any rotation is the nearest
    let size = f.dot(f).sqrt();
    let norm =
        size.less_select(L::splat(f64::from(f32::MIN_POSITIVE)), L::splat(1.0), size) * L::splat(MOVED);
    let limit = L::splat(NOT_UNIQUE * L::EPSILON.sqrt());
    // a gap that is no number is not less than anything
    let kept = |kept: L, other: L| limit.less_select(gap, kept, other);
    let (mut chosen, mut widest) = (*rotation, kept(gap, L::splat(-1.0)));
    // one turn may move F to where the gap stays closed, three without a common axis do not
    for axis in [[1.0, 2.0, 3.0], [-3.0, 1.0, 2.0], [2.0, -3.0, 1.0]] {
        let generic = Mat3::<L>::splat(&Mat3::rotation(axis, 1.0));
        let (other, gap) = rotation_and_gap(&generic.scale_add(norm, f));
        // lanes with a gap of their own are left alone
        let gap = kept(L::splat(-1.0), gap);
        chosen = Mat3::from_fn(|r, c| widest.less_select(gap, other.0[r][c], chosen.0[r][c]));
        widest = widest.less_select(gap, gap, widest);
    }
    orthonormal(&orthonormal(&orthonormal(&chosen)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{F32x8, F64x4, Pack};

    fn noise(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    }

    fn turn(seed: &mut u64) -> Mat3<f64> {
        let axis = [noise(seed), noise(seed), noise(seed) + 1.0];
        Mat3::rotation(axis, 6.0 * noise(seed))
    }

    fn diagonal(s: [f64; 3]) -> Mat3<f64> {
        Mat3::from_fn(|r, c| if r == c { s[r] } else { 0.0 })
    }

    /// F with given stretches, and the rotation nearest to it.
    fn made(s: [f64; 3], seed: &mut u64) -> (Mat3<f64>, Mat3<f64>) {
        let (u, v) = (turn(seed), turn(seed));
        (u * diagonal(s) * v.transpose(), u * v.transpose())
    }

    #[test]
    fn the_identity_is_found_to_the_bit() {
        assert_eq!(nearest_rotation(&Mat3::<f64>::identity()), Mat3::identity());
    }

    #[test]
    fn stretches_and_turns_of_any_size_are_told_apart() {
        let mut seed = 1;
        let stretches = [
            [1.0, 1.0, 1.0],
            [1.2, 1.0, 0.9],
            [10.0, 1.0, 0.1],
            [1.0, 1.0, 0.0],
            [1e3, 1.0, 1.0],
            [1.0, 1e-3, 1e-3],
        ];
        for s in stretches {
            for _ in 0..50 {
                let (f, r) = made(s, &mut seed);
                let found = nearest_rotation(&f);
                // conditioned like 1 / (s2 + s3)
                let band = 1e-14 * s[0] / (s[1] + s[2]);
                assert!((found - r).norm() < band, "{s:?}: {:e}", (found - r).norm());
                assert!((found.transpose_mul(&found) - Mat3::identity()).norm() < 1e-14);
            }
        }
    }

    #[test]
    fn elements_inside_out_turn_their_smallest_stretch_over() {
        let mut seed = 2;
        for s in [[1.0, 0.9, -0.3], [2.0, 1.0, -0.99], [1.0, 1.0, -1e-3]] {
            for _ in 0..50 {
                let (f, r) = made(s, &mut seed);
                let found = nearest_rotation(&f);
                assert!((found - r).norm() < 1e-13 / (s[1] + s[2]), "{s:?}: {:e}", (found - r).norm());
                assert!((found.determinant() - 1.0).abs() < 1e-13);
            }
        }
    }

    #[test]
    fn where_the_nearest_is_not_unique_one_of_the_near_ones_is_found() {
        let mut seed = 3;
        let degenerate =
            [[1.0, 0.0, 0.0], [1.0, 1.0, -1.0], [1.0, 0.5, -0.5], [0.0, 0.0, 0.0], [1.0, 1e-9, 1e-9]];
        for s in degenerate {
            for _ in 0..50 {
                let f = made(s, &mut seed).0;
                let found = nearest_rotation(&f);
                assert!((found.transpose_mul(&found) - Mat3::identity()).norm() < 1e-12, "{s:?}");
                assert!((found.determinant() - 1.0).abs() < 1e-12);
                // tr(R^T F) is the sum of the stretches, but for what F was moved by
                let best: f64 = s.iter().sum();
                assert!(found.dot(&f) > best - 4.0 * MOVED, "{s:?}: {} {best}", found.dot(&f));
            }
        }
        let minus = nearest_rotation(&Mat3::<f64>::diagonal(-1.0));
        assert!((minus.determinant() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn lanes_do_not_see_each_other() {
        fn compare<P: Pack>(band: f64) {
            let mut seed = 4;
            let samples: Vec<Mat3<f64>> = (0..P::WIDTH)
                .map(|i| match i {
                    1 => Mat3::from_fn(|r, c| if r == 0 && c == 0 { 1.0 } else { 0.0 }),
                    _ => made([1.3, 1.0, 0.7], &mut seed).0,
                })
                .collect();
            let packed = Mat3::from_fn(|r, c| P::from_fn(|lane| samples[lane].0[r][c]));
            let found = nearest_rotation(&packed);
            for (lane, sample) in samples.iter().enumerate() {
                let alone = nearest_rotation(sample);
                let error = Mat3::from_fn(|r, c| found.0[r][c].lane(lane) - alone.0[r][c]).norm();
                assert!(error < band, "{error:e}");
            }
        }
        compare::<F64x4>(1e-14);
        compare::<F32x8>(2e-6);
    }

    #[test]
    fn what_is_not_finite_stays_so() {
        let mut f = Mat3::<f64>::identity();
        f.0[1][2] = f64::NAN;
        assert!(nearest_rotation(&f).0[0][0].is_nan());
    }
}
