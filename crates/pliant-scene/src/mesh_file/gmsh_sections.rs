//! Sections of a Gmsh file, which both versions have in common: read in turn, unknown ones passed over.

use super::error::{CUT_OFF, Fault};
use super::gmsh_mesh::GmshMesh;
use super::numbers::{Encoding, Numbers};
use super::scanner::{Scanner, Word};

/// Reads sections to the end of the file; there must be `$Nodes` and `$Elements`, in this order.
pub(super) fn sections(
    scanner: &mut Scanner,
    encoding: Encoding,
    mesh: &mut GmshMesh,
    mut section: impl FnMut(Word, &mut Numbers, &mut GmshMesh) -> Result<bool, Fault>,
) -> Result<(), Fault> {
    let (mut have_nodes, mut have_elements) = (false, false);
    while let Some(word) = scanner.next_word() {
        let (is_nodes, is_elements) = (word.is("$Nodes"), word.is("$Elements"));
        if (is_nodes && have_nodes) || (is_elements && (have_elements || !have_nodes)) {
            return Err(word.fault("$Nodes and $Elements must be there once, in this order", CUT_OFF));
        }
        if word.is("$PhysicalNames") {
            physical_names(scanner, mesh)?;
            continue;
        }
        // bytes begin on the next line
        if let Encoding::Bytes(_) = encoding {
            scanner.rest_of_line();
        }
        let mut numbers = Numbers::new(scanner, encoding);
        if !section(word, &mut numbers, mesh)? {
            skip_section(scanner, word)?;
        }
        have_nodes |= is_nodes;
        have_elements |= is_elements;
    }
    if have_elements { Ok(()) } else { Err(scanner.end_fault("$Nodes or $Elements")) }
}

/// The next word, which must be this one.
pub(super) fn expect(scanner: &mut Scanner, what: &str) -> Result<(), Fault> {
    let word = scanner.word(what)?;
    if word.is(what) { Ok(()) } else { Err(word.fault(format!("expected {what}"), CUT_OFF)) }
}

/// `$PhysicalNames`: dimension, tag, "name"; text in binary files too.
fn physical_names(scanner: &mut Scanner, mesh: &mut GmshMesh) -> Result<(), Fault> {
    let count = scanner.count("the number of physical names", 3)?;
    for _ in 0..count {
        let word = scanner.word("the dimension of a group")?;
        let dimension: u32 = word.number("the dimension of a group")?;
        if dimension > 3 {
            return Err(word.fault("the dimension of a group is 0, 1, 2 or 3", CUT_OFF));
        }
        let tag: u64 = scanner.number("the tag of a group")?;
        let name = String::from_utf8_lossy(scanner.rest_of_line().bytes).trim_matches('"').to_owned();
        mesh.name_group(dimension, tag, name);
    }
    expect(scanner, "$EndPhysicalNames")
}

/// Passes over a section that is not used here.
fn skip_section(scanner: &mut Scanner, opening: Word) -> Result<(), Fault> {
    let Some(name) = opening.bytes.strip_prefix(b"$") else {
        return Err(opening.fault("expected a section ($Nodes, $Elements, ...)", CUT_OFF));
    };
    let end = [b"$End", name].concat();
    if scanner.skip_past_line(&end) {
        return Ok(());
    }
    Err(scanner.end_fault(&String::from_utf8_lossy(&end)))
}
