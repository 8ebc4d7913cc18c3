//! Files of bytes that are cut, garbled or in the wrong order: an error with its place, never a panic.
//!
//! The samples are what meshio writes in 15 kinds of files.
#![allow(clippy::unwrap_used)]

use crate::damage;
use crate::support;

use std::collections::BTreeMap;

use damage::{any_damage, damage_config};
use pliant_scene::mesh_file::{MeshFileError, Place, read_bytes};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use support::python::run_script;

/// Files by name, but for TetGen's, which come in pairs.
fn samples() -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    run_script("write_meshes.py", &[folder.path()]);
    let files = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap());
    let named =
        files.map(|file| (file.file_name().into_string().unwrap(), std::fs::read(file.path()).unwrap()));
    named.filter(|(name, _)| !name.ends_with(".json") && !name.contains("tetgen")).collect()
}

#[test]
fn cut_and_garbled_files_give_errors_or_meshes() {
    let samples = samples();
    assert!(samples.len() > 50, "{:?}", samples.keys());
    let mut runner = TestRunner::new(damage_config());
    let strategy = any_damage();
    for (name, bytes) in &samples {
        assert!(read_bytes(name, bytes).is_ok(), "{name}");
        for cut in (0..bytes.len()).step_by(bytes.len() / 60 + 1) {
            let _ = read_bytes(name, &bytes[..cut]);
        }
        for _ in 0..60 {
            let damage = strategy.new_tree(&mut runner).unwrap().current();
            let _ = read_bytes(name, &damage.applied(bytes));
        }
    }
}

#[test]
fn files_of_bytes_that_are_cut_name_the_byte() {
    let samples = samples();
    for name in ["tet.gmsh41-bytes.msh", "tet.gmsh22-bytes.msh", "tet.vtk42-bytes.vtk", "tet.vtk51-bytes.vtk"]
    {
        let bytes = &samples[name];
        // within the coordinates, and within the elements
        for cut in [bytes.len() / 4, bytes.len() / 2] {
            let error = read_bytes(name, &bytes[..cut]).unwrap_err();
            let message = error.to_string();
            let MeshFileError::Content { place: Place::Byte(place), way_out, .. } = error else {
                panic!("{message}")
            };
            assert!(place <= cut && place > 20 && !way_out.is_empty(), "{message}, cut at {cut}");
        }
    }
}

#[test]
fn bytes_in_the_wrong_order_are_told() {
    let samples = samples();
    // Gmsh: the one that shows the order is turned, the rest is not
    let mut gmsh = samples["tet.gmsh41-bytes.msh"].clone();
    let one = gmsh.windows(4).position(|w| w == [1, 0, 0, 0]).unwrap();
    gmsh[one..one + 4].reverse();
    let message = read_bytes("a.msh", &gmsh).unwrap_err().to_string();
    assert!(message.contains("byte") && message.contains("byte order"), "{message}");

    // legacy VTK is big-endian: a writer that forgot it gives nodes that do not exist
    let mut vtk = samples["tet.vtk42-bytes.vtk"].clone();
    let cells = vtk.windows(6).position(|w| w == b"CELLS ").unwrap();
    let start = cells + vtk[cells..].iter().position(|&b| b == b'\n').unwrap() + 1;
    let end = start + vtk[start..].windows(10).position(|w| w == b"CELL_TYPES").unwrap() - 1;
    vtk[start..end].chunks_exact_mut(4).for_each(<[u8]>::reverse);
    let message = read_bytes("a.vtk", &vtk).unwrap_err().to_string();
    assert!(message.contains("byte") && message.contains("more nodes than"), "{message}");

    // .vtu: the header says the other order
    let vtu = String::from_utf8(samples["tet.vtu-zlib.vtu"].clone()).unwrap();
    let vtu = vtu.replace("LittleEndian", "BigEndian");
    let message = read_bytes("a.vtu", vtu.as_bytes()).unwrap_err().to_string();
    assert!(message.contains("a.vtu:"), "{message}");
}
