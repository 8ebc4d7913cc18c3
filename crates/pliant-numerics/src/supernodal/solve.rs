//! Solutions with a sparse factor that is stored in dense parts: L y = b, then L^T x = y.
//!
//! ```text
//! a part: columns a..b of L,  [ T ]  rows a..b, a lower triangle     z: a vector of these rows, kept for every part
//!                             [ R ]  further rows, all in the parent
//! forward    z = (b_ab, 0) + sum over children of what their further rows lost;   z_ab = T^-1 z_ab,   z_r -= R z_ab
//! backward   z_r: x from the parent's z;   z_ab = T^-T (z_ab - R^T z_r)
//! ```
//!
//! Reading L from memory is what takes the time, so each number is read once in each direction, and several columns side by
//! side; the upper halves of the triangles, which hold nothing, are passed over. Branches of the tree are solved side by
//! side; the order of all sums is fixed, so that the bits do not depend on the number of threads.

use super::factor::Room;
use super::plan::{Part, Parts, Plan};
use super::tree::Branch;
use crate::{F64x4, Lane, Pack, parallel};

/// A factor, and how many right sides there are.
#[derive(Clone, Copy)]
pub(crate) struct Solve<'a> {
    pub(crate) parts: &'a Parts,
    pub(crate) plan: &'a Plan,
    pub(crate) factor: &'a [f64],
    /// The row that is eliminated at each place.
    pub(crate) order: &'a [usize],
    pub(crate) sides: usize,
}

impl Solve<'_> {
    /// Numbers of working memory.
    pub(crate) fn work_length(parts: &Parts, sides: usize) -> usize {
        sides * (0..parts.n_supernodes()).map(|s| Part::of(parts, s).height()).sum::<usize>()
    }

    /// Turns the right sides, which stand side by side in every row, into solutions.
    pub(crate) fn in_place(&self, branches: &[Branch<Room>], right: &mut [f64], work: &mut [f64]) {
        self.forward(branches, right, (0, &mut *work));
        self.backward(branches, (0, &mut *work), (0, &[]));
        for s in 0..self.parts.n_supernodes() {
            let part = Part::of(self.parts, s);
            for (side, z) in work[self.place(s)..self.place(s + 1)].chunks_exact(part.height()).enumerate() {
                let rows = &self.order[part.start..part.start + part.width];
                rows.iter().zip(z).for_each(|(row, z)| right[self.sides * row + side] = *z);
            }
        }
    }

    /// Where the vectors of a part start among those of all.
    fn place(&self, s: usize) -> usize {
        self.sides * self.plan.heights[s]
    }

    /// Some branches side by side; their vectors, and the place where these start.
    fn forward(&self, branches: &[Branch<Room>], right: &[f64], (place, work): (usize, &mut [f64])) {
        match branches {
            [] => {}
            [Branch { children, trunk, .. }] => {
                self.forward(children, right, (place, &mut *work));
                for s in trunk.clone() {
                    let (below, own) = work.split_at_mut(self.place(s) - place);
                    self.forward_part(s, right, (place, below), own);
                }
            }
            _ => {
                let (first, second) = branches.split_at(branches.len() / 2);
                let middle = self.place(second[0].start());
                let (before, after) = work.split_at_mut(middle - place);
                parallel::join(
                    || self.forward(first, right, (place, before)),
                    || self.forward(second, right, (middle, after)),
                );
            }
        }
    }

    fn forward_part(&self, s: usize, right: &[f64], (place, below): (usize, &[f64]), own: &mut [f64]) {
        let part = Part::of(self.parts, s);
        let height = part.height();
        let own = &mut own[..self.sides * height];
        for (side, z) in own.chunks_exact_mut(height).enumerate() {
            let rows = &self.order[part.start..part.start + part.width];
            z.iter_mut().zip(rows).for_each(|(z, row)| *z = right[self.sides * row + side]);
            z[part.width..].fill(0.0);
            for &child in self.plan.children.of(s) {
                let (raised, width) = (self.plan.raised.of(child), Part::of(self.parts, child).width);
                let child = &below[self.place(child) - place + side * (width + raised.len())..][width..];
                raised.iter().zip(child).for_each(|(&to, lost)| z[to as usize] += lost);
            }
        }
        self.columns(s).forward(own);
    }

    /// As `forward`; `above` are the vectors of the trunk that the branches stand on, and the place where these start.
    fn backward(
        &self,
        branches: &[Branch<Room>],
        (place, work): (usize, &mut [f64]),
        above: (usize, &[f64]),
    ) {
        match branches {
            [] => {}
            [Branch { children, trunk, .. }] => {
                let start = self.place(trunk.start);
                let (below, own) = work.split_at_mut(start - place);
                for s in trunk.clone().rev() {
                    let end = self.place(s + 1);
                    let (own, after) = own.split_at_mut(end - start);
                    let inside = self.plan.parents[s].is_some_and(|parent| parent < trunk.end);
                    let above = if inside { (end, &*after) } else { above };
                    self.backward_part(s, &mut own[self.place(s) - start..], above);
                }
                self.backward(children, (place, below), (start, own));
            }
            _ => {
                let (first, second) = branches.split_at(branches.len() / 2);
                let middle = self.place(second[0].start());
                let (before, after) = work.split_at_mut(middle - place);
                parallel::join(
                    || self.backward(first, (place, before), above),
                    || self.backward(second, (middle, after), above),
                );
            }
        }
    }

    fn backward_part(&self, s: usize, own: &mut [f64], (place, above): (usize, &[f64])) {
        let part = Part::of(self.parts, s);
        if let Some(parent) = self.plan.parents[s] {
            let height = Part::of(self.parts, parent).height();
            let parent = above[self.place(parent) - place..].chunks_exact(height);
            for (z, parent) in own.chunks_exact_mut(part.height()).zip(parent) {
                let raised = self.plan.raised.of(s);
                z[part.width..].iter_mut().zip(raised).for_each(|(z, &from)| *z = parent[from as usize]);
            }
        }
        self.columns(s).backward(own);
    }

    fn columns(&self, s: usize) -> Columns<'_> {
        let part = Part::of(self.parts, s);
        let numbers = &self.factor[part.place..part.place + part.length()];
        Columns { width: part.width, height: part.height(), numbers }
    }
}

/// The numbers of a part, column by column.
struct Columns<'a> {
    width: usize,
    height: usize,
    numbers: &'a [f64],
}

impl<'a> Columns<'a> {
    /// `W` columns from their common diagonal block on.
    #[inline(always)]
    fn at_diagonal<const W: usize>(&self, at: usize) -> [&'a [f64]; W] {
        std::array::from_fn(|k| &self.numbers[(at + k) * self.height + at..(at + k + 1) * self.height])
    }

    /// Solves with the triangle and takes what the rows below lose, for every vector.
    fn forward(&self, vectors: &mut [f64]) {
        let mut at = 0;
        while at < self.width {
            let taken = taken(self.width - at);
            for z in vectors.chunks_exact_mut(self.height) {
                match taken {
                    8 => eliminate::<8>(self.at_diagonal(at), &mut z[at..]),
                    4 => eliminate::<4>(self.at_diagonal(at), &mut z[at..]),
                    2 => eliminate::<2>(self.at_diagonal(at), &mut z[at..]),
                    _ => eliminate::<1>(self.at_diagonal(at), &mut z[at..]),
                }
            }
            at += taken;
        }
    }

    /// Solves with the transposed triangle, the rows below known, for every vector.
    fn backward(&self, vectors: &mut [f64]) {
        let mut end = self.width;
        while end > 0 {
            let taken = taken(end);
            let at = end - taken;
            for z in vectors.chunks_exact_mut(self.height) {
                match taken {
                    8 => substitute::<8>(self.at_diagonal(at), &mut z[at..]),
                    4 => substitute::<4>(self.at_diagonal(at), &mut z[at..]),
                    2 => substitute::<2>(self.at_diagonal(at), &mut z[at..]),
                    _ => substitute::<1>(self.at_diagonal(at), &mut z[at..]),
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
