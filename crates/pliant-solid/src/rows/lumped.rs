//! Exact, compliant and one-sided rows over lumped mass: a Schur complement that is sparse by itself.
//!
//! ```text
//! W_gh = sum over common nodes i of  J_gi m_i^-1 G_hi,   x = x_0 + M^-1 G lambda                          (1)
//! ```
//!
//! Groups couple where they share nodes. Up to [`DENSE_ROWS`] rows are solved as `hard` does; more by projected gradients in units of the
//! diagonal, or by Gauss-Seidel sweeps where forces have directions of their own.

use pliant_numerics::Mat3;
use pliant_numerics::small::{Bounded, ProjectedGradients};

use super::hard::{force_of, group_of, most_missed};
use super::{DENSE_ROWS, Rows, RowsReport, RowsWay};

/// What iterations leave of the right side.
const TOLERANCE: f64 = 1e-10;
const PRODUCTS: usize = 60;
const SWEEPS: usize = 20_000;
/// The same of [`LumpedRows::relax`].
const RELAXED: usize = 400;

/// Imposes exact, compliant and one-sided rows over lumped mass. Keeps its memory from step to step.
#[derive(Clone, Debug, Default)]
pub struct LumpedRows {
    /// Node, hard group, lever in J, lever in G: sorted, so that common nodes are neighbours.
    touches: Vec<Touch>,
    /// Blocks of W + C, by group and then the other, each once; the last number is where they came from.
    blocks: Vec<Coupling>,
    /// Where the blocks of each group begin.
    starts: Vec<usize>,
    /// Diagonal of W + C to the power -1/2.
    scale: Vec<f64>,
    matrix: Vec<f64>,
    right: Vec<f64>,
    bounds: Vec<[f64; 2]>,
    forces: Vec<f64>,
    scaled: Vec<f64>,
    /// First row and number of rows of each hard group.
    places: Vec<(usize, usize)>,
    bounded: Bounded,
    gradients: ProjectedGradients,
}

/// A block between two groups, and a number of its own.
type Coupling = ((u32, u32, u32), Mat3<f64>);

/// A lever of a group on a node.
#[derive(Clone, Copy, Debug)]
struct Touch {
    node: u32,
    group: u32,
    /// Of G, not of J.
    pushes: bool,
    /// Its place among the levers of its group.
    number: u32,
    lever: Mat3<f64>,
}

impl LumpedRows {
    /// lambda of the last solution, row after row.
    pub fn forces(&self) -> &[f64] {
        &self.forces
    }

    /// W of a single group of rows, without its compliance.
    pub fn schur(&mut self, rows: &Rows, inverse: impl Fn(usize) -> f64) -> Mat3<f64> {
        self.couple(rows, &inverse);
        let own = rows.hard().next().map_or_else(Mat3::zero, |(_, _, what)| what.compliance());
        self.blocks.first().map_or_else(Mat3::zero, |(_, block)| *block - own)
    }

    /// Turns M^-1 b into (1); `inverse` gives 1/m of an unknown, zero where it is held.
    pub fn impose(&mut self, rows: &Rows, inverse: impl Fn(usize) -> f64, x: &mut [f64]) -> RowsReport {
        let count = rows.hard_count();
        if count == 0 {
            self.forces.clear();
            return RowsReport::default();
        }
        rows.ask(x, (&mut self.right, &mut self.bounds, &mut self.forces));
        self.places.clear();
        self.places.extend(rows.hard().map(|(_, first, what)| (first, what.rows)));
        if let Some(row) = self.right.iter().position(|r| !r.is_finite()) {
            return RowsReport { conflict: Some((group_of(rows, row), f64::NAN)), ..RowsReport::default() };
        }
        let whole = self.right.iter().map(|r| r * r).sum::<f64>().sqrt();
        self.couple(rows, &inverse);
        let report = match () {
            () if count <= DENSE_ROWS => self.dense(rows),
            () if rows.is_symmetric() => self.iterate(rows),
            () => self.sweep(),
        };
        self.spread(rows, &inverse, x);
        let conflict = match report.way {
            RowsWay::Dense => report.conflict,
            _ => most_missed(rows, x, &self.forces, TOLERANCE * whole),
        };
        RowsReport { conflict, ..report }
    }

    /// As [`Self::impose`] by sweeps of Gauss-Seidel alone, as rows of contact want it: redundant rows and rows that others contradict by rounding do no harm. Groups of two rows
    /// with a radius have forces within a disk of it, as friction has them: what slides is resisted against its way.
    pub fn relax(
        &mut self,
        rows: &Rows,
        inverse: impl Fn(usize) -> f64,
        x: &mut [f64],
        radii: Option<&[f64]>,
    ) -> RowsReport {
        rows.ask(x, (&mut self.right, &mut self.bounds, &mut self.forces));
        self.places.clear();
        self.places.extend(rows.hard().map(|(_, first, what)| (first, what.rows)));
        self.couple(rows, &inverse);
        let report = self.sweep_within(radii);
        self.spread(rows, &inverse, x);
        report
    }

    fn sweep_within(&mut self, radii: Option<&[f64]>) -> RowsReport {
        let whole = self.right.iter().fold(0.0_f64, |most, r| most.max(r.abs()));
        let mut report = RowsReport { way: RowsWay::Sweeps, unsolved: true, ..RowsReport::default() };
        while report.iterations < RELAXED && report.unsolved {
            let mut moved = 0.0_f64;
            for group in 0..self.places.len() {
                moved = moved.max(self.relax_group(group, radii.map(|radii| radii[group])));
            }
            report.iterations += 1;
            report.unsolved = moved > TOLERANCE * whole;
        }
        report
    }

    /// One group with all others as they are; gives by how much it moves.
    fn relax_group(&mut self, group: usize, radius: Option<f64>) -> f64 {
        let (first, height) = self.places[group];
        let mut left: [f64; 3] =
            std::array::from_fn(|i| if i < height { -self.right[first + i] } else { 0.0 });
        let mut own = Mat3::zero();
        for ((g, h, _), block) in &self.blocks[self.starts[group]..self.starts[group + 1]] {
            let (column, width) = self.places[*h as usize];
            let moves = block.mul_vec(force_of(&self.forces, column, width));
            (0..height).for_each(|i| left[i] += moves[i]);
            own = if g == h { *block } else { own };
        }
        let mut to: [f64; 3] = force_of(&self.forces, first, height);
        match radius {
            Some(radius) => {
                let give = (0..height).map(|i| own.0[i][i]).fold(0.0, f64::max);
                if give > 0.0 {
                    (0..height).for_each(|i| to[i] -= left[i] / give);
                }
                let size = to.iter().map(|f| f * f).sum::<f64>().sqrt();
                let part = if size > radius { radius / size } else { 1.0 };
                to = to.map(|f| part * f);
            }
            None => {
                for i in (0..height).filter(|i| own.0[*i][*i] > 0.0) {
                    let [low, high] = self.bounds[first + i];
                    to[i] = (to[i] - left[i] / own.0[i][i]).clamp(low, high);
                }
            }
        }
        let mut moved = 0.0_f64;
        for i in 0..height {
            moved = moved.max((to[i] - self.forces[first + i]).abs() * own.0[i][i]);
            self.forces[first + i] = to[i];
        }
        moved
    }

    /// (1).
    fn spread(&self, rows: &Rows, inverse: &impl Fn(usize) -> f64, x: &mut [f64]) {
        for (group, first, what) in rows.hard() {
            let force = force_of(&self.forces, first, what.rows);
            for &(node, lever) in rows.directions(group) {
                let share = lever.transpose().mul_vec(force);
                for c in 0..3 {
                    let dof = 3 * node as usize + c;
                    x[dof] += inverse(dof) * share[c]; // (1)
                }
            }
        }
    }

    /// W + C as sparse blocks.
    fn couple(&mut self, rows: &Rows, inverse: &impl Fn(usize) -> f64) {
        self.touches.clear();
        for (index, (group, ..)) in (0_u32..).zip(rows.hard()) {
            for (pushes, levers) in [(false, rows.levers(group)), (true, rows.directions(group))] {
                for (number, &(node, lever)) in (0_u32..).zip(levers) {
                    self.touches.push(Touch { node, group: index, pushes, number, lever });
                }
            }
        }
        self.touches.sort_unstable_by_key(|t| (t.node, t.group, t.pushes, t.number));
        self.blocks.clear();
        for of_node in self.touches.chunk_by(|a, b| a.node == b.node) {
            let mass = |c: usize| inverse(3 * of_node[0].node as usize + c);
            let light = Mat3::from_fn(|r, c| if r == c { mass(r) } else { 0.0 });
            for moved in of_node.iter().filter(|t| !t.pushes) {
                for pushed in of_node.iter().filter(|t| t.pushes) {
                    let block = moved.lever * light * pushed.lever.transpose();
                    self.blocks.push(((moved.group, pushed.group, self.blocks.len() as u32), block));
                }
            }
        }
        for (index, (_, _, what)) in (0_u32..).zip(rows.hard()) {
            self.blocks.push(((index, index, self.blocks.len() as u32), what.compliance()));
        }
        self.blocks.sort_unstable_by_key(|(place, _)| *place);
        self.blocks.dedup_by(|later, first| {
            let same = (later.0.0, later.0.1) == (first.0.0, first.0.1);
            if same {
                first.1 = first.1 + later.1;
            }
            same
        });
        self.starts.clear();
        for (at, ((group, ..), _)) in self.blocks.iter().enumerate() {
            if self.starts.len() == *group as usize {
                self.starts.push(at);
            }
        }
        self.starts.push(self.blocks.len());
        self.scale.clear();
        for (index, (_, _, what)) in rows.hard().enumerate() {
            let own = self.blocks_of(index).iter().find(|((g, h, _), _)| g == h);
            let own = own.map_or_else(Mat3::zero, |(_, block)| *block);
            let root = |d: f64| if d > 0.0 { d.sqrt().recip() } else { 1.0 };
            self.scale.extend((0..what.rows).map(|row| root(own.0[row][row])));
        }
    }

    fn blocks_of(&self, group: usize) -> &[Coupling] {
        &self.blocks[self.starts[group]..self.starts[group + 1]]
    }

    fn dense(&mut self, rows: &Rows) -> RowsReport {
        let count = rows.hard_count();
        self.matrix.clear();
        self.matrix.resize(count * count, 0.0);
        for ((g, h, _), block) in &self.blocks {
            let ((row, height), (column, width)) = (self.places[*g as usize], self.places[*h as usize]);
            for (i, j) in (0..height).flat_map(|i| (0..width).map(move |j| (i, j))) {
                self.matrix[(row + i) * count + column + j] = block.0[i][j];
            }
        }
        let Self { matrix, right, bounds, forces, bounded, .. } = self;
        let found = bounded.solve(matrix, right, bounds, forces);
        let conflict = found.conflict.map(|(row, left)| (group_of(rows, row), left));
        let (iterations, redundant) = (found.iterations, found.redundant);
        RowsReport { way: RowsWay::Dense, iterations, redundant, conflict, ..RowsReport::default() }
    }

    /// Projected gradients in units of the diagonal.
    fn iterate(&mut self, rows: &Rows) -> RowsReport {
        let count = rows.hard_count();
        let Self { blocks, scale, right, bounds, forces, scaled, gradients, places, .. } = self;
        right.iter_mut().zip(&*scale).for_each(|(r, s)| *r *= s);
        bounds.iter_mut().zip(&*scale).for_each(|(b, s)| *b = b.map(|b| b / s));
        scaled.resize(count, 0.0);
        let product = |z: &[f64], out: &mut [f64]| {
            scaled.iter_mut().zip(z).zip(&*scale).for_each(|((x, z), s)| *x = z * s);
            out.fill(0.0);
            for ((g, h, _), block) in &*blocks {
                let ((row, height), (column, width)) = (places[*g as usize], places[*h as usize]);
                let moved = block.mul_vec(force_of(scaled, column, width));
                (0..height).for_each(|i| out[row + i] += moved[i]);
            }
            out.iter_mut().zip(&*scale).for_each(|(out, s)| *out *= s);
        };
        let found = gradients.solve(product, right, bounds, forces, (TOLERANCE, PRODUCTS * count));
        forces.iter_mut().zip(&*scale).for_each(|(f, s)| *f *= s);
        RowsReport {
            way: RowsWay::Sparse,
            iterations: found.products,
            redundant: 0,
            conflict: None,
            residual: found.residual,
            unsolved: found.unsolved,
        }
    }

    /// Gauss-Seidel, row by row between bounds.
    fn sweep(&mut self) -> RowsReport {
        let whole = self.right.iter().map(|r| r * r).sum::<f64>().sqrt();
        let (mut iterations, mut residual) = (0, f64::INFINITY);
        while iterations < SWEEPS && residual > TOLERANCE {
            let mut moved = 0.0;
            for group in 0..self.places.len() {
                let (first, height) = self.places[group];
                for row in 0..height {
                    let (mut left, mut own) = (-self.right[first + row], 0.0);
                    for ((g, h, _), block) in self.blocks_of(group) {
                        let (column, width) = self.places[*h as usize];
                        left += (0..width).map(|j| block.0[row][j] * self.forces[column + j]).sum::<f64>();
                        own = if g == h { block.0[row][row] } else { own };
                    }
                    if own > 0.0 {
                        let [low, high] = self.bounds[first + row];
                        let before = self.forces[first + row];
                        self.forces[first + row] = (before - left / own).clamp(low, high);
                        moved += ((self.forces[first + row] - before) * own).powi(2);
                    }
                }
            }
            iterations += 1;
            residual = moved.sqrt() / whole.max(f64::MIN_POSITIVE);
        }
        let unsolved = iterations >= SWEEPS;
        RowsReport { way: RowsWay::Sweeps, iterations, redundant: 0, conflict: None, residual, unsolved }
    }
}
