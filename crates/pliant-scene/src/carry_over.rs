//! A state taken over into an edited scene: what exists before and after goes on as it was.
//!
//! Particles, springs and bodies are added or removed by editing the scene and compiling it anew [Schoner 3.3.2, step 1]; nodes are known again by the name of
//! their body and their number in its mesh.

use std::sync::Arc;

use pliant_solid::integrator::Refusal;
use pliant_solid::{Body, State, World};

use crate::compile::Compiled;

/// The state of `new` in which every node that `old` has too keeps its place and velocity, to the bit; others begin at rest.
///
/// Time goes on; accounts of energy begin anew, since the energies of two models are not one's.
pub fn carry_over(old: &Compiled, state: &State, new: &Compiled) -> Result<State, Refusal> {
    let mut fresh = new.model.initial_state();
    fresh.time = state.time;
    for body in new.model.layout().bodies() {
        let same_name = |other: &&Body| other.name == body.name;
        let Some(before) = old.model.layout().bodies().iter().find(same_name) else { continue };
        for (&now, &then) in body.world.iter().zip(&before.world) {
            // dependent nodes follow their masters
            let (now, then) = (3 * now as usize, 3 * then as usize);
            if now + 3 <= fresh.x.len() && then + 3 <= state.x.len() {
                fresh.x[now..now + 3].copy_from_slice(&state.x[then..then + 3]);
                fresh.v[now..now + 3].copy_from_slice(&state.v[then..then + 3]);
            }
        }
    }
    // accelerations and the step are the method's to find
    let world = World::starting(Arc::clone(&new.model), Arc::clone(&new.scheme), fresh, new.on_divergence)?;
    Ok(world.state().clone())
}
