//! Files that are cut off or garbled.

use std::fs;

use pliant_scene::mesh_file;
use proptest::prelude::*;

use crate::damage::{any_damage, damage_config};

use super::abaqus::{ABAQUS, ABAQUS_PART};
use super::medit::MEDIT;
use super::read;
use super::tetgen::{read_tetgen, tetgen_ele, tetgen_face, tetgen_node};
use super::vega::{VEGA, VEGA_TET};

/// What a file that is cut off may still give: the whole mesh, or a note that it may be cut.
#[test]
fn files_cut_anywhere_give_an_error_the_same_mesh_or_a_note() {
    for (name, text) in [("a.mesh", MEDIT), ("a.veg", VEGA), ("a.veg", VEGA_TET)] {
        let whole = read(name, text);
        // what stands behind the elements of a Vega file may be missing without a sign
        let behind = ["\n\n*MATERIAL", "\n*SET"].iter().filter_map(|next| text.find(next));
        let behind = behind.min().unwrap_or(text.len());
        for cut in 0..text.len() {
            let Ok(file) = mesh_file::read_bytes(name, &text.as_bytes()[..cut]) else { continue };
            let told = file.notes.iter().any(|note| note.contains("may be cut off"));
            assert!(file.mesh == whole.mesh || told || cut > behind, "{name} cut at {cut}");
        }
    }
    // Abaqus files do not say how much they hold: a cut between two lines goes unseen, within a line it is told
    for cut in 0..ABAQUS_PART.len() {
        let Ok(file) = mesh_file::read_bytes("a.inp", &ABAQUS_PART.as_bytes()[..cut]) else { continue };
        let told = file.notes.iter().any(|note| note.contains("may be cut off"));
        assert!(told || ABAQUS_PART.as_bytes()[cut - 1].is_ascii_whitespace(), "cut at {cut}");
    }
    let folder = tempfile::tempdir().unwrap();
    let (node, ele) = (tetgen_node(1), tetgen_ele(1));
    let whole = read_tetgen(folder.path(), [&node, &ele, ""], "ele").unwrap().mesh;
    let cuts = (1..node.len()).map(|cut| [&node[..cut], &ele, ""]);
    for files in cuts.chain((1..ele.len()).map(|cut| [&*node, &ele[..cut], ""])) {
        let Ok(file) = read_tetgen(folder.path(), files, "node") else { continue };
        let told = file.notes.iter().any(|note| note.contains("may be cut off"));
        assert!(file.mesh == whole || told, "{files:?}");
    }
}

proptest! {
    #![proptest_config(damage_config())]

    #[test]
    fn damaged_files_never_panic(
        which in 0..5_usize,
        damage in any_damage(),
    ) {
        let samples =
            [("a.mesh", MEDIT), ("a.inp", ABAQUS), ("a.inp", ABAQUS_PART), ("a.veg", VEGA), ("a.veg", VEGA_TET)];
        let (name, text) = samples[which];
        let _ = mesh_file::read_bytes(name, &damage.applied(text.as_bytes()));
    }

    #[test]
    fn damaged_tetgen_files_never_panic(
        which in 0..3_usize,
        damage in any_damage(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut files = [tetgen_node(0), tetgen_ele(0), tetgen_face(0)].map(String::into_bytes);
        files[which] = damage.applied(&files[which]);
        for (ending, bytes) in ["node", "ele", "face"].iter().zip(&files) {
            fs::write(folder.path().join(format!("a.{ending}")), bytes).unwrap();
        }
        let _ = mesh_file::read(&folder.path().join("a.ele"));
    }
}
