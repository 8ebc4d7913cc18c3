//! `mesh = { ... }` of a body: a shape made here, or a file.

mod table;

use super::{Located, SpringRow};
use crate::units::{Length, Quantity, si_array};
use pliant_geometry::ShapeElement;
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::Range;
use table::MeshTable;

/// Where a body's elements come from.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "MeshTable")]
#[schemars(with = "MeshTable")]
pub enum Mesh {
    /// A shape made here.
    Shape(Shape),
    /// A mesh file.
    File {
        /// Path relative to the scene file.
        file: Located<String>,
        /// Length of one unit of the file.
        scale: Located<Quantity<Length>>,
    },
    /// Particles and springs one by one; only of networks.
    Particles {
        /// Where they rest.
        particles: Located<Vec<[Quantity<Length>; 3]>>,
        /// What joins them.
        springs: Located<Vec<SpringRow>>,
    },
}

/// A shape made here.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A box from the origin to `size`, cut into equal cells.
    Box {
        /// Edge lengths along x, y and z.
        size: Located<[Quantity<Length>; 3]>,
        /// Number of cells along x, y and z.
        cells: Located<[u32; 3]>,
        /// How each cell is filled.
        element: Element,
    },
    /// A rectangle from the origin in the plane z = 0, without cells: a cloth; only of networks.
    Grid {
        /// Edge lengths along x and y.
        size: Located<[Quantity<Length>; 2]>,
        /// Number of cells along x and y.
        cells: Located<[u32; 2]>,
    },
    /// A torus of tetrahedra about the z axis, centred at the origin.
    Torus {
        /// Radius of the circle through the centres of the sections.
        radius: Located<Quantity<Length>>,
        /// Radius of the tube.
        tube: Located<Quantity<Length>>,
        /// Sections around the axis.
        sections: Located<u32>,
        /// Nodes on the rim of each section.
        rim: Located<u32>,
    },
    /// A hollow cylinder about the z axis, from z = 0.
    Tube {
        /// Radius of the bore.
        inner: Located<Quantity<Length>>,
        /// Outer radius.
        outer: Located<Quantity<Length>>,
        /// Length along z.
        height: Located<Quantity<Length>>,
        /// Number of cells around, through the wall and along z.
        cells: Located<[u32; 3]>,
        /// How each cell is filled.
        element: ShapeElement,
    },
    /// A solid cylinder about the z axis, from z = 0.
    Cylinder {
        /// Radius.
        radius: Located<Quantity<Length>>,
        /// Length along z.
        height: Located<Quantity<Length>>,
        /// Number of cells across the inner square and along z.
        cells: Located<[u32; 2]>,
        /// How each cell is filled.
        element: ShapeElement,
    },
    /// A ball about the origin.
    Sphere {
        /// Radius.
        radius: Located<Quantity<Length>>,
        /// Number of cells across the inner cube.
        cells: Located<u32>,
        /// How each cell is filled.
        element: ShapeElement,
    },
    /// The half z >= 0 of a ball about the origin.
    Hemisphere {
        /// Radius.
        radius: Located<Quantity<Length>>,
        /// Number of cells across the inner cube.
        cells: Located<u32>,
        /// How each cell is filled.
        element: ShapeElement,
    },
}

impl Shape {
    /// Lengths that tell how large and how thick it is, m, and where the file gives them.
    pub fn extent(&self) -> ([f64; 3], Range<usize>) {
        match self {
            Self::Box { size, .. } => (si_array(size), size.span()),
            // it has no thickness to judge
            Self::Grid { size, .. } => ([size[0].si(), size[1].si(), size[0].si()], size.span()),
            Self::Torus { radius, tube, .. } => {
                let across = 2.0 * (radius.si() + tube.si());
                ([across, across, 2.0 * tube.si()], radius.span())
            }
            // the wall tells a slip of units sooner than the bore does
            Self::Tube { inner, outer, height, .. } => {
                ([outer.si() - inner.si(), 2.0 * outer.si(), height.si()], outer.span())
            }
            Self::Cylinder { radius, height, .. } => {
                ([2.0 * radius.si(), 2.0 * radius.si(), height.si()], radius.span())
            }
            Self::Sphere { radius, .. } => ([2.0 * radius.si(); 3], radius.span()),
            Self::Hemisphere { radius, .. } => {
                ([2.0 * radius.si(), 2.0 * radius.si(), radius.si()], radius.span())
            }
        }
    }
}

/// How a generated cell is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Element {
    /// Tetrahedra: five per cell of a box, six per cell of a round shape.
    Tet,
    /// Five tetrahedra, mirrored from cell to cell; of a box only.
    Tet5,
    /// Six tetrahedra around the diagonal (Kuhn); of a box only.
    Tet6,
    /// One hexahedron.
    Hex,
}
