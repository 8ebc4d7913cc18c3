//! Medit `.mesh` files as text: a keyword, a count, then nodes and a reference number for each thing.
//!
//! Keywords may be in capitals or not, `#` begins a comment, elements may stand before their vertices.
//! References of elements become groups: "volume 3" for cells, "surface 3" for triangles and quadrilaterals,
//! "curve 3" for the nodes of edges; 0 stands for none. References of vertices do not: Medit itself gives
//! them no meaning, and programs number every vertex of a surface or of a mesh with them. Elements of second
//! order (P2) have their corners first.
//!
//! Format: P. Frey, MEDIT, INRIA report RT-0253 (2001). Node order of hexahedra is that of VTK.

use std::collections::BTreeSet;

use super::builder::MeshBuilder;
use super::cell_kind::{CellKind, CellShape, MOST_NODES};
use super::error::{CUT_OFF, Fault, Place, ReadError};
use super::numbering::Numbering;
use super::references::References;
use super::scanner::{Scanner, Word};
use super::{Input, MeshFile};

/// As text, and as bytes (`.meshb`: the number 1, then the version), which are known to be refused.
pub(super) const OPENINGS: &[&[u8]] = &[b"MeshVersionFormatted", BINARY[0], BINARY[1], BINARY[2], BINARY[3]];

const BINARY: [&[u8]; 4] =
    [b"\x01\0\0\0\x01\0\0\0", b"\x01\0\0\0\x02\0\0\0", b"\x01\0\0\0\x03\0\0\0", b"\x01\0\0\0\x04\0\0\0"];

const ELEMENTS: [(&str, CellKind); 8] = [
    ("Edges", CellShape::Line.with(2)),
    ("EdgesP2", CellShape::Line.with(3)),
    ("Triangles", CellShape::Triangle.with(3)),
    ("TrianglesP2", CellShape::Triangle.with(6)),
    ("Quadrilaterals", CellShape::Quad.with(4)),
    ("Tetrahedra", CellShape::Tet.with(4)),
    ("TetrahedraP2", CellShape::Tet.with(10)),
    ("Hexahedra", CellShape::Hex.with(8)),
];

/// Beginnings of keywords that change what the mesh is: passing over them would be wrong.
const REFUSED: [&str; 9] = [
    "Prisms",
    "Pentahedra",
    "Wedges",
    "Pyramids",
    "Edges",
    "Triangles",
    "Quadrilaterals",
    "Tetrahedra",
    "Hexahedra",
];

/// Beginnings of keywords that say nothing about the mesh itself.
const PASSED_OVER: [&str; 12] = [
    "Corners",
    "Required",
    "Ridges",
    "Normal",
    "Tangent",
    "AngleOfCornerBound",
    "Geometry",
    "Identifier",
    "VertexOn",
    "EdgeOn",
    "SubDomain",
    "BoundingBox",
];

/// A mesh in the making.
#[derive(Default)]
struct Medit<'a> {
    builder: MeshBuilder,
    references: References,
    have_dimension: bool,
    have_vertices: bool,
    /// Elements that stand before the vertices.
    waiting: Vec<(CellKind, Scanner<'a>)>,
    unknown: BTreeSet<String>,
}

pub(super) fn parse(input: &Input) -> Result<MeshFile, ReadError> {
    if BINARY.iter().any(|opening| input.bytes.starts_with(opening)) {
        return Err(Fault {
            place: Place::Byte(0),
            problem: "binary Medit files (.meshb) are not read".to_owned(),
            found: "bytes".to_owned(),
            way_out: "save it as text (meshio convert in.meshb out.mesh)".to_owned(),
        }
        .into());
    }
    let mut scanner = Scanner::with_comments(input.bytes, b'#');
    header(&mut scanner)?;
    let mut mesh = Medit::default();
    let mut have_end = false;
    while let Some(word) = scanner.next_word() {
        if word.is("End") {
            have_end = true;
            break;
        }
        mesh.section(word, &mut scanner)?;
    }
    if !mesh.have_vertices {
        return Err(scanner.end_fault("Vertices").into());
    }
    if !have_end {
        mesh.builder.note("the keyword End is missing: the file may be cut off");
    }
    for word in mesh.unknown {
        mesh.builder.note(format!("the keyword {word} is not known and was passed over"));
    }
    mesh.builder.finish()
}

fn header(scanner: &mut Scanner) -> Result<(), Fault> {
    let word = scanner.word("MeshVersionFormatted")?;
    if !word.is("MeshVersionFormatted") {
        let way_out = "is this Medit's format? other programs use .mesh too: save it as Medit or Gmsh";
        return Err(word.fault("expected MeshVersionFormatted", way_out));
    }
    let version = scanner.word("the format version")?;
    if (1..=4).contains(&version.number::<u32>("the format version")?) {
        return Ok(());
    }
    Err(version.fault("only versions 1 to 4 are known", CUT_OFF))
}

impl<'a> Medit<'a> {
    /// One section, by the keyword that opens it.
    fn section(&mut self, word: Word<'a>, scanner: &mut Scanner<'a>) -> Result<(), Fault> {
        if !begins_with_letter(&word) {
            return Err(word.fault("expected a keyword (Vertices, Tetrahedra, End, ...)", CUT_OFF));
        }
        if word.is("Dimension") {
            return self.dimension(scanner);
        }
        if word.is("Vertices") {
            self.vertices(word, scanner)?;
            for (kind, mut earlier) in std::mem::take(&mut self.waiting) {
                self.elements(kind, &mut earlier)?;
            }
            return Ok(());
        }
        match kind_of(&word, scanner)? {
            Some(kind) if self.have_vertices => return self.elements(kind, scanner),
            Some(kind) => self.waiting.push((kind, scanner.clone())),
            None if PASSED_OVER.iter().chain(&REFUSED).any(|known| begins(&word, known)) => {}
            // a handful says enough
            None if self.unknown.len() < 8 => drop(self.unknown.insert(word.text())),
            None => {}
        }
        skip_numbers(scanner);
        Ok(())
    }

    fn dimension(&mut self, scanner: &mut Scanner) -> Result<(), Fault> {
        let word = scanner.word("the dimension")?;
        if !word.is("3") {
            return Err(word.fault("only meshes of dimension 3 are read", "save it with three coordinates"));
        }
        self.have_dimension = true;
        Ok(())
    }

    fn vertices(&mut self, word: Word, scanner: &mut Scanner) -> Result<(), Fault> {
        if self.have_vertices || !self.have_dimension {
            return Err(word.fault("Dimension and Vertices must be there once, in this order", CUT_OFF));
        }
        let count = scanner.count("the number of vertices", 4)?;
        self.builder.positions.reserve(count);
        for _ in 0..count {
            let position = scanner.position()?;
            self.builder.positions.push(position);
            scanner.number::<i64>("a reference number")?;
        }
        self.have_vertices = true;
        Ok(())
    }

    fn elements(&mut self, kind: CellKind, scanner: &mut Scanner) -> Result<(), Fault> {
        let count = scanner.count("the number of elements", kind.node_count + 1)?;
        let numbering = Numbering::from_one("node", self.builder.positions.len());
        self.builder.reserve(kind.shape, count);
        let mut nodes = [0; MOST_NODES];
        let nodes = &mut nodes[..kind.node_count];
        for _ in 0..count {
            let mut place = scanner.place();
            for node in nodes.iter_mut() {
                let word = scanner.word("the number of a node")?;
                place = word.place;
                *node = numbering.index(&word)?;
            }
            let reference = scanner.number("a reference number")?;
            let added = self.builder.add_cell(kind, nodes, place)?;
            self.references.add_member(&mut self.builder, kind.shape, reference, added);
        }
        Ok(())
    }
}

/// The kind of element that a keyword announces; `None` if it announces something else.
fn kind_of(word: &Word, scanner: &Scanner) -> Result<Option<CellKind>, Fault> {
    if let Some((_, kind)) = ELEMENTS.iter().find(|(keyword, _)| word.is(keyword)) {
        return Ok(Some(*kind));
    }
    // an empty list is harmless
    let empty = scanner.peek().is_some_and(|count| count.is("0"));
    if empty || !REFUSED.iter().any(|beginning| begins(word, beginning)) {
        return Ok(None);
    }
    let way_out = "use tetrahedra or hexahedra of first order, or tetrahedra of second (P2) without Ordering";
    Err(word.fault(format!("{} are not read", word.text()), way_out))
}

fn begins(word: &Word, beginning: &str) -> bool {
    word.bytes.get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning.as_bytes()))
}

fn begins_with_letter(word: &Word) -> bool {
    word.bytes.first().is_some_and(u8::is_ascii_alphabetic)
}

/// Goes on to the next keyword.
fn skip_numbers(scanner: &mut Scanner) {
    let mut ahead = scanner.clone();
    while let Some(word) = ahead.next_word() {
        if begins_with_letter(&word) {
            return;
        }
        *scanner = ahead.clone();
    }
    *scanner = ahead;
}
