//! 3x3 matrices of lanes.

use std::ops::{Add, Index, IndexMut, Mul, Neg, Sub};

use crate::Lane;

/// A 3x3 matrix, stored by rows; `m[(row, column)]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mat3<L>(pub [[L; 3]; 3]);

impl<L: Lane> Mat3<L> {
    /// Entry by entry.
    #[inline(always)]
    pub fn from_fn(mut entry: impl FnMut(usize, usize) -> L) -> Self {
        let mut row = |r: usize| [entry(r, 0), entry(r, 1), entry(r, 2)];
        Self([row(0), row(1), row(2)])
    }

    /// A matrix of numbers in every lane.
    #[inline(always)]
    pub fn splat(m: &Mat3<f64>) -> Self {
        Self::from_fn(|r, c| L::splat(m.0[r][c]))
    }

    /// All entries zero.
    #[inline(always)]
    pub fn zero() -> Self {
        Self([[L::splat(0.0); 3]; 3])
    }

    /// `value` times the identity.
    #[inline(always)]
    pub fn diagonal(value: L) -> Self {
        let o = L::splat(0.0);
        Self([[value, o, o], [o, value, o], [o, o, value]])
    }

    /// The identity.
    #[inline(always)]
    pub fn identity() -> Self {
        Self::diagonal(L::splat(1.0))
    }

    /// Columns to a matrix.
    #[inline(always)]
    pub fn from_columns(columns: [[L; 3]; 3]) -> Self {
        Self::from_fn(|r, c| columns[c][r])
    }

    /// One column.
    #[inline(always)]
    pub fn column(&self, c: usize) -> [L; 3] {
        [self.0[0][c], self.0[1][c], self.0[2][c]]
    }

    /// The dyad a b^T.
    #[inline(always)]
    pub fn dyad(a: [L; 3], b: [L; 3]) -> Self {
        Self::from_fn(|r, c| a[r] * b[c])
    }

    /// Rows and columns swapped.
    #[inline(always)]
    pub fn transpose(&self) -> Self {
        Self::from_fn(|r, c| self.0[c][r])
    }

    /// Every entry times `factor`.
    #[inline(always)]
    pub fn scale(&self, factor: L) -> Self {
        Self::from_fn(|r, c| self.0[r][c] * factor)
    }

    /// `self * factor + term`.
    #[inline(always)]
    pub fn scale_add(&self, factor: L, term: &Self) -> Self {
        Self::from_fn(|r, c| self.0[r][c].mul_add(factor, term.0[r][c]))
    }

    /// `value` added to the three diagonal entries.
    #[inline(always)]
    pub fn add_diagonal(mut self, value: L) -> Self {
        for i in 0..3 {
            self.0[i][i] = self.0[i][i] + value;
        }
        self
    }

    /// Sum of the diagonal.
    #[inline(always)]
    pub fn trace(&self) -> L {
        self.0[0][0] + self.0[1][1] + self.0[2][2]
    }

    /// Sum of products of entries, A : B.
    #[inline(always)]
    pub fn dot(&self, other: &Self) -> L {
        let row = |r: usize| {
            let (a, b) = (&self.0[r], &other.0[r]);
            a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]))
        };
        row(0) + row(1) + row(2)
    }

    /// Self^T * other.
    #[inline(always)]
    pub fn transpose_mul(&self, other: &Self) -> Self {
        let (a, b) = (&self.0, &other.0);
        Self::from_fn(|r, c| a[0][r].mul_add(b[0][c], a[1][r].mul_add(b[1][c], a[2][r] * b[2][c])))
    }

    /// Self * other^T.
    #[inline(always)]
    pub fn mul_transpose(&self, other: &Self) -> Self {
        let (a, b) = (&self.0, &other.0);
        Self::from_fn(|r, c| a[r][0].mul_add(b[c][0], a[r][1].mul_add(b[c][1], a[r][2] * b[c][2])))
    }

    /// Self * other + term.
    #[inline(always)]
    pub fn mul_add(&self, other: &Self, term: &Self) -> Self {
        let (a, b, t) = (&self.0, &other.0, &term.0);
        Self::from_fn(|r, c| {
            a[r][0].mul_add(b[0][c], a[r][1].mul_add(b[1][c], a[r][2].mul_add(b[2][c], t[r][c])))
        })
    }

    /// Self * vector.
    #[inline(always)]
    pub fn mul_vec(&self, v: [L; 3]) -> [L; 3] {
        std::array::from_fn(|r| self.0[r][0].mul_add(v[0], self.0[r][1].mul_add(v[1], self.0[r][2] * v[2])))
    }

    /// The symmetric part, (A + A^T) / 2.
    #[inline(always)]
    pub fn symmetric_part(&self) -> Self {
        let half = L::splat(0.5);
        let m = &self.0;
        let (xy, xz, yz) =
            ((m[0][1] + m[1][0]) * half, (m[0][2] + m[2][0]) * half, (m[1][2] + m[2][1]) * half);
        Self([[m[0][0], xy, xz], [xy, m[1][1], yz], [xz, yz, m[2][2]]])
    }

    /// The cofactor matrix, det(A) A^-T; its columns are cross products of the columns of A.
    #[inline(always)]
    pub fn cofactor(&self) -> Self {
        let m = &self.0;
        Self::from_fn(|r, c| {
            let (r1, r2, c1, c2) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3);
            m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]
        })
    }

    /// The determinant.
    #[inline(always)]
    pub fn determinant(&self) -> L {
        let m = &self.0;
        let x = m[1][1] * m[2][2] - m[1][2] * m[2][1];
        let y = m[1][2] * m[2][0] - m[1][0] * m[2][2];
        let z = m[1][0] * m[2][1] - m[1][1] * m[2][0];
        m[0][0].mul_add(x, m[0][1].mul_add(y, m[0][2] * z))
    }

    /// The inverse; infinite entries where the determinant vanishes.
    #[inline(always)]
    pub fn inverse(&self) -> Self {
        let cofactor = self.cofactor();
        let inverse_determinant = L::splat(1.0) / self.determinant();
        cofactor.transpose().scale(inverse_determinant)
    }
}

impl Mat3<f64> {
    /// The rotation by `angle` radians about `axis` (any length but zero), right-handed.
    pub fn rotation(axis: [f64; 3], angle: f64) -> Self {
        let length = axis.iter().map(|a| a * a).sum::<f64>().sqrt();
        let n = axis.map(|a| a / length);
        let cross = Self([[0.0, -n[2], n[1]], [n[2], 0.0, -n[0]], [-n[1], n[0], 0.0]]);
        // Rodrigues: R = cos I + sin [n]x + (1 - cos) n n^T
        Self::diagonal(angle.cos()) + cross.scale(angle.sin()) + Self::dyad(n, n).scale(1.0 - angle.cos())
    }

    /// The square root of the sum of squared entries.
    pub fn norm(&self) -> f64 {
        self.dot(self).sqrt()
    }
}

impl<L: Lane> Add for Mat3<L> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::from_fn(|r, c| self.0[r][c] + other.0[r][c])
    }
}

impl<L: Lane> Sub for Mat3<L> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::from_fn(|r, c| self.0[r][c] - other.0[r][c])
    }
}

impl<L: Lane> Neg for Mat3<L> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::from_fn(|r, c| -self.0[r][c])
    }
}

impl<L: Lane> Mul for Mat3<L> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let (a, b) = (&self.0, &other.0);
        Self::from_fn(|r, c| a[r][0].mul_add(b[0][c], a[r][1].mul_add(b[1][c], a[r][2] * b[2][c])))
    }
}

impl<L> Index<(usize, usize)> for Mat3<L> {
    type Output = L;
    fn index(&self, (row, column): (usize, usize)) -> &L {
        &self.0[row][column]
    }
}

impl<L> IndexMut<(usize, usize)> for Mat3<L> {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut L {
        &mut self.0[row][column]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Mat3<f64> = Mat3([[1.2, 0.3, 0.0], [0.0, 0.9, 0.1], [0.2, 0.0, 1.1]]);

    #[test]
    fn determinant_inverse_and_cofactor_agree() {
        assert!((A.determinant() - 1.194).abs() < 1e-15); // 1.2*0.99 + 0.3*0.1*0.2
        assert!((A * A.inverse() - Mat3::identity()).norm() < 1e-15);
        assert!((A.cofactor() - A.inverse().transpose().scale(1.194)).norm() < 1e-15);
    }

    #[test]
    fn products_with_transposes_agree_with_plain_products() {
        let b = Mat3::rotation([1.0, 2.0, 3.0], 0.7);
        assert!((A.transpose_mul(&b) - A.transpose() * b).norm() < 1e-15);
        assert!((A.mul_transpose(&b) - A * b.transpose()).norm() < 1e-15);
        assert!((A.dot(&b) - A.transpose_mul(&b).trace()).abs() < 1e-15);
    }

    #[test]
    fn rotations_turn_right_handed_and_keep_lengths() {
        let quarter = Mat3::rotation([0.0, 0.0, 2.0], std::f64::consts::FRAC_PI_2);
        let turned = quarter.mul_vec([1.0, 0.0, 0.0]);
        assert!((turned[1] - 1.0).abs() < 1e-15 && turned[0].abs() < 1e-15);
        let r = Mat3::rotation([1.0, 2.0, 3.0], 3.1);
        assert!((r.transpose_mul(&r) - Mat3::identity()).norm() < 1e-15);
        assert!((r.determinant() - 1.0).abs() < 1e-15);
    }
}
