//! The figures of a spring and a dashpot move as theory says when a parameter is changed.
#![allow(clippy::unwrap_used, missing_docs)]

use pliant_validation::reproduce::schoner_euler::{Setup, factor, growth};

#[test]
fn a_stiffer_spring_has_the_factor_of_its_own_stiffness() {
    for stiffness in [100.0, 200.0, 400.0] {
        let setup = Setup { stiffness, ..Setup::default() };
        let h = 0.04;
        let seen = factor(&setup.implicit(h, 5).unwrap());
        let theory = (setup.damping / h) / (stiffness + setup.damping / h);
        assert!((seen / theory - 1.0).abs() < 1e-4, "{stiffness}: {seen} {theory}");
        let explicit = factor(&setup.explicit(h, 5));
        assert!((explicit - (1.0 - stiffness * h / setup.damping)).abs() < 1e-12, "{explicit}");
    }
}

#[test]
fn a_mass_that_is_not_small_is_seen() {
    // (5): the larger root of (m/h^2 + b/h + k) r^2 - (2 m/h^2 + b/h) r + m/h^2 = 0
    let setup = Setup { mass: 0.05, ..Setup::default() };
    let h = 0.01;
    let (m, b) = (setup.mass / (h * h), setup.damping / h);
    let (a, p) = (m + b + setup.stiffness, 2.0 * m + b);
    let root = (p + (p * p - 4.0 * a * m).sqrt()) / (2.0 * a);
    let seen = factor(&setup.implicit(h, 60).unwrap());
    assert!((seen / root - 1.0).abs() < 1e-6, "{seen} {root}");
    let massless = b / (setup.stiffness + b);
    assert!((seen / massless - 1.0).abs() > 1e-3, "{seen} {massless}");
}

#[test]
fn explicit_steps_blow_up_beyond_twice_b_over_k_and_implicit_ones_never() {
    let setup = Setup::default();
    let limit = 2.0 * setup.damping / setup.stiffness;
    assert!(growth(&setup.explicit(0.99 * limit, 200)) <= 1.0);
    assert!(growth(&setup.explicit(1.01 * limit, 200)) > 40.0);
    assert!(growth(&setup.implicit(100.0 * limit, 20).unwrap()) <= 1.0);
}

#[test]
fn both_schemes_come_to_the_exponential_at_first_order() {
    let setup = Setup::default();
    let end = setup.damping / setup.stiffness;
    let error = |steps: usize| {
        let h = end / steps as f64;
        let last = |x: &[f64]| (x[steps] / setup.exact(end) - 1.0).abs();
        [last(&setup.explicit(h, steps)), last(&setup.implicit(h, steps).unwrap())]
    };
    let (coarse, fine) = (error(50), error(100));
    for scheme in 0..2 {
        let order = (coarse[scheme] / fine[scheme]).log2();
        assert!((order - 1.0).abs() < 0.03, "{scheme}: {order}");
    }
}
