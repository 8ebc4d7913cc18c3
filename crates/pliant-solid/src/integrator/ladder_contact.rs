//! Contact where mass and damping are full: rows over the factor of M + dt/2 D.

use super::Inputs;
use super::contact::{Answered, ContactKit, ContactTally, respond_by_rows};
use super::explicit::{add_springs, fastest};
use super::rungs::Rungs;
use crate::contact::Response;
use crate::model::Model;
use crate::rows::Inverse;
use crate::state::State;
use crate::workspace::Workspace;

/// A step that meets colliders.
pub(super) struct LadderContact<'a> {
    pub model: &'a Model,
    pub s0: &'a State,
    pub inputs: &'a Inputs<'a>,
    pub response: Response,
    pub dt: f64,
}

/// The accelerations that forces make.
struct Accelerated<'a> {
    model: &'a Model,
    rungs: &'a mut Rungs,
    above: f64,
}

impl Inverse for Accelerated<'_> {
    fn solve_in_place(&mut self, x: &mut [f64]) {
        self.rungs.solution.copy_from_slice(x);
        // it has been factored for the step itself
        if self.rungs.solve(self.model, self.above).is_ok() {
            x.copy_from_slice(&self.rungs.solution);
        } else {
            x.fill(0.0);
        }
    }
}

impl LadderContact<'_> {
    /// Adds the springs of contacts to forces.
    pub fn push(&self, s1: &State, (w, contact): (&mut Workspace, &mut ContactKit)) {
        let gone = contact.mark_held(self.model, [self.s0, s1], self.inputs, fastest(&w.chunks) * self.dt);
        contact.penalty.begin(self.s0, Some(gone));
        add_springs(self.model, s1, self.inputs, (&mut contact.penalty, w));
    }

    /// Corrects accelerations and velocities of points in contact, with the factor of the step `above`.
    pub fn hold(
        &self,
        s1: &mut State,
        (rungs, w, contact): (&mut Rungs, &Workspace, &mut ContactKit),
        above: f64,
    ) -> ContactTally {
        let Self { model, s0, inputs, response, dt } = *self;
        let gone = contact.mark_held(model, [s0, s1], inputs, fastest(&w.chunks) * dt);
        let marks = contact.take_marks();
        let step = Answered { model, s0, inputs, response, dt, travel: gone, held: &marks };
        let (mut held, mut change) = contact.take_scratch();
        held.clone_from(&rungs.held);
        // the change of accelerations that reactions are read from
        change.clone_from(&rungs.solution);
        change.iter_mut().zip(&s1.a).for_each(|(change, a)| *change -= a);
        let mut inverse = Accelerated { model, rungs, above };
        let tally = respond_by_rows(&step, s1, contact, (&mut inverse, &held));
        rungs.solution.iter_mut().zip(change.iter().zip(&s1.a)).for_each(|(out, (c, a))| *out = c + a);
        contact.give_scratch(held, change);
        contact.give_marks(marks);
        tally
    }
}
