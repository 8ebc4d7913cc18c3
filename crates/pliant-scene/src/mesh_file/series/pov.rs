//! Frames for POV-Ray, which [Stolfi 8] renders with: a `mesh2` with smooth normals a frame, and a scene that shows them.
//!
//! NAME_000012.inc is frame 12; NAME.pov includes the frame whose number POV-Ray asks for. Normals are the sums of the area
//! vectors of the triangles around a vertex, at length 1.

use std::fmt::Debug;
use std::io::{self, Write};
use std::path::PathBuf;

use pliant_geometry::{Bounds, VertexNormals};

use super::numbered_files::NumberedFiles;
use super::pov_scene::{PovScene, set_last_frame, write_pov_scene};
use super::{SeriesPlace, SurfaceFrame, SurfaceSeries, check_number};
use crate::mesh_file::triangle_surface::TriangleSurface;
use crate::replace::replace_file;

/// Frames as NAME_000000.inc and so on, shown by NAME.pov.
pub struct PovSeries {
    files: NumberedFiles,
    surface: TriangleSurface,
    normals: VertexNormals,
    name: String,
    scene: PathBuf,
    /// Whether the scene still waits for a frame to look at.
    waits: bool,
    frames_per_second: f64,
}

impl PovSeries {
    /// Begins the series, or goes on behind the kept frames.
    pub fn open(place: &SeriesPlace, surface: TriangleSurface) -> io::Result<Self> {
        let scene = place.file("pov");
        let waits = place.kept_frames == 0 || !scene.exists();
        let files = NumberedFiles::open(place, "inc")?;
        let name = place.name.to_owned();
        let normals = VertexNormals::of(surface.rest().len(), surface.triangles());
        Ok(Self { files, surface, normals, name, scene, waits, frames_per_second: place.frames_per_second })
    }
}

impl SurfaceSeries for PovSeries {
    fn push(&mut self, frame: &SurfaceFrame) -> io::Result<()> {
        check_number(frame, self.files.next)?;
        let vertices = self.surface.at_vertices(frame.positions)?;
        replace_file(&self.files.path(frame.number), |out| {
            write_mesh2(out, self.surface.triangles(), &vertices, &directions(&self.normals, &vertices))
        })?;
        let (frames_per_second, last_frame) = (self.frames_per_second, frame.number);
        match Bounds::of(vertices) {
            Some(bounds) if self.waits => {
                let scene = PovScene { names: &[&self.name], bounds, frames_per_second, last_frame };
                write_pov_scene(&self.scene, &scene)?;
                self.waits = false;
            }
            _ => set_last_frame(&self.scene, frames_per_second, last_frame)?,
        }
        self.files.next += 1;
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        // a run that is resumed may have dropped frames and written none
        match self.files.next.checked_sub(1) {
            Some(last) => set_last_frame(&self.scene, self.frames_per_second, last),
            None => Ok(()),
        }
    }
}

fn write_mesh2(
    out: &mut impl Write,
    triangles: &[[u32; 3]],
    vertices: &[[f64; 3]],
    normals: &[[f32; 3]],
) -> io::Result<()> {
    out.write_all(b"// written by Pliant, lengths in m\nmesh2 {\n")?;
    write_vectors(out, "vertex_vectors", vertices)?;
    write_vectors(out, "normal_vectors", normals)?;
    write!(out, "face_indices {{ {}", triangles.len())?;
    triangles.iter().try_for_each(|[a, b, c]| write!(out, ",\n<{a},{b},{c}>"))?;
    out.write_all(b" }\n}\n")
}

fn write_vectors<T: Debug>(out: &mut impl Write, what: &str, vectors: &[[T; 3]]) -> io::Result<()> {
    write!(out, "{what} {{ {}", vectors.len())?;
    vectors.iter().try_for_each(|[x, y, z]| write!(out, ",\n<{x:?},{y:?},{z:?}>"))?;
    out.write_all(b" }\n")
}

fn directions(normals: &VertexNormals, vertices: &[[f64; 3]]) -> Vec<[f32; 3]> {
    let mut out = Vec::new();
    normals.normals_into(vertices, &mut Vec::new(), &mut out);
    // POV-Ray wants a direction, also where there is none
    out.iter_mut().filter(|normal| **normal == [0.0; 3]).for_each(|normal| *normal = [0.0, 0.0, 1.0]);
    out
}
