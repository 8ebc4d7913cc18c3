//! The stable step that is found without matrices, and frequencies that refining brings down.
//!
//! The frequencies themselves are compared in pliant-validation: MODE-FREE-1, MODE-FREE-2, MODE-CANT-1.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use crate::support;

use std::f64::consts::TAU;

use pliant_geometry::BoxElement;
use pliant_solid::integrator::{Inputs, stable_step};
use pliant_solid::law::LawKind;
use pliant_solid::term::{Coeffs, Grab, GrabPath};
use pliant_solid::{Kit, MassKind, Model};
use support::linear_algebra::{dense, generalized_eigenvalues};
use support::meshes::block;
use support::statics::dofs_outside;
use support::{Scene, Vec3, at_rest, moduli, node_at};

/// One of the reference boxes, 1000 kg/m^3, E = 1e6 Pa, `linear`.
#[derive(Clone, Copy)]
struct Case {
    size: Vec3,
    cells: [usize; 3],
    poisson: f64,
    element: BoxElement,
    clamped: bool,
}

const CUBE: Case =
    Case { size: [0.1; 3], cells: [6; 3], poisson: 0.3, element: BoxElement::Hex, clamped: false };
const CUBE_TETS: Case = Case { element: BoxElement::Tet6, ..CUBE };
const BRICK: Case = Case { size: [0.1, 0.15, 0.2], cells: [4, 6, 8], poisson: 0.4, ..CUBE };
const BEAM: Case = Case { size: [0.5, 0.05, 0.05], cells: [20, 2, 2], clamped: true, ..CUBE };
const BEAM_TETS: Case = Case { element: BoxElement::Tet6, ..BEAM };
const SOFT_BEAM: Case = Case { size: [0.4, 0.1, 0.1], cells: [8, 2, 2], ..BEAM };
const SPINNING: Case = Case { size: [0.1, 0.2, 0.3], cells: [2, 4, 6], ..CUBE };

fn clamped(p: Vec3) -> bool {
    p[0] < 1e-9
}

impl Case {
    fn scene(&self) -> Scene {
        let law = LawKind::Linear(moduli(1e6, self.poisson));
        let scene = Scene::new(block(self.size, self.cells, self.element), law);
        if self.clamped { scene.hold(clamped) } else { scene }
    }

    /// Angular frequencies, ascending, rigid motions included.
    fn omegas(&self, mass: MassKind) -> Vec<f64> {
        let model = self.scene().matter(|m| m.mass = mass).model();
        let kept = dofs_outside(&model, |p| self.clamped && clamped(p));
        let stiffness = dense(&model.tangent(&at_rest(&model), Coeffs { k: 1.0, d: 0.0 }), &kept);
        let mass = dense(&model.mass_matrix(), &kept);
        generalized_eigenvalues(&stiffness, &mass).into_iter().map(|l| l.max(0.0).sqrt()).collect()
    }
}

#[test]
fn refining_brings_the_frequencies_down_to_the_exact_ones() {
    // Ritz, no mesh: 89.1454, 120.0438, 122.0813, and the exact Lame mode 138.675049 Hz; displacement
    // elements with consistent mass are upper bounds
    let exact = [89.1454, 120.0438, 122.0813, 138.675049];
    let meshes = [2, 4, 6].map(|n| {
        let omegas = Case { cells: [n; 3], ..CUBE }.omegas(MassKind::Consistent);
        [6, 8, 11, 14].map(|k| omegas[k] / TAU)
    });
    for (k, exact) in exact.into_iter().enumerate() {
        let [coarse, middle, fine] = meshes.map(|frequencies| frequencies[k]);
        assert!(
            coarse > middle && middle > fine && fine > exact,
            "mode {k}: {coarse} {middle} {fine} {exact}"
        );
    }
}

/// The limit found by the iteration, from a standing start.
fn limit(model: &Model, inputs: &Inputs) -> f64 {
    let state = model.initial_state();
    let mut mode = vec![0.0; state.x.len()];
    stable_step(model, &state, &mut Kit::new(model, support::explicit()), &mut mode, inputs).dt
}

/// Never above the true limit, and at most 5 % below it.
fn assert_limit(name: &str, found: f64, exact: f64) {
    println!("{name}: found {found:.6e} s, exact {exact:.6e} s, ratio {:.4}", found / exact);
    assert!(found <= exact, "{name}: {found:e} is above {exact:e}");
    assert!(found > 0.95 * exact, "{name}: {found:e} is too far below {exact:e}");
}

#[test]
fn stable_step_is_two_over_the_highest_frequency() {
    // the tabulated omega_max of lumped mass; 4.3719061e-4 s, 3.0444001e-4 s, 4.8707143e-4 s and so on
    let cases = [
        ("MODE-FREE-1 hex8", CUBE, 4574.6637),
        ("MODE-FREE-1 tet4", CUBE_TETS, 6569.4387),
        ("MODE-FREE-2 hex8", BRICK, 4106.1739),
        ("MODE-CANT-1 hex8", BEAM, 3105.7063),
        ("MODE-CANT-1 tet4", BEAM_TETS, 4429.8951),
        // ORDER-DT-1: dt_crit at u = 0, of blocks 5 and 10 times softer
        ("DYN-CANT-1 hex8", SOFT_BEAM, 2.0 / 2.879963e-3 * 5_f64.sqrt()),
        ("DYN-SPIN-1 hex8", SPINNING, 2.0 / 4.114788e-3 * 10_f64.sqrt()),
    ];
    for (name, case, omega) in cases {
        assert_limit(name, limit(&case.scene().model(), &Inputs::default()), 2.0 / omega);
        // `auto` itself, with the scene file's default safety: within 5 % below the tabulated step
        assert_limit(name, case.scene().auto(0.96).world().state().solver.dt, 2.0 / omega);
    }
}

/// (2/w)(sqrt(1 + xi^2) - xi) with xi = beta w / 2.
fn damped_limit(omega: f64, beta: f64) -> f64 {
    let xi = 0.5 * beta * omega;
    2.0 / omega * ((1.0 + xi * xi).sqrt() - xi)
}

#[test]
fn stiffness_damping_shortens_the_stable_step() {
    for (name, case, omega) in [("cube", CUBE, 4574.6637), ("tet beam", BEAM_TETS, 4429.8951)] {
        // light, critical and heavy damping of the highest mode
        for beta in [1e-5, 2.0 / omega, 1e-2] {
            let model = case.scene().matter(|m| m.stiffness_damping = beta).model();
            let name = format!("{name}, beta {beta:.1e} s");
            assert_limit(&name, limit(&model, &Inputs::default()), damped_limit(omega, beta));
        }
    }
}

#[test]
fn mass_damping_does_not_shorten_the_stable_step() {
    // it is treated implicitly
    let damped = CUBE.scene().matter(|m| m.mass_damping = 1e4).model();
    assert_limit("mass damped", limit(&damped, &Inputs::default()), 2.0 / 4574.6637);
}

/// The highest frequency of a case with a spring on one node, from its own dense matrices.
fn omega_with_spring(case: Case, place: Vec3, stiffness: f64) -> f64 {
    let scene = case.scene().term(move |layout| grab(node_at(layout, place), stiffness, 0.0));
    let model = scene.model();
    let kept = dofs_outside(&model, |p| case.clamped && clamped(p));
    let k = dense(&model.tangent(&at_rest(&model), Coeffs { k: 1.0, d: 0.0 }), &kept);
    let m = dense(&model.mass_matrix(), &kept);
    let values = generalized_eigenvalues(&k, &m);
    values[values.len() - 1].sqrt()
}

fn grab(node: u32, stiffness: f64, damping: f64) -> Grab {
    let path = GrabPath::held_at([0.0; 3]);
    Grab { point: [(node, 1.0)].into(), path, stiffness, damping, max_force: f64::INFINITY }
}

#[test]
fn a_stiff_hand_shortens_the_stable_step() {
    // a corner node of the cube weighs 1000 (0.1/6)^3 / 8 kg = 0.58 g; 1e5 N/m on it swings at 1.3e4 rad/s
    let place = [0.0; 3];
    let (mass, stiffness) = (1000.0 * (0.1_f64 / 6.0).powi(3) / 8.0, 1e5);
    let omega = omega_with_spring(CUBE, place, stiffness);
    assert!(omega > (stiffness / mass).sqrt() && omega < 1.2 * (stiffness / mass).sqrt(), "{omega}");
    let scripted = CUBE.scene().term(move |layout| grab(node_at(layout, place), stiffness, 0.0)).model();
    assert_limit("scripted hand", limit(&scripted, &Inputs::default()), 2.0 / omega);
    let plain = CUBE.scene().model();
    let hands = [grab(node_at(plain.layout(), place), stiffness, 0.0)];
    assert_limit("live hand", limit(&plain, &Inputs { grabs: &hands, ..Inputs::default() }), 2.0 / omega);
}

#[test]
fn a_damped_hand_shortens_the_stable_step_further() {
    // the hand's node alone: k = 1e5 N/m, c = 20 N s/m on m = 0.58 g, dt^2 k/m + 2 dt c/m = 4
    let (mass, k, c) = (1000.0 * (0.1_f64 / 6.0).powi(3) / 8.0, 1e5, 20.0);
    let alone = 4.0 / (c / mass + ((c / mass).powi(2) + 4.0 * k / mass).sqrt());
    let scene = CUBE.scene().term(move |layout| grab(node_at(layout, [0.0; 3]), k, c));
    let found = limit(&scene.model(), &Inputs::default());
    // the body's own stiffness at that node, under 5 % of k, shortens it a little more
    println!("damped hand: {found:e} {alone:e}");
    assert!(found <= alone && found > 0.93 * alone, "{found:e} {alone:e}");
}

#[test]
fn held_nodes_do_not_count_and_an_all_held_body_has_no_limit() {
    let everything = Scene::new(block([0.1; 3], [2; 3], BoxElement::Hex), LawKind::Linear(moduli(1e6, 0.3)))
        .hold(|_| true)
        .model();
    assert_eq!(limit(&everything, &Inputs::default()), f64::INFINITY);
    let free = BEAM.scene();
    let pinned: Vec<u32> = (0..free.model().layout().free_count() as u32).collect();
    assert_eq!(limit(&free.model(), &Inputs { pins: &pinned, ..Inputs::default() }), f64::INFINITY);
}
