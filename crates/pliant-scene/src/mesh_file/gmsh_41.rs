//! Gmsh 4.1: nodes and elements in blocks, one or more for each entity of the geometry.
//!
//! `$Entities` says to which physical groups an entity belongs; its elements are members of them all. As bytes, tags of
//! entities, dimensions and types are 4 bytes, counts and tags of nodes and elements 8.

use std::collections::HashMap;

use super::cell_kind::MOST_NODES;
use super::error::{CUT_OFF, Fault, Place};
use super::gmsh_mesh::{self, GmshMesh, kind_of};
use super::gmsh_sections::{self, expect};
use super::numbers::{Encoding, Numbers};
use super::scanner::{Scanner, Word};

/// Physical groups of an entity, by its dimension and tag.
type EntityGroups = HashMap<(u32, i32), Vec<u64>>;

pub(super) fn sections(scanner: &mut Scanner, encoding: Encoding, mesh: &mut GmshMesh) -> Result<(), Fault> {
    let mut groups = EntityGroups::new();
    gmsh_sections::sections(scanner, encoding, mesh, |word, numbers, mesh| {
        section(word, numbers, mesh, &mut groups)
    })
}

fn section(
    word: Word,
    numbers: &mut Numbers,
    mesh: &mut GmshMesh,
    groups: &mut EntityGroups,
) -> Result<bool, Fault> {
    if word.is("$PartitionedEntities") {
        return Err(word.fault("a partitioned mesh is not read", "save it without partitions"));
    }
    if word.is("$Entities") {
        entities(numbers, groups)?;
    } else if word.is("$Nodes") {
        nodes(numbers, mesh)?;
    } else if word.is("$Elements") {
        elements(numbers, mesh, groups)?;
    } else {
        return Ok(false);
    }
    Ok(true)
}

fn entities(numbers: &mut Numbers, groups: &mut EntityGroups) -> Result<(), Fault> {
    let mut counts = [0; 4];
    for count in &mut counts {
        *count = numbers.count("the number of entities", 5, 28)?;
    }
    for (dimension, count) in (0_u32..).zip(counts) {
        for _ in 0..count {
            let tag = numbers.i32("an entity tag")?;
            // a point has its position, the others the box around them
            numbers.skip(if dimension == 0 { 3 } else { 6 }, 8, "the place of an entity")?;
            let physical = physical_groups(numbers)?;
            if dimension > 0 {
                let bounding = numbers.count("the number of bounding entities", 1, 4)?;
                numbers.skip(bounding, 4, "a bounding entity")?;
            }
            groups.insert((dimension, tag), physical);
        }
    }
    expect(numbers.scanner, "$EndEntities")
}

/// At most 64: every element of the entity is entered in each of them.
fn physical_groups(numbers: &mut Numbers) -> Result<Vec<u64>, Fault> {
    let place = numbers.place();
    let count = numbers.u64("the number of physical groups")?;
    if count > 64 {
        let problem = "an entity is in more than 64 physical groups".to_owned();
        return Err(Fault { place, problem, found: count.to_string(), way_out: CUT_OFF.to_owned() });
    }
    // a minus sign only tells the side
    let one = |_| numbers.i32("a physical group").map(|group| u64::from(group.unsigned_abs()));
    (0..count).map(one).collect()
}

fn nodes(numbers: &mut Numbers, mesh: &mut GmshMesh) -> Result<(), Fault> {
    let place = numbers.place();
    let blocks = numbers.count("the number of node blocks", 4, 20)?;
    let announced = numbers.count("the number of nodes", 4, 32)?;
    numbers.skip(2, 8, "the range of node tags")?;
    mesh.tags.reserve(announced);
    mesh.builder.positions.reserve(announced);
    let mut read = 0;
    for _ in 0..blocks {
        let place = numbers.place();
        let dimension = numbers.i32("the dimension of an entity")?;
        numbers.i32("an entity tag")?;
        let parametric = numbers.i32("0 or 1 for parametric nodes")?;
        let count = numbers.count("the number of nodes in a block", 4, 32)?;
        if !(0..=3).contains(&dimension) || !(0..=1).contains(&parametric) {
            let problem = "a block starts with: dimension (0 to 3), tag, 0 or 1, count".to_owned();
            let found = format!("{dimension}, {parametric}");
            return Err(Fault { place, problem, found, way_out: CUT_OFF.to_owned() });
        }
        for _ in 0..count {
            let place = numbers.place();
            mesh.tags.add(tag(numbers, "a node tag")?, place);
        }
        for _ in 0..count {
            let position = numbers.position()?;
            mesh.builder.positions.push(position);
            // the place on the curve or surface follows
            numbers.skip((parametric * dimension) as usize, 8, "a parametric coordinate")?;
        }
        read += count;
    }
    check_total("nodes", read, announced, place)?;
    mesh.tags.close()?;
    expect(numbers.scanner, "$EndNodes")
}

fn elements(numbers: &mut Numbers, mesh: &mut GmshMesh, groups: &EntityGroups) -> Result<(), Fault> {
    let place = numbers.place();
    let blocks = numbers.count("the number of element blocks", 4, 20)?;
    let announced = numbers.count("the number of elements", 2, 16)?;
    numbers.skip(2, 8, "the range of element tags")?;
    let mut read = 0;
    let mut homeless = 0;
    for _ in 0..blocks {
        let (count, known) = element_block(numbers, mesh, groups)?;
        read += count;
        homeless += if known { 0 } else { count };
    }
    // a file without $Entities has no groups to lose
    if homeless > 0 && !groups.is_empty() {
        mesh.builder.note(format!(
            "{homeless} elements are of entities that $Entities does not list, so they are in no group: is the file complete?"
        ));
    }
    check_total("elements", read, announced, place)?;
    expect(numbers.scanner, "$EndElements")
}

/// Elements of one type and entity; gives how many, and whether the entity is known.
fn element_block(
    numbers: &mut Numbers,
    mesh: &mut GmshMesh,
    groups: &EntityGroups,
) -> Result<(usize, bool), Fault> {
    let place = numbers.place();
    let dimension = numbers.i32("the dimension of an entity")?;
    let entity = numbers.i32("an entity tag")?;
    let kind = kind_of(i64::from(numbers.i32("an element type")?), place)?;
    if i64::from(kind.shape.dimension()) != i64::from(dimension) {
        let problem = format!("elements of dimension {} in an entity of another", kind.shape.dimension());
        let (found, way_out) = (dimension.to_string(), CUT_OFF.to_owned());
        return Err(Fault { place, problem, found, way_out });
    }
    let words = 1 + kind.node_count;
    let count = numbers.count("the number of elements in a block", words, 8 * words)?;
    let dimension = kind.shape.dimension();
    let physical = groups.get(&(dimension, entity)).map_or(&[][..], Vec::as_slice);
    mesh.builder.reserve(kind.shape, count);
    let mut nodes = [0; MOST_NODES];
    let nodes = &mut nodes[..kind.node_count];
    for _ in 0..count {
        let place = numbers.place();
        tag(numbers, "an element tag")?;
        for node in nodes.iter_mut() {
            *node = mesh.node(tag(numbers, "a node tag")?, place)?;
        }
        let added = mesh.builder.add_cell(kind, nodes, place)?;
        for &group in physical {
            mesh.add_member(dimension, group, added);
        }
    }
    Ok((count, groups.contains_key(&(dimension, entity))))
}

/// The tag of a node or an element.
fn tag(numbers: &mut Numbers, what: &str) -> Result<u64, Fault> {
    let place = numbers.place();
    gmsh_mesh::tag(numbers.i64(what)?, what, place)
}

fn check_total(what: &str, read: usize, announced: usize, place: Place) -> Result<(), Fault> {
    if read == announced {
        return Ok(());
    }
    Err(Fault {
        place,
        problem: format!("{announced} {what} are announced, but the blocks hold {read}"),
        found: announced.to_string(),
        way_out: CUT_OFF.to_owned(),
    })
}
