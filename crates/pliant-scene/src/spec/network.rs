//! `[network.NAME]`: springs between particles, and what they weigh.

use super::{Located, Warp};
use crate::units::{Density, LineDamping, Mass, Pressure, Quantity, Stiffness, Time, Torque};
use schemars::JsonSchema;
use serde::Deserialize;

/// Springs between the nodes of a body, in place of a material.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// What springs do when the body turns.
    #[serde(default)]
    pub law: NetworkLaw,
    /// Of every spring, above 0. This or `young`.
    pub stiffness: Option<Located<Quantity<Stiffness>>>,
    /// Young's modulus of the solid that springs along the edges of cells resemble, above 0; its Poisson's ratio is 1/4.
    pub young: Option<Located<Quantity<Pressure>>>,
    /// Resistance of every spring to changes of its length. This or `relaxation`; none when absent.
    pub damping: Option<Located<Quantity<LineDamping>>>,
    /// The same as a part of the spring's stiffness.
    pub relaxation: Option<Located<Quantity<Time>>>,
    /// Resistance to the velocity of every particle; none when absent.
    #[serde(default)]
    pub drag: Located<Quantity<LineDamping>>,
    /// Stiffness of angle springs at the corners of a grid's cells, per radian: against shear. None when absent.
    #[serde(default)]
    pub angle: Located<Quantity<Torque>>,
    /// Stiffness of angle springs along the lines of a grid, per radian: against bending. None when absent.
    #[serde(default)]
    pub bend: Located<Quantity<Torque>>,
    /// Of the whole body, shared by the volume or area that a particle stands for, or evenly. This or `density`.
    pub mass: Option<Located<Quantity<Mass>>>,
    /// Mass per volume of the cells.
    pub density: Option<Located<Quantity<Density>>>,
    /// How the law `warped` turns stiffness; only with it.
    pub warp: Option<Located<Warp>>,
}

/// What springs do when the body turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NetworkLaw {
    /// They turn with it.
    #[default]
    Springs,
    /// They are linearised at rest; for small rotations only.
    Linear,
    /// Their matrix at rest is turned along a field of rotations. Has no energy.
    Warped,
}

impl NetworkLaw {
    /// As the scene file writes it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Springs => "springs",
            Self::Linear => "linear",
            Self::Warped => "warped",
        }
    }
}
