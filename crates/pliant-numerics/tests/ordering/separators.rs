//! Separators part the graph, and are as small as the geometry allows.

use pliant_numerics::ordering::{Side, separator};
use proptest::prelude::*;

use crate::any_input::any_grid;
use crate::grids::Grid;

/// Coupled pairs with one end on each side.
fn crossings(grid: &Grid, sides: &[Side]) -> usize {
    let graph = grid.graph();
    let lefts = (0..sides.len()).filter(|&v| sides[v] == Side::Left);
    let crossing = |&w: &&u32| sides[*w as usize] == Side::Right;
    lefts.map(|v| graph.neighbors(v as u32).iter().filter(crossing).count()).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_left_vertex_is_coupled_with_a_right_one(grid in any_grid()) {
        let sides = separator(&grid.view());
        prop_assert_eq!(sides.len(), grid.points.len());
        prop_assert_eq!(crossings(&grid, &sides), 0);
    }
}

#[test]
fn a_grid_is_separated_by_one_layer_across_its_long_side() {
    // 5 x 4 = 20 points a layer; no smaller set parts two layers that are coupled cell by cell
    for layers in [[11, 5, 4], [4, 11, 5], [5, 4, 11]] {
        let sides = separator(&Grid::hex(layers).view());
        let count = |side| sides.iter().filter(|&&s| s == side).count();
        assert_eq!(count(Side::Separator), 20, "{layers:?}");
        assert!(count(Side::Left).min(count(Side::Right)) >= 80, "{layers:?}");
    }
}

#[test]
fn parts_that_are_apart_need_no_separator() {
    let mut grid = Grid::hex([4, 4, 4]);
    let other = Grid::hex([4, 4, 4]);
    grid.points.extend(other.points.iter().map(|p| [p[0] + 10.0, p[1], p[2]]));
    for clique in other.members.chunks(8) {
        let moved: Vec<u32> = clique.iter().map(|v| v + 64).collect();
        grid.push(&moved);
    }
    let sides = separator(&grid.view());
    assert!(sides[..64].iter().all(|&s| s == Side::Left));
    assert!(sides[64..].iter().all(|&s| s == Side::Right));
}
