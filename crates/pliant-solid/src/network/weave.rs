//! Networks made of meshes: the edges of cells, or a cloth.
//!
//! ```text
//! k_p = sum over the cells of a pair p of 6 E V_c w_p / l_p^2,   sum over a cell of w = 1   (1)
//! 4 w_edge = w_face + 8/9 w_body                                                           (2)
//! ```
//!
//! (1) spreads the stiffness of a solid over the pairs of nodes of each cell, so that the sum of k l^2 is 6 E V, as (1) of the [module above](super) wants: E is the one
//! asked for where springs go evenly in all directions. Edges of a tetrahedron share evenly; of cubes (2) makes C_1111 = 3 C_1122, so that they are isotropic
//! exactly: 17 parts for an edge, 36 for a diagonal, 780 in all.

use std::collections::BTreeMap;

use pliant_geometry::vector::norm;
use pliant_geometry::{Grid, Mesh};

use super::{Network, NetworkLaw};
use crate::link::{AngleSpring, Spring};

/// How stiff the springs are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpringStiffness {
    /// Each the same, N/m.
    Each(f64),
    /// As a solid of this Young's modulus, Pa; only of cells.
    Young(f64),
}

/// How the springs are damped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpringDamping {
    /// Each the same, N s/m.
    Each(f64),
    /// In proportion to stiffness, s.
    Relaxation(f64),
}

/// What all springs of a network have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weave {
    /// Stiffness.
    pub stiffness: SpringStiffness,
    /// Damping.
    pub damping: SpringDamping,
}

impl Weave {
    /// A spring of a stiffness (N/m) that rests at a length (m).
    pub fn spring(&self, stiffness: f64, length: f64) -> Spring<f64> {
        let damping = match self.damping {
            SpringDamping::Each(damping) => damping,
            SpringDamping::Relaxation(time) => time * stiffness,
        };
        Spring { stiffness, damping, length }
    }

    /// Springs between all nodes that share a cell: edges of tetrahedra, edges and diagonals of hexahedra.
    pub fn of_cells(&self, mesh: &Mesh) -> Vec<([u32; 2], Spring<f64>)> {
        let mut pairs: BTreeMap<[u32; 2], f64> = BTreeMap::new();
        for cell in 0..mesh.cell_count() {
            let nodes = mesh.cell_nodes(cell);
            for (i, &a) in nodes.iter().enumerate() {
                for (j, &b) in nodes[..i].iter().enumerate() {
                    let pair = [a.min(b), a.max(b)];
                    let stiffness = pairs.entry(pair).or_default();
                    match self.stiffness {
                        SpringStiffness::Each(each) => *stiffness = each,
                        SpringStiffness::Young(young) => {
                            let squared = distance(mesh, pair).powi(2);
                            *stiffness +=
                                6.0 * young * mesh.cell_volume(cell) * share(nodes.len(), j, i) / squared; // (1)
                        }
                    }
                }
            }
        }
        pairs.into_iter().map(|(pair, k)| (pair, self.spring(k, distance(mesh, pair)))).collect()
    }
}

/// w of (1) for two nodes i < j of a cell, in its own numbers.
fn share(count: usize, i: usize, j: usize) -> f64 {
    // a hexahedron's edges: around below, around above, upright
    let edge = j - i == 4 || (i / 4 == j / 4 && (j - i == 1 || j - i == 3));
    match (count, edge) {
        (8, true) => 17.0 / 780.0,
        (8, false) => 36.0 / 780.0, // (2)
        _ => 1.0 / 6.0,
    }
}

/// A cloth: springs along x and y, angle springs at the corners of its cells and along its lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cloth {
    /// The sheet.
    pub grid: Grid,
    /// Of the springs, N/m and N s/m.
    pub weave: Weave,
    /// At the corners, against shear, N m/rad.
    pub angle: f64,
    /// Along the lines, against bending, N m/rad.
    pub bend: f64,
    /// Of the whole, kg.
    pub mass: f64,
}

impl Cloth {
    /// The network on the sheet's mesh, which may have been turned and moved.
    pub fn network(&self, mesh: &Mesh) -> Network {
        let stiffness = match self.weave.stiffness {
            SpringStiffness::Each(each) | SpringStiffness::Young(each) => each,
        };
        let spring = |pair: [u32; 2]| (pair, self.weave.spring(stiffness, distance(mesh, pair)));
        let kept = |stiffness: f64, nodes: [u32; 3]| {
            let x = nodes.map(|n| mesh.positions()[n as usize]);
            (nodes, AngleSpring::resting(stiffness, &x))
        };
        let corners = self.grid.corners().into_iter().filter(|_| self.angle > 0.0);
        let lines = self.grid.lines().into_iter().filter(|_| self.bend > 0.0);
        Network {
            law: NetworkLaw::Springs,
            springs: self.grid.edges().into_iter().map(spring).collect(),
            angles: corners
                .map(|corner| kept(self.angle, corner))
                .chain(lines.map(|line| kept(self.bend, line)))
                .collect(),
            mass: self.grid.shares().into_iter().map(|share| self.mass * share).collect(),
            drag: 0.0,
        }
    }
}

fn distance(mesh: &Mesh, [a, b]: [u32; 2]) -> f64 {
    let [a, b] = [a, b].map(|n| mesh.positions()[n as usize]);
    norm(std::array::from_fn(|c| a[c] - b[c]))
}
