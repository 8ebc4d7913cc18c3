//! A body brought to rest by the static solver: its last equilibrium, and why there is none beyond it.

use pliant_solid::contact::Contact;
use pliant_solid::integrator::{Inputs, StepError};
use pliant_solid::{FullState, Model, State, World};

use crate::CaseError;
use crate::measure::{Vec3, displacement_at, displacements, forces, placed, stored, triple};

/// See the [module](self).
pub struct Rest {
    world: World,
    /// Where everything is.
    pub full: FullState,
    /// Why the loads did not come up to their full size.
    pub refusal: Option<StepError>,
}

impl Rest {
    /// Steps to the end of the run, or as far as there are sound equilibria.
    pub fn of(mut world: World, end: f64) -> Self {
        let mut refusal = None;
        while refusal.is_none() && world.state().time < end {
            refusal = world.step(&Inputs { end: Some(end), ..Inputs::default() }).err();
        }
        let full = world.model().full_state(world.state());
        Self { world, full, refusal }
    }

    /// Itself under full loads, or the refusal as an error.
    pub fn or_stop(mut self) -> Result<Self, CaseError> {
        match self.refusal.take() {
            None => Ok(self),
            Some(refusal) => Err(refusal.into()),
        }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        self.world.model()
    }

    /// The solver's own state.
    pub fn state(&self) -> &State {
        self.world.state()
    }

    /// The part of the loads that acts.
    pub fn load(&self) -> f64 {
        self.state().solver.load
    }

    /// The displacement of the node at a place, m.
    pub fn moved(&self, place: Vec3) -> Vec3 {
        displacement_at(self.model().layout(), &self.full.x, place)
    }

    /// Displacements of all nodes in the mesh's order, m.
    pub fn displacements(&self) -> Vec<Vec3> {
        displacements(self.model().layout(), &self.full.x)
    }

    /// What touches colliders.
    pub fn contacts(&self) -> impl Iterator<Item = Contact> {
        self.world.contacts()
    }

    /// Stored energy, J.
    pub fn stored(&self) -> f64 {
        stored(self.model(), &self.full)
    }

    /// What full loads do along the displacements, J.
    pub fn work_of_loads(&self) -> f64 {
        let start = placed(self.model(), |p| p);
        // nothing but loads acts on a body in its rest shape
        let loads = forces(self.model(), &start);
        let moved = self.full.x.iter().zip(&start.x).map(|(x, rest)| x - rest);
        loads.iter().zip(moved).map(|(load, u)| load * u).sum()
    }

    /// The smallest det F of all cells.
    pub fn smallest_volume_ratio(&self) -> f64 {
        let fields = self.model().fields(&self.full);
        fields.iter().flat_map(|f| &f.volume_ratio).fold(f64::INFINITY, |low, ratio| low.min(*ratio))
    }

    /// How many cells are inside out.
    pub fn inverted(&self) -> usize {
        self.model().fields(&self.full).iter().map(|f| f.inverted()).sum()
    }

    /// Nodes that were carried, and the force that the solver says holds each, N.
    pub fn grips(&self) -> Vec<(u32, Vec3)> {
        let fixes = self.model().fixes().iter().flat_map(|fix| fix.nodes.iter().map(move |n| (*n, fix)));
        let held = fixes.enumerate().filter(|(_, (_, fix))| fix.motion.moves());
        held.map(|(slot, (node, _))| (node, triple(&self.state().reactions, slot as u32))).collect()
    }
}
