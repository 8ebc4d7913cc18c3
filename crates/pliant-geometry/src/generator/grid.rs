//! A flat sheet of particles in the plane z = 0, with the triangles that show it.
//!
//! Nodes run x fastest, then y, from the origin to `size`. A cell is two triangles that face +z, its diagonal mirrored in every second cell
//! so that no direction is favoured.

use std::collections::BTreeMap;

use super::{Checks, GeneratorError};
use crate::mesh::Mesh;

/// A rectangle from the origin, cut into equal cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Edge lengths along x and y, m.
    pub size: [f64; 2],
    /// Number of cells along x and y.
    pub cells: [usize; 2],
}

impl Grid {
    /// Nodes and triangles; no cells.
    pub fn mesh(&self) -> Result<Mesh, GeneratorError> {
        let checks = Checks("grid");
        checks.length("width", self.size[0])?;
        checks.length("height", self.size[1])?;
        checks.count("cells along x", self.cells[0], 1)?;
        checks.count("cells along y", self.cells[1], 1)?;
        checks.blocks(self.cells[0] as f64 * self.cells[1] as f64)?;
        let along = |k: usize, i: usize| self.size[k] * (i as f64 / self.cells[k] as f64);
        let mut points = Vec::new();
        for j in 0..=self.cells[1] {
            points.extend((0..=self.cells[0]).map(|i| [along(0, i), along(1, j), 0.0]));
        }
        let mut triangles = Vec::new();
        for (i, j) in self.cell_places() {
            let [a, b, c, d] =
                [self.node(i, j), self.node(i + 1, j), self.node(i + 1, j + 1), self.node(i, j + 1)];
            match (i + j) % 2 {
                0 => triangles.extend([[a, b, c], [a, c, d]]),
                _ => triangles.extend([[a, b, d], [b, c, d]]),
            }
        }
        Ok(Mesh::new(points, Vec::new(), Vec::new(), triangles, BTreeMap::new())?)
    }

    /// Pairs of nodes beside each other along x and along y.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        let mut out = Vec::new();
        for (i, j) in self.node_places() {
            let here = self.node(i, j);
            out.extend((i < self.cells[0]).then(|| [here, self.node(i + 1, j)]));
            out.extend((j < self.cells[1]).then(|| [here, self.node(i, j + 1)]));
        }
        out
    }

    /// The corners of all cells: two edges that meet at a right angle at the middle node.
    pub fn corners(&self) -> Vec<[u32; 3]> {
        let mut out = Vec::new();
        for (i, j) in self.cell_places() {
            let ring = [self.node(i, j), self.node(i + 1, j), self.node(i + 1, j + 1), self.node(i, j + 1)];
            out.extend((0..4).map(|k| [ring[(k + 3) % 4], ring[k], ring[(k + 1) % 4]]));
        }
        out
    }

    /// Two edges that go straight on at the middle node.
    pub fn lines(&self) -> Vec<[u32; 3]> {
        let mut out = Vec::new();
        for (i, j) in self.node_places() {
            let line = |k: usize| if k == 0 { [(i - 1, j), (i + 1, j)] } else { [(i, j - 1), (i, j + 1)] };
            let inside = [i > 0 && i < self.cells[0], j > 0 && j < self.cells[1]];
            for k in (0..2).filter(|k| inside[*k]) {
                let [before, after] = line(k).map(|(i, j)| self.node(i, j));
                out.push([before, self.node(i, j), after]);
            }
        }
        out
    }

    /// The part of the area that each node stands for; they add up to 1.
    pub fn shares(&self) -> Vec<f64> {
        let quarter = 0.25 / (self.cells[0] * self.cells[1]) as f64;
        let mut out = vec![0.0; (self.cells[0] + 1) * (self.cells[1] + 1)];
        for (i, j) in self.cell_places() {
            let ring = [self.node(i, j), self.node(i + 1, j), self.node(i + 1, j + 1), self.node(i, j + 1)];
            ring.into_iter().for_each(|node| out[node as usize] += quarter);
        }
        out
    }

    fn node(&self, i: usize, j: usize) -> u32 {
        (i + (self.cells[0] + 1) * j) as u32
    }

    fn cell_places(&self) -> impl Iterator<Item = (usize, usize)> {
        let [width, height] = self.cells;
        (0..height).flat_map(move |j| (0..width).map(move |i| (i, j)))
    }

    fn node_places(&self) -> impl Iterator<Item = (usize, usize)> {
        let [width, height] = self.cells;
        (0..=height).flat_map(move |j| (0..=width).map(move |i| (i, j)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_the_counts_of_its_cells() {
        let grid = Grid { size: [2.0, 1.0], cells: [4, 3] };
        let mesh = grid.mesh().unwrap();
        assert_eq!((mesh.node_count(), mesh.triangles().len(), mesh.cell_count()), (20, 24, 0));
        assert_eq!(grid.edges().len(), 4 * 4 + 3 * 5);
        assert_eq!((grid.corners().len(), grid.lines().len()), (48, 3 * 4 + 5 * 2));
        assert!((grid.shares().iter().sum::<f64>() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn corners_are_right_and_lines_straight() {
        let grid = Grid { size: [2.0, 1.0], cells: [4, 3] };
        let mesh = grid.mesh().unwrap();
        let arms = |[a, b, c]: [u32; 3]| {
            let [a, b, c] = [a, b, c].map(|n| mesh.positions()[n as usize]);
            let arm = |p: [f64; 3]| crate::vector::sub(p, b);
            crate::vector::dot(arm(a), arm(c)) / (crate::vector::norm(arm(a)) * crate::vector::norm(arm(c)))
        };
        assert!(grid.corners().into_iter().all(|corner| arms(corner).abs() < 1e-12));
        assert!(grid.lines().into_iter().all(|line| (arms(line) + 1.0).abs() < 1e-12));
    }

    #[test]
    fn its_triangles_face_up() {
        let mesh = Grid { size: [1.0, 1.0], cells: [2, 2] }.mesh().unwrap();
        for [a, b, c] in mesh.triangles() {
            let [a, b, c] = [a, b, c].map(|n| mesh.positions()[*n as usize]);
            let normal = crate::vector::cross(crate::vector::sub(b, a), crate::vector::sub(c, a));
            assert!(normal[2] > 0.0);
        }
        assert!(Grid { size: [1.0, 0.0], cells: [2, 2] }.mesh().is_err());
        assert!(Grid { size: [1.0, 1.0], cells: [0, 2] }.mesh().is_err());
    }
}
