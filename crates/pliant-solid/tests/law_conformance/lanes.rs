//! Laws in lanes against laws in single numbers.

use pliant_numerics::{F32x8, F64x4, Mat3, Pack};

use super::support::Noise;
use super::{Tested, YOUNG, all, gradients};

/// Lane `i` holds `matrices[i]`.
fn packed<P: Pack>(matrices: &[Mat3<f64>]) -> Mat3<P> {
    Mat3::from_fn(|r, c| P::from_fn(|lane| matrices[lane].0[r][c]))
}

fn lane<P: Pack>(m: &Mat3<P>, i: usize) -> Mat3<f64> {
    Mat3::from_fn(|r, c| m.0[r][c].lane(i))
}

/// The largest relative difference over the four functions of a law.
fn largest_difference<P: Pack>(law: &Tested, gradients: &[Mat3<f64>]) -> f64 {
    let mut noise = Noise::new(6);
    let mut worst = 0.0_f64;
    for group in gradients.chunks_exact(P::WIDTH) {
        let changes: Vec<_> = group.iter().map(|_| noise.matrix(1.0).scale(1.0).as_short::<P>()).collect();
        let (h, dh) = (packed::<P>(group), packed::<P>(&changes));
        let (energy, p) = (law.energy(&h), law.piola(&h));
        let (dp, viscous) = (law.piola_change(&h, &dh), law.viscous(&h, &dh));
        for (i, (h, dh)) in group.iter().zip(&changes).enumerate() {
            let scale = YOUNG * h.add_diagonal(1.0).norm().powi(4);
            let difference = |a: Mat3<f64>, b: Mat3<f64>| (a - b).norm() / scale;
            worst = worst
                .max((energy.lane(i) - law.energy(h)).abs() / scale)
                .max(difference(lane(&p, i), law.piola(h)))
                .max(difference(lane(&dp, i), law.piola_change(h, dh)))
                .max(difference(lane(&viscous, i), law.viscous(h, dh)));
        }
    }
    worst
}

/// Rounds entries to what the lanes can hold, so that only the arithmetic differs.
trait AsShort {
    fn as_short<P: Pack>(&self) -> Self;
}

impl AsShort for Mat3<f64> {
    fn as_short<P: Pack>(&self) -> Self {
        Mat3::from_fn(|r, c| P::splat(self.0[r][c]).lane(0))
    }
}

#[test]
fn four_doubles_agree_to_a_few_units_in_the_last_place() {
    // the same operations in the same order; only the logarithm is another routine
    for law in all() {
        let worst = largest_difference::<F64x4>(&law, &gradients());
        assert!(worst < 8.0 * f64::EPSILON, "{}: {worst:e}", law.name);
    }
}

#[test]
fn eight_floats_agree_to_one_in_a_hundred_thousand() {
    let short: Vec<_> = gradients().iter().map(|h| h.as_short::<F32x8>()).collect();
    for law in all() {
        let worst = largest_difference::<F32x8>(&law, &short);
        assert!(worst < 1e-5, "{}: {worst:e}", law.name);
    }
}

#[test]
fn small_strains_keep_their_digits_in_floats() {
    // laws take H instead of F, so that a strain of 1e-6 is not lost next to 1
    let (lambda, mu) = super::support::moduli(YOUNG, super::POISSON).lame();
    let h = Mat3([[1.0, 0.4, 0.0], [0.4, -0.5, 0.2], [0.0, 0.2, 0.3]]).scale(1e-6).as_short::<F32x8>();
    let hooke = h.scale(2.0 * mu).add_diagonal(lambda * h.trace());
    for law in all().into_iter().filter(|l| l.prestress.is_none()) {
        let p = lane(&law.piola(&Mat3::<F32x8>::splat(&h)), 0);
        assert!((p - hooke).norm() < 1e-5 * hooke.norm(), "{}: {p:?} {hooke:?}", law.name);
    }
}

/// J = 0 and J < 0.
fn collapsed() -> [Mat3<f64>; 2] {
    let flat = Mat3([[0.0, 0.2, 0.0], [0.0, -0.1, 0.0], [0.0, 0.0, -1.0]]);
    let inverted = Mat3([[0.1, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, -1.5]]);
    [flat, inverted]
}

fn stress_is_not_finite<P: Pack>(law: &Tested, h: &Mat3<f64>) -> bool {
    let p = law.piola(&Mat3::<P>::splat(h));
    (0..P::WIDTH).all(|i| lane(&p, i).0.iter().flatten().any(|v| !v.is_finite()))
}

#[test]
fn a_collapsed_element_has_no_finite_neo_hookean_stress() {
    // ln J does not exist: the step must be refused, not continued with a finite lie
    let law = all().into_iter().find(|l| l.name == "neo-hookean").unwrap();
    for h in collapsed() {
        assert!(!law.piola(&h).norm().is_finite(), "{h:?}");
        assert!(!law.energy(&h).is_finite(), "{h:?}");
        assert!(stress_is_not_finite::<F64x4>(&law, &h), "four doubles at {h:?}");
        assert!(stress_is_not_finite::<F32x8>(&law, &h), "eight floats at {h:?}");
        assert!(!Pack::sum(law.energy(&Mat3::<F64x4>::splat(&h))).is_finite(), "four doubles at {h:?}");
        assert!(!Pack::sum(law.energy(&Mat3::<F32x8>::splat(&h))).is_finite(), "eight floats at {h:?}");
    }
}

#[test]
fn other_laws_stay_finite_when_an_element_is_turned_inside_out() {
    for law in all().into_iter().filter(|l| l.name != "neo-hookean") {
        for h in collapsed() {
            assert!(law.piola(&h).norm().is_finite() && law.energy(&h).is_finite(), "{}", law.name);
        }
    }
}
