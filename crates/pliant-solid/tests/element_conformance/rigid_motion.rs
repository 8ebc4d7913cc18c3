//! RIGID-1: moving and turning a body costs nothing, and turns forces with it.

use pliant_numerics::Mat3;
use pliant_solid::term::Coeffs;
use pliant_solid::{FullState, Model};

use super::support::linear_algebra::{dense, eigenvalues};
use super::support::{
    Noise, Scene, Vec3, add, at_rest, cross, forces, laws, linear_map, peak, placed, stored, triple,
};
use super::{cell_size, meshes};

const YOUNG: f64 = 1e5;

/// 179 degrees about (1, 2, 3), then a shift of the size of the body.
fn motion(size: f64) -> (Mat3<f64>, impl Fn(Vec3) -> Vec3) {
    let r = Mat3::rotation([1.0, 2.0, 3.0], 179_f64.to_radians());
    (r, move |p| add(r.mul_vec(p), [0.3 * size, -0.7 * size, size]))
}

#[test]
fn rigid_motion_costs_nothing_except_under_linear_strain() {
    for (name, mesh) in meshes() {
        let (h, volume) = (cell_size(&mesh), mesh.volume());
        for (law_name, law) in laws(YOUNG, 0.3) {
            let model = Scene::new(mesh.clone(), law).model();
            let (_, moved) = motion(volume.cbrt());
            let full = placed(&model, moved);
            let (force, energy) = (peak(&forces(&model, &full)), stored(&model, &full));
            if law_name == "linear" {
                // the sanity of this test: linear strain must fail it, and grossly
                assert!(force > 0.1 * YOUNG * h * h && energy > 0.1 * YOUNG * volume, "{name}");
            } else {
                assert!(force < 1e-12 * YOUNG * h * h, "{name} {law_name}: {force:e}");
                assert!(energy.abs() < 1e-14 * YOUNG * volume, "{name} {law_name}: {energy:e}");
            }
        }
    }
}

#[test]
fn rest_has_no_force_and_no_energy() {
    for (name, mesh) in meshes() {
        for (law_name, law) in laws(YOUNG, 0.3) {
            let model = Scene::new(mesh.clone(), law).model();
            let full = at_rest(&model);
            let h = cell_size(&mesh);
            assert!(peak(&forces(&model, &full)) < 1e-13 * YOUNG * h * h, "{name} {law_name}");
            assert!(stored(&model, &full).abs() < 1e-14 * YOUNG * mesh.volume(), "{name} {law_name}");
        }
    }
}

/// Every node moved by up to a tenth of a cell's edge: |grad u| is about 0.2.
fn deformed(model: &Model, h: f64) -> FullState {
    let mut noise = Noise::new(31);
    placed(model, |p| p.map(|c| c + 0.1 * h * noise.next()))
}

#[test]
fn forces_turn_with_the_body() {
    // f(R x + c) = R f(x) and the energies are equal
    for (name, mesh) in meshes() {
        let h = cell_size(&mesh);
        for (law_name, law) in laws(YOUNG, 0.3).into_iter().skip(1) {
            let model = Scene::new(mesh.clone(), law).model();
            let full = deformed(&model, h);
            let (r, moved) = motion(h);
            let x: Vec<f64> = full.x.chunks_exact(3).flat_map(|p| moved([p[0], p[1], p[2]])).collect();
            let turned = FullState { time: 0.0, v: vec![0.0; x.len()], x, ..FullState::default() };
            let (f, f_turned) = (forces(&model, &full), forces(&model, &turned));
            for node in 0..model.layout().node_count() as u32 {
                let (expected, ours) = (r.mul_vec(triple(&f, node)), triple(&f_turned, node));
                let error = (0..3).map(|c| (expected[c] - ours[c]).abs()).fold(0.0, f64::max);
                assert!(error < 1e-12 * YOUNG * h * h, "{name} {law_name}: {error:e}");
            }
            let (energy, energy_turned) = (stored(&model, &full), stored(&model, &turned));
            assert!((energy - energy_turned).abs() < 1e-12 * energy, "{name} {law_name}");
        }
    }
}

#[test]
fn inner_forces_have_neither_resultant_nor_moment() {
    for (name, mesh) in meshes() {
        let h = cell_size(&mesh);
        for (law_name, law) in laws(YOUNG, 0.3) {
            let model = Scene::new(mesh.clone(), law).model();
            let full = deformed(&model, h);
            let force = forces(&model, &full);
            let (mut sum, mut moment) = ([0.0; 3], [0.0; 3]);
            for node in 0..model.layout().node_count() as u32 {
                sum = add(sum, triple(&force, node));
                moment = add(moment, cross(triple(&full.x, node), triple(&force, node)));
            }
            let scale = YOUNG * h * h;
            assert!(peak(&sum) < 1e-13 * scale * 100.0, "{name} {law_name}: {sum:?}");
            if law_name == "linear" {
                // moments balance about the rest shape only
                assert!(peak(&moment) > 1e-6 * scale, "{name}");
            } else {
                assert!(peak(&moment) < 1e-11 * scale, "{name} {law_name}: {moment:?}");
            }
        }
    }
}

#[test]
fn a_free_body_at_rest_has_six_modes_without_stiffness() {
    for (name, mesh) in meshes() {
        for (law_name, law) in laws(YOUNG, 0.3) {
            let model = Scene::new(mesh.clone(), law).model();
            let kept: Vec<usize> = (0..3 * model.layout().node_count()).collect();
            let values =
                eigenvalues(&dense(&model.tangent(&at_rest(&model), Coeffs { k: 1.0, d: 0.0 }), &kept));
            let largest = values[values.len() - 1];
            let zeros = values.iter().filter(|v| v.abs() < 1e-12 * largest).count();
            assert_eq!(zeros, 6, "{name} {law_name}: {:?}", &values[..8]);
            assert!(values[6] > 1e-4 * largest, "{name} {law_name}: no mode is nearly free");
            assert!(values[0] > -1e-12 * largest, "{name} {law_name}: rest is stable");
        }
    }
}

#[test]
fn under_stress_turning_meets_the_moment_of_the_forces() {
    // f(R x) = R f(x), differentiated along a turn w: K (w x x) = - w x f for K = - df/dx;
    // at a stress-free state this is one more mode without stiffness, translations always are
    for (name, mesh) in meshes() {
        let h = cell_size(&mesh);
        for (law_name, law) in laws(YOUNG, 0.3).into_iter().skip(1) {
            let model = Scene::new(mesh.clone(), law).model();
            let stretched =
                placed(&model, linear_map(Mat3([[1.2, 0.3, 0.0], [0.0, 0.9, 0.1], [0.2, 0.0, 1.1]])));
            let tangent = model.tangent(&stretched, Coeffs { k: 1.0, d: 0.0 });
            let force = forces(&model, &stretched);
            for axis in 0..3 {
                let mut w = [0.0; 3];
                w[axis] = 1.0;
                let field = |values: &[f64]| -> Vec<f64> {
                    values.chunks_exact(3).flat_map(|p| cross(w, [p[0], p[1], p[2]])).collect()
                };
                let (turn, expected) = (field(&stretched.x), field(&force));
                let mut ours = vec![0.0; turn.len()];
                tangent.multiply_into(&turn, &mut ours);
                let error = ours.iter().zip(&expected).fold(0.0, |e: f64, (a, b)| e.max((a + b).abs()));
                assert!(error < 1e-11 * YOUNG * h * h, "{name} {law_name}: {error:e}");
                assert!(peak(&expected) > 1e-2 * YOUNG * h * h, "the forces are not zero");
                let shift: Vec<f64> = turn.chunks_exact(3).flat_map(|_| w).collect();
                tangent.multiply_into(&shift, &mut ours);
                assert!(peak(&ours) < 1e-12 * YOUNG * h * 100.0, "{name} {law_name}");
            }
        }
    }
}
