//! `energy.csv` and `probes.csv`.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use pliant_scene::compile::CompiledProbe;
use pliant_scene::replace_file;
use pliant_solid::Energy;

const ENERGY_HEADER: &str = "time,kinetic,elastic,gravity,dissipated,work,contact,total";
const PROBE_HEADER: &str = "time,probe,x,y,z,ux,uy,uz";

/// The two tables of a run.
pub struct Tables {
    energy: BufWriter<File>,
    probes: BufWriter<File>,
    samples: u64,
}

impl Tables {
    /// New tables, or old ones cut to the rows a snapshot knows.
    pub fn open(folder: &Path, probe_count: usize, samples: u64) -> io::Result<Self> {
        let energy = open_table(&folder.join("energy.csv"), ENERGY_HEADER, samples)?;
        let probes = open_table(&folder.join("probes.csv"), PROBE_HEADER, samples * probe_count as u64)?;
        Ok(Self { energy, probes, samples })
    }

    /// Samples written so far.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// One row of energies and one per probe.
    pub fn add(&mut self, time: f64, e: &Energy, probes: &[CompiledProbe], x: &[f64]) -> io::Result<()> {
        writeln!(
            self.energy,
            "{time:e},{:e},{:e},{:e},{:e},{:e},{:e},{:e}",
            e.kinetic,
            e.elastic,
            e.gravity,
            e.dissipated,
            e.work,
            e.contact,
            e.total()
        )?;
        for probe in probes {
            let p = probe.mean(x);
            let u: [f64; 3] = std::array::from_fn(|c| p[c] - probe.rest[c]);
            writeln!(
                self.probes,
                "{time:e},{},{:e},{:e},{:e},{:e},{:e},{:e}",
                probe.name, p[0], p[1], p[2], u[0], u[1], u[2]
            )?;
        }
        self.samples += 1;
        Ok(())
    }

    /// To the disk, so that a snapshot can rely on it.
    pub fn flush(&mut self) -> io::Result<()> {
        self.energy.flush()?;
        self.probes.flush()
    }
}

/// A table with its header and the first `rows` rows of what was there.
fn open_table(path: &PathBuf, header: &str, rows: u64) -> io::Result<BufWriter<File>> {
    let kept: Vec<String> = if rows == 0 {
        vec![header.to_string()]
    } else {
        let wanted = 1 + rows as usize;
        let lines: Vec<String> =
            BufReader::new(File::open(path)?).lines().take(wanted).collect::<io::Result<_>>()?;
        if lines.len() < wanted {
            let problem = format!("{} has fewer rows than the snapshot knows of", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        let whole = |line: &String| line.split(',').count() == header.split(',').count();
        if let Some(row) = lines.iter().position(|line| !whole(line)) {
            let problem = format!(
                "{}:{}: this row is damaged; run without --resume to start anew",
                path.display(),
                row + 1
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        lines
    };
    replace_file(path, |file| kept.iter().try_for_each(|line| writeln!(file, "{line}")))?;
    Ok(BufWriter::new(OpenOptions::new().append(true).open(path)?))
}
