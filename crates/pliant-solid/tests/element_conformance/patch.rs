//! PATCH-1, PATCH-2: distorted elements reproduce a uniform strain exactly.

use pliant_geometry::Mesh;
use pliant_numerics::Mat3;
use pliant_solid::law::LawKind;
use pliant_solid::{FullState, Model};

use super::support::meshes::{on_cube, patches};
use super::support::statics::{dofs_outside, relax};
use super::support::{
    Noise, Scene, Vec3, forces, linear_map, moduli, nodes_in, peak, peak_difference, placed, stored,
};

/// The mean of P over the unit cube, from nodal forces: sum f_i (x) X_i = - int P dV.
fn mean_piola(model: &Model, full: &FullState) -> Mat3<f64> {
    let (force, rest) = (forces(model, full), model.layout().rest());
    let pairs = force.chunks_exact(3).zip(rest.chunks_exact(3));
    pairs.fold(Mat3::zero(), |sum, (f, x)| sum - Mat3::dyad([f[0], f[1], f[2]], [x[0], x[1], x[2]]))
}

/// Outer nodes at their places, inner ones pushed off theirs, then let go.
fn solve(
    mesh: Mesh,
    law: LawKind,
    place: impl Fn(Vec3) -> Vec3,
    push: f64,
) -> (std::sync::Arc<Model>, FullState) {
    let model = Scene::new(mesh, law).model();
    let mut noise = Noise::new(51);
    let start =
        placed(&model, |p| if on_cube(p) { place(p) } else { place(p).map(|c| c + push * noise.next()) });
    let kept = dofs_outside(&model, on_cube);
    assert_eq!(kept.len(), 24, "eight inner nodes are free");
    let load = vec![0.0; start.x.len()];
    let full = relax(&model, start, &kept, &load);
    (model, full)
}

fn assert_matrix(name: &str, ours: Mat3<f64>, expected: Mat3<f64>, tolerance: f64) {
    assert!((ours - expected).norm() < tolerance, "{name}: {ours:?} instead of {expected:?}");
}

#[test]
fn distorted_elements_carry_a_uniform_small_strain() {
    // MacNeal and Harder 1985: E = 1e6, nu = 0.25, u = 1e-3 (2x+y+z, x+2y+z, x+y+2z) / 2;
    // published: sigma_ii = 2000, tau_ij = 400 everywhere; energy 3.6 J = (3*2000 + 3*400) 1e-3 / 2
    let h = Mat3([[2.0, 1.0, 1.0], [1.0, 2.0, 1.0], [1.0, 1.0, 2.0]]).scale(0.5e-3);
    let stress = Mat3([[2000.0, 400.0, 400.0], [400.0, 2000.0, 400.0], [400.0, 400.0, 2000.0]]);
    let place = linear_map(h.add_diagonal(1.0));
    for (name, mesh) in patches() {
        let (model, full) = solve(mesh, LawKind::Linear(moduli(1e6, 0.25)), place, 1e-2);
        // 1e-10 of the displacements, which are 2e-3
        assert!(peak_difference(&full.x, &placed(&model, place).x) < 1e-10 * 2e-3, "{name}");
        assert_matrix(name, mean_piola(&model, &full), stress, 1e-10 * 2000.0);
        assert!((stored(&model, &full) - 3.6).abs() < 1e-10 * 3.6, "{name}");
        // every cell alike: von Mises of pure shear 400 on three planes is sqrt(3 * 3) * 400
        let [fields] = model.fields(&full).try_into().unwrap();
        assert!(fields.von_mises.iter().all(|s| (s - 1200.0).abs() < 1e-9 * 1200.0), "{name}");
        assert!(fields.energy_density.iter().all(|w| (w - 3.6).abs() < 1e-10 * 3.6), "{name}");
    }
}

/// F of PATCH-2.
const F: Mat3<f64> = Mat3([[1.2, 0.3, 0.0], [0.0, 0.9, 0.1], [0.2, 0.0, 1.1]]);

fn finite_patch(law: LawKind, piola: Mat3<f64>, energy: f64, tolerance: f64) {
    for (name, mesh) in patches() {
        let (model, full) = solve(mesh, law, linear_map(F), 0.02);
        assert!(peak_difference(&full.x, &placed(&model, linear_map(F)).x) < 1e-10, "{name}");
        assert_matrix(name, mean_piola(&model, &full), piola, tolerance * piola.norm());
        assert!((stored(&model, &full) - energy).abs() < tolerance * energy, "{name}");
        let [fields] = model.fields(&full).try_into().unwrap();
        assert!(fields.energy_density.iter().all(|w| (w - energy).abs() < tolerance * energy), "{name}");
        // det F = 1.2 * 0.99 + 0.3 * 0.1 * 0.2 = 1.194
        assert!(fields.volume_ratio.iter().all(|j| (j - 1.194).abs() < 1e-12), "{name}");
        let inner = nodes_in(model.layout(), &|p| !on_cube(p));
        let force = forces(&model, &full);
        let left: Vec<f64> = inner.iter().flat_map(|&n| force[3 * n as usize..][..3].to_vec()).collect();
        assert!(peak(&left) < 1e-10 * peak(&force), "{name}: inner nodes are in balance");
    }
}

#[test]
fn distorted_elements_carry_a_uniform_finite_strain_under_st_venant() {
    // closed form, rational: lambda = mu = 4e5
    let piola = Mat3([
        [417_600.0, 196_800.0, 116_400.0],
        [138_400.0, 75_600.0, 53_200.0],
        [159_200.0, 68_400.0, 246_400.0],
    ]);
    finite_patch(LawKind::StVenant(moduli(1e6, 0.25)), piola, 84_100.0, 1e-10);
}

#[test]
fn distorted_elements_carry_a_uniform_finite_strain_under_neo_hookean() {
    // closed form, printed to 10 digits
    let piola = Mat3([
        [207_147.713_5, 114_487.832_6, 49_609.506_6],
        [90_950.762_2, -3_803.048_7, 23_463.497_8],
        [71_731.748_9, 33_073.004_4, 142_342.960_2],
    ]);
    finite_patch(LawKind::NeoHookean(moduli(1e6, 0.25)), piola, 55_364.091_4, 1e-9);
}

#[test]
fn uniaxial_stress_needs_no_lateral_force() {
    // SVK-UNI-1 on one hexahedron and on six tetrahedra: ends pulled to l, the sides find
    // sqrt(1 - nu (l^2 - 1)) by themselves; P11 = (E/2) l (l^2 - 1), E = 1e5, nu = 0.3
    use super::support::meshes::block;
    use pliant_geometry::BoxElement;
    for (stretch, stress) in [(0.7, -17850.0), (0.9, -8550.0), (1.2, 26400.0), (1.5, 93750.0)] {
        for element in [BoxElement::Hex, BoxElement::Tet6] {
            let law = LawKind::StVenant(moduli(1e5, 0.3));
            let model = Scene::new(block([1.0; 3], [1; 3], element), law).model();
            // symmetry planes at x, y, z = 0; x = 1 pulled
            let start = placed(&model, |p| [stretch * p[0], p[1], p[2]]);
            let kept: Vec<usize> = (0..start.x.len()).filter(|&i| i % 3 != 0 && start.x[i] > 0.5).collect();
            let load = vec![0.0; start.x.len()];
            let full = relax(&model, start, &kept, &load);
            let across = (1.0_f64 - 0.3 * (stretch * stretch - 1.0)).sqrt();
            let expected = placed(&model, |p| [stretch * p[0], across * p[1], across * p[2]]);
            assert!(peak_difference(&full.x, &expected.x) < 1e-9, "{element:?} {stretch}");
            let pull: f64 = nodes_in(model.layout(), &|p| p[0] > 0.5)
                .iter()
                .map(|&n| -forces(&model, &full)[3 * n as usize])
                .sum();
            assert!((pull - stress).abs() < 1e-9 * 1e5, "{element:?} {stretch}: {pull}");
        }
    }
}

#[test]
fn fields_stand_in_the_order_of_the_mesh() {
    // x = X + 0.2 X^2 along each axis: det F of a tetrahedron from its own edges, before and after
    use super::support::meshes::block;
    use pliant_geometry::BoxElement;
    use pliant_solid::assembly::Precision;
    let bend = |p: Vec3| p.map(|c| c + 0.2 * c * c);
    let mesh = block([1.0, 0.8, 0.6], [8, 7, 9], BoxElement::Tet6);
    let volume = |tet: &[u32; 4], place: &dyn Fn(Vec3) -> Vec3| {
        let [a, b, c, d] = tet.map(|n| place(mesh.positions()[n as usize]));
        let edge = |p: Vec3| std::array::from_fn::<f64, 3, _>(|k| p[k] - a[k]);
        Mat3::from_columns([edge(b), edge(c), edge(d)]).determinant()
    };
    let expected: Vec<f64> = mesh.tets().iter().map(|t| volume(t, &bend) / volume(t, &|p| p)).collect();
    let law = LawKind::NeoHookean(moduli(1e5, 0.3));
    for (precision, tolerance) in [(Precision::Double, 1e-12), (Precision::Single, 1e-5)] {
        let model = Scene::new(mesh.clone(), law).precision(precision).model();
        let [fields] = model.fields(&placed(&model, bend)).try_into().unwrap();
        assert!(peak_difference(&fields.volume_ratio, &expected) < tolerance, "{precision:?}");
        assert!(fields.energy_density.iter().chain(&fields.von_mises).all(|v| *v > 0.0), "{precision:?}");
    }
}
