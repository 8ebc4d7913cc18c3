//! The longest stable step with full matrices.
//!
//! ```text
//! M a_n + dt/2 D0 (a_n - a_{n-1}) = - K x_n - (D + H) (v_{n-1} + dt a_{n-1})                  (1)
//! dt^2 K + 4 dt (D - D0 + H) <= 4 M                                                         (2)
//! dt^2 K (D0 - D) <= (2 M + dt D) D   where D < D0, for numbers                              (3)
//! ```
//!
//! (1) is a linear step without damping by mass, which is implicit. Its highest mode turns over at x_n = (-1)^n, hence (2); a mode whose damper is
//! weaker than its place in the matrix grows beyond (3). Both are the conditions of Jury for the cubic in z of x_n = z^n.
//! With D = D0 that is the undamped limit 2 / w_max of [Zhuang 3.11], w from K u = w^2 M u with the full M. H are dampers of
//! hands, which are not in D0. What D departs from D0 by before that is taken anew is kept small, see the
//! [integrator](crate::integrator::Ladder), and does not enter.

use pliant_numerics::{MetricLanczos, Pencil, Ritz, ordered};

use super::search::{Spectrum, StepLimit, search};
use crate::integrator::rungs::Rungs;
use crate::integrator::{Inputs, Kit};
use crate::model::Model;
use crate::state::State;
use crate::term::Coeffs;
use crate::workspace::Workspace;

/// (2) at a state; `mode` is in the coordinates that the workspace's scale makes of displacements.
pub(crate) fn full_limit(
    model: &Model,
    state: &State,
    kit: &mut Kit,
    mode: &mut [f64],
    inputs: &Inputs,
) -> StepLimit {
    let hands = model.terms().iter().any(|t| t.caps().rate && t.cell_body().is_none());
    let damped = hands || inputs.grabs.iter().any(|g| g.damping > 0.0);
    with_spectrum(model, state, kit, inputs, |spectrum| {
        let Full { ends, vector, .. } = spectrum;
        vector.iter_mut().zip(&*mode).zip(&ends.w.scale).for_each(|((x, y), scale)| *x = y * scale);
        let limit = search(spectrum, damped);
        let Full { ends, vector, .. } = spectrum;
        for ((y, x), scale) in mode.iter_mut().zip(vector).zip(&ends.w.scale) {
            *y = if *scale > 0.0 { *x / scale } else { 0.0 };
        }
        limit
    })
}

/// The largest eigenvalue of D0 in the metric of M, 1/s, within a few per cent.
pub(in crate::integrator) fn fastest_decay(model: &Model, state: &State, kit: &mut Kit) -> f64 {
    with_spectrum(model, state, kit, &Inputs::default(), |spectrum| {
        let mut noise = 1_u32;
        for (x, held) in spectrum.vector.iter_mut().zip(&spectrum.ends.rungs.held) {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *x = if *held { 0.0 } else { f64::from(noise >> 8) - f64::from(1 << 23) };
        }
        spectrum.of_damping = true;
        let cycles = (0..4).map(|_| spectrum.cycle(Coeffs { k: 0.0, d: 1.0 }));
        cycles.fold(0.0, |_, ritz| ritz.value + ritz.residual)
    })
}

fn with_spectrum<T>(
    model: &Model,
    state: &State,
    kit: &mut Kit,
    inputs: &Inputs,
    ask: impl FnOnce(&mut Full) -> T,
) -> T {
    let Kit { workspace: w, solvers, .. } = kit;
    let rungs = solvers.rungs(model);
    rungs.hold(model, &state.holding, inputs);
    let lanczos = rungs.lanczos.take().unwrap_or_else(|| MetricLanczos::new(state.x.len()));
    let vector = std::mem::take(&mut rungs.solution);
    let ends = Ends { model, state, w, inputs, rungs, c: Coeffs { k: 1.0, d: 0.0 } };
    let mut spectrum = Full { ends, vector, lanczos, of_damping: false };
    let answer = ask(&mut spectrum);
    let Full { ends: Ends { rungs, .. }, vector, lanczos, .. } = spectrum;
    rungs.solution = vector;
    rungs.lanczos = Some(lanczos);
    answer
}

/// K and H, or D0, in the metric of M.
pub(super) struct Full<'a> {
    ends: Ends<'a>,
    vector: Vec<f64>,
    lanczos: MetricLanczos,
    of_damping: bool,
}

/// What the operators of a pencil are made of.
struct Ends<'a> {
    model: &'a Model,
    state: &'a State,
    w: &'a mut Workspace,
    inputs: &'a Inputs<'a>,
    rungs: &'a mut Rungs,
    c: Coeffs,
}

impl Spectrum for Full<'_> {
    fn cycle(&mut self, c: Coeffs) -> Ritz {
        self.ends.c = c;
        if self.of_damping {
            return self.lanczos.cycle(&mut self.vector, &mut DampingPencil(&mut self.ends));
        }
        self.lanczos.cycle(&mut self.vector, &mut self.ends)
    }

    fn rayleigh(&mut self, c: Coeffs) -> f64 {
        self.ends.c = c;
        let mut image = std::mem::take(&mut self.ends.rungs.product);
        self.ends.apply(&self.vector, &mut image);
        let value = ordered::dot(&self.vector, &image);
        self.ends.rungs.product = image;
        value
    }
}

impl Ends<'_> {
    fn keep_free(&self, out: &mut [f64]) {
        out.iter_mut().zip(&self.rungs.held).filter(|(_, held)| **held).for_each(|(out, _)| *out = 0.0);
    }
}

impl Pencil for Ends<'_> {
    fn apply(&mut self, x: &[f64], out: &mut [f64]) {
        self.w.direction.copy_from_slice(x);
        // the search asks for dt^2 K + 2 dt D <= 4 M
        let [elements, hands] = [0.0, 2.0 * self.c.d].map(|d| Coeffs { d, ..self.c });
        self.w.apply_tangents(self.model, self.state.at(), [elements, hands], self.inputs.grabs);
        out.copy_from_slice(&self.w.force[..out.len()]);
        self.keep_free(out);
    }

    fn metric(&mut self, x: &[f64], out: &mut [f64]) {
        self.model.mass_times(x, out);
        self.keep_free(out);
    }

    fn solve(&mut self, x: &mut [f64]) {
        // a mass matrix is positive definite; nodes without mass are held
        if self.rungs.solve_mass(self.model, x).is_err() {
            x.fill(0.0);
        }
    }
}

/// D0 instead of K.
struct DampingPencil<'a, 'b>(&'a mut Ends<'b>);

impl Pencil for DampingPencil<'_, '_> {
    fn apply(&mut self, x: &[f64], out: &mut [f64]) {
        self.0.rungs.viscosity_times(x);
        out.copy_from_slice(&self.0.rungs.product);
        self.0.keep_free(out);
    }

    fn metric(&mut self, x: &[f64], out: &mut [f64]) {
        self.0.metric(x, out);
    }

    fn solve(&mut self, x: &mut [f64]) {
        self.0.solve(x);
    }
}
