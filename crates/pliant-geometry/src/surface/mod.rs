//! The boundary of a mesh: the faces that belong to one cell only.
//!
//! Faces come in the order of their cells, and within a cell in a fixed order, turned outward (also when the
//! cell itself is inside out). Where two tets sit on the four nodes of a hexahedron's face, its quadrilateral
//! and their two triangles are inside. Where nodes hang, [`Surface::of_hanging`] knows which faces lie
//! against smaller ones.

mod hanging;
mod outline;

use std::collections::HashMap;

use crate::material_point::MaterialPoint;

use crate::bounds::Bounds;
use crate::mesh::Mesh;
use crate::vector::{Vec3, cross, scale, sub};
use crate::{hexahedron, tetrahedron};

/// Outward boundary faces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surface {
    /// In the order of the cells.
    pub faces: Vec<SurfaceFace>,
}

/// A boundary face and the cell behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceFace {
    /// Corners, counter-clockwise seen from outside.
    pub nodes: FaceNodes,
    /// The only cell that has this face, or the face that it is a piece of.
    pub cell: u32,
}

/// Corners of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaceNodes {
    /// Face of a tetrahedron, or a piece of any face at hanging nodes.
    Triangle([u32; 3]),
    /// Face of a hexahedron.
    Quad([u32; 4]),
}

/// A face with more than two cells, or with two on the same side: the cells overlap, or one is there twice.
#[derive(Clone, Debug, PartialEq)]
pub struct OversharedFace {
    /// Corners.
    pub nodes: FaceNodes,
    /// The cells that have it, in rising order.
    pub cells: Vec<u32>,
    /// Middle of the face, m.
    pub center: [f64; 3],
}

/// Why a mesh has no well-defined boundary.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SurfaceError {
    /// Some face has more than two cells, or two on one side.
    #[error(
        "{count} faces have cells that overlap, the first cells {:?} at {:?} m; \
         remove the doubled or overlapping cells", .first.cells, .first.center
    )]
    Overshared {
        /// How many such faces there are.
        count: usize,
        /// The one with the lowest cells.
        first: OversharedFace,
    },
}

impl FaceNodes {
    /// The corners, three or four.
    pub fn nodes(&self) -> &[u32] {
        match self {
            Self::Triangle(nodes) => nodes,
            Self::Quad(nodes) => nodes,
        }
    }

    /// Integral of the unit normal over the face, m^2; for a quadrilateral exact for the bilinear patch.
    pub fn area_vector(&self, positions: &[[f64; 3]]) -> [f64; 3] {
        let at = |n: u32| positions[n as usize];
        match *self {
            Self::Triangle([a, b, c]) => scale(cross(sub(at(b), at(a)), sub(at(c), at(a))), 0.5),
            // half the cross product of the diagonals
            Self::Quad([a, b, c, d]) => scale(cross(sub(at(c), at(a)), sub(at(d), at(b))), 0.5),
        }
    }

    fn reversed(self) -> Self {
        match self {
            Self::Triangle([a, b, c]) => Self::Triangle([a, c, b]),
            Self::Quad([a, b, c, d]) => Self::Quad([a, d, c, b]),
        }
    }
}

impl SurfaceFace {
    /// The corners, three or four.
    pub fn nodes(&self) -> &[u32] {
        self.nodes.nodes()
    }

    /// Outward area vector, m^2; `positions` are those of the mesh, at rest or deformed.
    pub fn area_vector(&self, positions: &[[f64; 3]]) -> [f64; 3] {
        self.nodes.area_vector(positions)
    }
}

impl Surface {
    /// The boundary of a mesh all of whose cells meet face to face.
    pub fn of(mesh: &Mesh) -> Result<Self, SurfaceError> {
        Self::of_hanging(mesh, &[])
    }

    /// The boundary of a mesh some of whose nodes hang on others, given with their masters by mesh numbers.
    ///
    /// Faces that smaller ones cover are no boundary, nor are the smaller ones. Faces with hanging nodes in
    /// their sides come as triangles that use them, so that the boundary is closed edge by edge.
    pub fn of_hanging(mesh: &Mesh, hanging: &[(u32, MaterialPoint)]) -> Result<Self, SurfaceError> {
        let (faces, overshared) = boundary(mesh);
        match overshared.first() {
            Some(first) => Err(SurfaceError::Overshared { count: overshared.len(), first: first.clone() }),
            None if hanging.is_empty() => Ok(Self { faces }),
            None => Ok(Self { faces: hanging::joined(faces, hanging) }),
        }
    }

    /// All faces as triangles, quadrilaterals split along the diagonal from their first corner.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let mut triangles = Vec::with_capacity(2 * self.faces.len());
        for face in &self.faces {
            match face.nodes {
                FaceNodes::Triangle(nodes) => triangles.push(nodes),
                FaceNodes::Quad([a, b, c, d]) => triangles.extend([[a, b, c], [a, c, d]]),
            }
        }
        triangles
    }

    /// Nodes on the boundary, sorted, each once.
    pub fn nodes(&self) -> Vec<u32> {
        let mut nodes: Vec<u32> = self.faces.iter().flat_map(|face| face.nodes().iter().copied()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }
}

/// Faces that more than two cells share, or two on the same side.
pub fn overshared_faces(mesh: &Mesh) -> Vec<OversharedFace> {
    boundary(mesh).1
}

/// A face in the table that brings equal ones together: its other nodes sorted (the lowest names the bucket).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    others: [u32; 3],
    cell: u32,
    local: u32,
}

/// The boundary faces, and those that overlapping cells share.
pub(crate) fn boundary(mesh: &Mesh) -> (Vec<SurfaceFace>, Vec<OversharedFace>) {
    let mut single = Vec::new();
    let mut overshared = Vec::new();
    for_each_equal(mesh, |same| match same {
        [one] => single.push((one.cell, one.local)),
        [a, b] if !same_side(mesh, a, b) => {}
        [] => {}
        [first, ..] => overshared.push(overshared_face(mesh, first, same)),
    });
    let mut faces = outward_faces(mesh, single);
    let mut inside = vec![false; faces.len()];
    mixed_contacts(mesh, &faces).into_iter().flatten().for_each(|face| inside[face] = true);
    let mut inside = inside.into_iter();
    faces.retain(|_| inside.next() == Some(false));
    overshared.sort_by(|a, b| a.cells.cmp(&b.cells));
    (faces, overshared)
}

/// Pairs of cells that share a face; also the two tets and the hexahedron of a mixed contact.
pub(crate) fn face_neighbours(mesh: &Mesh) -> Vec<[u32; 2]> {
    let mut pairs = Vec::with_capacity(2 * mesh.cell_count());
    let mut single = Vec::new();
    for_each_equal(mesh, |same| match same {
        [one] => single.push((one.cell, one.local)),
        _ => pairs.extend(same.windows(2).map(|pair| [pair[0].cell, pair[1].cell])),
    });
    let faces = outward_faces(mesh, single);
    for contact in mixed_contacts(mesh, &faces) {
        let [hex, first, second] = contact.map(|face| faces[face].cell);
        pairs.extend([[hex, first], [hex, second]]);
    }
    pairs
}

/// Shows the faces of all cells, equal ones together.
fn for_each_equal(mesh: &Mesh, mut visit: impl FnMut(&[Entry])) {
    let (offsets, mut table) = faces_by_lowest_node(mesh);
    for bucket in offsets.windows(2) {
        let bucket = &mut table[bucket[0]..bucket[1]];
        bucket.sort_unstable();
        bucket.chunk_by(|a, b| a.others == b.others).for_each(&mut visit);
    }
}

fn outward_faces(mesh: &Mesh, mut single: Vec<(u32, u32)>) -> Vec<SurfaceFace> {
    single.sort_unstable();
    let face = |(cell, local)| SurfaceFace { nodes: outward(mesh, cell, local), cell };
    single.into_iter().map(face).collect()
}

/// Quadrilaterals that two triangles cover: [quadrilateral, triangle, triangle].
fn mixed_contacts(mesh: &Mesh, faces: &[SurfaceFace]) -> Vec<[usize; 3]> {
    if mesh.tets().is_empty() || mesh.hexes().is_empty() {
        return Vec::new();
    }
    let sorted = |mut nodes: [u32; 3]| {
        nodes.sort_unstable();
        nodes
    };
    let triangles: HashMap<[u32; 3], usize> = faces
        .iter()
        .enumerate()
        .filter_map(|(i, face)| match face.nodes {
            FaceNodes::Triangle(nodes) => Some((sorted(nodes), i)),
            FaceNodes::Quad(_) => None,
        })
        .collect();
    let mut contacts = Vec::new();
    for (i, face) in faces.iter().enumerate() {
        let FaceNodes::Quad([a, b, c, d]) = face.nodes else { continue };
        for halves in [[[a, b, c], [a, c, d]], [[a, b, d], [b, c, d]]] {
            if let [Some(&first), Some(&second)] = halves.map(|half| triangles.get(&sorted(half))) {
                contacts.push([i, first, second]);
            }
        }
    }
    contacts
}

/// Counting sort of all faces by their lowest node: (start of each node's bucket, faces).
fn faces_by_lowest_node(mesh: &Mesh) -> (Vec<usize>, Vec<Entry>) {
    let mut offsets = vec![0_usize; mesh.node_count() + 1];
    for_each_face(mesh, |_, _, nodes| {
        if let Some(&lowest) = nodes.iter().min() {
            offsets[lowest as usize + 1] += 1;
        }
    });
    for n in 0..mesh.node_count() {
        offsets[n + 1] += offsets[n];
    }
    let mut next = offsets.clone();
    let blank = Entry { others: [0; 3], cell: 0, local: 0 };
    let mut table = vec![blank; offsets[mesh.node_count()]];
    for_each_face(mesh, |cell, local, nodes| {
        // a triangle has no fourth node
        let mut sorted = [u32::MAX; 4];
        sorted[..nodes.len()].copy_from_slice(nodes);
        sorted.sort_unstable();
        let [lowest, others @ ..] = sorted;
        table[next[lowest as usize]] = Entry { others, cell, local };
        next[lowest as usize] += 1;
    });
    (offsets, table)
}

fn for_each_face(mesh: &Mesh, mut visit: impl FnMut(u32, u32, &[u32])) {
    for cell in 0..mesh.cell_count() as u32 {
        let faces = if (cell as usize) < mesh.tets().len() { 4 } else { 6 };
        for local in 0..faces {
            visit(cell, local, cell_face(mesh, cell, local).nodes());
        }
    }
}

/// Face `local` of a cell as the cell orients it.
fn cell_face(mesh: &Mesh, cell: u32, local: u32) -> FaceNodes {
    match mesh.tets().get(cell as usize) {
        Some(tet) => FaceNodes::Triangle(tetrahedron::FACES[local as usize].map(|i| tet[i])),
        None => {
            let hex = &mesh.hexes()[cell as usize - mesh.tets().len()];
            FaceNodes::Quad(hexahedron::FACES[local as usize].map(|i| hex[i]))
        }
    }
}

fn outward(mesh: &Mesh, cell: u32, local: u32) -> FaceNodes {
    let face = cell_face(mesh, cell, local);
    if mesh.cell_volume(cell as usize) < 0.0 { face.reversed() } else { face }
}

/// Whether two cells lie on the same side of the face they share.
fn same_side(mesh: &Mesh, a: &Entry, b: &Entry) -> bool {
    // outward, from the lowest node on: the next node tells which way round
    let next = |entry: &Entry| {
        let face = outward(mesh, entry.cell, entry.local);
        let nodes = face.nodes();
        let lowest = (0..nodes.len()).min_by_key(|&i| nodes[i]).unwrap_or(0);
        nodes[(lowest + 1) % nodes.len()]
    };
    next(a) == next(b)
}

fn overshared_face(mesh: &Mesh, first: &Entry, same: &[Entry]) -> OversharedFace {
    let nodes = cell_face(mesh, first.cell, first.local);
    let corners = nodes.nodes().iter().map(|&n| mesh.positions()[n as usize]);
    let center: Vec3 = Bounds::of(corners).map_or([0.0; 3], |bounds| bounds.center());
    OversharedFace { nodes, cells: same.iter().map(|entry| entry.cell).collect(), center }
}
