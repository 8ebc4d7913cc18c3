//! A ball of seven blocks: a rounded cube of n^3 cells and ceil(n / 2) layers on each of its six faces.
//!
//! A cube's grid wrapped on a ball has flat corners along the edges of the cube. Here the layers start at the rounded
//! cube, where three or four cells share such a corner. With c in [-1, 1]^3 the grid of the cube and R the radius:
//!
//! ```text
//! cube:     p = A R (1 - B (|c|^2 - 1) / 2) c                                 A = 0.45, B = 0.14   (1)
//! sphere:   q = R d / |d|,  d_k = tan(pi c_k / 4)       equal angles along each edge               (2)
//! layers:   (1 - t) p + t q,  t = layer / layers                                                   (3)
//! ```
//!
//! B draws the cube's corners in. Of all B the worst scaled Jacobian over n = 1 to 64 is best here: 1/sqrt(3) for
//! n = 1 (whatever B), 0.66 for 2, 0.71 for 4, 0.76 for 64. Nodes of the cube come first (x fastest), then layer by layer
//! those above its skin, in the same order.

use std::f64::consts::FRAC_PI_4;

use super::grid_box::grid_cells;
use super::{Checks, GeneratorError, ShapeElement, filled};
use crate::hexahedron;
use crate::mesh::Mesh;

/// A in (1).
const CUBE: f64 = 0.45;
/// B in (1).
const ROUNDNESS: f64 = 0.14;

/// A ball about the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Radius, m.
    pub radius: f64,
    /// Blocks across the inner cube; a diameter has about twice as many.
    pub cells: usize,
    /// How the blocks are filled.
    pub element: ShapeElement,
}

impl Sphere {
    /// The mesh: `n^3 + 6 n^2 ceil(n / 2)` blocks for `n` cells.
    pub fn mesh(&self) -> Result<Mesh, GeneratorError> {
        let checks = Checks("sphere");
        checks.length("radius", self.radius)?;
        checks.count("cells across", self.cells, 1)?;
        checks.blocks((self.cells as f64).powi(3) * 4.0)?;
        Ball { radius: self.radius, across: self.cells, extent: Extent::Whole }.mesh(self.element)
    }
}

/// How much of the ball.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    Whole,
    /// z >= 0.
    UpperHalf,
}

/// The blocks of a ball or of its upper half.
pub(super) struct Ball {
    pub radius: f64,
    pub across: usize,
    pub extent: Extent,
}

impl Ball {
    pub fn mesh(&self, element: ShapeElement) -> Result<Mesh, GeneratorError> {
        let places = self.places();
        let skin: Vec<usize> = (0..places.len()).filter(|&n| self.on_skin(places[n])).collect();
        filled(self.points(&places, &skin), self.blocks(places.len(), &skin), element)
    }

    fn layers(&self) -> usize {
        self.across.div_ceil(2)
    }

    /// Cells of the inner block along x, y, z.
    fn inner_cells(&self) -> [usize; 3] {
        let upright = match self.extent {
            Extent::Whole => self.across,
            Extent::UpperHalf => self.layers(),
        };
        [self.across, self.across, upright]
    }

    /// Nodes of the inner block.
    fn places(&self) -> Vec<[usize; 3]> {
        let [n, _, up] = self.inner_cells();
        let row = n + 1;
        (0..row * row * (up + 1)).map(|at| [at % row, at / row % row, at / row / row]).collect()
    }

    /// Is this node of the inner block on its skin, to which the layers are attached?
    fn on_skin(&self, [i, j, k]: [usize; 3]) -> bool {
        let [n, _, up] = self.inner_cells();
        let below = k == 0 && self.extent == Extent::Whole;
        [i, j].iter().any(|&at| at == 0 || at == n) || k == up || below
    }

    fn points(&self, places: &[[usize; 3]], skin: &[usize]) -> Vec<[f64; 3]> {
        let [n, _, up] = self.inner_cells();
        let across = |i: usize| (2.0 * i as f64 - n as f64) / n as f64;
        let upright = |k: usize| match self.extent {
            Extent::Whole => across(k),
            Extent::UpperHalf => k as f64 / up as f64,
        };
        let grid = |[i, j, k]: [usize; 3]| [across(i), across(j), upright(k)];
        let mut points: Vec<[f64; 3]> = places.iter().map(|&place| self.in_cube(grid(place))).collect();
        for layer in 1..=self.layers() {
            let t = layer as f64 / self.layers() as f64;
            points.extend(skin.iter().map(|&node| {
                let (p, q) = (self.in_cube(grid(places[node])), self.on_sphere(grid(places[node])));
                std::array::from_fn(|c| (1.0 - t) * p[c] + t * q[c]) // (3)
            }));
        }
        points
    }

    /// (1)
    fn in_cube(&self, c: [f64; 3]) -> [f64; 3] {
        let square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
        c.map(|x| CUBE * self.radius * (1.0 - 0.5 * ROUNDNESS * (square - 1.0)) * x)
    }

    /// (2)
    fn on_sphere(&self, c: [f64; 3]) -> [f64; 3] {
        let d = c.map(|x| (FRAC_PI_4 * x).tan());
        let length = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
        d.map(|x| self.radius * (x / length))
    }

    fn blocks(&self, inner_count: usize, skin: &[usize]) -> Vec<[u32; 8]> {
        let mut rank = vec![None; inner_count];
        for (place, &node) in skin.iter().enumerate() {
            rank[node] = Some(place);
        }
        let above = |node: u32, layer: usize| match (layer, rank[node as usize]) {
            (1.., Some(place)) => (inner_count + (layer - 1) * skin.len() + place) as u32,
            _ => node,
        };
        let mut blocks = Vec::new();
        let mut quads = Vec::new();
        let cells = self.inner_cells();
        for (place, corners) in grid_cells(cells) {
            blocks.push(corners);
            let outer = (0..6).filter(|&face| self.is_covered(place, face));
            quads.extend(outer.map(|face| hexahedron::FACES[face].map(|i| corners[i])));
        }
        for layer in 0..self.layers() {
            blocks.extend(quads.iter().map(|quad: &[u32; 4]| {
                let ([a, b, c, d], [e, f, g, h]) =
                    (quad.map(|n| above(n, layer)), quad.map(|n| above(n, layer + 1)));
                [a, b, c, d, e, f, g, h]
            }));
        }
        blocks
    }

    /// Does a layer lie on this face (as in `hexahedron::FACES`) of the inner cell?
    fn is_covered(&self, [i, j, k]: [usize; 3], face: usize) -> bool {
        let [n, _, up] = self.inner_cells();
        match face {
            0 => k == 0 && self.extent == Extent::Whole,
            1 => k + 1 == up,
            2 => j == 0,
            3 => i + 1 == n,
            4 => j + 1 == n,
            _ => i == 0,
        }
    }
}
