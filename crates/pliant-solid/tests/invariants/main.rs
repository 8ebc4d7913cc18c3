//! What holds whatever is simulated: accounts, bits, threads, saved states, failures.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

mod accounts;
mod automatic_step;
mod divergence;
mod every_method;
mod hanging;
mod held_step;
mod history;
mod live_inputs;
mod patch_hands;
mod rows;
mod rows_in_conflict;
mod saved_state;
mod shown_between;
use crate::support;
mod threads;
mod users_hand;

use pliant_geometry::BoxElement;
use pliant_solid::law::LawKind;
use support::meshes::block;
use support::{Scene, moduli};

/// A soft block standing on z = 0, 0.1 x 0.1 x 0.3 m, of a few large hexahedra.
fn tower() -> Scene {
    let mesh = block([0.1, 0.1, 0.3], [2, 2, 6], BoxElement::Hex);
    Scene::new(mesh, LawKind::StVenant(moduli(1e5, 0.3))).hold(|p| p[2] < 1e-9)
}

/// All numbers of a state as bytes: equal bytes are equal bits.
fn bytes(state: &pliant_solid::State) -> Vec<u8> {
    postcard::to_stdvec(state).unwrap()
}
