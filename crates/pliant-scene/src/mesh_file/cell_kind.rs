//! Kinds of elements that files hold, and what a mesh takes of them.
//!
//! Elements of second order are read as their corners: in every format here these come first. Quadrilaterals
//! become two triangles. Points and lines carry groups of nodes and nothing else.

/// The shape of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CellShape {
    Point,
    Line,
    Triangle,
    Quad,
    Tet,
    Hex,
}

/// A shape and how many nodes the file lists for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellKind {
    pub shape: CellShape,
    /// All nodes, those on edges, faces and inside too.
    pub node_count: usize,
}

impl CellShape {
    pub fn corner_count(self) -> usize {
        match self {
            Self::Point => 1,
            Self::Line => 2,
            Self::Triangle => 3,
            Self::Quad | Self::Tet => 4,
            Self::Hex => 8,
        }
    }

    pub fn dimension(self) -> u32 {
        match self {
            Self::Point => 0,
            Self::Line => 1,
            Self::Triangle | Self::Quad => 2,
            Self::Tet | Self::Hex => 3,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Line => "line",
            Self::Triangle => "triangle",
            Self::Quad => "quadrilateral",
            Self::Tet => "tetrahedron",
            Self::Hex => "hexahedron",
        }
    }

    pub fn plural(self) -> &'static str {
        match self {
            Self::Point => "points",
            Self::Line => "lines",
            Self::Triangle => "triangles",
            Self::Quad => "quadrilaterals",
            Self::Tet => "tetrahedra",
            Self::Hex => "hexahedra",
        }
    }

    /// The kind with this many nodes.
    pub const fn with(self, node_count: usize) -> CellKind {
        CellKind { shape: self, node_count }
    }

    /// The first-order kind.
    pub fn linear(self) -> CellKind {
        self.with(self.corner_count())
    }
}

/// The most nodes that an element of a kind read here has.
pub(super) const MOST_NODES: usize = 27;

impl CellKind {
    /// By the number of a Gmsh file; else what that number means.
    pub fn of_gmsh(number: u64) -> Result<Self, &'static str> {
        use CellShape::{Hex, Line, Point, Quad, Tet, Triangle};
        Ok(match number {
            15 => Point.with(1),
            1 => Line.with(2),
            8 => Line.with(3),
            2 => Triangle.with(3),
            9 => Triangle.with(6),
            3 => Quad.with(4),
            10 => Quad.with(9),
            16 => Quad.with(8),
            4 => Tet.with(4),
            11 => Tet.with(10),
            5 => Hex.with(8),
            12 => Hex.with(27),
            17 => Hex.with(20),
            6 | 13 | 18 => return Err("prism"),
            7 | 14 | 19 => return Err("pyramid"),
            _ => return Err("of third or higher order, or unknown"),
        })
    }

    /// By the number of a VTK file; `None` for cells that are passed over; else what that number means.
    pub fn of_vtk(number: u64) -> Result<Option<Self>, &'static str> {
        use CellShape::{Hex, Quad, Tet, Triangle};
        Ok(Some(match number {
            // points and lines, single, in a row or of second order
            0..=4 | 21 => return Ok(None),
            5 => Triangle.with(3),
            22 => Triangle.with(6),
            34 => Triangle.with(7),
            9 => Quad.with(4),
            23 => Quad.with(8),
            28 => Quad.with(9),
            10 => Tet.with(4),
            24 => Tet.with(10),
            12 => Hex.with(8),
            25 => Hex.with(20),
            29 => Hex.with(27),
            6 => return Err("triangle strip"),
            7 => return Err("polygon"),
            8 => return Err("pixel"),
            11 => return Err("voxel"),
            13 | 26 | 32 => return Err("wedge"),
            14 | 27 => return Err("pyramid"),
            42 => return Err("polyhedron"),
            _ => return Err("of another order, or unknown"),
        }))
    }

    pub fn is_linear(self) -> bool {
        self.node_count == self.shape.corner_count()
    }
}
