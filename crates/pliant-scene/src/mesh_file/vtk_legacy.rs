//! Legacy VTK files: unstructured grids and polygons, versions 2.0 to 5.1, as text and as bytes.
//!
//! Which cells are read is told in `cell_kind`; points and lines are passed over. Cells are stored
//! as `count node node ...` up to version 4.2 and as OFFSETS and CONNECTIVITY since 5.0; which one is told by the words
//! themselves. Bytes are big-endian and begin behind the line that announces them. Data at points and cells is not read.

use super::builder::{Added, MeshBuilder};
use super::cell_kind::{CellKind, CellShape};
use super::error::{CUT_OFF, Fault, Place, ReadError};
use super::numbers::{ByteOrder, Encoding, Numbers, finite};
use super::scanner::{Scanner, Word};
use super::stored_type::StoredType;
use super::{Input, MeshFile};

const SAVE_GRID: &str = "save it as a legacy unstructured grid or polygons (ParaView: Save Data, *.vtk)";

/// Cells of any type, before their types are known.
#[derive(Default)]
struct CellTable {
    /// Start of each cell in `nodes`, and the end of the last.
    offsets: Vec<usize>,
    nodes: Vec<u32>,
    places: Vec<Place>,
}

#[derive(Default)]
struct Grid {
    builder: MeshBuilder,
    have_points: bool,
    cells: Option<CellTable>,
    types: Option<Vec<u64>>,
}

/// What kind of data set the file announces.
#[derive(Clone, Copy, PartialEq)]
enum Dataset {
    Grid,
    Polygons,
}

pub(super) fn parse(input: &Input) -> Result<MeshFile, ReadError> {
    let mut scanner = Scanner::new(input.bytes);
    let (encoding, dataset) = header(&mut scanner)?;
    let mut grid = Grid::default();
    while let Some(word) = scanner.next_word() {
        if word.is("POINT_DATA") || word.is("CELL_DATA") {
            break;
        }
        let mut numbers = Numbers::new(&mut scanner, encoding);
        part(word, &mut numbers, dataset, &mut grid)?;
    }
    if !grid.have_points {
        return Err(scanner.end_fault("POINTS").into());
    }
    let what = if dataset == Dataset::Grid { "CELLS" } else { "POLYGONS" };
    let cells = grid.cells.take().ok_or_else(|| scanner.end_fault(what))?;
    let types = match dataset {
        Dataset::Grid => grid.types.take().ok_or_else(|| scanner.end_fault("CELL_TYPES"))?,
        Dataset::Polygons => polygon_types(&cells),
    };
    if types.len() != cells.places.len() {
        let what = format!("{} cell types, one per cell, (there are {})", cells.places.len(), types.len());
        return Err(scanner.end_fault(&what).into());
    }
    assemble(grid.builder, &cells, &types)
}

fn header(scanner: &mut Scanner) -> Result<(Encoding, Dataset), Fault> {
    let first = scanner.rest_of_line();
    let opening = b"# vtk DataFile Version";
    if first.bytes.len() < opening.len() || !first.bytes[..opening.len()].eq_ignore_ascii_case(opening) {
        return Err(first.fault("expected \"# vtk DataFile Version\"", SAVE_GRID));
    }
    let _title = scanner.rest_of_line();
    let word = scanner.word("ASCII or BINARY")?;
    let encoding = match () {
        () if word.is("ASCII") => Encoding::Text,
        () if word.is("BINARY") => Encoding::Bytes(ByteOrder::Big),
        () => return Err(word.fault("expected ASCII or BINARY", SAVE_GRID)),
    };
    let word = scanner.word("DATASET")?;
    if !word.is("DATASET") {
        return Err(word.fault("expected DATASET", SAVE_GRID));
    }
    let word = scanner.word("UNSTRUCTURED_GRID")?;
    let dataset = match () {
        () if word.is("UNSTRUCTURED_GRID") => Dataset::Grid,
        () if word.is("POLYDATA") => Dataset::Polygons,
        () => return Err(word.fault("only unstructured grids and polygons are read", SAVE_GRID)),
    };
    Ok((encoding, dataset))
}

/// One part of the file, by the word that opens it.
fn part(word: Word, numbers: &mut Numbers, dataset: Dataset, grid: &mut Grid) -> Result<(), Fault> {
    if word.is("POINTS") && !grid.have_points {
        grid.builder.positions = points(numbers)?;
        grid.have_points = true;
    } else if word.is(if dataset == Dataset::Grid { "CELLS" } else { "POLYGONS" }) {
        if !grid.have_points {
            return Err(word.fault("cells come before POINTS", "put the POINTS first"));
        }
        grid.cells = Some(cells(numbers, grid.builder.positions.len())?);
    } else if word.is("CELL_TYPES") {
        grid.types = Some(cell_types(numbers)?);
    } else if dataset == Dataset::Polygons && (word.is("VERTICES") || word.is("LINES")) {
        let mut ignored = CellTable::default();
        table(numbers, grid.builder.positions.len(), &mut ignored)?;
    } else if word.is("METADATA") {
        skip_metadata(numbers.scanner);
    } else if word.is("FIELD") {
        skip_field(numbers)?;
    } else {
        return Err(word.fault("expected POINTS, CELLS or CELL_TYPES", CUT_OFF));
    }
    Ok(())
}

/// Behind the line that announces bytes.
fn begin(numbers: &mut Numbers) {
    if numbers.encoding != Encoding::Text {
        numbers.scanner.rest_of_line();
    }
}

/// A count, which is text; each thing takes at least `words` words or `bytes` bytes.
fn count(numbers: &mut Numbers, what: &str, words: usize, bytes: usize) -> Result<usize, Fault> {
    if numbers.encoding == Encoding::Text {
        return numbers.scanner.count(what, words);
    }
    let word = numbers.scanner.word(what)?;
    numbers.room_for(word.number(what)?, bytes, what, word.place)
}

fn stored_type(numbers: &mut Numbers, what: &str) -> Result<StoredType, Fault> {
    let word = numbers.scanner.word(what)?;
    let known = StoredType::of_vtk(&word.text());
    known.ok_or_else(|| word.fault("the type of numbers is not known", "save it as float, double or int"))
}

fn points(numbers: &mut Numbers) -> Result<Vec<[f64; 3]>, Fault> {
    let count = count(numbers, "the number of points", 3, 3)?;
    let kind = stored_type(numbers, "the type of the points")?;
    begin(numbers);
    if numbers.encoding == Encoding::Text {
        return (0..count).map(|_| numbers.scanner.position()).collect();
    }
    numbers.room_for(count as u64, 3 * kind.size(), "the number of points", numbers.place())?;
    let mut positions = Vec::with_capacity(count);
    for _ in 0..count {
        let place = numbers.place();
        let mut position = [0.0; 3];
        for x in &mut position {
            *x = numbers.real(kind, "a coordinate")?;
        }
        positions.push(finite(position, place)?);
    }
    Ok(positions)
}

fn cells(numbers: &mut Numbers, node_count: usize) -> Result<CellTable, Fault> {
    let mut cells = CellTable::default();
    table(numbers, node_count, &mut cells)?;
    Ok(cells)
}

fn table(numbers: &mut Numbers, node_count: usize, out: &mut CellTable) -> Result<(), Fault> {
    let first = count(numbers, "the number of cells", 1, 4)?;
    let second = count(numbers, "the number of cell entries", 1, 4)?;
    begin(numbers);
    // bytes that spell OFFSETS would be a node count of more than a thousand million
    if numbers.scanner.rest().trim_ascii_start().starts_with(b"OFFSETS") {
        by_offsets(numbers, [first, second], node_count, out)
    } else {
        by_counts(numbers, [first, second], node_count, out)
    }
}

/// `count node node ...` for each cell; `entries` counts all these numbers.
fn by_counts(
    numbers: &mut Numbers,
    [count, entries]: [usize; 2],
    node_count: usize,
    out: &mut CellTable,
) -> Result<(), Fault> {
    out.offsets.push(0);
    out.nodes.reserve(entries.saturating_sub(count));
    out.places.reserve(count);
    for _ in 0..count {
        let place = numbers.place();
        let corners = numbers.integer(StoredType::I32, "the node count of a cell")?;
        let left = entries - (out.nodes.len() + out.places.len()).min(entries);
        if corners < 0 || corners as usize > left {
            let problem = format!("a cell has more nodes than the {entries} entries that are announced");
            let (found, way_out) = (corners.to_string(), CUT_OFF.to_owned());
            return Err(Fault { place, problem, found, way_out });
        }
        for _ in 0..corners {
            out.nodes.push(node(numbers, StoredType::I32, node_count)?);
        }
        out.offsets.push(out.nodes.len());
        out.places.push(place);
    }
    Ok(())
}

/// The layout since version 5.0; the count of offsets is one more than the number of cells.
fn by_offsets(
    numbers: &mut Numbers,
    [count, entries]: [usize; 2],
    node_count: usize,
    out: &mut CellTable,
) -> Result<(), Fault> {
    numbers.scanner.word("OFFSETS")?;
    let kind = stored_type(numbers, "the type of the offsets")?;
    begin(numbers);
    for _ in 0..count {
        let place = numbers.place();
        let offset = numbers.integer(kind, "an offset")?;
        let fits = usize::try_from(offset).ok().filter(|&o| o <= entries);
        let Some(offset) = fits.filter(|&o| out.offsets.last().is_none_or(|&last| o >= last)) else {
            let problem = format!("offsets must rise from 0 to {entries}");
            let (found, way_out) = (offset.to_string(), CUT_OFF.to_owned());
            return Err(Fault { place, problem, found, way_out });
        };
        out.offsets.push(offset);
    }
    let (first, last) = (out.offsets.first(), out.offsets.last());
    if count > 0 && (first != Some(&0) || last != Some(&entries)) {
        let (place, found) = (numbers.place(), format!("{first:?} to {last:?}"));
        let problem = format!("offsets must rise from 0 to {entries}");
        return Err(Fault { place, problem, found, way_out: CUT_OFF.to_owned() });
    }
    let word = numbers.scanner.word("CONNECTIVITY")?;
    if !word.is("CONNECTIVITY") {
        return Err(word.fault("expected CONNECTIVITY", CUT_OFF));
    }
    let kind = stored_type(numbers, "the type of the connectivity")?;
    begin(numbers);
    let mut starts = out.offsets.iter().take(count.saturating_sub(1)).copied().peekable();
    for entry in 0..entries {
        while starts.next_if(|&start| start <= entry).is_some() {
            out.places.push(numbers.place());
        }
        out.nodes.push(node(numbers, kind, node_count)?);
    }
    out.places.extend(starts.map(|_| numbers.scanner.place()));
    Ok(())
}

fn node(numbers: &mut Numbers, kind: StoredType, node_count: usize) -> Result<u32, Fault> {
    let place = numbers.place();
    let node = numbers.integer(kind, "a node number")?;
    match u32::try_from(node) {
        Ok(node) if (node as usize) < node_count => Ok(node),
        _ => {
            let problem =
                format!("a cell uses a node that does not exist (nodes are 0 to {})", node_count as i64 - 1);
            Err(Fault { place, problem, found: node.to_string(), way_out: CUT_OFF.to_owned() })
        }
    }
}

fn cell_types(numbers: &mut Numbers) -> Result<Vec<u64>, Fault> {
    let count = count(numbers, "the number of cell types", 1, 4)?;
    begin(numbers);
    let one = |_| numbers.integer(StoredType::I32, "a cell type").map(|n| n.try_into().unwrap_or(u64::MAX));
    (0..count).map(one).collect()
}

/// Ends with an empty line.
fn skip_metadata(scanner: &mut Scanner) {
    scanner.rest_of_line();
    while scanner.peek().is_some() && !scanner.rest_of_line().bytes.is_empty() {}
}

/// Arrays that belong to the whole grid, such as its time.
fn skip_field(numbers: &mut Numbers) -> Result<(), Fault> {
    numbers.scanner.word("the name of the field")?;
    let arrays = numbers.scanner.count("the number of arrays", 4)?;
    for _ in 0..arrays {
        if numbers.scanner.peek().is_some_and(|word| word.is("METADATA")) {
            numbers.scanner.next_word();
            skip_metadata(numbers.scanner);
        }
        numbers.scanner.word("the name of an array")?;
        let components: usize = numbers.scanner.number("the number of components")?;
        let tuples = count(numbers, "the number of tuples", components.clamp(1, 1 << 20), 1)?;
        let kind = numbers.scanner.word("the type of an array")?;
        numbers.scanner.rest_of_line();
        if kind.is("string") {
            for _ in 0..tuples {
                numbers.scanner.rest_of_line();
            }
            continue;
        }
        let size = StoredType::of_vtk(&kind.text()).map_or(1, StoredType::size);
        numbers.skip(tuples.saturating_mul(components), size, "a value of an array")?;
    }
    Ok(())
}

/// Polygons have no types: three nodes are a triangle, four a quadrilateral.
fn polygon_types(cells: &CellTable) -> Vec<u64> {
    let of = |ends: &[usize]| match ends[1] - ends[0] {
        0 => 0,
        1 => 1,
        2 => 3,
        3 => 5,
        4 => 9,
        _ => 7,
    };
    cells.offsets.windows(2).map(of).collect()
}

fn assemble(mut builder: MeshBuilder, cells: &CellTable, types: &[u64]) -> Result<MeshFile, ReadError> {
    for ((ends, &number), &place) in cells.offsets.windows(2).zip(types).zip(&cells.places) {
        let nodes = &cells.nodes[ends[0]..ends[1]];
        add_vtk_cell(&mut builder, number, nodes, place)?;
    }
    builder.finish()
}

/// Adds a cell by VTK's number for its type; `None` for one that is passed over.
pub(super) fn add_vtk_cell(
    builder: &mut MeshBuilder,
    number: u64,
    nodes: &[u32],
    place: Place,
) -> Result<Option<Added>, Fault> {
    let refuse =
        |problem, found, way_out: &str| Err(Fault { place, problem, found, way_out: way_out.to_owned() });
    let kind = match CellKind::of_vtk(number) {
        Ok(Some(kind)) => kind,
        Ok(None) => return Ok(None),
        Err(what) => {
            let problem = format!("cells of VTK type {number} ({what}) are not read");
            let way_out = "use tetrahedra (10), hexahedra (12) or triangles (5)";
            return refuse(problem, format!("type {number}"), way_out);
        }
    };
    if nodes.len() != kind.node_count {
        let (what, wanted, have) = (kind.shape.name(), kind.node_count, nodes.len());
        let problem = format!("a {what} of VTK type {number} has {wanted} nodes, not {have}");
        return refuse(problem, format!("{have} nodes"), CUT_OFF);
    }
    debug_assert!(kind.shape >= CellShape::Triangle);
    builder.add_cell(kind, nodes, place).map(Some)
}
