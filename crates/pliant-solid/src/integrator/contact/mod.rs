//! Contact in a step: which points meet which colliders, and how the step answers.
//!
//! `poses` places colliders and tools, `nearby` lists the vertices that may meet them, `meet` decides which do and what each wants, `constraint` answers in
//! explicit steps (points that are one free node by themselves, `coupled` the others through the list of rows), `bounce` where a collider has a
//! restitution, and `penalty` as a force in any method. What they leave is in the state's [`crate::Contacts`].

mod answered;
mod bounce;
mod calm;
mod constraint;
mod coupled;
mod leap;
mod levers;
mod meet;
mod nearby;
mod penalty;
mod poses;
mod springs;
mod tally;

pub(super) use answered::Answered;
pub(super) use bounce::bounce;
pub(crate) use calm::calm_held;
pub(super) use constraint::{respond, respond_by_rows};
pub(crate) use leap::leap_limit;
pub(crate) use penalty::Penalty;
pub(crate) use poses::{SpringsAt, met, pose};
pub(crate) use tally::ContactTally;

use self::answered::Bounced;
use self::coupled::CoupledRows;
use self::meet::Meet;
use self::nearby::Nearby;
use super::Inputs;
use super::held::for_each_held;
use crate::model::Model;
use crate::state::State;

/// More contacts than this make room when they come.
pub(crate) const EXPECTED: usize = 1 << 16;

/// Memory of contact, allocated once, never part of the result.
#[derive(Default)]
pub(crate) struct ContactKit {
    nearby: Nearby,
    /// What meets in this step, by collider and vertex.
    meets: Vec<Meet>,
    /// How many of them each free node takes part in.
    shares: Vec<u32>,
    coupled: CoupledRows,
    /// Nodes that have bounced in this step, by collider and vertex.
    bounced: Vec<Bounced>,
    /// Springs of `penalty`.
    pub penalty: Penalty,
    scratch: (Vec<bool>, Vec<f64>),
    /// Above zero where unknowns are led, and which those are.
    held: Vec<f64>,
    led: Vec<usize>,
}

impl ContactKit {
    /// Forgets what it found for another state.
    pub fn forget(&mut self) {
        self.nearby.forget();
        self.penalty.forget();
    }

    /// Marks what is led in a step from a state; gives the farthest way of any node, m, of which `free` is that of the others.
    pub fn mark_held(&mut self, model: &Model, [s0, s1]: [&State; 2], inputs: &Inputs, free: f64) -> f64 {
        let Self { held, led, .. } = self;
        held.resize(s0.x.len(), 0.0);
        led.drain(..).for_each(|dof| held[dof] = 0.0);
        for_each_held(model, &s0.holding, inputs, |dof| {
            held[dof] = 1.0;
            led.push(dof);
        });
        let bones = model.layout().bones().iter().flat_map(|bone| bone.dofs());
        let way = |dof: usize| (s1.x[dof] - s0.x[dof]).abs();
        bones.chain(led.iter().copied()).map(way).fold(0.0, f64::max).mul_add(3.0_f64.sqrt(), free)
    }

    /// The marks, to be given back.
    pub fn take_marks(&mut self) -> Vec<f64> {
        std::mem::take(&mut self.held)
    }

    /// See [`Self::take_marks`].
    pub fn give_marks(&mut self, held: Vec<f64>) {
        self.held = held;
    }

    /// Vectors for whoever answers; to be given back.
    pub fn take_scratch(&mut self) -> (Vec<bool>, Vec<f64>) {
        std::mem::take(&mut self.scratch)
    }

    /// See [`Self::take_scratch`].
    pub fn give_scratch(&mut self, held: Vec<bool>, values: Vec<f64>) {
        self.scratch = (held, values);
    }

    /// Makes room for so many contacts, so that steps need not.
    pub fn make_room(&mut self, (colliders, vertices): (usize, usize), nodes: usize) {
        let contacts = (colliders * vertices).min(EXPECTED);
        self.nearby.make_room(colliders, vertices);
        self.meets.reserve(contacts);
        self.shares.resize(nodes, 0);
    }
}
