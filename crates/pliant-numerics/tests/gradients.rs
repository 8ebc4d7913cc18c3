//! Conjugate gradients with sweeps against factors of the same matrices.
#![allow(clippy::unwrap_used, missing_docs)]

use std::sync::Arc;

use pliant_numerics::{BlockCholesky, BlockMatrix, GradientLimits, Mat3, PatternBuilder, SweptGradients};

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
    for order in [natural(&matrix), turned] {
        let mut gradients = SweptGradients::analyse(matrix.pattern(), &order);
        gradients.refill(&matrix, &held, |_| None);
        let mut x = vec![0.0; unknowns];
        let report = gradients.solve(&b, &mut x, TIGHT, None);
        assert!(report.residual <= 1e-12 && !report.indefinite, "{report:?}");
        assert!(report.steps < 60, "{report:?}");
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
    let mut gradients = SweptGradients::analyse(matrix.pattern(), &natural(&matrix));
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
    let mut gradients = SweptGradients::analyse(matrix.pattern(), &natural(&matrix));
    gradients.refill(&matrix, &held, |_| None);
    let report = gradients.solve(&right_side(unknowns, &held), &mut vec![0.0; unknowns], TIGHT, None);
    assert!(report.indefinite, "{report:?}");
}

#[test]
fn several_parts_solve_the_same_with_the_same_bits_for_any_number_of_threads() {
    let matrix = grid([21, 21, 40]);
    let unknowns = 3 * matrix.pattern().row_count();
    assert!(unknowns > 3 * 4 * 4096);
    let held = vec![false; unknowns];
    let b = right_side(unknowns, &held);
    let solutions = [1, 2, 8].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut gradients = SweptGradients::analyse(matrix.pattern(), &natural(&matrix));
            gradients.refill(&matrix, &held, |_| None);
            let mut x = vec![0.0; unknowns];
            let report = gradients.solve(&b, &mut x, TIGHT, None);
            assert!(report.residual <= 1e-12, "{report:?}");
            x
        })
    });
    assert!(solutions.iter().all(|x| *x == solutions[0]));
    let mut product = vec![0.0; unknowns];
    matrix.multiply_into(&solutions[0], &mut product);
    assert!(product.iter().zip(&b).all(|(p, b)| (p - b).abs() < 1e-8));
}
