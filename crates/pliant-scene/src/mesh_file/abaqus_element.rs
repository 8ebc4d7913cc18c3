//! Names of Abaqus element types, and what is read of them.
//!
//! A name is a family, a number of nodes, and letters for the formulation (`C3D8RH`), which do not matter
//! here. Nodes of bricks and tetrahedra are in the order of VTK, corners first. Shells, membranes and plane
//! elements are read as triangles.

use super::cell_kind::{CellKind, CellShape};

/// What is read of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementKind {
    Cell(CellKind),
    /// Trusses, beams, springs, masses: as many nodes, which carry groups and nothing else.
    Nodes(usize),
}

/// The most nodes of such an element.
pub(super) const MOST_LOOSE_NODES: usize = 3;

/// Families of continuum elements: stress, heat, acoustic, coupled.
const SOLIDS: [&str; 4] = ["C3D", "DC3D", "AC3D", "QC3D"];

/// Families of surface elements; a longer name stands before one that it begins with.
const SURFACES: [&str; 10] = ["SFM3D", "STRI", "CPE", "CPS", "CAX", "M3D", "R3D", "DC2D", "DS", "S"];

const LOOSE: [(&str, usize); 26] = [
    ("T2D2", 2),
    ("T2D3", 3),
    ("T3D2", 2),
    ("T3D3", 3),
    ("B21", 2),
    ("B22", 3),
    ("B23", 2),
    ("B31", 2),
    ("B32", 3),
    ("B33", 2),
    ("PIPE21", 2),
    ("PIPE22", 3),
    ("PIPE31", 2),
    ("PIPE32", 3),
    ("RB2D2", 2),
    ("RB3D2", 2),
    ("CONN2D2", 2),
    ("CONN3D2", 2),
    ("SPRING1", 1),
    ("SPRING2", 2),
    ("SPRINGA", 2),
    ("DASHPOT1", 1),
    ("DASHPOT2", 2),
    ("DASHPOTA", 2),
    ("MASS", 1),
    ("ROTARYI", 1),
];

/// The kind of a type; else what it is.
pub(super) fn kind_of(name: &str) -> Result<ElementKind, &'static str> {
    use CellShape::{Hex, Quad, Tet, Triangle};
    let name = name.trim().to_ascii_uppercase();
    if let Some((_, count)) = LOOSE.iter().find(|(family, _)| name.starts_with(family)) {
        return Ok(ElementKind::Nodes(*count));
    }
    if let Some(number) = SOLIDS.iter().find_map(|family| number_behind(&name, family)) {
        return Ok(ElementKind::Cell(match number {
            4 => Tet.with(4),
            10 => Tet.with(10),
            8 => Hex.with(8),
            20 => Hex.with(20),
            6 | 15 => return Err("wedge"),
            5 | 13 => return Err("pyramid"),
            _ => return Err("of variable or unknown size"),
        }));
    }
    let digit = SURFACES.iter().find_map(|family| name.strip_prefix(family)?.bytes().next());
    Ok(ElementKind::Cell(match digit {
        Some(b'3') => Triangle.with(3),
        Some(b'6') => Triangle.with(6),
        Some(b'4') => Quad.with(4),
        Some(b'8') => Quad.with(8),
        Some(b'9') => Quad.with(9),
        _ => return Err("unknown"),
    }))
}

/// The digits that follow the name of the family.
fn number_behind(name: &str, family: &str) -> Option<u32> {
    let rest = name.strip_prefix(family)?;
    let end = rest.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_shape_and_nodes() {
        let cell = |shape: CellShape, count| Ok(ElementKind::Cell(shape.with(count)));
        assert_eq!(kind_of("c3d4"), cell(CellShape::Tet, 4));
        assert_eq!(kind_of("C3D10MH"), cell(CellShape::Tet, 10));
        assert_eq!(kind_of(" C3D8R "), cell(CellShape::Hex, 8));
        assert_eq!(kind_of("DC3D20"), cell(CellShape::Hex, 20));
        assert_eq!(kind_of("S4R5"), cell(CellShape::Quad, 4));
        assert_eq!(kind_of("STRI65"), cell(CellShape::Triangle, 6));
        assert_eq!(kind_of("SFM3D3"), cell(CellShape::Triangle, 3));
        assert_eq!(kind_of("CPS6"), cell(CellShape::Triangle, 6));
        assert_eq!(kind_of("S8R"), cell(CellShape::Quad, 8));
        assert_eq!(kind_of("T3D3"), Ok(ElementKind::Nodes(3)));
        assert_eq!(kind_of("SPRINGA"), Ok(ElementKind::Nodes(2)));
        assert_eq!(kind_of("C3D15"), Err("wedge"));
        assert_eq!(kind_of("C3D27"), Err("of variable or unknown size"));
        assert_eq!(kind_of("SAX1"), Err("unknown"));
        assert_eq!(kind_of(""), Err("unknown"));
    }
}
