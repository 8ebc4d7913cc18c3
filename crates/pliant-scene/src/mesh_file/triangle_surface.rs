//! The boundary of a mesh as triangles, with vertices of its own: what surface formats store.
//!
//! Vertices are the nodes on the boundary in rising order. Quadrilaterals are cut along the diagonal from their
//! lowest node, whatever shape they have, so that the triangles stay the same for a whole run.

use std::io;

use pliant_geometry::{FaceNodes, Mesh, Surface, SurfaceError};

/// Triangles, and which node of the mesh each of their vertices is.
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleSurface {
    triangles: Vec<[u32; 3]>,
    nodes: Vec<u32>,
    node_count: usize,
    rest: Vec<[f64; 3]>,
}

impl TriangleSurface {
    /// The boundary, turned outward; of a mesh without cells its triangles as they are, with all nodes.
    pub fn of(mesh: &Mesh) -> Result<Self, SurfaceError> {
        let boundary = if mesh.cell_count() == 0 { Surface::default() } else { Surface::of(mesh)? };
        Ok(Self::of_boundary(mesh, &boundary))
    }

    /// The same of a boundary that is known.
    pub fn of_boundary(mesh: &Mesh, boundary: &Surface) -> Self {
        let (triangles, nodes) = if mesh.cell_count() == 0 {
            (mesh.triangles().to_vec(), (0..mesh.node_count() as u32).collect())
        } else {
            let nodes = boundary.nodes();
            (renumbered(boundary, &nodes, mesh.node_count()), nodes)
        };
        let rest = nodes.iter().map(|&n| mesh.positions()[n as usize]).collect();
        Self { triangles, nodes, node_count: mesh.node_count(), rest }
    }

    /// Corners by the numbers of the vertices, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The mesh's node that each vertex is.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// Where the vertices are at rest, m.
    pub fn rest(&self) -> &[[f64; 3]] {
        &self.rest
    }

    /// What belongs to the vertices out of values for all nodes of the mesh.
    pub fn at_vertices<T: Copy>(&self, of_nodes: &[T]) -> io::Result<Vec<T>> {
        if of_nodes.len() != self.node_count {
            let problem =
                format!("{} values do not fit {} nodes of the mesh", of_nodes.len(), self.node_count);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
        }
        Ok(self.nodes.iter().map(|&n| of_nodes[n as usize]).collect())
    }
}

/// Triangles by the places of their nodes in `nodes`.
fn renumbered(surface: &Surface, nodes: &[u32], node_count: usize) -> Vec<[u32; 3]> {
    let mut vertex_of = vec![0_u32; node_count];
    (0_u32..).zip(nodes).for_each(|(vertex, &node)| vertex_of[node as usize] = vertex);
    let mut triangles = Vec::with_capacity(2 * surface.faces.len());
    for face in &surface.faces {
        match face.nodes {
            FaceNodes::Triangle(corners) => triangles.push(corners),
            FaceNodes::Quad(mut corners) => {
                let lowest = (0..4).min_by_key(|&i| corners[i]).unwrap_or(0);
                corners.rotate_left(lowest);
                let [a, b, c, d] = corners;
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    triangles.iter().map(|corners| corners.map(|n| vertex_of[n as usize])).collect()
}
