//! The patch that the element tests type in is the one in the reference file.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "../../pliant-solid/tests/support/mod.rs"]
mod support;

use std::path::Path;

use pliant_scene::mesh_file;
use support::meshes::patch_hexes;

#[test]
fn the_patch_of_the_element_tests_is_the_one_in_the_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/reference/PATCH-MH_hex8.vtk");
    let (typed, file) = (patch_hexes(), mesh_file::read(&path).unwrap().mesh);
    assert_eq!((typed.positions(), typed.hexes()), (file.positions(), file.hexes()));
}
