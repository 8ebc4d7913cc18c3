//! The shapes of all cells in a few numbers: distribution of quality, angles, edges, and the worst cells.
//!
//! Quality is that of [`quality`](crate::quality()). A percentile is the value at rank ceil(p n) of the n sorted ones. The
//! dihedral angle between two faces of a tetrahedron with outward normals m and n has cos = -m.n / (|m| |n|). Aspect is the longest
//! over the shortest edge of a cell, infinite if two of its nodes coincide.

use crate::mesh::Mesh;
use crate::quality::{Sliver, quality};
use crate::tetrahedron;
use crate::vector::{Vec3, cross, dot, norm, sub};

/// A value and the cell that has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extreme {
    /// The value; the field that holds it says the unit.
    pub value: f64,
    /// The lowest cell with this value.
    pub cell: u32,
}

/// Least and greatest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extremes {
    /// The least.
    pub min: Extreme,
    /// The greatest.
    pub max: Extreme,
}

/// What the cells of a mesh are like.
#[derive(Clone, Debug, PartialEq)]
pub struct QualityReport {
    /// Number of cells.
    pub cells: usize,
    /// Cells with a quality in [0, 0.1), [0.1, 0.2) ... [0.9, 1].
    pub histogram: [usize; 10],
    /// Least quality.
    pub minimum: f64,
    /// One cell in a hundred is not better than this.
    pub first_percentile: f64,
    /// Half of the cells are not better than this.
    pub median: f64,
    /// Mean quality.
    pub mean: f64,
    /// Dihedral angles of the tetrahedra, degrees; none if all are flat or there are none.
    pub dihedral: Option<Extremes>,
    /// Lengths of the edges of cells, m.
    pub edge: Extremes,
    /// Longest over shortest edge of a cell.
    pub aspect: Extremes,
    /// The worst cells, the worst first; equal ones in rising order.
    pub worst: Vec<Sliver>,
}

/// Quality of every cell, 0 (flat or inverted) to 1.
pub fn cell_qualities(mesh: &Mesh) -> Vec<f64> {
    (0..mesh.cell_count()).map(|c| quality(mesh, c)).collect()
}

/// The report, with the `worst` worst cells; `None` for a mesh without cells.
pub fn quality_report(mesh: &Mesh, worst: usize) -> Option<QualityReport> {
    let qualities = cell_qualities(mesh);
    let mut order: Vec<u32> = (0..qualities.len() as u32).collect();
    order.sort_unstable_by(|&a, &b| qualities[a as usize].total_cmp(&qualities[b as usize]).then(a.cmp(&b)));
    let count = qualities.len();
    let at_rank = |rank: usize| qualities[order[rank.clamp(1, count) - 1] as usize];
    let mut histogram = [0; 10];
    // the last bin holds 1 too
    qualities.iter().for_each(|q| histogram[((10.0 * q) as usize).min(9)] += 1);
    let (edge, aspect) = edge_extremes(mesh)?;
    let sliver = |&cell: &u32| Sliver {
        cell,
        quality: qualities[cell as usize],
        centroid: mesh.cell_centroid(cell as usize),
    };
    Some(QualityReport {
        cells: count,
        histogram,
        minimum: at_rank(1),
        first_percentile: at_rank(count.div_ceil(100)),
        median: at_rank(count.div_ceil(2)),
        mean: qualities.iter().sum::<f64>() / count as f64,
        dihedral: dihedral_extremes(mesh),
        edge,
        aspect,
        worst: order.iter().take(worst).map(sliver).collect(),
    })
}

/// Widens the extremes by one more value; the first of equal ones stays.
fn include(extremes: &mut Option<Extremes>, value: f64, cell: u32) {
    let one = Extreme { value, cell };
    let seen = extremes.get_or_insert(Extremes { min: one, max: one });
    if value < seen.min.value {
        seen.min = one;
    }
    if value > seen.max.value {
        seen.max = one;
    }
}

const TET_EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
const HEX_EDGES: [[usize; 2]; 12] =
    [[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4], [0, 4], [1, 5], [2, 6], [3, 7]];

/// Of the edges' lengths and of the cells' aspects.
fn edge_extremes(mesh: &Mesh) -> Option<(Extremes, Extremes)> {
    let (mut edges, mut aspects) = (None, None);
    for c in 0..mesh.cell_count() {
        let nodes = mesh.cell_nodes(c);
        let ends: &[[usize; 2]] = if nodes.len() == 4 { &TET_EDGES } else { &HEX_EDGES };
        let (mut shortest, mut longest) = (f64::INFINITY, 0.0_f64);
        for end in ends {
            let [a, b] = end.map(|i| mesh.positions()[nodes[i] as usize]);
            let length = norm(sub(b, a));
            (shortest, longest) = (shortest.min(length), longest.max(length));
        }
        include(&mut edges, shortest, c as u32);
        include(&mut edges, longest, c as u32);
        let aspect = if shortest > 0.0 { longest / shortest } else { f64::INFINITY };
        include(&mut aspects, aspect, c as u32);
    }
    Some((edges?, aspects?))
}

/// In degrees. Cosines are compared, as they are cheaper.
fn dihedral_extremes(mesh: &Mesh) -> Option<Extremes> {
    let mut cosines = None;
    for (c, tet) in (0_u32..).zip(mesh.tets()) {
        let p = mesh.corners(tet);
        let normals: [Vec3; 4] = tetrahedron::FACES.map(|[i, j, k]| cross(sub(p[j], p[i]), sub(p[k], p[i])));
        for [a, b] in TET_EDGES {
            let lengths = norm(normals[a]) * norm(normals[b]);
            if lengths > 0.0 {
                include(&mut cosines, -dot(normals[a], normals[b]) / lengths, c);
            }
        }
    }
    let degrees = |e: Extreme| Extreme { value: e.value.clamp(-1.0, 1.0).acos().to_degrees(), ..e };
    // the greatest cosine is of the least angle
    cosines.map(|Extremes { min, max }| Extremes { min: degrees(max), max: degrees(min) })
}
