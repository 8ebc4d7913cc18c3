//! Rigid motions that nothing resists: a body that has one has no equilibrium of its own.
//!
//! ```text
//! m_k = translations and turns about the middle (turns divided by the body's size)          (1)
//! G_kl = sum over held unknowns m_k m_l + m_k^T K_others m_l / K                             (2)
//! ```
//!
//! A motion with G m = 0 moves no held unknown and no grab, whose stiffness is in K_others. Turns about one line show
//! as one vector: w and t with the line through w x t / w^2.

mod mechanism;

use std::sync::Arc;

use pliant_geometry::connected_parts;
use pliant_numerics::{BlockMatrix, Mat3, diagonalise};

use self::mechanism::stands_firm;
use super::Refusal;
use crate::fix::cross;
use crate::layout::Body;
use crate::model::Model;
use crate::term::Coeffs;

type Vec3 = [f64; 3];

/// Eigenvalues below this part of the largest count as zero.
const RELATIVE_ZERO: f64 = 1e-12;

/// Refuses a model of which a part can move as a whole at a time, and names the motions.
pub(super) fn held_well(model: &Model, time: f64) -> Result<(), Refusal> {
    for (index, body) in model.layout().bodies().iter().enumerate() {
        let parts = connected_parts(&body.mesh);
        for part in 0..parts.count {
            let in_part = |cell: &usize| parts.of_cell[*cell] as usize == part;
            let cells = (0..body.mesh.cell_count()).filter(in_part);
            let mut nodes: Vec<u32> = cells.flat_map(|c| body.mesh.cell_nodes(c).iter().copied()).collect();
            nodes.sort_unstable();
            nodes.dedup();
            part_held_well(model, (index, body), (part, parts.count, &nodes), time)?;
        }
        if body.mesh.cell_count() == 0 {
            // particles count as one part: their springs are not followed here
            let nodes: Vec<u32> = (0..body.mesh.node_count() as u32).collect();
            part_held_well(model, (index, body), (0, 1, &nodes), time)?;
        }
        stands_firm(model, index, time)?;
    }
    Ok(())
}

fn part_held_well(
    model: &Model,
    (index, body): (usize, &Body),
    part: (usize, usize, &[u32]),
    time: f64,
) -> Result<(), Refusal> {
    let motions = free_motions(model, index, part.2, time);
    if motions.is_empty() {
        return Ok(());
    }
    Err(refusal(body, part, &motions, released_before(model, index, time)))
}

/// When the last fix of a body was released up to a time.
fn released_before(model: &Model, body: usize, time: f64) -> Option<f64> {
    let nodes = &model.layout().bodies()[body].nodes;
    let mine = model.fixes().iter().filter(|f| f.nodes.first().is_some_and(|n| nodes.contains(n)));
    let released = mine.filter_map(|f| f.release).filter(|release| *release <= time);
    released.fold(None, |last: Option<f64>, r| Some(last.map_or(r, |l| l.max(r))))
}

fn refusal(
    body: &Body,
    (part, count, nodes): (usize, usize, &[u32]),
    motions: &[String],
    released: Option<f64>,
) -> Refusal {
    let place = body.mesh.positions()[nodes[0] as usize].map(|c| format!("{c:.4}")).join(", ");
    let which = match count {
        1 => format!("body `{}`", body.name),
        _ => format!(
            "part {part} of body `{}` (of {count} that do not touch; with the node at ({place}) m)",
            body.name
        ),
    };
    let how = if motions.len() == 6 {
        "is not held at all".to_string()
    } else {
        format!("is free to {}", motions.join(", to "))
    };
    let since = released.map_or(String::new(), |time| format!(" once a fix is released at {time} s"));
    Refusal {
        what: format!("{which} {how}{since}, so it has no resting shape of its own"),
        way_out: "hold it with [[body.NAME.fix]] (three nodes that are not on one line are enough), or use a method that moves: \
                  explicit, newmark"
            .into(),
    }
}

/// The motions of some nodes of a body that nothing resists, in words.
fn free_motions(model: &Model, body: usize, nodes: &[u32], time: f64) -> Vec<String> {
    let world = &model.layout().bodies()[body].world;
    let nodes: Vec<u32> = nodes.iter().map(|n| world[*n as usize]).collect();
    let size = model.layout().bodies()[body].extent.max(f64::MIN_POSITIVE);
    let middle = mean(nodes.iter().map(|n| model.layout().rest_of(*n)));
    let motion = |k: usize, node: u32| rigid(k, model.layout().rest_of(node), middle, size);
    let mut resistance = [[0.0; 6]; 6];
    let (layout, free) = (model.layout(), model.layout().free_count());
    let mut mine: std::collections::HashSet<u32> = nodes.iter().copied().collect();
    for node in &nodes {
        // a bone is held by its masters; what is tied to another body is held if that one is, which is asked there
        let masters = layout.dependents().stands_for(*node, free);
        if masters.nodes().any(|m| !layout.bodies()[body].nodes.contains(&m)) {
            let moved: [Vec3; 6] = std::array::from_fn(|k| motion(k, *node));
            (0..3).for_each(|c| add_product(&mut resistance, |k| moved[k][c], |l| moved[l][c]));
        }
        mine.extend(masters.nodes());
    }
    for fix in model.fixes().iter().filter(|f| f.holds(time)) {
        for node in fix.nodes.iter().filter(|n| mine.contains(*n)) {
            let moved: [Vec3; 6] = std::array::from_fn(|k| motion(k, *node));
            for c in (0..3).filter(|c| fix.axes[*c]) {
                add_product(&mut resistance, |k| moved[k][c], |l| moved[l][c]);
            }
        }
    }
    add_others(model, time, &nodes, motion, &mut resistance);
    add_idle(&nodes, motion, &mut resistance);
    describe(null_space(resistance), middle, size)
}

/// Motion k of (1) at a place.
pub(super) fn rigid(k: usize, place: Vec3, middle: Vec3, size: f64) -> Vec3 {
    let mut axis = [0.0; 3];
    axis[k % 3] = 1.0;
    if k < 3 { axis } else { cross(axis, minus(place, middle)).map(|c| c / size) }
}

/// Motions that move no node count as resisted: particles on one line have a turn about it, a lone one has three.
fn add_idle(nodes: &[u32], motion: impl Fn(usize, u32) -> Vec3, resistance: &mut [[f64; 6]; 6]) {
    let mut moved = [[0.0; 6]; 6];
    for &node in nodes {
        let all: [Vec3; 6] = std::array::from_fn(|k| motion(k, node));
        (0..3).for_each(|c| add_product(&mut moved, |k| all[k][c], |l| all[l][c]));
    }
    for idle in null_space(moved) {
        add_product(resistance, |k| idle[k], |l| idle[l]);
    }
}

/// The stiffness of what holds bodies beside fixes at a time; `None` where nothing does.
pub(super) fn others(model: &Model, time: f64) -> Option<BlockMatrix> {
    let mut full = model.full_state(&model.initial_state());
    full.time = time;
    let mut stiffness = BlockMatrix::zero(Arc::clone(model.structure().all()));
    // symmetric ones only: pressure follows the surface and holds nothing
    let others = model.terms_at(full.at()).filter(|(t, _)| t.cell_body().is_none() && t.caps().symmetric);
    for (term, at) in others {
        term.tangent_add(&at, Coeffs { k: 1.0, d: 0.0 }, &mut stiffness, &mut term.new_scratch());
    }
    let acts = |block: &Mat3<f64>| block.0.iter().flatten().any(|entry| *entry != 0.0);
    stiffness.blocks().iter().any(acts).then_some(stiffness)
}

/// The second part of (2), in units of its largest entry.
fn add_others(
    model: &Model,
    time: f64,
    nodes: &[u32],
    motion: impl Fn(usize, u32) -> Vec3,
    resistance: &mut [[f64; 6]; 6],
) {
    let Some(stiffness) = others(model, time) else { return };
    let mut products = [[0.0; 6]; 6];
    for l in 0..6 {
        let mut direction = vec![0.0; 3 * model.layout().node_count()];
        for &node in nodes {
            direction[3 * node as usize..][..3].copy_from_slice(&motion(l, node));
        }
        let mut force = vec![0.0; direction.len()];
        stiffness.multiply_into(&direction, &mut force);
        for (k, row) in products.iter_mut().enumerate() {
            row[l] = nodes.iter().map(|n| dot(motion(k, *n), triple(&force, *n))).sum();
        }
    }
    let largest = products.iter().flatten().fold(0.0_f64, |most, p| most.max(p.abs()));
    if largest > 0.0 {
        (0..6).for_each(|k| (0..6).for_each(|l| resistance[k][l] += products[k][l] / largest));
    }
}

/// Vectors with G m = 0.
fn null_space(mut g: [[f64; 6]; 6]) -> Vec<[f64; 6]> {
    let vectors = diagonalise(&mut g, 6);
    let largest = (0..6).fold(0.0_f64, |most, k| most.max(g[k][k]));
    let free = |k: &usize| g[*k][*k] <= RELATIVE_ZERO * largest;
    (0..6).filter(free).map(|k| std::array::from_fn(|i| vectors[i][k])).collect()
}

/// Motions in words: shifts first, then turns.
pub(super) fn describe(mut free: Vec<[f64; 6]>, middle: Vec3, size: f64) -> Vec<String> {
    let mut turns = Vec::new();
    // elimination brings as many vectors as possible to no turn at all
    for c in 3..6 {
        let Some(pivot) = (0..free.len()).max_by(|a, b| free[*a][c].abs().total_cmp(&free[*b][c].abs()))
        else {
            break;
        };
        if free[pivot][c].abs() < 1e-6 {
            continue;
        }
        let turn = free.swap_remove(pivot);
        for other in &mut free {
            let factor = other[c] / turn[c];
            (0..6).for_each(|i| other[i] -= factor * turn[i]);
        }
        turns.push(turn);
    }
    let shifts = free.iter().map(|m| format!("move along {}", direction([m[0], m[1], m[2]])));
    let turned = turns.iter().map(|m| {
        let (t, w) = ([m[0], m[1], m[2]], [m[3], m[4], m[5]].map(|c| c / size));
        let from = cross(w, t).map(|c| c / dot(w, w));
        let through = std::array::from_fn::<f64, 3, _>(|c| middle[c] + from[c]);
        // no minus before a zero
        let place = through.map(|c| format!("{:.4}", (1e4 * c).round() / 1e4 + 0.0)).join(", ");
        format!("turn about {} through ({place}) m", direction(w))
    });
    shifts.chain(turned).collect()
}

/// An axis by name, or a direction in numbers.
fn direction(v: Vec3) -> String {
    let length = dot(v, v).sqrt();
    let unit = v.map(|c| c / length);
    match (0..3).find(|c| unit[*c].abs() > 1.0 - 1e-9) {
        Some(c) => ["x", "y", "z"][c].into(),
        None => format!("({})", unit.map(|c| format!("{c:.3}")).join(", ")),
    }
}

fn add_product(g: &mut [[f64; 6]; 6], a: impl Fn(usize) -> f64, b: impl Fn(usize) -> f64) {
    (0..6).for_each(|k| (0..6).for_each(|l| g[k][l] += a(k) * b(l)));
}

fn mean(points: impl Iterator<Item = Vec3>) -> Vec3 {
    let (mut sum, mut count) = ([0.0; 3], 0.0);
    for p in points {
        (0..3).for_each(|c| sum[c] += p[c]);
        count += 1.0;
    }
    sum.map(|c| c / f64::max(count, 1.0))
}

fn triple(values: &[f64], node: u32) -> Vec3 {
    std::array::from_fn(|c| values[3 * node as usize + c])
}

fn minus(a: Vec3, b: Vec3) -> Vec3 {
    std::array::from_fn(|c| a[c] - b[c])
}

fn dot(a: Vec3, b: Vec3) -> f64 {
    (0..3).map(|c| a[c] * b[c]).sum()
}
