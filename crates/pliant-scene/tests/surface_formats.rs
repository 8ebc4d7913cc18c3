//! Surface files: the same corner of a box in OBJ, STL and PLY, and what damage to them says.
#![allow(clippy::unwrap_used)]

use pliant_geometry::Mesh;
use pliant_scene::mesh_file::{self, MeshFile, MeshFileError, Place};
use proptest::prelude::*;

use crate::damage;
use damage::{any_damage, damage_config};

fn read(name: &str, bytes: &[u8]) -> MeshFile {
    mesh_file::read_bytes(name, bytes).unwrap_or_else(|error| panic!("{error}"))
}

/// The place and the message of the error.
fn complaint(name: &str, bytes: &[u8]) -> (Place, String) {
    let error = mesh_file::read_bytes(name, bytes).unwrap_err();
    let message = error.to_string();
    let MeshFileError::Content { place, way_out, .. } = error else { panic!("{message}") };
    assert!(!way_out.is_empty() && message.contains(name), "{message}");
    (place, message)
}

/// A square and a triangle that stands on one of its edges.
const POSITIONS: [[f64; 3]; 5] =
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.5]];
/// The square as a fan from its first corner, then the triangle.
const TRIANGLES: [[u32; 3]; 3] = [[0, 1, 2], [0, 2, 3], [0, 1, 4]];

const OBJ: &str = "# made by hand in C:\\meshes\\\nmtllib box.mtl\no the whole\nv 0 0 0 1.0\nv 1 0 0 0.5 0.5 0.5\n\
    v 1 1 0\nv 0 \\\n 1 0\r\nvn 0 0 1\ng floor level0\nusemtl red\ns off\nf 1/1/1 2//1 3/1 -1 # the square\ng\n\
    v 0 0 .5e0\n\nf -5 -4 -1\n";

const STL: &str = "solid the floor\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 1 1 0\n\
    endloop\n endfacet\nfacet normal nan nan nan outer loop vertex -0 0 0 vertex 1 1 0 vertex 0 1 0 endloop endfacet\n\
    endsolid the floor\nSOLID\nfacet normal 0 -1 0\nouter loop\nvertex 0 0 -0.0\nvertex 1 0 0\nvertex 0 0 5e-1\n\
    endloop\nendfacet\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0.5\nendloop\nendfacet\n\
    ENDSOLID\n";

const PLY_HEADER: &str = "comment z first, some properties more\nelement thing 2\nproperty list uchar short bits\n\
    property ushort size\nelement vertex 5\nproperty float z\nproperty uchar red\nproperty list int float more\n\
    property double x\nproperty int8 y\nelement nothing 4000000000\nelement face 2\nproperty int64 id\n\
    property list ushort uint32 vertex_index\nend_header\n";

fn ply_text() -> String {
    format!(
        "ply\nformat ascii 1.0\n{PLY_HEADER}2 7 8 1\n0 9\n0 1 0 0 0\n0 2 1 3.5 1 0\n0 3 0 1 1\n0 4 0 0 1\n0.5 5 0 0 0\n\
         17 4 0 1 2 3\n18 3 0 1 4\n"
    )
}

/// The same in bytes of either order.
fn ply_bytes(big: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let mut push = |little: &[u8]| {
        let mut bytes = little.to_vec();
        if big {
            bytes.reverse();
        }
        out.extend(bytes);
    };
    // two things: (7, 8), 1 and (), 9
    push(&[2]);
    [7_i16, 8].iter().for_each(|n| push(&n.to_le_bytes()));
    push(&1_u16.to_le_bytes());
    push(&[0]);
    push(&9_u16.to_le_bytes());
    for [x, y, z] in POSITIONS {
        push(&(z as f32).to_le_bytes());
        push(&[255]);
        push(&1_i32.to_le_bytes());
        push(&3.5_f32.to_le_bytes());
        push(&x.to_le_bytes());
        push(&(y as i8).to_le_bytes());
    }
    for (id, corners) in [(17_i64, &[0_u32, 1, 2, 3][..]), (18, &[0, 1, 4])] {
        push(&id.to_le_bytes());
        push(&(corners.len() as u16).to_le_bytes());
        corners.iter().for_each(|n| push(&n.to_le_bytes()));
    }
    let order = if big { "big" } else { "little" };
    [format!("ply\nformat binary_{order}_endian 1.0\n{PLY_HEADER}").into_bytes(), out].concat()
}

/// With a title that looks like text.
fn stl_bytes(triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
    let mut out = b"solid, but these are bytes".to_vec();
    out.resize(80, b' ');
    out.extend((triangles.len() as u32).to_le_bytes());
    for triangle in triangles {
        out.extend([0; 12]);
        triangle.as_flattened().iter().for_each(|x| out.extend(x.to_le_bytes()));
        out.extend([0, 0]);
    }
    out
}

fn stl_sample() -> Vec<u8> {
    let at = |n: u32| POSITIONS[n as usize].map(|x| x as f32);
    let mut triangles = TRIANGLES.map(|corners| corners.map(at));
    // minus zero is zero
    triangles[1][0] = [-0.0, 0.0, -0.0];
    stl_bytes(&triangles)
}

fn assert_sample(mesh: &Mesh, what: &str) {
    let corners: Vec<_> =
        mesh.triangles().iter().map(|nodes| nodes.map(|n| mesh.positions()[n as usize])).collect();
    let expected = TRIANGLES.map(|nodes| nodes.map(|n| POSITIONS[n as usize]));
    assert_eq!(corners, expected, "{what}");
    assert_eq!(mesh.node_count(), POSITIONS.len(), "{what}");
}

#[test]
fn obj_polygons_become_triangles_and_names_become_groups() {
    let file = read("a.obj", OBJ.as_bytes());
    assert_eq!((file.mesh.positions(), file.mesh.triangles()), (&POSITIONS[..], &TRIANGLES[..]));
    let groups = file.mesh.groups();
    let members: Vec<_> = groups.iter().map(|(name, g)| (name.as_str(), g.triangles.as_slice())).collect();
    assert_eq!(members, [("floor", &[0, 1][..]), ("level0", &[0, 1]), ("the whole", &[0, 1, 2])]);
    assert!(file.notes.is_empty());
}

#[test]
fn stl_corners_with_the_same_bits_are_one_node() {
    let text = read("a.stl", STL.as_bytes());
    assert_sample(&text.mesh, "text");
    assert_eq!(text.mesh.groups()["the floor"].triangles, [0, 1]);
    // the last facet has two corners in one place
    assert!(text.notes.len() == 1 && text.notes[0].starts_with("1 of 4 triangles"), "{:?}", text.notes);
    let mut bytes = stl_sample();
    assert_sample(&read("a.stl", &bytes).mesh, "bytes that begin with solid");
    // with bytes behind the end the length no longer tells, but the title does
    bytes[..5].copy_from_slice(b"title");
    bytes.extend([1, 2, 3]);
    let file = read("a.stl", &bytes);
    assert_sample(&file.mesh, "bytes and three more");
    assert!(file.notes[0].starts_with("3 bytes"), "{:?}", file.notes);
    // nearly the same is not the same: positions are never moved
    let near = stl_bytes(&[[[0.0; 3], [1.0, 0.0, 0.0], [0.0, f32::MIN_POSITIVE, 0.0]]]);
    assert_eq!(read("a.stl", &near).mesh.node_count(), 3);
}

#[test]
fn ply_is_read_as_text_and_as_bytes_of_either_order() {
    let ways = [("text", ply_text().into_bytes()), ("little", ply_bytes(false)), ("big", ply_bytes(true))];
    for (what, bytes) in ways {
        // the content tells, not the extension
        let file = read("a.dat", &bytes);
        assert_eq!(
            (file.mesh.positions(), file.mesh.triangles()),
            (&POSITIONS[..], &TRIANGLES[..]),
            "{what}"
        );
    }
    let windows = ply_text().replace('\n', "\r\n");
    assert_sample(&read("a.ply", windows.as_bytes()).mesh, "ends of lines of Windows");
}

#[test]
fn errors_name_the_place_the_text_and_the_way_out() {
    let line = Place::Line;
    let ply = ply_text();
    let header = PLY_HEADER.len() + "ply\nformat binary_little_endian 1.0\n".len();
    let mut far = ply_bytes(false);
    // the first corner of the last face
    let corner = far.len() - 12;
    far[corner] = 5;
    let mut many = stl_sample();
    many[80] = 4;
    many[0] = b'S' + 1;
    let mut endless = stl_sample();
    endless[84 + 12..84 + 16].copy_from_slice(&f32::INFINITY.to_le_bytes());
    let text = |s: String| s.into_bytes();
    // (name, content, place, part of the message)
    let cases = [
        ("a.obj", text(OBJ.replace("-5 -4 -1", "-5 -4 6")), line(17), "5 have been given"),
        ("a.obj", text(OBJ.replace("-5 -4 -1", "-5 -4 0")), line(17), "found \"0\""),
        ("a.obj", text(OBJ.replace("-5 -4 -1", "-6 -4 -1")), line(17), "found \"-6\""),
        ("a.obj", text(OBJ.replace("-5 -4 -1", "-5 -4")), line(17), "at least 3 corners"),
        ("a.obj", text(OBJ.replace("v 1 1 0", "v 1 inf 0")), line(6), "not finite"),
        ("a.obj", text(OBJ.replace("v 1 1 0", "v 1 1")), line(6), "three coordinates"),
        ("a.obj", text(OBJ.replace("v 1 1 0", "v 1 one 0")), line(6), "\"one\""),
        ("a.obj", text(format!("g{}\nf", " x".repeat(64))), line(1), "more than 63 groups"),
        ("a.obj", text("v 0 0 0\n".to_owned()), line(2), "ends where a triangle"),
        ("a.stl", text(STL.replace("vertex 0 1 0", "vertex 0 1")), line(9), "\"endloop\""),
        ("a.stl", text(STL.replace("outer loop\n   v", "outer\n   v")), line(4), "expected loop"),
        ("a.stl", text(STL.replace("ENDSOLID", "")), line(27), "facet or endsolid"),
        ("a.stl", many, Place::Byte(80), "more than the rest of the file"),
        ("a.stl", endless, Place::Byte(84 + 12), "not finite"),
        ("a.ply", text(ply.replace("1.0", "2.0")), line(2), "only version 1.0"),
        ("a.ply", text(ply.replace("ascii", "morse")), line(2), "\"morse\""),
        ("a.ply", text(ply.replace("double x", "double w")), line(7), "one number x"),
        ("a.ply", text(ply.replace("int8 y", "int9 y")), line(12), "\"int9\""),
        ("a.ply", text(ply.replace("vertex_index", "corners")), line(14), "vertex_indices"),
        ("a.ply", text(ply.replace("vertex 5", "vertex 5000000000")), line(7), "5000000000"),
        ("a.ply", text(ply.replace("18 3 0 1 4", "18 3 0 1 5")), line(26), "there are 5"),
        ("a.ply", text(ply.replace("18 3 0 1 4", "18 -3 0 1 4")), line(26), "length of a list"),
        ("a.ply", text(ply.replace("18 3 0 1 4", "18 2 0 1")), line(26), "at least 3 corners"),
        ("a.ply", far, Place::Byte(corner), "there are 5"),
        ("a.ply", ply_bytes(false)[..header + 3].to_vec(), line(4), "elements \"thing\""),
    ];
    for (name, content, place, part) in cases {
        let (found, message) = complaint(name, &content);
        assert!(message.contains(part), "{message} lacks {part}");
        assert_eq!(found, place, "{message}");
    }
}

#[test]
fn a_file_that_announces_its_length_is_never_read_when_cut() {
    let ply = ply_text();
    let text_end = ply.len() - 2;
    // a text is whole behind each solid, so only the first is cut
    let solid_end = STL.find("endsolid").unwrap() + "endsolid".len();
    let samples = [
        ("a.stl", STL.as_bytes().to_vec(), solid_end),
        ("a.stl", stl_sample(), stl_sample().len()),
        ("a.ply", ply.into_bytes(), text_end),
        ("a.ply", ply_bytes(false), ply_bytes(false).len()),
        ("a.ply", ply_bytes(true), ply_bytes(true).len()),
    ];
    for (name, bytes, end) in samples {
        for cut in 0..end {
            assert!(mesh_file::read_bytes(name, &bytes[..cut]).is_err(), "{name} cut at {cut} of {end}");
        }
    }
}

proptest! {
    #![proptest_config(damage_config())]

    #[test]
    fn damaged_surfaces_never_panic(which in 0..6_usize, damage in any_damage()) {
        let (name, bytes) = match which {
            0 => ("a.obj", OBJ.as_bytes().to_vec()),
            1 => ("a.stl", STL.as_bytes().to_vec()),
            2 => ("a.stl", stl_sample()),
            3 => ("a.ply", ply_text().into_bytes()),
            _ => ("a.ply", ply_bytes(which == 5)),
        };
        let _ = mesh_file::read_bytes(name, &damage.applied(&bytes));
    }
}
