//! Vega.

use std::fs;

use pliant_scene::mesh_file::{self, MeshFile, MeshFileError};

use super::{TET_AND_CUBE, check_complaints, groups, line_and_message, read};

/// A cube and its neighbour along x, as in the drawing of Vega's cubicMesh.h: x, then y, then z.
pub const VEGA: &str = "# Vega mesh file.\n*VERTICES\n12 3 0 0\n1 0 0 0\n2 0 0 1\n3 0 1 0\n4 0 1 1\n5 1 0 0\n6 1 0 1\n\
    7, 1, 1, 0\n8 1 1 1\n9 2 0 0\n10 2 0 1\n11 2 1 0\n12 2 1 1\n\n*ELEMENTS\nCUBIC\n2 8 0\n1 1 5 7 3 2 6 8 4\n\
    2 5 9 11 7 6 10 12 8\n\n*MATERIAL BODY\nENU, 1000, 1e7, 0.45\n*SET right half\n2\n*SET all\n1,\n2,\n\
    *REGION\nallElements, BODY\n";

pub const VEGA_TET: &str =
    "*VERTICES\n4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n*ELEMENTS\nTETS\n1 4 0\n0 0 1 2 3\n*SET s\n0\n";

#[test]
fn vega_cubes_are_hexahedra_and_sets_are_groups() {
    let MeshFile { mesh, notes } = read("a.veg", VEGA);
    assert_eq!(mesh.hexes(), [[0, 4, 6, 2, 1, 5, 7, 3], [4, 8, 10, 6, 5, 9, 11, 7]]);
    // VTK's order: around the face z = 0, then the face z = 1
    let corners = mesh.hexes()[0].map(|n| mesh.positions()[n as usize]);
    assert_eq!(corners, TET_AND_CUBE[..8]);
    assert_eq!(
        groups(&mesh),
        [("all", vec![], vec![0, 1], vec![], vec![]), ("right half", vec![], vec![1], vec![], vec![]),]
    );
    assert!(notes[0].contains("materials"), "{notes:?}");
    let mesh = read("a.veg", VEGA_TET).mesh;
    assert_eq!((mesh.tets(), mesh.groups()["s"].tets.as_slice()), (&[[0, 1, 2, 3]][..], &[0][..]));
}

#[test]
fn vega_includes_files_of_the_same_folder() {
    let folder = tempfile::tempdir().unwrap();
    let main = folder.path().join("a.veg");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let main_text = "*VERTICES\n*INCLUDE a.node\n*ELEMENTS\nTET\n*INCLUDE a.ele\n*SET s\n1\n";
    let nodes = "# TetGen's\n4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";
    write("a.veg", main_text);
    write("a.node", nodes);
    write("a.ele", "1 4 0\n1 1 2 3 4\n");
    let mesh = mesh_file::read(&main).unwrap().mesh;
    assert_eq!((mesh.node_count(), mesh.tets()), (4, &[[0, 1, 2, 3]][..]));
    // the error is in the file that is included
    write("a.node", &nodes.replace("3 0 1 0", "3 0 1"));
    let (line, message) = line_and_message(mesh_file::read(&main).unwrap_err(), "a.node:");
    assert!(line == 5 && message.contains("the line ends"), "{message}");
    write("b.node", "*INCLUDE a.node\n");
    for (name, file, line, part) in [
        ("../a.node", "a.veg:", 2, "same folder"),
        ("a.ele", "a.veg:", 5, "included twice"),
        ("b.node", "b.node:", 1, "includes another"),
    ] {
        write("a.veg", &main_text.replacen("a.node", name, 1));
        let (found, message) = line_and_message(mesh_file::read(&main).unwrap_err(), file);
        assert!(found == line && message.contains(part), "{message}");
    }
    write("a.veg", &main_text.replacen("a.node", "none", 1));
    assert!(
        matches!(mesh_file::read(&main), Err(MeshFileError::Read { file, .. }) if file.ends_with("none"))
    );
}

#[test]
fn vega_errors_name_line_text_and_way_out() {
    let change = |from: &str, to: &str| VEGA.replace(from, to);
    check_complaints(
        "a.veg",
        &[
            (change("12 3 0 0", "12 2 0 0"), 3, "3 dimensions"),
            (change("12 3 0 0", "120000000 3 0 0"), 3, "120000000"),
            (change("12 3 0 0", "11 3 0 0"), 15, "expected a keyword"),
            (change("12 3 0 0", "13 3 0 0"), 17, "the number of a node"),
            (change("2 0 0 1", "4 0 0 1"), 5, "should have the number 2"),
            (change("CUBIC", "PRISM"), 18, "TET or CUBIC"),
            (change("2 5 9 11 7 6 10 12 8", "2 5 9 11 7 6 10 12"), 21, "the line ends"),
            (change("2 5 9 11 7 6 10 12 8", "2 5 9 11 7 6 10 12 13"), 21, "nodes are 1 to 12"),
            (change("half\n2", "half\n3"), 26, "elements are 1 to 2"),
            (change("*SET all", "*SET"), 27, "has a name"),
            (change("*REGION", "*RELIGION"), 30, "not known"),
            (change("*VERTICES", "*SET a\n1\n*VERTICES"), 2, "behind the *ELEMENTS"),
            (VEGA[..VEGA.find("*ELEM").unwrap()].to_owned(), 17, "*ELEMENTS"),
        ],
    );
}
