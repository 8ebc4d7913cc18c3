//! Legacy VTK files: ASCII unstructured grids, versions 2.0 to 5.1.
//!
//! Cells of type 10 (tetrahedron), 12 (hexahedron) and 5 (triangle) are read, quadrilaterals (9) become two
//! triangles, points and lines (1 to 4) are passed over, all others are refused. Cells are stored
//! as `count node node ...` up to version 4.2 and as OFFSETS and CONNECTIVITY since 5.0; which one is told by the words
//! themselves. Data at points and cells is not read.

use std::collections::BTreeMap;

use pliant_geometry::Mesh;

use super::ReadError;
use super::scanner::{CUT_OFF, Fault, Scanner, check_distinct};

const SAVE_ASCII: &str = "save it as a legacy ASCII unstructured grid (ParaView: Save Data, *.vtk, Ascii)";

/// Cells of any type, before their types are known.
#[derive(Default)]
struct CellTable {
    /// Start of each cell in `nodes`, and the end of the last.
    offsets: Vec<usize>,
    nodes: Vec<u32>,
    lines: Vec<usize>,
}

#[derive(Default)]
struct Grid {
    positions: Option<Vec<[f64; 3]>>,
    cells: Option<CellTable>,
    types: Option<Vec<u32>>,
}

pub(super) fn parse(bytes: &[u8]) -> Result<Mesh, ReadError> {
    let mut scanner = Scanner::new(bytes);
    header(&mut scanner)?;
    let mut grid = Grid::default();
    while let Some(word) = scanner.next_word() {
        if word.is("POINTS") {
            grid.positions = Some(points(&mut scanner)?);
        } else if word.is("CELLS") {
            let Some(positions) = &grid.positions else {
                return Err(word.fault("CELLS come before POINTS", "put the POINTS first").into());
            };
            grid.cells = Some(cells(&mut scanner, positions.len())?);
        } else if word.is("CELL_TYPES") {
            grid.types = Some(cell_types(&mut scanner)?);
        } else if word.is("METADATA") {
            skip_metadata(&mut scanner);
        } else if word.is("FIELD") {
            skip_field(&mut scanner)?;
        } else if word.is("POINT_DATA") || word.is("CELL_DATA") {
            break;
        } else {
            return Err(word.fault("expected POINTS, CELLS or CELL_TYPES", CUT_OFF).into());
        }
    }
    let positions = grid.positions.ok_or_else(|| scanner.end_fault("POINTS"))?;
    let cells = grid.cells.ok_or_else(|| scanner.end_fault("CELLS"))?;
    let types = grid.types.ok_or_else(|| scanner.end_fault("CELL_TYPES"))?;
    if types.len() != cells.lines.len() {
        let what = format!("{} cell types, one per cell, (there are {})", cells.lines.len(), types.len());
        return Err(scanner.end_fault(&what).into());
    }
    assemble(positions, &cells, &types)
}

fn header(scanner: &mut Scanner) -> Result<(), Fault> {
    let first = scanner.rest_of_line();
    let opening = b"# vtk DataFile Version";
    if first.bytes.len() < opening.len() || !first.bytes[..opening.len()].eq_ignore_ascii_case(opening) {
        return Err(first.fault("expected \"# vtk DataFile Version\"", SAVE_ASCII));
    }
    let _title = scanner.rest_of_line();
    let encoding = scanner.word("ASCII")?;
    if !encoding.is("ASCII") {
        return Err(encoding.fault("only ASCII files are read", SAVE_ASCII));
    }
    let dataset = scanner.word("DATASET")?;
    if !dataset.is("DATASET") {
        return Err(dataset.fault("expected DATASET", SAVE_ASCII));
    }
    let kind = scanner.word("UNSTRUCTURED_GRID")?;
    if !kind.is("UNSTRUCTURED_GRID") {
        return Err(kind.fault("only unstructured grids are read", SAVE_ASCII));
    }
    Ok(())
}

fn points(scanner: &mut Scanner) -> Result<Vec<[f64; 3]>, Fault> {
    let count = scanner.count("the number of points", 3)?;
    scanner.word("the type of the points")?;
    (0..count).map(|_| scanner.position()).collect()
}

fn cells(scanner: &mut Scanner, node_count: usize) -> Result<CellTable, Fault> {
    let first = scanner.count("the number of cells", 1)?;
    let second = scanner.count("the number of cell entries", 1)?;
    if scanner.peek().is_some_and(|word| word.is("OFFSETS")) {
        cells_by_offsets(scanner, first, second, node_count)
    } else {
        cells_by_counts(scanner, first, second, node_count)
    }
}

/// `count node node ...` for each cell; `entries` counts all these numbers.
fn cells_by_counts(
    scanner: &mut Scanner,
    count: usize,
    entries: usize,
    node_count: usize,
) -> Result<CellTable, Fault> {
    let mut table = CellTable { offsets: vec![0], ..CellTable::default() };
    table.nodes.reserve(entries.saturating_sub(count));
    table.lines.reserve(count);
    for _ in 0..count {
        let word = scanner.word("the node count of a cell")?;
        let corners: usize = word.number("the node count of a cell")?;
        if corners > entries - (table.nodes.len() + table.lines.len()).min(entries) {
            let problem = format!("a cell has more nodes than the {entries} entries that CELLS announces");
            return Err(word.fault(problem, CUT_OFF));
        }
        for _ in 0..corners {
            table.nodes.push(node(scanner, node_count)?);
        }
        table.offsets.push(table.nodes.len());
        table.lines.push(word.line);
    }
    Ok(table)
}

/// The layout since version 5.0; `count` is one more than the number of cells.
fn cells_by_offsets(
    scanner: &mut Scanner,
    count: usize,
    entries: usize,
    node_count: usize,
) -> Result<CellTable, Fault> {
    let mut table = CellTable::default();
    scanner.skip_words(2, "OFFSETS and their type")?;
    for _ in 0..count {
        let word = scanner.word("an offset")?;
        let offset: usize = word.number("an offset")?;
        if offset > entries || table.offsets.last().is_some_and(|&last| offset < last) {
            let problem = format!("offsets must rise from 0 to {entries}");
            return Err(word.fault(problem, CUT_OFF));
        }
        table.offsets.push(offset);
    }
    let word = scanner.word("CONNECTIVITY")?;
    if !word.is("CONNECTIVITY") {
        return Err(word.fault("expected CONNECTIVITY", CUT_OFF));
    }
    scanner.word("the type of the connectivity")?;
    let mut node_lines = Vec::with_capacity(entries);
    for _ in 0..entries {
        table.nodes.push(node(scanner, node_count)?);
        node_lines.push(scanner.line());
    }
    let starts = table.offsets.iter().take(count.saturating_sub(1));
    let here = scanner.line();
    table.lines = starts.map(|&start| node_lines.get(start).copied().unwrap_or(here)).collect();
    Ok(table)
}

fn node(scanner: &mut Scanner, node_count: usize) -> Result<u32, Fault> {
    let word = scanner.word("a node number")?;
    let node: u32 = word.number("a node number")?;
    if (node as usize) < node_count {
        return Ok(node);
    }
    let problem =
        format!("a cell uses a node that does not exist (nodes are 0 to {})", node_count as i64 - 1);
    Err(word.fault(problem, CUT_OFF))
}

fn cell_types(scanner: &mut Scanner) -> Result<Vec<u32>, Fault> {
    let count = scanner.count("the number of cell types", 1)?;
    (0..count).map(|_| scanner.number("a cell type")).collect()
}

/// Ends with an empty line.
fn skip_metadata(scanner: &mut Scanner) {
    scanner.rest_of_line();
    while scanner.peek().is_some() && !scanner.rest_of_line().bytes.is_empty() {}
}

/// Arrays that belong to the whole grid, such as its time.
fn skip_field(scanner: &mut Scanner) -> Result<(), Fault> {
    scanner.word("the name of the field")?;
    let arrays = scanner.count("the number of arrays", 4)?;
    for _ in 0..arrays {
        if scanner.peek().is_some_and(|word| word.is("METADATA")) {
            scanner.next_word();
            skip_metadata(scanner);
        }
        scanner.word("the name of an array")?;
        let components: usize = scanner.number("the number of components")?;
        let tuples = scanner.count("the number of tuples", components.clamp(1, 1 << 20))?;
        let kind = scanner.word("the type of an array")?;
        scanner.rest_of_line();
        if kind.is("string") {
            for _ in 0..tuples {
                scanner.rest_of_line();
            }
        } else {
            scanner.skip_words(tuples.saturating_mul(components), "a value of an array")?;
        }
    }
    Ok(())
}

fn assemble(positions: Vec<[f64; 3]>, cells: &CellTable, types: &[u32]) -> Result<Mesh, ReadError> {
    let (mut tets, mut hexes, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for ((ends, &kind), &line) in cells.offsets.windows(2).zip(types).zip(&cells.lines) {
        let nodes = &cells.nodes[ends[0]..ends[1]];
        match kind {
            10 => tets.push(corners(nodes, line, "tetrahedron")?),
            12 => hexes.push(corners(nodes, line, "hexahedron")?),
            5 => triangles.push(corners(nodes, line, "triangle")?),
            9 => {
                let [a, b, c, d] = corners(nodes, line, "quadrilateral")?;
                triangles.extend([[a, b, c], [a, c, d]]);
            }
            1..=4 => {}
            _ => return Err(unknown_type(kind, line).into()),
        }
    }
    Ok(Mesh::new(positions, tets, hexes, triangles, BTreeMap::new())?)
}

fn corners<const N: usize>(nodes: &[u32], line: usize, what: &str) -> Result<[u32; N], Fault> {
    check_distinct(nodes, line, what)?;
    nodes.try_into().map_err(|_| Fault {
        line,
        problem: format!("a {what} has {N} nodes, not {}", nodes.len()),
        found: format!("{} nodes", nodes.len()),
        way_out: CUT_OFF.to_owned(),
    })
}

fn unknown_type(kind: u32, line: usize) -> Fault {
    let name = match kind {
        6 => "triangle strip",
        7 | 42 => "polygon or polyhedron",
        8 => "pixel",
        11 => "voxel",
        13 => "wedge",
        14 => "pyramid",
        22 => "quadratic triangle",
        24 => "quadratic tetrahedron",
        25 => "quadratic hexahedron",
        _ => "unknown cell",
    };
    Fault {
        line,
        problem: format!("cells of VTK type {kind} ({name}) are not read"),
        found: format!("type {kind}"),
        way_out: "use tetrahedra (10), hexahedra (12) or triangles (5) of first order".to_owned(),
    }
}
