//! Mesh files: every way to write the same body is read, every damage is an error with its place.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use pliant_geometry::Mesh;
use pliant_scene::mesh_file::{self, MeshFileError, Place, PvdSeries};
use proptest::prelude::*;

use crate::damage;
use damage::{any_damage, damage_config};

fn read_bytes(name: &str, bytes: &[u8]) -> Result<Mesh, MeshFileError> {
    mesh_file::read_bytes(name, bytes).map(|file| file.mesh)
}

fn read_text(name: &str, text: &str) -> Mesh {
    read_bytes(name, text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

/// The line and the message of the error.
fn complaint(name: &str, text: &str) -> (usize, String) {
    let error = read_bytes(name, text.as_bytes()).unwrap_err();
    let message = error.to_string();
    let MeshFileError::Content { place: Place::Line(line), way_out, .. } = error else { panic!("{message}") };
    assert!(!way_out.is_empty() && message.contains(name), "{message}");
    (line, message)
}

const VTK_3: &str = "# vtk DataFile Version 3.0\na tet, a triangle, a line, a point\nASCII\n\
    DATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n0 0 0 1 0 0\n0 1 0\n0 0 1\n9 9 9\n\
    CELLS 4 14\n4 0 1 2 3\n3 0 2 1\n2 0 1\n1 4\nCELL_TYPES 4\n10\n5\n3\n1\n\
    POINT_DATA 5\nSCALARS t double 1\nLOOKUP_TABLE default\n1 2 3 4 5\n";

/// As VTK 9 writes it.
const VTK_5: &str = "# vtk DataFile Version 5.1\nvtk output\nASCII\nDATASET UNSTRUCTURED_GRID\n\
    FIELD FieldData 1\nTimeValue 1 1 double\n0.5\nPOINTS 5 double\n0 0 0 1 0 0\n0 1 0 0 0 1\n9 9 9 \n\
    METADATA\nINFORMATION 0\n\nCELLS 4 8\nOFFSETS vtktypeint64\n0 4 7 8 \n\
    CONNECTIVITY vtktypeint64\n0 1 2 3 0 2 1 4 \nCELL_TYPES 3\n10\n5\n1\n";

/// Two tets; two named groups share a tet, so the file repeats it. Node tags have gaps.
const GMSH_22: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n0 7 \"tip\"\n2 1 \"skin\"\n\
    3 2 \"all of it\"\n3 3 \"core\"\n$EndPhysicalNames\n$Nodes\n6\n10 0 0 0\n20 1 0 0\n30 0 1 0\n\
    40 0 0 1\n1000000 1 1 1\n5 9 9 9\n$EndNodes\n$Elements\n7\n1 15 2 7 1 40\n2 2 2 1 1 10 30 20\n\
    3 4 2 2 1 10 20 30 40\n4 4 2 2 1 20 30 40 1000000\n5 4 2 3 1 10 20 30 40\n\
    6 3 2 9 1 10 20 1000000 40\n7 1 2 0 1 10 20\n$EndElements\n";

/// The same body; nodes on the curve carry their parameter.
const GMSH_41: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n0 7 \"tip\"\n2 1 \"skin\"\n\
    3 2 \"all of it\"\n3 3 \"core\"\n$EndPhysicalNames\n$Entities\n1 1 2 2\n1 0 0 1 1 7\n\
    4 0 0 0 1 0 0 0 2 1 -1\n1 0 0 0 1 1 0 1 -1 0\n2 0 0 0 1 1 1 1 9 1 4\n1 0 0 0 1 1 1 2 2 3 0\n\
    2 0 0 0 1 1 1 1 2 0\n$EndEntities\n$Nodes\n3 6 5 1000000\n1 4 1 2\n10\n20\n0 0 0 0\n1 0 0 1\n3 1 0 3\n\
    30\n40\n1000000\n0 1 0\n0 0 1\n1 1 1\n0 1 0 1\n5\n9 9 9\n$EndNodes\n$Elements\n6 6 1 7\n\
    0 1 15 1\n1 40\n2 1 2 1\n2 10 30 20\n3 1 4 1\n3 10 20 30 40\n3 2 4 1\n4 20 30 40 1000000\n\
    2 2 3 1\n6 10 20 1000000 40\n1 4 1 1\n7 10 20\n$EndElements\n$NodeData\n1\n\"x\"\n$EndNodeData\n";

#[test]
fn legacy_vtk_is_read_in_both_layouts() {
    for text in [VTK_3, VTK_5] {
        let mesh = read_text("a.vtk", text);
        assert_eq!(mesh.tets(), [[0, 1, 2, 3]]);
        assert_eq!(mesh.triangles(), [[0, 2, 1]]);
        // the node of no cell is kept
        assert_eq!(mesh.positions()[4], [9.0; 3]);
    }
}

#[test]
fn gmsh_groups_are_kept_in_both_versions() {
    for text in [GMSH_22, GMSH_41] {
        let mesh = read_text("a.msh", text);
        assert_eq!(mesh.node_count(), 6);
        assert_eq!(mesh.tets().len(), 2, "an element of two groups is one element");
        let groups = mesh.groups();
        let names: Vec<&str> = groups.keys().map(String::as_str).collect();
        assert_eq!(names, ["all of it", "core", "skin", "surface 9", "tip"]);
        assert_eq!(
            (groups["all of it"].tets.as_slice(), groups["core"].tets.as_slice()),
            (&[0, 1][..], &[0][..])
        );
        let at = |group: &str| {
            let nodes = groups[group].member_nodes(&mesh);
            nodes.iter().map(|&n| mesh.positions()[n as usize]).collect::<Vec<_>>()
        };
        assert_eq!(at("tip"), [[0.0, 0.0, 1.0]]);
        assert_eq!(at("skin"), [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        // the quadrilateral became two triangles
        assert_eq!((groups["surface 9"].triangles.len(), at("surface 9").len()), (2, 4));
    }
}

#[test]
fn the_content_tells_the_format_before_the_extension() {
    assert_eq!(read_text("a.msh", VTK_3).tets().len(), 1);
    assert_eq!(read_text("a.dat", GMSH_41).tets().len(), 2);
    assert!(matches!(read_bytes("a.xyz", b"hello"), Err(MeshFileError::UnknownFormat { .. })));
    assert!(matches!(mesh_file::read(Path::new("no/such.vtk")), Err(MeshFileError::Read { .. })));
    let windows = VTK_3.replace('\n', "\r\n");
    assert_eq!(read_text("a.vtk", &windows), read_text("a.vtk", VTK_3));
}

#[test]
fn errors_name_the_line_the_text_and_the_way_out() {
    // (name, text, line, part of the message)
    let cases = [
        ("a.vtk", "# vtk".to_owned(), 1, "# vtk DataFile Version"),
        ("a.vtk", VTK_3.replace("ASCII", "EBCDIC"), 3, "ASCII or BINARY"),
        ("a.vtk", VTK_3.replace("UNSTRUCTURED_GRID", "STRUCTURED_GRID"), 4, "STRUCTURED_GRID"),
        ("a.vtk", VTK_3.replace("POINTS 5", "POINTS 5000000000"), 5, "5000000000"),
        ("a.vtk", VTK_3.replace("9 9 9", "9 9 nan"), 9, "not finite"),
        ("a.vtk", VTK_3.replace("4 0 1 2 3", "4 0 1 2 7"), 11, "nodes are 0 to 4"),
        ("a.vtk", VTK_3.replace("4 0 1 2 3", "4 0 1 2 2"), 11, "same node twice"),
        ("a.vtk", VTK_3.replace("\n10\n", "\n13\n"), 11, "type 13 (wedge)"),
        ("a.vtk", VTK_3.replace("\n10\n", "\n12\n"), 11, "8 nodes, not 4"),
        ("a.vtk", VTK_5.replace("0 4 7 8", "0 7 4 8"), 17, "offsets must rise"),
        ("a.msh", GMSH_22.replace("2.2 0", "2.2 2"), 2, "0 for text or 1"),
        ("a.msh", GMSH_22.replace("2.2 0", "4.0 0"), 2, "versions"),
        ("a.msh", GMSH_22.replace("20 1 0 0", "20 1 0 zero"), 14, "\"zero\""),
        ("a.msh", GMSH_22.replace("20 1 0 0", "10 1 0 0"), 14, "twice"),
        ("a.msh", GMSH_22.replace("3 4 2 2 1", "3 6 2 2 1"), 24, "type 6 (prism)"),
        ("a.msh", GMSH_22.replace("10 30 20", "10 30 21"), 23, "not in $Nodes"),
        ("a.msh", GMSH_41.replace("3 6 5 1000000", "3 7 5 1000000"), 21, "7 nodes are announced"),
        ("a.msh", GMSH_41.replace("3 1 4 1\n", "3 1 4 123456789\n"), 44, "123456789"),
        ("a.msh", GMSH_22.replace("20 1 0 0", "-20 1 0 0"), 14, "a node tag is below zero, found \"-20\""),
        ("a.msh", GMSH_22.replace("3 4 2 2 1", "-3 4 2 2 1"), 24, "an element number is below zero"),
        ("a.msh", GMSH_22.replace("10 30 20", "10 -30 20"), 23, "a node tag is below zero"),
        ("a.msh", GMSH_22.replace("3 4 2 2 1", "3 4 -2 2 1"), 24, "the number of tags is below zero"),
        ("a.msh", GMSH_41.replace("\n30\n40\n", "\n30\n-40\n"), 29, "a node tag is below zero"),
        ("a.msh", GMSH_41.replace("3 10 20 30 40", "-3 10 20 30 40"), 45, "an element tag is below zero"),
        ("a.msh", GMSH_41.replace("3 10 20 30 40", "3 10 -20 30 40"), 45, "a node tag is below zero"),
    ];
    for (name, text, line, part) in cases {
        let (found, message) = complaint(name, &text);
        assert!(message.contains(part), "{message} lacks {part}");
        assert_eq!(found, line, "{message}");
    }
}

/// One tetrahedron as bytes of Gmsh, versions 2.2 and 4.1, with these tags of its first node, in the element, and of the element.
fn gmsh_bytes([node, used, element]: [i32; 3]) -> [Vec<u8>; 2] {
    let places = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0_f64]];
    let small = |numbers: &[i32]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    let large =
        |numbers: &[i32]| numbers.iter().flat_map(|n| i64::from(*n).to_le_bytes()).collect::<Vec<u8>>();
    let place = |p: &[f64; 3]| p.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let mut v22 = b"$MeshFormat\n2.2 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Nodes\n4\n".to_vec();
    for (tag, p) in [node, 2, 3, 4].into_iter().zip(&places) {
        v22.extend([small(&[tag]), place(p)].concat());
    }
    v22.extend(b"\n$EndNodes\n$Elements\n1\n");
    v22.extend(small(&[4, 1, 0, element, used, 2, 3, 4]));
    v22.extend(b"\n$EndElements\n");
    let mut v41 = b"$MeshFormat\n4.1 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Nodes\n".to_vec();
    v41.extend([large(&[1, 4, 1, 4]), small(&[3, 1, 0]), large(&[4, node, 2, 3, 4])].concat());
    places.iter().for_each(|p| v41.extend(place(p)));
    v41.extend(b"\n$EndNodes\n$Elements\n");
    v41.extend([large(&[1, 1, 1, 1]), small(&[3, 1, 4]), large(&[1, element, used, 2, 3, 4])].concat());
    v41.extend(b"\n$EndElements\n");
    [v22, v41]
}

#[test]
fn tags_below_zero_in_bytes_are_refused_with_byte_and_value() {
    gmsh_bytes([1, 1, 1])
        .iter()
        .for_each(|bytes| assert_eq!(read_bytes("a.msh", bytes).unwrap().tets().len(), 1));
    for (tags, value) in [([-7, -7, 1], "-7"), ([1, -8, 1], "-8"), ([1, 1, -9], "-9")] {
        for bytes in gmsh_bytes(tags) {
            let error = read_bytes("a.msh", &bytes).unwrap_err();
            let message = error.to_string();
            assert!(message.contains("below zero") && message.contains(value), "{message}");
            let MeshFileError::Content { place: Place::Byte(at), .. } = error else { panic!("{message}") };
            // the value stands there, in 4 or 8 bytes
            assert_eq!(bytes[at..at + 4], value.parse::<i32>().unwrap().to_le_bytes(), "{message}");
        }
    }
}

#[test]
fn a_file_cut_anywhere_in_its_geometry_is_an_error() {
    for (name, text, end) in [
        ("a.vtk", VTK_3, VTK_3.find("3\n1\nPOINT_DATA").unwrap()),
        ("a.msh", GMSH_22, GMSH_22.len() - 2),
        ("a.msh", GMSH_41, GMSH_41.find("$NodeData").unwrap() - 2),
    ] {
        for cut in 0..end {
            assert!(read_bytes(name, &text.as_bytes()[..cut]).is_err(), "{name} cut at {cut}");
        }
    }
}

proptest! {
    #![proptest_config(damage_config())]

    #[test]
    fn damaged_files_never_panic(which in 0..4_usize, damage in any_damage()) {
        let text = [VTK_3, VTK_5, GMSH_22, GMSH_41][which];
        let _ = read_bytes(["a.vtk", "a.msh"][which / 2], &damage.applied(text.as_bytes()));
    }
}

#[test]
fn a_series_survives_a_resumed_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.pvd");
    let mut series = PvdSeries::new(&path);
    let files = |i: u32| vec![format!("bar & co_{i:04}.vtu"), format!("ball_{i:04}.vtu")];
    for i in 0..200 {
        series.push(f64::from(i) / 30.0, files(i)).unwrap();
    }
    series.flush().unwrap();
    let resumed = PvdSeries::reload(&path, 3.0).unwrap();
    assert_eq!(resumed.frames().len(), 91, "3 s is the frame 90");
    assert_eq!(resumed.frames()[90].files, files(90));
    assert_eq!(resumed.frames()[7].time, 7.0 / 30.0);
    // on disk too
    let again = PvdSeries::reload(&path, f64::INFINITY).unwrap();
    assert_eq!(again.frames(), resumed.frames());
    assert!(!folder.path().join("run.pvd.tmp").exists());
    fs::write(&path, "<Collection>\n<DataSet timestep=\"x\" part=\"0\" file=\"a\"/>\n").unwrap();
    assert!(PvdSeries::reload(&path, 1.0).unwrap_err().to_string().contains("run.pvd:2:"));
}

#[test]
fn marks_of_editors_and_other_alphabets_are_dealt_with() {
    // a byte order mark must not eat the first line
    let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    for (name, text) in [("a.obj", obj), ("a.vtk", VTK_3), ("a.msh", GMSH_41)] {
        let marked = ["\u{feff}", text].concat();
        assert_eq!(read_text(name, &marked), read_text(name, text), "{name}");
        let wide: Vec<u8> =
            [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let message = read_bytes(name, &wide).unwrap_err().to_string();
        assert!(message.contains("UTF-16") && message.contains("save it as UTF-8"), "{message}");
    }
    let file = mesh_file::read_bytes("a.obj", format!("{obj}V 0 0 0\ngarbage here\n").as_bytes()).unwrap();
    assert_eq!(file.notes.len(), 1);
    assert!(
        file.notes[0].starts_with("2 lines begin with words that OBJ does not have (\"V\", \"garbage\")")
    );
    // a folder is no file, and a mesh of another program says so
    assert!(mesh_file::read(Path::new(".")).unwrap_err().to_string().contains("not a file"));
    assert!(complaint("a.msh", "(1 \"x\")\n(2 3)\n").1.contains("ANSYS Fluent"));
}

#[test]
fn elements_of_entities_that_are_not_listed_are_told() {
    let text = GMSH_41
        .replace("$Entities\n1 1 2 2\n", "$Entities\n1 1 2 1\n")
        .replace("2 0 0 0 1 1 1 1 2 0\n$EndEntities", "$EndEntities");
    let file = mesh_file::read_bytes("a.msh", text.as_bytes()).unwrap();
    assert!(
        file.notes.len() == 1 && file.notes[0].starts_with("1 elements are of entities that $Entities"),
        "{:?}",
        file.notes
    );
}
