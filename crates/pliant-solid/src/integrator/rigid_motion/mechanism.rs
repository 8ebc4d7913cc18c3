//! Parts of a body that hang together by edges or corners, and can turn against each other: a mechanism has no equilibrium of its own.
//!
//! ```text
//! m_ik = translations and turns of part i about its middle (turns divided by its size)                                        (1)
//! G = sum over held unknowns  m m^T  +  sum over nodes of two parts i, j  (m_i - m_j) (m_i - m_j)^T  +  K_others / K           (2)
//! ```
//!
//! Cells that share a face move as one where nothing is strained, and so do parts that share three nodes not on one line: a motion without strain is one of whole
//! parts, and G sees them all. That is exact, whatever the stiffness, the shape and the number of cells: a pivot of the factor is not, rounding hides zeros among
//! the small numbers that slender bodies have by right.

use std::collections::BTreeMap;

use pliant_geometry::{MaterialPoint, connected_parts, face_parts};

use super::{describe, others, rigid};
use crate::integrator::Refusal;
use crate::model::Model;

type Vec3 = [f64; 3];

/// More parts are left to the factor.
const MOST_PARTS: usize = 150;
/// Pivots of G below this part of the largest count as zero.
const RELATIVE_ZERO: f64 = 1e-13;
/// Three nodes whose triangle is smaller than this part of the square on its longest side lie on a line.
const ON_A_LINE: f64 = 1e-9;

/// Refuses a body whose parts can move against each other at a time, and names the motion.
pub(super) fn stands_firm(model: &Model, index: usize, time: f64) -> Result<(), Refusal> {
    let body = &model.layout().bodies()[index];
    let faces = face_parts(&body.mesh);
    // springs join particles otherwise
    if model.matter()[index].network().is_some() || faces.count == connected_parts(&body.mesh).count {
        return Ok(());
    }
    let parts = Parts::joined(&body.mesh, &faces.of_cell, faces.count);
    if parts.members.len() < 2 || parts.members.len() > MOST_PARTS {
        return Ok(());
    }
    let mut g = vec![vec![0.0; 6 * parts.members.len()]; 6 * parts.members.len()];
    parts.add_shared(&mut g);
    add_held(model, index, time, &parts, &mut g);
    add_others(model, index, time, &parts, &mut g);
    let Some(free) = null_vector(g) else { return Ok(()) };
    let size = |part: usize| free[6 * part..][..6].iter().map(|m| m * m).sum::<f64>();
    let part = (0..parts.members.len()).max_by(|a, b| size(*a).total_cmp(&size(*b))).unwrap_or(0);
    let motion = std::array::from_fn(|k| free[6 * part + k]);
    let words = describe(vec![motion], parts.middles[part], parts.sizes[part]);
    let place = parts.middles[part].map(|c| format!("{c:.4}")).join(", ");
    Err(Refusal {
        what: format!(
            "body `{}` is a mechanism: its part of {} elements around ({place}) m hangs on the others by edges or corners only and is free to {}, so it has no \
             resting shape of its own",
            body.name,
            parts.members[part],
            words.join(", to ")
        ),
        way_out: "join the parts over whole faces (`pliant check` names the joints), hold that part with [[body.NAME.fix]], or use a method that moves: explicit, newmark, \
                  implicit-euler"
            .into(),
    })
}

/// Parts that move as one, and the nodes between them.
struct Parts<'a> {
    positions: &'a [Vec3],
    /// Cells of each part.
    members: Vec<usize>,
    middles: Vec<Vec3>,
    sizes: Vec<f64>,
    /// The parts of each node, in rising order; the first speaks for it.
    of_node: Vec<Vec<usize>>,
}

impl<'a> Parts<'a> {
    /// Parts over faces, joined where they share three nodes that are not on one line.
    fn joined(mesh: &'a pliant_geometry::Mesh, of_cell: &[u32], count: usize) -> Self {
        let mut becomes: Vec<usize> = (0..count).collect();
        loop {
            let of_node = parts_of_nodes(mesh, |cell| becomes[of_cell[cell] as usize]);
            let mut shared: BTreeMap<(usize, usize), Vec<Vec3>> = BTreeMap::new();
            for (node, parts) in of_node.iter().enumerate() {
                for (i, a) in parts.iter().enumerate() {
                    let others = parts[i + 1..].iter();
                    others.for_each(|b| shared.entry((*a, *b)).or_default().push(mesh.positions()[node]));
                }
            }
            let firm = shared.iter().filter(|(_, places)| !on_a_line(places)).map(|((a, b), _)| (*a, *b));
            // the lower number stays; chains of them are joined in the next round
            let lower: BTreeMap<usize, usize> = firm.map(|(a, b)| (b, a)).collect();
            if lower.is_empty() {
                return Self::of(mesh, of_cell, &becomes);
            }
            becomes.iter_mut().for_each(|part| *part = lower.get(part).copied().unwrap_or(*part));
        }
    }

    fn of(mesh: &'a pliant_geometry::Mesh, of_cell: &[u32], becomes: &[usize]) -> Self {
        let mut used: Vec<usize> = becomes.to_vec();
        used.sort_unstable();
        used.dedup();
        let number = |cell: usize| used.partition_point(|part| *part < becomes[of_cell[cell] as usize]);
        let of_node = parts_of_nodes(mesh, number);
        let mut members = vec![0; used.len()];
        (0..mesh.cell_count()).for_each(|cell| members[number(cell)] += 1);
        let mut corners = vec![[[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]]; used.len()];
        for (node, parts) in of_node.iter().enumerate() {
            for part in parts {
                for (c, x) in mesh.positions()[node].into_iter().enumerate() {
                    corners[*part][0][c] = corners[*part][0][c].min(x);
                    corners[*part][1][c] = corners[*part][1][c].max(x);
                }
            }
        }
        let middles = corners.iter().map(|[low, high]| std::array::from_fn(|c| 0.5 * (low[c] + high[c])));
        let side =
            |[low, high]: &[Vec3; 2]| (0..3).map(|c| high[c] - low[c]).fold(f64::MIN_POSITIVE, f64::max);
        Self {
            positions: mesh.positions(),
            members,
            middles: middles.collect(),
            sizes: corners.iter().map(side).collect(),
            of_node,
        }
    }

    /// How a part's six motions move a place.
    fn moved(&self, part: usize, place: Vec3) -> [Vec3; 6] {
        std::array::from_fn(|k| rigid(k, place, self.middles[part], self.sizes[part]))
    }

    /// The second sum of (2).
    fn add_shared(&self, g: &mut [Vec<f64>]) {
        for (place, parts) in self.positions.iter().zip(&self.of_node) {
            for other in parts.iter().skip(1) {
                let pair = [(parts[0], 1.0), (*other, -1.0)];
                self.add_rows(pair.map(|(part, sign)| (part, *place, sign)).as_slice(), [true; 3], g);
            }
        }
    }

    /// Adds rows that say: the weighted sum of these parts' motions at these places is none, along some axes.
    fn add_rows(&self, terms: &[(usize, Vec3, f64)], axes: [bool; 3], g: &mut [Vec<f64>]) {
        let moved: Vec<(usize, f64, [Vec3; 6])> =
            terms.iter().map(|(part, place, weight)| (*part, *weight, self.moved(*part, *place))).collect();
        for c in (0..3).filter(|c| axes[*c]) {
            for (i, wi, mi) in &moved {
                for (j, wj, mj) in &moved {
                    for k in 0..6 {
                        for l in 0..6 {
                            g[6 * i + k][6 * j + l] += wi * wj * mi[k][c] * mj[l][c];
                        }
                    }
                }
            }
        }
    }
}

/// The parts whose cells have each node, in rising order.
fn parts_of_nodes(mesh: &pliant_geometry::Mesh, part: impl Fn(usize) -> usize) -> Vec<Vec<usize>> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); mesh.node_count()];
    for cell in 0..mesh.cell_count() {
        for &node in mesh.cell_nodes(cell) {
            let parts = &mut out[node as usize];
            if let Err(place) = parts.binary_search(&part(cell)) {
                parts.insert(place, part(cell));
            }
        }
    }
    out
}

/// Whether no three of some places span a triangle.
fn on_a_line(places: &[Vec3]) -> bool {
    let Some(first) = places.first() else { return true };
    let from = |p: &Vec3| -> Vec3 { std::array::from_fn(|c| p[c] - first[c]) };
    let square = |v: Vec3| v.iter().map(|c| c * c).sum::<f64>();
    let far = places.iter().map(from).max_by(|a, b| square(*a).total_cmp(&square(*b))).unwrap_or([0.0; 3]);
    let off = places.iter().map(|p| square(crate::fix::cross(far, from(p)))).fold(0.0, f64::max);
    off.sqrt() <= ON_A_LINE * square(far)
}

/// The first sum of (2): fixes, and nodes that follow bones or other bodies, which are asked elsewhere.
fn add_held(model: &Model, index: usize, time: f64, parts: &Parts, g: &mut [Vec<f64>]) {
    let (layout, body) = (model.layout(), &model.layout().bodies()[index]);
    let mut mesh_node = BTreeMap::new();
    for (node, world) in body.world.iter().enumerate().filter(|(node, _)| !parts.of_node[*node].is_empty()) {
        mesh_node.insert(*world, node);
    }
    let speaks = |node: usize, weight: f64| (parts.of_node[node][0], parts.positions[node], weight);
    for (world, node) in &mesh_node {
        let masters = layout.dependents().stands_for(*world, layout.free_count());
        if masters == MaterialPoint::node(*world) {
            continue;
        }
        let own: Option<Vec<_>> =
            masters.iter().map(|(m, w)| mesh_node.get(&m).map(|n| speaks(*n, -w))).collect();
        let mut terms = own.unwrap_or_default();
        terms.push(speaks(*node, 1.0));
        parts.add_rows(&terms, [true; 3], g);
    }
    for fix in model.fixes().iter().filter(|fix| fix.holds(time)) {
        for node in fix.nodes.iter().filter_map(|world| mesh_node.get(world)) {
            parts.add_rows(&[speaks(*node, 1.0)], fix.axes, g);
        }
    }
}

/// The last part of (2), in units of its largest entry.
fn add_others(model: &Model, index: usize, time: f64, parts: &Parts, g: &mut [Vec<f64>]) {
    let Some(stiffness) = others(model, time) else { return };
    let body = &model.layout().bodies()[index];
    let count = g.len();
    let motion = |column: usize| {
        let mut out = vec![0.0; 3 * model.layout().node_count()];
        for (node, world) in body.world.iter().enumerate() {
            if parts.of_node[node].first() == Some(&(column / 6)) {
                let moved = parts.moved(column / 6, parts.positions[node])[column % 6];
                out[3 * *world as usize..][..3].copy_from_slice(&moved);
            }
        }
        out
    };
    let motions: Vec<Vec<f64>> = (0..count).map(motion).collect();
    let mut products = vec![vec![0.0; count]; count];
    let mut force = vec![0.0; motions[0].len()];
    for (l, direction) in motions.iter().enumerate() {
        stiffness.multiply_into(direction, &mut force);
        for (k, other) in motions.iter().enumerate() {
            products[k][l] = other.iter().zip(&force).map(|(a, b)| a * b).sum();
        }
    }
    let largest = products.iter().flatten().fold(0.0_f64, |most, p| most.max(p.abs()));
    if largest > 0.0 {
        (0..count).for_each(|k| (0..count).for_each(|l| g[k][l] += products[k][l] / largest));
    }
}

/// A vector with G m = 0, by elimination with the largest pivots first.
fn null_vector(mut g: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let count = g.len();
    let mut order: Vec<usize> = (0..count).collect();
    let largest = (0..count).fold(0.0_f64, |most, k| most.max(g[k][k]));
    for step in 0..count {
        let next =
            (step..count).max_by(|a, b| g[order[*a]][order[*a]].total_cmp(&g[order[*b]][order[*b]]))?;
        order.swap(step, next);
        let p = order[step];
        if g[p][p] <= RELATIVE_ZERO * largest {
            // what was eliminated follows the first that is free
            let mut free = vec![0.0; count];
            free[p] = 1.0;
            for &row in order[..step].iter().rev() {
                let taken: f64 = (0..count).filter(|c| *c != row).map(|c| g[row][c] * free[c]).sum();
                free[row] = -taken / g[row][row];
            }
            return Some(free);
        }
        let pivot_row = g[p].clone();
        for &row in &order[step + 1..] {
            let factor = g[row][p] / pivot_row[p];
            if factor != 0.0 {
                g[row].iter_mut().zip(&pivot_row).for_each(|(a, b)| *a -= factor * b);
            }
        }
    }
    None
}
