//! Normals of the faces, edges and vertices of a closed surface, by which a place is known to be in or out.
//!
//! ```text
//! n_edge = sum of the unit normals of its triangles                                                    (1)
//! n_vertex = sum over its triangles of (angle at the vertex) (unit normal)                              (2)
//! ```
//!
//! (p - c) . n > 0 if p is outside, where c is the point of the surface closest to p and n belongs to the
//! face, edge or vertex that c lies in [Baerentzen 2005]. The reason holds for edges of more than two
//! triangles too: near c the solid lies beyond the ball about p, and n is minus the mean direction from c
//! into the solid, because the normals of a closed piece of surface sum to zero.

use super::TriangleSolidError;
use crate::vector::{Vec3, add, cross, dot, norm, scale, sub};

/// Unit normals; see the [module](self).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PseudoNormals {
    /// Of each triangle.
    pub faces: Vec<Vec3>,
    /// Of its three edges, from each corner to the next.
    pub edges: Vec<[Vec3; 3]>,
    /// Of each vertex; of one without triangles zero.
    pub vertices: Vec<Vec3>,
}

/// One edge of one triangle, by its lower end, its higher end and where it is.
type EdgeUse = (u32, u32, u32, u8);

impl PseudoNormals {
    /// Of a surface without flat triangles; an error if it has an open edge.
    pub fn of(positions: &[Vec3], triangles: &[[u32; 3]]) -> Result<Self, TriangleSolidError> {
        let corners = |t: usize| triangles[t].map(|n| positions[n as usize]);
        let faces: Vec<Vec3> = (0..triangles.len()).map(|t| face_normal(corners(t))).collect();
        let mut edges = vec![[[0.0; 3]; 3]; triangles.len()];
        let (mut count, mut place) = (0, [0.0; 3]);
        let mut uses = edge_uses(triangles);
        uses.sort_unstable();
        for same in uses.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let forward =
                same.iter().filter(|edge| triangles[edge.2 as usize][edge.3 as usize] == edge.0).count();
            if 2 * forward != same.len() {
                if count == 0 {
                    place = scale(add(positions[same[0].0 as usize], positions[same[0].1 as usize]), 0.5);
                }
                count += 1;
                continue;
            }
            let sum = same.iter().fold([0.0; 3], |sum, edge| add(sum, faces[edge.2 as usize])); // (1)
            for edge in same {
                edges[edge.2 as usize][edge.3 as usize] = unit_or(sum, faces[edge.2 as usize]);
            }
        }
        if count > 0 {
            return Err(TriangleSolidError::NotClosed { count, place });
        }
        let vertices = vertex_normals(positions, triangles, &faces);
        Ok(Self { faces, edges, vertices })
    }
}

fn edge_uses(triangles: &[[u32; 3]]) -> Vec<EdgeUse> {
    let of = |(t, nodes): (u32, &[u32; 3])| {
        [0_u8, 1, 2].map(|i| {
            let (a, b) = (nodes[usize::from(i)], nodes[(usize::from(i) + 1) % 3]);
            (a.min(b), a.max(b), t, i)
        })
    };
    (0_u32..).zip(triangles).flat_map(of).collect()
}

fn vertex_normals(positions: &[Vec3], triangles: &[[u32; 3]], faces: &[Vec3]) -> Vec<Vec3> {
    let mut sums = vec![[0.0; 3]; positions.len()];
    let mut some_face = vec![[0.0; 3]; positions.len()];
    for (nodes, normal) in triangles.iter().zip(faces) {
        for i in 0..3 {
            let [at, next, before] = [i, (i + 1) % 3, (i + 2) % 3].map(|j| positions[nodes[j] as usize]);
            let (a, b) = (sub(next, at), sub(before, at));
            let angle = norm(cross(a, b)).atan2(dot(a, b));
            let vertex = nodes[i] as usize;
            sums[vertex] = add(sums[vertex], scale(*normal, angle)); // (2)
            some_face[vertex] = *normal;
        }
    }
    sums.iter().zip(some_face).map(|(sum, face)| unit_or(*sum, face)).collect()
}

fn face_normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    let normal = cross(sub(b, a), sub(c, a));
    scale(normal, 1.0 / norm(normal))
}

/// A sum of normals as a unit vector; where they cancel, so that no side is known, one of them.
fn unit_or(sum: Vec3, one: Vec3) -> Vec3 {
    let length = norm(sum);
    if length > 1e-12 { scale(sum, 1.0 / length) } else { one }
}
