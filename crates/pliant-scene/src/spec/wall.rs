//! `[[wall]]`: a plane that all free nodes of all bodies bounce from.

use super::Located;
use crate::units::{Dimensionless, Length, Quantity};
use schemars::JsonSchema;
use serde::Deserialize;

/// A plane that nodes bounce from, without friction.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wall {
    /// A point of the plane, in world coordinates.
    pub point: Located<[Quantity<Length>; 3]>,
    /// Direction from the wall to where the bodies are, of any length but 0.
    pub normal: Located<[Quantity<Dimensionless>; 3]>,
    /// The part of the speed that a bounce gives back, 0 to 1; 1 when absent.
    #[serde(default = "all_of_it")]
    pub restitution: Located<Quantity<Dimensionless>>,
}

fn all_of_it() -> Located<Quantity<Dimensionless>> {
    Quantity::of(1.0).into()
}
