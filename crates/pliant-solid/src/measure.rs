//! What can be asked of a model and a state: energies, fields, matrices. Not the hot path.

use std::sync::Arc;

use pliant_numerics::{BlockMatrix, BlockPattern, Mat3, PatternBuilder, ordered};

use crate::assembly::consistent_mass_add;
use crate::model::{MassKind, Model};
use crate::state::{Energy, State};
use crate::term::{At, CellFields, Coeffs, WorstElement};

/// Values per cell of one body, in the mesh file's order.
#[derive(Clone, Debug, Default)]
pub struct BodyFields {
    /// Von Mises equivalent of the Cauchy stress, Pa.
    pub von_mises: Vec<f64>,
    /// Elastic energy per rest volume, J/m^3.
    pub energy_density: Vec<f64>,
    /// Smallest det F in the cell.
    pub volume_ratio: Vec<f64>,
}

/// Positions and velocities with the dependent nodes filled in.
pub struct FullState {
    /// Time, s.
    pub time: f64,
    /// Positions, m.
    pub x: Vec<f64>,
    /// Velocities, m/s.
    pub v: Vec<f64>,
}

impl FullState {
    /// As terms want it.
    pub fn at(&self) -> At<'_> {
        At { time: self.time, x: &self.x, v: &self.v, history: &[] }
    }
}

impl Model {
    /// Fills in the dependent nodes.
    pub fn full_state(&self, time: f64, x: &[f64], v: &[f64]) -> FullState {
        let length = 3 * self.layout().node_count();
        let mut full = FullState { time, x: vec![0.0; length], v: vec![0.0; length] };
        self.layout().dependents().fill(x, &mut full.x);
        self.layout().dependents().fill(v, &mut full.v);
        full
    }

    /// Kinetic energy of one degree of freedom, J: the mean of the two half-step energies,
    /// m (v^2 + (dt a / 2)^2) / 2.
    pub(crate) fn kinetic_of(&self, state: &State, dof: usize) -> f64 {
        // before the first step there is no half step behind, and v is exact
        let half = if state.step == 0 { 0.0 } else { 0.5 * state.solver.dt };
        let (v, a) = (state.v[dof], half * state.a[dof]);
        0.5 * self.mass()[dof / 3] * (v * v + a * a)
    }

    /// All energies of a state.
    pub fn energy(&self, state: &State) -> Energy {
        let mass = self.mass();
        let kinetic = ordered::sum(state.v.len(), |first, last| {
            (first..last).map(|dof| self.kinetic_of(state, dof)).sum()
        });
        let (g, rest) = (self.gravity(), self.layout().rest());
        let gravity = ordered::sum(state.x.len(), |first, last| {
            (first..last).map(|i| -mass[i / 3] * g[i % 3] * (state.x[i] - rest[i])).sum()
        });
        let full = self.full_state(state.time, &state.x, &state.v);
        let elastic = self.terms().iter().map(|t| t.energy(&full.at())).sum();
        let accounts = state.accounts;
        Energy {
            kinetic,
            elastic,
            gravity,
            dissipated: accounts.dissipated,
            work: accounts.work,
            contact: 0.0,
        }
    }

    /// Stress, energy density and volume ratio of every cell of every body.
    pub fn fields(&self, full: &FullState) -> Vec<BodyFields> {
        let mut out: Vec<BodyFields> =
            self.layout().bodies().iter().map(|b| blank(b.mesh.cell_count())).collect();
        for term in self.terms() {
            if let Some(body) = term.cell_body() {
                let BodyFields { von_mises, energy_density, volume_ratio } = &mut out[body];
                term.cell_fields(&full.at(), &mut CellFields { von_mises, energy_density, volume_ratio });
            }
        }
        out
    }

    /// The worst element of all terms, or of one body.
    pub fn worst_element(&self, full: &FullState, body: Option<usize>) -> Option<WorstElement> {
        let mine = self.terms().iter().filter(|t| body.is_none() || t.cell_body() == body);
        let worst = mine.filter_map(|t| t.worst_element(&full.at()));
        let badness =
            |w: &WorstElement| if w.energy_density.is_finite() { w.energy_density } else { f64::INFINITY };
        worst.max_by(|a, b| badness(a).total_cmp(&badness(b)))
    }

    /// Which nodes couple, dependent ones as nodes of their own.
    pub fn pattern(&self) -> BlockPattern {
        let mut builder = PatternBuilder::new(self.layout().node_count());
        self.terms().iter().for_each(|t| t.pattern(&mut builder));
        builder.build()
    }

    /// c.k K + c.d D of all terms at a state, without the fixes.
    pub fn tangent(&self, full: &FullState, c: Coeffs) -> BlockMatrix {
        let mut out = BlockMatrix::zero(Arc::new(self.pattern()));
        self.terms().iter().for_each(|t| t.tangent_add(&full.at(), c, &mut out));
        out
    }

    /// The mass matrix: consistent or lumped, as each body says.
    pub fn mass_matrix(&self) -> BlockMatrix {
        let mut out = BlockMatrix::zero(Arc::new(self.pattern()));
        for (body, matter) in self.layout().bodies().iter().zip(self.matter()) {
            match matter.mass {
                MassKind::Consistent => {
                    consistent_mass_add(&body.mesh, matter.density, &body.world, &mut out)
                }
                MassKind::Lumped => {
                    for node in body.nodes.clone() {
                        out.add(node, node, &Mat3::diagonal(self.mass()[node as usize]));
                    }
                }
            }
        }
        out
    }
}

fn blank(cells: usize) -> BodyFields {
    BodyFields {
        von_mises: vec![0.0; cells],
        energy_density: vec![0.0; cells],
        volume_ratio: vec![1.0; cells],
    }
}
