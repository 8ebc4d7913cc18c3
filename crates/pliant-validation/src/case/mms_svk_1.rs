//! MMS-SVK-1: the error of a smooth solution falls with the square of the cell size.
//!
//! ```text
//! u = (sin(pi x) sin(pi y) sin(pi z) / 10,  x y z (1 - z) / 5,  0)   b = - Div P(I + grad u)    (1)
//! ```
//!
//! St. Venant-Kirchhoff, E = 1, nu = 0.3, u given on the whole boundary of the unit cube. Loads and errors are
//! integrated with five Gauss points along each axis.

use std::f64::consts::PI;

use pliant_geometry::{Mesh, box_mesh};
use pliant_numerics::Mat3;
use pliant_solid::element::{Element, Hex8, Tet4};
use pliant_solid::law::{ElasticModuli, Law, LawKind, StVenant};

use crate::CaseError;
use crate::block_statics::ELEMENTS;
use crate::measure::{Vec3, add, order};
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "MMS-SVK-1",
    title: "manufactured solution, finite strain: order in the cell size",
    source: "A1; the loads in closed form, the errors by an independent code, within 2 % (load quadrature)",
    file: "mms_svk_1.rs",
    flaw: Perturbation::MisprintedShear,
    compare,
};

/// Cells a side, L2 error and H1 seminorm of the error, for hex8 and tet4.
const TABLE: [[(usize, [f64; 2]); 3]; 2] = [
    [(2, [1.02347e-2, 9.1124e-2]), (4, [2.46979e-3, 4.4807e-2]), (8, [6.22487e-4, 2.2350e-2])],
    [(2, [2.35600e-2, 1.5702e-1]), (4, [8.76036e-3, 9.3601e-2]), (8, [2.56816e-3, 4.8963e-2])],
];

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let law = perturbation.law(LawKind::StVenant, 1.0, 0.3)?;
    let mut rows = Vec::new();
    for ((element, kind), table) in ELEMENTS.into_iter().zip(TABLE) {
        let mut ours = Vec::new();
        for (n, printed) in table {
            let mesh = box_mesh([1.0; 3], [n; 3], kind)?;
            let errors = match element {
                "hex8" => errors::<Hex8, 8, 8>(mesh, Mesh::hexes, &cube_points(), law)?,
                _ => errors::<Tet4, 4, 1>(mesh, Mesh::tets, &tet_points(), law)?,
            };
            for (k, norm) in ["L2", "H1"].into_iter().enumerate() {
                let expected = Expected::relative(printed[k], 0.02, Origin::IndependentCode);
                rows.push(Row::new(format!("{element}, n = {n}: {norm} error"), "", expected, errors[k]));
            }
            ours.push(errors);
        }
        // the tabulated orders from n = 4 to 8: nearly 2 and 1 for hexahedra, on their way for tetrahedra
        for (k, norm) in ["L2", "H1"].into_iter().enumerate() {
            let tabulated = order(table[1].1[k], table[2].1[k]);
            let expected = Expected::absolute(tabulated, 0.05, Origin::IndependentCode);
            rows.push(Row::new(format!("{element}: order in {norm}"), "", expected, order(ours[1][k], ours[2][k])));
        }
    }
    // finest hexahedra first, for the table
    rows.rotate_left(4);
    rows.extend(body_force_rows()?);
    Ok(rows)
}

/// b of (1) at three points, printed to 9 decimals; a check of the case itself.
fn body_force_rows() -> Result<Vec<Row>, CaseError> {
    let printed = [
        ([0.25, 0.5, 0.75], [1.371750199, 0.032264570, 0.409382947]),
        ([0.1, 0.2, 0.3], [0.254519641, -0.660619311, -0.362535735]),
        ([0.5, 0.5, 0.5], [2.102710777, 0.090656562, 0.0]),
    ];
    let law = StVenant::new(ElasticModuli::new(1.0, 0.3)?);
    let mut rows = Vec::new();
    for (point, expected) in printed {
        let b = body_force(&law, point);
        for c in 0..3 {
            let expected = Expected::absolute(expected[c], 6e-10, Origin::ClosedForm);
            rows.push(Row::new(format!("b{} at {point:?}", ["x", "y", "z"][c]), "N/m3", expected, b[c]));
        }
    }
    Ok(rows)
}

fn displacement([x, y, z]: Vec3) -> Vec3 {
    [(PI * x).sin() * (PI * y).sin() * (PI * z).sin() / 10.0, x * y * z * (1.0 - z) / 5.0, 0.0]
}

/// grad u, with rows of (1).
fn gradient([x, y, z]: Vec3) -> Mat3<f64> {
    let ([sx, sy, sz], [cx, cy, cz]) =
        ([x, y, z].map(|c| (PI * c).sin()), [x, y, z].map(|c| PI * (PI * c).cos() / 10.0));
    Mat3([
        [cx * sy * sz, sx * cy * sz, sx * sy * cz],
        [y * z * (1.0 - z) / 5.0, x * z * (1.0 - z) / 5.0, x * y * (1.0 - 2.0 * z) / 5.0],
        [0.0; 3],
    ])
}

/// The derivative of grad u along an axis.
fn gradient_change([x, y, z]: Vec3, axis: usize) -> Mat3<f64> {
    let (s, c) = ([x, y, z].map(|v| (PI * v).sin()), [x, y, z].map(|v| (PI * v).cos()));
    let factor = |k: usize, i: usize| match u8::from(k == i) + u8::from(k == axis) {
        0 => s[k],
        1 => PI * c[k],
        _ => -PI * PI * s[k],
    };
    let first = |i: usize| factor(0, i) * factor(1, i) * factor(2, i) / 10.0;
    let second = match axis {
        0 => [0.0, z * (1.0 - z), y * (1.0 - 2.0 * z)],
        1 => [z * (1.0 - z), 0.0, x * (1.0 - 2.0 * z)],
        _ => [y * (1.0 - 2.0 * z), x * (1.0 - 2.0 * z), -2.0 * x * y],
    };
    Mat3([[first(0), first(1), first(2)], second.map(|v| v / 5.0), [0.0; 3]])
}

/// b = - sum_j d P e_j / d X_j.
fn body_force(law: &StVenant, p: Vec3) -> Vec3 {
    let h = gradient(p);
    let column = |j: usize| law.first_piola_change(&h, &(), &gradient_change(p, j)).column(j);
    add(add(column(0), column(1)), column(2)).map(|c| -c)
}

/// Points and weights of the unit interval: five Gauss points, exact to degree nine.
fn gauss() -> [(f64, f64); 5] {
    let root = (10.0_f64 / 7.0).sqrt();
    let (a, b) = ((5.0 - 2.0 * root).sqrt() / 3.0, (5.0 + 2.0 * root).sqrt() / 3.0);
    let (wa, wb) = ((322.0 + 13.0 * 70_f64.sqrt()) / 900.0, (322.0 - 13.0 * 70_f64.sqrt()) / 900.0);
    let points = [(-b, wb), (-a, wa), (0.0, 128.0 / 225.0), (a, wa), (b, wb)];
    points.map(|(s, w)| (0.5 * (1.0 + s), 0.5 * w))
}

/// Points of a reference cell with weights, from the 125 of the unit cube.
fn fine_points(map: impl Fn(Vec3) -> (Vec3, f64)) -> Vec<(Vec3, f64)> {
    let mut out = Vec::new();
    for (x, wx) in gauss() {
        for (y, wy) in gauss() {
            for (z, wz) in gauss() {
                let (point, jacobian) = map([x, y, z]);
                out.push((point, wx * wy * wz * jacobian));
            }
        }
    }
    out
}

fn cube_points() -> Vec<(Vec3, f64)> {
    fine_points(|p| (p.map(|c| 2.0 * c - 1.0), 8.0))
}

/// The cube collapsed to a tetrahedron: (x, y (1 - x), z (1 - x)(1 - y)).
fn tet_points() -> Vec<(Vec3, f64)> {
    fine_points(|[x, y, z]| {
        let (a, b) = (1.0 - x, 1.0 - y);
        ([x, y * a, z * a * b], a * a * b)
    })
}

/// A quadrature point of a cell.
struct Point<'a, const N: usize> {
    nodes: &'a [u32; N],
    shape: [f64; N],
    slopes: [Vec3; N],
    place: Vec3,
    weight: f64,
}

/// Visits the fine points of all cells.
fn for_each_point<E: Element<N, Q>, const N: usize, const Q: usize>(
    mesh: &Mesh,
    cells: &[[u32; N]],
    points: &[(Vec3, f64)],
    mut visit: impl FnMut(Point<N>),
) {
    for nodes in cells {
        let corners = nodes.map(|n| mesh.positions()[n as usize]);
        for (xi, weight) in points {
            let (shape, slopes) = (E::shape(*xi), E::shape_gradient(*xi));
            let jacobian = (0..N).fold(Mat3::zero(), |sum, i| sum + Mat3::dyad(corners[i], slopes[i]));
            let inverse = jacobian.inverse().transpose();
            let place = std::array::from_fn(|c| (0..N).map(|i| shape[i] * corners[i][c]).sum());
            let weight = weight * jacobian.determinant();
            visit(Point { nodes, shape, slopes: slopes.map(|g| inverse.mul_vec(g)), place, weight });
        }
    }
}

/// L2 norm and H1 seminorm of the error on a mesh.
fn errors<E: Element<N, Q>, const N: usize, const Q: usize>(
    mesh: Mesh,
    cells: fn(&Mesh) -> &[[u32; N]],
    points: &[(Vec3, f64)],
    law: LawKind,
) -> Result<[f64; 2], CaseError> {
    // the load is that of the sound law
    let sound = StVenant::new(ElasticModuli::new(1.0, 0.3)?);
    let mut load = vec![[0.0; 3]; mesh.node_count()];
    for_each_point::<E, N, Q>(&mesh, cells(&mesh), points, |at| {
        let b = body_force(&sound, at.place);
        for (node, n) in at.nodes.iter().zip(at.shape) {
            load[*node as usize] = add(load[*node as usize], b.map(|c| at.weight * n * c));
        }
    });
    let boundary = |p: Vec3| p.iter().any(|c| *c < 1e-12 || *c > 1.0 - 1e-12);
    let block = Specimen::new(mesh.clone(), law).displace(boundary, displacement);
    let u = block.forces((0..).zip(load)).resting()?.displacements();
    let mut sums = [0.0; 2];
    for_each_point::<E, N, Q>(&mesh, cells(&mesh), points, |at| {
        let mut value = displacement(at.place).map(|c| -c);
        let mut slope = -gradient(at.place);
        for (node, (n, g)) in at.nodes.iter().zip(at.shape.into_iter().zip(at.slopes)) {
            let u = u[*node as usize];
            value = add(value, u.map(|c| n * c));
            slope = slope + Mat3::dyad(u, g);
        }
        sums[0] += at.weight * value.iter().map(|c| c * c).sum::<f64>();
        sums[1] += at.weight * slope.dot(&slope);
    });
    Ok(sums.map(f64::sqrt))
}
