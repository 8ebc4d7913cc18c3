//! Stiffness-proportional damping: objective, dissipative, Hooke at rest.

use pliant_numerics::Mat3;

use super::support::{Noise, moduli};
use super::{POISSON, YOUNG, all, gradients};

/// The matrix of v -> w x v.
fn spin(w: [f64; 3]) -> Mat3<f64> {
    Mat3([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])
}

#[test]
fn a_spinning_body_is_not_damped_however_it_is_deformed() {
    // rigid spin: dF/dt = W F with W skew, hence dE/dt = sym(F^T W F) = 0
    let rate = spin([1.0, -2.0, 0.5]);
    for law in all().into_iter().filter(|l| !l.is_linear()) {
        for h in gradients() {
            let f = h.add_diagonal(1.0);
            let stress = law.viscous(&h, &(rate * f)).norm();
            assert!(stress < 1e-14 * YOUNG * f.norm().powi(3), "{}: {stress}", law.name);
        }
    }
    // linear strain knows a spin only about the rest shape
    let linear = all().into_iter().find(|l| l.is_linear()).unwrap();
    assert_eq!(linear.viscous(&Mat3::zero(), &rate).norm(), 0.0);
}

#[test]
fn damping_turns_with_the_body() {
    // P_visc(R F, R dF) = R P_visc(F, dF)
    let r = Mat3::rotation([3.0, -1.0, 2.0], 2.0);
    let mut noise = Noise::new(9);
    for law in all().into_iter().filter(|l| !l.is_linear()) {
        for h in gradients() {
            let rate = noise.matrix(1.0);
            let turned = law.viscous(&(r * h.add_diagonal(1.0)).add_diagonal(-1.0), &(r * rate));
            let plain = law.viscous(&h, &rate);
            assert!((turned - r * plain).norm() < 1e-13 * (plain.norm() + YOUNG), "{}", law.name);
        }
    }
}

#[test]
fn damping_takes_energy_and_is_symmetric() {
    let mut noise = Noise::new(10);
    for law in all() {
        for h in gradients() {
            let (a, b) = (noise.matrix(1.0), noise.matrix(1.0));
            let power = law.viscous(&h, &a).dot(&a);
            assert!(power > 0.0, "{}: {power}", law.name);
            let (ab, ba) = (law.viscous(&h, &a).dot(&b), law.viscous(&h, &b).dot(&a));
            assert!((ab - ba).abs() < 1e-13 * (ab.abs() + YOUNG), "{}", law.name);
            let sum = law.viscous(&h, &(a + b)) - law.viscous(&h, &a) - law.viscous(&h, &b);
            assert!(sum.norm() < 1e-13 * (power + YOUNG), "{} is linear in the rate", law.name);
        }
    }
}

#[test]
fn damping_at_rest_is_hooke_of_the_strain_rate() {
    // beta C : deps/dt with beta = 1 s
    let (lambda, mu) = moduli(YOUNG, POISSON).lame();
    let rate = Noise::new(11).matrix(1.0);
    let strain_rate = rate.symmetric_part();
    let hooke = strain_rate.scale(2.0 * mu).add_diagonal(lambda * strain_rate.trace());
    for law in all() {
        let p = law.viscous(&Mat3::zero(), &rate);
        assert!((p - hooke).norm() < 1e-14 * YOUNG, "{}", law.name);
    }
}
