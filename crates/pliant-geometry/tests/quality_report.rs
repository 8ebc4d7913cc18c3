//! Figures of quality against cells whose shapes are known.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use pliant_geometry::{
    BoxElement, Mesh, ShapeElement, Sphere, box_mesh, cell_qualities, quality, quality_report,
};

#[test]
fn a_cube_of_five_tetrahedra_has_the_figures_worked_out_by_hand() {
    let cube = box_mesh([1.0; 3], [1; 3], BoxElement::Tet5).unwrap();
    let report = quality_report(&cube, 2).unwrap();
    // corner tet: V = 1/6, edges^2 3 * 1 + 3 * 2; q = 12 (1/2)^(2/3) / 9; the inner one is regular
    let corner = 12.0 * 0.5_f64.powf(2.0 / 3.0) / 9.0;
    assert_eq!((report.cells, report.histogram), (5, [0, 0, 0, 0, 0, 0, 0, 0, 4, 1]));
    for value in [report.minimum, report.first_percentile, report.median] {
        assert!((value - corner).abs() < 1e-15, "{value}");
    }
    assert!((report.mean - (4.0 * corner + 1.0) / 5.0).abs() < 1e-15);
    // a corner tet has right angles at its three legs and acos(1/sqrt 3) at the others; the regular one acos(1/3)
    let dihedral = report.dihedral.unwrap();
    assert!((dihedral.min.value - (1.0 / 3.0_f64.sqrt()).acos().to_degrees()).abs() < 1e-12);
    assert!((dihedral.max.value - 90.0).abs() < 1e-12 && dihedral.max.cell < 4, "{dihedral:?}");
    assert!((report.edge.min.value - 1.0).abs() < 1e-15);
    assert!((report.edge.max.value - 2.0_f64.sqrt()).abs() < 1e-15);
    assert!((report.aspect.max.value - 2.0_f64.sqrt()).abs() < 1e-15 && report.aspect.max.cell == 0);
    assert_eq!((report.aspect.min.value, report.aspect.min.cell), (1.0, 4));
    assert_eq!(report.worst.iter().map(|w| w.cell).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(report.worst[0].centroid, cube.cell_centroid(0));
}

#[test]
fn hexahedra_have_no_dihedral_angles_and_twelve_edges() {
    let brick = box_mesh([1.0, 2.0, 9.0], [1, 1, 3], BoxElement::Hex).unwrap();
    let report = quality_report(&brick, 9).unwrap();
    assert_eq!((report.minimum, report.histogram[9], report.dihedral), (1.0, 3, None));
    assert_eq!((report.edge.min.value, report.edge.max.value, report.aspect.max.value), (1.0, 3.0, 3.0));
    assert_eq!(report.worst.len(), 3);
}

#[test]
fn percentiles_are_values_at_their_rank() {
    let ball = Sphere { radius: 1.0, cells: 4, element: ShapeElement::Tet }.mesh().unwrap();
    let report = quality_report(&ball, 20).unwrap();
    let mut sorted = cell_qualities(&ball);
    assert!((0..ball.cell_count()).all(|c| sorted[c] == quality(&ball, c)));
    sorted.sort_by(f64::total_cmp);
    // 1536 tets: ranks 1, 16 and 768
    assert_eq!(sorted.len(), 1536);
    assert_eq!(
        (report.minimum, report.first_percentile, report.median),
        (sorted[0], sorted[15], sorted[767])
    );
    assert_eq!(report.histogram.iter().sum::<usize>(), 1536);
    assert_eq!(report.worst.iter().map(|w| w.quality).collect::<Vec<_>>(), sorted[..20]);
}

#[test]
fn degenerate_cells_are_counted_without_a_panic() {
    assert_eq!(quality_report(&Mesh::default(), 5), None);
    let tets = vec![[0, 1, 2, 3]];
    let point = Mesh::new(vec![[2.0; 3]; 6], tets, vec![], vec![], BTreeMap::new()).unwrap();
    let report = quality_report(&point, 0).unwrap();
    assert_eq!((report.minimum, report.histogram[0], report.dihedral), (0.0, 1, None));
    assert_eq!((report.edge.max.value, report.aspect.max.value), (0.0, f64::INFINITY));
    assert!(report.worst.is_empty());
}
