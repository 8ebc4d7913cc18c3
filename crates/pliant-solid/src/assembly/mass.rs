//! Mass of a body: lumped (row sums) or consistent.
//!
//! ```text
//! M_ij = int rho N_i N_j dV      m_i = sum_j M_ij = int rho N_i dV                      (1)
//! ```
//!
//! Source: [Zhuang 2.66] with the Jacobian of the element's shape; lumping by row sums as in
//! [Zhuang 3.1.1], which on parallelepipeds equals quadrature at the nodes.

use pliant_geometry::Mesh;
use pliant_numerics::ScalarMatrix;

use crate::element::{Element, Hex8, Tet4};

/// The volume each mesh node stands for, m^3; times density it is the lumped mass.
pub fn lumped_volumes(mesh: &Mesh) -> Vec<f64> {
    let mut out = vec![0.0; mesh.node_count()];
    for nodes in mesh.tets() {
        add_all(&mut out, nodes, Tet4::lumped_weights(&positions(mesh, nodes)));
    }
    for nodes in mesh.hexes() {
        add_all(&mut out, nodes, Hex8::lumped_weights(&positions(mesh, nodes)));
    }
    out
}

/// The same of some cells alone.
pub fn lumped_volumes_of(mesh: &Mesh, cells: &[u32]) -> Vec<f64> {
    if cells.len() == mesh.cell_count() {
        return lumped_volumes(mesh);
    }
    let mut out = vec![0.0; mesh.node_count()];
    let mut cells = cells.to_vec();
    cells.sort_unstable();
    for &cell in &cells {
        match (cell as usize).checked_sub(mesh.tets().len()) {
            None => {
                let nodes = &mesh.tets()[cell as usize];
                add_all(&mut out, nodes, Tet4::lumped_weights(&positions(mesh, nodes)));
            }
            Some(hex) => {
                let nodes = &mesh.hexes()[hex];
                add_all(&mut out, nodes, Hex8::lumped_weights(&positions(mesh, nodes)));
            }
        }
    }
    out
}

/// Adds the consistent mass of some cells; `world` gives the matrix row of each mesh node.
pub fn consistent_mass_add(
    (mesh, cells): (&Mesh, &[u32]),
    density: f64,
    world: &[u32],
    out: &mut ScalarMatrix,
) {
    for &cell in cells {
        match (cell as usize).checked_sub(mesh.tets().len()) {
            None => {
                let nodes = &mesh.tets()[cell as usize];
                add_element(density, world, nodes, &Tet4::mass_weights(&positions(mesh, nodes)), out);
            }
            Some(hex) => {
                let nodes = &mesh.hexes()[hex];
                add_element(density, world, nodes, &Hex8::mass_weights(&positions(mesh, nodes)), out);
            }
        }
    }
}

fn positions<const N: usize>(mesh: &Mesh, nodes: &[u32; N]) -> [[f64; 3]; N] {
    nodes.map(|n| mesh.positions()[n as usize])
}

fn add_all<const N: usize>(out: &mut [f64], nodes: &[u32; N], values: [f64; N]) {
    for (node, value) in nodes.iter().zip(values) {
        out[*node as usize] += value;
    }
}

fn add_element<const N: usize>(
    density: f64,
    world: &[u32],
    nodes: &[u32; N],
    weights: &[[f64; N]; N],
    out: &mut ScalarMatrix,
) {
    for (i, row) in nodes.iter().zip(weights) {
        for (j, weight) in nodes.iter().zip(row) {
            out.add(world[*i as usize], world[*j as usize], density * weight);
        }
    }
}
