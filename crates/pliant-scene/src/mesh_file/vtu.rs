//! Frames as VTK XML unstructured grids (.vtu), for ParaView and whatever else reads VTK.
//!
//! Arrays are appended raw, little-endian, each after its length in bytes (UInt64), so that a frame is
//! written at the speed of the disk. The file is there whole or not at all. Positions are Float64; a field has the
//! precision of its values. Tetrahedra come first, then hexahedra, then triangles, then lines.
//!
//! Arrays are stored in the reverse of the order in which the header declares them. meshio 5.3 takes offsets that it has
//! rewritten for later ones of the file where they happen to be equal, and this order keeps them apart.

use std::io::{self, Write};
use std::path::Path;

use super::xml::escaped;
use crate::replace::replace_file;

/// What one frame shows. Positions in m, current ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct VtuFrame<'a> {
    /// Where the nodes are.
    pub positions: &'a [[f64; 3]],
    /// Tetrahedra.
    pub tets: &'a [[u32; 4]],
    /// Hexahedra.
    pub hexes: &'a [[u32; 8]],
    /// Triangles of the surface.
    pub triangles: &'a [[u32; 3]],
    /// Lines, such as springs.
    pub lines: &'a [[u32; 2]],
    /// Values at the nodes.
    pub point_fields: &'a [Field<'a>],
    /// Values in the cells: tetrahedra first, then hexahedra, then triangles, then lines.
    pub cell_fields: &'a [Field<'a>],
}

/// A named array of numbers or vectors, one for each node or cell.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// The name that the viewer shows.
    pub name: &'a str,
    /// 1 for numbers, 3 for vectors.
    pub components: usize,
    /// All components of the first node or cell, then of the second, and so on.
    pub values: FieldValues<'a>,
}

/// Numbers of a field and the precision in which they are written.
#[derive(Clone, Copy, Debug)]
pub enum FieldValues<'a> {
    /// Written as Float64.
    F64(&'a [f64]),
    /// Written as Float32.
    F32(&'a [f32]),
    /// Rounded to Float32 on the way out: half the size.
    F64AsF32(&'a [f64]),
    /// Written as UInt8.
    U8(&'a [u8]),
}

impl FieldValues<'_> {
    fn len(&self) -> usize {
        match self {
            Self::F64(values) | Self::F64AsF32(values) => values.len(),
            Self::F32(values) => values.len(),
            Self::U8(values) => values.len(),
        }
    }

    fn type_name(&self) -> &'static str {
        match self {
            Self::F64(_) => "Float64",
            Self::F32(_) | Self::F64AsF32(_) => "Float32",
            Self::U8(_) => "UInt8",
        }
    }

    fn byte_count(&self) -> usize {
        let size = match self {
            Self::F64(_) => 8,
            Self::F32(_) | Self::F64AsF32(_) => 4,
            Self::U8(_) => 1,
        };
        size * self.len()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::F64(values) => write_array(out, values.iter().map(|x| x.to_le_bytes())),
            Self::F32(values) => write_array(out, values.iter().map(|x| x.to_le_bytes())),
            Self::F64AsF32(values) => write_array(out, values.iter().map(|&x| (x as f32).to_le_bytes())),
            Self::U8(values) => out.write_all(values),
        }
    }
}

/// Writes the frame to `path`, replacing what is there.
pub fn write_vtu(path: &Path, frame: &VtuFrame) -> io::Result<()> {
    check(frame)?;
    replace_file(
        path,
        |out| {
            if frame.wide() { write_frame::<8>(out, frame) } else { write_frame::<4>(out, frame) }
        },
    )
}

impl VtuFrame<'_> {
    fn cell_count(&self) -> usize {
        self.tets.len() + self.hexes.len() + self.triangles.len() + self.lines.len()
    }

    fn corner_count(&self) -> usize {
        4 * self.tets.len() + 8 * self.hexes.len() + 3 * self.triangles.len() + 2 * self.lines.len()
    }

    /// Are 32-bit numbers too small for the nodes or the offsets?
    fn wide(&self) -> bool {
        self.positions.len().max(self.corner_count()) > i32::MAX as usize
    }
}

fn check(frame: &VtuFrame) -> io::Result<()> {
    let of_nodes = frame.point_fields.iter().map(|field| (field, frame.positions.len(), "nodes"));
    let of_cells = frame.cell_fields.iter().map(|field| (field, frame.cell_count(), "cells"));
    for (field, count, what) in of_nodes.chain(of_cells) {
        if !matches!(field.components, 1 | 3) || field.values.len() != field.components * count {
            let (name, values, components) = (field.name, field.values.len(), field.components);
            let problem =
                format!("field {name:?}: {values} values do not fit {count} {what} of {components}");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
        }
    }
    Ok(())
}

/// One array as the header declares it.
struct ArrayHead<'a> {
    kind: &'a str,
    name: &'a str,
    components: usize,
    byte_count: usize,
}

/// The line of one array in the header; `end` of the arrays not yet declared moves to its start.
fn declare(out: &mut impl Write, end: &mut u64, array: &ArrayHead) -> io::Result<()> {
    let ArrayHead { kind, name, components, byte_count } = *array;
    write!(out, "<DataArray type=\"{kind}\" Name=\"{}\"", escaped(name))?;
    // one is the default, and readers then give a plain list
    if components > 1 {
        write!(out, " NumberOfComponents=\"{components}\"")?;
    }
    *end -= 8 + byte_count as u64;
    writeln!(out, " format=\"appended\" offset=\"{end}\"/>")
}

/// `INT` is the size of an integer in bytes, 4 or 8.
fn write_frame<const INT: usize>(out: &mut impl Write, frame: &VtuFrame) -> io::Result<()> {
    write_header::<INT>(out, frame)?;
    // the arrays, the last of the header first; the underscore marks the start
    write!(out, "<AppendedData encoding=\"raw\">\n_")?;
    // (VTK's number, corners, how many) of each kind
    let kinds = [
        (10, 4, frame.tets.len()),
        (12, 8, frame.hexes.len()),
        (5, 3, frame.triangles.len()),
        (3, 2, frame.lines.len()),
    ];
    write_length(out, frame.cell_count())?;
    for (kind, _, count) in kinds {
        write_array(out, std::iter::repeat_n([kind], count))?;
    }
    write_length(out, INT * frame.cell_count())?;
    let mut end = 0;
    for (_, corners, count) in kinds {
        let start = end;
        end += corners * count as u64;
        write_array(out, (1..=count as u64).map(|cell| low_bytes::<INT>(start + corners * cell)))?;
    }
    write_length(out, INT * frame.corner_count())?;
    let corners = frame.tets.as_flattened().iter().chain(frame.hexes.as_flattened());
    let corners = corners.chain(frame.triangles.as_flattened()).chain(frame.lines.as_flattened());
    write_array(out, corners.map(|&node| low_bytes::<INT>(u64::from(node))))?;

    write_length(out, 24 * frame.positions.len())?;
    write_array(out, frame.positions.as_flattened().iter().map(|x| x.to_le_bytes()))?;
    for field in frame.point_fields.iter().chain(frame.cell_fields).rev() {
        write_length(out, field.values.byte_count())?;
        field.values.write(out)?;
    }
    write!(out, "\n</AppendedData>\n</VTKFile>\n")
}

fn write_header<const INT: usize>(out: &mut impl Write, frame: &VtuFrame) -> io::Result<()> {
    let (nodes, cells) = (frame.positions.len(), frame.cell_count());
    let integer = if INT == 8 { "Int64" } else { "Int32" };
    let fields = frame.point_fields.iter().chain(frame.cell_fields);
    let own_bytes = 24 * nodes + INT * (frame.corner_count() + cells) + cells;
    let mut end = fields.map(|field| 8 + field.values.byte_count()).sum::<usize>() as u64;
    end += (4 * 8 + own_bytes) as u64;
    write!(
        out,
        "<?xml version=\"1.0\"?>\n<!-- written by Pliant, lengths in m -->\n\
         <VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
         <UnstructuredGrid>\n<Piece NumberOfPoints=\"{nodes}\" NumberOfCells=\"{cells}\">\n"
    )?;
    for (place, fields) in [("PointData", frame.point_fields), ("CellData", frame.cell_fields)] {
        writeln!(out, "<{place}>")?;
        for field in fields {
            let array = ArrayHead {
                kind: field.values.type_name(),
                name: field.name,
                components: field.components,
                byte_count: field.values.byte_count(),
            };
            declare(out, &mut end, &array)?;
        }
        writeln!(out, "</{place}>")?;
    }
    let own = |kind, name, components, byte_count| ArrayHead { kind, name, components, byte_count };
    writeln!(out, "<Points>")?;
    declare(out, &mut end, &own("Float64", "Points", 3, 24 * nodes))?;
    writeln!(out, "</Points>\n<Cells>")?;
    declare(out, &mut end, &own(integer, "connectivity", 1, INT * frame.corner_count()))?;
    declare(out, &mut end, &own(integer, "offsets", 1, INT * cells))?;
    declare(out, &mut end, &own("UInt8", "types", 1, cells))?;
    writeln!(out, "</Cells>\n</Piece>\n</UnstructuredGrid>")
}

fn write_length(out: &mut impl Write, bytes: usize) -> io::Result<()> {
    out.write_all(&(bytes as u64).to_le_bytes())
}

fn low_bytes<const INT: usize>(number: u64) -> [u8; INT] {
    let bytes = number.to_le_bytes();
    std::array::from_fn(|i| bytes[i])
}

/// Gathers items in a small buffer: a call of the writer for each would cost more than the copy.
fn write_array<const N: usize>(out: &mut impl Write, items: impl Iterator<Item = [u8; N]>) -> io::Result<()> {
    let mut buffer = [[0_u8; N]; 1024];
    let mut filled = 0;
    for item in items {
        buffer[filled] = item;
        filled += 1;
        if filled == buffer.len() {
            out.write_all(buffer.as_flattened())?;
            filled = 0;
        }
    }
    out.write_all(buffer[..filled].as_flattened())
}
