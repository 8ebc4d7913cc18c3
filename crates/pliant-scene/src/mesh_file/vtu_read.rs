//! VTK XML unstructured grids (.vtu): text, base64, raw appended, compressed; one piece or several.
//!
//! Which cells are read is told in `cell_kind`. Cell arrays and point arrays named "group NAME" hold a number that is
//! not zero for members of the group NAME, as this program's writer puts them. Without them, a cell array of whole numbers
//! named as Gmsh and meshio do ([`NUMBERED`]) makes groups such as "volume 3". Other data is not read.

use std::borrow::Cow;

use roxmltree::{Document, Node};

use super::builder::{GroupId, MeshBuilder};
use super::cell_kind::{CellKind, CellShape};
use super::error::{CUT_OFF, Fault, Place, ReadError};
use super::numbers::{ByteOrder, Encoding, Numbers, finite};
use super::references::References;
use super::scanner::Scanner;
use super::stored_type::StoredType;
use super::vtk_legacy::add_vtk_cell;
use super::vtu_array::{Budget, Compressor, Packing, Spelling, unpack};
use super::{Input, MeshFile};

const SAVE_VTU: &str = "save it as an unstructured grid (ParaView: Save Data, *.vtu)";

/// The file, and what all its arrays have in common.
struct File<'a> {
    /// Where the lines of the document begin: asking the parser would scan from the start each time.
    lines: Vec<usize>,
    packing: Packing,
    /// What follows the underscore of the appended part, and where that begins.
    appended: Option<(&'a [u8], Spelling, usize)>,
    budget: Budget,
}

pub(super) fn parse(input: &Input) -> Result<MeshFile, ReadError> {
    // raw bytes are no XML: what is appended is cut off before it is parsed
    let (head, tail) = match find(input.bytes, b"<AppendedData") {
        Some(at) => (&input.bytes[..at], Some((&input.bytes[at..], at))),
        None => (input.bytes, None),
    };
    let head = std::str::from_utf8(head).map_err(|error| {
        let line = head[..error.valid_up_to()].iter().filter(|&&b| b == b'\n').count() + 1;
        fault(Place::Line(line), "the text is not UTF-8", "", CUT_OFF)
    })?;
    let closed;
    let text = if tail.is_some() {
        closed = format!("{head}</VTKFile>");
        &closed
    } else {
        head
    };
    let document = Document::parse(text).map_err(|error| {
        let line = error.pos().row as usize;
        fault(Place::Line(line), &format!("this is no XML that can be read: {error}"), "", CUT_OFF)
    })?;
    let appended = tail.map(|(bytes, at)| appended(bytes, at)).transpose()?;
    let packing = packing(&document)?;
    let budget = Budget::of_file(input.bytes.len());
    let mut file = File { lines: line_starts(text), packing, appended, budget };
    let grid = child(&file, document.root_element(), "UnstructuredGrid")?;
    let mut builder = MeshBuilder::default();
    for node in grid.children().filter(|node| node.has_tag_name("Piece")) {
        piece(&mut file, node, &mut builder)?;
    }
    builder.finish()
}

fn find(bytes: &[u8], text: &[u8]) -> Option<usize> {
    bytes.windows(text.len()).position(|window| window == text)
}

fn fault(place: Place, problem: &str, found: &str, way_out: &str) -> Fault {
    Fault { place, problem: problem.to_owned(), found: found.to_owned(), way_out: way_out.to_owned() }
}

/// What follows the underscore, and how it is spelled.
fn appended(tail: &[u8], at: usize) -> Result<(&[u8], Spelling, usize), Fault> {
    let ends = || fault(Place::Byte(at), "the appended part does not begin with an underscore", "", CUT_OFF);
    let tag_end = tail.iter().position(|&b| b == b'>').ok_or_else(ends)?;
    let base64 = find(&tail[..tag_end], b"base64").is_some();
    let spelling = if base64 { Spelling::Base64 } else { Spelling::Raw };
    let rest = &tail[tag_end + 1..];
    let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    if rest.get(blank) != Some(&b'_') {
        return Err(ends());
    }
    let start = tag_end + 1 + blank + 1;
    Ok((&tail[start..], spelling, at + start))
}

fn packing(document: &Document) -> Result<Packing, Fault> {
    let root = document.root_element();
    let place = Place::Line(document.text_pos_at(root.range().start).row as usize);
    let refuse = |problem: &str, found: &str| Err(fault(place, problem, found, SAVE_VTU));
    if !root.has_tag_name("VTKFile") || root.attribute("type") != Some("UnstructuredGrid") {
        return refuse(
            "only VTK files of type UnstructuredGrid are read",
            root.attribute("type").unwrap_or(""),
        );
    }
    let order = match root.attribute("byte_order") {
        None | Some("LittleEndian") => ByteOrder::Little,
        Some("BigEndian") => ByteOrder::Big,
        Some(other) => return refuse("the byte order is LittleEndian or BigEndian", other),
    };
    let header_size = match root.attribute("header_type") {
        None | Some("UInt32") => 4,
        Some("UInt64") => 8,
        Some(other) => return refuse("the header type is UInt32 or UInt64", other),
    };
    let compressor = match root.attribute("compressor") {
        None | Some("") => None,
        Some("vtkZLibDataCompressor") => Some(Compressor::Zlib),
        Some("vtkLZ4DataCompressor") => Some(Compressor::Lz4),
        Some("vtkLZMADataCompressor") => Some(Compressor::Lzma),
        Some(other) => return refuse("the compressor is not known", other),
    };
    Ok(Packing { order, header_size, compressor })
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

impl File<'_> {
    fn line_of(&self, node: Node) -> Place {
        Place::Line(self.lines.partition_point(|&start| start <= node.range().start))
    }
}

fn child<'a>(file: &File<'a>, node: Node<'a, 'a>, name: &str) -> Result<Node<'a, 'a>, Fault> {
    let found = node.children().find(|child| child.has_tag_name(name));
    found.ok_or_else(|| {
        let problem = format!("<{}> has no <{name}>", node.tag_name().name());
        fault(file.line_of(node), &problem, "", CUT_OFF)
    })
}

fn count(file: &File, node: Node, name: &str) -> Result<usize, Fault> {
    let text = node.attribute(name).unwrap_or("");
    text.trim().parse().map_err(|_| {
        let problem = format!("<Piece> needs {name}, a count");
        fault(file.line_of(node), &problem, text, CUT_OFF)
    })
}

/// The numbers of an array, whatever their packing.
struct Array<'a> {
    kind: StoredType,
    encoding: Encoding,
    bytes: Cow<'a, [u8]>,
    place: Place,
}

impl Array<'_> {
    /// Reads `count` items of so many numbers each; there must be that many, and no more.
    fn read<T>(
        &self,
        [count, numbers_each]: [usize; 2],
        budget: &mut Budget,
        mut one: impl FnMut(&mut Numbers, StoredType) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let mut scanner = Scanner::new(&self.bytes);
        let mut numbers = Numbers::new(&mut scanner, self.encoding);
        // the fault of a number is one of its array: that is where the file can be looked at
        let here = |fault: Fault| Fault { place: self.place, ..fault };
        let size = if self.encoding == Encoding::Text { 1 } else { self.kind.size() };
        let what = "the count of an array";
        numbers.room_for(count as u64, size * numbers_each, what, self.place).map_err(here)?;
        budget.take(count * size_of::<T>()).map_err(|problem| fault(self.place, &problem, "", CUT_OFF))?;
        let mut list = Vec::with_capacity(count);
        for _ in 0..count {
            list.push(one(&mut numbers, self.kind).map_err(here)?);
        }
        let rest = scanner.rest();
        let surplus = if self.encoding == Encoding::Text { rest.trim_ascii() } else { rest };
        if surplus.is_empty() {
            return Ok(list);
        }
        let announced = count * numbers_each;
        let problem = format!("an array holds more than the {announced} numbers that its piece announces");
        Err(fault(self.place, &problem, "", CUT_OFF))
    }

    /// Whole numbers as `one` takes them; what it refuses is an error.
    fn integers<T>(
        &self,
        count: usize,
        budget: &mut Budget,
        one: impl Fn(i64) -> Result<T, &'static str>,
    ) -> Result<Vec<T>, Fault> {
        self.read([count, 1], budget, |numbers, kind| {
            let number = numbers.integer(kind, "a whole number of an array")?;
            one(number).map_err(|problem| fault(self.place, problem, &number.to_string(), CUT_OFF))
        })
    }
}

fn array<'a>(file: &mut File<'a>, node: Node<'a, 'a>) -> Result<Array<'a>, Fault> {
    let place = file.line_of(node);
    let kind = node.attribute("type").unwrap_or("");
    let Some(kind) = StoredType::of_vtu(kind) else {
        return Err(fault(place, "the type of an array is not known", kind, SAVE_VTU));
    };
    let bytes_of = |encoding, bytes| Array { kind, encoding, bytes, place };
    let encoding = Encoding::Bytes(file.packing.order);
    let damaged = |place, problem: String| fault(place, &problem, "", CUT_OFF);
    match node.attribute("format") {
        None | Some("ascii") => Ok(bytes_of(Encoding::Text, node.text().unwrap_or("").as_bytes().into())),
        Some("binary") => {
            let text = node.text().unwrap_or("").trim().as_bytes();
            let bytes = unpack(text, Spelling::Base64, &file.packing, &mut file.budget);
            Ok(bytes_of(encoding, bytes.map_err(|problem| damaged(place, problem))?))
        }
        Some("appended") => {
            let offset = node.attribute("offset").and_then(|text| text.trim().parse::<usize>().ok());
            let missing =
                || fault(place, "an appended array needs an offset into the appended part", "", CUT_OFF);
            let (all, spelling, start) = file.appended.ok_or_else(missing)?;
            let offset = offset.filter(|&offset| offset <= all.len()).ok_or_else(missing)?;
            let bytes = unpack(&all[offset..], spelling, &file.packing, &mut file.budget);
            let place = Place::Byte(start + offset);
            Ok(bytes_of(encoding, bytes.map_err(|problem| damaged(place, problem))?))
        }
        Some(other) => Err(fault(place, "the format is ascii, binary or appended", other, SAVE_VTU)),
    }
}

/// The array of this name under `node`.
fn named<'a>(file: &mut File<'a>, node: Node<'a, 'a>, name: &str) -> Result<Array<'a>, Fault> {
    let found = node.children().find(|child| {
        child.has_tag_name("DataArray")
            && child.attribute("Name").is_some_and(|own| own.eq_ignore_ascii_case(name))
    });
    match found {
        Some(found) => array(file, found),
        None => {
            let problem = format!("<{}> has no array {name:?}", node.tag_name().name());
            Err(fault(file.line_of(node), &problem, "", CUT_OFF))
        }
    }
}

fn piece<'a>(file: &mut File<'a>, node: Node<'a, 'a>, builder: &mut MeshBuilder) -> Result<(), Fault> {
    let points = count(file, node, "NumberOfPoints")?;
    let cells = count(file, node, "NumberOfCells")?;
    let first = builder.positions.len();
    let holder = child(file, node, "Points")?;
    let array_node = holder.children().find(|child| child.has_tag_name("DataArray"));
    if let Some(array_node) = array_node.filter(|_| points > 0) {
        let coordinates = array(file, array_node)?;
        let positions = coordinates.read([points, 3], &mut file.budget, |numbers, kind| {
            let mut position = [0.0; 3];
            for x in &mut position {
                *x = numbers.real(kind, "a coordinate")?;
            }
            finite(position, Place::Line(0))
        })?;
        if first == 0 {
            builder.positions = positions;
        } else {
            builder.positions.extend(positions);
        }
    }
    if builder.positions.len() - first != points {
        let place = file.line_of(node);
        return Err(fault(place, "<Points> has no array of coordinates", "", CUT_OFF));
    }
    let members = groups(file, node, "CellData", cells, builder)?;
    if cells > 0 {
        piece_cells(file, node, [first, cells], &members, builder)?;
    }
    for (group, is_member) in groups(file, node, "PointData", points, builder)? {
        let nodes = (first as u32..).zip(&is_member).filter(|(_, member)| **member);
        nodes.for_each(|(n, _)| builder.add_member_node(group, n));
    }
    Ok(())
}

/// Arrays that tell members of groups.
fn groups<'a>(
    file: &mut File<'a>,
    piece: Node<'a, 'a>,
    holder: &str,
    count: usize,
    builder: &mut MeshBuilder,
) -> Result<Vec<(GroupId, Vec<bool>)>, Fault> {
    let Some(holder) = piece.children().find(|child| child.has_tag_name(holder)) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for node in holder.children().filter(|child| child.has_tag_name("DataArray")) {
        let Some(name) = node.attribute("Name").and_then(|name| name.strip_prefix("group ")) else {
            continue;
        };
        let members = array(file, node)?.integers(count, &mut file.budget, |mark| Ok(mark != 0))?;
        found.push((builder.group(name), members));
    }
    Ok(found)
}

/// Cell arrays that number groups.
const NUMBERED: [&str; 3] = ["gmsh:physical", "CellEntityIds", "medit:ref"];

/// The numbers of such an array, if there is one.
fn numbered<'a>(file: &mut File<'a>, piece: Node<'a, 'a>, count: usize) -> Result<Option<Vec<i64>>, Fault> {
    let holder = piece.children().find(|child| child.has_tag_name("CellData"));
    let known = |node: &Node| node.attribute("Name").is_some_and(|name| NUMBERED.contains(&name));
    let Some(node) = holder.and_then(|holder| holder.children().find(known)) else { return Ok(None) };
    let array = array(file, node)?;
    if matches!(array.kind, StoredType::F32 | StoredType::F64) {
        return Ok(None);
    }
    array.integers(count, &mut file.budget, Ok).map(Some)
}

fn piece_cells<'a>(
    file: &mut File<'a>,
    node: Node<'a, 'a>,
    [first, count]: [usize; 2],
    members: &[(GroupId, Vec<bool>)],
    builder: &mut MeshBuilder,
) -> Result<(), Fault> {
    let holder = child(file, node, "Cells")?;
    let place = file.line_of(holder);
    let small = |kind: i64| u8::try_from(kind).map_err(|_| "a cell has a type that VTK does not know");
    let types = named(file, holder, "types")?.integers(count, &mut file.budget, small)?;
    let end = |end: i64| u32::try_from(end).map_err(|_| "the offset of a cell is below 0 or above 2^32");
    let ends = named(file, holder, "offsets")?.integers(count, &mut file.budget, end)?;
    if !ends.is_sorted() {
        return Err(fault(place, "the offsets of cells must rise", "", CUT_OFF));
    }
    let total = ends.last().copied().unwrap_or(0);
    let (first_node, nodes) = (first as u32, (builder.positions.len() - first) as i64);
    let placed = |node: i64| {
        let there = (0..nodes).contains(&node);
        if there {
            Ok(first_node + node as u32)
        } else {
            Err("a cell uses a node that its piece does not have")
        }
    };
    let corners = named(file, holder, "connectivity")?;
    let corners = corners.integers(total as usize, &mut file.budget, placed)?;
    let of_type = |number: u8| types.iter().filter(|&&kind| kind == number).count();
    builder.reserve(CellShape::Tet, of_type(10));
    builder.reserve(CellShape::Hex, of_type(12));
    let numbers = if members.is_empty() { numbered(file, node, count)? } else { None };
    let mut references = References::default();
    let mut start = 0;
    for (cell, (&kind, &end)) in types.iter().zip(&ends).enumerate() {
        let nodes = &corners[start..end as usize];
        start = end as usize;
        let added = add_vtk_cell(builder, u64::from(kind), nodes, place)?;
        for (group, _) in members.iter().filter(|(_, is_member)| is_member[cell]) {
            added.iter().for_each(|&added| builder.add_member(*group, added));
        }
        if let (Some(numbers), Some(added), Ok(Some(kind))) =
            (&numbers, added, CellKind::of_vtk(u64::from(kind)))
        {
            references.add_member(builder, kind.shape, numbers[cell], added);
        }
    }
    Ok(())
}
