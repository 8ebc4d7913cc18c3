//! Shapes made here, cut into tetrahedra or hexahedra, and a flat sheet: one file each.
//!
//! Each shape is a plain struct of its measures (m) and counts; `mesh()` checks them and makes the mesh. The same
//! numbers give the same bits. Shapes carry no groups. Those of hexahedra can be cut further into tetrahedra, see `cut.rs`.

mod cut;
mod cylinder;
mod grid;
mod grid_box;
mod hemisphere;
mod sphere;
mod torus;
mod tube;

use std::collections::BTreeMap;

use crate::mesh::{Mesh, MeshError};

pub use cut::hexes_in_tets;
pub use cylinder::Cylinder;
pub use grid::Grid;
pub use grid_box::{BoxElement, box_mesh};
pub use hemisphere::Hemisphere;
pub use sphere::Sphere;
pub use torus::Torus;
pub use tube::Tube;

/// Cells of the largest shape; beyond this a slip of the keyboard is likelier than a use.
pub const MOST_CELLS: usize = 10_000_000;

/// How the blocks of a round shape are filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeElement {
    /// Six tetrahedra per block.
    Tet,
    /// One hexahedron per block.
    Hex,
}

/// Why a shape cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GeneratorError {
    /// An edge of the box is zero, negative, infinite or not a number.
    #[error("the size of a box must be positive and finite, got {0:?} m")]
    Size([f64; 3]),
    /// A count of the box is zero, or the product is too large.
    #[error("a box needs 1 or more cells along each axis and at most {MOST_CELLS} in all, got {0:?}")]
    Cells([usize; 3]),
    /// A length is zero, negative, infinite or not a number.
    #[error("the {name} of a {shape} must be positive and finite, got {value} m")]
    Length {
        /// Which shape.
        shape: &'static str,
        /// Which length.
        name: &'static str,
        /// What was given, m.
        value: f64,
    },
    /// One length does not fit into another.
    #[error(
        "the {inner} of a {shape} must be less than its {outer}, got {small} m and {large} m; make the {inner} smaller"
    )]
    DoesNotFit {
        /// Which shape.
        shape: &'static str,
        /// The length that must be less.
        inner: &'static str,
        /// The length that must be more.
        outer: &'static str,
        /// The first, m.
        small: f64,
        /// The second, m.
        large: f64,
    },
    /// A count is too small.
    #[error("a {shape} needs {least} or more {name}, got {value}")]
    Few {
        /// Which shape.
        shape: &'static str,
        /// What is counted.
        name: &'static str,
        /// The least that makes a body.
        least: usize,
        /// What was given.
        value: usize,
    },
    /// The counts make too many cells.
    #[error(
        "these counts make about {cells:.3e} blocks of a {shape}, the most are {MOST_CELLS}; use smaller counts"
    )]
    TooMany {
        /// Which shape.
        shape: &'static str,
        /// How many blocks there would be.
        cells: f64,
    },
    /// The numbers do not make a mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
}

/// The checks of one shape, by its name.
#[derive(Clone, Copy)]
struct Checks(&'static str);

impl Checks {
    fn length(self, name: &'static str, value: f64) -> Result<(), GeneratorError> {
        let sound = value > 0.0 && value.is_finite();
        sound.then_some(()).ok_or(GeneratorError::Length { shape: self.0, name, value })
    }

    /// Both lengths are sound already.
    fn fits(self, inner: (&'static str, f64), outer: (&'static str, f64)) -> Result<(), GeneratorError> {
        let error = GeneratorError::DoesNotFit {
            shape: self.0,
            inner: inner.0,
            outer: outer.0,
            small: inner.1,
            large: outer.1,
        };
        (inner.1 < outer.1).then_some(()).ok_or(error)
    }

    fn count(self, name: &'static str, value: usize, least: usize) -> Result<(), GeneratorError> {
        (value >= least).then_some(()).ok_or(GeneratorError::Few { shape: self.0, name, least, value })
    }

    /// In floating point, where no product of counts overflows.
    fn blocks(self, cells: f64) -> Result<(), GeneratorError> {
        (cells <= MOST_CELLS as f64).then_some(()).ok_or(GeneratorError::TooMany { shape: self.0, cells })
    }
}

/// The mesh of these blocks, cut into tetrahedra if asked.
fn filled(
    positions: Vec<[f64; 3]>,
    blocks: Vec<[u32; 8]>,
    element: ShapeElement,
) -> Result<Mesh, GeneratorError> {
    let (tets, hexes) = match element {
        ShapeElement::Hex => (Vec::new(), blocks),
        ShapeElement::Tet => (cut::hexes_in_tets(&blocks), Vec::new()),
    };
    Ok(Mesh::new(positions, tets, hexes, Vec::new(), BTreeMap::new())?)
}
