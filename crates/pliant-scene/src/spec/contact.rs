//! `[contact]`: how bodies answer what they touch; and `contact` of a body: what of it touches.

use super::Located;
use crate::units::{ContactStiffness, Length, Quantity};
use schemars::JsonSchema;
use serde::Deserialize;

/// How bodies answer what they touch.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ContactRules {
    /// How steps answer; "constraint" with `method = "explicit"` when absent, "penalty" with all others.
    pub response: Option<Located<Response>>,
    /// Pressure of "penalty" per depth; ten times Young's modulus over the size of a cell when absent.
    pub stiffness: Option<Located<Quantity<ContactStiffness>>>,
    /// Whether bodies may begin inside colliders: they are pushed out gently.
    pub allow_overlap: bool,
}

/// How steps answer a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Response {
    /// The normal velocity at the end of a step is the collider's: energy is kept, forces alternate. Explicit steps only.
    Constraint,
    /// The place after the next step is on the surface: forces are smooth. Explicit steps only.
    ConstraintSmooth,
    /// A spring pushes back in proportion to the depth.
    Penalty,
}

impl Response {
    /// As scenes say it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Constraint => "constraint",
            Self::ConstraintSmooth => "constraint-smooth",
            Self::Penalty => "penalty",
        }
    }
}

/// What of a body touches, and from how far.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BodyContact {
    /// Distance from its surface at which contact begins; 0 when absent.
    pub thickness: Located<Quantity<Length>>,
    /// Which surface touches: what is seen, when absent.
    pub surface: Option<Located<ContactSurface>>,
}

/// A surface of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ContactSurface {
    /// The boundary of its mesh.
    Mesh,
    /// Its `surface`, which follows the mesh.
    Embedded,
}
