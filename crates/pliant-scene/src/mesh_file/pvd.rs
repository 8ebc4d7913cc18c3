//! The time line of a run (.pvd): which files show which moment, for ParaView.
//!
//! The file is rewritten whole and atomically. Early on that is done after every frame; later when the list has
//! grown by 1/64, so that the total written stays proportional to the number of frames.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::xml::{attribute, escaped};
use crate::input_file::read_text;
use crate::replace::replace_file;

/// One moment: its time and a file for each part.
#[derive(Clone, Debug, PartialEq)]
pub struct PvdFrame {
    /// Simulated time, s.
    pub time: f64,
    /// File names relative to the folder of the series, part 0 first.
    pub files: Vec<String>,
}

/// The frames of a run, kept on disk.
#[derive(Debug)]
pub struct PvdSeries {
    path: PathBuf,
    frames: Vec<PvdFrame>,
    unwritten: usize,
}

impl PvdSeries {
    /// An empty series; nothing is written until the first frame.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), frames: Vec::new(), unwritten: 0 }
    }

    /// The series that an earlier run left, as far as `time` (s); later frames are dropped.
    pub fn reload(path: impl Into<PathBuf>, time: f64) -> io::Result<Self> {
        let path = path.into();
        let mut series = Self { frames: parse(&path, &read_text(&path)?)?, path, unwritten: 0 };
        series.truncate_after(time)?;
        Ok(series)
    }

    /// The frames so far.
    pub fn frames(&self) -> &[PvdFrame] {
        &self.frames
    }

    /// Adds a frame, one file for each part, and brings the file up to date unless that can wait.
    pub fn push(&mut self, time: f64, files: Vec<String>) -> io::Result<()> {
        self.frames.push(PvdFrame { time, files });
        self.unwritten += 1;
        if self.unwritten >= (self.frames.len() / 64).max(1) { self.flush() } else { Ok(()) }
    }

    /// Drops the frames later than `time` (s), on disk too.
    pub fn truncate_after(&mut self, time: f64) -> io::Result<()> {
        let before = self.frames.len();
        self.frames.retain(|frame| frame.time <= time);
        if self.frames.len() < before {
            self.unwritten += 1;
        }
        self.flush()
    }

    /// Drops the frames behind the first `count`, on disk too.
    pub fn truncate(&mut self, count: usize) -> io::Result<()> {
        if self.frames.len() > count {
            self.frames.truncate(count);
            self.unwritten += 1;
        }
        self.flush()
    }

    /// Brings the file up to date; to be called at the end of a run.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.unwritten == 0 {
            return Ok(());
        }
        replace_file(&self.path, |out| write(out, &self.frames))?;
        self.unwritten = 0;
        Ok(())
    }
}

fn write(out: &mut impl Write, frames: &[PvdFrame]) -> io::Result<()> {
    out.write_all(
        b"<?xml version=\"1.0\"?>\n<!-- written by Pliant -->\n\
          <VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n",
    )?;
    for frame in frames {
        for (part, file) in frame.files.iter().enumerate() {
            let (time, file) = (frame.time, escaped(file));
            writeln!(out, "<DataSet timestep=\"{time}\" group=\"\" part=\"{part}\" file=\"{file}\"/>")?;
        }
    }
    out.write_all(b"</Collection>\n</VTKFile>\n")
}

/// Reads what `write` wrote: one line for each file.
fn parse(path: &Path, text: &str) -> io::Result<Vec<PvdFrame>> {
    let mut frames: Vec<PvdFrame> = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| line.contains("<DataSet")) {
        let time = attribute(line, "timestep").and_then(|time| time.parse::<f64>().ok());
        let part = attribute(line, "part").and_then(|part| part.parse::<usize>().ok());
        let file = attribute(line, "file");
        let (Some(time), Some(part), Some(file)) = (time, part, file) else {
            return Err(damaged(path, number));
        };
        match frames.last_mut() {
            // a frame begins with part 0 and goes on in order
            Some(frame) if part > 0 && part == frame.files.len() && frame.time == time => {
                frame.files.push(file)
            }
            _ if part == 0 => frames.push(PvdFrame { time, files: vec![file] }),
            _ => return Err(damaged(path, number)),
        }
    }
    Ok(frames)
}

fn damaged(path: &Path, line: usize) -> io::Error {
    let problem = format!(
        "{}:{line}: expected a <DataSet> with timestep, part and file, in order; \
         delete the file or run without --resume",
        path.display()
    );
    io::Error::new(io::ErrorKind::InvalidData, problem)
}
