//! Point caches (.pc2) for Blender and 3ds Max: the positions of a mesh's vertices, sample by sample.
//!
//! ```text
//! 0  "POINTCACHE2\0"     16  points in a sample, i32    24  frames a sample, f32 (1)
//! 12 version, i32 (1)    20  first frame, f32 (0)       28  samples, i32
//! 32 samples: x, y, z of every point, f32; all little-endian
//! ```
//!
//! The points are the vertices of NAME.obj, the surface at rest, which is written beside. A sample is
//! flushed before the header counts it, so what the header announces is whole.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{SeriesPlace, SurfaceFrame, SurfaceSeries, at, check_number, not_resumable};
use crate::input_file::open_to_change;
use crate::mesh_file::obj_write::write_rest_obj;
use crate::mesh_file::triangle_surface::TriangleSurface;
use crate::replace::create_output;

const HEADER: u64 = 32;
const SAMPLES_AT: u64 = 28;

/// Frames as samples of NAME.pc2; positions as floats.
pub struct Pc2Series {
    file: File,
    path: PathBuf,
    surface: TriangleSurface,
    samples: u64,
    /// The sample at hand, as bytes.
    bytes: Vec<u8>,
}

impl Pc2Series {
    /// Begins the cache, or goes on behind the kept frames.
    pub fn open(place: &SeriesPlace, surface: TriangleSurface) -> io::Result<Self> {
        let Ok(points) = i32::try_from(surface.nodes().len()) else {
            let problem = "a .pc2 file holds at most 2147483647 points; use another format";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
        };
        let path = place.file("pc2");
        let file = if place.kept_frames == 0 {
            begun(&path, points).map_err(at(&path))?
        } else {
            resumed(&path, points, place.kept_frames)?
        };
        write_rest_obj(&place.file("obj"), &surface)?;
        Ok(Self { file, path, surface, samples: place.kept_frames, bytes: Vec::new() })
    }
}

impl SurfaceSeries for Pc2Series {
    fn push(&mut self, frame: &SurfaceFrame) -> io::Result<()> {
        check_number(frame, self.samples)?;
        let Ok(samples) = i32::try_from(self.samples + 1) else {
            return Err(io::Error::other("a .pc2 file holds at most 2147483647 samples; use fewer frames"));
        };
        let vertices = self.surface.at_vertices(frame.positions)?;
        self.bytes.clear();
        vertices.as_flattened().iter().for_each(|&x| self.bytes.extend((x as f32).to_le_bytes()));
        // from the end of the last whole sample, over what an error may have left
        let start = HEADER + self.samples * self.bytes.len() as u64;
        let added = add_sample(&mut self.file, start, &self.bytes, samples);
        added.map_err(at(&self.path))?;
        self.samples += 1;
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.file.sync_all()
    }
}

/// The sample first, then the count that announces it.
fn add_sample(file: &mut File, start: u64, bytes: &[u8], samples: i32) -> io::Result<()> {
    file.seek(SeekFrom::Start(start))?;
    file.write_all(bytes)?;
    file.flush()?;
    write_samples(file, samples)
}

fn write_samples(file: &mut File, samples: i32) -> io::Result<()> {
    file.seek(SeekFrom::Start(SAMPLES_AT))?;
    file.write_all(&samples.to_le_bytes())?;
    file.flush()
}

/// All but the samples.
fn opening(points: i32) -> [u8; SAMPLES_AT as usize] {
    let mut bytes = [0; SAMPLES_AT as usize];
    bytes[..12].copy_from_slice(b"POINTCACHE2\0");
    bytes[12..16].copy_from_slice(&1_i32.to_le_bytes());
    bytes[16..20].copy_from_slice(&points.to_le_bytes());
    bytes[20..24].copy_from_slice(&0_f32.to_le_bytes());
    bytes[24..28].copy_from_slice(&1_f32.to_le_bytes());
    bytes
}

fn begun(path: &Path, points: i32) -> io::Result<File> {
    let mut file = create_output(path)?;
    file.write_all(&opening(points))?;
    write_samples(&mut file, 0)?;
    Ok(file)
}

/// The file of an earlier run, cut behind the kept samples.
fn resumed(path: &Path, points: i32, kept: u64) -> io::Result<File> {
    let mut file = open_to_change(path).map_err(at(path))?;
    let mut header = [0; HEADER as usize];
    let whole = file.read_exact(&mut header).is_ok();
    let (start, count) = header.split_at(SAMPLES_AT as usize);
    if !whole || *start != opening(points) {
        return Err(not_resumable(
            path,
            format!("not a point cache of {points} points that was written here"),
        ));
    }
    let count = count.try_into().map_or(0, i32::from_le_bytes);
    let end = HEADER + 12 * points as u64 * kept;
    if count < 0 || (count as u64) < kept || file.metadata()?.len() < end {
        return Err(not_resumable(
            path,
            format!("it holds fewer than the {kept} whole samples that should be there"),
        ));
    }
    // the header first: it must never count what is gone
    write_samples(&mut file, kept as i32)?;
    file.set_len(end)?;
    Ok(file)
}
