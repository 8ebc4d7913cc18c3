//! One part of the rows: its blocks, its factor, and its share of every vector.

use wide::f64x4;

use super::Preconditioner;
use super::blocks::{Blocks, Columns, columns_of, times};
use crate::{BlockMatrix, BlockPattern, Mat3};

/// Directions that are kept; with 4 or 8 bars and grids took as many steps within a tenth, and longer ones.
pub const KEPT: usize = 2;

const _: () = assert!(KEPT >= 2, "`sums` of a part hold two numbers beside");

/// See the [module](self). Equations are those of the module above.
pub struct Part {
    /// The first row in the order of the sweeps.
    pub first: usize,
    /// Rows of the matrix, in the order of the sweeps.
    pub nodes: Vec<u32>,
    /// Blocks of L, L^T or what stands there, and O; columns of the first two are counted from the part's first row.
    lower: Blocks,
    upper: Blocks,
    outer: Blocks,
    sources: Vec<u32>,
    /// Whether a diagonal block does not resist everything: then the matrix does not either.
    pub gives_way: bool,
    preconditioner: Preconditioner,
    /// D^-1, D, the diagonal blocks A_D of A, which differ from D where M is made heavier, and A_D - 2 D.
    inverse: Vec<Columns>,
    diagonal: Vec<Columns>,
    own: Vec<Columns>,
    rest: Vec<Columns>,
    /// Vectors b, p, r' or r, q and x.
    pub right: Vec<f64x4>,
    pub direction: Vec<f64x4>,
    pub residual: Vec<f64x4>,
    pub product: Vec<f64x4>,
    pub solution: Vec<f64x4>,
    /// What sums over all rows have here.
    pub sums: [f64; KEPT],
    /// t_k and q_k of the last directions, where the matrix is not symmetric.
    kept: [Kept; KEPT],
}

/// A direction's t and q.
#[derive(Default)]
struct Kept {
    swept: Vec<f64x4>,
    product: Vec<f64x4>,
}

impl Part {
    /// Rows `first..first + count` of an order; `place` is its inverse.
    pub fn new(pattern: &BlockPattern, order: &[u32], place: &[u32], first: usize, count: usize) -> Self {
        let nodes = order[first..first + count].to_vec();
        // columns of a row in the order of the sweeps, with their place in the matrix
        let ordered = |local: usize| {
            let node = nodes[local] as usize;
            let columns = (pattern.row_start(node) as u32..).zip(pattern.row(node));
            let mut row: Vec<(u32, u32)> = columns.map(|(at, c)| (place[*c as usize], at)).collect();
            row.sort_unstable();
            row
        };
        let inside = |column: u32| (first..first + count).contains(&(column as usize));
        let within = |keep: fn(u32, u32) -> bool| {
            let rows = (0..count).map(|local| {
                let own = (first + local) as u32;
                let kept = ordered(local).into_iter().filter(|(c, _)| inside(*c) && keep(*c, own));
                kept.map(|(c, at)| (c - first as u32, at)).collect()
            });
            Blocks::new(rows)
        };
        let (lower, upper) = (within(|column, row| column < row), within(|column, row| column > row));
        let outer = Blocks::new(
            (0..count).map(|local| ordered(local).into_iter().filter(|(c, _)| !inside(*c)).collect()),
        );
        let sources = nodes.iter().map(|n| pattern.find(*n, *n).unwrap_or(usize::MAX) as u32).collect();
        let (zero, blocks) = (vec![f64x4::splat(0.0); count], vec![[f64x4::splat(0.0); 3]; count]);
        Self {
            first,
            nodes,
            lower,
            upper,
            outer,
            sources,
            gives_way: false,
            preconditioner: Preconditioner::Sweeps,
            inverse: blocks.clone(),
            diagonal: blocks.clone(),
            own: blocks.clone(),
            rest: blocks,
            right: zero.clone(),
            direction: zero.clone(),
            residual: zero.clone(),
            product: zero.clone(),
            solution: zero,
            sums: [0.0; KEPT],
            kept: std::array::from_fn(|_| Kept::default()),
        }
    }

    /// Takes the values of a matrix; M alone sees what `heavier` adds.
    pub fn refill(
        &mut self,
        matrix: &BlockMatrix,
        held: &[bool],
        nodes: &[u32],
        (preconditioner, heavier): (Preconditioner, impl Fn(u32) -> Option<Mat3<f64>>),
    ) {
        let blocks = matrix.blocks();
        [&mut self.lower, &mut self.upper, &mut self.outer].into_iter().for_each(|b| b.refill(blocks));
        let flags = |node: u32| std::array::from_fn(|c| held[3 * node as usize + c]);
        let first = self.first as u32;
        self.preconditioner = preconditioner;
        self.gives_way = false;
        for row in 0..self.nodes.len() {
            let own = flags(self.nodes[row]);
            self.lower.hold(row, own, |c| flags(nodes[(first + c) as usize]));
            self.upper.hold(row, own, |c| flags(nodes[(first + c) as usize]));
            self.outer.hold(row, own, |c| flags(nodes[c as usize]));
            let block = masked(&blocks[self.sources[row] as usize], own, 1.0);
            let more = heavier(self.nodes[row]).map_or(Mat3::zero(), |more| masked(&more, own, 0.0));
            let diagonal = (block + more).symmetric_part();
            self.gives_way |= !is_definite(&diagonal);
            self.inverse[row] = columns_of(&diagonal.inverse().symmetric_part());
            self.diagonal[row] = columns_of(&diagonal);
            self.own[row] = columns_of(&block);
            self.rest[row] = columns_of(&(block - diagonal.scale(2.0)));
        }
    }

    /// t = (D + L^T)^-1 p, into `swept`.
    pub fn sweep_back(&self, swept: &mut [f64x4]) {
        for row in (0..self.nodes.len()).rev() {
            let left = self.upper.subtract_row(row, swept, self.direction[row]);
            swept[row] = times(&self.inverse[row], left);
        }
    }

    /// q of (2) from t, all of it and the part's own; gives p . q. `extra` is what is added to A t.
    pub fn sweep_forth(&mut self, all: &[f64x4], extra: Option<&[f64x4]>) -> f64 {
        let swept = &all[self.first..self.first + self.nodes.len()];
        let mut sum = f64x4::splat(0.0);
        for row in 0..self.nodes.len() {
            let mut right = self.direction[row] + times(&self.rest[row], swept[row]);
            right += self.outer.subtract_row(row, all, f64x4::splat(0.0)) * f64x4::splat(-1.0);
            if let Some(extra) = extra {
                right += extra[self.first + row];
            }
            let left = self.lower.subtract_row(row, &self.product, right);
            self.product[row] = times(&self.inverse[row], left);
        }
        for (row, (product, t)) in self.product.iter_mut().zip(swept).enumerate() {
            *product += *t;
            sum = product.mul_add(self.direction[row], sum);
        }
        sum_of(sum)
    }

    /// q = A p, p of all parts; gives p . q.
    pub fn multiply(&mut self, all: &[f64x4], extra: Option<&[f64x4]>) -> f64 {
        let mut sum = f64x4::splat(0.0);
        for row in 0..self.nodes.len() {
            let product = self.row_times(row, all, extra);
            self.product[row] = product;
            sum = product.mul_add(self.direction[row], sum);
        }
        sum_of(sum)
    }

    /// b - A x into `product`, x of all parts.
    pub fn find_residual(&mut self, all: &[f64x4], extra: Option<&[f64x4]>) {
        for row in 0..self.nodes.len() {
            self.product[row] = self.right[row] - self.row_times(row, all, extra);
        }
    }

    /// A row of A and of what is added to it, times a vector.
    #[inline(always)]
    fn row_times(&self, row: usize, all: &[f64x4], extra: Option<&[f64x4]>) -> f64x4 {
        let own = &all[self.first..self.first + self.nodes.len()];
        let mut less = self.lower.subtract_row(row, own, f64x4::splat(0.0));
        less = self.upper.subtract_row(row, own, less);
        less = self.outer.subtract_row(row, all, less);
        let product = times(&self.own[row], own[row]) - less;
        extra.map_or(product, |extra| product + extra[self.first + row])
    }

    /// The square of |b| + |A| |x|, row by row, x of all parts.
    pub fn sizes(&self, all: &[f64x4]) -> f64 {
        let own = &all[self.first..self.first + self.nodes.len()];
        let mut sum = f64x4::splat(0.0);
        for row in 0..self.nodes.len() {
            let blocks = [(&self.lower, own), (&self.upper, own), (&self.outer, all)];
            let start = self.right[row].abs() + times(&self.own[row].map(f64x4::abs), own[row].abs());
            let size = blocks.into_iter().fold(start, |size, (blocks, x)| blocks.add_sizes(row, x, size));
            sum = size.mul_add(size, sum);
        }
        sum_of(sum)
    }

    /// The square of b.
    pub fn right_square(&mut self) -> f64 {
        sum_of(self.right.iter().fold(f64x4::splat(0.0), |sum, b| b.mul_add(*b, sum)))
    }

    /// (L + D)^-1 of what is in `residual`, in place.
    pub fn sweep_residual(&mut self) {
        for row in 0..self.nodes.len() {
            let left = self.lower.subtract_row(row, &self.residual, self.residual[row]);
            self.residual[row] = times(&self.inverse[row], left);
        }
    }

    /// The square of what is in `residual`, in the norm of M^-1.
    pub fn square(&self) -> f64 {
        let metric = metric(self.preconditioner, &self.diagonal, &self.inverse);
        let rows = self.residual.iter().zip(metric);
        sum_of(rows.fold(f64x4::splat(0.0), |sum, (r, metric)| times(metric, *r).mul_add(*r, sum)))
    }

    /// x += a t, r' -= a q; gives r' . z.
    pub fn advance(&mut self, part: f64, swept: &[f64x4]) -> f64 {
        let part = f64x4::splat(part);
        for row in 0..self.nodes.len() {
            self.solution[row] = part.mul_add(swept[row], self.solution[row]);
            self.residual[row] = part.mul_neg_add(self.product[row], self.residual[row]);
        }
        self.square()
    }

    /// p = z + b p.
    pub fn turn(&mut self, turn: f64) {
        let turn = f64x4::splat(turn);
        for (row, metric) in metric(self.preconditioner, &self.diagonal, &self.inverse).iter().enumerate() {
            let z = times(metric, self.residual[row]);
            self.direction[row] = turn.mul_add(self.direction[row], z);
        }
    }

    /// Makes room for directions to keep.
    pub fn make_room(&mut self) {
        for vectors in &mut self.kept {
            [&mut vectors.swept, &mut vectors.product]
                .into_iter()
                .for_each(|v| v.resize(self.nodes.len(), f64x4::splat(0.0)));
        }
    }

    /// q . D q_k of the first few directions kept.
    pub fn along_kept(&mut self, count: usize) {
        let mut sums = [f64x4::splat(0.0); KEPT];
        let metric = metric(self.preconditioner, &self.diagonal, &self.inverse);
        for (row, product) in self.product.iter().enumerate() {
            let weighted = times(&metric[row], *product);
            for (sum, kept) in sums.iter_mut().zip(&self.kept[..count]) {
                *sum = weighted.mul_add(kept.product[row], *sum);
            }
        }
        self.sums = sums.map(sum_of);
    }

    /// Takes from q and t what is along the directions kept, then finds q . D q and r' . D q.
    pub fn turn_away(&mut self, along: &[f64], swept: &mut [f64x4]) {
        let (mut square, mut slope) = (f64x4::splat(0.0), f64x4::splat(0.0));
        let metric = metric(self.preconditioner, &self.diagonal, &self.inverse);
        for row in 0..self.nodes.len() {
            let (mut q, mut t) = (self.product[row], swept[row]);
            for (along, kept) in along.iter().zip(&self.kept) {
                let along = f64x4::splat(*along);
                q = along.mul_neg_add(kept.product[row], q);
                t = along.mul_neg_add(kept.swept[row], t);
            }
            (self.product[row], swept[row]) = (q, t);
            let weighted = times(&metric[row], q);
            square = weighted.mul_add(q, square);
            slope = weighted.mul_add(self.residual[row], slope);
        }
        self.sums[..2].copy_from_slice(&[square, slope].map(sum_of));
    }

    /// Keeps q and t, both over `norm`, at a place.
    pub fn keep(&mut self, place: usize, norm: f64, swept: &[f64x4]) {
        let scale = f64x4::splat(1.0 / norm);
        let kept = &mut self.kept[place];
        kept.product.iter_mut().zip(&self.product).for_each(|(kept, q)| *kept = *q * scale);
        kept.swept.iter_mut().zip(swept).for_each(|(kept, t)| *kept = *t * scale);
    }
}

/// What makes a step of r' or r, and whose norm is that of M^-1: D for the swept r', D^-1 for r.
fn metric<'a>(kind: Preconditioner, diagonal: &'a [Columns], inverse: &'a [Columns]) -> &'a [Columns] {
    match kind {
        Preconditioner::Sweeps => diagonal,
        Preconditioner::Jacobi => inverse,
    }
}

/// The sum of the first three lanes.
fn sum_of(sum: f64x4) -> f64 {
    let [a, b, c, _] = sum.to_array();
    a + b + c
}

/// A diagonal block with rows and columns of held unknowns those of `one` times the identity.
fn masked(block: &Mat3<f64>, held: [bool; 3], one: f64) -> Mat3<f64> {
    Mat3::from_fn(|r, c| match held[r] || held[c] {
        true if r == c => one,
        true => 0.0,
        false => block.0[r][c],
    })
}

/// Whether a symmetric block is positive definite: its leading principal minors.
fn is_definite(m: &Mat3<f64>) -> bool {
    let two = m.0[0][0] * m.0[1][1] - m.0[0][1] * m.0[1][0];
    [m.0[0][0], two, m.determinant()].into_iter().all(|minor| minor > 0.0)
}
