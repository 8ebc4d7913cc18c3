//! What is wrong with a surface of triangles: holes, forks, disagreeing neighbours, flat and doubled triangles.
//!
//! A triangle is flat if twice its area is at most 1e-9 of its longest edge squared, that is if its height over this edge is.
//! A closed shell (see [`reoriented`](crate::reoriented)) is inside out if it faces into the solid: inward if it lies in an even number of
//! other closed shells, outward if in an odd one, as the skin of a cavity does (`nesting.rs`, with what happens to thousands of them).

use crate::adjacency::{join, root};
use crate::edge_table::{EdgeTable, EdgeUse};
use crate::mesh::Mesh;
use crate::nesting::inside_out;
use crate::shell::Shells;
use crate::tally::Tally;
use crate::vector::{Vec3, add, cross, dot, norm, scale, sub};

/// Height over length of a flat triangle.
const FLAT: f64 = 1e-9;

/// Findings about the surface triangles of a mesh. Places are triangles; of an edge its middle and its lowest triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SurfaceCheck {
    /// Number of triangles.
    pub triangles: usize,
    /// Shells: triangles joined over edges that exactly two share.
    pub shells: usize,
    /// Shells without a free edge or a fork.
    pub closed_shells: usize,
    /// Edges of one triangle only.
    pub free_edges: Tally,
    /// Groups of free edges that hang together: the holes, if each is a simple loop.
    pub holes: usize,
    /// Edges of more than two triangles.
    pub forked_edges: Tally,
    /// Edges whose two triangles run along them the same way, so that they face opposite sides.
    pub disagreeing_edges: Tally,
    /// Closed shells all of whose triangles agree and face into the solid: inward, or outward around a cavity; places by their lowest
    /// triangle.
    pub inside_out_shells: Tally,
    /// Triangles without area.
    pub flat_triangles: Tally,
    /// Triangles on the nodes of a lower one, whichever side they face.
    pub repeated_triangles: Tally,
}

impl SurfaceCheck {
    /// Is the surface the boundary of a solid: closed, without forks, all facing away from it?
    pub fn is_sound(&self) -> bool {
        let faults = [
            &self.free_edges,
            &self.forked_edges,
            &self.disagreeing_edges,
            &self.inside_out_shells,
            &self.flat_triangles,
            &self.repeated_triangles,
        ];
        self.triangles > 0 && faults.iter().all(|tally| tally.count == 0)
    }
}

/// Examines the surface triangles of a mesh; its cells do not matter.
pub fn surface_check(mesh: &Mesh) -> SurfaceCheck {
    let mut found = SurfaceCheck { triangles: mesh.triangles().len(), ..SurfaceCheck::default() };
    let edges = EdgeTable::of(mesh);
    check_edges(mesh, &edges, &mut found);
    check_shells(mesh, &Shells::of(mesh, &edges), &mut found);
    for (t, nodes) in (0_u32..).zip(mesh.triangles()) {
        if is_flat(mesh.corners(nodes)) {
            found.flat_triangles.note(t, || mesh.mean_position(nodes));
        }
    }
    for t in repeated(mesh) {
        found.repeated_triangles.note(t, || mesh.mean_position(&mesh.triangles()[t as usize]));
    }
    found
}

fn check_edges(mesh: &Mesh, edges: &EdgeTable, found: &mut SurfaceCheck) {
    let mut free: Vec<[u32; 2]> = Vec::new();
    for (low, uses) in edges.edges() {
        let tally = match uses {
            [one] => {
                free.push([low, one.high]);
                &mut found.free_edges
            }
            [a, b] if a.is_forward(mesh) != b.is_forward(mesh) => continue,
            [_, _] => &mut found.disagreeing_edges,
            _ => &mut found.forked_edges,
        };
        let middle = |edge: &EdgeUse| {
            let [a, b] = [low, edge.high].map(|n| mesh.positions()[n as usize]);
            scale(add(a, b), 0.5)
        };
        tally.note(uses[0].triangle, || middle(&uses[0]));
    }
    let mut parent: Vec<u32> = (0..mesh.node_count() as u32).collect();
    free.iter().for_each(|&[a, b]| join(&mut parent, a, b));
    let mut loops: Vec<u32> = free.iter().map(|&[a, _]| root(&mut parent, a)).collect();
    loops.sort_unstable();
    loops.dedup();
    found.holes = loops.len();
}

fn check_shells(mesh: &Mesh, shells: &Shells, found: &mut SurfaceCheck) {
    found.shells = shells.shells.len();
    let wrong = inside_out(mesh, shells);
    for (shell, wrong) in shells.shells.iter().zip(wrong).filter(|(shell, _)| shell.closed) {
        found.closed_shells += 1;
        if shell.turned == 0 && wrong {
            let nodes = &mesh.triangles()[shell.first as usize];
            found.inside_out_shells.note(shell.first, || mesh.mean_position(nodes));
        }
    }
}

fn is_flat([a, b, c]: [Vec3; 3]) -> bool {
    let longest = [sub(b, a), sub(c, b), sub(a, c)].map(|e| dot(e, e)).into_iter().fold(0.0, f64::max);
    norm(cross(sub(b, a), sub(c, a))) <= FLAT * longest
}

/// Triangles whose nodes a lower one has, rising.
fn repeated(mesh: &Mesh) -> Vec<u32> {
    let sorted = |mut nodes: [u32; 3]| {
        nodes.sort_unstable();
        nodes
    };
    let mut all: Vec<([u32; 3], u32)> = mesh.triangles().iter().copied().map(sorted).zip(0..).collect();
    all.sort_unstable();
    let later = all.chunk_by(|a, b| a.0 == b.0).flat_map(|same| &same[1..]);
    let mut repeated: Vec<u32> = later.map(|&(_, t)| t).collect();
    repeated.sort_unstable();
    repeated
}
