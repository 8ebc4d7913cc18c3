//! Medit, TetGen, Abaqus and Vega files: samples checked by hand, errors with their place, damage that never panics.
#![allow(clippy::unwrap_used)]

mod abaqus;
mod damage;
mod medit;
mod tetgen;
mod vega;

use pliant_geometry::{Group, Mesh};
use pliant_scene::mesh_file::{self, MeshFile, MeshFileError, Place};

/// Corners of a unit cube in the order of VTK, and a point below it.
const TET_AND_CUBE: [[f64; 3]; 9] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [1.0, 1.0, 1.0],
    [0.0, 1.0, 1.0],
    [0.5, 0.5, -1.5],
];

fn read(name: &str, text: &str) -> MeshFile {
    mesh_file::read_bytes(name, text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

/// The line and the message of the error.
fn complaint(name: &str, text: &str) -> (usize, String) {
    line_and_message(mesh_file::read_bytes(name, text.as_bytes()).unwrap_err(), name)
}

fn line_and_message(error: MeshFileError, name: &str) -> (usize, String) {
    let message = error.to_string();
    let MeshFileError::Content { place: Place::Line(line), way_out, .. } = error else { panic!("{message}") };
    assert!(!way_out.is_empty() && message.contains(name), "{message}");
    (line, message)
}

fn check_complaints<S: AsRef<str>>(name: &str, cases: &[(S, usize, &str)]) {
    for (text, line, part) in cases {
        let (found, message) = complaint(name, text.as_ref());
        assert!(message.contains(part), "{message} lacks {part}");
        assert_eq!(found, *line, "{message}");
    }
}

/// A group: name, tets, hexes, triangles and nodes.
type GroupParts = (&'static str, Vec<u32>, Vec<u32>, Vec<u32>, Vec<u32>);

fn groups(mesh: &Mesh) -> Vec<GroupParts> {
    let parts = |(name, group): (&String, &Group)| {
        // the test compares with literals
        let name: &str = String::leak(name.clone());
        (name, group.tets.clone(), group.hexes.clone(), group.triangles.clone(), group.nodes.clone())
    };
    mesh.groups().iter().map(parts).collect()
}
