//! `energy.csv` and `probes.csv`.
//!
//! The rows of a sample go to the file in one write, so that a program that is killed leaves whole lines: its tables may
//! lack their last rows, but hold no half of one.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use pliant_scene::compile::CompiledProbe;
use pliant_scene::{open_input, replace_file};
use pliant_solid::Energy;

const ENERGY_HEADER: &str = "time,kinetic,elastic,gravity,dissipated,work,contact,total";
const PROBE_HEADER: &str = "time,probe,x,y,z,ux,uy,uz";

/// The tables of a run, with the line that tells ours from somebody else's of the same name.
pub const TABLES: [(&str, &str); 2] = [("energy.csv", ENERGY_HEADER), ("probes.csv", PROBE_HEADER)];

/// The two tables of a run.
pub struct Tables {
    energy: File,
    probes: File,
    samples: u64,
    /// The lines of a sample on their way to a file.
    lines: String,
}

impl Tables {
    /// New tables, or old ones cut to the rows a snapshot knows.
    pub fn open(folder: &Path, probe_count: usize, samples: u64) -> io::Result<Self> {
        let energy = open_table(&folder.join("energy.csv"), ENERGY_HEADER, samples)?;
        let probes = open_table(&folder.join("probes.csv"), PROBE_HEADER, samples * probe_count as u64)?;
        Ok(Self { energy, probes, samples, lines: String::new() })
    }

    /// Samples written so far.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// One row of energies and one per probe.
    pub fn add(&mut self, time: f64, e: &Energy, probes: &[CompiledProbe], x: &[f64]) -> io::Result<()> {
        let energies = [e.kinetic, e.elastic, e.gravity, e.dissipated, e.work, e.contact, e.total()];
        self.lines.clear();
        write_row(&mut self.lines, time, None, &energies);
        self.energy.write_all(self.lines.as_bytes())?;
        self.lines.clear();
        for probe in probes {
            let p = probe.mean(x);
            let u: [f64; 3] = std::array::from_fn(|c| p[c] - probe.rest[c]);
            write_row(&mut self.lines, time, Some(&probe.name), &[p, u].concat());
        }
        self.probes.write_all(self.lines.as_bytes())?;
        self.samples += 1;
        Ok(())
    }
}

/// `time,NAME,1e0,2e0,...` and the end of the line.
fn write_row(out: &mut String, time: f64, name: Option<&str>, numbers: &[f64]) {
    out.push_str(&format!("{time:e}"));
    if let Some(name) = name {
        out.push(',');
        out.push_str(name);
    }
    numbers.iter().for_each(|number| out.push_str(&format!(",{number:e}")));
    out.push('\n');
}

/// A table with its header and the first `rows` rows of what was there.
fn open_table(path: &Path, header: &str, rows: u64) -> io::Result<File> {
    let kept: Vec<String> =
        if rows == 0 { vec![format!("{header}\n")] } else { kept_lines(path, header, 1 + rows as usize)? };
    replace_file(path, |file| kept.iter().try_for_each(|line| file.write_all(line.as_bytes())))?;
    OpenOptions::new().append(true).open(path)
}

/// The first lines of a table that an earlier run left; what follows them, whole or torn, is dropped.
fn kept_lines(path: &Path, header: &str, wanted: usize) -> io::Result<Vec<String>> {
    let mut file = BufReader::new(open_input(path)?);
    let mut lines = Vec::with_capacity(wanted);
    while lines.len() < wanted {
        let mut line = String::new();
        if file.read_line(&mut line)? == 0 {
            let problem = format!("{} has fewer rows than the snapshot knows of", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        lines.push(line);
    }
    let whole = |line: &String| line.ends_with('\n') && line.split(',').count() == header.split(',').count();
    match lines.iter().position(|line| !whole(line)) {
        None => Ok(lines),
        Some(row) => {
            let problem = format!(
                "{}:{}: this row is damaged; run without --resume to start anew",
                path.display(),
                row + 1
            );
            Err(io::Error::new(io::ErrorKind::InvalidData, problem))
        }
    }
}
