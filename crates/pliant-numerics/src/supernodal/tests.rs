//! Parts of every width, trees of every shape: right solutions, and no part forgotten or worked on twice.

use faer::Side;
use faer::perm::PermRef;
use faer::sparse::SymbolicSparseColMat;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::linalg::{SupernodalThreshold, SymbolicSupernodalParams};

use super::factor::{Room, factor};
use super::plan::{Parts, Plan};
use super::postorder::postordered;
use super::solve::Solve;
use super::tree::{Branch, branches};

type Coupled = fn(usize, usize) -> bool;

/// A chain, dense groups, and some couplings far apart.
fn mixed(i: usize, j: usize) -> bool {
    i - j < 2 || (i * j) % 13 == 5 || i / 21 == j / 21 && i % 21 > 9 && j % 21 > 9
}

/// A wide band: its tree is one path.
fn band(i: usize, j: usize) -> bool {
    i - j < 60
}

/// A dense trunk on which small groups stand all along.
fn caterpillar(i: usize, j: usize) -> bool {
    let (trunk, group) = (|i: usize| i % 5 == 4, |i: usize| i / 5);
    group(i) == group(j) || trunk(i) && trunk(j)
}

fn pattern(size: usize, coupled: Coupled) -> SymbolicSparseColMat<usize> {
    let (mut starts, mut rows) = (vec![0], Vec::new());
    for j in 0..size {
        rows.extend((j..size).filter(|&i| i == j || coupled(i, j)));
        starts.push(rows.len());
    }
    SymbolicSparseColMat::new_checked(size, size, starts, None, rows)
}

struct Analysed {
    lower: SymbolicSparseColMat<usize>,
    order: Vec<usize>,
    inverse: Vec<usize>,
    symbolic: SymbolicCholesky<usize>,
}

impl Analysed {
    /// In the order of the numbers, with merged parts or without.
    fn new(size: usize, coupled: Coupled, relax: Option<&[(usize, f64)]>) -> Self {
        let lower = pattern(size, coupled);
        let order = postordered(&lower, &(0..size).collect::<Vec<_>>());
        let mut inverse = vec![0; size];
        order.iter().enumerate().for_each(|(new, &old)| inverse[old] = new);
        let parameters = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
            supernodal_params: SymbolicSupernodalParams { relax },
            ..Default::default()
        };
        let ordering = SymmetricOrdering::Custom(PermRef::new_checked(&order, &inverse, size));
        let symbolic =
            factorize_symbolic_cholesky(lower.as_ref(), Side::Lower, ordering, parameters).unwrap();
        Self { lower, order, inverse, symbolic }
    }

    fn parts(&self) -> &Parts {
        match self.symbolic.raw() {
            SymbolicCholeskyRaw::Supernodal(parts) => parts,
            SymbolicCholeskyRaw::Simplicial(_) => panic!("parts were asked for"),
        }
    }

    /// The largest difference between A x and three right sides.
    fn residual(&self) -> f64 {
        let size = self.order.len();
        let entries: Vec<[usize; 2]> =
            (0..size).flat_map(|j| self.lower.row_idx_of_col_raw(j).iter().map(move |&i| [i, j])).collect();
        // dominant: no row has more than `size` others, each below 1
        let value = |[i, j]: [usize; 2]| if i == j { size as f64 } else { ((i + 3 * j) as f64).sin() };
        let values: Vec<f64> = entries.iter().map(|&place| value(place)).collect();
        let parts = self.parts();
        let plan = Plan::new(parts, &self.lower, &self.inverse).unwrap();
        let mut branches = branches(parts, &plan.parents, |blocks| Room::new(size, blocks));
        let mut numbers = vec![f64::NAN; parts.len_val()];
        factor((parts, &plan), &values, &mut numbers, &mut branches).unwrap();
        let solve = Solve { parts, plan: &plan, factor: &numbers, order: &self.order, sides: 3 };
        let mut left: Vec<f64> = (0..3 * size).map(|i| (i as f64).cos()).collect();
        let mut x = left.clone();
        solve.in_place(&branches, &mut x, &mut vec![f64::NAN; Solve::work_length(parts, 3)]);
        for (&[i, j], value) in entries.iter().zip(&values) {
            for side in 0..3 {
                left[3 * i + side] -= value * x[3 * j + side];
                left[3 * j + side] -= if i == j { 0.0 } else { value * x[3 * i + side] };
            }
        }
        left.iter().fold(0.0, |worst, x| if x.abs() > worst || x.is_nan() { x.abs() } else { worst })
    }
}

const MERGED: Option<&[(usize, f64)]> = Some(&[(4, 1.0), (16, 0.8)]);

#[test]
fn parts_of_every_width_solve_three_systems_at_once() {
    for size in (1..12).chain([40, 63, 101, 300]) {
        for relax in [None, MERGED] {
            // the right sides are about 1: rounding only
            assert!(Analysed::new(size, mixed, relax).residual() < 2e-14, "{size} rows");
        }
    }
}

#[test]
fn trees_that_are_cut_solve_too() {
    for (size, coupled) in [(6000, band as Coupled), (2500, caterpillar), (700, mixed)] {
        assert!(Analysed::new(size, coupled, MERGED).residual() < 2e-14, "{size} rows");
    }
}

/// Parts in the order of work, and the greatest number of branchings above one another.
fn walked<T>(branches: &[Branch<T>], found: &mut Vec<usize>) -> usize {
    let mut depth = 0;
    for branch in branches {
        depth = depth.max(1 + walked(&branch.children, found));
        found.extend(branch.trunk.clone());
    }
    depth
}

#[test]
fn every_part_is_in_one_branch_and_branchings_are_few() {
    // more rows than a recursion into a path of parts could bear
    for (size, coupled) in [(6000, band as Coupled), (2500, caterpillar), (700, mixed), (7, mixed)] {
        let analysed = Analysed::new(size, coupled, None);
        let parts = analysed.parts();
        let plan = Plan::new(parts, &analysed.lower, &analysed.inverse).unwrap();
        let mut found = Vec::new();
        let branches = branches(parts, &plan.parents, |_| ());
        let depth = walked(&branches, &mut found);
        // the small one is not worth it
        assert_eq!(branches.iter().any(|branch| !branch.children.is_empty()), size > 7, "{size} rows");
        assert_eq!(found, (0..parts.n_supernodes()).collect::<Vec<_>>());
        assert!(depth <= 16, "{depth}");
    }
}
