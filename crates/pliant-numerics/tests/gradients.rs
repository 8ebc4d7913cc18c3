//! Conjugate gradients with sweeps against factors of the same matrices.
#![allow(clippy::unwrap_used, missing_docs)]

use std::sync::Arc;

use Preconditioner::{Jacobi, Sweeps};
use pliant_numerics::{
    BlockCholesky, BlockMatrix, ConjugateGradients, GradientLimits, Mat3, PatternBuilder, Preconditioner,
};

/// Springs along the edges of a grid, and a little mass: the blocks of an edge push along it.
fn grid(size: [usize; 3]) -> BlockMatrix {
    let number = |p: [usize; 3]| (p[0] + size[0] * (p[1] + size[1] * p[2])) as u32;
    let mut edges = Vec::new();
    for z in 0..size[2] {
        for y in 0..size[1] {
            for x in 0..size[0] {
                for step in [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]] {
                    let to = [x + step[0], y + step[1], z + step[2]];
                    if (0..3).all(|c| to[c] < size[c]) {
                        edges.push((number([x, y, z]), number(to), step.map(|s| s as f64)));
                    }
                }
            }
        }
    }
    let mut builder = PatternBuilder::new(size.iter().product());
    edges.iter().for_each(|(a, b, _)| builder.clique(&[*a, *b]));
    let mut matrix = BlockMatrix::zero(Arc::new(builder.build()));
    for (a, b, along) in edges {
        let block = Mat3::dyad(along, along).add_diagonal(0.1);
        for (row, column, sign) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)] {
            matrix.add(row, column, &block.scale(sign));
        }
    }
    let nodes = matrix.pattern().row_count() as u32;
    (0..nodes).for_each(|n| matrix.add(n, n, &Mat3::diagonal(0.01)));
    matrix
}

fn right_side(count: usize, held: &[bool]) -> Vec<f64> {
    (0..count).map(|i| if held[i] { 0.0 } else { (0.7 * i as f64).sin() }).collect()
}

fn natural(matrix: &BlockMatrix) -> Vec<u32> {
    (0..matrix.pattern().row_count() as u32).collect()
}

const TIGHT: GradientLimits = GradientLimits { tolerance: 1e-12, steps: 500 };

#[test]
fn they_find_the_solution_of_the_factor() {
    let matrix = grid([6, 5, 4]);
    let unknowns = 3 * matrix.pattern().row_count();
    let held: Vec<bool> = (0..unknowns).map(|i| i < 30 || i == 77).collect();
    let b = right_side(unknowns, &held);
    let mut expected = b.clone();
    let mut factor = BlockCholesky::analyse(matrix.pattern(), &natural(&matrix)).unwrap();
    factor.factor(&matrix, &held).unwrap();
    factor.solve_in_place(&mut expected);
    // any order of the sweeps finds the same
    let turned: Vec<u32> = natural(&matrix).into_iter().rev().collect();
    for (order, preconditioner) in [(natural(&matrix), Sweeps), (turned, Sweeps), (natural(&matrix), Jacobi)]
    {
        let mut gradients = ConjugateGradients::analyse(matrix.pattern(), &order, preconditioner);
        gradients.refill(&matrix, &held, |_| None);
        let mut x = vec![0.0; unknowns];
        let report = gradients.solve(&b, &mut x, TIGHT, None);
        assert!(report.residual <= 1e-12 && !report.indefinite, "{report:?}");
        assert!(report.steps < if preconditioner == Sweeps { 60 } else { 100 }, "{report:?}");
        let largest = expected.iter().fold(0.0_f64, |m, e| m.max(e.abs()));
        assert!(x.iter().zip(&expected).all(|(x, e)| (x - e).abs() < 1e-10 * largest));
        assert!(held.iter().zip(&x).all(|(held, x)| !held || *x == 0.0));
        // from the solution on nothing is left to do
        let again = gradients.solve(&b, &mut x, GradientLimits { tolerance: 1e-10, ..TIGHT }, None);
        assert_eq!(again.steps, 0);
    }
}

#[test]
fn what_the_caller_adds_counts() {
    let matrix = grid([4, 4, 4]);
    let unknowns = 3 * matrix.pattern().row_count();
    let held = vec![false; unknowns];
    let b = right_side(unknowns, &held);
    // a spring from unknown 5 to unknown 100, once in the matrix of the caller and once in the product
    let mut spring = |x: &[f64], out: &mut [f64]| {
        let pull = 50.0 * (x[5] - x[100]);
        out[5] += pull;
        out[100] -= pull;
    };
    let mut gradients = ConjugateGradients::analyse(matrix.pattern(), &natural(&matrix), Sweeps);
    let lump = Mat3::from_fn(|r, c| if (r, c) == (2, 2) { 100.0 } else { 0.0 });
    gradients.refill(&matrix, &held, |row| (row == 1).then_some(lump));
    let mut x = vec![0.0; unknowns];
    let report = gradients.solve(&b, &mut x, TIGHT, Some(&mut spring));
    assert!(report.residual <= 1e-12, "{report:?}");
    let mut product = vec![0.0; unknowns];
    matrix.multiply_into(&x, &mut product);
    spring(&x, &mut product);
    assert!(product.iter().zip(&b).all(|(p, b)| (p - b).abs() < 1e-9));
    assert!((x[5] - x[100]).abs() < 0.1, "the spring holds them together");
}

#[test]
fn a_matrix_that_gives_way_is_noticed() {
    let mut matrix = grid([4, 4, 4]);
    matrix.add(20, 20, &Mat3::diagonal(-30.0));
    let unknowns = 3 * matrix.pattern().row_count();
    let held = vec![false; unknowns];
    let mut gradients = ConjugateGradients::analyse(matrix.pattern(), &natural(&matrix), Sweeps);
    gradients.refill(&matrix, &held, |_| None);
    let report = gradients.solve(&right_side(unknowns, &held), &mut vec![0.0; unknowns], TIGHT, None);
    assert!(report.indefinite, "{report:?}");
}

/// The blocks of every row turned by an angle of the row's own, as those of a bent bar are.
fn turned_rows(matrix: &BlockMatrix, most: f64) -> BlockMatrix {
    let mut out = BlockMatrix::zero(Arc::clone(matrix.pattern()));
    let rows = matrix.pattern().row_count();
    for row in 0..rows {
        let (sin, cos) = (most * row as f64 / rows as f64).sin_cos();
        let turn = Mat3([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]]);
        let first = matrix.pattern().row_start(row);
        for (place, &column) in (first..).zip(matrix.pattern().row(row)) {
            out.add(row as u32, column, &(turn * matrix.blocks()[place]).mul_transpose(&turn));
        }
    }
    out
}

#[test]
fn matrices_that_are_not_symmetric_are_solved_too() {
    let symmetric = grid([6, 5, 24]);
    let unknowns = 3 * symmetric.pattern().row_count();
    let held: Vec<bool> = (0..unknowns).map(|i| i < 90 || i == 177).collect();
    let b = right_side(unknowns, &held);
    let mut steps = Vec::new();
    for (most, preconditioner) in [(0.0, Sweeps), (0.5, Sweeps), (1.6, Sweeps), (3.2, Sweeps), (1.6, Jacobi)]
    {
        let matrix = turned_rows(&symmetric, most);
        let mut gradients = ConjugateGradients::analyse(matrix.pattern(), &natural(&matrix), preconditioner);
        gradients.refill(&matrix, &held, |_| None);
        let mut x = vec![0.0; unknowns];
        let limits = GradientLimits { steps: 2000, ..TIGHT };
        let report = gradients.solve_unsymmetric(&b, &mut x, limits, None);
        assert!(report.residual <= 1e-12 && !report.unsolved, "{most}: {report:?}");
        let mut product = vec![0.0; unknowns];
        matrix.multiply_into(&x, &mut product);
        let free = || (0..unknowns).filter(|i| !held[*i]);
        assert!(free().all(|i| (product[i] - b[i]).abs() < 1e-10), "{most}");
        assert!(held.iter().zip(&x).all(|(held, x)| !held || *x == 0.0));
        steps.push(report.steps);
    }
    let mut gradients = ConjugateGradients::analyse(symmetric.pattern(), &natural(&symmetric), Sweeps);
    gradients.refill(&symmetric, &held, |_| None);
    let plain = gradients.solve(&b, &mut vec![0.0; unknowns], TIGHT, None).steps;
    // where it is symmetric they take no more than conjugate gradients; to twelve digits a turn of the rows costs up to
    // five times as many
    assert!(steps[0] <= plain + 1 && steps[3] < 5 * plain, "{steps:?} against {plain}");
}

#[test]
fn what_the_caller_adds_counts_there_too() {
    let matrix = turned_rows(&grid([4, 4, 4]), 1.0);
    let unknowns = 3 * matrix.pattern().row_count();
    let held: Vec<bool> = (0..unknowns).map(|i| i >= 150).collect();
    let b = right_side(unknowns, &held);
    let mut spring = |x: &[f64], out: &mut [f64]| out[5] += 50.0 * x[5];
    let mut gradients = ConjugateGradients::analyse(matrix.pattern(), &natural(&matrix), Sweeps);
    gradients.refill(&matrix, &held, |_| None);
    let mut x = vec![0.0; unknowns];
    let report = gradients.solve_unsymmetric(&b, &mut x, TIGHT, Some(&mut spring));
    assert!(report.residual <= 1e-12, "{report:?}");
    let mut product = vec![0.0; unknowns];
    matrix.multiply_into(&x, &mut product);
    spring(&x, &mut product);
    assert!((0..unknowns).filter(|i| !held[*i]).all(|i| (product[i] - b[i]).abs() < 1e-9));
}

/// A grid beside another that nothing connects to it, whose right side is a million times smaller.
#[test]
fn a_small_body_beside_a_large_one_is_solved_as_well() {
    let one = grid([4, 4, 4]);
    let rows = one.pattern().row_count() as u32;
    let mut builder = PatternBuilder::new(2 * rows as usize);
    for row in 0..rows {
        for &column in one.pattern().row(row as usize) {
            builder.clique(&[row, column]);
            builder.clique(&[row + rows, column + rows]);
        }
    }
    let mut both = BlockMatrix::zero(Arc::new(builder.build()));
    for row in 0..rows {
        for &column in one.pattern().row(row as usize) {
            let block = one.block(row, column);
            both.add(row, column, &block);
            both.add(row + rows, column + rows, &block.scale(3.0));
        }
        // the large one is solved at once
        both.add(row, row, &Mat3::diagonal(30.0));
    }
    let unknowns = 6 * rows as usize;
    let held = vec![false; unknowns];
    let mut b = right_side(unknowns, &held);
    b[unknowns / 2..].iter_mut().for_each(|b| *b *= 1e-6);
    let mut gradients = ConjugateGradients::analyse(both.pattern(), &natural(&both), Sweeps);
    gradients.refill(&both, &held, |_| None);
    let limits = GradientLimits { tolerance: 1e-4, steps: 500 };
    for symmetric in [true, false] {
        let mut x = vec![0.0; unknowns];
        let report = match symmetric {
            true => gradients.solve(&b, &mut x, limits, None),
            false => gradients.solve_unsymmetric(&b, &mut x, limits, None),
        };
        assert!(!report.unsolved && report.residual <= 1e-4, "{report:?}");
        let mut product = vec![0.0; unknowns];
        both.multiply_into(&x, &mut product);
        let size = |values: &mut dyn Iterator<Item = f64>| values.map(|v| v * v).sum::<f64>().sqrt();
        for half in [0..unknowns / 2, unknowns / 2..unknowns] {
            let left = size(&mut half.clone().map(|i| product[i] - b[i])) / size(&mut half.map(|i| b[i]));
            assert!(left <= 1e-4 * (1.0 + 1e-9), "{left:.1e}");
        }
    }
}

#[test]
fn several_parts_solve_the_same_with_the_same_bits_for_any_number_of_threads() {
    let symmetric = grid([21, 21, 40]);
    let unknowns = 3 * symmetric.pattern().row_count();
    assert!(unknowns > 3 * 4 * 4096);
    let held = vec![false; unknowns];
    let b = right_side(unknowns, &held);
    let turned = turned_rows(&symmetric, 1.0);
    for (matrix, is_symmetric) in [(symmetric, true), (turned, false)] {
        let solutions = [1, 2, 8].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut gradients = ConjugateGradients::analyse(matrix.pattern(), &natural(&matrix), Sweeps);
                gradients.refill(&matrix, &held, |_| None);
                let mut x = vec![0.0; unknowns];
                let report = match is_symmetric {
                    true => gradients.solve(&b, &mut x, TIGHT, None),
                    false => gradients.solve_unsymmetric(&b, &mut x, TIGHT, None),
                };
                assert!(report.residual <= 1e-12, "{report:?}");
                x
            })
        });
        assert!(solutions.iter().all(|x| *x == solutions[0]));
        let mut product = vec![0.0; unknowns];
        matrix.multiply_into(&solutions[0], &mut product);
        assert!(product.iter().zip(&b).all(|(p, b)| (p - b).abs() < 1e-8));
    }
}

/// Springs along edges, and a stiff resistance to the divergence of every cell, as matter has whose volume hardly
/// changes: incomplete factors of such matrices break down.
fn stiff_volume(size: [usize; 3], stiffness: f64) -> BlockMatrix {
    let mut matrix = grid(size);
    let number = |p: [usize; 3]| (p[0] + size[0] * (p[1] + size[1] * p[2])) as u32;
    for z in 0..size[2] - 1 {
        for y in 0..size[1] - 1 {
            for x in 0..size[0] - 1 {
                // the tetrahedron along the axes and the diagonal, whose corners are all coupled by the grid
                let corners = [[x, y, z], [x + 1, y, z], [x + 1, y + 1, z], [x + 1, y + 1, z + 1]];
                let gradients = [[-1.0, 0.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, -1.0], [0.0, 0.0, 1.0]];
                for (a, row) in corners.iter().zip(gradients) {
                    for (b, column) in corners.iter().zip(gradients) {
                        matrix.add(number(*a), number(*b), &Mat3::dyad(row, column).scale(stiffness));
                    }
                }
            }
        }
    }
    matrix
}

#[test]
fn what_is_reported_is_what_is_left() {
    for stiffness in [0.0, 1.0, 10.0, 100.0, 1000.0] {
        let matrix = stiff_volume([6, 6, 20], stiffness);
        let unknowns = 3 * matrix.pattern().row_count();
        let held: Vec<bool> = (0..unknowns).map(|i| i < 108).collect();
        let b = right_side(unknowns, &held);
        for (preconditioner, tolerance) in [(Sweeps, 1e-5), (Jacobi, 1e-5), (Sweeps, 1e-2)] {
            let mut gradients =
                ConjugateGradients::analyse(matrix.pattern(), &natural(&matrix), preconditioner);
            gradients.refill(&matrix, &held, |_| None);
            for steps in [5, 5000] {
                let mut x = vec![0.0; unknowns];
                let report = gradients.solve(&b, &mut x, GradientLimits { tolerance, steps }, None);
                let mut product = vec![0.0; unknowns];
                matrix.multiply_into(&x, &mut product);
                let free = || (0..unknowns).filter(|i| !held[*i]);
                let left: f64 = free().map(|i| (b[i] - product[i]).powi(2)).sum();
                let whole: f64 = free().map(|i| b[i].powi(2)).sum();
                let left = (left / whole).sqrt();
                assert!((report.residual / left - 1.0).abs() < 1e-6, "{stiffness}: {report:?}, {left:.2e}");
                assert_eq!(report.unsolved, left > tolerance, "{stiffness}: {report:?}");
                assert!(steps == 5 || !report.unsolved, "{stiffness}: {report:?}");
            }
        }
    }
}

/// Rounding is not what steps can mend: nothing is asked of them that doubles do not hold.
#[test]
fn what_rounding_leaves_is_solved() {
    let matrix = stiff_volume([6, 6, 20], 1e4);
    let unknowns = 3 * matrix.pattern().row_count();
    let held: Vec<bool> = (0..unknowns).map(|i| i < 108).collect();
    let b = right_side(unknowns, &held);
    let mut gradients = ConjugateGradients::analyse(matrix.pattern(), &natural(&matrix), Sweeps);
    gradients.refill(&matrix, &held, |_| None);
    let limits = GradientLimits { tolerance: 1e-15, steps: 20_000 };
    let report = gradients.solve(&b, &mut vec![0.0; unknowns], limits, None);
    assert!(!report.unsolved && report.residual < 1e-9 && report.steps < 20_000, "{report:?}");
}

#[test]
fn steps_that_run_out_are_told() {
    let matrix = grid([6, 5, 24]);
    let unknowns = 3 * matrix.pattern().row_count();
    let held = vec![false; unknowns];
    let b = right_side(unknowns, &held);
    let mut gradients = ConjugateGradients::analyse(matrix.pattern(), &natural(&matrix), Sweeps);
    gradients.refill(&matrix, &held, |_| None);
    let few = GradientLimits { tolerance: 1e-12, steps: 3 };
    let plain = gradients.solve(&b, &mut vec![0.0; unknowns], few, None);
    let other = gradients.solve_unsymmetric(&b, &mut vec![0.0; unknowns], few, None);
    for report in [plain, other] {
        assert!(report.unsolved && report.steps == 3 && report.residual > 1e-12, "{report:?}");
    }
}
