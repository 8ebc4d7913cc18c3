//! The equation of a step: which forces have to vanish, as a function of positions.
//!
//! ```text
//! r(x) = f(t, x, v) + s M g - M a - D v                                                   (1)
//! a = (x - x~) / (beta dt^2),   v = v~ + gamma dt a                                        (2)
//! -dr/dx = K + (M + gamma dt (D + D_terms)) / (beta dt^2)                                  (3)
//! ```
//!
//! (1) is [Zhuang 3.2] with the part s of the loads, (2) the Newmark recurrence [Zhuang 3.3, 3.4] solved for x, (3) the consistent
//! tangent. In statics a = v = 0 and (3) is K [Zhuang 2.74]. What viscous forces lose to the change of x within a step is left
//! out of (3): it is smaller than D by the strain of a step, and not symmetric.

use pliant_numerics::ordered;

use super::Inputs;
use super::contact::{Penalty, SpringsAt};
use super::sparse_system::{SparseSystem, Weights};
use crate::law::ElasticModuli;
use crate::model::Model;
use crate::state::State;
use crate::term::{At, Coeffs};
use crate::workspace::Workspace;

/// How velocities and accelerations follow positions, (2).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recurrence {
    pub beta: f64,
    pub gamma: f64,
    pub dt: f64,
}

impl Recurrence {
    /// Weights of the parts of (3).
    pub fn weights(self) -> Weights {
        let Self { beta, gamma, dt } = self;
        let (inverse, rate) = (1.0 / (beta * dt * dt), gamma / (beta * dt));
        Weights { mass: inverse, mass_damping: rate, terms: Coeffs { k: 1.0, d: rate }, definite: false }
    }
}

/// Where (1) is asked.
#[derive(Clone, Copy)]
pub(crate) struct Balance<'a> {
    pub model: &'a Model,
    pub inputs: &'a Inputs<'a>,
    /// The time that loads and scripts see, s.
    pub time: f64,
    /// s of (1).
    pub load: f64,
    /// None in statics.
    pub recurrence: Option<Recurrence>,
    /// Time since histories were written, s; infinite where only the end is asked for.
    pub since: f64,
    /// Whether (3) is taken by the terms' definite tangents.
    pub definite: bool,
}

/// What (1) comes to at a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Imbalance {
    /// Norm of r over the free unknowns, N.
    pub norm: f64,
    /// The largest norm of r on a body, as a part of the largest kind of force on that body.
    pub worst: f64,
    /// Whether it may be rounding on all bodies.
    pub rounding: bool,
}

impl Balance<'_> {
    /// The state as terms see it.
    fn at<'s>(&self, s: &'s State) -> At<'s> {
        // statics has set velocities to zero
        At {
            time: self.time,
            load: self.load,
            still: self.recurrence.is_none(),
            x: &s.x,
            v: &s.v,
            history: &s.history,
            since: self.since,
        }
    }

    /// The state as springs of contacts see it.
    pub fn springs_at<'s>(&'s self, s: &'s State) -> SpringsAt<'s> {
        let still = self.recurrence.is_none();
        let part = if still { self.load } else { 1.0 };
        let Self { model, inputs, time, .. } = *self;
        SpringsAt { model, inputs, time, part, still, x: &s.x, v: &s.v }
    }

    /// Takes `part` of the system's step from where it began; held unknowns follow their script.
    ///
    /// Accelerations lead and positions follow by (2): the other way round a short step would lose their digits.
    pub fn take(&self, part: f64, s: &mut State, system: &SparseSystem) {
        let SparseSystem { step, before, .. } = system;
        for i in 0..s.x.len() {
            match self.recurrence {
                // exactly where it belongs, not within rounding of it
                _ if system.held[i] && part == 1.0 => s.x[i] = system.target[i],
                Some(Recurrence { beta, gamma, dt }) if !system.held[i] => {
                    let square = beta * dt * dt;
                    s.a[i] = before[i] + part * step[i] / square;
                    s.x[i] = s.a[i].mul_add(square, system.predicted_x[i]);
                    s.v[i] = s.a[i].mul_add(gamma * dt, system.predicted_v[i]);
                }
                _ => s.x[i] = step[i].mul_add(part, before[i]),
            }
        }
        // bones turn, while all others go straight
        if let Some(Recurrence { beta, gamma, dt }) = self.recurrence {
            system.rigid.for_each_place(part, |i, place| {
                s.x[i] = place;
                s.a[i] = (place - system.predicted_x[i]) / (beta * dt * dt);
                s.v[i] = s.a[i].mul_add(gamma * dt, system.predicted_v[i]);
            });
        }
    }

    /// Notes where a step begins: accelerations of free unknowns in dynamics, positions otherwise.
    pub fn begin(&self, s: &State, system: &mut SparseSystem) {
        let moves = self.recurrence.is_some();
        for i in 0..s.x.len() {
            system.before[i] = if moves && !system.held[i] { s.a[i] } else { s.x[i] };
        }
    }

    /// (1), left in `system.unbalanced`.
    pub fn evaluate(&self, s: &State, system: &mut SparseSystem, w: &mut Workspace) -> Imbalance {
        let model = self.model;
        let (g, mass) = (model.gravity(), model.mass());
        w.evaluate_forces_with_scale(model, self.at(s), self.inputs.grabs);
        if !Penalty::is_idle(model, self.inputs) {
            system.penalty.force_add(&self.springs_at(s), &mut w.force[..s.x.len()]);
        }
        for i in 0..s.x.len() {
            system.unbalanced[i] = w.force[i] + self.load * mass[i / 3] * g[i % 3];
        }
        if self.recurrence.is_some() {
            model.mass_times(&s.a, &mut system.product);
            subtract(&mut system.unbalanced, &system.product);
            for (body, scale) in model.layout().bodies().iter().zip(&mut w.body_scale) {
                let dofs = 3 * body.nodes.start as usize..3 * body.nodes.end as usize;
                *scale = scale.max(norm(&system.product[dofs]));
            }
            if model.is_mass_damped() {
                model.damping_times(&s.v, &mut system.product);
                subtract(&mut system.unbalanced, &system.product);
            }
        }
        let SparseSystem { rigid, unbalanced, .. } = system;
        let outer = |i: usize| w.force[i] + self.load * mass[i / 3] * g[i % 3];
        rigid.take_forces(&s.x, outer, unbalanced);
        let mut imbalance = Imbalance { norm: 0.0, worst: 0.0, rounding: true };
        for (index, body) in model.layout().bodies().iter().enumerate() {
            let dofs = 3 * body.nodes.start as usize..3 * body.nodes.end as usize;
            let (unbalanced, held) = (&system.unbalanced[dofs.clone()], &system.held[dofs]);
            let squared = ordered::sum(unbalanced.len(), |first, last| {
                (first..last).filter(|i| !held[*i]).map(|i| unbalanced[i] * unbalanced[i]).sum()
            });
            let weight: f64 = body.nodes.clone().map(|n| mass[n as usize].powi(2)).sum::<f64>().sqrt();
            let scale = w.body_scale[index].max(self.load * weight * norm(&g));
            let left = squared.sqrt();
            imbalance.norm = imbalance.norm.hypot(left);
            imbalance.worst = imbalance.worst.max(left / scale.max(f64::MIN_POSITIVE));
            imbalance.rounding &= left <= self.rounding(index, &s.x);
        }
        imbalance
    }

    /// What the forces on a body are rounded by, N: a strain of some units in the last place of a position, over a cell, on every node.
    ///
    /// Next to incompressible matter answers such a strain by the modulus of pressure waves, lambda + 2 mu, far above Young's.
    fn rounding(&self, index: usize, x: &[f64]) -> f64 {
        let (body, matter) = (&self.model.layout().bodies()[index], &self.model.matter()[index]);
        let first = 3 * body.nodes.start as usize;
        let far = x.get(first..first + 3).map_or(0.0, norm) + body.extent;
        let count = body.nodes.len().max(1) as f64;
        let cell = (self.model.volume(index) / count).cbrt();
        let of = |moduli: ElasticModuli| {
            let (lambda, mu) = moduli.lame();
            moduli.young().max(0.25 * (lambda + 2.0 * mu))
        };
        let stiffness = matter.moduli().map(of).fold(0.0, f64::max);
        4.0 * f64::EPSILON * stiffness * far * cell * count.sqrt()
    }

    /// Weights of the parts of (3).
    pub fn weights(&self) -> Weights {
        let weights = self.recurrence.map_or(Weights::STATIC, Recurrence::weights);
        Weights { definite: self.definite, ..weights }
    }

    /// (3), assembled into the system.
    pub fn assemble(&self, s: &State, system: &mut SparseSystem, w: &mut Workspace) {
        system.assemble(self.model, self.at(s), self.weights(), self.inputs, w);
    }
}

pub(crate) fn norm(values: &[f64]) -> f64 {
    ordered::dot(values, values).sqrt()
}

fn subtract(from: &mut [f64], values: &[f64]) {
    from.iter_mut().zip(values).for_each(|(a, b)| *a -= b);
}
