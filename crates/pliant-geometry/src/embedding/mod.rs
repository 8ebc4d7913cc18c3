//! A surface that rides on the cells of another mesh: fine triangles to look at, coarse cells to compute with.
//!
//! ```text
//! x_v = sum_i w_vi x_i,    i over the nodes of the cell that holds vertex v                              (1)
//! sum_i w_vi = 1,   sum_i w_vi X_i = X_v,   X at rest                                                    (2)
//! ```
//!
//! Source: [Warp 4.3], barycentric coordinates of the tetrahedron that a vertex of the visible surface is in. What differs: hexahedra hold
//! vertices by their trilinear weights, and vertices outside are held too (`bind.rs`). Weights stay what they were at rest. By (1) a vertex
//! moves continuously with the nodes, by (2) any affine motion of these is its own.

mod bind;
mod points;

use pliant_numerics::parallel;
use rayon::prelude::*;

use crate::material_point::MaterialPoint;
use crate::mesh::{Mesh, MeshError};

pub use bind::{OutsideVertex, OutsideVertices};
pub use points::{Follower, followers};

/// Vertices that a thread takes at a time.
const CHUNK: usize = 2048;

/// A surface and how its vertices hang on the nodes of a mesh.
///
/// Invariant: every vertex has nodes below `node_count` and weights as in (2).
#[derive(Clone, Debug)]
pub struct Embedding {
    surface: Mesh,
    node_count: usize,
    followers: Followers,
    outside: OutsideVertices,
}

/// Nodes and weights of each vertex. A mesh with hexahedra has eight, where those of tetrahedra are filled up with weights of zero.
#[derive(Clone, Debug)]
enum Followers {
    Four { nodes: Vec<[u32; 4]>, weights: Vec<[f64; 4]> },
    Eight { nodes: Vec<[u32; 8]>, weights: Vec<[f64; 8]> },
}

/// Why a surface cannot ride on a mesh.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EmbeddingError {
    /// There is nothing to show.
    #[error("the surface has no triangles; give a triangle surface, or cells whose boundary can be shown")]
    NoTriangles,
    /// There is nothing to ride on.
    #[error("the mesh has no cells with a volume; a surface follows tetrahedra or hexahedra")]
    NoCells,
    /// The surface has no boundary, or is no mesh.
    #[error(transparent)]
    Surface(#[from] crate::surface::SurfaceError),
    /// A vertex is nowhere.
    #[error(transparent)]
    Mesh(#[from] MeshError),
}

impl Embedding {
    /// Binds the triangles of `surface`, or the boundary of its cells if it has any, to the cells of `mesh`, both at rest.
    ///
    /// Works in the caller's thread pool if it is of one; the result does not depend on it.
    pub fn bind(mesh: &Mesh, surface: &Mesh) -> Result<Self, EmbeddingError> {
        let surface = crate::extract::surface_mesh(surface)?.mesh;
        if surface.triangles().is_empty() {
            return Err(EmbeddingError::NoTriangles);
        }
        let (followers, outside) = bind::bound(mesh, surface.positions()).ok_or(EmbeddingError::NoCells)?;
        Ok(Self { surface, node_count: mesh.node_count(), followers, outside })
    }

    /// The same with the rest positions mapped, by an affine map that the nodes go through as well.
    pub fn placed(mut self, map: impl Fn([f64; 3]) -> [f64; 3]) -> Result<Self, MeshError> {
        self.surface = self.surface.transformed(map)?;
        Ok(self)
    }

    /// The triangles and where their vertices are at rest, m; it has no cells.
    pub fn surface(&self) -> &Mesh {
        &self.surface
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.surface.node_count()
    }

    /// Which vertices lie outside the cells.
    pub fn outside(&self) -> &OutsideVertices {
        &self.outside
    }

    /// The nodes that a vertex follows, with their weights; those of weight zero are left out.
    pub fn point(&self, vertex: u32) -> MaterialPoint {
        let v = vertex as usize;
        let (nodes, weights): (&[u32], &[f64]) = match &self.followers {
            Followers::Four { nodes, weights } => (&nodes[v], &weights[v]),
            Followers::Eight { nodes, weights } => (&nodes[v], &weights[v]),
        };
        let pairs = nodes.iter().copied().zip(weights.iter().copied());
        pairs.filter(|(_, weight)| *weight != 0.0).collect()
    }

    /// The nodes that some vertex follows, in rising order.
    pub fn master_nodes(&self) -> Vec<u32> {
        let mut used = vec![false; self.node_count];
        for vertex in 0..self.vertex_count() as u32 {
            self.point(vertex).nodes().for_each(|node| used[node as usize] = true);
        }
        (0..self.node_count as u32).filter(|&node| used[node as usize]).collect()
    }

    /// The same surface on a part of the nodes: `nodes`, in rising order, are then numbered from zero.
    ///
    /// # Panics
    /// If [`master_nodes`](Self::master_nodes) are not all among them.
    pub fn on(&self, nodes: &[u32]) -> Self {
        let place = |node: u32, weight: f64| match nodes.binary_search(&node) {
            Ok(place) => place as u32,
            Err(_) => {
                assert!(weight == 0.0, "node {node} moves a vertex and is not among the chosen ones");
                0
            }
        };
        fn renumbered<const N: usize>(
            (nodes, weights): (&[[u32; N]], &[[f64; N]]),
            place: impl Fn(u32, f64) -> u32,
        ) -> Vec<[u32; N]> {
            let one = |(n, w): (&[u32; N], &[f64; N])| std::array::from_fn(|i| place(n[i], w[i]));
            nodes.iter().zip(weights).map(one).collect()
        }
        let followers = match &self.followers {
            Followers::Four { nodes, weights } => {
                Followers::Four { nodes: renumbered((nodes, weights), place), weights: weights.clone() }
            }
            Followers::Eight { nodes, weights } => {
                Followers::Eight { nodes: renumbered((nodes, weights), place), weights: weights.clone() }
            }
        };
        Self { followers, node_count: nodes.len(), surface: self.surface.clone(), outside: self.outside }
    }

    /// Where the vertices are (1) when the nodes are at `nodes`, m; in the caller's thread pool if it is of one, the same bits for any.
    ///
    /// # Panics
    /// If there are not as many nodes as the mesh has.
    pub fn positions_into(&self, nodes: &[[f64; 3]], out: &mut Vec<[f64; 3]>) {
        self.follow_into(nodes, out, |sum: [f64; 3], w, x| {
            [w.mul_add(x[0], sum[0]), w.mul_add(x[1], sum[1]), w.mul_add(x[2], sum[2])]
        });
    }

    /// Values at the vertices out of values at the nodes, by the same weights.
    ///
    /// # Panics
    /// If there are not as many values as the mesh has nodes.
    pub fn values_into(&self, of_nodes: &[f64], out: &mut Vec<f64>) {
        self.follow_into(of_nodes, out, |sum, w, x| w.mul_add(x, sum));
    }

    fn follow_into<T: Copy + Default + Send + Sync>(
        &self,
        of_nodes: &[T],
        out: &mut Vec<T>,
        add: impl Fn(T, f64, T) -> T + Sync,
    ) {
        assert_eq!(of_nodes.len(), self.node_count, "one value for each node");
        out.resize(self.vertex_count(), T::default());
        match &self.followers {
            Followers::Four { nodes, weights } => follow((nodes, weights), of_nodes, out, add),
            Followers::Eight { nodes, weights } => follow((nodes, weights), of_nodes, out, add),
        }
    }
}

/// (1) for vertices of `N` nodes.
fn follow<const N: usize, T: Copy + Default + Send + Sync>(
    (nodes, weights): (&[[u32; N]], &[[f64; N]]),
    of_nodes: &[T],
    out: &mut [T],
    add: impl Fn(T, f64, T) -> T + Sync,
) {
    let some = |out: &mut [T], nodes: &[[u32; N]], weights: &[[f64; N]]| {
        for ((out, nodes), weights) in out.iter_mut().zip(nodes).zip(weights) {
            let pairs = nodes.iter().zip(weights);
            *out = pairs.fold(T::default(), |sum, (n, w)| add(sum, *w, of_nodes[*n as usize]));
        }
    };
    let chunks = out.par_chunks_mut(CHUNK).zip(nodes.par_chunks(CHUNK)).zip(weights.par_chunks(CHUNK));
    parallel::for_each(chunks, |((out, nodes), weights)| some(out, nodes, weights));
}
