//! Solutions with a sparse factor that is stored in dense parts: L y = b, then L^T x = y.
//!
//! ```text
//! a part: columns a..b of L at the rows where they differ from zero,   [ T ]  rows a..b, a lower triangle
//!                                                                      [ R ]  further rows r, listed
//! forward    y_ab = T^-1 b_ab,   b_r -= R y_ab
//! backward   x_ab = T^-T (y_ab - R^T x_r)
//! ```
//!
//! Reading L from memory is what takes the time, so each number is read once in each direction, and several columns side by
//! side; the upper halves of the triangles, which hold nothing, are passed over. Fixed order of sums: the same bits each time.

use faer::sparse::linalg::cholesky::supernodal::SymbolicSupernodalCholesky;

use crate::{F64x4, Lane, Pack};

/// Columns of L that differ from zero in the same rows.
struct Part<'a> {
    /// The first column.
    start: usize,
    width: usize,
    /// Below the triangle.
    rows: &'a [usize],
    /// Column by column, the triangle first.
    numbers: &'a [f64],
}

impl<'a> Part<'a> {
    fn of(symbolic: &'a SymbolicSupernodalCholesky<usize>, factor: &'a [f64], s: usize) -> Self {
        let start = symbolic.supernode_begin()[s];
        let width = symbolic.supernode_end()[s] - start;
        let rows = symbolic.supernode(s).pattern();
        let numbers = &factor[symbolic.col_ptr_for_val()[s]..symbolic.col_ptr_for_val()[s + 1]];
        Self { start, width, rows, numbers }
    }

    /// Rows of the triangle and below.
    fn height(&self) -> usize {
        self.width + self.rows.len()
    }

    /// `W` columns from their common diagonal block on.
    #[inline(always)]
    fn columns<const W: usize>(&self, at: usize) -> [&'a [f64]; W] {
        let height = self.height();
        std::array::from_fn(|k| &self.numbers[(at + k) * height + at..(at + k + 1) * height])
    }

    /// Solves with the part: `z` holds y_ab so far and what its rows will lose.
    fn forward(&self, z: &mut [f64]) {
        let mut at = 0;
        while at < self.width {
            let taken = taken(self.width - at);
            for z in z.chunks_exact_mut(self.height()) {
                match taken {
                    8 => eliminate::<8>(self.columns(at), &mut z[at..]),
                    4 => eliminate::<4>(self.columns(at), &mut z[at..]),
                    2 => eliminate::<2>(self.columns(at), &mut z[at..]),
                    _ => eliminate::<1>(self.columns(at), &mut z[at..]),
                }
            }
            at += taken;
        }
    }

    /// Solves with the transposed part: `z` holds y_ab and x_r.
    fn backward(&self, z: &mut [f64]) {
        let mut end = self.width;
        while end > 0 {
            let taken = taken(end);
            let at = end - taken;
            for z in z.chunks_exact_mut(self.height()) {
                match taken {
                    8 => substitute::<8>(self.columns(at), &mut z[at..]),
                    4 => substitute::<4>(self.columns(at), &mut z[at..]),
                    2 => substitute::<2>(self.columns(at), &mut z[at..]),
                    _ => substitute::<1>(self.columns(at), &mut z[at..]),
                }
            }
            end = at;
        }
    }
}

/// How many of the remaining columns are read side by side.
fn taken(remaining: usize) -> usize {
    match remaining {
        8.. => 8,
        4..=7 => 4,
        2..=3 => 2,
        _ => 1,
    }
}

/// Numbers of working memory that a right side needs.
pub(crate) fn work_length(symbolic: &SymbolicSupernodalCholesky<usize>) -> usize {
    let height =
        |s: usize| symbolic.supernode_end()[s] - symbolic.supernode_begin()[s] + symbolic.nnz_per_super()[s];
    (0..symbolic.n_supernodes()).map(height).max().unwrap_or(0)
}

/// Turns right sides, one after the other and each in the order of elimination, into solutions; `work` has
/// [`work_length`] numbers for each.
pub(crate) fn solve_in_place(
    symbolic: &SymbolicSupernodalCholesky<usize>,
    factor: &[f64],
    right: &mut [f64],
    work: &mut [f64],
) {
    let size = symbolic.nrows().max(1);
    let sides = right.len() / size;
    for s in 0..symbolic.n_supernodes() {
        let part = Part::of(symbolic, factor, s);
        let (own, z) = (part.start..part.start + part.width, &mut work[..sides * part.height()]);
        for (right, z) in right.chunks_exact(size).zip(z.chunks_exact_mut(part.height())) {
            let (top, below) = z.split_at_mut(part.width);
            top.copy_from_slice(&right[own.clone()]);
            below.fill(0.0);
        }
        part.forward(z);
        for (right, z) in right.chunks_exact_mut(size).zip(z.chunks_exact(part.height())) {
            right[own.clone()].copy_from_slice(&z[..part.width]);
            part.rows.iter().zip(&z[part.width..]).for_each(|(&row, change)| right[row] += change);
        }
    }
    for s in (0..symbolic.n_supernodes()).rev() {
        let part = Part::of(symbolic, factor, s);
        let (own, z) = (part.start..part.start + part.width, &mut work[..sides * part.height()]);
        for (right, z) in right.chunks_exact(size).zip(z.chunks_exact_mut(part.height())) {
            z[..part.width].copy_from_slice(&right[own.clone()]);
            part.rows.iter().zip(&mut z[part.width..]).for_each(|(&row, z)| *z = right[row]);
        }
        part.backward(z);
        for (right, z) in right.chunks_exact_mut(size).zip(z.chunks_exact(part.height())) {
            right[own.clone()].copy_from_slice(&z[..part.width]);
        }
    }
}

/// Forward through `W` columns: their unknowns, then what all rows below lose.
#[inline(always)]
fn eliminate<const W: usize>(columns: [&[f64]; W], z: &mut [f64]) {
    let (top, below) = z.split_at_mut(W);
    for k in 0..W {
        top[k] /= columns[k][k];
        (k + 1..W).for_each(|i| top[i] -= columns[k][i] * top[k]);
    }
    let factors: [f64; W] = std::array::from_fn(|k| -top[k]);
    let lanes = factors.map(F64x4::splat);
    let (fours, rest) = below.as_chunks_mut::<4>();
    let numbers = columns.map(|column| column[W..].as_chunks::<4>());
    let whole = numbers.map(|(whole, _)| &whole[..fours.len()]);
    for (i, four) in fours.iter_mut().enumerate() {
        let mut sum = F64x4::from(*four);
        for k in 0..W {
            sum = Lane::mul_add(F64x4::from(whole[k][i]), lanes[k], sum);
        }
        *four = sum.to_array();
    }
    for (i, z) in rest.iter_mut().enumerate() {
        (0..W).for_each(|k| *z += numbers[k].1[i] * factors[k]);
    }
}

/// Backward through `W` columns: what the rows below are worth to their unknowns, then these.
#[inline(always)]
fn substitute<const W: usize>(columns: [&[f64]; W], z: &mut [f64]) {
    let (top, below) = z.split_at_mut(W);
    let (fours, rest) = below.as_chunks::<4>();
    let numbers = columns.map(|column| column[W..].as_chunks::<4>());
    let whole = numbers.map(|(whole, _)| &whole[..fours.len()]);
    let mut sums = [F64x4::splat(0.0); W];
    for (i, four) in fours.iter().enumerate() {
        for k in 0..W {
            sums[k] = Lane::mul_add(F64x4::from(whole[k][i]), F64x4::from(*four), sums[k]);
        }
    }
    for k in (0..W).rev() {
        let mut sum = Pack::sum(sums[k]);
        rest.iter().zip(numbers[k].1).for_each(|(z, number)| sum += z * number);
        (k + 1..W).for_each(|i| sum += columns[k][i] * top[i]);
        top[k] = (top[k] - sum) / columns[k][k];
    }
}

#[cfg(test)]
mod tests {
    use faer::dyn_stack::{MemBuffer, MemStack};
    use faer::perm::PermRef;
    use faer::sparse::linalg::cholesky::{
        CholeskySymbolicParams, SymbolicCholeskyRaw, SymmetricOrdering, factorize_symbolic_cholesky,
    };
    use faer::sparse::linalg::{SupernodalThreshold, SymbolicSupernodalParams};
    use faer::sparse::{SparseColMat, Triplet};
    use faer::{Par, Side, Spec};

    use super::*;

    /// The lower triangle: a chain, two dense groups, and some couplings far apart.
    fn lower(size: usize) -> Vec<Triplet<usize, usize, f64>> {
        let coupled = |i: usize, j: usize| {
            i - j < 2 || (i * j) % 13 == 5 || i / 21 == j / 21 && i % 21 > 9 && j % 21 > 9
        };
        let pairs = (0..size).flat_map(|j| (j..size).map(move |i| (i, j))).filter(|&(i, j)| coupled(i, j));
        // dominant: no row has more than `size` others, each below 1
        let value = |i: usize, j: usize| if i == j { size as f64 } else { ((i + 3 * j) as f64).sin() };
        pairs.map(|(i, j)| Triplet::new(i, j, value(i, j))).collect()
    }

    /// The largest difference between A x and the right sides, with merged parts or without.
    fn residual(size: usize, relax: Option<&[(usize, f64)]>) -> f64 {
        let entries = lower(size);
        let matrix = SparseColMat::<usize, f64>::try_new_from_triplets(size, size, &entries).unwrap();
        let parameters = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
            supernodal_params: SymbolicSupernodalParams { relax },
            ..Default::default()
        };
        let backward: Box<[usize]> = (0..size).rev().collect();
        let ordering = SymmetricOrdering::Custom(PermRef::new_checked(&backward, &backward, size));
        let symbolic =
            factorize_symbolic_cholesky(matrix.symbolic(), Side::Lower, ordering, parameters).unwrap();
        let mut factor = vec![0.0; symbolic.len_val()];
        let scratch = symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Spec::default());
        let (mut memory, spec) = (MemBuffer::new(scratch), Spec::default());
        let memory = MemStack::new(&mut memory);
        let llt = Default::default();
        symbolic
            .factorize_numeric_llt(&mut factor, matrix.as_ref(), Side::Lower, llt, Par::Seq, memory, spec)
            .unwrap();
        let SymbolicCholeskyRaw::Supernodal(parts) = symbolic.raw() else { panic!("parts were asked for") };
        // both as they are eliminated: backward
        let mut left: Vec<f64> = (0..3 * size).map(|i| (i as f64).cos()).collect();
        let mut x = left.clone();
        solve_in_place(parts, &factor, &mut x, &mut vec![f64::NAN; 3 * work_length(parts)]);
        for (left, x) in left.chunks_exact_mut(size).zip(x.chunks_exact(size)) {
            for Triplet { row, col, val } in &entries {
                let (i, j) = (size - 1 - row, size - 1 - col);
                left[i] -= val * x[j];
                left[j] -= if i == j { 0.0 } else { val * x[i] };
            }
        }
        left.iter().fold(0.0, |worst, x| f64::max(worst, x.abs()))
    }

    #[test]
    fn parts_of_every_width_solve_three_systems_at_once() {
        for size in (1..12).chain([40, 63, 101]) {
            for relax in [None, Some(&[(4, 1.0), (16, 0.8)][..])] {
                // sizes of the right sides are about 1: rounding only
                assert!(residual(size, relax) < 1e-14, "{size} rows");
            }
        }
    }
}
