//! Whatever the points and cliques, each vertex is numbered once, and the same each time.

use pliant_numerics::ordering::{
    Ordering, Permutation, PermutationError, PointCliques, PointCliquesError, fill, order,
};
use proptest::prelude::*;

use super::ALL;
use crate::grids::Grid;

/// Points on a coarse lattice (many coincide) or all in one place; cliques of 0 to 8 names, some repeated.
pub fn any_grid() -> impl Strategy<Value = Grid> {
    (0_usize..90, 0.0..2.0_f64).prop_flat_map(|(count, scale)| {
        let scale = if scale < 0.3 { 0.0 } else { scale };
        let point = prop::array::uniform3((-4_i32..5).prop_map(move |x| scale * f64::from(x)));
        let clique = prop::collection::vec(0..count.max(1) as u32, 0..9);
        let cliques = prop::collection::vec(clique, 0..if count == 0 { 1 } else { 70 });
        (prop::collection::vec(point, count), cliques).prop_map(|(points, cliques)| {
            let mut grid = Grid { points, offsets: vec![0], members: Vec::new() };
            cliques.iter().for_each(|clique| grid.push(clique));
            grid
        })
    })
}

fn assert_inverse(permutation: &Permutation, count: usize) {
    assert_eq!(permutation.len(), count);
    for (new, &old) in permutation.new_to_old().iter().enumerate() {
        assert_eq!(permutation.old_to_new()[old as usize] as usize, new);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_order_is_a_permutation_and_repeats(grid in any_grid()) {
        for ordering in ALL {
            let found = order(&grid.view(), ordering);
            assert_inverse(&found, grid.points.len());
            prop_assert_eq!(&found, &order(&grid.view(), ordering));
        }
    }

    #[test]
    fn column_counts_are_those_of_elimination_by_hand(grid in any_grid()) {
        let graph = grid.graph();
        let found = order(&grid.view(), Ordering::Random(3));
        let count = grid.points.len();
        // a full table of pairs, one vertex eliminated after the other
        let mut coupled = vec![vec![false; count]; count];
        for v in 0..count {
            for &w in graph.neighbors(v as u32) {
                coupled[v][w as usize] = true;
            }
        }
        let mut by_hand = Vec::new();
        for (step, &v) in found.new_to_old().iter().enumerate() {
            let later: Vec<usize> = found.new_to_old()[step + 1..].iter().map(|&w| w as usize).collect();
            let front: Vec<usize> = later.into_iter().filter(|&w| coupled[v as usize][w]).collect();
            for &a in &front {
                for &b in &front {
                    coupled[a][b] = true;
                }
            }
            by_hand.push(front.len() as u32 + 1);
        }
        prop_assert_eq!(fill::column_counts(&graph, &found), by_hand);
    }

    #[test]
    fn one_thread_and_many_agree(grid in any_grid()) {
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let alone = one.install(|| order(&grid.view(), Ordering::Best));
        prop_assert_eq!(alone, order(&grid.view(), Ordering::Best));
    }
}

#[test]
fn nothing_one_vertex_and_lone_vertices_are_ordered() {
    for count in [0, 1, 2, 500] {
        let grid = Grid { points: vec![[1.0; 3]; count], offsets: Vec::new(), members: Vec::new() };
        for ordering in ALL {
            assert_inverse(&order(&grid.view(), ordering), count);
        }
    }
}

#[test]
fn one_large_clique_of_coinciding_points_is_ordered() {
    let mut grid = Grid { points: vec![[0.5; 3]; 900], offsets: vec![0], members: Vec::new() };
    grid.push(&(0..900).collect::<Vec<u32>>());
    for ordering in ALL {
        // a dense matrix is full whatever the order: n (n + 1) / 2
        assert_eq!(grid.entries(ordering), 900 * 901 / 2, "{ordering:?}");
    }
}

#[test]
fn threads_do_not_change_the_order_of_a_large_grid() {
    let grid = Grid::hex([13, 12, 11]);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for ordering in [Ordering::Default, Ordering::Best] {
        let alone = one.install(|| order(&grid.view(), ordering));
        assert_eq!(alone, order(&grid.view(), ordering), "{ordering:?}");
    }
}

#[test]
fn extreme_coordinates_are_ordered() {
    let mut grid = Grid::hex([6, 6, 6]);
    for (v, point) in grid.points.iter_mut().enumerate() {
        *point = if v % 2 == 0 { [f64::MAX; 3] } else { [-f64::MAX, f64::MIN_POSITIVE, -0.0] };
    }
    for ordering in ALL {
        assert_inverse(&order(&grid.view(), ordering), 216);
    }
}

#[test]
fn wrong_input_is_refused_by_name() {
    let points = [[0.0; 3], [1.0, f64::NAN, 0.0]];
    let fault = PointCliques::new(&points, &[0], &[]).unwrap_err();
    assert_eq!(fault, PointCliquesError::NotFinite { point: 1 });
    let points = [[0.0; 3]; 2];
    let fault = PointCliques::new(&points, &[0, 2], &[0, 2]).unwrap_err();
    assert_eq!(fault, PointCliquesError::Member { clique: 0, vertex: 2 });
    for offsets in [&[1_u32, 2][..], &[0, 1], &[0, 2, 1, 2]] {
        assert_eq!(PointCliques::new(&points, offsets, &[0, 1]).unwrap_err(), PointCliquesError::Offsets);
    }
    let twice = Permutation::from_new_to_old(vec![0, 1, 1]).unwrap_err();
    assert_eq!(twice, PermutationError::Repeated { number: 1 });
    let far = Permutation::from_new_to_old(vec![0, 3, 1]).unwrap_err();
    assert_eq!(far, PermutationError::OutOfRange { number: 3, length: 3 });
}
