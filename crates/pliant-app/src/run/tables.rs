//! `energy.csv`, `probes.csv`, `forces.csv`, and `contacts.csv` where there are colliders.
//!
//! The rows of a sample go to the file in one write, so that a program that is killed leaves whole lines: its tables may
//! lack their last rows, but hold no half of one.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use pliant_scene::compile::resultants;
use pliant_scene::mesh_file::series::is_ours;
use pliant_scene::{Compiled, open_input, replace_file};
use pliant_solid::contact::Contact;
use pliant_solid::{Energy, Model, World};

use super::columns::{CONTACTS, Columns, ENERGY, FORCES, PROBES};

/// A table by its file, with the columns that tell ours from somebody else's of the same name.
type Table = (&'static str, Columns);

/// All tables that a run may write.
pub const TABLES: [Table; 4] =
    [("energy.csv", ENERGY), ("probes.csv", PROBES), ("forces.csv", FORCES), ("contacts.csv", CONTACTS)];

/// Those that the run of a scene writes.
pub fn written(compiled: &Compiled) -> &'static [Table] {
    if compiled.model.colliders().is_empty() { &TABLES[..3] } else { &TABLES }
}

/// Rows of the tables.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowCounts {
    /// Samples, each with a row of energies, one of every probe and of all that acts.
    pub samples: u64,
    /// Rows of `contacts.csv`, of which a sample has as many as points touch.
    pub contacts: u64,
}

/// The tables of a run.
pub struct Tables {
    energy: File,
    probes: File,
    forces: File,
    contacts: Option<File>,
    rows: RowCounts,
    /// The lines of a sample on their way to a file.
    lines: String,
}

impl Tables {
    /// New tables, or old ones cut to the rows a snapshot knows.
    pub fn open(folder: &Path, compiled: &Compiled, rows: RowCounts) -> io::Result<Self> {
        let open = |(name, columns): Table, rows: u64| {
            open_table(&folder.join(name), &columns.head(compiled.csv_comments), rows)
        };
        let [energy, probes, forces, contacts] = TABLES;
        let touching = written(compiled).len() == TABLES.len();
        let left = folder.join(contacts.0);
        if !touching && is_table(&left) {
            // of an earlier run that had colliders
            std::fs::remove_file(&left)?;
        }
        Ok(Self {
            energy: open(energy, rows.samples)?,
            probes: open(probes, rows.samples * compiled.probes.len() as u64)?,
            forces: open(forces, rows.samples * compiled.acting.len() as u64)?,
            contacts: touching.then(|| open(contacts, rows.contacts)).transpose()?,
            rows,
            lines: String::new(),
        })
    }

    /// Rows written so far.
    pub fn rows(&self) -> RowCounts {
        self.rows
    }

    /// One row of energies, one per probe, one for everything that acts, and one for every contact.
    pub fn add(&mut self, compiled: &Compiled, world: &World, e: &Energy) -> io::Result<()> {
        let (model, state) = (&compiled.model, world.state());
        let time = state.time;
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
        for (acting, sum) in compiled.acting.iter().zip(resultants(&compiled.acting, world)) {
            let words = [acting.name.as_str(), acting.kind.word()];
            write_row(&mut self.lines, time, &words, &[sum.force, sum.moment].concat());
        }
        self.forces.write_all(self.lines.as_bytes())?;
        if let Some(file) = &mut self.contacts {
            self.lines.clear();
            for contact in world.contacts() {
                write_contact(&mut self.lines, time, model, &contact);
                self.rows.contacts += 1;
            }
            file.write_all(self.lines.as_bytes())?;
        }
        self.rows.samples += 1;
        Ok(())
    }
}

/// Whether a table begins as ours of its name does.
pub fn is_table(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let Some((_, columns)) = TABLES.iter().find(|(table, _)| *table == name) else { return false };
    let mut line = String::new();
    let read = open_input(path).and_then(|file| BufReader::new(file.take(1 << 12)).read_line(&mut line));
    let begins =
        |comments: bool| columns.head(comments).first().is_some_and(|first| first == line.trim_end());
    read.is_ok() && (begins(false) || begins(true) || is_ours(path))
}

fn write_contact(out: &mut String, time: f64, model: &Model, contact: &Contact) {
    let surface = model.surface();
    // by the numbers of the body's own files
    let vertex = match surface.vertex(contact.vertex).node {
        Some(node) => node.0,
        None => contact.vertex.0 - surface.body(contact.body).vertices.start,
    };
    let words = [
        model.colliders()[contact.collider.index()].name.as_str(),
        &model.layout().bodies()[contact.body.index()].name,
        &vertex.to_string(),
    ];
    let [p, n, f] = [contact.point, contact.normal, contact.tangential_force];
    let numbers = [&p[..], &n, &[contact.gap, contact.normal_force], &f].concat();
    write_row(out, time, &words, &numbers);
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
