//! Eigenvalues and eigenvectors of symmetric 3x3 matrices, over lanes.
//!
//! Cyclic Jacobi rotations, always the same number: each sweep squares what is left beside the diagonal once it is small, so that four leave
//! nothing but rounding and two a part in a thousand at worst.

use crate::{Lane, Mat3};

/// Eigenvalues in no order, and their eigenvectors as columns of a rotation, by `SWEEPS` sweeps over the three entries beside the diagonal.
#[inline(always)]
pub fn symmetric_eigen<L: Lane, const SWEEPS: usize>(matrix: &Mat3<L>) -> ([L; 3], Mat3<L>) {
    let (mut a, mut vectors) = (*matrix, Mat3::identity());
    for _ in 0..SWEEPS {
        rotate::<L, 0, 1>(&mut a, &mut vectors);
        rotate::<L, 0, 2>(&mut a, &mut vectors);
        rotate::<L, 1, 2>(&mut a, &mut vectors);
    }
    ([a.0[0][0], a.0[1][1], a.0[2][2]], vectors)
}

/// The rotation in the plane (P, Q) that makes the entry there zero.
#[inline(always)]
fn rotate<L: Lane, const P: usize, const Q: usize>(a: &mut Mat3<L>, vectors: &mut Mat3<L>) {
    let (one, zero) = (L::splat(1.0), L::splat(0.0));
    let twice = a.0[P][Q] + a.0[P][Q];
    let difference = a.0[Q][Q] - a.0[P][P];
    let root = difference.mul_add(difference, twice * twice).sqrt();
    let sum = difference.less_select(zero, difference - root, difference + root);
    // no difference and no entry: nothing to turn; tiny enough for single precision too
    let empty = root.less_select(L::splat(1e-30), one, zero);
    let tangent = twice / (sum + empty);
    let cosine = one / tangent.mul_add(tangent, one).sqrt();
    let sine = tangent * cosine;
    let change = tangent * a.0[P][Q];
    a.0[P][P] = a.0[P][P] - change;
    a.0[Q][Q] = a.0[Q][Q] + change;
    (a.0[P][Q], a.0[Q][P]) = (zero, zero);
    let r = 3 - P - Q;
    let (rp, rq) = (a.0[r][P], a.0[r][Q]);
    let (p, q) = (cosine * rp - sine * rq, sine * rp + cosine * rq);
    (a.0[r][P], a.0[P][r]) = (p, p);
    (a.0[r][Q], a.0[Q][r]) = (q, q);
    for row in &mut vectors.0 {
        (row[P], row[Q]) = (cosine * row[P] - sine * row[Q], sine * row[P] + cosine * row[Q]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_matrix_is_put_together_again_by_its_parts() {
        let turn = Mat3::<f64>::rotation([1.0, -2.0, 0.5], 2.0);
        let values = [
            [1.0, 1.0, 1.0],
            [3.0, 2.0, -1.0],
            [1e3, 1e-3, -1e-3],
            [1.0, 1.0, 2.0],
            [0.0, 0.0, 0.0],
            [1.0, 1.0 + 1e-9, 0.0],
        ];
        for given in values {
            let diagonal = Mat3::from_fn(|r, c| if r == c { given[r] } else { 0.0 });
            let matrix = turn * diagonal * turn.transpose();
            let (mut found, vectors) = symmetric_eigen::<_, 4>(&matrix);
            let scale = matrix.norm();
            let again =
                vectors * Mat3::from_fn(|r, c| if r == c { found[r] } else { 0.0 }) * vectors.transpose();
            assert!((again - matrix).norm() <= 1e-14 * scale, "{given:?}");
            assert!((vectors.transpose_mul(&vectors) - Mat3::identity()).norm() < 1e-14);
            let mut given = given;
            given.sort_by(f64::total_cmp);
            found.sort_by(f64::total_cmp);
            assert!(found.iter().zip(given).all(|(a, b)| (a - b).abs() <= 1e-14 * scale), "{found:?}");
        }
    }
}
