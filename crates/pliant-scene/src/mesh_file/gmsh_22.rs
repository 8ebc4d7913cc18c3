//! Gmsh 2.2: `$Nodes` with a tag and a position each, `$Elements` with tags and nodes each.
//!
//! As text every element tells its type; as bytes elements of one type follow a header (type, how many, number of tags).
//! The first tag of an element is its physical group, 0 for none. An element of several groups is there several
//! times, once for each: a repeat in another group is the same element, and becomes one here.

use super::cell_kind::{CellKind, MOST_NODES};
use super::error::{Fault, Place};
use super::gmsh_mesh::{self, GmshMesh, kind_of};
use super::gmsh_sections::expect;
use super::numbers::{Encoding, Numbers};
use super::scanner::Word;

/// Reads the section that `word` opens; `false` if it is none of this version's.
pub(super) fn section(word: Word, numbers: &mut Numbers, mesh: &mut GmshMesh) -> Result<bool, Fault> {
    if word.is("$ParametricNodes") {
        return Err(word.fault("parametric nodes are not read in version 2", "set Mesh.SaveParametric = 0"));
    }
    if word.is("$Nodes") {
        nodes(numbers, mesh)?;
    } else if word.is("$Elements") {
        elements(numbers, mesh)?;
    } else {
        return Ok(false);
    }
    Ok(true)
}

/// Counts are text in binary files too, on a line of their own.
fn count(numbers: &mut Numbers, what: &str, words: usize) -> Result<usize, Fault> {
    let count = numbers.scanner.count(what, words)?;
    if numbers.encoding != Encoding::Text {
        numbers.scanner.rest_of_line();
    }
    Ok(count)
}

fn nodes(numbers: &mut Numbers, mesh: &mut GmshMesh) -> Result<(), Fault> {
    let count = count(numbers, "the number of nodes", 4)?;
    mesh.tags.reserve(count);
    mesh.builder.positions.reserve(count);
    for _ in 0..count {
        let place = numbers.place();
        let tag = tag(numbers, "a node tag")?;
        mesh.tags.add(tag, place);
        let position = numbers.position()?;
        mesh.builder.positions.push(position);
    }
    mesh.tags.close()?;
    expect(numbers.scanner, "$EndNodes")
}

/// A whole number: 4 bytes where numbers are bytes.
fn integer(numbers: &mut Numbers, what: &str) -> Result<i64, Fault> {
    match numbers.encoding {
        Encoding::Text => numbers.i64(what),
        Encoding::Bytes(_) => numbers.i32(what).map(i64::from),
    }
}

/// A number that is not below zero.
fn tag(numbers: &mut Numbers, what: &str) -> Result<u64, Fault> {
    let place = numbers.place();
    gmsh_mesh::tag(integer(numbers, what)?, what, place)
}

fn elements(numbers: &mut Numbers, mesh: &mut GmshMesh) -> Result<(), Fault> {
    let total = count(numbers, "the number of elements", 4)?;
    let mut read = 0;
    while read < total {
        let place = numbers.place();
        if numbers.encoding == Encoding::Text {
            tag(numbers, "an element number")?;
            let kind = kind_of(numbers.i64("an element type")?, place)?;
            let tags = tag_count(numbers)?;
            element(numbers, mesh, kind, tags, place)?;
            read += 1;
            continue;
        }
        let kind = kind_of(i64::from(numbers.i32("an element type")?), place)?;
        let count = numbers.u32("the number of elements that follow")?;
        let tags = tag_count(numbers)?;
        let size = 4 * (1 + tags + kind.node_count);
        let count = numbers.room_for(u64::from(count), size, "the number of elements that follow", place)?;
        for _ in 0..count {
            let place = numbers.place();
            tag(numbers, "an element number")?;
            element(numbers, mesh, kind, tags, place)?;
        }
        // a header that announces nothing must not go on for ever
        read += count.max(1);
    }
    mesh.builder.join_repeats();
    expect(numbers.scanner, "$EndElements")
}

fn tag_count(numbers: &mut Numbers) -> Result<usize, Fault> {
    let place = numbers.place();
    let tags = tag(numbers, "the number of tags")?;
    numbers.room_for(tags, 2, "the number of tags", place)
}

fn element(
    numbers: &mut Numbers,
    mesh: &mut GmshMesh,
    kind: CellKind,
    tags: usize,
    place: Place,
) -> Result<(), Fault> {
    // a minus sign of a group only tells the side
    let group = if tags > 0 { integer(numbers, "a physical group")?.unsigned_abs() } else { 0 };
    numbers.skip(tags.saturating_sub(1), 4, "a tag")?;
    let mut nodes = [0; MOST_NODES];
    let nodes = &mut nodes[..kind.node_count];
    for node in nodes.iter_mut() {
        *node = mesh.node(tag(numbers, "a node tag")?, place)?;
    }
    let added = mesh.builder.add_cell(kind, nodes, place)?;
    if group != 0 {
        mesh.add_member(kind.shape.dimension(), group, added);
    }
    Ok(())
}
