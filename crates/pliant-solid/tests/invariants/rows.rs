//! The list of rows against its own conditions: balance of all unknowns, and what every row asks for.

use std::sync::Arc;

use pliant_numerics::{BlockCholesky, BlockMatrix, Mat3, PatternBuilder};
use pliant_solid::rows::{
    Block, Corrected, HardRows, Inverse, Lever, LumpedRows, RowGroup, Rows, RowsReport, RowsWay, Woodbury,
};

pub const N: usize = 8;

/// A chain of nodes, each tied to the ground and to its neighbours by springs that differ in all directions.
pub fn chain(nodes: usize) -> BlockMatrix {
    let mut builder = PatternBuilder::new(nodes);
    (0..nodes as u32).for_each(|n| builder.pair(n, n));
    (1..nodes as u32).for_each(|n| {
        builder.pair(n - 1, n);
        builder.pair(n, n - 1);
    });
    let mut matrix = BlockMatrix::zero(Arc::new(builder.build()));
    for n in 0..nodes as u32 {
        matrix.add(n, n, &Mat3::diagonal(0.3 + 0.1 * f64::from(n % 5)));
        if n > 0 {
            let along = [1.0, 0.3 * f64::from(n % 3), -0.2];
            let spring = Mat3::diagonal(0.5) + Mat3::dyad(along, along);
            for (a, b, sign) in [(n, n, 1.0), (n - 1, n - 1, 1.0), (n, n - 1, -1.0), (n - 1, n, -1.0)] {
                matrix.add(a, b, &spring.scale(sign));
            }
        }
    }
    matrix
}

/// A group with its levers, as the test knows it.
#[derive(Clone)]
pub struct Asked {
    pub group: RowGroup,
    pub levers: Vec<Lever>,
    pub directions: Option<Vec<Lever>>,
}

pub fn at(node: u32, group: RowGroup) -> Asked {
    Asked { group, levers: vec![(node, Mat3::identity())], directions: None }
}

/// One row along a direction.
pub fn along(node: u32, direction: [f64; 3], target: f64) -> Asked {
    let lever = Mat3([direction, [0.0; 3], [0.0; 3]]);
    Asked { group: RowGroup::exact(1, [target, 0.0, 0.0]), levers: vec![(node, lever)], directions: None }
}

fn one_sided(mut asked: Asked) -> Asked {
    asked.group = asked.group.one_sided();
    asked
}

pub fn listed(asked: &[Asked]) -> Rows {
    let mut rows = Rows::default();
    for one in asked {
        rows.add(one.group, |add| one.levers.iter().for_each(|(node, lever)| add(*node, *lever)));
        if let Some(directions) = &one.directions {
            rows.direct(|add| directions.iter().for_each(|(node, lever)| add(*node, *lever)));
        }
    }
    rows
}

pub fn right(nodes: usize) -> Vec<f64> {
    (0..3 * nodes).map(|i| (1.3 * i as f64).sin()).collect()
}

fn motion(levers: &[Lever], x: &[f64]) -> [f64; 3] {
    let mut y = [0.0; 3];
    for (node, lever) in levers {
        let first = 3 * *node as usize;
        let part = lever.mul_vec([x[first], x[first + 1], x[first + 2]]);
        (0..3).for_each(|c| y[c] += part[c]);
    }
    y
}

/// How far x and the forces of hard rows are from the equations: balance of free unknowns, and rows.
fn missed(matrix: &BlockMatrix, held: &[bool], asked: &[Asked], x: &[f64], forces: &[f64]) -> [f64; 2] {
    let mut left = vec![0.0; x.len()];
    matrix.multiply_into(x, &mut left);
    left.iter_mut().zip(right(x.len() / 3)).for_each(|(l, b)| *l -= b);
    let (mut next, mut of_rows) = (0, 0.0_f64);
    for one in asked {
        let y = motion(&one.levers, x);
        let force = match one.group.block {
            Block::Stiffness(s) => s.mul_vec(y).map(|f| -f),
            Block::Compliance(_) | Block::Exact => {
                let own = std::array::from_fn(|r| if r < one.group.rows { forces[next + r] } else { 0.0 });
                next += one.group.rows;
                own
            }
        };
        let soft = match one.group.block {
            Block::Compliance(c) => c.mul_vec(force),
            Block::Exact => [0.0; 3],
            Block::Stiffness(_) => {
                spread(&one.levers, force, &mut left);
                continue;
            }
        };
        for r in 0..one.group.rows {
            let w = y[r] + soft[r] - one.group.target[r];
            let [low, high] = one.group.bounds[r];
            assert!((low - 1e-8..=high + 1e-8).contains(&force[r]), "{} within [{low}, {high}]", force[r]);
            let w = if force[r] <= low + 1e-12 { w.min(0.0) } else { w };
            let w = if force[r] >= high - 1e-12 { w.max(0.0) } else { w };
            of_rows = of_rows.max(w.abs());
        }
        spread(one.directions.as_ref().unwrap_or(&one.levers), force, &mut left);
    }
    let free = left.iter().zip(held).filter(|(_, held)| !**held).map(|(l, _)| l.abs());
    [free.fold(0.0, f64::max), of_rows]
}

fn spread(levers: &[Lever], force: [f64; 3], out: &mut [f64]) {
    for (node, lever) in levers {
        let share = lever.transpose().mul_vec(force);
        (0..3).for_each(|c| out[3 * *node as usize + c] -= share[c]);
    }
}

/// Solves the chain with rows by its factor, and gives the report with what is missed.
pub fn over_a_factor(nodes: usize, held: &[bool], asked: &[Asked]) -> (RowsReport, [f64; 2], Vec<f64>) {
    let matrix = chain(nodes);
    let order: Vec<u32> = (0..nodes as u32).collect();
    let mut factor = BlockCholesky::analyse(matrix.pattern(), &order).unwrap();
    factor.factor(&matrix, held).unwrap();
    let rows = listed(asked);
    let (mut woodbury, mut hard) = (Woodbury::default(), HardRows::default());
    woodbury.prepare(&rows, &mut factor, held);
    let mut inverse = Corrected { inverse: &mut factor, woodbury: &mut woodbury, rows: &rows, held };
    let mut x = right(nodes);
    x.iter_mut().zip(held).filter(|(_, held)| **held).for_each(|(x, _)| *x = 0.0);
    inverse.solve_in_place(&mut x);
    let report = hard.impose(&rows, &mut inverse, held, &mut x).unwrap();
    let missed = missed(&matrix, held, asked, &x, hard.forces());
    (report, missed, hard.forces().to_vec())
}

pub fn free(nodes: usize) -> Vec<bool> {
    vec![false; 3 * nodes]
}

fn soft(diagonal: f64) -> Mat3<f64> {
    Mat3::diagonal(diagonal) + Mat3::dyad([0.1, 0.2, 0.3], [0.1, 0.2, 0.3])
}

#[test]
fn springs_compliances_and_exact_rows_are_met_together() {
    // a saturated hand: no stiffness along its force
    let turning = Mat3::diagonal(50.0) - Mat3::dyad([0.0, 0.0, 50.0], [0.0, 0.0, 1.0]);
    let pair = Asked {
        group: RowGroup::exact(3, [0.1, 0.0, -0.2]),
        levers: vec![(2, Mat3::diagonal(0.5)), (3, Mat3::diagonal(0.5)), (6, Mat3::diagonal(-1.0))],
        directions: None,
    };
    let asked = [
        at(1, RowGroup::stiff(turning)),
        pair,
        at(4, RowGroup::compliant(2, soft(0.7), [0.3, 0.3, 0.0])),
        at(5, RowGroup::stiff(soft(2.0))),
        along(7, [0.6, 0.0, 0.8], -0.4),
    ];
    let mut held = free(N);
    (held[0], held[13]) = (true, true);
    let (report, missed, _) = over_a_factor(N, &held, &asked);
    assert!(missed.iter().all(|m| *m < 1e-12), "{missed:?}");
    assert_eq!((report.way, report.redundant, report.conflict), (RowsWay::Dense, 0, None));
    // and hands alone
    let (report, missed, _) = over_a_factor(N, &held, &asked[..1]);
    assert!(missed[0] < 1e-12 && report.way == RowsWay::None, "{missed:?}");
}

#[test]
fn rows_that_push_let_go_and_rows_with_a_largest_force_give_way() {
    let asked: Vec<Asked> =
        (0..N as u32).map(|n| one_sided(along(n, [0.0, 0.6, 0.8], 0.1 * f64::from(n % 3)))).collect();
    let (report, missed, forces) = over_a_factor(N, &free(N), &asked);
    assert!(missed.iter().all(|m| *m < 1e-10) && report.conflict.is_none(), "{missed:?} {report:?}");
    let pushing = forces.iter().filter(|f| **f > 0.0).count();
    assert!((1..N).contains(&pushing), "some push, some do not: {forces:?}");
    let mut limited = asked;
    limited.iter_mut().for_each(|one| one.group.bounds[0] = [0.0, 0.05]);
    let (_, missed, forces) = over_a_factor(N, &free(N), &limited);
    assert!(missed.iter().all(|m| *m < 1e-10), "{missed:?}");
    assert!(forces.contains(&0.05), "{forces:?}");
}

#[test]
fn what_is_asked_for_twice_is_met_and_what_cannot_be_is_told() {
    let once = along(3, [1.0, 0.0, 0.0], 0.2);
    let sum = Asked {
        group: RowGroup::exact(1, [0.5, 0.0, 0.0]),
        levers: vec![
            (3, Mat3([[1.0, 0.0, 0.0], [0.0; 3], [0.0; 3]])),
            (4, Mat3([[1.0, 0.0, 0.0], [0.0; 3], [0.0; 3]])),
        ],
        directions: None,
    };
    let other = along(4, [1.0, 0.0, 0.0], 0.3);
    for sides in [[false; 3], [true; 3], [true, false, false]] {
        let three = [once.clone(), other.clone(), sum.clone()];
        let asked: Vec<Asked> =
            three.into_iter().zip(sides).map(|(a, one)| if one { one_sided(a) } else { a }).collect();
        let (report, missed, _) = over_a_factor(N, &free(N), &asked);
        assert!(missed.iter().all(|m| *m < 1e-9), "{sides:?}: {missed:?}");
        assert_eq!(report.conflict, None, "{sides:?}");
    }
    // 0.2 + 0.3 is not 0.6
    let mut wrong = sum;
    wrong.group.target[0] = 0.6;
    let (report, ..) = over_a_factor(N, &free(N), &[once.clone(), other, wrong]);
    let (_, left) = report.conflict.unwrap();
    assert!((0.01..0.2).contains(&left.abs()), "{report:?}");
    // what is held does not move
    let mut held = free(N);
    held[9..12].fill(true);
    let (report, ..) = over_a_factor(N, &held, std::slice::from_ref(&once));
    assert_eq!(report.conflict.map(|(group, left)| (group, (1e9 * left).round())), Some((0, -2e8)));
    // but may be asked to stay
    let stay = along(3, [1.0, 0.0, 0.0], 0.0);
    assert_eq!(over_a_factor(N, &held, &[stay]).0.conflict, None);
}

#[test]
fn forces_may_have_a_direction_of_their_own() {
    // a row along z whose force acts along x and z: friction of a slope
    let mut slope = along(2, [0.0, 0.0, 1.0], 0.2);
    slope.directions = Some(vec![(2, Mat3([[0.4, 0.0, 1.0], [0.0; 3], [0.0; 3]]))]);
    let (report, missed, _) = over_a_factor(N, &free(N), &[slope.clone(), along(5, [1.0, 0.0, 0.0], 0.1)]);
    assert!(missed.iter().all(|m| *m < 1e-12), "{missed:?} {report:?}");
    let (_, missed, _) = over_a_factor(N, &free(N), &[one_sided(slope)]);
    assert!(missed.iter().all(|m| *m < 1e-12), "{missed:?}");
}

/// Many rows: every other node held to a floor, all nodes of a stretch exactly.
fn many(nodes: usize) -> Vec<Asked> {
    let target = |n: u32| 0.3 * (0.7 * f64::from(n)).sin();
    let floor = (0..nodes as u32).map(|n| one_sided(along(n, [0.0, 0.0, 1.0], target(n))));
    let exact = (0..nodes as u32 / 2).map(|n| along(n, [0.0, 1.0, 0.0], target(n)));
    floor.chain(exact).collect()
}

#[test]
fn more_rows_than_a_dense_matrix_takes_are_met_by_iterations() {
    let nodes = 400;
    let asked = many(nodes);
    let (report, missed, _) = over_a_factor(nodes, &free(nodes), &asked);
    assert_eq!((report.way, report.conflict), (RowsWay::Projected, None));
    assert!(missed.iter().all(|m| *m < 1e-7), "{missed:?} {report:?}");
    // too many with directions of their own, over a factor
    let mut turned = asked;
    turned[0].directions = Some(turned[0].levers.clone());
    let rows = listed(&turned);
    struct Nothing;
    impl Inverse for Nothing {
        fn solve_in_place(&mut self, _: &mut [f64]) {}
    }
    let mut x = right(nodes);
    let refused = HardRows::default().impose(&rows, &mut Nothing, &free(nodes), &mut x).unwrap_err();
    assert_eq!(refused.to_string(), "600 rows with directions of their own are too many (the most are 500)");
}

/// Lumped mass as a matrix.
fn masses(nodes: usize) -> (BlockMatrix, Vec<f64>) {
    let mass: Vec<f64> = (0..nodes).map(|n| [1.0, 100.0, 0.01][n % 3]).collect();
    let mut builder = PatternBuilder::new(nodes);
    (0..nodes as u32).for_each(|n| builder.pair(n, n));
    let mut matrix = BlockMatrix::zero(Arc::new(builder.build()));
    mass.iter().enumerate().for_each(|(n, m)| matrix.add(n as u32, n as u32, &Mat3::diagonal(*m)));
    (matrix, mass)
}

/// Neighbours a given way apart along x, the first pushed from below.
fn links(nodes: usize) -> Vec<Asked> {
    let ends = |n: u32| {
        let lever = |s: f64| Mat3([[s, 0.0, 0.0], [0.0, s, 0.0], [0.0, 0.0, s]]);
        vec![(n - 1, lever(-1.0)), (n, lever(1.0))]
    };
    let link = |n: u32| {
        let group = match n % 4 {
            0 => RowGroup::compliant(3, soft(0.2), [1.0, 0.0, 0.0]),
            1 => RowGroup::exact(2, [1.0, 0.1, 0.0]).one_sided(),
            _ => RowGroup::exact(3, [1.0, 0.0, 0.0]),
        };
        Asked { group, levers: ends(n), directions: None }
    };
    (1..nodes as u32).map(link).collect()
}

fn over_mass(nodes: usize, asked: &[Asked]) -> (RowsReport, [f64; 2]) {
    let (matrix, mass) = masses(nodes);
    let mut x: Vec<f64> = right(nodes).iter().enumerate().map(|(i, b)| b / mass[i / 3]).collect();
    let mut held = free(nodes);
    held[1] = true;
    x[1] = 0.0;
    let mut lumped = LumpedRows::default();
    let inverse = |dof: usize| if held[dof] { 0.0 } else { 1.0 / mass[dof / 3] };
    let report = lumped.impose(&listed(asked), inverse, &mut x);
    (report, missed(&matrix, &held, asked, &x, lumped.forces()))
}

#[test]
fn over_lumped_mass_few_rows_are_dense_and_many_are_sparse() {
    let (report, missed) = over_mass(40, &links(40));
    assert_eq!((report.way, report.conflict), (RowsWay::Dense, None));
    assert!(missed.iter().all(|m| *m < 1e-9), "{missed:?}");
    let (report, missed) = over_mass(250, &links(250));
    assert_eq!((report.way, report.conflict), (RowsWay::Sparse, None), "{report:?}");
    assert!(missed.iter().all(|m| *m < 1e-6), "{missed:?} {report:?}");
    // with directions of their own
    let mut turned = many(400);
    turned.iter_mut().for_each(|one| {
        let (node, lever) = one.levers[0];
        one.directions = Some(vec![(node, lever + Mat3([[0.2, 0.0, 0.0], [0.0; 3], [0.0; 3]]))]);
    });
    let (report, missed) = over_mass(400, &turned);
    assert_eq!((report.way, report.conflict), (RowsWay::Sweeps, None), "{report:?}");
    assert!(missed.iter().all(|m| *m < 1e-8), "{missed:?} {report:?}");
    // a link that is asked for twice, once longer: no end of iterations meets both
    let mut wrong = links(250);
    let mut again = wrong[1].clone();
    again.group.target[0] = 2.0;
    wrong.push(again);
    let (matrix, _) = masses(250);
    assert_eq!(matrix.pattern().row_count(), 250);
    let report = {
        let mut x = right(250);
        LumpedRows::default().impose(&listed(&wrong), |dof| [1.0, 0.01, 100.0][dof / 3 % 3], &mut x)
    };
    assert!(report.conflict.is_some_and(|(_, left)| left.abs() > 0.1), "{report:?}");
}
