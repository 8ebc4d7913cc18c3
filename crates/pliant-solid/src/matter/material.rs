//! What a piece of a solid is made of.

use crate::law::{LawKind, StretchLimit};

/// A material: the same wherever it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Mass per rest volume, kg/m^3.
    pub density: f64,
    /// The law.
    pub law: LawKind,
    /// A limit of stretch; only for `linear`, `warped` and `corotated`.
    pub limit: Option<StretchLimit>,
    /// Mass-proportional damping, 1/s.
    pub mass_damping: f64,
    /// Stiffness-proportional damping, s.
    pub stiffness_damping: f64,
}

impl Material {
    /// Without a limit and undamped.
    pub fn new(density: f64, law: LawKind) -> Self {
        Self { density, law, limit: None, mass_damping: 0.0, stiffness_damping: 0.0 }
    }
}
