//! The loop of a headless run.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use pliant_scene::Compiled;
use pliant_scene::snapshot::{self, Snapshot};
use pliant_solid::integrator::{Inputs, StepError};
use pliant_solid::{Energy, State, World};

use super::frames::FrameWriter;
use super::interpolate::between;
use super::latency::Histogram;
use super::tables::Tables;

/// Rows of the tables in a run, at least.
const MIN_SAMPLES: f64 = 200.0;
/// Wall time between snapshots.
const SNAPSHOT_EVERY: Duration = Duration::from_secs(10);
/// Wall time between two looks of the progress bar.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);
/// Drift, as a fraction of the energy in play, above which a result is not to be believed.
const DRIFT_TO_WARN_OF: f64 = 0.1;
/// The snapshot's file name.
const SNAPSHOT: &str = "snapshot.pliant";

/// How a run ended.
#[derive(Debug)]
pub enum Outcome {
    /// At its end.
    Done,
    /// A body diverged.
    Diverged(Box<StepError>),
    /// Somebody asked it to stop.
    Stopped,
}

/// A run that writes to a folder.
pub struct Session<'a> {
    compiled: &'a Compiled,
    world: World,
    folder: PathBuf,
    frames: Option<FrameWriter>,
    tables: Tables,
    /// Durations of steps.
    pub histogram: Histogram,
    /// Energies at the start.
    pub first_energy: Energy,
    /// The largest energy that was in play at any sample, J.
    pub largest_energy: f64,
    earlier_wall: Duration,
    started: Instant,
}

impl<'a> Session<'a> {
    /// Opens the folder; goes on from its snapshot if asked to.
    pub fn open(
        compiled: &'a Compiled,
        mut world: World,
        folder: &Path,
        name: &str,
        resume: bool,
    ) -> Result<Self, String> {
        let at = |what: &str, e: io::Error| format!("{}: {what}: {e}", folder.display());
        let file = folder.join(SNAPSHOT);
        if resume && !file.exists() {
            return Err(format!(
                "{}: there is no snapshot to resume from; run without --resume",
                file.display()
            ));
        }
        std::fs::create_dir_all(folder).map_err(|e| at("the output folder cannot be made", e))?;
        let first_energy = world.energy();
        let (mut frames, mut samples, mut wall) = (0, 0, 0.0);
        if resume {
            let saved = snapshot::load(&file, compiled.fingerprint).map_err(|e| e.to_string())?;
            (frames, samples, wall) = (saved.frames, saved.samples, saved.wall_s);
            world.restore(saved.state);
        } else {
            // an older run's snapshot must not be taken for this one's
            let _ = std::fs::remove_file(&file);
        }
        let time = world.state().time;
        let tables = Tables::open(folder, compiled.probes.len(), samples)
            .map_err(|e| at("the tables cannot be written", e))?;
        let writer = (compiled.frames_per_second > 0.0)
            .then(|| FrameWriter::start(folder, name, world.model().clone(), (frames, time)))
            .transpose()
            .map_err(|e| at("frames cannot be written", e))?;
        Ok(Self {
            compiled,
            world,
            folder: folder.to_path_buf(),
            frames: writer,
            tables,
            histogram: Histogram::new(),
            first_energy,
            largest_energy: 0.0,
            earlier_wall: Duration::from_secs_f64(wall),
            started: Instant::now(),
        })
    }

    /// The world as it is.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// How far the total energy has drifted, J: the integrator's own error.
    pub fn drift(&self) -> f64 {
        self.world.energy().total() - self.first_energy.total()
    }

    /// A sentence if the drift is too large to believe the result.
    pub fn drift_warning(&self) -> Option<String> {
        let (drift, scale) = (self.drift(), self.largest_energy);
        (drift.abs() > DRIFT_TO_WARN_OF * scale).then(|| {
            format!(
                "warning: the total energy drifted by {drift:.2e} J, {:.0} % of what was in play: do not trust this result; \
                 use a shorter step (or a smaller `safety` with step = \"auto\"), or damping",
                100.0 * drift.abs() / scale
            )
        })
    }

    /// Wall time of the whole run, earlier parts included.
    pub fn wall(&self) -> Duration {
        self.earlier_wall + self.started.elapsed()
    }

    /// Steps to the end; `progress(time)` is told now and then.
    pub fn run(&mut self, stop: &AtomicBool, mut progress: impl FnMut(f64)) -> Result<Outcome, String> {
        let fault = |e: io::Error| format!("the results could not be written: {e}");
        let end = self.compiled.duration;
        let inputs = Inputs { end: Some(end), ..Inputs::default() };
        if self.world.state().step == 0 {
            self.observe().map_err(fault)?;
        }
        let (mut last_progress, mut last_snapshot) = (Instant::now(), Instant::now());
        let mut outcome = Outcome::Done;
        while self.world.state().time < end {
            let start = Instant::now();
            if let Err(error) = self.world.step(&inputs) {
                outcome = Outcome::Diverged(Box::new(error));
                self.show_last_state().map_err(fault)?;
                break;
            }
            let now = Instant::now();
            self.histogram.add((now - start).as_nanos() as u64);
            self.observe().map_err(fault)?;
            if now - last_progress > PROGRESS_EVERY {
                last_progress = now;
                progress(self.world.state().time);
            }
            if now - last_snapshot > SNAPSHOT_EVERY {
                last_snapshot = now;
                self.save()?;
            }
            if stop.load(Ordering::Relaxed) {
                outcome = Outcome::Stopped;
                break;
            }
        }
        self.save()?;
        if let Some(frames) = &mut self.frames {
            frames.finish().map_err(fault)?;
        }
        Ok(outcome)
    }

    /// Writes what is due between the last state and this one.
    fn observe(&mut self) -> io::Result<()> {
        let (before, after) = (self.world.previous(), self.world.state());
        if let Some(frames) = &mut self.frames {
            while let Some(time) =
                due(frames.count(), 1.0 / self.compiled.frames_per_second, after, self.compiled)
            {
                let (x, v) = between(before, after, time);
                frames.push(time, &x, &v)?;
            }
        }
        let interval = sample_interval(self.compiled);
        // energies belong to a step, so a sample is the first state at or after its time
        if due(self.tables.samples(), interval, after, self.compiled).is_some() {
            let energy = self.world.energy();
            self.largest_energy = self.largest_energy.max(in_play(&energy));
            let full = self.world.model().full_state(after.time, &after.x, &after.v);
            self.tables.add(after.time, &energy, &self.compiled.probes, &full.x)?;
        }
        Ok(())
    }

    /// One more frame and row: the last state that was finite, off the beat.
    fn show_last_state(&mut self) -> io::Result<()> {
        let state = self.world.state();
        if let Some(frames) = &mut self.frames {
            frames.push(state.time, &state.x, &state.v)?;
        }
        let full = self.world.model().full_state(state.time, &state.x, &state.v);
        self.tables.add(state.time, &self.world.energy(), &self.compiled.probes, &full.x)
    }

    /// Saves a snapshot that the tables and frames on disk agree with.
    fn save(&mut self) -> Result<(), String> {
        self.tables.flush().map_err(|e| format!("the tables could not be written: {e}"))?;
        if let Some(frames) = &mut self.frames {
            frames.settle().map_err(|e| format!("the frames could not be written: {e}"))?;
        }
        let saved = Snapshot {
            state: self.world.state().clone(),
            frames: self.frames.as_ref().map_or(0, FrameWriter::count),
            samples: self.tables.samples(),
            wall_s: self.wall().as_secs_f64(),
        };
        snapshot::save(&self.folder.join(SNAPSHOT), self.compiled.fingerprint, &saved)
            .map_err(|e| e.to_string())
    }
}

/// What has been exchanged so far: the scale that a drift is judged by.
fn in_play(e: &Energy) -> f64 {
    e.kinetic + e.elastic.abs() + e.gravity.abs() + e.dissipated + e.work.abs()
}

fn sample_interval(compiled: &Compiled) -> f64 {
    let rows = compiled.duration / MIN_SAMPLES;
    if compiled.frames_per_second > 0.0 { rows.min(1.0 / compiled.frames_per_second) } else { rows }
}

/// The time of the next output, if the state has reached it; the last one is the run's end.
fn due(count: u64, interval: f64, state: &State, compiled: &Compiled) -> Option<f64> {
    let time = count as f64 * interval;
    // rounding must not lose the frame at the very end
    let time =
        if (time - compiled.duration).abs() < 1e-9 * compiled.duration { compiled.duration } else { time };
    (time <= state.time && time <= compiled.duration).then_some(time)
}
