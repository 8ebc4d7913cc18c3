//! The search for the step at which the highest mode of a spectrum is just stable: (3) of the [parent](super).

use pliant_numerics::Ritz;

use crate::term::Coeffs;

/// Relative residual of the eigenvalue at which the iteration ends: 0.4 % in the step.
const TOLERANCE: f64 = 8e-3;
/// Cycles of the first search.
const MAX_CYCLES: usize = 60;

/// What limits the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepLimit {
    /// The longest stable step, s; infinite when nothing moves.
    pub dt: f64,
    /// Highest angular frequency (of the damped problem's worst mode), rad/s.
    pub omega: f64,
}

/// The largest eigenvalues of c.k K + c.d D in the metric of mass.
pub(super) trait Spectrum {
    /// Comes nearer to the largest one and its mode.
    fn cycle(&mut self, c: Coeffs) -> Ritz;
    /// The quotient of the mode.
    fn rayleigh(&mut self, c: Coeffs) -> f64;
}

/// The step of (3).
pub(super) fn search(spectrum: &mut impl Spectrum, damped: bool) -> StepLimit {
    // without damping (3) is dt^2 lambda(K) = 4; with it the step is found by iteration
    let mut coefficients = Coeffs { k: 1.0, d: 0.0 };
    let mut limit = StepLimit { dt: f64::INFINITY, omega: 0.0 };
    for _ in 0..MAX_CYCLES {
        let ritz = spectrum.cycle(coefficients);
        let settled = ritz.residual <= TOLERANCE * ritz.value;
        let lambda = ritz.value + ritz.residual.min(0.02 * ritz.value);
        if lambda <= 0.0 {
            break;
        }
        let previous = limit.dt;
        if damped {
            let k = spectrum.rayleigh(Coeffs { k: 1.0, d: 0.0 });
            let d = spectrum.rayleigh(Coeffs { k: 0.0, d: 1.0 });
            // the residual's allowance, in proportion
            let excess = lambda / ritz.value;
            let dt = step_of_mode(k * excess, d * excess);
            limit = StepLimit { dt, omega: k.max(0.0).sqrt() };
            coefficients = Coeffs { k: dt * dt, d: 2.0 * dt };
        } else {
            limit = StepLimit { dt: 2.0 / lambda.sqrt(), omega: ritz.value.sqrt() };
        }
        if settled && (!damped || (limit.dt - previous).abs() < 1e-3 * limit.dt) {
            break;
        }
    }
    limit
}

/// The dt with dt^2 k + 2 dt d = 4: (2) with k = w^2 and d = 2 xi w.
fn step_of_mode(k: f64, d: f64) -> f64 {
    // the root of the quadratic, in the form that does not cancel
    4.0 / (d + (d * d + 4.0 * k.max(0.0)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::step_of_mode;

    #[test]
    fn one_mode_gives_the_damped_limit() {
        // (2 / w)(sqrt(1 + xi^2) - xi) for w = 10, xi = 0.3
        let (w, xi) = (10.0_f64, 0.3_f64);
        let expected = 2.0 / w * ((1.0 + xi * xi).sqrt() - xi);
        assert!((step_of_mode(w * w, 2.0 * xi * w) - expected).abs() < 1e-15);
        assert!((step_of_mode(w * w, 0.0) - 0.2).abs() < 1e-15);
    }
}
