//! Separators part the graph, and are as small as the geometry allows.

use pliant_numerics::ordering::{Side, regular, regular_sides, separator, simple, simple_sides};
use proptest::prelude::*;

use super::any_input::any_grid;
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
        for sides in [separator(&grid.view()), simple_sides(&grid.view())] {
            prop_assert_eq!(sides.len(), grid.points.len());
            prop_assert_eq!(crossings(&grid, &sides), 0);
        }
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
fn the_first_dissections_of_a_grid_are_numbered_last() {
    // a layer of 5 x 4 points for the regular one, the two layers of the cut cells for the simple one
    for layers in [[11, 5, 4], [4, 11, 5], [5, 4, 11]] {
        let grid = Grid::hex(layers);
        let found = [
            (regular_sides(layers), regular(layers), 20),
            (simple_sides(&grid.view()), simple(&grid.view()), 40),
        ];
        for (sides, order, size) in found {
            assert_eq!(crossings(&grid, &sides), 0, "{layers:?}");
            let last = &order.new_to_old()[order.len() - size..];
            assert!(last.iter().all(|&v| sides[v as usize] == Side::Separator), "{layers:?}");
            assert_eq!(sides.iter().filter(|&&s| s == Side::Separator).count(), size, "{layers:?}");
        }
    }
}

#[test]
fn a_coil_is_cut_across_once() {
    // 3 x 3 points a section, wound three times: a plane that leaves halves cuts every turn, a level one section
    let mut coil = Grid::hex([121, 3, 3]);
    for point in &mut coil.points {
        let [along, across, up] = *point;
        let (angle, radius) = (along * std::f64::consts::TAU / 40.0, 5.0 + along / 8.0 + across);
        *point = [radius * angle.cos(), radius * angle.sin(), up];
    }
    let sides = separator(&coil.view());
    let count = |side| sides.iter().filter(|&&s| s == side).count();
    assert_eq!(count(Side::Separator), 9);
    assert!(count(Side::Left).min(count(Side::Right)) >= 400);
    assert_eq!(crossings(&coil, &sides), 0);
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
