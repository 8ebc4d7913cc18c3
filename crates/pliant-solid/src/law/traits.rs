//! What a law says of itself, so that nobody else has to know which law it is.

use super::LawKind;

/// What the rest of the program may rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LawTraits {
    /// Strain counts from the shape at rest and forces act there: arms of moments are those at rest, the tangent is constant.
    pub small_strain: bool,
    /// Whether forces are the gradient of an energy, and their tangent symmetric.
    pub has_energy: bool,
    /// Whether stress is linear in the law's own strain, so that an initial strain or stress can be added to it.
    pub adds_prestress: bool,
    /// What elements that are inside out say of a state.
    pub inside_out: InsideOut,
}

/// What elements that are inside out say of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InsideOut {
    /// Nothing: small-strain theory does not know the shape that it is drawn with.
    Unseen,
    /// The law pushes them back through themselves; a state in which some are left is none of real matter.
    Recovers,
    /// The law gives way when pressed and rests as well beyond: what follows may be another shape than that of matter.
    Stays,
    /// The energy is infinite on the way there: only a step that is too long gets past.
    Forbidden,
}

impl LawTraits {
    /// What holds where there is nothing, and for any body that nothing is added to.
    pub(crate) const OF_NOTHING: Self =
        Self { small_strain: true, has_energy: true, adds_prestress: true, inside_out: InsideOut::Unseen };

    /// What holds of a body that is made of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            small_strain: self.small_strain && other.small_strain,
            has_energy: self.has_energy && other.has_energy,
            adds_prestress: self.adds_prestress && other.adds_prestress,
            inside_out: self.inside_out.and(other.inside_out),
        }
    }
}

impl InsideOut {
    /// What a state says of a body that is made of both: the law that bears less is the one to speak of.
    fn and(self, other: Self) -> Self {
        let by_need = [Self::Stays, Self::Forbidden, Self::Recovers];
        by_need.into_iter().find(|one| [self, other].contains(one)).unwrap_or(Self::Unseen)
    }

    /// Whether elements come back by themselves, or do not count: then only the end of a motion is judged.
    pub fn is_passing(self) -> bool {
        matches!(self, Self::Unseen | Self::Recovers)
    }

    /// Whether another law would bear more.
    pub fn gives_way(self) -> bool {
        matches!(self, Self::Unseen | Self::Stays)
    }
}

impl LawKind {
    /// What this law says of itself.
    pub fn traits(&self) -> LawTraits {
        let usual = LawTraits {
            small_strain: false,
            has_energy: true,
            adds_prestress: false,
            inside_out: InsideOut::Recovers,
        };
        match self {
            Self::Linear(_) => {
                LawTraits { small_strain: true, adds_prestress: true, inside_out: InsideOut::Unseen, ..usual }
            }
            Self::StVenant(_) => LawTraits { adds_prestress: true, inside_out: InsideOut::Stays, ..usual },
            Self::NeoHookean(_) => LawTraits { inside_out: InsideOut::Forbidden, ..usual },
            Self::Corotated(_) => usual,
            Self::Warped(..) => LawTraits { has_energy: false, ..usual },
        }
    }
}
