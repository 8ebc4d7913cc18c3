//! The limit of stretch: two straight lines, and their derivatives.

use pliant_numerics::Mat3;
use pliant_solid::law::{Corotated, Law, Limited, Linear, Slack, StretchLimit};

use super::support::{Noise, moduli};
use super::{POISSON, YOUNG, gradients, unit};

const LIMIT: StretchLimit = StretchLimit { strain: 0.1, stiffness: 9.0 * YOUNG, factor: 10.0 };

/// Checks energy, stress, tangent and blocks of one law against each other by central differences: their errors are of order step^2.
fn derivatives_agree<M: Law<f64, Local = ()>>(law: M) {
    let (step, mut noise) = (1e-6, Noise::new(8));
    let mut beyond = 0;
    for h in gradients() {
        let energy = |h: Mat3<f64>| law.energy(&h, &());
        let stress = |h: Mat3<f64>| law.first_piola(&h, &());
        let slope = Mat3::from_fn(|r, c| {
            let change = unit(r, c).scale(step);
            (energy(h + change) - energy(h - change)) / (2.0 * step)
        });
        let p = stress(h);
        assert!((p - slope).norm() < 1e-5 * (p.norm() + YOUNG), "{p:?} {slope:?}");
        let dh = noise.matrix(1.0);
        let slope = (stress(h + dh.scale(step)) - stress(h - dh.scale(step))).scale(0.5 / step);
        let at = law.tangent(&h, &());
        let dp = law.change(&at, &dh);
        assert!((dp - slope).norm() < 1e-5 * (dp.norm() + YOUNG), "{dp:?} {slope:?}");
        let [a, b]: [[f64; 3]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| noise.next()));
        let block = law.block(&at, &law.gradient(&at, a), &law.gradient(&at, b));
        let column = |c: usize| law.change(&at, &Mat3::dyad(unit(c, 0).column(0), b)).mul_vec(a);
        let expected = Mat3::from_columns([column(0), column(1), column(2)]);
        assert!((block - expected).norm() < 1e-12 * (expected.norm() + YOUNG));
        let definite = law.definite_tangent(&h, &());
        beyond += usize::from((Limited { law: Slack, limit: LIMIT }).energy(&h, &()) > 0.0);
        assert!(dh.dot(&law.change(&definite, &dh)) > -1e-9 * YOUNG);
    }
    assert!(beyond > 5, "some shapes are beyond the limit: {beyond}");
}

#[test]
fn energy_stress_tangent_and_blocks_belong_together() {
    let m = moduli(YOUNG, POISSON);
    derivatives_agree(Limited { law: Corotated::new(m), limit: LIMIT });
    derivatives_agree(Limited { law: Linear::new(m), limit: LIMIT });
    derivatives_agree(Limited { law: Slack, limit: LIMIT });
}

#[test]
fn stress_follows_two_straight_lines_under_tension_and_one_under_compression() {
    // nu = 0: no strain across, so that P_xx = E e up to the limit, then E e + k (e - limit), however the bar is turned
    let law = Limited { law: Corotated::new(moduli(YOUNG, 0.0)), limit: LIMIT };
    let turn = Mat3::rotation([1.0, -1.0, 2.0], 1.2);
    for (strain, expected) in
        [(-0.5, -0.5), (0.05, 0.05), (0.1, 0.1), (0.2, 0.2 + 9.0 * 0.1), (0.5, 0.5 + 9.0 * 0.4)]
    {
        let stretched =
            Mat3::from_fn(|r, c| if r == c { if r == 0 { 1.0 + strain } else { 1.0 } } else { 0.0 });
        let p = law.first_piola(&(turn * stretched).add_diagonal(-1.0), &());
        let pulled = turn.transpose_mul(&p).0[0][0];
        assert!((pulled - YOUNG * expected).abs() < 1e-9 * YOUNG, "{strain}: {pulled}");
    }
}

#[test]
fn stable_steps_know_of_the_limit_before_it_is_reached() {
    let (plain, limited) = (Slack, Limited { law: Slack, limit: LIMIT });
    let along = |strain: f64| unit(0, 0).scale(strain);
    let measure = |strain: f64| Law::<f64>::stiffening_squared(&limited, &along(strain)).sqrt();
    let own = |strain: f64| Law::<f64>::stiffening_squared(&plain, &along(strain)).sqrt();
    assert_eq!(measure(0.04), own(0.04));
    // frequencies are sqrt(10) times those of the law, beside what that has grown by itself: (1 + 1.5 m) = sqrt(10) (1 + 1.5 own)
    for strain in [0.06, 0.2] {
        let grown = (1.0 + 1.5 * measure(strain)) / (1.0 + 1.5 * own(strain));
        assert!((grown - 10_f64.sqrt()).abs() < 1e-12, "{strain}: {grown}");
    }
}

#[test]
fn inside_out_the_definite_tangent_is_finite_and_resists() {
    let law = Limited { law: Corotated::new(moduli(YOUNG, POISSON)), limit: LIMIT };
    let mut noise = Noise::new(5);
    for close in [0.0, 1e-12, 1e-6, 1e-2, -1e-6] {
        // two stretches that take each other away
        let f = Mat3::from_columns([[2.0, 0.0, 0.0], [0.0, 1.5, 0.0], [0.0, 0.0, -1.5 + close]]);
        let h = (Mat3::rotation([1.0, 2.0, -1.0], 0.7) * f).add_diagonal(-1.0);
        let at = law.definite_tangent(&h, &());
        for _ in 0..20 {
            let dh = noise.matrix(1.0);
            let work = dh.dot(&law.change(&at, &dh));
            assert!(work > -1e-9 * YOUNG && work < 1e4 * YOUNG, "{close}: {work:e}");
        }
    }
}
