//! Initial strain, initial stress and relaxed shapes.

use pliant_numerics::Mat3;
use pliant_solid::assembly::{BuildError, InitialFields, Precision};
use pliant_solid::law::LawKind;
use pliant_solid::{FullState, Model};

use super::support::meshes::patches;
use super::support::statics::relax;
use super::support::{
    Noise, Scene, at_rest, forces, laws, linear_map, moduli, node_at, peak, peak_difference, placed, stored,
};

const YOUNG: f64 = 1e5;
const POISSON: f64 = 0.3;

fn hooke(strain: &Mat3<f64>) -> Mat3<f64> {
    let (lambda, mu) = moduli(YOUNG, POISSON).lame();
    strain.scale(2.0 * mu).add_diagonal(lambda * strain.trace())
}

/// eps0 of the tests: no axis is special.
const STRAIN: Mat3<f64> = Mat3([[0.05, 0.02, -0.01], [0.02, -0.04, 0.03], [-0.01, 0.03, 0.02]]);

fn uniform(cells: usize, stress: Option<Mat3<f64>>, relaxed: Option<Mat3<f64>>) -> InitialFields {
    let fill = |m: Option<Mat3<f64>>| m.map_or(vec![], |m| vec![m; cells]);
    InitialFields { stress: fill(stress), relaxed: fill(relaxed) }
}

/// All but six degrees of freedom: the origin is held, (1, 0, 0) stays on the x axis and (0, 1, 0) in
/// the plane z = 0, so that an upper triangular map of places is the answer and no force is needed.
fn statically_determinate(model: &Model) -> Vec<usize> {
    let dof = |place, axis: usize| 3 * node_at(model.layout(), place) as usize + axis;
    let held = [
        dof([0.0; 3], 0),
        dof([0.0; 3], 1),
        dof([0.0; 3], 2),
        dof([1.0, 0.0, 0.0], 1),
        dof([1.0, 0.0, 0.0], 2),
        dof([0.0, 1.0, 0.0], 2),
    ];
    (0..3 * model.layout().node_count()).filter(|i| !held.contains(i)).collect()
}

/// Equilibrium without loads, from nodes pushed off their places: the mesh's own shape may be an
/// unstable start, since it turns to relieve a compression.
fn relaxed_state(model: &Model, near: &Mat3<f64>) -> FullState {
    let kept = statically_determinate(model);
    let mut start = placed(model, linear_map(*near));
    let mut noise = Noise::new(60);
    kept.iter().for_each(|&i| start.x[i] += 0.01 * noise.next());
    let load = vec![0.0; start.x.len()];
    relax(model, start, &kept, &load)
}

/// The upper triangular U with U^T U = m.
fn upper_cholesky(m: &Mat3<f64>) -> Mat3<f64> {
    let mut u = Mat3::zero();
    for i in 0..3 {
        for j in i..3 {
            let sum: f64 = (0..i).map(|k: usize| u.0[k][i] * u.0[k][j]).sum();
            u.0[i][j] = if i == j { (m.0[i][i] - sum).sqrt() } else { (m.0[i][j] - sum) / u.0[i][i] };
        }
    }
    u
}

#[test]
fn a_free_body_takes_its_initial_strain_and_has_no_stress() {
    // [Zhuang 2.16] with sigma0 = 0: sigma = Lambda (eps - eps0) vanishes at eps = eps0.
    // linear: u = G X with sym(G) = eps0; quadratic: F^T F = I + 2 eps0; both upper triangular here
    let small = Mat3::from_fn(|i, j| if i < j { 2.0 * STRAIN.0[i][j] } else { STRAIN.0[i][j] });
    let small = Mat3::from_fn(|i, j| if i <= j { small.0[i][j] } else { 0.0 }).add_diagonal(1.0);
    let finite = upper_cholesky(&STRAIN.scale(2.0).add_diagonal(1.0));
    let m = moduli(YOUNG, POISSON);
    for (law, expected) in [(LawKind::Linear(m), small), (LawKind::StVenant(m), finite)] {
        for (name, mesh) in patches() {
            let initial = uniform(mesh.cell_count(), Some(-hooke(&STRAIN)), None);
            let model = Scene::new(mesh, law).matter(|m| m.initial = initial.clone()).model();
            let full = relaxed_state(&model, &expected);
            let difference = peak_difference(&full.x, &placed(&model, linear_map(expected)).x);
            assert!(difference < 1e-12, "{name} {law:?}: {difference:e}");
            assert!(peak(&forces(&model, &full)) < 1e-11 * YOUNG, "{name} {law:?}");
            let [fields] = model.fields(&full).try_into().unwrap();
            assert!(fields.von_mises.iter().all(|s| *s < 1e-11 * YOUNG), "{name} {law:?}");
            // measured from the mesh's shape: psi = Lambda eps0 : eps0 / 2 - Lambda eps0 : eps0
            let energy = -0.5 * hooke(&STRAIN).dot(&STRAIN);
            assert!((stored(&model, &full) - energy).abs() < 1e-11 * energy.abs(), "{name} {law:?}");
        }
    }
}

#[test]
fn a_held_body_carries_its_initial_stress() {
    // [Zhuang 2.16] with eps = 0: sigma = sigma0 - Lambda eps0
    let sigma0 = Mat3([[3e3, 1e3, -500.0], [1e3, -2e3, 700.0], [-500.0, 700.0, 1.5e3]]);
    let s0 = sigma0 - hooke(&STRAIN);
    let m = moduli(YOUNG, POISSON);
    for law in [LawKind::Linear(m), LawKind::StVenant(m)] {
        for (name, mesh) in patches() {
            let initial = uniform(mesh.cell_count(), Some(s0), None);
            let model = Scene::new(mesh, law).matter(|m| m.initial = initial.clone()).model();
            let rest = at_rest(&model);
            let force = forces(&model, &rest);
            let pairs = force.chunks_exact(3).zip(rest.x.chunks_exact(3));
            let mean = pairs
                .fold(Mat3::zero(), |sum, (f, x)| sum - Mat3::dyad([f[0], f[1], f[2]], [x[0], x[1], x[2]]));
            assert!((mean - s0).norm() < 1e-12 * YOUNG, "{name} {law:?}: {mean:?}");
        }
    }
}

#[test]
fn a_free_body_sheds_its_initial_stress() {
    // sigma = Lambda eps + sigma0 = 0: a hydrostatic pressure p inside stretches by p / (3 K), 3 K = E / (1 - 2 nu)
    let pressure = 2e3;
    let stretch = 1.0 + pressure * (1.0 - 2.0 * POISSON) / YOUNG;
    for (name, mesh) in patches() {
        let initial = uniform(mesh.cell_count(), Some(Mat3::diagonal(-pressure)), None);
        let law = LawKind::Linear(moduli(YOUNG, POISSON));
        let model = Scene::new(mesh, law).matter(|m| m.initial = initial.clone()).model();
        let full = relaxed_state(&model, &Mat3::identity());
        let expected = placed(&model, linear_map(Mat3::diagonal(stretch)));
        assert!(peak_difference(&full.x, &expected.x) < 1e-13, "{name}");
    }
}

/// A relaxed shape that stretches, shears and turns.
fn relaxed_shape() -> Mat3<f64> {
    Mat3::rotation([1.0, -1.0, 2.0], 0.8) * Mat3([[1.1, 0.1, 0.0], [0.0, 0.95, 0.05], [0.0, 0.0, 1.05]])
}

#[test]
fn a_body_in_its_relaxed_shape_has_no_stress_under_any_law() {
    let f0 = relaxed_shape();
    for (law_name, law) in laws(YOUNG, POISSON) {
        for (name, mesh) in patches() {
            let initial = uniform(mesh.cell_count(), None, Some(f0));
            let model = Scene::new(mesh, law).matter(|m| m.initial = initial.clone()).model();
            let full = placed(&model, linear_map(f0));
            assert!(peak(&forces(&model, &full)) < 1e-12 * YOUNG, "{name} {law_name}");
            assert!(stored(&model, &full).abs() < 1e-14 * YOUNG, "{name} {law_name}");
            let [fields] = model.fields(&full).try_into().unwrap();
            assert!(fields.volume_ratio.iter().all(|j| (j - 1.0).abs() < 1e-13), "{name} {law_name}");
            assert!(peak(&forces(&model, &at_rest(&model))) > 1e-2 * YOUNG, "the mesh's shape is stressed");
        }
    }
}

#[test]
fn a_relaxed_shape_is_as_good_as_a_relaxed_mesh() {
    // forces and energy at x are those of the mesh that was built as F0 X
    let f0 = relaxed_shape();
    for (law_name, law) in laws(YOUNG, POISSON) {
        for (name, mesh) in patches() {
            let built = mesh.clone().transformed(linear_map(f0)).unwrap();
            let initial = uniform(mesh.cell_count(), None, Some(f0));
            let wrapped = Scene::new(mesh, law).matter(|m| m.initial = initial.clone()).model();
            let plain = Scene::new(built, law).model();
            let mut noise = Noise::new(61);
            let full = placed(&wrapped, |p| linear_map(f0)(p).map(|c| c + 0.02 * noise.next()));
            // both worlds number the nodes along a curve of their own
            let order = |model: &Model, values: &[f64]| -> Vec<f64> {
                model.layout().bodies()[0]
                    .world
                    .iter()
                    .flat_map(|&n| values[3 * n as usize..][..3].to_vec())
                    .collect()
            };
            let mut x = vec![0.0; full.x.len()];
            let (from, to) = (&wrapped.layout().bodies()[0].world, &plain.layout().bodies()[0].world);
            for (a, b) in from.iter().zip(to) {
                x[3 * *b as usize..][..3].copy_from_slice(&full.x[3 * *a as usize..][..3]);
            }
            let moved = FullState { time: 0.0, v: vec![0.0; x.len()], x, ..FullState::default() };
            let (ours, theirs) =
                (order(&wrapped, &forces(&wrapped, &full)), order(&plain, &forces(&plain, &moved)));
            assert!(peak_difference(&ours, &theirs) < 1e-12 * YOUNG, "{name} {law_name}");
            let (ours, theirs) = (stored(&wrapped, &full), stored(&plain, &moved));
            assert!((ours - theirs).abs() < 1e-12 * theirs, "{name} {law_name}");
        }
    }
}

#[test]
fn prestress_and_relaxed_shapes_are_refused_where_they_mean_nothing() {
    let [(_, mesh), _] = patches();
    let build = |law: LawKind, initial: &InitialFields, precision: Precision| {
        let set = pliant_solid::Layout::new(vec![pliant_solid::BodyShape::new(
            "b",
            std::sync::Arc::new(mesh.clone()),
        )]);
        let body = &set.bodies()[0];
        pliant_solid::assembly::element_terms(&[pliant_solid::assembly::ElementSet {
            limit: None,
            body: 0,
            mesh: &body.mesh,
            cells: &body.cells,
            world: &body.world,
            rest: std::sync::Arc::clone(set.rest()),
            law,
            beta: 0.0,
            density: 1000.0,
            precision,
            initial,
        }])
        .err()
    };
    let m = moduli(YOUNG, POISSON);
    let stressed = uniform(mesh.cell_count(), Some(Mat3::identity()), None);
    let relaxed = uniform(mesh.cell_count(), None, Some(Mat3::identity()));
    assert_eq!(build(LawKind::NeoHookean(m), &stressed, Precision::Double), Some(BuildError::PrestressLaw));
    assert_eq!(build(LawKind::StVenant(m), &relaxed, Precision::Single), Some(BuildError::RelaxedSingle));
    assert_eq!(build(LawKind::StVenant(m), &stressed, Precision::Single), None);
}
