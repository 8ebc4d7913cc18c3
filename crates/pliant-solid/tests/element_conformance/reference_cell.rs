//! Shape functions, quadrature and mass on the reference cell and on given shapes.

use pliant_geometry::Mesh;
use pliant_numerics::Mat3;
use pliant_solid::assembly::lumped_volumes;
use pliant_solid::element::{Element, Hex8, Tet4};

use super::support::meshes::{block, patches};
use super::support::{Noise, Scene, Vec3, moduli};
use pliant_geometry::BoxElement;
use pliant_solid::law::LawKind;

const TET_CORNERS: [Vec3; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// VTK's numbering of a hexahedron.
const HEX_CORNERS: [Vec3; 8] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [1.0, 1.0, 1.0],
    [-1.0, 1.0, 1.0],
];

/// A point inside the reference cell: a mean of the corners with random weights.
fn inside<const N: usize>(corners: &[Vec3; N], noise: &mut Noise) -> Vec3 {
    let weights: Vec<f64> = (0..N).map(|_| noise.next() + 1.1).collect();
    let total: f64 = weights.iter().sum();
    let mean = |c: usize| corners.iter().zip(&weights).map(|(p, w)| w * p[c]).sum::<f64>() / total;
    std::array::from_fn(mean)
}

fn shapes_are_a_nodal_partition_of_unity<E: Element<N, Q>, const N: usize, const Q: usize>(
    corners: [Vec3; N],
) {
    for (i, corner) in corners.iter().enumerate() {
        for (j, value) in E::shape(*corner).into_iter().enumerate() {
            assert_eq!(value, f64::from(u8::from(i == j)), "N{j} at node {i}");
        }
    }
    let mut noise = Noise::new(20);
    for _ in 0..20 {
        let xi = inside(&corners, &mut noise);
        let shape = E::shape(xi);
        assert!((shape.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        // linear completeness: the nodes' coordinates give the point back
        for c in 0..3 {
            let x: f64 = shape.iter().zip(&corners).map(|(n, p)| n * p[c]).sum();
            assert!((x - xi[c]).abs() < 1e-15);
        }
    }
}

#[test]
fn shape_functions_are_one_at_their_node_and_sum_to_one() {
    shapes_are_a_nodal_partition_of_unity::<Tet4, 4, 1>(TET_CORNERS);
    shapes_are_a_nodal_partition_of_unity::<Hex8, 8, 8>(HEX_CORNERS);
}

fn shape_gradient_is_a_derivative<E: Element<N, Q>, const N: usize, const Q: usize>(corners: [Vec3; N]) {
    // shape functions are linear along each axis, so central differences are exact but for rounding
    let step = 1e-3;
    let mut noise = Noise::new(21);
    for _ in 0..20 {
        let xi = inside(&corners, &mut noise);
        let gradient = E::shape_gradient(xi);
        for c in 0..3 {
            let (mut low, mut high) = (xi, xi);
            low[c] -= step;
            high[c] += step;
            let (low, high) = (E::shape(low), E::shape(high));
            for i in 0..N {
                assert!(((high[i] - low[i]) / (2.0 * step) - gradient[i][c]).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn shape_gradients_agree_with_differences() {
    shape_gradient_is_a_derivative::<Tet4, 4, 1>(TET_CORNERS);
    shape_gradient_is_a_derivative::<Hex8, 8, 8>(HEX_CORNERS);
}

fn gradients_and_divergence_are_sums<E: Element<N, Q>, const N: usize, const Q: usize>() {
    let mut noise = Noise::new(22);
    let values: [Vec3; N] = std::array::from_fn(|_| std::array::from_fn(|_| noise.next()));
    let flux: [Mat3<f64>; Q] = std::array::from_fn(|_| noise.matrix(1.0));
    let (gradients, nodal) = (E::gradients(&values), E::divergence(&flux));
    let slopes = E::quadrature().map(|(xi, _)| E::shape_gradient(xi));
    // gradient at q: sum_i value_i (x) grad N_i
    for q in 0..Q {
        let sum = (0..N).fold(Mat3::zero(), |sum, i| sum + Mat3::dyad(values[i], slopes[q][i]));
        assert!((gradients[q] - sum).norm() < 1e-14, "gradient at point {q}");
    }
    // force on i: sum_q flux_q grad N_i
    for i in 0..N {
        let sum: Vec3 =
            (0..Q).fold([0.0; 3], |sum, q| super::support::add(sum, flux[q].mul_vec(slopes[q][i])));
        assert!((0..3).all(|c| (nodal[i][c] - sum[c]).abs() < 1e-14), "divergence at node {i}");
    }
    // hence transposes of each other
    let left: f64 = gradients.iter().zip(&flux).map(|(g, f)| g.dot(f)).sum();
    let right: f64 = nodal.iter().zip(&values).map(|(n, v)| super::support::dot(n, v)).sum();
    assert!((left - right).abs() < 1e-14 * N as f64);
}

#[test]
fn gradients_and_divergence_agree_with_shape_gradients() {
    gradients_and_divergence_are_sums::<Tet4, 4, 1>();
    gradients_and_divergence_are_sums::<Hex8, 8, 8>();
}

fn quadrature<E: Element<N, Q>, const N: usize, const Q: usize>(powers: [i32; 3]) -> f64 {
    let monomial = |xi: Vec3| (0..3).map(|c| xi[c].powi(powers[c])).product::<f64>();
    E::quadrature().into_iter().map(|(xi, weight)| weight * monomial(xi)).sum()
}

#[test]
fn one_point_integrates_linear_functions_over_the_tetrahedron() {
    // int 1 = 1/6, int x = 1/24 over the unit tetrahedron
    assert!((quadrature::<Tet4, 4, 1>([0, 0, 0]) - 1.0 / 6.0).abs() < 1e-16);
    for powers in [[1, 0, 0], [0, 1, 0], [0, 0, 1]] {
        assert!((quadrature::<Tet4, 4, 1>(powers) - 1.0 / 24.0).abs() < 1e-16);
    }
}

#[test]
fn eight_points_integrate_cubics_along_every_axis_of_the_cube() {
    // int_-1^1 x^n = 2/(n+1) for even n, 0 for odd n, and products of these
    let along = |n: i32| if n % 2 == 0 { 2.0 / f64::from(n + 1) } else { 0.0 };
    for n in 0..64 {
        let powers = [n % 4, n / 4 % 4, n / 16];
        let exact: f64 = powers.into_iter().map(along).product();
        assert!((quadrature::<Hex8, 8, 8>(powers) - exact).abs() < 1e-14, "{powers:?}");
    }
    // and no more than cubics: x^4 gives 8/9 instead of 8/5
    assert!((quadrature::<Hex8, 8, 8>([4, 0, 0]) - 8.0 / 9.0).abs() < 1e-14);
}

#[test]
fn a_tetrahedron_spreads_its_mass_by_the_closed_form() {
    // int N_i N_j = V (1 + delta_ij) / 20; edges (2, 0, 0), (0, 3, 0), (1, 1, 4): V = 24/6
    let nodes = [[1.0, 1.0, 1.0], [3.0, 1.0, 1.0], [1.0, 4.0, 1.0], [2.0, 2.0, 5.0]];
    let mass = Tet4::mass_weights(&nodes);
    for (i, row) in mass.iter().enumerate() {
        for (j, entry) in row.iter().enumerate() {
            let expected = 4.0 / 20.0 * if i == j { 2.0 } else { 1.0 };
            assert!((entry - expected).abs() < 1e-15);
        }
    }
    assert!(Tet4::lumped_weights(&nodes).iter().all(|m| (m - 1.0).abs() < 1e-15));
}

#[test]
fn a_brick_weighs_its_volume() {
    // 2 x 1 x 1: 2 kg per kg/m^3, not the 8 that the integral without the Jacobian gives [Zhuang 2.63];
    // int N_i N_j = V / 27 * (1, 1/2, 1/4, 1/8) by the number of axes on which i and j differ
    let nodes = HEX_CORNERS.map(|c| [1.0 + c[0], 0.5 * (1.0 + c[1]), 0.5 * (1.0 + c[2])]);
    let mass = Hex8::mass_weights(&nodes);
    assert!((mass.iter().flatten().sum::<f64>() - 2.0).abs() < 1e-15);
    for (i, row) in mass.iter().enumerate() {
        for (j, entry) in row.iter().enumerate() {
            let differ = (0..3).filter(|&c| HEX_CORNERS[i][c] != HEX_CORNERS[j][c]).count() as i32;
            assert!((entry - 2.0 / 27.0 * 0.5_f64.powi(differ)).abs() < 1e-15);
        }
    }
    assert!(Hex8::lumped_weights(&nodes).iter().all(|m| (m - 0.25).abs() < 1e-15));
}

#[test]
fn every_node_has_positive_mass_and_all_together_weigh_the_volume() {
    for (name, mesh) in patches() {
        let volumes = lumped_volumes(&mesh);
        assert!(volumes.iter().all(|v| *v > 0.0), "{name}: {volumes:?}");
        assert!((volumes.iter().sum::<f64>() - 1.0).abs() < 1e-14, "{name}");
    }
}

#[test]
fn consistent_mass_has_the_kinetic_energy_of_a_linear_velocity() {
    // v = A X is in the space of both elements: T = rho/2 int |A X|^2 dV = rho/2 A : A M2 with the
    // cube's second moments int X_i X_j = 1/3 (i = j), 1/4 (i != j)
    let a = Noise::new(23).matrix(1.0);
    let moment = Mat3::from_fn(|i, j| if i == j { 1.0 / 3.0 } else { 0.25 });
    let expected = 500.0 * (a * moment).dot(&a);
    let energy = |mesh: Mesh| {
        let scene = Scene::new(mesh, LawKind::Linear(moduli(1e5, 0.3)))
            .matter(|m| m.mass = pliant_solid::MassKind::Consistent);
        let model = scene.model();
        let v: Vec<f64> =
            model.layout().rest().chunks_exact(3).flat_map(|p| a.mul_vec([p[0], p[1], p[2]])).collect();
        let mut momentum = vec![0.0; v.len()];
        model.mass_matrix().multiply_into(&v, &mut momentum);
        0.5 * super::support::dot(&v, &momentum)
    };
    for element in [BoxElement::Hex, BoxElement::Tet5, BoxElement::Tet6] {
        let ours = energy(block([1.0; 3], [2; 3], element));
        assert!((ours - expected).abs() < 1e-13 * expected, "{element:?}: {ours} {expected}");
    }
    // distorted tetrahedra are still exact; distorted hexahedra are not, 8 points are too few
    let [_, (_, tets)] = patches();
    assert!((energy(tets) - expected).abs() < 1e-13 * expected);
}
