//! Meshes of many partitions: blocks, parts and their seams add up to the plain sum over elements.

use pliant_geometry::{BoxElement, Mesh};
use pliant_numerics::Mat3;
use pliant_solid::assembly::Precision;
use pliant_solid::element::{Element, Hex8, Tet4};
use pliant_solid::law::{Law, LawKind, StVenant};
use pliant_solid::term::{Coeffs, Scatter};
use pliant_solid::{FullState, Model};

use super::support::meshes::{block, distorted};
use super::support::{Noise, Scene, Vec3, forces, moduli, peak, peak_difference, placed, stored, triple};

const YOUNG: f64 = 1e5;

fn law() -> StVenant {
    StVenant::new(moduli(YOUNG, 0.3))
}

/// Forces and energy of some elements, one after another, in plain numbers.
fn plain_sum<E: Element<N, Q>, const N: usize, const Q: usize>(
    model: &Model,
    cells: &[[u32; N]],
    full: &FullState,
    force: &mut [f64],
) -> f64 {
    let body = &model.layout().bodies()[0];
    let mut energy = 0.0;
    for nodes in cells {
        let world = nodes.map(|n| body.world[n as usize]);
        let rest = E::rest_points(&nodes.map(|n| body.mesh.positions()[n as usize]));
        let gradients = E::gradients(&world.map(|n| triple(&full.x, n)));
        let flux: [Mat3<f64>; Q] = std::array::from_fn(|q| {
            let (inverse, weight) = rest[q];
            let h = (gradients[q] * inverse).add_diagonal(-1.0);
            energy += weight * law().energy(&h, &());
            (law().first_piola(&h, &()) * inverse.transpose()).scale(-weight)
        });
        for (n, f) in world.iter().zip(E::divergence(&flux)) {
            (0..3).for_each(|c| force[3 * *n as usize + c] += f[c]);
        }
    }
    energy
}

/// Smoothly bent, with every node a little off.
fn bent(model: &Model) -> FullState {
    let mut noise = Noise::new(81);
    placed(model, |[x, y, z]: Vec3| {
        let off = 1e-4 * noise.next();
        [x + 0.3 * y * z + off, y - 0.2 * x * x, z + 0.1 * x * y - off]
    })
}

/// Checks forces, energy and the applied tangent in a pool of `threads`.
fn adds_up(name: &str, mesh: Mesh, threads: usize) {
    let model = Scene::new(mesh, LawKind::StVenant(moduli(YOUNG, 0.3))).model();
    let (full, mesh) = (bent(&model), &model.layout().bodies()[0].mesh);
    let mut expected = vec![0.0; full.x.len()];
    let energy = plain_sum::<Tet4, 4, 1>(&model, mesh.tets(), &full, &mut expected)
        + plain_sum::<Hex8, 8, 8>(&model, mesh.hexes(), &full, &mut expected);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let ours = pool.install(|| forces(&model, &full));
    assert!(peak_difference(&ours, &expected) < 1e-12 * peak(&expected), "{name}");
    assert!((stored(&model, &full) - energy).abs() < 1e-12 * energy, "{name}");
    // the tangent along a direction is the difference of forces along it
    let direction = Noise::new(82).vector(full.x.len(), 1e-3);
    let mut applied = vec![0.0; full.x.len()];
    pool.install(|| {
        for term in model.terms() {
            let mut scratch = term.new_scratch();
            let mut out = Scatter::new(&mut applied, &mut scratch);
            term.tangent_apply_add(&full.at(), Coeffs { k: 1.0, d: 0.0 }, &direction, &mut out);
        }
    });
    let shifted = |sign: f64| {
        let x = full.x.iter().zip(&direction).map(|(x, d)| x + sign * 1e-3 * d).collect();
        forces(&model, &FullState { time: 0.0, v: vec![0.0; full.x.len()], x, ..FullState::default() })
    };
    let slope: Vec<f64> = shifted(-1.0).iter().zip(shifted(1.0)).map(|(a, b)| (a - b) / 2e-3).collect();
    assert!(peak_difference(&slope, &applied) < 1e-6 * peak(&applied), "{name}");
}

#[test]
fn partitions_add_up_to_the_plain_sum() {
    let (size, cells) = ([0.5, 0.5, 1.2], [10, 10, 24]);
    for threads in [1, 2] {
        adds_up("tet5", block(size, cells, BoxElement::Tet5), threads);
        adds_up("tet6, distorted", distorted(size, cells, BoxElement::Tet6, 0.1), threads);
        adds_up("hexes of one shape", block(size, cells, BoxElement::Hex), threads);
        adds_up("distorted hexes", distorted(size, cells, BoxElement::Hex, 0.1), threads);
    }
}

#[test]
fn many_partitions_add_up_to_the_plain_sum() {
    // 50 000 tets and 27 000 hexes: so many seams that they are summed side by side
    adds_up("tets", block([1.0; 3], [22, 22, 21], BoxElement::Tet5), 2);
    adds_up("hexes", block([1.0; 3], [30; 3], BoxElement::Hex), 2);
}

#[test]
fn a_body_may_mix_elements() {
    // tets below z = 1/2, hexes above: no matching faces, but forces are sums of both terms
    let (low, high) = (
        block([1.0, 1.0, 0.5], [9, 9, 9], BoxElement::Tet5),
        block([1.0, 1.0, 0.5], [9, 9, 9], BoxElement::Hex),
    );
    let mut positions = low.positions().to_vec();
    let offset = positions.len() as u32;
    positions.extend(high.positions().iter().map(|p| [p[0], p[1], p[2] + 0.5]));
    let hexes = high.hexes().iter().map(|h| h.map(|n| n + offset)).collect();
    adds_up("mixed", super::support::meshes::mesh(positions, low.tets().to_vec(), hexes), 2);
}

#[test]
fn floats_add_up_as_well() {
    let mesh = block([0.5, 0.5, 1.2], [10, 10, 24], BoxElement::Tet5);
    let model = Scene::new(mesh, LawKind::StVenant(moduli(YOUNG, 0.3))).precision(Precision::Single).model();
    let full = bent(&model);
    let mut expected = vec![0.0; full.x.len()];
    plain_sum::<Tet4, 4, 1>(&model, model.layout().bodies()[0].mesh.tets(), &full, &mut expected);
    let error = peak_difference(&forces(&model, &full), &expected);
    // displacements of 0.4 m rounded to floats are off by u eps / 2, a strain of u eps / (2 h) and a
    // force of E h u eps / 2 in each of up to 32 tets at a node, which add like random numbers: sqrt(32)
    let (h, u) = (0.05, 0.4);
    let rounding = 0.5 * YOUNG * h * u * f64::from(f32::EPSILON) * 32_f64.sqrt();
    println!(
        "f32 forces off by {error:.1e} N of {:.1e} N, rounding allows {rounding:.1e} N",
        peak(&expected)
    );
    assert!(error < rounding, "{error:e}");
    // a row lost at a seam would show: it is of the size of the forces
    assert!(rounding < 2e-5 * peak(&expected));
}
