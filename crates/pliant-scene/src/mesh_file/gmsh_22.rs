//! Gmsh 2.2, ASCII: `$Nodes` with a tag and a position a line, `$Elements` with tags and nodes a line.
//!
//! The first tag of an element is its physical group, 0 for none. An element of several groups is there several
//! times, once for each: a repeat in another group is the same element.

use std::collections::HashMap;

use super::gmsh::{Builder, Kind, NodeTag, expect, physical_names, skip_section};
use super::scanner::{CUT_OFF, Fault, Scanner};

pub(super) fn sections(scanner: &mut Scanner, builder: &mut Builder) -> Result<(), Fault> {
    let (mut have_nodes, mut have_elements) = (false, false);
    while let Some(word) = scanner.next_word() {
        if word.is("$PhysicalNames") {
            physical_names(scanner, builder)?;
        } else if word.is("$Nodes") && !have_nodes {
            nodes(scanner, builder)?;
            have_nodes = true;
        } else if word.is("$Elements") && have_nodes && !have_elements {
            elements(scanner, builder)?;
            have_elements = true;
        } else if word.is("$ParametricNodes") {
            return Err(
                word.fault("parametric nodes are not read in version 2", "set Mesh.SaveParametric = 0")
            );
        } else if word.is("$Nodes") || word.is("$Elements") {
            return Err(word.fault("$Nodes and $Elements must be there once, in this order", CUT_OFF));
        } else {
            skip_section(scanner, word)?;
        }
    }
    if have_elements { Ok(()) } else { Err(scanner.end_fault("$Nodes or $Elements")) }
}

fn nodes(scanner: &mut Scanner, builder: &mut Builder) -> Result<(), Fault> {
    let count = scanner.count("the number of nodes", 4)?;
    for _ in 0..count {
        let tag = NodeTag::read(scanner)?;
        let position = scanner.position()?;
        builder.add_node(tag, position);
    }
    builder.close_nodes()?;
    expect(scanner, "$EndNodes")
}

/// Where an element went first, and its group there.
struct Seen {
    first: [usize; 3],
    group: u64,
}

fn elements(scanner: &mut Scanner, builder: &mut Builder) -> Result<(), Fault> {
    let count = scanner.count("the number of elements", 4)?;
    let mut seen: HashMap<[u32; 8], Seen> = HashMap::new();
    for _ in 0..count {
        scanner.word("an element number")?;
        let word = scanner.word("an element type")?;
        let kind = Kind::of(word)?;
        let tags = scanner.count("the number of tags", 1)?;
        let group: i64 = if tags > 0 { scanner.number("a physical group")? } else { 0 };
        scanner.skip_words(tags.saturating_sub(1), "a tag")?;
        // unused places keep a number that no node has
        let mut nodes = [u32::MAX; 8];
        for node in &mut nodes[..kind.node_count()] {
            *node = builder.node(scanner.word("a node tag")?)?;
        }
        // a minus sign only tells the side
        let group = group.unsigned_abs();
        if let Some(before) = seen.get(&nodes).filter(|before| group != 0 && before.group != group) {
            builder.add_again(kind, before.first, group);
            continue;
        }
        let first = builder.counts();
        let physical = [group];
        let physical = if group == 0 { &[][..] } else { &physical[..] };
        builder.add_element(kind, &nodes[..kind.node_count()], physical, word.line)?;
        if group != 0 && kind.dimension() >= 2 {
            seen.entry(nodes).or_insert(Seen { first, group });
        }
    }
    expect(scanner, "$EndElements")
}
