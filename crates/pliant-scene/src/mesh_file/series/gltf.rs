//! A run as one glTF 2.0 animation: NAME.gltf, which describes, and NAME.bin, which holds.
//!
//! ```text
//! NAME.bin: corners of the triangles, 3 u32 each; the vertices at rest, 3 f32 each;
//!           for each frame its time (s), f32, and the way of every vertex from rest, 3 f32 each; little-endian
//! ```
//!
//! Frames are appended to NAME.bin, which needs nothing else to be gone on with. NAME.gltf is rewritten whole as the list
//! of frames grows by 1/64, and at the end; it describes only frames that are whole.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use super::gltf_document::{FrameSpan, Span, document};
use super::{SeriesPlace, SurfaceFrame, SurfaceSeries, at, check_number, not_resumable};
use crate::input_file::open_to_change;
use crate::mesh_file::triangle_surface::TriangleSurface;
use crate::replace::{create_output, replace_file};

/// The weights of n frames are a matrix of n x n entries, which are numbered in 32 bits.
pub(crate) const MOST_FRAMES: usize = 65535;

/// Frames as morph targets of NAME.gltf; positions as floats.
pub struct GltfSeries {
    bin: File,
    path: PathBuf,
    name: String,
    surface: TriangleSurface,
    /// The vertices at rest as they are stored.
    base: Vec<[f32; 3]>,
    frames: Vec<FrameSpan>,
    unwritten: usize,
    /// The frame at hand, as bytes.
    bytes: Vec<u8>,
}

impl GltfSeries {
    /// Begins the animation, or goes on behind the kept frames.
    pub fn open(place: &SeriesPlace, surface: TriangleSurface) -> io::Result<Self> {
        if surface.triangles().is_empty() {
            let problem = format!("{}: no triangles to animate; give the body a surface", place.name);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
        }
        let base: Vec<[f32; 3]> = surface.rest().iter().map(|p| p.map(|x| x as f32)).collect();
        let head = head(&surface, &base);
        let path = place.file("bin");
        let (bin, frames) = if place.kept_frames == 0 {
            let mut bin = create_output(&path).map_err(at(&path))?;
            bin.write_all(&head)?;
            bin.flush()?;
            (bin, Vec::new())
        } else {
            let bin = open_to_change(&path).map_err(at(&path))?;
            let kept = kept_frames(&bin, &head, 12 * base.len(), place.kept_frames);
            (bin, kept?.map_err(|why| not_resumable(&path, why))?)
        };
        let end = head.len() + frames.len() * record_size(base.len());
        let (path, name) = (place.file("gltf"), place.name.to_owned());
        let mut series = Self { bin, path, name, surface, base, frames, unwritten: 1, bytes: Vec::new() };
        // an older description may know frames that are to go
        series.finish()?;
        series.bin.set_len(end as u64)?;
        Ok(series)
    }

    /// The frame as it is stored.
    fn encode(&mut self, frame: &SurfaceFrame) -> io::Result<FrameSpan> {
        let vertices = self.surface.at_vertices(frame.positions)?;
        // times must rise, also where floats lie further apart than frames
        let least = self.frames.last().map_or(0.0, |last| last.time.next_up());
        let time = (frame.time as f32).max(least);
        self.bytes.clear();
        self.bytes.extend(time.to_le_bytes());
        let mut span = Span::default();
        for (vertex, base) in vertices.iter().zip(&self.base) {
            // from the stored place, so that its rounding is not added
            let way: [f32; 3] = std::array::from_fn(|k| (vertex[k] - f64::from(base[k])) as f32);
            span.add(way);
            way.iter().for_each(|x| self.bytes.extend(x.to_le_bytes()));
        }
        Ok(FrameSpan { time, span })
    }
}

impl SurfaceSeries for GltfSeries {
    fn push(&mut self, frame: &SurfaceFrame) -> io::Result<()> {
        check_number(frame, self.frames.len() as u64)?;
        if self.frames.len() == MOST_FRAMES {
            let problem = format!("glTF takes at most {MOST_FRAMES} frames here; use fewer, or pc2");
            return Err(io::Error::other(problem));
        }
        let described = self.encode(frame)?;
        let head = 12 * (self.surface.triangles().len() + self.base.len());
        let start = head + self.frames.len() * self.bytes.len();
        // from the end of the last whole frame, over what an error may have left
        let bin = self.path.with_extension("bin");
        let added =
            self.bin.seek(SeekFrom::Start(start as u64)).and_then(|_| self.bin.write_all(&self.bytes));
        added.and_then(|()| self.bin.flush()).map_err(at(&bin))?;
        self.frames.push(described);
        self.unwritten += 1;
        if self.unwritten >= (self.frames.len() / 64).max(1) { self.finish() } else { Ok(()) }
    }

    fn finish(&mut self) -> io::Result<()> {
        if self.unwritten == 0 {
            return Ok(());
        }
        let json = document(&self.name, &self.base, self.surface.triangles().len(), &self.frames);
        replace_file(&self.path, |out| serde_json::to_writer(out, &json).map_err(io::Error::from))?;
        self.unwritten = 0;
        Ok(())
    }
}

/// A time and a way for each vertex.
fn record_size(vertex_count: usize) -> usize {
    4 + 12 * vertex_count
}

/// What stands before the frames.
fn head(surface: &TriangleSurface, base: &[[f32; 3]]) -> Vec<u8> {
    let corners = surface.triangles().as_flattened().iter().map(|n| n.to_le_bytes());
    corners.chain(base.as_flattened().iter().map(|x| x.to_le_bytes())).flatten().collect()
}

/// The first `kept` frames of a file with this head and ways of `size` bytes; or why they are not there.
fn kept_frames(
    bin: &File,
    head: &[u8],
    size: usize,
    kept: u64,
) -> io::Result<Result<Vec<FrameSpan>, String>> {
    let there = bin.metadata()?.len().saturating_sub(head.len() as u64) / (4 + size as u64);
    if there < kept {
        return Ok(Err(format!("{there} frames are there, but {kept} should be")));
    }
    let mut reader = BufReader::with_capacity(1 << 20, bin);
    let mut bytes = vec![0; head.len()];
    reader.read_exact(&mut bytes)?;
    if bytes != head {
        return Ok(Err("it holds another surface".to_owned()));
    }
    bytes.resize(size, 0);
    let mut frames = Vec::new();
    for _ in 0..kept {
        let mut time = [0; 4];
        reader.read_exact(&mut time)?;
        reader.read_exact(&mut bytes[..size])?;
        let mut span = Span::default();
        for way in bytes[..size].chunks_exact(12) {
            let number = |k: usize| f32::from_le_bytes([way[k], way[k + 1], way[k + 2], way[k + 3]]);
            span.add([number(0), number(4), number(8)]);
        }
        frames.push(FrameSpan { time: f32::from_le_bytes(time), span });
    }
    Ok(Ok(frames))
}
