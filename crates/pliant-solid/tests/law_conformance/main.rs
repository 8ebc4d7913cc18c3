//! What every law must satisfy. A new law is a line in [`all`] and an arm in `on_law`.
#![allow(clippy::unwrap_used, clippy::let_unit_value, clippy::unit_arg, missing_docs)] // the tangent of the linear law is ()

mod automatic;
mod lanes;
mod limited;
use crate::support;
mod values;
mod viscous;

use pliant_numerics::{Lane, Mat3};
use pliant_solid::law::{Corotated, Law, LawKind, Linear, NeoHookean, Prestressed, StVenant};
use support::{Noise, laws, moduli};

/// A law under test, with the initial stress it carries.
#[derive(Clone, Copy)]
struct Tested {
    name: &'static str,
    kind: LawKind,
    prestress: Option<Mat3<f64>>,
}

/// Binds `$law` and its local data in lanes `$lane`, then evaluates `$body`.
macro_rules! on_law {
    ($tested:expr, $lane:ty, |$law:ident, $local:ident| $body:expr) => {
        match ($tested.kind, $tested.prestress) {
            (LawKind::Linear(m), None) => {
                let ($law, $local) = (Linear::new(m), ());
                $body
            }
            (LawKind::StVenant(m), None) => {
                let ($law, $local) = (StVenant::new(m), ());
                $body
            }
            (LawKind::NeoHookean(m), None) => {
                let ($law, $local) = (NeoHookean::new(m), ());
                $body
            }
            (LawKind::Corotated(m), None) => {
                let ($law, $local) = (Corotated::new(m), ());
                $body
            }
            (LawKind::Linear(m), Some(s0)) => {
                let ($law, $local) = (Prestressed(Linear::new(m)), Mat3::<$lane>::splat(&s0));
                $body
            }
            (LawKind::StVenant(m), Some(s0)) => {
                let ($law, $local) = (Prestressed(StVenant::new(m)), Mat3::<$lane>::splat(&s0));
                $body
            }
            (LawKind::NeoHookean(_) | LawKind::Corotated(_), Some(_)) => {
                unreachable!("only where it is linear in the strain")
            }
            (LawKind::Warped(..), _) => unreachable!("a matrix of a body, no law of a point"),
        }
    };
}

impl Tested {
    fn energy<L: Lane>(&self, h: &Mat3<L>) -> L {
        on_law!(self, L, |law, local| law.energy(h, &local))
    }

    fn piola<L: Lane>(&self, h: &Mat3<L>) -> Mat3<L> {
        on_law!(self, L, |law, local| law.first_piola(h, &local))
    }

    fn piola_change<L: Lane>(&self, h: &Mat3<L>, dh: &Mat3<L>) -> Mat3<L> {
        on_law!(self, L, |law, local| law.first_piola_change(h, &local, dh))
    }

    #[allow(unused_variables)] // the viscous stress needs no local data
    fn viscous<L: Lane>(&self, h: &Mat3<L>, rate: &Mat3<L>) -> Mat3<L> {
        on_law!(self, L, |law, local| law.viscous_piola(h, rate))
    }

    fn is_linear(&self) -> bool {
        matches!(self.kind, LawKind::Linear(_))
    }
}

const YOUNG: f64 = 1e5;
const POISSON: f64 = 0.3;

fn all() -> Vec<Tested> {
    let s0 = Mat3([[3e3, 1e3, -500.0], [1e3, -2e3, 700.0], [-500.0, 700.0, 1.5e3]]);
    let plain = laws(YOUNG, POISSON).map(|(name, kind)| Tested { name, kind, prestress: None });
    let m = moduli(YOUNG, POISSON);
    let stressed = [
        Tested { name: "linear + s0", kind: LawKind::Linear(m), prestress: Some(s0) },
        Tested { name: "st-venant + s0", kind: LawKind::StVenant(m), prestress: Some(s0) },
    ];
    plain.into_iter().chain(stressed).collect()
}

/// Displacement gradients: none, small, moderate, and large stretches behind a rotation.
fn gradients() -> Vec<Mat3<f64>> {
    let mut noise = Noise::new(1);
    let mut out = vec![Mat3::zero(), noise.matrix(1e-6)];
    out.extend((0..10).map(|_| noise.matrix(0.2)));
    for k in 0..10 {
        let stretch = noise.matrix(0.25).symmetric_part().add_diagonal(1.0 + 0.1 * f64::from(k % 5));
        let axis = [noise.next(), noise.next(), noise.next() + 2.0];
        out.push((Mat3::rotation(axis, 3.1 * noise.next()) * stretch).add_diagonal(-1.0));
    }
    for h in &out {
        assert!(h.add_diagonal(1.0).determinant() > 0.1, "the laws are compared where all are defined");
    }
    out
}

/// A basis matrix: one at (r, c), zero elsewhere.
fn unit(r: usize, c: usize) -> Mat3<f64> {
    Mat3::from_fn(|i, j| if (i, j) == (r, c) { 1.0 } else { 0.0 })
}

#[test]
fn stress_is_the_derivative_of_energy() {
    // central differences: the error is of order step^2 = 1e-10 of the moduli times small numbers
    let step = 1e-5;
    for law in all() {
        for h in gradients() {
            let slope = Mat3::from_fn(|r, c| {
                let change = unit(r, c).scale(step);
                (law.energy(&(h + change)) - law.energy(&(h - change))) / (2.0 * step)
            });
            let p = law.piola(&h);
            assert!((p - slope).norm() < 1e-7 * (p.norm() + YOUNG), "{}: {p:?} {slope:?}", law.name);
        }
    }
}

#[test]
fn tangent_is_the_derivative_of_stress() {
    let step = 1e-5;
    let mut noise = Noise::new(2);
    for law in all() {
        for h in gradients() {
            let dh = noise.matrix(1.0);
            let slope =
                (law.piola(&(h + dh.scale(step))) - law.piola(&(h - dh.scale(step)))).scale(0.5 / step);
            let dp = law.piola_change(&h, &dh);
            assert!((dp - slope).norm() < 1e-7 * (dp.norm() + YOUNG), "{}", law.name);
        }
    }
}

#[test]
fn blocks_of_element_matrices_are_those_of_the_tangent() {
    let mut noise = Noise::new(6);
    for law in all() {
        for h in gradients() {
            let [a, b]: [[f64; 3]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| noise.next()));
            let block = on_law!(law, f64, |law, local| {
                let at = law.tangent(&h, &local);
                law.block(&at, &law.gradient(&at, a), &law.gradient(&at, b))
            });
            let column = |c: usize| {
                let axis = std::array::from_fn(|r| f64::from(r == c));
                law.piola_change(&h, &Mat3::dyad(axis, b)).mul_vec(a)
            };
            let expected = Mat3::from_columns([column(0), column(1), column(2)]);
            assert!((block - expected).norm() < 1e-13 * (expected.norm() + YOUNG), "{}", law.name);
        }
    }
}

#[test]
fn definite_tangents_resist_every_change() {
    let mut noise = Noise::new(7);
    for law in all().into_iter().filter(|l| matches!(l.kind, LawKind::Corotated(_))) {
        let mut pressed = 0;
        let crushed = (0..40).map(|_| noise.matrix(1.2)).collect::<Vec<_>>();
        for h in gradients().into_iter().chain(crushed) {
            let dh = noise.matrix(1.0);
            let (exact, definite) = on_law!(law, f64, |law, local| {
                let along = |t| dh.dot(&law.change(&t, &dh));
                (along(law.tangent(&h, &local)), along(law.definite_tangent(&h, &local)))
            });
            assert!(definite >= -1e-9 * YOUNG, "{h:?}: {definite}");
            pressed += usize::from(definite > exact + 1e-6 * YOUNG);
        }
        assert!(pressed > 5, "some of them do not resist by themselves: {pressed}");
    }
}

#[test]
fn tangent_is_symmetric() {
    // A : dP(B) = B : dP(A), because both are the second derivative of one energy
    let mut noise = Noise::new(3);
    for law in all() {
        for h in gradients() {
            let (a, b) = (noise.matrix(1.0), noise.matrix(1.0));
            let (ab, ba) = (a.dot(&law.piola_change(&h, &b)), b.dot(&law.piola_change(&h, &a)));
            assert!((ab - ba).abs() < 1e-12 * (ab.abs() + YOUNG), "{}: {ab} {ba}", law.name);
        }
    }
}

#[test]
fn energy_does_not_see_rotations() {
    // psi(R F) = psi(F) and P(R F) = R P(F)
    let r = Mat3::rotation([1.0, 2.0, 3.0], 179_f64.to_radians());
    for law in all().into_iter().filter(|l| !l.is_linear()) {
        for h in gradients() {
            let turned = (r * h.add_diagonal(1.0)).add_diagonal(-1.0);
            let (psi, psi_turned) = (law.energy(&h), law.energy(&turned));
            let scale = psi.abs() + YOUNG;
            assert!((psi - psi_turned).abs() < 1e-13 * scale, "{}: {psi} {psi_turned}", law.name);
            let (p, p_turned) = (law.piola(&h), law.piola(&turned));
            assert!((p_turned - r * p).norm() < 1e-13 * (p.norm() + YOUNG), "{}", law.name);
        }
    }
}

#[test]
fn linear_strain_sees_rotations_as_strain() {
    // the sanity of the test above: half a turn costs energy of the order of E
    let r = Mat3::rotation([1.0, 2.0, 3.0], 179_f64.to_radians());
    for law in all().into_iter().filter(Tested::is_linear) {
        let energy = law.energy(&r.add_diagonal(-1.0));
        assert!(energy > YOUNG, "{}: {energy}", law.name);
    }
}

#[test]
fn rest_is_stress_free() {
    for law in all() {
        let p = law.piola(&Mat3::zero());
        let expected = law.prestress.unwrap_or(Mat3::zero());
        assert!((p - expected).norm() < 1e-12 * YOUNG, "{}: {p:?}", law.name);
        assert_eq!(law.energy(&Mat3::<f64>::zero()), 0.0, "{}", law.name);
    }
}

#[test]
fn small_strain_is_hooke() {
    // sigma = lambda tr(eps) I + 2 mu eps to first order in eps; terms in eps^2 are 1e-7 of it
    let (lambda, mu) = moduli(YOUNG, POISSON).lame();
    let strain = Mat3([[1.0, 0.5, 0.0], [0.5, -2.0, 0.3], [0.0, 0.3, 0.7]]).scale(1e-7);
    let hooke = strain.scale(2.0 * mu).add_diagonal(lambda * strain.trace());
    for law in all() {
        // a stress that is there already turns and stretches with the matter under quadratic strain
        let s0 = law.prestress.unwrap_or(Mat3::zero());
        let geometric = if law.is_linear() { Mat3::zero() } else { strain * s0 };
        let p = law.piola(&strain) - s0 - geometric;
        assert!((p - hooke).norm() < 1e-5 * hooke.norm(), "{}", law.name);
        let dp = law.piola_change(&Mat3::zero(), &strain);
        assert!((dp - geometric - hooke).norm() < 1e-12 * hooke.norm(), "{}", law.name);
    }
}

#[test]
fn cauchy_stress_is_piola_pushed_forward() {
    // sigma = P F^T / J is symmetric for the nonlinear laws; for `linear` P itself
    for law in all() {
        for h in gradients() {
            let p: Mat3<f64> = law.piola(&h);
            #[allow(unused_variables)]
            let sigma: Mat3<f64> = on_law!(law, f64, |l, local| Law::<f64>::cauchy(&l, &h, &p));
            let f = h.add_diagonal(1.0);
            let expected = if law.is_linear() { p } else { (p * f.transpose()).scale(1.0 / f.determinant()) };
            assert!((sigma - expected).norm() < 1e-14 * (p.norm() + YOUNG), "{}", law.name);
            assert!((sigma - sigma.transpose()).norm() < 1e-13 * (p.norm() + YOUNG), "{}", law.name);
        }
    }
}
