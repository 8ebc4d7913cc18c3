//! Abaqus.

use pliant_scene::mesh_file::MeshFile;

use super::{TET_AND_CUBE, check_complaints, complaint, groups, read};

/// Elements before nodes, sets of sets, ranges far beyond the labels, lines that go on, a Fortran exponent, an element
/// over three lines, a truss, and things that are not the mesh.
pub const ABAQUS: &str = "*Heading\n a body\n** a comment\n*NSET, NSET=Fixed, GENERATE\n10, 999999999999, 20\n5,5\n\
    *Element, type=C3D8R,\n elset=Cube\n7, 10,\n 20, 30, 40, 50,\n60, 70, 80\n\
    * NODE , nset = All\n10, 0., 0., 0.\n20, 1.0D+00, 0, 0\n30, 1, 1, 0\n40, 0, 1,\n50, 0, 0, 1\n60, 1, 0, 1\n\
    70, 1, 1, 1\n80, 0, 1, 1\n 5 , 5.0d-1, .5, -15E-1, 1, 0, 0\n\
    *ELEMENT, TYPE=C3D4, ELSET=\"lower tip\"\n2, 10, 20, 30, 5\n\
    *ELEMENT, TYPE=S4R, ELSET=skin\n3, 50, 60, 70, 80\n*ELEMENT, TYPE=T3D2, ELSET=bar\n4, 10, 20\n\
    *Elset, elset=both\nCUBE, \"lower tip\"\n*ELSET, ELSET=FIXED\n3,\n*NSET, NSET=more\nfixed, 20, 21\n\
    *SURFACE, NAME=s\nskin, SPOS\n*SOLID SECTION, ELSET=both, MATERIAL=m\n1.,\n*MATERIAL, NAME=m\n*ELASTIC\n2e5, .3\n";

#[test]
fn abaqus_sets_become_groups() {
    let MeshFile { mesh, notes } = read("a.inp", ABAQUS);
    // in the order of the file: the node 5 is the last
    assert_eq!(mesh.positions(), TET_AND_CUBE);
    assert_eq!(mesh.hexes(), [[0, 1, 2, 3, 4, 5, 6, 7]]);
    assert_eq!(mesh.tets(), [[0, 1, 2, 8]]);
    assert_eq!(mesh.triangles(), [[4, 5, 6], [4, 6, 7]]);
    // a range a line: first, last, step. Fixed: 10, 30, 50, 70 and 5, and the shell 3 of the element set of that name
    let fixed = vec![0, 2, 4, 6, 8];
    assert_eq!(
        groups(&mesh),
        [
            ("All", vec![], vec![], vec![], (0..9).collect()),
            ("Cube", vec![], vec![0], vec![], vec![]),
            ("Fixed", vec![], vec![], vec![0, 1], fixed),
            ("bar", vec![], vec![], vec![], vec![0, 1]),
            ("both", vec![0], vec![0], vec![], vec![]),
            ("lower tip", vec![0], vec![], vec![], vec![]),
            ("more", vec![], vec![], vec![], vec![0, 1, 2, 4, 6, 8]),
            ("skin", vec![], vec![], vec![0, 1], vec![]),
        ]
    );
    assert!(notes[0].contains("more names 1 labels"), "{notes:?}");
    assert!(notes[1].contains("1 trusses"), "{notes:?}");
}

/// As Abaqus/CAE writes one part: a reference point of the assembly has the label of a node of the part.
pub const ABAQUS_PART: &str = "*Heading\n*Part, name=P\n*Node\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 0., 1., 0.\n4, 0., 0., 1.\n\
    *Element, type=C3D4\n1, 1, 2, 3, 4\n*Nset, nset=root, generate\n1, 3, 1\n*End Part\n*Assembly, name=A\n\
    *Instance, name=P-1, part=P\n0., 0., 0.\n*End Instance\n*Node\n1, 9., 9., 9.\n*Nset, nset=pilot\n1,\n\
    *Nset, nset=tip, instance=P-1\n4,\n*Elset, elset=e, instance=P-1\n P-1.1,\n*End Assembly\n*Step\n*End Step\n";

#[test]
fn abaqus_reads_the_only_part_and_not_the_assembly() {
    let MeshFile { mesh, notes } = read("a.inp", ABAQUS_PART);
    assert_eq!((mesh.node_count(), mesh.tets()), (4, &[[0, 1, 2, 3]][..]));
    assert_eq!(
        groups(&mesh),
        [
            ("e", vec![0], vec![], vec![], vec![]),
            ("root", vec![], vec![], vec![], vec![0, 1, 2]),
            ("tip", vec![], vec![], vec![], vec![3]),
        ]
    );
    assert!(notes[0].contains("reference points"), "{notes:?}");
}

#[test]
fn abaqus_errors_name_line_text_and_way_out() {
    let change = |from: &str, to: &str| ABAQUS_PART.replace(from, to);
    let refused = |keyword: &str| change("*Nset, nset=root, generate", keyword);
    check_complaints(
        "a.inp",
        &[
            ("4 1 0 0 0\n1 0 0 0\n".to_owned(), 1, "AVS"),
            (change("*End Part", "*End Part\n*Part, name=Q"), 13, "flattened"),
            (change("*End Instance", "*End Instance\n*Instance, name=P-2"), 17, "several instances"),
            (change("0., 0., 0.\n*End", "0., 0.1, 0.\n*End"), 15, "moved or turned"),
            (refused("*INCLUDE, INPUT=mesh.inp"), 10, "*INCLUDE is not read"),
            (refused("*System"), 10, "*SYSTEM is not read"),
            (refused("*NGEN"), 10, "write all nodes out"),
            (change("*Part, name=P\n*Node", "*Part, name=P\n*Node, system=C"), 3, "cylindrical"),
            (change("2, 1., 0., 0.", "2, 1., zero, 0."), 5, "\"zero\""),
            (change("2, 1., 0., 0.", "2, 1."), 5, "two or three coordinates"),
            (change("2, 1., 0., 0.", "2, nan, 0., 0."), 5, "not finite"),
            (change("2, 1., 0., 0.", "1, 1., 0., 0."), 5, "twice"),
            (change("type=C3D4", "type=C3D6"), 8, "C3D6 (wedge)"),
            (change(", type=C3D4", ""), 8, "TYPE="),
            (change("1, 1, 2, 3, 4", "1, 1, 2, 3"), 9, "4 nodes, but here are fewer"),
            (change("1, 1, 2, 3, 4", "1, 1, 2, 3, 4, 4"), 9, "4 nodes, but here are more"),
            (change("1, 1, 2, 3, 4", "1, 1, 2, 3, 5"), 9, "not in *NODE"),
            (change("1, 1, 2, 3, 4", "1, 1, 2, 3, 4\n1, 2, 1, 3, 4"), 10, "the element 1 is there twice"),
            (change("1, 3, 1\n", "1, 3, 0\n"), 11, "a step from 1"),
            (change(" P-1.1,", "nobody"), 24, "no set nobody"),
            (ABAQUS_PART[..70].to_owned(), 6, "*ELEMENT"),
            ("*HEADING\n*STEP\n".to_owned(), 3, "*NODE"),
        ],
    );
}

#[test]
fn abaqus_ranges_cost_what_the_labels_cost() {
    // a range of 10^19 labels has the members that exist
    let range = ABAQUS_PART.replace("1, 3, 1\n", "0, 18446744073709551615, 3\n");
    assert_eq!(read("a.inp", &range).mesh.groups()["root"].nodes, [2], "of 1 to 4, only 3 is 0 + 3 n");
    // 4 nodes and an element, 64 times: 64 ranges of 5 nodes' worth, not one more
    let ranges = |count: usize| ABAQUS_PART.replace("1, 3, 1\n", &"1, 4\n".repeat(count));
    assert_eq!(read("a.inp", &ranges(80)).mesh.groups()["root"].nodes.len(), 4);
    let (line, message) = complaint("a.inp", &ranges(81));
    assert!(line == 91 && message.contains("more than 64 times"), "{message}");
}
