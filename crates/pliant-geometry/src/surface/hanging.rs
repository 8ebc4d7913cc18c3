//! The boundary where nodes hang: faces that smaller ones cover are inside, and so are the smaller ones.
//!
//! ```text
//! q = sum_k w_k m_k           a hanging node by masters that do not hang: its roots               (1)
//! q = sum_i n_i c_i           it lies on the face, or the edge, with the corners c_i              (2)
//! (s, t) = sum_i n_i S_i      at this place of it, S_i the corners of the unit square or triangle (3)
//! ```
//!
//! (2) is meant in the weights of roots, least squares with no residual, so that positions do not matter and
//! corners may hang themselves. A face lies in a larger one if all its nodes do, and faces it if it runs
//! round the other way in (s, t). What is left of a face that is covered in part, and faces with hanging
//! nodes in their sides, are given as triangles ([`outline`](super::outline)): the boundary closes edge by
//! edge. Faces covered in the middle only, so that a ring is left, stay as they are, and so do those that
//! cover them.

use std::collections::{HashMap, HashSet};

use super::outline::{self, Corner, Edge};
use super::{FaceNodes, SurfaceFace};
use crate::material_point::MaterialPoint;

/// Longest chain of nodes that hang on hanging ones; 2:1 grids of this depth are beyond any memory.
const MOST_LEVELS: usize = 64;
/// Misfit of (2), and distance from the ends of an edge, that count as none.
const NONE: f64 = 1e-9;
const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
const TRIANGLE: [[f64; 2]; 3] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];

/// The boundary that faces of one cell each make, in their order.
pub(super) fn joined(faces: Vec<SurfaceFace>, hanging: &[(u32, MaterialPoint)]) -> Vec<SurfaceFace> {
    let roots = Roots::of(hanging);
    let covers = covers(&faces, &roots);
    let mut kinds: Vec<Kind> = vec![Kind::Whole; faces.len()];
    let mut seen = HashSet::new();
    for (large, small) in covers.iter().enumerate().filter(|(_, small)| !small.is_empty()) {
        let edges = remainder(&faces[large], small, &roots, &HashSet::new());
        if let Some(left) = outline::triangulated(edges) {
            small.iter().for_each(|(face, _)| kinds[*face] = Kind::Inside);
            kinds[large] = Kind::Covered;
            seen.extend(left.into_flattened());
        }
    }
    // nodes of what is left of the boundary: its edges are split at these
    let whole = faces.iter().zip(&kinds).filter(|(_, kind)| **kind == Kind::Whole);
    whole.for_each(|(face, _)| seen.extend(face.nodes()));
    let mut out = Vec::with_capacity(faces.len());
    for (i, face) in faces.iter().enumerate() {
        let small: &[Small] = match kinds[i] {
            Kind::Inside => continue,
            Kind::Covered => &covers[i],
            Kind::Whole => &[],
        };
        let triangles = outline::triangulated(remainder(face, small, &roots, &seen)).unwrap_or_default();
        if kinds[i] == Kind::Whole && triangles.len() + 2 == face.nodes().len() {
            out.push(*face);
            continue;
        }
        let piece = |nodes| SurfaceFace { nodes: FaceNodes::Triangle(nodes), cell: face.cell };
        out.extend(triangles.into_iter().map(piece));
    }
    out
}

/// A face that lies in a larger one, and where its corners do (3).
type Small = (usize, Vec<Corner>);

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Nothing covers it.
    Whole,
    /// Smaller ones cover it, wholly or in part.
    Covered,
    /// It covers a larger one.
    Inside,
}

/// For each face those that cover it.
fn covers(faces: &[SurfaceFace], roots: &Roots) -> Vec<Vec<Small>> {
    let mut by_root: HashMap<u32, Vec<usize>> = HashMap::new();
    for (i, face) in faces.iter().enumerate() {
        let mut own: Vec<u32> = face.nodes().iter().flat_map(|&n| roots.nodes(n)).collect();
        own.sort_unstable();
        own.dedup();
        own.into_iter().for_each(|root| by_root.entry(root).or_default().push(i));
    }
    let mut covers = vec![Vec::new(); faces.len()];
    for (i, face) in faces.iter().enumerate() {
        let nodes = face.nodes();
        let hanging = nodes.iter().find(|n| roots.masters.contains_key(n));
        // without hanging nodes it can be no more than half of a quadrilateral
        let may_cover =
            |large: usize| large != i && (hanging.is_some() || faces[large].nodes().len() > nodes.len());
        let root = roots.nodes(*hanging.unwrap_or(&nodes[0])).next();
        let near = root.and_then(|root| by_root.get(&root)).into_iter().flatten();
        let on = |large: &usize| Some((*large, roots.corners_on(faces[*large].nodes(), nodes)?));
        if let Some((large, corners)) = near.filter(|large| may_cover(**large)).find_map(on) {
            covers[large].push((i, corners));
        }
    }
    covers
}

/// The edges of a face and of those that cover it, which run the other way, split at their own nodes and at
/// `seen` ones.
fn remainder(face: &SurfaceFace, small: &[Small], roots: &Roots, seen: &HashSet<u32>) -> Vec<Edge> {
    let own: Vec<Corner> = corners_of(face.nodes()).collect();
    let covering: HashSet<u32> = small.iter().flat_map(|(_, corners)| corners).map(|c| c.node).collect();
    let is_cut = |node: u32| seen.contains(&node) || covering.contains(&node);
    let loops = std::iter::once(&own).chain(small.iter().map(|(_, corners)| corners));
    loops.flat_map(|corners| edges_of(corners)).flat_map(|edge| roots.split(edge, is_cut)).collect()
}

fn edges_of(corners: &[Corner]) -> impl Iterator<Item = Edge> {
    (0..corners.len()).map(|i| [corners[i], corners[(i + 1) % corners.len()]])
}

fn corners_of(nodes: &[u32]) -> impl Iterator<Item = Corner> {
    nodes.iter().zip(parameters(nodes.len())).map(|(&node, &place)| Corner { node, place })
}

fn parameters(corner_count: usize) -> &'static [[f64; 2]] {
    if corner_count == 3 { &TRIANGLE } else { &SQUARE }
}

/// Hanging nodes by their roots (1).
struct Roots {
    masters: HashMap<u32, MaterialPoint>,
    /// The hanging nodes that a root bears, in the order in which they were given.
    borne: HashMap<u32, Vec<u32>>,
}

impl Roots {
    fn of(hanging: &[(u32, MaterialPoint)]) -> Self {
        let mut masters: HashMap<u32, MaterialPoint> = hanging.iter().cloned().collect();
        for _ in 0..MOST_LEVELS {
            let hangs = |point: &MaterialPoint| point.nodes().any(|n| masters.contains_key(&n));
            if !masters.values().any(hangs) {
                break;
            }
            let resolved = |point: &MaterialPoint| {
                let mut all = MaterialPoint::default();
                for (node, weight) in point {
                    match masters.get(&node) {
                        Some(of) => all.extend(of.scaled(weight).iter()),
                        None => all.extend([(node, weight)]),
                    }
                }
                all.merged()
            };
            masters = masters.iter().map(|(node, point)| (*node, resolved(point))).collect();
        }
        let mut borne: HashMap<u32, Vec<u32>> = HashMap::new();
        for (node, _) in hanging {
            masters[node].nodes().for_each(|root| borne.entry(root).or_default().push(*node));
        }
        Self { masters, borne }
    }

    /// Roots of a node with their weights; of one that does not hang itself.
    fn point(&self, node: u32) -> MaterialPoint {
        self.masters.get(&node).cloned().unwrap_or_else(|| MaterialPoint::node(node))
    }

    fn nodes(&self, node: u32) -> impl Iterator<Item = u32> {
        let hanging = self.masters.get(&node);
        let itself = hanging.is_none().then_some(node);
        hanging.into_iter().flat_map(MaterialPoint::nodes).chain(itself)
    }

    /// Where the nodes of a face lie on another that it faces (3); `None` if it does not.
    fn corners_on(&self, large: &[u32], small: &[u32]) -> Option<Vec<Corner>> {
        let place = |&node: &u32| {
            let shares = self.shares(large, node)?;
            let entry = |k: usize| shares.iter().zip(parameters(large.len())).map(|(n, p)| n * p[k]).sum();
            Some(Corner { node, place: [entry(0), entry(1)] })
        };
        let corners: Vec<Corner> = small.iter().map(place).collect::<Option<_>>()?;
        let places: Vec<[f64; 2]> = corners.iter().map(|c| c.place).collect();
        (outline::area(&places) < -outline::NO_AREA).then_some(corners)
    }

    /// An edge cut at those of the nodes in it.
    fn split(&self, edge: Edge, is_cut: impl Fn(u32) -> bool) -> Vec<Edge> {
        let ends = edge.map(|corner| corner.node);
        let mut within: Vec<(f64, u32)> = Vec::new();
        let near = ends.into_iter().flat_map(|end| self.nodes(end)).filter_map(|root| self.borne.get(&root));
        for &node in near.flatten().filter(|n| is_cut(**n) && !ends.contains(n)) {
            if let Some(shares) = self.shares(&ends, node)
                && shares[..2].iter().all(|n| *n > NONE)
            {
                within.push((shares[1], node));
            }
        }
        within.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        within.dedup();
        let [from, to] = edge.map(|corner| corner.place);
        let cut = |(along, node): (f64, u32)| Corner {
            node,
            place: std::array::from_fn(|k| from[k] + along * (to[k] - from[k])),
        };
        let corners: Vec<Corner> =
            std::iter::once(edge[0]).chain(within.into_iter().map(cut)).chain([edge[1]]).collect();
        corners.windows(2).map(|pair| [pair[0], pair[1]]).collect()
    }

    /// n of (2), none below zero; `None` if the node does not lie between the corners.
    fn shares(&self, corners: &[u32], node: u32) -> Option<[f64; 4]> {
        let mut shares = [0.0; 4];
        if let Some(same) = corners.iter().position(|c| *c == node) {
            shares[same] = 1.0;
            return Some(shares);
        }
        let target = self.masters.get(&node)?;
        let points: Vec<MaterialPoint> = corners.iter().map(|c| self.point(*c)).collect();
        if !target.nodes().all(|root| points.iter().any(|p| p.nodes().any(|n| n == root))) {
            return None;
        }
        let mut equations = [[0.0; 5]; 4];
        for (row, p) in equations.iter_mut().zip(&points) {
            row.iter_mut().zip(&points).for_each(|(entry, other)| *entry = overlap(p, other));
            row[4] = overlap(p, target);
        }
        shares = solved(equations, points.len())?;
        let mut misfit = target.scaled(-1.0);
        points.iter().zip(shares).for_each(|(p, n)| misfit.extend(p.scaled(n).iter()));
        let fits = misfit.merged().iter().all(|(_, left)| left.abs() < NONE);
        (fits && shares.iter().all(|n| *n > -NONE)).then_some(shares)
    }
}

/// Product of two points as vectors over roots.
fn overlap(a: &MaterialPoint, b: &MaterialPoint) -> f64 {
    let with = |(node, weight): (u32, f64)| {
        b.iter().filter(|(other, _)| *other == node).map(|(_, w)| w * weight).sum::<f64>()
    };
    a.iter().map(with).sum()
}

/// Gauss's elimination of the first `count` equations, which are definite; `None` if they are not.
fn solved(mut equations: [[f64; 5]; 4], count: usize) -> Option<[f64; 4]> {
    for i in 0..count {
        let pivot = equations[i];
        if pivot[i] < NONE {
            return None;
        }
        for j in (0..count).filter(|j| *j != i) {
            let factor = equations[j][i] / pivot[i];
            (0..5).for_each(|k| equations[j][k] -= factor * pivot[k]);
        }
    }
    Some(std::array::from_fn(|i| if i < count { equations[i][4] / equations[i][i] } else { 0.0 }))
}
