//! Surfaces as PLY: little-endian bytes, coordinates as doubles, further numbers at the vertices as floats.

use std::io::{self, Write};
use std::path::Path;

use super::triangle_surface::TriangleSurface;
use crate::replace::replace_file;

/// A number for each node of the mesh.
#[derive(Clone, Copy, Debug)]
pub struct NodeScalars<'a> {
    /// One word, such as `von_mises`.
    pub name: &'a str,
    /// For all nodes of the mesh; written as Float32.
    pub values: &'a [f64],
}

/// Writes the surface with the mesh's nodes at `positions` (m), replacing what is there.
pub fn write_ply(
    path: &Path,
    surface: &TriangleSurface,
    positions: &[[f64; 3]],
    scalars: &[NodeScalars],
) -> io::Result<()> {
    let vertices = surface.at_vertices(positions)?;
    let columns: Vec<Vec<f64>> =
        scalars.iter().map(|column| surface.at_vertices(column.values)).collect::<io::Result<_>>()?;
    replace_file(path, |out| {
        write_header(out, surface, scalars)?;
        for (i, vertex) in vertices.iter().enumerate() {
            vertex.iter().try_for_each(|x| out.write_all(&x.to_le_bytes()))?;
            columns.iter().try_for_each(|column| out.write_all(&(column[i] as f32).to_le_bytes()))?;
        }
        for corners in surface.triangles() {
            out.write_all(&[3])?;
            corners.iter().try_for_each(|n| out.write_all(&n.to_le_bytes()))?;
        }
        Ok(())
    })
}

fn write_header(out: &mut impl Write, surface: &TriangleSurface, scalars: &[NodeScalars]) -> io::Result<()> {
    let (vertices, faces) = (surface.nodes().len(), surface.triangles().len());
    write!(
        out,
        "ply\nformat binary_little_endian 1.0\ncomment written by Pliant, lengths in m\nelement vertex {vertices}\n\
         property double x\nproperty double y\nproperty double z\n"
    )?;
    scalars.iter().try_for_each(|column| writeln!(out, "property float {}", column.name))?;
    write!(out, "element face {faces}\nproperty list uchar uint vertex_indices\nend_header\n")
}
