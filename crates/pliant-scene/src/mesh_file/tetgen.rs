//! TetGen: nodes in `.node`, tetrahedra in `.ele`, and triangles in `.face` if there is one.
//!
//! Either of the first two may be opened; the others are looked for beside it under the same name. Each
//! begins with a line of counts; then each thing has a line of its own, with its number, which rises by one
//! from 0 or 1. `#` begins a comment. Tetrahedra of 10 nodes have their corners first. The last attribute of
//! a tetrahedron is its region (TetGen's `-A` adds it behind the others): whole numbers other than 0 become
//! groups "volume 3". Triangles are read if their boundary marker is not 0, and become groups "surface 3";
//! markers of nodes are not read.
//!
//! Format: H. Si, TetGen user's manual, section on file formats.

use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;

use super::builder::MeshBuilder;
use super::cell_kind::{CellKind, CellShape};
use super::error::{CUT_OFF, Fault, ReadError};
use super::lines::{Comments, Fields, Lines, open_end};
use super::numbering::Numbering;
use super::references::References;
use super::scanner::Word;
use super::{Input, MeshFile};

/// A mesh in the making.
struct TetGen {
    builder: MeshBuilder,
    nodes: Numbering,
    references: References,
    /// Attributes that cannot be the number of a region.
    broken_attributes: usize,
    second_order: bool,
}

pub(super) fn parse(input: &Input) -> Result<MeshFile, ReadError> {
    let opens_nodes = input.path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("node"));
    let (other_path, other) = input.beside(&sibling(input, if opens_nodes { "ele" } else { "node" }))?;
    let here = ReadError::Fault;
    let there = |fault| ReadError::Beside(other_path.clone(), fault);
    let mut mesh = TetGen {
        builder: MeshBuilder::default(),
        nodes: Numbering::of("node"),
        references: References::default(),
        broken_attributes: 0,
        second_order: false,
    };
    if opens_nodes {
        mesh.read_nodes(input.bytes).map_err(here)?;
        mesh.read_tets(&other).map_err(there)?;
    } else {
        mesh.read_nodes(&other).map_err(there)?;
        mesh.read_tets(input.bytes).map_err(here)?;
    }
    match input.beside(&sibling(input, "face")) {
        Ok((path, bytes)) => mesh.read_faces(&bytes).map_err(|fault| beside_face(path, fault))?,
        Err(ReadError::Missing(_, source)) if source.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    if mesh.broken_attributes > 0 {
        let count = mesh.broken_attributes;
        mesh.builder
            .note(format!("{count} region attributes are not whole numbers: no groups are made of them"));
    }
    mesh.builder.finish()
}

/// The file of the same name with another ending, in capitals if that of the opened one is.
fn sibling(input: &Input, ending: &str) -> PathBuf {
    let opened = input.path.extension().and_then(OsStr::to_str).unwrap_or_default();
    let capitals = !opened.is_empty() && opened.bytes().all(|byte| byte.is_ascii_uppercase());
    input.path.with_extension(if capitals { ending.to_ascii_uppercase() } else { ending.to_owned() })
}

fn beside_face(path: PathBuf, mut fault: Fault) -> ReadError {
    fault.way_out.push_str(", or move the .face file away: it is not needed");
    ReadError::Beside(path, fault)
}

impl TetGen {
    /// `count 3 attributes markers`, then `number x y z ...`.
    fn read_nodes(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut lines = Lines::new(bytes, Comments::Hash);
        let mut header = Fields::of(lines.line("the number of nodes")?);
        let count = header.word("the number of nodes")?.count("the number of nodes", 4, lines.left())?;
        let dimension = header.word("the dimension")?;
        if !dimension.is("3") {
            let way_out = "is this a file of Triangle? mesh a volume with TetGen";
            return Err(dimension.fault("only nodes in 3 dimensions are read", way_out));
        }
        self.builder.positions.reserve(count);
        for _ in 0..count {
            let mut fields = Fields::of(lines.line("a node")?);
            self.nodes.push(&fields.word("the number of a node")?)?;
            self.builder.positions.push(fields.position()?);
        }
        expect_end(&mut lines, count)?;
        open_end(bytes).into_iter().for_each(|note| self.builder.note(note));
        Ok(())
    }

    /// `count nodes attributes`, then `number node node ... attribute ...`.
    fn read_tets(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut lines = Lines::new(bytes, Comments::Hash);
        let mut header = Fields::of(lines.line("the number of tetrahedra")?);
        let count =
            header.word("the number of tetrahedra")?.count("the number of tetrahedra", 5, lines.left())?;
        // both may be left out
        let size = header.next();
        let attributes = header.next().map_or(Ok(0), |word| word.number("the number of attributes"))?;
        let node_count = match size {
            Some(word) if word.is("10") => 10,
            Some(word) if !word.is("4") => {
                return Err(word.fault("only tetrahedra of 4 or 10 nodes are read", CUT_OFF));
            }
            _ => 4,
        };
        self.second_order = node_count == 10;
        self.builder.reserve(CellShape::Tet, count);
        for _ in 0..count {
            let line = lines.line("a tetrahedron")?;
            self.read_tet(line, CellShape::Tet.with(node_count), attributes)?;
        }
        expect_end(&mut lines, count)?;
        open_end(bytes).into_iter().for_each(|note| self.builder.note(note));
        Ok(())
    }

    fn read_tet(&mut self, line: Word, kind: CellKind, attributes: u64) -> Result<(), Fault> {
        let mut fields = Fields::of(line);
        let _number: u64 =
            fields.word("the number of a tetrahedron")?.number("the number of a tetrahedron")?;
        let mut nodes = [0; 10];
        let nodes = &mut nodes[..kind.node_count];
        self.read_corners(&mut fields, nodes)?;
        let mut region = 0.0;
        // a huge number ends with the line
        for _ in 0..attributes {
            region = fields.word("an attribute")?.number("an attribute")?;
        }
        let added = self.builder.add_cell(kind, nodes, line.place)?;
        if f64::fract(region) == 0.0 && region.abs() < 1e15 {
            self.references.add_member(&mut self.builder, kind.shape, region as i64, added);
        } else {
            self.broken_attributes += 1;
        }
        Ok(())
    }

    fn read_corners(&self, fields: &mut Fields, nodes: &mut [u32]) -> Result<(), Fault> {
        for node in nodes {
            *node = self.nodes.index(&fields.word("the number of a node")?)?;
        }
        Ok(())
    }

    /// `count markers`, then `number node node node marker ...`; six nodes if the tetrahedra have ten.
    fn read_faces(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut lines = Lines::new(bytes, Comments::Hash);
        let mut header = Fields::of(lines.line("the number of faces")?);
        let count = header.word("the number of faces")?.count("the number of faces", 4, lines.left())?;
        let has_markers = header.next().is_some_and(|word| !word.is("0"));
        for _ in 0..count {
            let line = lines.line("a face")?;
            let mut fields = Fields::of(line);
            // number, three nodes, marker, two neighbours: anything longer has six nodes
            let six = self.second_order && fields.count() > 7;
            fields.word("the number of a face")?;
            let mut nodes = [0; 6];
            self.read_corners(&mut fields, &mut nodes[..if six { 6 } else { 3 }])?;
            let marker = if has_markers { fields.word("a marker")?.number("a boundary marker")? } else { 0 };
            if marker != 0 {
                let shape = CellShape::Triangle;
                let added = self.builder.add_cell(shape.linear(), &nodes[..3], line.place)?;
                self.references.add_member(&mut self.builder, shape, marker, added);
            }
        }
        expect_end(&mut lines, count)?;
        open_end(bytes).into_iter().for_each(|note| self.builder.note(note));
        Ok(())
    }
}

fn expect_end(lines: &mut Lines, count: usize) -> Result<(), Fault> {
    match lines.next() {
        None => Ok(()),
        Some(line) => Err(line.fault(format!("{count} lines are announced, but there are more"), CUT_OFF)),
    }
}
