//! Surfaces as OBJ: text, the shortest numbers that read back to the same bits.

use std::io::{self, Write};
use std::path::Path;

use pliant_geometry::Mesh;

use super::group_sets::GroupSets;
use super::triangle_surface::TriangleSurface;
use crate::replace::replace_file;

/// Writes the surface with the mesh's nodes at `positions` (m), replacing what is there.
pub fn write_obj(path: &Path, surface: &TriangleSurface, positions: &[[f64; 3]]) -> io::Result<()> {
    write_surface(path, surface, &surface.at_vertices(positions)?)
}

/// Writes the surface at rest.
pub(super) fn write_rest_obj(path: &Path, surface: &TriangleSurface) -> io::Result<()> {
    write_surface(path, surface, surface.rest())
}

fn write_surface(path: &Path, surface: &TriangleSurface, vertices: &[[f64; 3]]) -> io::Result<()> {
    replace_file(path, |out| {
        write_vertices(out, vertices)?;
        write_faces(out, surface.triangles())
    })
}

/// Writes a mesh of triangles with its groups. In their names, blanks and what else means something to OBJ become `_`.
pub(super) fn write_grouped_obj(path: &Path, mesh: &Mesh) -> io::Result<()> {
    let groups = mesh.groups().values().map(|group| group.triangles.as_slice());
    let sets = GroupSets::of(mesh.triangles().len(), groups)?;
    let names: Vec<String> = mesh.groups().keys().map(|name| one_word(name)).collect();
    replace_file(path, |out| {
        write_vertices(out, mesh.positions())?;
        for (set, range) in sets.runs() {
            // a mesh without groups needs no word about them
            if sets.count() > 1 {
                out.write_all(b"g")?;
                sets.groups(set).iter().try_for_each(|&group| write!(out, " {}", names[group as usize]))?;
                out.write_all(b"\n")?;
            }
            write_faces(out, &mesh.triangles()[range])?;
        }
        Ok(())
    })
}

fn write_vertices(out: &mut impl Write, vertices: &[[f64; 3]]) -> io::Result<()> {
    out.write_all(b"# written by Pliant, lengths in m\n")?;
    vertices.iter().try_for_each(|[x, y, z]| writeln!(out, "v {x:?} {y:?} {z:?}"))
}

fn write_faces(out: &mut impl Write, triangles: &[[u32; 3]]) -> io::Result<()> {
    // numbered from 1; the last number may be 2^32
    let from_one = |n: u32| u64::from(n) + 1;
    triangles.iter().try_for_each(|corners| {
        let [a, b, c] = corners.map(from_one);
        writeln!(out, "f {a} {b} {c}")
    })
}

fn one_word(name: &str) -> String {
    let one = |c: char| if c.is_whitespace() || c.is_control() || matches!(c, '#' | '\\') { '_' } else { c };
    if name.is_empty() { "_".to_owned() } else { name.chars().map(one).collect() }
}
