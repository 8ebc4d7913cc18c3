//! Surfaces as binary STL: Float32 coordinates, each triangle with its normal.

use std::io::{self, Write};
use std::path::Path;

use pliant_geometry::FaceNodes;

use super::triangle_surface::TriangleSurface;
use crate::replace::replace_file;

/// Writes the surface with the mesh's nodes at `positions` (m), replacing what is there.
pub fn write_stl(path: &Path, surface: &TriangleSurface, positions: &[[f64; 3]]) -> io::Result<()> {
    let vertices = surface.at_vertices(positions)?;
    let Ok(count) = u32::try_from(surface.triangles().len()) else {
        let problem = "STL counts at most 4294967295 triangles; write .ply instead";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    };
    replace_file(path, |out| {
        // a title that begins with "solid" would look like text
        let mut title = [b' '; 80];
        let words = b"binary STL, lengths in m";
        title[..words.len()].copy_from_slice(words);
        out.write_all(&title)?;
        out.write_all(&count.to_le_bytes())?;
        for corners in surface.triangles() {
            let normal = unit(FaceNodes::Triangle(*corners).area_vector(&vertices));
            let corners = corners.map(|n| vertices[n as usize]);
            let numbers = normal.iter().chain(corners.as_flattened());
            numbers.into_iter().try_for_each(|&x| out.write_all(&(x as f32).to_le_bytes()))?;
            out.write_all(&[0, 0])?;
        }
        Ok(())
    })
}

/// The vector at length 1, or zero if it has no direction.
pub(super) fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 && length.is_finite() { v.map(|x| x / length) } else { [0.0; 3] }
}
