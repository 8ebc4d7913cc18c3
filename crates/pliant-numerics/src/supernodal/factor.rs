//! The numbers of a sparse Cholesky factor in dense parts, on all threads, with the same bits for any number of them.
//!
//! ```text
//! a part: columns a..b of L,  [ T ]  rows a..b        A_ab: the same rows and columns of the matrix
//!                             [ R ]  further rows
//! [T; R] T^T = A_ab - sum over sources d of  L_d (their rows from a on) L_d (their rows in a..b)^T
//! ```
//!
//! Branches of the tree are factored side by side. In their trunks, the sum and the division by T are split into blocks of
//! rows. What is split, and the order of each sum, depend on the pattern alone. The
//! sequential method is the left-looking supernodal one (T. A. Davis, Direct Methods for Sparse Linear Systems, SIAM 2006, 4.8).

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{LltError, cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::reborrow::{Reborrow, ReborrowMut};
use faer::{Accum, MatMut, MatRef, Par, Spec};

use super::plan::{Part, Parts, Plan, Source};
use super::tree::Branch;
use crate::parallel;

/// Columns that are finished together.
const PANEL: usize = 128;
/// Rows of a product that are made together, so that it stays in the cache until it is added.
const TALL: usize = 256;
/// No block has fewer rows.
const FEWEST: usize = 64;

/// What one thread at a time works with.
struct Desk {
    product: Vec<f64>,
    /// Rows of the product.
    height: usize,
    /// First row in the product, first row in the block of rows, length.
    runs: Vec<[usize; 3]>,
    pivots: MemBuffer,
}

/// Memory for a trunk.
pub(crate) struct Room {
    /// The row of the part at hand where each row of the matrix is.
    local: Vec<u32>,
    desks: Vec<Desk>,
}

impl Room {
    /// For a matrix of `size` rows and some blocks of rows at once.
    pub(crate) fn new(size: usize, blocks: usize) -> Self {
        let pivots = || MemBuffer::new(cholesky_in_place_scratch::<f64>(PANEL, Par::Seq, Spec::default()));
        let desk = |_| Desk {
            product: vec![0.0; TALL * PANEL],
            height: 0,
            runs: Vec::with_capacity(TALL),
            pivots: pivots(),
        };
        Self { local: vec![0; size], desks: (0..blocks).map(desk).collect() }
    }
}

/// Every thread makes room for its first dense product; here all do, so that none has to later.
pub(crate) fn make_room() {
    parallel::on_every_thread(|| {
        // smaller products need none
        const SIDE: usize = 64;
        let (ones, mut product) = ([1.0; SIDE * SIDE], [0.0; SIDE * SIDE]);
        let ones = MatRef::from_column_major_slice(&ones, SIDE, SIDE);
        let product = MatMut::from_column_major_slice_mut(&mut product, SIDE, SIDE);
        matmul(product, Accum::Replace, ones, ones, 1.0, Par::Seq);
    });
}

/// Factors the matrix of these values; on failure, the first column whose pivot is not above zero.
pub(crate) fn factor(
    (parts, plan): (&Parts, &Plan),
    values: &[f64],
    factor: &mut [f64],
    branches: &mut [Branch<Room>],
) -> Result<(), usize> {
    Work { parts, plan, values }.branches(branches, (0, factor))
}

/// The matrix and what is known of its factor.
#[derive(Clone, Copy)]
struct Work<'a> {
    parts: &'a Parts,
    plan: &'a Plan,
    values: &'a [f64],
}

/// Some columns of a part, and all that is finished before them.
struct Panel<'a> {
    part: Part<'a>,
    /// First column and the one after the last, counted in the part.
    ends: [usize; 2],
    /// The part's own columns before.
    own: MatRef<'a, f64>,
    sources: &'a [Source],
    /// Numbers of the factor from a place on.
    before: (usize, &'a [f64]),
    local: &'a [u32],
}

impl Work<'_> {
    /// Some branches side by side; their numbers of the factor, and the place where these start.
    fn branches(
        &self,
        branches: &mut [Branch<Room>],
        (place, factor): (usize, &mut [f64]),
    ) -> Result<(), usize> {
        match branches {
            [] => Ok(()),
            [Branch { children, trunk, memory }] => {
                self.branches(children, (place, &mut *factor))?;
                trunk.clone().try_for_each(|s| self.part(s, (place, &mut *factor), memory))
            }
            _ => {
                let (left, right) = branches.split_at_mut(branches.len() / 2);
                let middle = Part::of(self.parts, right[0].start()).place;
                let (before, after) = factor.split_at_mut(middle - place);
                let (left, right) = parallel::join(
                    || self.branches(left, (place, before)),
                    || self.branches(right, (middle, after)),
                );
                // the failure with the lower column, whichever came first
                left.and(right)
            }
        }
    }

    /// All numbers of part `s`.
    fn part(&self, s: usize, (place, factor): (usize, &mut [f64]), room: &mut Room) -> Result<(), usize> {
        let part = Part::of(self.parts, s);
        let height = part.height();
        let (before, rest) = factor.split_at_mut(part.place - place);
        let numbers = &mut rest[..part.length()];
        numbers.fill(0.0);
        self.plan
            .entries
            .of(s)
            .iter()
            .for_each(|e| numbers[e.place as usize] += self.values[e.value as usize]);
        let rows = (part.start..part.start + part.width).chain(part.rows.iter().copied());
        rows.enumerate().for_each(|(i, row)| room.local[row] = i as u32);
        for start in (0..part.width).step_by(PANEL) {
            let end = part.width.min(start + PANEL);
            let (own, columns) = numbers.split_at_mut(start * height);
            let columns = MatMut::from_column_major_slice_mut(
                &mut columns[..(end - start) * height],
                height,
                end - start,
            );
            let panel = Panel {
                part,
                ends: [start, end],
                own: MatRef::from_column_major_slice(own, height, start),
                sources: self.plan.sources.of(s),
                before: (place, before),
                local: &room.local,
            };
            let columns = columns.subrows_mut(start, height - start);
            self.panel(&panel, columns, &mut room.desks).map_err(|column| part.start + start + column)?;
        }
        Ok(())
    }

    /// Finishes some columns, given from their diagonal block on.
    fn panel(&self, panel: &Panel, mut columns: MatMut<f64>, desks: &mut [Desk]) -> Result<(), usize> {
        let width = columns.ncols();
        split((panel.ends[0], columns.rb_mut()), desks, &|rows, desk| self.change(panel, rows, desk));
        let (mut triangle, below) = columns.split_at_row_mut(width);
        let memory = MemStack::new(&mut desks[0].pivots);
        let pivots =
            cholesky_in_place(triangle.rb_mut(), Default::default(), Par::Seq, memory, Spec::default());
        pivots.map_err(|LltError::NonPositivePivot { index }| index)?;
        let triangle = triangle.rb();
        split((panel.ends[1], below), desks, &|(_, rows), _| {
            solve_lower_triangular_in_place(triangle, rows.transpose_mut(), Par::Seq);
        });
        Ok(())
    }

    /// Subtracts what all columns before contribute to some rows of a panel; the number of their first row stands with them.
    fn change(&self, panel: &Panel, (first, mut rows): (usize, MatMut<f64>), desk: &mut Desk) {
        let [start, end] = panel.ends;
        if start > 0 {
            let (left, right) =
                (panel.own.subrows(first, rows.nrows()), panel.own.subrows(start, end - start));
            matmul(rows.rb_mut(), Accum::Add, left, right.transpose(), -1.0, Par::Seq);
        }
        for source in panel.sources {
            self.change_by(source, panel, (first, rows.rb_mut()), desk);
        }
    }

    /// Subtracts what one source contributes.
    fn change_by(
        &self,
        source: &Source,
        panel: &Panel,
        (first, mut rows): (usize, MatMut<f64>),
        desk: &mut Desk,
    ) {
        let (from, skipped) = (Part::of(self.parts, source.part as usize), source.first as usize);
        let from_rows = &from.rows[skipped..];
        let columns = panel.ends.map(|end| from_rows.partition_point(|&row| row < panel.part.start + end));
        if columns[0] == columns[1] {
            return;
        }
        // from the first of these columns on, the rows are all in the panel's part
        let local = |row: &usize| panel.local[*row] as usize;
        let before = |limit| columns[0] + from_rows[columns[0]..].partition_point(|row| local(row) < limit);
        let (start, end) = (before(first), before(first + rows.nrows()));
        let numbers = &panel.before.1[from.place - panel.before.0..][..from.length()];
        let numbers = MatRef::from_column_major_slice(numbers, from.height(), from.width);
        let numbers = numbers.subrows(from.width + skipped, from_rows.len());
        let right = numbers.subrows(columns[0], columns[1] - columns[0]);
        for at in (start..end).step_by(TALL) {
            let some = &from_rows[at..end.min(at + TALL)];
            desk.multiply(numbers.subrows(at, some.len()), right, some.iter().map(|row| local(row) - first));
            let to =
                from_rows[columns[0]..columns[1]].iter().map(|row| row - panel.part.start - panel.ends[0]);
            desk.subtract(rows.rb_mut(), to);
        }
    }
}

impl Desk {
    /// Makes the product of `left` and the transpose of `right`, for these rows.
    fn multiply(&mut self, left: MatRef<f64>, right: MatRef<f64>, rows: impl Iterator<Item = usize>) {
        self.runs.clear();
        for (i, row) in rows.enumerate() {
            match self.runs.last_mut() {
                Some([_, start, length]) if *start + *length == row => *length += 1,
                _ => self.runs.push([i, row, 1]),
            }
        }
        let (height, width) = (left.nrows(), right.nrows());
        let product = &mut self.product[..height * width];
        let product = MatMut::from_column_major_slice_mut(product, height, width);
        matmul(product, Accum::Replace, left, right.transpose(), 1.0, Par::Seq);
        self.height = height;
    }

    /// Subtracts the product from its rows in these columns.
    fn subtract(&self, mut from: MatMut<f64>, columns: impl Iterator<Item = usize>) {
        for (column, product) in columns.zip(self.product.chunks_exact(self.height)) {
            let Some(column) = from.rb_mut().col_mut(column).try_as_col_major_mut() else { continue };
            let column = column.as_slice_mut();
            for &[i, row, length] in &self.runs {
                let pairs = column[row..row + length].iter_mut().zip(&product[i..i + length]);
                pairs.for_each(|(number, change)| *number -= change);
            }
        }
    }
}

/// Works on blocks of rows side by side, at most one for each desk.
fn split(
    (first, rows): (usize, MatMut<f64>),
    desks: &mut [Desk],
    work: &(impl Fn((usize, MatMut<f64>), &mut Desk) + Sync),
) {
    if desks.len() == 1 || rows.nrows() < 2 * FEWEST {
        return work((first, rows), &mut desks[0]);
    }
    let half = rows.nrows() / 2;
    let (upper, lower) = rows.split_at_row_mut(half);
    let (left, right) = desks.split_at_mut(desks.len() / 2);
    parallel::join(|| split((first, upper), left, work), || split((first + half, lower), right, work));
}
