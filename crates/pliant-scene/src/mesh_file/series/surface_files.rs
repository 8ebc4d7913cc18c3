//! A whole surface file for every frame: OBJ, and PLY with the von Mises stress. Each is there whole or not at all.

use std::io;

use super::numbered_files::NumberedFiles;
use super::{SeriesPlace, SurfaceFrame, SurfaceSeries, check_number};
use crate::mesh_file::obj_write::write_obj;
use crate::mesh_file::ply_write::{NodeScalars, write_ply};
use crate::mesh_file::triangle_surface::TriangleSurface;

/// Frames as NAME_000000.obj and so on; doubles as text.
pub struct ObjSeries {
    files: NumberedFiles,
    surface: TriangleSurface,
}

impl ObjSeries {
    /// Begins the series, or goes on behind the kept frames.
    pub fn open(place: &SeriesPlace, surface: TriangleSurface) -> io::Result<Self> {
        Ok(Self { files: NumberedFiles::open(place, "obj")?, surface })
    }
}

impl SurfaceSeries for ObjSeries {
    fn push(&mut self, frame: &SurfaceFrame) -> io::Result<()> {
        check_number(frame, self.files.next)?;
        write_obj(&self.files.path(frame.number), &self.surface, frame.positions)?;
        self.files.next += 1;
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Frames as NAME_000000.ply and so on; doubles as bytes, the stress (Pa) as `von_mises` in floats.
pub struct PlySeries {
    files: NumberedFiles,
    surface: TriangleSurface,
}

impl PlySeries {
    /// Begins the series, or goes on behind the kept frames.
    pub fn open(place: &SeriesPlace, surface: TriangleSurface) -> io::Result<Self> {
        Ok(Self { files: NumberedFiles::open(place, "ply")?, surface })
    }
}

impl SurfaceSeries for PlySeries {
    fn push(&mut self, frame: &SurfaceFrame) -> io::Result<()> {
        check_number(frame, self.files.next)?;
        let stress = NodeScalars { name: "von_mises", values: frame.von_mises };
        write_ply(&self.files.path(frame.number), &self.surface, frame.positions, &[stress])?;
        self.files.next += 1;
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}
