//! Young's modulus and Poisson's ratio, and the Lamé pair made from them.
//!
//! ```text
//! lambda = E nu / ((1 + nu)(1 - 2 nu)),   mu = E / (2 (1 + nu))                    (1)
//! ```
//!
//! Source: [Zhuang 2.19], whose printed mu has 1 + 2 nu; (1) is right.

/// Young's modulus and Poisson's ratio of an isotropic solid.
///
/// Invariant: `young > 0` and `-1 < poisson < 0.5`, so both Lamé moduli are finite and the rest
/// state is stable. Every `ElasticModuli` in existence holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElasticModuli {
    young: f64,
    poisson: f64,
}

/// Why a material cannot be built from the numbers given.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MaterialError {
    /// Young's modulus is not positive.
    #[error("Young's modulus must be positive and finite, got {0} Pa")]
    Young(f64),
    /// Poisson's ratio is outside the stable range.
    #[error(
        "Poisson's ratio must lie in (-1, 0.5), got {0}; use 0.45 for nearly incompressible matter, nearer to 0.5 elements lock"
    )]
    Poisson(f64),
}

impl ElasticModuli {
    /// From Young's modulus in Pa and Poisson's ratio.
    pub fn new(young: f64, poisson: f64) -> Result<Self, MaterialError> {
        if !(young > 0.0 && young.is_finite()) {
            return Err(MaterialError::Young(young));
        }
        if !(poisson > -1.0 && poisson < 0.5) {
            return Err(MaterialError::Poisson(poisson));
        }
        Ok(Self { young, poisson })
    }

    /// Young's modulus, Pa.
    pub fn young(&self) -> f64 {
        self.young
    }

    /// Poisson's ratio.
    pub fn poisson(&self) -> f64 {
        self.poisson
    }

    /// The Lamé pair (lambda, mu) in Pa, by (1).
    pub fn lame(&self) -> (f64, f64) {
        let (e, nu) = (self.young, self.poisson);
        (e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), e / (2.0 * (1.0 + nu)))
    }
}
