//! Rows that cannot be met, that are no numbers, and many of unlike scales: solved or told.

use std::sync::Arc;

use pliant_numerics::{BlockCholesky, BlockMatrix, Mat3, PatternBuilder};
use pliant_solid::rows::{HardRows, LumpedRows, RowGroup, Woodbury};

use super::rows::{Asked, N, along, at, chain, free, listed, over_a_factor, right};

#[test]
fn conflicts_among_many_rows_are_told() {
    for gap in [1e-7, 1e-3, 1.0] {
        let mut asked: Vec<Asked> = (0..600).map(|n| along(n, [0.0, 0.0, 1.0], 1.0)).collect();
        asked.push(along(0, [0.0, 0.0, 1.0], 1.0 + gap));
        let mut x = vec![0.0; 1800];
        let report = LumpedRows::default().impose(&listed(&asked), |_| 1.0, &mut x);
        // is: gap 1: residual 4.6e-16, no conflict, x[2] = -1e17
        assert!(report.conflict.is_some() && (x[2] - 1.0).abs() < 2.0 * gap, "{gap}: {} {report:?}", x[2]);
        let (report, missed, _) = over_a_factor(600, &free(600), &asked);
        assert!(report.conflict.is_some() && missed[1] < 2.0 * gap, "{gap}: {missed:?} {report:?}");
    }
}

#[test]
fn sweeps_tell_of_rows_on_held_nodes() {
    let mut asked: Vec<Asked> = (0..600).map(|n| along(n, [0.0, 0.0, 1.0], 0.2)).collect();
    asked.iter_mut().for_each(|one| {
        let (node, lever) = one.levers[0];
        one.directions = Some(vec![(node, lever + Mat3([[0.2, 0.0, 0.0], [0.0; 3], [0.0; 3]]))]);
    });
    let mut x = vec![0.0; 1800];
    let inverse = |dof: usize| if dof / 3 == 7 { 0.0 } else { 1.0 };
    let report = LumpedRows::default().impose(&listed(&asked), inverse, &mut x);
    assert_eq!(report.conflict.map(|(group, _)| group), Some(7), "{report:?}");
}

#[test]
fn rows_of_light_and_heavy_nodes_over_a_factor_are_no_conflict() {
    let nodes = 600;
    let mut builder = PatternBuilder::new(nodes);
    (0..nodes as u32).for_each(|n| builder.pair(n, n));
    let mut matrix = BlockMatrix::zero(Arc::new(builder.build()));
    let stiff = |n: usize| 10_f64.powf(6.0 * ((n as f64 * 0.618_034).fract() - 0.5));
    (0..nodes).for_each(|n| matrix.add(n as u32, n as u32, &Mat3::diagonal(stiff(n))));
    let order: Vec<u32> = (0..nodes as u32).collect();
    let mut factor = BlockCholesky::analyse(matrix.pattern(), &order).unwrap();
    factor.factor(&matrix, &free(nodes)).unwrap();
    let asked: Vec<Asked> =
        (0..nodes as u32).map(|n| along(n, [0.0, 0.0, 1.0], 0.3 * (0.7 * f64::from(n)).sin())).collect();
    let mut x = vec![0.0; 3 * nodes];
    let report = HardRows::default().impose(&listed(&asked), &mut factor, &free(nodes), &mut x).unwrap();
    assert_eq!(report.conflict, None, "{report:?}");
}

#[test]
fn what_is_no_number_is_told() {
    for count in [3_u32, 600] {
        let asked: Vec<Asked> = (0..count).map(|n| along(n, [0.0, 0.0, 1.0], 0.2)).collect();
        let mut x = vec![0.0; 3 * count as usize];
        x[2] = f64::NAN;
        let report = LumpedRows::default().impose(&listed(&asked), |_| 1.0, &mut x);
        assert!(report.conflict.is_some(), "{report:?}");
    }
}

#[test]
fn a_spring_of_one_row_is_one_row() {
    let matrix = chain(N);
    let order: Vec<u32> = (0..N as u32).collect();
    let mut factor = BlockCholesky::analyse(matrix.pattern(), &order).unwrap();
    factor.factor(&matrix, &free(N)).unwrap();
    let rows = listed(&[at(3, RowGroup { rows: 1, ..RowGroup::stiff(Mat3::diagonal(1e6)) })]);
    let mut x = right(N);
    factor.solve_in_place(&mut x);
    Woodbury::default().correct(&rows, &mut factor, &free(N), &mut x);
    assert!(x[9].abs() < 1e-5 && x[10].abs() > 0.01, "{:?}", &x[9..12]);
}
