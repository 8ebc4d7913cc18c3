//! Mass and mass-proportional damping as matrices: diagonal, or full where a body asks for consistent mass.
//!
//! ```text
//! M = T^T (int rho N_i N_j dV) T,   D = alpha M, body by body                              (1)
//! ```
//!
//! Source: [Zhuang 2.66, 2.67]. Blocks are multiples of the identity, so one number a block is kept.

use std::sync::Arc;

use pliant_numerics::ScalarMatrix;

use crate::assembly::consistent_mass_add;
use crate::layout::Layout;
use crate::matter::{BodyMatter, MassKind};
use crate::structure::Structure;

/// The full matrices of free nodes.
pub struct Inertia {
    /// M, kg.
    pub mass: ScalarMatrix,
    /// D in proportion to mass, kg/s.
    pub damping: ScalarMatrix,
}

impl Inertia {
    /// (1) of bodies with these lumped masses.
    pub(crate) fn new(layout: &Layout, matter: &[BodyMatter], mass: &[f64], structure: &Structure) -> Self {
        let bodies = || layout.bodies().iter().zip(matter);
        let assembled = |factor: fn(f64) -> f64| {
            let mut all = ScalarMatrix::zero(Arc::clone(structure.all()));
            for (body, matter) in bodies().filter(|(_, m)| m.mass == MassKind::Consistent) {
                let density = matter.density * factor(matter.mass_damping);
                consistent_mass_add(&body.mesh, density, &body.world, &mut all);
            }
            let mut free = structure.fold_scalar(all);
            for (body, matter) in bodies().filter(|(_, m)| m.mass == MassKind::Lumped) {
                for node in body.nodes.clone() {
                    free.add(node, node, mass[node as usize] * factor(matter.mass_damping));
                }
            }
            free
        };
        Self { mass: assembled(|_| 1.0), damping: assembled(|alpha| alpha) }
    }
}
