//! Mass and mass-proportional damping as matrices: diagonal, or full where a body asks for consistent mass.
//!
//! ```text
//! M = T^T (int rho N_i N_j dV) T,   D = alpha M, region by region                          (1)
//! ```
//!
//! Source: [Zhuang 2.66, 2.67]. Blocks are multiples of the identity, so one number a block is kept.

use std::sync::Arc;

use pliant_numerics::ScalarMatrix;

use crate::assembly::consistent_mass_add;
use crate::layout::Layout;
use crate::matter::{MassKind, Material, Matter};
use crate::structure::Structure;

/// The full matrices of free nodes.
pub struct Inertia {
    /// M, kg.
    pub mass: ScalarMatrix,
    /// D in proportion to mass, kg/s.
    pub damping: ScalarMatrix,
}

impl Inertia {
    /// (1) of bodies with these lumped masses and their damping.
    pub(crate) fn new(
        layout: &Layout,
        matter: &[Matter],
        [mass, damping]: [&[f64]; 2],
        structure: &Structure,
    ) -> Self {
        // where a solid has one rate its nodes have that of their mass; drag on particles does not go with their mass
        let lumped_damping = |matter: &Matter, node: usize| {
            let mut rates = matter.materials().map(|material| material.mass_damping);
            match (rates.next(), rates.next()) {
                (Some(alpha), None) => mass[node] * alpha,
                _ => damping[node],
            }
        };
        let assembled = |density: fn(&Material) -> f64, lumped: &dyn Fn(&Matter, usize) -> f64| {
            let mut all = ScalarMatrix::zero(Arc::clone(structure.all()));
            let bodies = || layout.bodies().iter().zip(matter);
            for (body, matter) in bodies().filter(|(_, m)| m.mass_kind() == MassKind::Consistent) {
                let cells: Vec<u32> = (0..body.mesh.cell_count() as u32).collect();
                let regions = matter.solid().map(|solid| solid.split(&cells, &body.mesh));
                for (material, cells) in regions.into_iter().flatten() {
                    consistent_mass_add((&body.mesh, &cells), density(material), &body.world, &mut all);
                }
            }
            let mut free = structure.fold_scalar(all);
            for (body, matter) in bodies().filter(|(_, m)| m.mass_kind() == MassKind::Lumped) {
                for node in body.nodes.clone() {
                    free.add(node, node, lumped(matter, node as usize));
                }
            }
            free
        };
        Self {
            mass: assembled(|m| m.density, &|_, node| mass[node]),
            damping: assembled(|m| m.density * m.mass_damping, &lumped_damping),
        }
    }
}
