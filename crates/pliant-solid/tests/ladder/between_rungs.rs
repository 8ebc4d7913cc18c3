//! Between the rungs, the open question at the end of [Zhuang 4.2]: M + h D for any h from the factor for another one.
//!
//! ```text
//! (M + h0 D)^-1 (M + h D):  eigenvalues (1 + h d) / (1 + h0 d), d >= 0, between 1 and h / h0     (1)
//! error after m steps of conjugate gradients <= 2 q^m,  q = (sqrt k - 1) / (sqrt k + 1),  k = h / h0   (2)
//! ```
//!
//! With a factor at every power of two, the nearest has k <= sqrt 2 and (2) asks for 10 steps of 1e-10; with one factor of a
//! whole octave k <= 2 and 14.

use std::sync::Arc;

use pliant_geometry::BoxElement;
use pliant_numerics::BlockCholesky;
use pliant_solid::MassKind;
use pliant_solid::law::LawKind;

use crate::support::between_rungs::{matrix, steps};
use crate::support::meshes::block;
use crate::support::{Noise, Scene, moduli};

#[test]
fn conjugate_gradients_with_the_nearest_rung_keep_their_bound() {
    let scene = Scene::new(block([0.1; 3], [5; 3], BoxElement::Hex), LawKind::Linear(moduli(1e6, 0.3)))
        .matter(|m| (m.mass, m.stiffness_damping, m.mass_damping) = (MassKind::Consistent, 1e-2, 3.0));
    let model = scene.model();
    let structure = model.structure();
    let mut factor = BlockCholesky::analyse(structure.free(), &model.elimination().order).unwrap();
    let free = vec![false; factor.len()];
    let h0 = 1e-4;
    factor.factor(&matrix(&model, h0), &free).unwrap();
    let b = Noise::new(3).vector(factor.len(), 1.0);
    // 2 q^m = 1e-10 sqrt k; the residual's norm may lag behind the bound of the energy norm by that
    for (k, bound) in [(1.0, 1), (2_f64.powf(0.25), 8), (2_f64.sqrt(), 10), (2.0, 14), (4.0, 23)] {
        let found = [h0 * k, h0 / k].map(|h| steps(&matrix(&model, h), &mut factor, &b));
        println!("h / h0 = {k:.3} and its inverse: {found:?} steps, bound {bound}");
        assert!(found.iter().all(|n| *n <= bound), "{k}: {found:?}");
        assert!(k < 1.2 || found.iter().all(|n| 2 * n > bound), "{k}: the bound is far off, {found:?}");
    }
    assert!(Arc::ptr_eq(structure.free(), structure.all()));
}

/// The largest |z| of the modes x_n = z^n of a step of length dt = 1 with frequency w, damper d and d0 in the matrix of half a step:
/// (2 + d0) z (z - 1)^2 + 2 w^2 z^2 + 2 d z (z - 1) + (d - d0) (z - 1)^2 = 0, by a long run of the recurrence.
fn growth(w: f64, d: f64, d0: f64) -> f64 {
    let (mut x, mut v, mut a) = (1e-3, 1.0, 0.3);
    let mut largest = 0.0_f64;
    for step in 0..4000 {
        let expected = v + a;
        x += v + 0.5 * a;
        let change = (-w * w * x - d * expected - a) / (1.0 + 0.5 * d0);
        v = expected + 0.5 * change;
        a += change;
        if !x.is_finite() || x.abs() > 1e12 {
            return f64::INFINITY;
        }
        largest = if step > 2000 { largest.max(x.abs()) } else { 0.0 };
    }
    largest
}

#[test]
fn the_factor_of_a_longer_stable_step_is_stable_for_any_shorter_one() {
    // T = 0.96 of the limit, steps T / rho: w dt = 1.92 / rho for the highest mode, h / (dt/2) = rho
    for rho in [1.0, 1.1, 1.4, 2.0, 3.0, 8.0] {
        for part in [0.05, 0.3, 0.7, 1.0] {
            for d in [1e-3, 0.1, 1.0, 10.0, 100.0] {
                let peak = growth(1.92 / rho * part, d, rho * d);
                assert!(peak < 1e3, "rho {rho}, w {part}, d {d}: {peak:e}");
            }
        }
    }
    // a factor of a shorter step is not: dt^2 w^2 + 4 dt (d - d0) > 4
    assert_eq!(growth(1.0, 10.0, 5.0), f64::INFINITY);
    // nor is one that damps what is hardly damped, near the limit: dt^2 w^2 (d0 - d) > (2 + d) d
    assert_eq!(growth(1.7, 0.1, 0.3), f64::INFINITY);
}
