//! Which closed shells lie in which, so how each must face: outward in an even number of others, inward (a cavity) in an odd one.
//!
//! A shell's winding number, the sum of the solid angles W of its triangles over 4 pi, is +-1 inside it and 0 outside. With u, v, w the
//! directions of corners a, b, c from the point, as quaternions, 1 - v u turns u into v by the shortest way, and
//!
//! ```text
//! (1 - u w)(1 - w v)(1 - v u) = 2 (d + det(u, v, w) u),  d = 1 + u.v + v.w + w.u      expanded with u u = v v = w w = -1    (1)
//! tan(W / 2) = det(a, b, c) / (|a||b||c| + a.b |c| + b.c |a| + c.a |b|)                                                    (2)
//! ```
//!
//! (1), once around the spherical triangle, turns about u by its area W (Gauss, Bonnet), hence (2), found by [Oosterom 1983].
//! The points lie a thousandth of a triangle's size inside the inner shell, so that shells may touch; three vote. Of shells of equal
//! volume (one that is there twice) neither holds the other. Beyond 2000 shells one in another, or [`MAX_BOXES`] or [`MAX_ANGLES`], all
//! are taken for outward: the work is bounded whatever a file holds.

use std::cmp::Reverse;
use std::f64::consts::PI;

use crate::bounds::Bounds;
use crate::mesh::Mesh;
use crate::shell::Shells;
use crate::vector::{Vec3, add, cross, det, dot, norm, scale, sub};

/// Depth of the points below their triangle, of its size.
const BELOW: f64 = 1e-3;
/// Relative difference of volumes, or of positions, that counts as none.
const SAME: f64 = 1e-9;
/// Most pairs with one box in the other: 2000 shells one in another.
const MAX_PAIRS: usize = 2_000_000;
/// Most comparisons of boxes, a few seconds.
const MAX_BOXES: usize = 1_000_000_000;
/// Most solid angles, some twenty seconds.
const MAX_ANGLES: usize = 500_000_000;

/// Of each shell: is it closed, but faces the wrong way for its depth?
pub(crate) fn inside_out(mesh: &Mesh, shells: &Shells) -> Vec<bool> {
    let solids = solids(mesh, shells);
    let odd = odd_depths(mesh, shells, &solids).unwrap_or_else(|| vec![false; solids.len()]);
    let mut wrong = vec![false; shells.shells.len()];
    for (solid, odd) in solids.iter().zip(odd) {
        let volume = shells.shells[solid.shell].volume;
        wrong[solid.shell] = if odd { volume > 0.0 } else { volume < 0.0 };
    }
    wrong
}

/// A closed shell that has two sides.
struct Solid {
    shell: usize,
    bounds: Bounds,
    /// Magnitude, m^3.
    volume: f64,
}

impl Solid {
    /// Could the other be inside, by size and place?
    fn may_contain(&self, other: &Self) -> bool {
        let margin = SAME * self.bounds.diagonal();
        let holds = |point| self.bounds.contains(point, margin);
        other.volume < (1.0 - SAME) * self.volume && holds(other.bounds.min) && holds(other.bounds.max)
    }
}

/// The closed shells, the largest first.
fn solids(mesh: &Mesh, shells: &Shells) -> Vec<Solid> {
    let empty = Bounds { min: [f64::INFINITY; 3], max: [f64::NEG_INFINITY; 3] };
    let mut bounds = vec![empty; shells.shells.len()];
    for (nodes, &s) in mesh.triangles().iter().zip(&shells.of_triangle) {
        let grown = &mut bounds[s as usize];
        for p in mesh.corners(nodes) {
            grown.min = std::array::from_fn(|k| grown.min[k].min(p[k]));
            grown.max = std::array::from_fn(|k| grown.max[k].max(p[k]));
        }
    }
    let all = shells.shells.iter().zip(bounds).enumerate();
    let mut solids: Vec<Solid> = all
        .filter(|(_, (shell, _))| shell.closed && !shell.one_sided)
        .map(|(s, (shell, bounds))| Solid { shell: s, bounds, volume: shell.volume.abs() })
        .collect();
    solids.sort_by(|a, b| b.volume.total_cmp(&a.volume));
    solids
}

/// Whether each lies in an odd number of the others; `None` if that is too much work.
fn odd_depths(mesh: &Mesh, shells: &Shells, solids: &[Solid]) -> Option<Vec<bool>> {
    let mut odd = vec![false; solids.len()];
    let pairs = boxed_pairs(solids)?;
    if pairs.is_empty() {
        return Some(odd);
    }
    let skins = Skins::of(mesh, shells);
    let mut angles = 0;
    for around in pairs.chunk_by(|a, b| a.0 == b.0) {
        let inner = around[0].0 as usize;
        let points = skins.points_inside(solids[inner].shell);
        // the smallest that holds it lies itself in all the others that do
        for &(_, Reverse(outer)) in around {
            let shell = solids[outer as usize].shell;
            angles += points.len() * shells.shells[shell].triangles;
            if angles > MAX_ANGLES {
                return None;
            }
            if skins.surrounds(shell, &points) {
                odd[inner] = !odd[outer as usize];
                break;
            }
        }
    }
    Some(odd)
}

/// Numbers of a solid and of one that may contain it, ordered by the first, then the smallest container first; `None` if there are too many.
fn boxed_pairs(solids: &[Solid]) -> Option<Vec<(u32, Reverse<u32>)>> {
    let size =
        Bounds::of(solids.iter().flat_map(|s| [s.bounds.min, s.bounds.max])).map_or([0.0; 3], |b| b.size());
    let axis = (0..3).max_by(|&i, &j| size[i].total_cmp(&size[j])).unwrap_or(0);
    let from = |s: u32| solids[s as usize].bounds.min[axis];
    let mut order: Vec<u32> = (0..solids.len() as u32).collect();
    order.sort_by(|&a, &b| from(a).total_cmp(&from(b)));
    // a sweep along the longest axis: only boxes that overlap on it are compared
    let (mut open, mut pairs, mut boxes) = (Vec::<u32>::new(), Vec::new(), 0);
    for &new in &order {
        open.retain(|&s| solids[s as usize].bounds.max[axis] >= from(new));
        boxes += open.len();
        for &other in &open {
            let (outer, inner) = (new.min(other), new.max(other));
            if solids[outer as usize].may_contain(&solids[inner as usize]) {
                pairs.push((inner, Reverse(outer)));
            }
        }
        if boxes > MAX_BOXES || pairs.len() > MAX_PAIRS {
            return None;
        }
        open.push(new);
    }
    pairs.sort_unstable();
    Some(pairs)
}

/// The triangles by shell.
struct Skins<'a> {
    mesh: &'a Mesh,
    shells: &'a Shells,
    /// Triangles ordered by shell.
    triangles: Vec<u32>,
}

impl<'a> Skins<'a> {
    fn of(mesh: &'a Mesh, shells: &'a Shells) -> Self {
        let mut triangles: Vec<u32> = (0..mesh.triangles().len() as u32).collect();
        triangles.sort_by_key(|&t| shells.of_triangle[t as usize]);
        Self { mesh, shells, triangles }
    }

    fn of_shell(&self, shell: usize) -> &[u32] {
        let start =
            self.triangles.partition_point(|&t| (self.shells.of_triangle[t as usize] as usize) < shell);
        &self.triangles[start..start + self.shells.shells[shell].triangles]
    }

    /// Corners, turned to agree with the first triangle of the shell.
    fn corners(&self, t: u32) -> [Vec3; 3] {
        let [a, b, c] = self.mesh.corners(&self.mesh.triangles()[t as usize]);
        if self.shells.turned[t as usize] { [a, c, b] } else { [a, b, c] }
    }

    /// Points just below the largest triangle of each third of the shell.
    fn points_inside(&self, shell: usize) -> Vec<Vec3> {
        let skin = self.of_shell(shell);
        let inward = -self.shells.shells[shell].volume.signum();
        let normal = |[a, b, c]: [Vec3; 3]| cross(sub(b, a), sub(c, a));
        let below = |third: &[u32]| {
            let corners = third.iter().map(|&t| self.corners(t));
            let largest = corners.max_by(|&a, &b| norm(normal(a)).total_cmp(&norm(normal(b))))?;
            let [a, b, c] = largest;
            let size = norm(normal(largest)).sqrt().max(f64::MIN_POSITIVE);
            let step = scale(normal(largest), inward * BELOW / size);
            Some(add(scale(add(a, add(b, c)), 1.0 / 3.0), step))
        };
        skin.chunks(skin.len().div_ceil(3).max(1)).filter_map(below).collect()
    }

    /// Do most of the points lie inside the shell?
    fn surrounds(&self, shell: usize, points: &[Vec3]) -> bool {
        let (mut inside, mut outside) = (0, 0);
        for &point in points {
            if 2 * inside.max(outside) > points.len() {
                break;
            }
            let winding: f64 =
                self.of_shell(shell).iter().map(|&t| solid_angle(self.corners(t), point)).sum();
            if winding.abs() >= 0.5 * 4.0 * PI { inside += 1 } else { outside += 1 }
        }
        inside > outside
    }
}

/// What the triangle covers of the sphere around the point, positive if it faces away from it (2).
pub(crate) fn solid_angle(corners: [Vec3; 3], point: Vec3) -> f64 {
    let [a, b, c] = corners.map(|p| sub(p, point));
    let [la, lb, lc] = [a, b, c].map(norm);
    2.0 * det(a, b, c).atan2(la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb)
}
