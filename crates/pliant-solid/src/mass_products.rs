//! Products with the mass and the mass-proportional damping of a model, diagonal or full.

use std::sync::Arc;

use pliant_numerics::BlockMatrix;

use crate::model::Model;

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
