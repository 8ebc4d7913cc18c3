//! Known errors that can be put into a law or a collider, so that a case can be seen to fail.

use pliant_solid::law::{ElasticModuli, LawKind, MaterialError};

/// A law from its moduli: `LawKind::StVenant` and its like.
pub type MakeLaw = fn(ElasticModuli) -> LawKind;

/// What is wrong with the laws of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Perturbation {
    /// Nothing.
    #[default]
    None,
    /// Young's modulus is this many times too large.
    Young(f64),
    /// mu = E / (2 (1 + 2 nu)), as [Zhuang 2.19] prints it, with the right lambda.
    MisprintedShear,
    /// Linear strain whatever the law.
    LinearStrain,
    /// Rigid parts have the lumped masses of their nodes in place of their own inertia.
    LumpedInertia,
    /// Coulomb's coefficient is this many times too large.
    Friction(f64),
    /// Bounces give back this many times too much of the speed.
    Restitution(f64),
}

impl Perturbation {
    /// A law with moduli in Pa and the error in it.
    pub fn law(self, kind: MakeLaw, young: f64, poisson: f64) -> Result<LawKind, MaterialError> {
        let sound = ElasticModuli::new(young, poisson)?;
        Ok(match self {
            Self::None | Self::LumpedInertia | Self::Friction(_) | Self::Restitution(_) => kind(sound),
            Self::Young(factor) => kind(ElasticModuli::new(factor * young, poisson)?),
            Self::LinearStrain => LawKind::Linear(sound),
            Self::MisprintedShear => {
                let (lambda, mu) = (sound.lame().0, young / (2.0 * (1.0 + 2.0 * poisson)));
                let effective = mu * (3.0 * lambda + 2.0 * mu) / (lambda + mu);
                kind(ElasticModuli::new(effective, 0.5 * lambda / (lambda + mu))?)
            }
        })
    }

    /// A coefficient of friction with the error in it.
    pub fn friction(self, friction: f64) -> f64 {
        if let Self::Friction(factor) = self { factor * friction } else { friction }
    }

    /// A restitution with the error in it.
    pub fn restitution(self, restitution: f64) -> f64 {
        if let Self::Restitution(factor) = self { factor * restitution } else { restitution }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_misprint_acts_like_other_moduli() {
        // reference suite, Part C, formula 1: E_eff = 0.827703 E, nu_eff = 0.324324 at nu = 0.3
        let law = Perturbation::MisprintedShear.law(LawKind::StVenant, 1.0, 0.3).unwrap();
        let moduli = law.moduli();
        assert!((moduli.young() - 0.827_703).abs() < 1e-6, "{moduli:?}");
        assert!((moduli.poisson() - 0.324_324).abs() < 1e-6, "{moduli:?}");
    }
}
