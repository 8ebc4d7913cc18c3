//! What can be asked of a model and a state: energies, fields, matrices. Not the hot path.

use std::sync::Arc;

use pliant_numerics::{BlockMatrix, Mat3, ordered};

use crate::layout::Body;
use crate::matter::Matter;
use crate::model::{FixedNode, Model};
use crate::state::State;
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

impl BodyFields {
    /// How many cells are inside out somewhere.
    pub fn inverted(&self) -> usize {
        self.volume_ratio.iter().filter(|ratio| **ratio <= 0.0 || ratio.is_nan()).count()
    }
}

/// Positions and velocities with the dependent nodes filled in.
#[derive(Clone, Debug, Default)]
pub struct FullState {
    /// Time, s.
    pub time: f64,
    /// Positions, m.
    pub x: Vec<f64>,
    /// Velocities, m/s.
    pub v: Vec<f64>,
    /// Memory of terms with a history.
    pub history: Vec<f64>,
}

impl FullState {
    /// As terms want it.
    pub fn at(&self) -> At<'_> {
        At {
            time: self.time,
            load: 1.0,
            still: false,
            x: &self.x,
            v: &self.v,
            history: &self.history,
            since: 0.0,
        }
    }
}

/// The part of the energies that concerns free nodes; what only passes through held ones drives nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FreeShare {
    /// Of their motion, J.
    pub kinetic: f64,
    /// Gained against gravity since the start, J.
    pub gravity: f64,
    /// Work of fixes, loads and grabs without what carried nodes keep as speed and height, or lose to damping, J.
    pub work: f64,
}

/// Energies of a shape, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Potential {
    /// Gained against gravity since the start.
    pub gravity: f64,
    /// Stored in the bodies.
    pub elastic: f64,
}

impl Model {
    /// A state with the dependent nodes filled in.
    pub fn full_state(&self, state: &State) -> FullState {
        self.filled(state.time, &state.x, &state.v, &state.history)
    }

    /// The state at a time between two, so that output never changes the step; the history is the later one's.
    pub fn full_state_between(&self, before: &State, after: &State, time: f64) -> FullState {
        if after.time <= before.time || time >= after.time {
            return self.full_state(after);
        }
        let (x, v) = self.layout().between(before, after, time);
        self.filled(time, &x, &v, &after.history)
    }

    /// As [`Self::full_state_between`], with nodes on straight lines.
    pub fn full_state_straight_between(&self, before: &State, after: &State, time: f64) -> FullState {
        let dt = after.time - before.time;
        if dt <= 0.0 || time >= after.time {
            return self.full_state(after);
        }
        // the cubic whose slope at both ends is that of the line between them
        let slope: Vec<f64> = after.x.iter().zip(&before.x).map(|(x1, x0)| (x1 - x0) / dt).collect();
        let end = |s: &State| State { time: s.time, x: s.x.clone(), v: slope.clone(), ..State::default() };
        let (x, _) = self.layout().between(&end(before), &end(after), time);
        self.filled(time, &x, &slope, &after.history)
    }

    fn filled(&self, time: f64, x: &[f64], v: &[f64], history: &[f64]) -> FullState {
        let blank = vec![0.0; 3 * self.layout().node_count()];
        let mut full = FullState { time, x: blank.clone(), v: blank, history: history.to_vec() };
        self.layout().dependents().fill(x, &mut full.x);
        self.layout().dependents().fill(v, &mut full.v);
        full
    }

    /// An elastic energy that can only be rounding, J: that of a strain of 1e-7 everywhere.
    pub fn rounding_energy(&self) -> f64 {
        let bodies = self.layout().bodies().iter().zip(self.matter());
        let stiffness: f64 = bodies.map(|(b, m)| m.stretch_energy(&b.mesh)).sum();
        1e-14 * stiffness
    }

    /// What initial strains and stresses can set free at most, J: elastic energy counts from the shape of the mesh, and falls below zero by
    /// s0 : Lambda^-1 : s0 / 2 a volume where s0 is relieved.
    pub(crate) fn prestress_energy(&self) -> f64 {
        let bodies = self.layout().bodies().iter().zip(self.matter());
        let one = |(body, matter): (&Body, &Matter)| {
            let norm = |s: &Mat3<f64>| s.0.iter().flatten().map(|c| c * c).sum::<f64>();
            let stresses = matter.solid().into_iter().flat_map(|solid| &solid.initial.stress);
            let largest = stresses.map(norm).fold(0.0, f64::max);
            // eigenvalues of Lambda
            let softer = |(lambda, mu): (f64, f64)| (2.0 * mu).min(3.0 * lambda + 2.0 * mu);
            let softest = matter.moduli().map(|moduli| softer(moduli.lame())).fold(f64::INFINITY, f64::min);
            0.5 * largest / softest * matter.volume(&body.mesh)
        };
        bodies.map(one).sum()
    }

    /// A von Mises stress, Pa, and an energy density, J/m^3, of a body that can only be rounding: those of a strain of 1e-9.
    pub fn rounding_fields(&self, body: usize) -> (f64, f64) {
        let young = self.matter()[body].stiffest_young();
        (1e-9 * young, 1e-18 * young)
    }

    /// The energies of a state that do not depend on how it moves.
    pub(crate) fn potential(&self, state: &State) -> Potential {
        let (g, rest, mass) = (self.gravity(), self.layout().rest(), self.mass());
        let gravity = ordered::sum(state.x.len(), |first, last| {
            (first..last).map(|i| -mass[i / 3] * g[i % 3] * (state.x[i] - rest[i])).sum()
        });
        let full = (self.layout().dependents().count() > 0).then(|| self.full_state(state));
        let at = full.as_ref().map_or(state.at(), FullState::at);
        let elastic = self.terms_at(at).map(|(term, at)| term.energy(&at)).sum();
        Potential { gravity, elastic }
    }

    /// What of a state's energies concerns free nodes, each with its kinetic energy.
    pub(crate) fn free_share(&self, state: &State, kinetic_of: impl Fn(usize) -> f64) -> FreeShare {
        let mut held = vec![false; state.x.len()];
        for FixedNode { fix, node, .. } in self.held_nodes(&state.holding) {
            (0..3).filter(|c| fix.axes[*c]).for_each(|c| held[3 * node as usize + c] = true);
        }
        let (g, rest, mass) = (self.gravity(), self.layout().rest(), self.mass());
        let (mut free, mut kept) = (FreeShare::default(), 0.0);
        for i in 0..state.x.len() {
            let kinetic = kinetic_of(i);
            let gravity = -mass[i / 3] * g[i % 3] * (state.x[i] - rest[i]);
            if held[i] {
                kept += kinetic + gravity;
            } else {
                free.kinetic += kinetic;
                free.gravity += gravity;
            }
        }
        free.work = state.accounts.work - state.accounts.passed_through - kept;
        free
    }

    /// Stress, energy density and volume ratio of every cell of every body.
    pub fn fields(&self, full: &FullState) -> Vec<BodyFields> {
        let mut out = blank_fields(self);
        for (term, at) in self.terms_at(full.at()) {
            if let Some(body) = term.cell_body() {
                let BodyFields { von_mises, energy_density, volume_ratio } = &mut out[body];
                term.cell_fields(&at, &mut CellFields { von_mises, energy_density, volume_ratio });
            }
        }
        out
    }

    /// The worst element of all terms, or of one body.
    pub fn worst_element(&self, full: &FullState, body: Option<usize>) -> Option<WorstElement> {
        let mine = self.terms_at(full.at()).filter(|(t, _)| body.is_none() || t.cell_body() == body);
        let worst = mine.filter_map(|(t, at)| t.worst_element(&at));
        let badness =
            |w: &WorstElement| if w.energy_density.is_finite() { w.energy_density } else { f64::INFINITY };
        worst.max_by(|a, b| badness(a).total_cmp(&badness(b)))
    }

    /// c.k K + c.d D of all terms at a state, without the fixes.
    pub fn tangent(&self, full: &FullState, c: Coeffs) -> BlockMatrix {
        let mut out = BlockMatrix::zero(Arc::clone(self.structure().all()));
        self.terms_at(full.at()).for_each(|(t, at)| t.tangent_add(&at, c, &mut out, &mut t.new_scratch()));
        out
    }

    /// The mass matrix of the free nodes: consistent or lumped, as each body says.
    pub fn mass_matrix(&self) -> BlockMatrix {
        let mut out = BlockMatrix::zero(Arc::clone(self.structure().free()));
        self.inertia_add(1.0, 0.0, &mut out);
        out
    }
}

/// Fields of bodies that nothing has deformed.
pub(crate) fn blank_fields(model: &Model) -> Vec<BodyFields> {
    let blank = |cells: usize| BodyFields {
        von_mises: vec![0.0; cells],
        energy_density: vec![0.0; cells],
        volume_ratio: vec![1.0; cells],
    };
    model.layout().bodies().iter().map(|b| blank(b.mesh.cell_count())).collect()
}
