//! Smooth normals of a triangle surface whose vertices move.
//!
//! ```text
//! n_v = sum over the triangles around v of (b - a) x (c - a), at length 1                              (1)
//! ```
//!
//! Triangles count by their areas. Their area vectors come first, then every vertex adds up those around it, in rising order: nothing is
//! written twice, so that the bits do not depend on the threads. Differences are doubles; their products, sums and the result are floats, since a
//! normal is a direction to look at: it is off by some 1e-7.

use pliant_numerics::parallel;
use rayon::prelude::*;

use crate::vector::sub;

/// Triangles or vertices that a thread takes at a time.
const CHUNK: usize = 2048;

/// The triangles of a surface and which of them are around each vertex.
#[derive(Clone, Debug)]
pub struct VertexNormals {
    triangles: Vec<[u32; 3]>,
    start: Vec<u32>,
    around: Vec<u32>,
}

impl VertexNormals {
    /// Of a surface with that many vertices.
    ///
    /// # Panics
    /// If a corner is not below `vertex_count`.
    pub fn of(vertex_count: usize, triangles: &[[u32; 3]]) -> Self {
        let mut start = vec![0_u32; vertex_count + 1];
        triangles.iter().flatten().for_each(|&v| start[v as usize + 1] += 1);
        for v in 0..vertex_count {
            start[v + 1] += start[v];
        }
        let mut next = start.clone();
        let mut around = vec![0; 3 * triangles.len()];
        for (triangle, corners) in (0..).zip(triangles) {
            for &v in corners {
                around[next[v as usize] as usize] = triangle;
                next[v as usize] += 1;
            }
        }
        Self { triangles: triangles.to_vec(), start, around }
    }

    /// The normals (1) of vertices at `positions` (m); zero where the triangles have no area; `areas` is scratch. In the caller's
    /// thread pool if it is of one.
    ///
    /// # Panics
    /// If there are not as many positions as vertices.
    pub fn normals_into(&self, positions: &[[f64; 3]], areas: &mut Vec<[f32; 3]>, out: &mut Vec<[f32; 3]>) {
        assert_eq!(positions.len() + 1, self.start.len(), "one position for each vertex");
        areas.resize(self.triangles.len(), [0.0; 3]);
        out.resize(positions.len(), [0.0; 3]);
        let measure = |areas: &mut [[f32; 3]], triangles: &[[u32; 3]]| {
            for (area, corners) in areas.iter_mut().zip(triangles) {
                *area = double_area(corners.map(|v| positions[v as usize]));
            }
        };
        let gather = |areas: &[[f32; 3]], first: usize, out: &mut [[f32; 3]]| {
            for (normal, ends) in out.iter_mut().zip(self.start[first..].windows(2)) {
                *normal = unit_sum(areas, &self.around[ends[0] as usize..ends[1] as usize]);
            }
        };
        let pieces = areas.par_chunks_mut(CHUNK).zip(self.triangles.par_chunks(CHUNK));
        parallel::for_each(pieces, |(areas, triangles)| measure(areas, triangles));
        let areas = &areas[..];
        let pieces = out.par_chunks_mut(CHUNK).enumerate();
        parallel::for_each(pieces, |(chunk, out)| gather(areas, chunk * CHUNK, out));
    }
}

/// Twice the area vector of a triangle, m^2.
#[inline(always)]
fn double_area([a, b, c]: [[f64; 3]; 3]) -> [f32; 3] {
    let (u, v) = (sub(b, a).map(|x| x as f32), sub(c, a).map(|x| x as f32));
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

#[inline(always)]
fn unit_sum(areas: &[[f32; 3]], around: &[u32]) -> [f32; 3] {
    let mut sum = [0.0_f32; 3];
    for &triangle in around {
        let area = areas[triangle as usize];
        sum = [sum[0] + area[0], sum[1] + area[1], sum[2] + area[2]];
    }
    let length = (sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]).sqrt();
    if length > 0.0 { sum.map(|x| x / length) } else { [0.0; 3] }
}
