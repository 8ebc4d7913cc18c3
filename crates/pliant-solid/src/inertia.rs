//! Mass and mass-proportional damping as matrices: diagonal, or full where a body asks for consistent mass.
//!
//! ```text
//! M = T^T (int rho N_i N_j dV) T,   D = alpha M, body by body                              (1)
//! ```
//!
//! Source: [Zhuang 2.66, 2.67]. Blocks are multiples of the identity, so one number a block is kept.

use std::sync::Arc;

use pliant_numerics::{BlockMatrix, ScalarMatrix};

use crate::assembly::consistent_mass_add;
use crate::model::{MassKind, Model};

/// The full matrices of free nodes.
pub struct Inertia {
    /// M, kg.
    pub mass: ScalarMatrix,
    /// D in proportion to mass, kg/s.
    pub damping: ScalarMatrix,
}

impl Inertia {
    /// (1), if any body has consistent mass.
    pub(crate) fn of(model: &Model) -> Option<Self> {
        let bodies = || model.layout().bodies().iter().zip(model.matter());
        if bodies().all(|(_, matter)| matter.mass == MassKind::Lumped) {
            return None;
        }
        let structure = model.structure();
        let assembled = |factor: fn(f64) -> f64| {
            let mut all = ScalarMatrix::zero(Arc::clone(structure.all()));
            for (body, matter) in bodies().filter(|(_, m)| m.mass == MassKind::Consistent) {
                let density = matter.density * factor(matter.mass_damping);
                consistent_mass_add(&body.mesh, density, &body.world, &mut all);
            }
            let mut free = structure.fold_scalar(all);
            for (body, matter) in bodies().filter(|(_, m)| m.mass == MassKind::Lumped) {
                for node in body.nodes.clone() {
                    let mass = model.mass()[node as usize];
                    free.add(node, node, mass * factor(matter.mass_damping));
                }
            }
            free
        };
        Some(Self { mass: assembled(|_| 1.0), damping: assembled(|alpha| alpha) })
    }
}

impl Model {
    /// `out = M x` over the free nodes.
    pub fn mass_times(&self, x: &[f64], out: &mut [f64]) {
        match self.inertia() {
            Some(inertia) => inertia.mass.multiply_into(x, out),
            None => diagonal_times(self.mass(), x, out),
        }
    }

    /// `out = D x` over the free nodes, D the mass-proportional damping.
    pub fn damping_times(&self, x: &[f64], out: &mut [f64]) {
        match self.inertia() {
            Some(inertia) => inertia.damping.multiply_into(x, out),
            None => diagonal_times(self.damping(), x, out),
        }
    }

    /// Adds `m` M + `d` D to a matrix over the free nodes.
    pub fn inertia_add(&self, m: f64, d: f64, out: &mut BlockMatrix) {
        if let Some(inertia) = self.inertia() {
            inertia.mass.add_to(m, out);
            inertia.damping.add_to(d, out);
            return;
        }
        let pattern = Arc::clone(out.pattern());
        for node in 0..self.mass().len() {
            if let Some(place) = pattern.find(node as u32, node as u32) {
                let block = &mut out.blocks_mut()[place];
                *block = block.add_diagonal(m * self.mass()[node] + d * self.damping()[node]);
            }
        }
    }
}

fn diagonal_times(diagonal: &[f64], x: &[f64], out: &mut [f64]) {
    let nodes = out.chunks_exact_mut(3).zip(x.chunks_exact(3)).zip(diagonal);
    for ((out, x), d) in nodes {
        (0..3).for_each(|c| out[c] = d * x[c]);
    }
}
