//! One list of rows: hands, exact constraints, contacts and ties in the equations of a step.
//!
//! ```text
//! A x = b + G lambda,   y = J x                                                                           (1)
//! stiffness S:      lambda = -S y                                                                         (2)
//! compliance C:     y + C lambda = r                                                                      (3)
//! exact:            y = r                                                                                 (4)
//! with bounds:      w = y + C lambda - r:  w = 0, or lambda at its lower bound and w >= 0, or at its upper one and w <= 0     (5)
//! ```
//!
//! Rows come in groups of one to three over material points. J_g weighs the nodes of a point (3x3 levers where a bone carries them), G_g is how its
//! forces act on them: J_g^T, unless a direction of its own is given (friction, [Stolfi 3.3]). A row with the bounds 0 and infinity pushes and never pulls. S may be
//! singular: a hand at its largest force only turns. What r of a spring is, the right side b carries.
//!
//! A list is applied in three ways: as a Schur complement over a factor or another inverse ([`Woodbury`] for (2), [`HardRows`] for (3) to (5)) or over lumped mass
//! ([`LumpedRows`]); as an operator beside A (`operator`); and by the test whether A with (2) is definite where A is not (`held_matrix`).

mod hard;
mod held_matrix;
mod lumped;
mod operator;
mod woodbury;

use std::ops::Range;

use pliant_numerics::{BlockCholesky, Mat3};

pub use hard::HardRows;
pub(crate) use held_matrix::{Gradients, HeldMatrix};
pub use lumped::LumpedRows;
pub use woodbury::{Corrected, Woodbury};

/// More rows than this are never a dense matrix.
pub const DENSE_ROWS: usize = 500;

/// What a group of rows asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Block {
    /// (2).
    Stiffness(Mat3<f64>),
    /// (3).
    Compliance(Mat3<f64>),
    /// (4).
    Exact,
}

impl Block {
    /// Of the first rows alone.
    fn of_rows(self, rows: usize) -> Self {
        let cut = |m: Mat3<f64>| Mat3::from_fn(|r, c| if r < rows && c < rows { m.0[r][c] } else { 0.0 });
        match self {
            Self::Stiffness(stiffness) => Self::Stiffness(cut(stiffness)),
            Self::Compliance(compliance) => Self::Compliance(cut(compliance)),
            Self::Exact => Self::Exact,
        }
    }
}

/// Rows over one point; see the [module](self).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowGroup {
    /// How many rows, one to three: the first ones of its levers.
    pub rows: usize,
    /// What they ask for.
    pub block: Block,
    /// r of (3) to (5).
    pub target: [f64; 3],
    /// Bounds of lambda.
    pub bounds: [[f64; 2]; 3],
}

impl RowGroup {
    /// A spring in three directions.
    pub fn stiff(stiffness: Mat3<f64>) -> Self {
        Self { rows: 3, block: Block::Stiffness(stiffness), target: [0.0; 3], bounds: TWO_SIDED }
    }

    /// y = r in some rows.
    pub fn exact(rows: usize, target: [f64; 3]) -> Self {
        Self { rows, block: Block::Exact, target, bounds: TWO_SIDED }
    }

    /// y + C lambda = r in some rows.
    pub fn compliant(rows: usize, compliance: Mat3<f64>, target: [f64; 3]) -> Self {
        Self { rows, block: Block::Compliance(compliance), target, bounds: TWO_SIDED }
    }

    /// Its first row pushes and never pulls.
    pub fn one_sided(mut self) -> Self {
        self.bounds[0] = [0.0, f64::INFINITY];
        self
    }

    fn compliance(&self) -> Mat3<f64> {
        match self.block {
            Block::Compliance(compliance) => compliance,
            Block::Exact | Block::Stiffness(_) => Mat3::zero(),
        }
    }
}

const TWO_SIDED: [[f64; 2]; 3] = [[f64::NEG_INFINITY, f64::INFINITY]; 3];

/// A node of the equations and the lever with which a group moves it.
pub type Lever = (u32, Mat3<f64>);

/// The list; keeps its memory from step to step.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    groups: Vec<RowGroup>,
    levers: Vec<Lever>,
    /// One past the last lever of each group's J, and of its own G.
    ends: Vec<[usize; 2]>,
    hard_rows: usize,
}

impl Rows {
    /// Forgets all groups.
    pub fn clear(&mut self) {
        self.groups.clear();
        self.levers.clear();
        self.ends.clear();
        self.hard_rows = 0;
    }

    /// Adds a group with the levers of J, in a function that hands them over one by one; a node may come more than once.
    ///
    /// # Panics
    /// If a spring has bounds: write it as a compliance, whose force has them.
    pub fn add(&mut self, group: RowGroup, levers: impl FnOnce(&mut dyn FnMut(u32, Mat3<f64>))) {
        let stiff = matches!(group.block, Block::Stiffness(_));
        assert!((1..=3).contains(&group.rows), "one row to three");
        assert!(!stiff || group.bounds == TWO_SIDED, "a spring with bounds is a compliance");
        let group = RowGroup { block: group.block.of_rows(group.rows), ..group };
        levers(&mut |node, lever| self.levers.push((node, lever)));
        self.ends.push([self.levers.len(); 2]);
        self.hard_rows += if stiff { 0 } else { group.rows };
        self.groups.push(group);
    }

    /// Gives the last group a direction G of its own: its forces act by the transposes of these levers.
    pub fn direct(&mut self, levers: impl FnOnce(&mut dyn FnMut(u32, Mat3<f64>))) {
        levers(&mut |node, lever| self.levers.push((node, lever)));
        let end = self.levers.len();
        if let Some(last) = self.ends.last_mut() {
            last[1] = end;
        }
    }

    /// How many groups.
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Groups that ask for (2) and resist.
    pub fn spring_count(&self) -> usize {
        self.springs().filter(|(_, stiffness)| *stiffness != Mat3::zero()).count()
    }

    /// Rows that ask for (3) to (5).
    pub fn hard_count(&self) -> usize {
        self.hard_rows
    }

    /// Whether all forces act along their rows, so that Schur complements are symmetric.
    pub fn is_symmetric(&self) -> bool {
        self.ends.iter().all(|[j, g]| j == g)
    }

    /// J of a group.
    fn levers(&self, group: usize) -> &[Lever] {
        &self.levers[self.range(group)]
    }

    /// G^T of a group.
    fn directions(&self, group: usize) -> &[Lever] {
        let [j, g] = self.ends[group];
        if j == g { self.levers(group) } else { &self.levers[j..g] }
    }

    fn range(&self, group: usize) -> Range<usize> {
        group.checked_sub(1).map_or(0, |before| self.ends[before][1])..self.ends[group][0]
    }

    /// Groups with (2), their numbers and stiffnesses.
    fn springs(&self) -> impl Iterator<Item = (usize, Mat3<f64>)> {
        self.groups.iter().enumerate().filter_map(|(index, group)| match group.block {
            Block::Stiffness(stiffness) => Some((index, stiffness)),
            Block::Compliance(_) | Block::Exact => None,
        })
    }

    /// Groups with (3) to (5), their numbers and those of their first rows.
    fn hard(&self) -> impl Iterator<Item = (usize, usize, &RowGroup)> {
        let hard = |(_, group): &(usize, &RowGroup)| !matches!(group.block, Block::Stiffness(_));
        self.groups.iter().enumerate().filter(hard).scan(0, |next, (index, group)| {
            let first = *next;
            *next += group.rows;
            Some((index, first, group))
        })
    }

    /// Adds a column of G, held unknowns left out.
    pub(crate) fn fill_column(&self, (group, row): (usize, usize), held: &[bool], column: &mut [f64]) {
        for &(node, lever) in self.directions(group) {
            for k in 0..3 {
                let dof = 3 * node as usize + k;
                column[dof] += if held[dof] { 0.0 } else { lever.0[row][k] };
            }
        }
    }

    /// What hard rows ask of a motion, r - J x, and their bounds; forces become zero.
    fn ask(&self, x: &[f64], (right, bounds, forces): (&mut Vec<f64>, &mut Vec<[f64; 2]>, &mut Vec<f64>)) {
        right.clear();
        bounds.clear();
        for (group, _, what) in self.hard() {
            for row in 0..what.rows {
                right.push(what.target[row] - self.motion(group, row, |i| x[i]));
                bounds.push(what.bounds[row]);
            }
        }
        forces.clear();
        forces.resize(right.len(), 0.0);
    }

    /// y of one row.
    pub(crate) fn motion(&self, group: usize, row: usize, value: impl Fn(usize) -> f64) -> f64 {
        mean(self.levers(group), value, row)
    }

    /// Adds a force of a group to those on its nodes.
    fn spread(&self, group: usize, force: [f64; 3], out: &mut [f64]) {
        for &(node, lever) in self.directions(group) {
            let share = lever.transpose().mul_vec(force);
            (0..3).for_each(|c| out[3 * node as usize + c] += share[c]);
        }
    }
}

/// The weighted sum of one row over the nodes of a group.
fn mean(levers: &[Lever], value: impl Fn(usize) -> f64, row: usize) -> f64 {
    let one = |(node, lever): &Lever| -> f64 {
        (0..3).map(|k| lever.0[row][k] * value(3 * *node as usize + k)).sum()
    };
    levers.iter().map(one).sum()
}

/// Solves equations in place: the A^-1 of a Schur complement. Right sides are zero where unknowns are held, and so are solutions.
pub trait Inverse {
    /// Turns a right side into the solution.
    fn solve_in_place(&mut self, x: &mut [f64]);
}

impl Inverse for BlockCholesky {
    fn solve_in_place(&mut self, x: &mut [f64]) {
        Self::solve_in_place(self, x);
    }
}

/// How rows were imposed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RowsReport {
    /// How their equations were solved.
    pub way: RowsWay,
    /// Solutions, sweeps or products that took.
    pub iterations: usize,
    /// Rows that others imply.
    pub redundant: usize,
    /// The group that could not be satisfied and by how much it is missed, in units of its rows: rows in conflict with others or with what is held.
    pub conflict: Option<(usize, f64)>,
    /// What iterations left of the right side.
    pub residual: f64,
    /// Whether they were given up: what is missed may then be a conflict, or only not found.
    pub unsolved: bool,
}

/// Ways to solve the equations of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowsWay {
    /// There were none.
    #[default]
    None,
    /// As a dense Schur complement.
    Dense,
    /// By projected gradients with a sparse Schur complement.
    Sparse,
    /// By projected Gauss-Seidel sweeps over a sparse Schur complement that is not symmetric.
    Sweeps,
    /// By projected gradients with products of the inverse.
    Projected,
}

/// Too many rows whose forces have directions of their own for a dense matrix, over an inverse that is known by its solutions alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{rows} rows with directions of their own are too many (the most are {DENSE_ROWS})")]
pub struct TooManyRows {
    /// How many.
    pub rows: usize,
}
