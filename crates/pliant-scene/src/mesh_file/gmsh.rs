//! Gmsh files: what versions 2.2 and 4.1 have in common, as text and as bytes.
//!
//! Sections are read in turn and unknown ones passed over. Node tags may be sparse. Physical groups
//! become groups of the mesh: volumes as cells, surfaces as triangles, curves and points as nodes; groups
//! of the same name are joined, one without a name is called after its kind and tag ("surface 3").

use std::collections::HashMap;

use super::builder::{Added, GroupId, MeshBuilder};
use super::cell_kind::CellKind;
use super::error::{CUT_OFF, Fault, Place, ReadError};
use super::node_tags::NodeTags;
use super::numbers::{ByteOrder, Encoding, Numbers};
use super::scanner::{Scanner, Word};
use super::{Input, MeshFile, gmsh_22, gmsh_41};

/// A mesh in the making, with the names that Gmsh gives.
#[derive(Default)]
pub(super) struct GmshMesh {
    pub builder: MeshBuilder,
    pub tags: NodeTags,
    names: HashMap<(u32, u64), String>,
    groups: HashMap<(u32, u64), GroupId>,
}

impl GmshMesh {
    /// The group of a physical tag; a minus sign only tells the side, and has been dropped.
    fn group(&mut self, dimension: u32, tag: u64) -> GroupId {
        if let Some(&id) = self.groups.get(&(dimension, tag)) {
            return id;
        }
        let kind = ["point", "curve", "surface", "volume"][dimension as usize];
        let name = self.names.get(&(dimension, tag));
        let name = name.cloned().unwrap_or_else(|| format!("{kind} {tag}"));
        let id = self.builder.group(&name);
        self.groups.insert((dimension, tag), id);
        id
    }

    /// Enters an element into a physical group.
    pub fn add_member(&mut self, dimension: u32, tag: u64, added: Added) {
        let group = self.group(dimension, tag);
        self.builder.add_member(group, added);
    }

    /// The node with a tag that an element uses.
    pub fn node(&self, tag: u64, place: Place) -> Result<u32, Fault> {
        self.tags.node(tag).ok_or_else(|| Fault {
            place,
            problem: "an element uses a node that is not in $Nodes".to_owned(),
            found: tag.to_string(),
            way_out: CUT_OFF.to_owned(),
        })
    }
}

/// The tag of a node or an element, which is not below zero.
pub(super) fn tag(number: i64, what: &str, place: Place) -> Result<u64, Fault> {
    u64::try_from(number).map_err(|_| Fault {
        place,
        problem: format!("{what} is below zero"),
        found: number.to_string(),
        way_out: "number nodes and elements from 1 on; save the mesh anew with Gmsh, or check its byte order"
            .to_owned(),
    })
}

/// The kind of element with a number of Gmsh.
pub(super) fn kind_of(number: i64, place: Place) -> Result<CellKind, Fault> {
    CellKind::of_gmsh(number.try_into().unwrap_or(0)).map_err(|what| Fault {
        place,
        problem: format!("elements of Gmsh type {number} ({what}) are not read"),
        found: number.to_string(),
        way_out: "use tetrahedra or hexahedra of first or second order (Mesh.ElementOrder = 1)".to_owned(),
    })
}

const SAVE_41: &str = "save it as version 4.1 (gmsh in.msh -save -format msh41 -o out.msh)";

pub(super) fn parse(input: &Input) -> Result<MeshFile, ReadError> {
    let mut scanner = Scanner::new(input.bytes);
    let opening = scanner.word("$MeshFormat")?;
    if opening.bytes.starts_with(b"(") {
        let problem = "this .msh looks like a mesh of ANSYS Fluent, not of Gmsh";
        return Err(opening.fault(problem, "save it as Gmsh 4.1 (meshio: file_format=\"gmsh\")").into());
    }
    if !opening.is("$MeshFormat") {
        return Err(opening.fault("expected $MeshFormat", SAVE_41).into());
    }
    let version = scanner.word("the format version")?;
    let number: f64 = version.number("the format version")?;
    let encoding = encoding(&mut scanner)?;
    expect(&mut scanner, "$EndMeshFormat")?;
    let mut mesh = GmshMesh::default();
    if (2.0..3.0).contains(&number) {
        sections(&mut scanner, encoding, &mut mesh, gmsh_22::section)?;
    } else if number == 4.1 {
        gmsh_41::sections(&mut scanner, encoding, &mut mesh)?;
    } else {
        return Err(version.fault("only versions 2.0 to 2.2 and 4.1 are read", SAVE_41).into());
    }
    mesh.builder.finish()
}

/// The rest of `$MeshFormat`: text or bytes, the size of a number, and a one that shows the byte order.
fn encoding(scanner: &mut Scanner) -> Result<Encoding, Fault> {
    let kind = scanner.word("0 for text or 1 for binary")?;
    let size = scanner.word("the size of a number")?;
    if !size.is("8") {
        return Err(size.fault("only numbers of 8 bytes are read", SAVE_41));
    }
    if kind.is("0") {
        return Ok(Encoding::Text);
    }
    if !kind.is("1") {
        return Err(kind.fault("expected 0 for text or 1 for binary", SAVE_41));
    }
    scanner.rest_of_line();
    let place = scanner.place();
    match scanner.take_bytes(4, "the number one, which shows the byte order")? {
        [1, 0, 0, 0] => Ok(Encoding::Bytes(ByteOrder::Little)),
        [0, 0, 0, 1] => Ok(Encoding::Bytes(ByteOrder::Big)),
        other => Err(Fault {
            place,
            problem: "expected the number one in 4 bytes, which shows the byte order".to_owned(),
            found: format!("{other:?}"),
            way_out: CUT_OFF.to_owned(),
        }),
    }
}

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
        mesh.names.insert((dimension, tag), name);
        // a group without elements is there all the same
        mesh.group(dimension, tag);
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
