//! Gmsh 4.1, ASCII: nodes and elements in blocks, one or more for each entity of the geometry.
//!
//! `$Entities` says to which physical groups an entity belongs; its elements are members of them all.

use std::collections::HashMap;

use super::gmsh::{Builder, Kind, NodeTag, expect, physical_names, skip_section};
use super::scanner::{CUT_OFF, Fault, Scanner};

/// Physical groups of an entity, by its dimension and tag.
type EntityGroups = HashMap<(u32, i64), Vec<u64>>;

pub(super) fn sections(scanner: &mut Scanner, builder: &mut Builder) -> Result<(), Fault> {
    let mut groups = EntityGroups::new();
    let (mut have_nodes, mut have_elements) = (false, false);
    while let Some(word) = scanner.next_word() {
        if word.is("$PhysicalNames") {
            physical_names(scanner, builder)?;
        } else if word.is("$Entities") {
            entities(scanner, &mut groups)?;
        } else if word.is("$PartitionedEntities") {
            return Err(word.fault("a partitioned mesh is not read", "save it without partitions"));
        } else if word.is("$Nodes") && !have_nodes {
            nodes(scanner, builder)?;
            have_nodes = true;
        } else if word.is("$Elements") && have_nodes && !have_elements {
            elements(scanner, builder, &groups)?;
            have_elements = true;
        } else if word.is("$Nodes") || word.is("$Elements") {
            return Err(word.fault("$Nodes and $Elements must be there once, in this order", CUT_OFF));
        } else {
            skip_section(scanner, word)?;
        }
    }
    if have_elements { Ok(()) } else { Err(scanner.end_fault("$Nodes or $Elements")) }
}

fn entities(scanner: &mut Scanner, groups: &mut EntityGroups) -> Result<(), Fault> {
    let mut counts = [0; 4];
    for count in &mut counts {
        *count = scanner.count("the number of entities", 5)?;
    }
    for (dimension, count) in (0_u32..).zip(counts) {
        for _ in 0..count {
            let tag: i64 = scanner.number("an entity tag")?;
            // a point has its position, the others the box around them
            scanner.skip_words(if dimension == 0 { 3 } else { 6 }, "the place of an entity")?;
            let physical = physical_groups(scanner)?;
            if dimension > 0 {
                let bounding = scanner.count("the number of bounding entities", 1)?;
                scanner.skip_words(bounding, "a bounding entity")?;
            }
            groups.insert((dimension, tag), physical);
        }
    }
    expect(scanner, "$EndEntities")
}

/// At most 64: every element of the entity is entered in each of them.
fn physical_groups(scanner: &mut Scanner) -> Result<Vec<u64>, Fault> {
    let word = scanner.word("the number of physical groups")?;
    let count: u32 = word.number("the number of physical groups")?;
    if count > 64 {
        return Err(word.fault("an entity is in more than 64 physical groups", CUT_OFF));
    }
    let mut physical = Vec::new();
    for _ in 0..count {
        // a minus sign only tells the side
        let group: i64 = scanner.number("a physical group")?;
        physical.push(group.unsigned_abs());
    }
    Ok(physical)
}

fn nodes(scanner: &mut Scanner, builder: &mut Builder) -> Result<(), Fault> {
    let blocks = scanner.count("the number of node blocks", 4)?;
    let announced = scanner.count("the number of nodes", 4)?;
    let line = scanner.line();
    scanner.skip_words(2, "the range of node tags")?;
    let mut read = 0;
    let mut tags: Vec<NodeTag> = Vec::new();
    for _ in 0..blocks {
        let word = scanner.word("the dimension of an entity")?;
        let dimension: usize = word.number("the dimension of an entity")?;
        scanner.word("an entity tag")?;
        let parametric: u32 = scanner.number("0 or 1 for parametric nodes")?;
        let count = scanner.count("the number of nodes in a block", 4)?;
        if dimension > 3 || parametric > 1 {
            return Err(word.fault("a block starts with: dimension (0 to 3), tag, 0 or 1, count", CUT_OFF));
        }
        tags.clear();
        for _ in 0..count {
            tags.push(NodeTag::read(scanner)?);
        }
        for &tag in &tags {
            let position = scanner.position()?;
            // the place on the curve or surface follows
            scanner.skip_words(parametric as usize * dimension, "a parametric coordinate")?;
            builder.add_node(tag, position);
        }
        read += count;
    }
    check_total("nodes", read, announced, line)?;
    builder.close_nodes()?;
    expect(scanner, "$EndNodes")
}

fn elements(scanner: &mut Scanner, builder: &mut Builder, groups: &EntityGroups) -> Result<(), Fault> {
    let blocks = scanner.count("the number of element blocks", 4)?;
    let announced = scanner.count("the number of elements", 2)?;
    let line = scanner.line();
    scanner.skip_words(2, "the range of element tags")?;
    let mut read = 0;
    for _ in 0..blocks {
        let word = scanner.word("the dimension of an entity")?;
        let dimension: u32 = word.number("the dimension of an entity")?;
        let entity: i64 = scanner.number("an entity tag")?;
        let kind = Kind::of(scanner.word("an element type")?)?;
        if kind.dimension() != dimension {
            let problem = format!("elements of dimension {} in an entity of another", kind.dimension());
            return Err(word.fault(problem, CUT_OFF));
        }
        let count = scanner.count("the number of elements in a block", 1 + kind.node_count())?;
        let physical = groups.get(&(dimension, entity)).map_or(&[][..], Vec::as_slice);
        let mut nodes = [0; 8];
        let nodes = &mut nodes[..kind.node_count()];
        for _ in 0..count {
            let element_line = scanner.word("an element tag")?.line;
            for node in nodes.iter_mut() {
                *node = builder.node(scanner.word("a node tag")?)?;
            }
            builder.add_element(kind, nodes, physical, element_line)?;
        }
        read += count;
    }
    check_total("elements", read, announced, line)?;
    expect(scanner, "$EndElements")
}

fn check_total(what: &str, read: usize, announced: usize, line: usize) -> Result<(), Fault> {
    if read == announced {
        return Ok(());
    }
    Err(Fault {
        line,
        problem: format!("{announced} {what} are announced, but the blocks hold {read}"),
        found: announced.to_string(),
        way_out: CUT_OFF.to_owned(),
    })
}
