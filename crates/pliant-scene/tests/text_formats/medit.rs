//! Medit.

use pliant_scene::mesh_file::{self, MeshFile};

use super::{TET_AND_CUBE, check_complaints, groups, read};

/// A tetrahedron, a cube beside it, a triangle, a quadrilateral and an edge. Comments, odd capitals, lists that are
/// passed over; edges stand before the vertices.
pub const MEDIT: &str = "# by hand\nMeshVersionFormatted 2 # doubles\n\nDIMENSION\n3\nEdges\n2\n1 2 7\n2 3 0\n\
    Vertices\n9\n0 0 0 1\n1 0 0 1\n1 1 0 1\n0 1 0 1\n0 0 1 2\n1 0 1 2\n1 1 1 2\n0 1 1 2\n0.5 0.5 -1.5e0 0\n\
    Corners\n2\n1 2\nRequiredVertices 1\n1\nRidges\n1\n1\nNormals\n1\n0 0 -1\nSomethingNew\n1\n5 6\n\
    triangles 1\n1 3 2 4\nQuadrilaterals 1\n5 6 7 8 -4\nTetrahedra\n1\n1 2 3 9 5\nHexahedra\n1\n\
    1 2 3 4 5 6 7 8 6\nPrisms\n0\nEnd\nbeyond the end 1 2 3\n";

#[test]
fn medit_references_become_groups() {
    let MeshFile { mesh, notes } = read("a.mesh", MEDIT);
    assert_eq!(mesh.positions(), TET_AND_CUBE);
    assert_eq!(mesh.tets(), [[0, 1, 2, 8]]);
    assert_eq!(mesh.hexes(), [[0, 1, 2, 3, 4, 5, 6, 7]]);
    assert_eq!(mesh.triangles(), [[0, 2, 1], [4, 5, 6], [4, 6, 7]]);
    assert_eq!(
        groups(&mesh),
        [
            ("curve 7", vec![], vec![], vec![], vec![0, 1]),
            ("surface -4", vec![], vec![], vec![1, 2], vec![]),
            ("surface 4", vec![], vec![], vec![0], vec![]),
            ("volume 5", vec![0], vec![], vec![], vec![]),
            ("volume 6", vec![], vec![0], vec![], vec![]),
        ]
    );
    assert_eq!(notes, ["the keyword SomethingNew is not known and was passed over"]);
    // the content tells the format too
    assert_eq!(read("a.dat", MEDIT.trim_start_matches("# by hand\n")).mesh, mesh);
}

#[test]
fn medit_tetrahedra_of_second_order_are_their_corners() {
    let middle = |a: usize, b: usize| format!("{} {} {} 0\n", a as f64 / 2.0, b as f64 / 2.0, (a + b) as f64);
    let middles: String = (0..6).map(|i| middle(i, 5 - i)).collect();
    let text = format!(
        "MeshVersionFormatted 3\nDimension 3\nVertices 10\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n{middles}\
         TetrahedraP2 1\n1 2 3 4 5 6 7 8 9 10 3\nEnd\n"
    );
    let MeshFile { mesh, notes } = read("a.mesh", &text);
    assert_eq!((mesh.node_count(), mesh.tets()), (4, &[[0, 1, 2, 3]][..]));
    assert!(notes[0].contains("second-order elements (1 tetrahedra)"), "{notes:?}");
}

#[test]
fn medit_errors_name_line_text_and_way_out() {
    let change = |from: &str, to: &str| MEDIT.replace(from, to);
    check_complaints(
        "a.mesh",
        &[
            ("MFEM mesh v1.0\n".to_owned(), 1, "expected MeshVersionFormatted"),
            (change("Formatted 2", "Formatted 9"), 2, "versions 1 to 4"),
            (change("DIMENSION\n3", "DIMENSION\n2"), 5, "dimension 3"),
            (change("DIMENSION\n3", ""), 9, "Dimension and Vertices"),
            (change("Vertices\n9", "Vertices\n999999999999"), 11, "999999999999"),
            (change("Vertices\n9", "Vertices\n8"), 20, "expected a keyword"),
            (change("0 1 1 2", "0 1 1 two"), 19, "\"two\""),
            (change("0 1 1 2", "0 inf 1 2"), 19, "not finite"),
            (change("1 2 3 9 5", "1 2 3 10 5"), 41, "nodes are 1 to 9"),
            (change("1 2 3 9 5", "1 2 3 0 5"), 41, "nodes are 1 to 9"),
            (change("1 2 3 9 5", "1 2 3 3 5"), 41, "same node twice"),
            (change("1 2 7", "1 200 7"), 8, "nodes are 1 to 9"),
            (change("Prisms\n0", "Prisms\n1\n1 2 3 4 5 6 0"), 45, "Prisms are not read"),
            (change("Prisms\n0", "TetrahedraP2Ordering 1 1"), 45, "not read"),
            (MEDIT[..40].to_owned(), 2, "Vertices"),
        ],
    );
    let binary = b"\x01\0\0\0\x02\0\0\0\x03\0\0\0".as_slice();
    let message = mesh_file::read_bytes("a.meshb", binary).unwrap_err().to_string();
    assert!(message.contains("meshio convert"), "{message}");
}
