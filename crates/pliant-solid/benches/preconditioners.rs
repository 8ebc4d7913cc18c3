//! What solves the equations of a step of implicit Euler soonest: conjugate gradients with several preconditioners, and factors.
//!
//! One thread; a corotated bar half way down, steps of 10 ms, from zero to |b - A x| = 1e-5 |b|. Setup is what a new
//! matrix costs before its first solution. The lagged factor is that of the bar at rest. "gradients, ..." are those of
//! the program; steps above 2000 are given up.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

mod bars;

use std::cell::RefCell;
use std::time::Instant;

use bars::{BAR12K, BAR97K, BAR450, Bar, POISSON, ROD, SHEET, STEP};
use pliant_numerics::{
    BlockCholesky, BlockMatrix, ConjugateGradients, GradientLimits, Mat3, Preconditioner as Choice, ordered,
};
use pliant_solid::integrator::{ImplicitEuler, Inputs, IntegratorKind, StepChoice};
use pliant_solid::law::{ElasticModuli, LawKind};
use pliant_solid::term::{Coeffs, Scatter};
use pliant_solid::{Model, State, World};

const TOLERANCE: f64 = 1e-5;

fn main() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    println!(
        "{:>8} {:>6} {:>5} {:>30} {:>9} {:>9} {:>9} {:>6}",
        "bar", "E", "nu", "solver", "setup ms", "solve ms", "sum ms", "steps"
    );
    for (bar, young, poisson) in [
        (BAR450, 1e5, POISSON),
        (BAR450, 1e6, POISSON),
        (BAR450, 1e6, 0.45),
        (BAR450, 1e6, 0.49),
        (ROD, 1e5, POISSON),
        (ROD, 1e9, POISSON),
        (SHEET, 1e5, POISSON),
        (SHEET, 1e9, POISSON),
        (BAR12K, 3e5, POISSON),
        (BAR12K, 3e5, 0.45),
        (BAR97K, 3e5, POISSON),
        (BAR97K, 1e6, POISSON),
    ] {
        if bar.is_wanted() {
            pool.install(|| compare(bar, young, poisson));
        }
    }
}

fn compare(bar: Bar, young: f64, poisson: f64) {
    let law = LawKind::Corotated(ElasticModuli::new(young, poisson).unwrap());
    let euler = ImplicitEuler { step: StepChoice::Fixed(STEP), ..ImplicitEuler::default() };
    let mut world = bar.world(law, IntegratorKind::ImplicitEuler(euler), 0.0);
    let at_rest = equations(&world).matrix;
    (0..15).for_each(|_| {
        world.step(&Inputs::default()).unwrap();
    });
    let equations = equations(&world);
    let runs = if bar.name == BAR450.name { 50 } else { 3 };
    let line = |name: &str, (setup, solve, steps): (f64, f64, usize)| {
        let sum = setup + solve;
        println!(
            "{:>8} {young:>6.0e} {poisson:>5} {name:>30} {setup:>9.3} {solve:>9.3} {sum:>9.3} {steps:>6}",
            bar.name
        );
    };
    line("block Jacobi", with(&equations, runs, Jacobi::new));
    line("incomplete Cholesky", with(&equations, runs, IncompleteFactor::new));
    line("gradients, sweeps", ours(&equations, runs, Choice::Sweeps));
    line("gradients, block Jacobi", ours(&equations, runs, Choice::Jacobi));
    let order = &world.model().elimination().order;
    let mut factor = BlockCholesky::analyse(equations.matrix.pattern(), order).unwrap();
    if bar.name != BAR97K.name {
        line("direct", direct(&equations, runs, &mut factor));
    }
    factor.factor(&at_rest, &equations.held).unwrap();
    let factor = RefCell::new(factor);
    let (_, solve, steps) = with(&equations, runs, |_| Lagged(&factor));
    line("lagged factor, its making apart", (0.0, solve, steps));
}

/// A b = x with the rows and columns of held unknowns the identity's.
struct Equations {
    /// As it is assembled.
    matrix: BlockMatrix,
    held: Vec<bool>,
    right: Vec<f64>,
}

fn equations(world: &World) -> Equations {
    let (model, state) = (world.model(), world.state());
    let rest = model.layout().rest();
    let held: Vec<bool> = (0..state.x.len()).map(|i| rest[3 * (i / 3) + 2] < 1e-9).collect();
    Equations { matrix: matrix(model, state), right: right_side(model, state, &held), held }
}

/// M / dt^2 + K.
fn matrix(model: &Model, state: &State) -> BlockMatrix {
    let mut matrix = BlockMatrix::zero(model.structure().free().clone());
    let full = model.full_state(state);
    for term in model.terms() {
        let mut scratch = term.new_scratch();
        term.definite_tangent_add(&full.at(), Coeffs { k: 1.0, d: 0.0 }, &mut matrix, &mut scratch);
    }
    for (node, mass) in model.mass().iter().enumerate() {
        matrix.add(node as u32, node as u32, &Mat3::diagonal(mass / (STEP * STEP)));
    }
    matrix
}

/// f + M (g + v / dt).
fn right_side(model: &Model, state: &State, held: &[bool]) -> Vec<f64> {
    let full = model.full_state(state);
    let mut force = vec![0.0; state.x.len()];
    for term in model.terms() {
        let mut scratch = term.new_scratch();
        term.force_add(&full.at(), &mut Scatter::new(&mut force, &mut scratch));
    }
    let g = model.gravity();
    for (i, force) in force.iter_mut().enumerate() {
        *force += model.mass()[i / 3] * (g[i % 3] + state.v[i] / STEP);
        if held[i] {
            *force = 0.0;
        }
    }
    force
}

trait Preconditioner {
    /// M^-1 r.
    fn apply(&mut self, r: &[f64], out: &mut [f64]);
}

/// Setup, solution (both ms, the shortest of some runs) and steps of plain conjugate gradients.
fn with<P: Preconditioner>(
    e: &Equations,
    runs: usize,
    mut make: impl FnMut(&Equations) -> P,
) -> (f64, f64, usize) {
    let (mut setup, mut solve, mut steps) = (f64::INFINITY, f64::INFINITY, 0);
    for _ in 0..runs {
        let start = Instant::now();
        let mut preconditioner = make(e);
        let made = Instant::now();
        steps = gradients(e, &mut preconditioner);
        solve = solve.min(1e3 * made.elapsed().as_secs_f64());
        setup = setup.min(1e3 * (made - start).as_secs_f64());
    }
    (setup, solve, steps)
}

fn gradients(e: &Equations, preconditioner: &mut impl Preconditioner) -> usize {
    let count = e.right.len();
    let (mut x, mut r) = (vec![0.0; count], e.right.clone());
    let (mut z, mut q) = (vec![0.0; count], vec![0.0; count]);
    preconditioner.apply(&r, &mut z);
    let (mut p, mut square) = (z.clone(), ordered::dot(&r, &z));
    let enough = TOLERANCE * TOLERANCE * ordered::dot(&e.right, &e.right);
    for step in 0..2000 {
        if ordered::dot(&r, &r) <= enough {
            return step;
        }
        e.matrix.multiply_into(&p, &mut q);
        q.iter_mut().zip(&e.held).filter(|(_, held)| **held).for_each(|(q, _)| *q = 0.0);
        let length = square / ordered::dot(&p, &q);
        for i in 0..count {
            x[i] += length * p[i];
            r[i] -= length * q[i];
        }
        preconditioner.apply(&r, &mut z);
        let next = ordered::dot(&r, &z);
        (0..count).for_each(|i| p[i] = z[i] + next / square * p[i]);
        square = next;
    }
    usize::MAX
}

fn ours(e: &Equations, runs: usize, choice: Choice) -> (f64, f64, usize) {
    let order: Vec<u32> = (0..e.matrix.pattern().row_count() as u32).collect();
    let mut gradients = ConjugateGradients::analyse(e.matrix.pattern(), &order, choice);
    let (mut setup, mut solve, mut steps) = (f64::INFINITY, f64::INFINITY, 0);
    for _ in 0..runs {
        let start = Instant::now();
        gradients.refill(&e.matrix, &e.held, |_| None);
        let made = Instant::now();
        let mut x = vec![0.0; e.right.len()];
        let limits = GradientLimits { tolerance: TOLERANCE, steps: 2000 };
        let report = gradients.solve(&e.right, &mut x, limits, None);
        steps = if report.unsolved { usize::MAX } else { report.steps };
        solve = solve.min(1e3 * made.elapsed().as_secs_f64());
        setup = setup.min(1e3 * (made - start).as_secs_f64());
    }
    (setup, solve, steps)
}

fn direct(e: &Equations, runs: usize, factor: &mut BlockCholesky) -> (f64, f64, usize) {
    let (mut setup, mut solve) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..runs {
        let start = Instant::now();
        factor.factor(&e.matrix, &e.held).unwrap();
        let made = Instant::now();
        let mut x = e.right.clone();
        factor.solve_in_place(&mut x);
        solve = solve.min(1e3 * made.elapsed().as_secs_f64());
        setup = setup.min(1e3 * (made - start).as_secs_f64());
    }
    (setup, solve, 1)
}

/// The factor of another matrix.
struct Lagged<'a>(&'a RefCell<BlockCholesky>);

impl Preconditioner for Lagged<'_> {
    fn apply(&mut self, r: &[f64], out: &mut [f64]) {
        out.copy_from_slice(r);
        self.0.borrow_mut().solve_in_place(out);
    }
}

struct Jacobi(Vec<Mat3<f64>>);

impl Jacobi {
    fn new(e: &Equations) -> Self {
        let pattern = e.matrix.pattern();
        Self((0..pattern.row_count()).map(|row| masked(e, row, row as u32).inverse()).collect())
    }
}

impl Preconditioner for Jacobi {
    fn apply(&mut self, r: &[f64], out: &mut [f64]) {
        for ((r, out), inverse) in r.chunks_exact(3).zip(out.chunks_exact_mut(3)).zip(&self.0) {
            out.copy_from_slice(&inverse.mul_vec([r[0], r[1], r[2]]));
        }
    }
}

/// The block of the equations, held unknowns as the identity.
fn masked(e: &Equations, row: usize, column: u32) -> Mat3<f64> {
    let block = e.matrix.block(row as u32, column);
    Mat3::from_fn(|r, c| {
        let [own, other] = [3 * row + r, 3 * column as usize + c];
        match e.held[own] || e.held[other] {
            true => f64::from(u8::from(own == other)),
            false => block.0[r][c],
        }
    })
}

/// L of A = L L^T in the places that A has, blocks below the diagonal; the diagonal as inverses.
struct IncompleteFactor {
    starts: Vec<usize>,
    columns: Vec<u32>,
    blocks: Vec<Mat3<f64>>,
    /// Of L_ii L_ii^T.
    inverses: Vec<Mat3<f64>>,
}

impl IncompleteFactor {
    /// In the form L D^-1 L^T, L_ij = A_ij - sum_k L_ik D_k^-1 L_jk^T.
    fn new(e: &Equations) -> Self {
        let pattern = e.matrix.pattern();
        let mut out = Self { starts: vec![0], columns: Vec::new(), blocks: Vec::new(), inverses: Vec::new() };
        for row in 0..pattern.row_count() {
            let first = out.columns.len();
            let mut diagonal = Mat3::zero();
            for &column in pattern.row(row).iter().filter(|c| **c as usize <= row) {
                let mut block = masked(e, row, column);
                if column as usize == row {
                    diagonal = block;
                    continue;
                }
                // what rows `row` and `column` share
                let (mut a, mut b) = (first, out.starts[column as usize]);
                let end = out.starts[column as usize + 1];
                while a < out.columns.len() && b < end {
                    match out.columns[a].cmp(&out.columns[b]) {
                        std::cmp::Ordering::Less => a += 1,
                        std::cmp::Ordering::Greater => b += 1,
                        std::cmp::Ordering::Equal => {
                            let scaled = out.blocks[a] * out.inverses[out.columns[a] as usize];
                            block = block - scaled.mul_transpose(&out.blocks[b]);
                            (a, b) = (a + 1, b + 1);
                        }
                    }
                }
                out.columns.push(column);
                out.blocks.push(block);
            }
            let mut left = diagonal;
            for at in first..out.columns.len() {
                let scaled = out.blocks[at] * out.inverses[out.columns[at] as usize];
                left = left - scaled.mul_transpose(&out.blocks[at]);
            }
            let good =
                left.0[0][0] > 0.05 * diagonal.0[0][0] && left.determinant() > 1e-4 * diagonal.determinant();
            out.inverses.push(if good { left.inverse() } else { diagonal.inverse() });
            out.starts.push(out.columns.len());
        }
        out
    }
}

impl Preconditioner for IncompleteFactor {
    fn apply(&mut self, r: &[f64], out: &mut [f64]) {
        let rows = self.inverses.len();
        out.copy_from_slice(r);
        let get = |x: &[f64], row: usize| [x[3 * row], x[3 * row + 1], x[3 * row + 2]];
        // out = D^-1 (r - L out), forth
        for row in 0..rows {
            let mut sum = get(out, row);
            for at in self.starts[row]..self.starts[row + 1] {
                let product = self.blocks[at].mul_vec(get(out, self.columns[at] as usize));
                (0..3).for_each(|c| sum[c] -= product[c]);
            }
            out[3 * row..3 * row + 3].copy_from_slice(&self.inverses[row].mul_vec(sum));
        }
        // out = out - D^-1 L^T out, back
        let mut taken = vec![[0.0; 3]; rows];
        for row in (0..rows).rev() {
            let less = self.inverses[row].mul_vec(taken[row]);
            (0..3).for_each(|c| out[3 * row + c] -= less[c]);
            let own = get(out, row);
            for at in self.starts[row]..self.starts[row + 1] {
                let product = self.blocks[at].transpose().mul_vec(own);
                let sum = &mut taken[self.columns[at] as usize];
                (0..3).for_each(|c| sum[c] += product[c]);
            }
        }
    }
}
