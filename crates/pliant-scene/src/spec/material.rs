//! `[material.NAME]`: what a body is made of.

use super::Located;
use crate::units::{Density, Dimensionless, Pressure, Quantity, Rate, Time};
use schemars::JsonSchema;
use serde::Deserialize;

/// What a body is made of.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Relation of strain to stress.
    pub law: Law,
    /// Young's modulus, above 0.
    pub young: Located<Quantity<Pressure>>,
    /// Poisson's ratio, above -1 and below 0.5.
    pub poisson: Located<Quantity<Dimensionless>>,
    /// Mass per rest volume, above 0.
    pub density: Located<Quantity<Density>>,
    /// A stretch beyond which matter is stiffer, with `linear`, `warped` and `corotated`; none when absent.
    pub stretch_limit: Option<Located<StretchLimit>>,
    /// Proportional (Rayleigh) damping; none when absent.
    #[serde(default)]
    pub damping: Damping,
    /// How the law `warped` turns stiffness; only with it.
    pub warp: Option<Located<Warp>>,
}

/// Relation of strain to stress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Law {
    /// Hooke's law in the small strain; for small rotations only.
    Linear,
    /// Hooke's law in Green's strain; for large rotations and moderate strains.
    StVenant,
    /// Neo-Hookean with the logarithm of the volume ratio; for large strains.
    NeoHookean,
    /// Hooke's law behind the rotation of every element; for large rotations and moderate strains, and for rough handling.
    Corotated,
    /// Hooke's law of the whole body, turned along a field of rotations; for large rotations in real time. Has no energy.
    Warped,
}

impl Law {
    /// As the scene file writes it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::StVenant => "st-venant",
            Self::NeoHookean => "neo-hookean",
            Self::Corotated => "corotated",
            Self::Warped => "warped",
        }
    }
}

/// How the law `warped` turns stiffness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Warp {
    /// Where the rotation of a node comes from; `"polar"` when absent. Not with `rotations = "body"`.
    pub field: Option<RotationField>,
    /// Whose rotation turns the stiffness between two nodes.
    pub rotations: Rotations,
}

/// Where the rotation of a node comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RotationField {
    /// The best turn of all edges of the node.
    #[default]
    Polar,
    /// A frame on three edges of the node: cheaper and coarser.
    Frames,
}

/// Whose rotation turns the stiffness between two nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rotations {
    /// That of the node whose force it is.
    #[default]
    Node,
    /// One for the whole body: for stiff bodies that move far and deform little.
    Body,
    /// Those of both nodes: for comparison only, as it does not meet Hooke's law at small strain.
    Mixed,
}

/// A stretch beyond which matter is stiffer: under tension the stress follows two straight lines.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StretchLimit {
    /// Strain along a principal axis at which the second line begins, above 0: 0.2 for a fifth longer than at rest.
    pub strain: Located<Quantity<Dimensionless>>,
    /// How many times as steep as the first line the second is, above 1.
    pub factor: Located<Quantity<Dimensionless>>,
}

/// Proportional (Rayleigh) damping.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Damping {
    /// Multiple of the mass, 1/s: slows all motion, free fall too.
    pub mass: Located<Quantity<Rate>>,
    /// Multiple of the stiffness, s: slows deformation only.
    pub stiffness: Located<Quantity<Time>>,
}
