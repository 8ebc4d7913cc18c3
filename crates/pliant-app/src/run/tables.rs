//! `energy.csv`, `probes.csv` and `forces.csv`.
//!
//! The rows of a sample go to the file in one write, so that a program that is killed leaves whole lines: its tables may
//! lack their last rows, but hold no half of one.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use pliant_scene::compile::resultants;
use pliant_scene::{Compiled, open_input, replace_file};
use pliant_solid::{Energy, State};

use super::columns::{Columns, ENERGY, FORCES, PROBES};

/// The tables of a run, with the columns that tell ours from somebody else's of the same name.
pub const TABLES: [(&str, Columns); 3] =
    [("energy.csv", ENERGY), ("probes.csv", PROBES), ("forces.csv", FORCES)];

/// The tables of a run.
pub struct Tables {
    energy: File,
    probes: File,
    forces: File,
    samples: u64,
    /// The lines of a sample on their way to a file.
    lines: String,
}

impl Tables {
    /// New tables, or old ones cut to the rows a snapshot knows.
    pub fn open(folder: &Path, compiled: &Compiled, samples: u64) -> io::Result<Self> {
        let open = |(name, columns): (&str, Columns), rows: usize| {
            let head = columns.head(compiled.csv_comments);
            open_table(&folder.join(name), &head, samples * rows as u64)
        };
        let [energy, probes, forces] = TABLES;
        Ok(Self {
            energy: open(energy, 1)?,
            probes: open(probes, compiled.probes.len())?,
            forces: open(forces, compiled.acting.len())?,
            samples,
            lines: String::new(),
        })
    }

    /// Samples written so far.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// One row of energies, one per probe, and one for everything that acts.
    pub fn add(&mut self, compiled: &Compiled, state: &State, e: &Energy) -> io::Result<()> {
        let (model, time) = (&compiled.model, state.time);
        let energies = [e.kinetic, e.elastic, e.gravity, e.dissipated, e.work, e.contact, e.total()];
        self.lines.clear();
        write_row(&mut self.lines, time, &[], &energies);
        self.energy.write_all(self.lines.as_bytes())?;
        self.lines.clear();
        if !compiled.probes.is_empty() {
            let full = model.full_state(state);
            for probe in &compiled.probes {
                let p = probe.point.mean(&full.x);
                let u: [f64; 3] = std::array::from_fn(|c| p[c] - probe.rest[c]);
                write_row(&mut self.lines, time, &[&probe.name], &[p, u].concat());
            }
        }
        self.probes.write_all(self.lines.as_bytes())?;
        self.lines.clear();
        for (acting, sum) in
            compiled.acting.iter().zip(resultants(&compiled.acting, model, compiled.integrator(), state))
        {
            let words = [acting.name.as_str(), acting.kind.word()];
            write_row(&mut self.lines, time, &words, &[sum.force, sum.moment].concat());
        }
        self.forces.write_all(self.lines.as_bytes())?;
        self.samples += 1;
        Ok(())
    }
}

/// `time,NAME,1e0,2e0,...` and the end of the line.
fn write_row(out: &mut String, time: f64, words: &[&str], numbers: &[f64]) {
    out.push_str(&format!("{time:e}"));
    for word in words {
        out.push(',');
        out.push_str(word);
    }
    numbers.iter().for_each(|number| out.push_str(&format!(",{number:e}")));
    out.push('\n');
}

/// A table with its head and the first `rows` rows of what was there.
fn open_table(path: &Path, head: &[String], rows: u64) -> io::Result<File> {
    let kept: Vec<String> = if rows == 0 {
        head.iter().map(|line| format!("{line}\n")).collect()
    } else {
        kept_lines(path, head, head.len() + rows as usize)?
    };
    replace_file(path, |file| kept.iter().try_for_each(|line| file.write_all(line.as_bytes())))?;
    OpenOptions::new().append(true).open(path)
}

/// The first lines of a table that an earlier run left; what follows them, whole or torn, is dropped.
fn kept_lines(path: &Path, head: &[String], wanted: usize) -> io::Result<Vec<String>> {
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
    let columns = |line: &str| line.split(',').count();
    let wanted = head.last().map_or(0, |header| columns(header));
    let whole = |line: &String| line.ends_with('\n') && (line.starts_with('#') || columns(line) == wanted);
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
