//! Nodes that stand at the same place, made one.
//!
//! Nodes are taken in rising order. One within the tolerance of a node that stays is joined to it (to the lowest such node); any other
//! stays itself. So no node moves by more than the tolerance, those that stay are farther apart than it, and merging again
//! changes nothing. Joining transitively instead would draw a chain of close nodes, hence a whole fine mesh, into one point.
//!
//! Nodes that stay are kept in a grid with a side of four tolerances, looked up by hash. They are more than a tolerance apart, so a grid
//! cell holds a bounded number of them (spheres of half the tolerance do not overlap) and the work is linear, however the nodes
//! cluster. The standard hash is keyed, so that no file can aim at its collisions; its order is never used.

use std::collections::HashMap;

use crate::mesh::{ElementKind, Mesh, MeshParts};
use crate::renumber::{GONE, Renumbering, packed};
use crate::tally::Tally;
use crate::vector::{Vec3, norm, sub};

/// What merging did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Merge {
    /// Nodes joined to a lower one; the place is the first of them.
    pub nodes: Tally,
    /// Cells removed because two of their nodes became one; places by old cell.
    pub collapsed_cells: Tally,
    /// Triangles removed for the same reason; places by old triangle.
    pub collapsed_triangles: Tally,
    /// Cells removed because a lower one of the same kind has the same nodes; places by old cell.
    pub repeated_cells: Tally,
    /// Triangles removed because a lower one has the same nodes and the same side; places by old triangle.
    pub repeated_triangles: Tally,
    /// The new number of each old node.
    pub new_node: Vec<u32>,
}

/// Why nodes cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MergeError {
    /// The tolerance is negative, infinite or not a number.
    #[error(
        "the tolerance must be 0 or more and finite, got {0} m; a thousandth of the shortest edge is a good one"
    )]
    Tolerance(f64),
}

/// Pairs (node that stays, node that [`merged`] would join to it), rising by the second; `tolerance` in m.
pub fn coincident_nodes(mesh: &Mesh, tolerance: f64) -> Result<Vec<[u32; 2]>, MergeError> {
    let stays = survivors(mesh.positions(), tolerance)?;
    Ok((0_u32..).zip(stays).filter(|(n, stay)| n != stay).map(|(n, stay)| [stay, n]).collect())
}

/// The mesh with nodes within `tolerance` (m) of each other joined, and what that took.
///
/// Elements that collapse and elements that are there twice (also those that were before) are removed; groups name the
/// ones that stay in their place. Nodes whose last element goes stay, see [`without_orphans`](crate::without_orphans).
pub fn merged(mesh: Mesh, tolerance: f64) -> Result<(Mesh, Merge), MergeError> {
    let stays = survivors(mesh.positions(), tolerance)?;
    let mut report = Merge::default();
    let kept: Vec<bool> = (0_u32..).zip(&stays).map(|(n, &stay)| n == stay).collect();
    for n in (0..kept.len()).filter(|&n| !kept[n]) {
        report.nodes.note(n as u32, || mesh.positions()[n]);
    }
    let (packed_node, origin) = packed(&kept);
    let nodes: Vec<u32> = stays.iter().map(|&stay| packed_node[stay as usize]).collect();
    let tets = Rebuilt::of(mesh.tets(), &nodes, ElementKind::Tet);
    let hexes = Rebuilt::of(mesh.hexes(), &nodes, ElementKind::Hex);
    let triangles = Rebuilt::of(mesh.triangles(), &nodes, ElementKind::Triangle);
    let first_hex = mesh.tets().len() as u32;
    let cell_place = |c: u32| mesh.cell_centroid(c as usize);
    let triangle_place = |t: u32| mesh.mean_position(&mesh.triangles()[t as usize]);
    note(&mut report.collapsed_cells, tets.collapsed.iter().copied(), cell_place);
    note(&mut report.collapsed_cells, hexes.collapsed.iter().map(|h| first_hex + h), cell_place);
    note(&mut report.collapsed_triangles, triangles.collapsed.iter().copied(), triangle_place);
    note(&mut report.repeated_cells, tets.repeated.iter().copied(), cell_place);
    note(&mut report.repeated_cells, hexes.repeated.iter().map(|h| first_hex + h), cell_place);
    note(&mut report.repeated_triangles, triangles.repeated.iter().copied(), triangle_place);
    let (new_tet, new_hex, new_triangle) = (tets.new_number, hexes.new_number, triangles.new_number);
    let renumbering = Renumbering { nodes, tets: new_tet, hexes: new_hex, triangles: new_triangle };
    let positions = origin.iter().map(|&n| mesh.positions()[n as usize]).collect();
    let groups = renumbering.groups(mesh.groups());
    let (tets, hexes, triangles) = (tets.elements, hexes.elements, triangles.elements);
    report.new_node = renumbering.nodes;
    Ok((Mesh::from_sound(MeshParts { positions, tets, hexes, triangles, groups }), report))
}

fn note(tally: &mut Tally, elements: impl Iterator<Item = u32>, place: impl Fn(u32) -> Vec3) {
    elements.for_each(|element| tally.note(element, || place(element)));
}

/// The node that each node is joined to: itself or a lower one.
fn survivors(positions: &[Vec3], tolerance: f64) -> Result<Vec<u32>, MergeError> {
    if !(tolerance >= 0.0 && tolerance.is_finite()) {
        return Err(MergeError::Tolerance(tolerance));
    }
    let mut grid = Grid { side: 4.0 * tolerance, heads: HashMap::new(), next: vec![GONE; positions.len()] };
    let mut stays = Vec::with_capacity(positions.len());
    for (n, &p) in (0_u32..).zip(positions) {
        let near = |m: u32| norm(sub(positions[m as usize], p)) <= tolerance;
        let stay = grid.lowest_around(p, tolerance, near).unwrap_or(n);
        if stay == n {
            grid.put(n, p);
        }
        stays.push(stay);
    }
    Ok(stays)
}

/// Nodes that stay, in chains by grid cell.
struct Grid {
    side: f64,
    heads: HashMap<[u64; 3], u32>,
    next: Vec<u32>,
}

impl Grid {
    /// Grid line of a coordinate. With no tolerance each value is a line of its own; where numbers are coarser than
    /// the grid the quotient tells every value from the next.
    fn line(&self, x: f64) -> u64 {
        let line = if self.side > 0.0 { (x / self.side).floor() } else { x };
        // minus zero is zero
        (line + 0.0).to_bits()
    }

    fn put(&mut self, node: u32, p: Vec3) {
        let cell = p.map(|x| self.line(x));
        let head = self.heads.entry(cell).or_insert(GONE);
        self.next[node as usize] = std::mem::replace(head, node);
    }

    /// The lowest node that is near, among those of the grid cells within `tolerance` of `p`.
    fn lowest_around(&self, p: Vec3, tolerance: f64, near: impl Fn(u32) -> bool) -> Option<u32> {
        // the cube around p is half a cell wide: its ends and its middle name all lines it meets
        let lines = p.map(|x| {
            let mut lines = [x - tolerance, x, x + tolerance].map(|x| self.line(x));
            lines.sort_unstable();
            lines
        });
        let distinct = |k: usize| (0..3).filter(move |&i| i == 0 || lines[k][i] != lines[k][i - 1]);
        let mut lowest = None;
        for i in distinct(0) {
            for j in distinct(1) {
                for k in distinct(2) {
                    let cell = [lines[0][i], lines[1][j], lines[2][k]];
                    let mut node = self.heads.get(&cell).copied().unwrap_or(GONE);
                    while node != GONE {
                        if lowest.is_none_or(|m| node < m) && near(node) {
                            lowest = Some(node);
                        }
                        node = self.next[node as usize];
                    }
                }
            }
        }
        lowest
    }
}

/// Elements with their new nodes.
struct Rebuilt<const N: usize> {
    elements: Vec<[u32; N]>,
    /// New number of each old element; that of the lower one if it was there twice.
    new_number: Vec<u32>,
    collapsed: Vec<u32>,
    repeated: Vec<u32>,
}

impl<const N: usize> Rebuilt<N> {
    fn of(old: &[[u32; N]], new_node: &[u32], kind: ElementKind) -> Self {
        let mut elements: Vec<[u32; N]> = old.iter().map(|e| e.map(|n| new_node[n as usize])).collect();
        let mut ordered: Vec<([u32; N], u32)> = Vec::with_capacity(elements.len());
        let mut collapsed = Vec::new();
        for (e, &nodes) in (0_u32..).zip(&elements) {
            let mut sorted = nodes;
            sorted.sort_unstable();
            if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
                collapsed.push(e);
            } else {
                ordered.push((identity(nodes, sorted, kind), e));
            }
        }
        ordered.sort_unstable();
        let mut kept = vec![false; elements.len()];
        let mut repeated = Vec::new();
        for same in ordered.chunk_by(|a, b| a.0 == b.0) {
            kept[same[0].1 as usize] = true;
            repeated.extend(same[1..].iter().map(|&(_, e)| e));
        }
        let mut new_number = packed(&kept).0;
        for same in ordered.chunk_by(|a, b| a.0 == b.0) {
            let first = new_number[same[0].1 as usize];
            same[1..].iter().for_each(|&(_, e)| new_number[e as usize] = first);
        }
        repeated.sort_unstable();
        let mut kept = kept.into_iter();
        elements.retain(|_| kept.next() == Some(true));
        Self { elements, new_number, collapsed, repeated }
    }
}

/// What equal elements have in common: the nodes; of triangles also the side.
fn identity<const N: usize>(mut nodes: [u32; N], sorted: [u32; N], kind: ElementKind) -> [u32; N] {
    if kind == ElementKind::Triangle {
        let lowest = (0..N).min_by_key(|&i| nodes[i]).unwrap_or(0);
        nodes.rotate_left(lowest);
        return nodes;
    }
    sorted
}
