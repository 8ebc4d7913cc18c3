//! Equilibria of our own forces and tangents against independent codes on the same meshes.
#![allow(clippy::unwrap_used, missing_docs)]

mod support;

use pliant_geometry::BoxElement;
use pliant_numerics::Mat3;
use pliant_solid::element::{Element, Hex8, Tet4};
use pliant_solid::law::LawKind;
use pliant_solid::{FullState, Model};
use support::meshes::block;
use support::statics::{dofs_outside, relax};
use support::{Scene, Vec3, add, at_rest, forces, moduli, node_at, nodes_in, stored, triple};

const BOTH: [BoxElement; 2] = [BoxElement::Hex, BoxElement::Tet6];

/// Nodes with z = 0 held, nodes at the top carried by `carry(fraction, rest)` in `stages`.
fn carried(model: &Model, height: f64, stages: usize, carry: impl Fn(f64, Vec3) -> Vec3) -> FullState {
    let ends = |p: Vec3| p[2] < 1e-9 || p[2] > height - 1e-9;
    let kept = dofs_outside(model, ends);
    let top = nodes_in(model.layout(), &|p| p[2] > height - 1e-9);
    let load = vec![0.0; 3 * model.layout().node_count()];
    let mut full = at_rest(model);
    for stage in 1..=stages {
        for &n in &top {
            let place = carry(stage as f64 / stages as f64, model.layout().rest_of(n));
            full.x[3 * n as usize..][..3].copy_from_slice(&place);
        }
        full = relax(model, full, &kept, &load);
    }
    full
}

/// The force that holds the top: minus the inner forces there.
fn force_on_top(model: &Model, full: &FullState, height: f64) -> Vec3 {
    let force = forces(model, full);
    let top = nodes_in(model.layout(), &|p| p[2] > height - 1e-9);
    top.into_iter().fold([0.0; 3], |sum, n| add(sum, triple(&force, n).map(|c| -c)))
}

fn assert_near(name: &str, ours: f64, reference: f64, tolerance: f64) {
    assert!((ours - reference).abs() < tolerance, "{name}: {ours} instead of {reference}");
}

#[test]
fn bonded_compression_of_st_venant() {
    // SVK-COMP-1: 0.1 m cube, 5^3, E = 1e5, nu = 0.3, top moved by -0.02; energies and forces printed
    // to 7 digits, checked there against CalculiX and scikit-fem
    let law = LawKind::StVenant(moduli(1e5, 0.3));
    let cases = [(1.714266, [0.0, 0.0, -150.3497]), (1.739183, [1.931856, 1.931856, -152.5274])];
    compression(law, 0.02, cases);
}

#[test]
fn bonded_compression_of_neo_hookean() {
    // NH-COMP-2: the same block, top moved by -0.04
    let law = LawKind::NeoHookean(moduli(1e5, 0.3));
    compression(law, 0.04, [(11.4449, [0.0, 0.0, -677.5777]), (11.67733, [11.61255, 11.61255, -693.7758])]);
}

fn compression(law: LawKind, by: f64, cases: [(f64, Vec3); 2]) {
    for (element, (energy, force)) in BOTH.into_iter().zip(cases) {
        let model = Scene::new(block([0.1; 3], [5; 3], element), law).model();
        let full = carried(&model, 0.1, 8, |s, [x, y, z]| [x, y, z - s * by]);
        assert_near("energy", stored(&model, &full), energy, 1e-6 * energy);
        let ours = force_on_top(&model, &full, 0.1);
        for c in 0..3 {
            assert_near("force", ours[c], force[c], 1e-6 * force[2].abs());
        }
    }
}

#[test]
fn twisted_block_of_st_venant() {
    // SVK-TWIST-1: 0.1 x 0.1 x 0.2 m, 4x4x8, top turned by 60 degrees without axial motion
    let cases = [
        (1.606013, [0.0, 0.0, 14.61041], [-0.0319979, 0.0171846, 0.0]),
        (2.07731, [-0.2894929, -1.080402, 15.66363], [-0.0309607, 0.0165096, 3.322504e-4]),
    ];
    for (element, (energy, force, edge)) in BOTH.into_iter().zip(cases) {
        let law = LawKind::StVenant(moduli(1e5, 0.3));
        let model = Scene::new(block([0.1, 0.1, 0.2], [4, 4, 8], element), law).model();
        let full = carried(&model, 0.2, 12, |s, [x, y, z]| {
            let r = Mat3::rotation([0.0, 0.0, 1.0], s * 60_f64.to_radians());
            add(r.mul_vec([x - 0.05, y - 0.05, 0.0]), [0.05, 0.05, z])
        });
        assert_near("energy", stored(&model, &full), energy, 1e-6 * energy);
        let ours = force_on_top(&model, &full, 0.2);
        let place = [0.1, 0.1, 0.1];
        let u = triple(&full.x, node_at(model.layout(), place));
        for c in 0..3 {
            assert_near("force", ours[c], force[c], 1e-6 * force[2]);
            assert_near("mid edge", u[c] - place[c], edge[c], 1e-7); // printed to 7 decimals
        }
    }
}

/// rho g int N_i dV, the consistent load of a body force, in world order.
fn weight(model: &Model, gravity: Vec3) -> Vec<f64> {
    let body = &model.layout().bodies()[0];
    let mut load = vec![0.0; 3 * model.layout().node_count()];
    let mut spread = |nodes: &[u32], volumes: &[f64]| {
        for (node, volume) in nodes.iter().zip(volumes) {
            let first = 3 * body.world[*node as usize] as usize;
            (0..3).for_each(|c| load[first + c] += 1000.0 * gravity[c] * volume);
        }
    };
    let corners = |n: u32| body.mesh.positions()[n as usize];
    body.mesh.tets().iter().for_each(|t| spread(t, &Tet4::lumped_weights(&t.map(corners))));
    body.mesh.hexes().iter().for_each(|h| spread(h, &Hex8::lumped_weights(&h.map(corners))));
    load
}

/// Equilibrium under weight, reached in stages.
fn hanging_down(model: &Model, clamped: impl Fn(Vec3) -> bool, gravity: Vec3, stages: usize) -> FullState {
    let kept = dofs_outside(model, clamped);
    let mut full = at_rest(model);
    for stage in 1..=stages {
        let part = stage as f64 / stages as f64;
        full = relax(model, full, &kept, &weight(model, gravity.map(|g| part * g)));
    }
    full
}

#[test]
fn heavy_cantilever_of_st_venant() {
    // SVK-CANT-1: 0.5 x 0.05 x 0.05 m, 20x2x2, E = 1e6, nu = 0.3, bends by half its length
    let cases =
        [(0.5736636, [-0.0806328, 0.0, -0.2542240]), (0.4036584, [-0.0347255, 0.0273801, -0.1691235])];
    for (element, (energy, tip)) in BOTH.into_iter().zip(cases) {
        let law = LawKind::StVenant(moduli(1e6, 0.3));
        let model = Scene::new(block([0.5, 0.05, 0.05], [20, 2, 2], element), law).model();
        let full = hanging_down(&model, |p| p[0] < 1e-9, [0.0, 0.0, -9.81], 10);
        assert_near("energy", stored(&model, &full), energy, 1e-6 * energy);
        let place = [0.5, 0.025, 0.025];
        let u = triple(&full.x, node_at(model.layout(), place));
        (0..3).for_each(|c| assert_near("tip", u[c] - place[c], tip[c], 1e-7));
    }
}

#[test]
fn the_bar_of_450_tetrahedra_hangs_as_five_codes_say() {
    // BAR450-STATIC: tip (0.1, 0.1, 1.0), clamped at z = 0, gravity along -y; 8 to 11 digits
    let cases = [
        (3e5, [-4.7040226e-5, -0.41413530276, -0.12781349320]),
        (5e5, [-7.7140648e-6, -0.26622927293, -0.05706690989]),
        (1e6, [1.4568602e-6, -0.13783851791, -0.01913512714]),
    ];
    for (young, tip) in cases {
        let mesh = block([0.3, 0.3, 1.0], [3, 3, 10], BoxElement::Tet5);
        let model = Scene::new(mesh, LawKind::StVenant(moduli(young, 0.33))).model();
        let full = hanging_down(&model, |p| p[2] < 1e-9, [0.0, -9.81, 0.0], 10);
        let place = [0.1, 0.1, 1.0];
        let u = triple(&full.x, node_at(model.layout(), place));
        (0..3).for_each(|c| assert_near("tip", u[c] - place[c], tip[c], 1e-10));
    }
}
