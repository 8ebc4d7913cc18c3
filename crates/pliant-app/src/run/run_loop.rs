//! The loop of a headless run.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use pliant_scene::snapshot::{self, Snapshot};
use pliant_scene::spec::Format;
use pliant_scene::{Compiled, LoadedScene};
use pliant_solid::integrator::{Course, Inputs, StepError};
use pliant_solid::{Energy, State, World};

use super::counters;
use super::effort::Effort;
use super::folder::{self, FolderUse, SNAPSHOT, lock, not_a_file};
use super::following::Following;
use super::frame_files::{FramePlan, remove_earlier_frames};
use super::frames::FrameWriter;
use super::latency::Histogram;
use super::rungs::RungsUsed;
use super::tables::{RowCounts, Tables, written};
use super::trust::Trust;

/// Rows of the tables in a run, at least.
const MIN_SAMPLES: f64 = 200.0;
/// Wall time between snapshots.
const SNAPSHOT_EVERY: Duration = Duration::from_secs(10);
/// Wall time between two looks of the progress bar.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// How a run ended.
#[derive(Debug)]
pub enum Outcome {
    /// At its end.
    Done,
    /// A body diverged.
    Diverged(Box<StepError>),
    /// A state has energies or places that are no finite numbers; says which, and when.
    NotFinite(String),
    /// Somebody asked it to stop.
    Stopped,
}

/// A run that writes to a folder.
pub struct RunLoop<'a> {
    compiled: &'a Compiled,
    world: World,
    folder: PathBuf,
    frames: Option<FrameWriter>,
    tables: Tables,
    /// Durations of steps.
    pub histogram: Histogram,
    /// What the solution of equations cost, earlier parts of the run included.
    pub effort: Effort,
    /// Which steps of a ladder were taken, earlier parts of the run included.
    pub rungs: RungsUsed,
    trust: Trust,
    following: Option<Following>,
    next_sample: f64,
    /// Held while the run lasts, so that no other one writes here.
    _lock: Option<File>,
    /// What of an earlier run this one writes over, in a sentence.
    pub replaced: Option<String>,
    /// Why bodies were frozen before this program went on with the run.
    frozen_earlier: Vec<String>,
    earlier_wall: Duration,
    started: Instant,
}

impl<'a> RunLoop<'a> {
    /// Opens the folder; goes on from its snapshot if asked to.
    pub fn open(
        compiled: &'a Compiled,
        mut world: World,
        folder: &Path,
        name: &str,
        options: FolderUse,
    ) -> Result<Self, String> {
        let at = |what: &str, e: io::Error| format!("{}: {what}: {e}", folder.display());
        let (file, resume) = (folder.join(SNAPSHOT), options.resume);
        if resume && !file.exists() {
            return Err(format!(
                "{}: there is no snapshot to resume from; run without --resume",
                file.display()
            ));
        }
        not_a_file(folder)?;
        std::fs::create_dir_all(folder).map_err(|e| at("the output folder cannot be made", e))?;
        let lock = lock(folder)?;
        let replaced = if resume { None } else { folder::look(compiled, folder, name, options)? };
        let at_start = Trust::new(&world, &compiled.inside_out_allowed);
        let saved = if resume {
            snapshot::load(&file, compiled.fingerprint).map_err(|e| e.to_string())?
        } else {
            // what an older run left must not be taken for this one's
            let _ = std::fs::remove_file(&file);
            remove_earlier_frames(folder).map_err(|e| at("frames of an earlier run cannot be removed", e))?;
            Snapshot {
                state: world.state().clone(),
                watched: at_start.watched().clone(),
                ..Snapshot::default()
            }
        };
        let pvd =
            (saved.frames > 0 && compiled.formats.contains(&Format::Vtu)).then(|| format!("{name}.pvd"));
        let needed: Vec<String> =
            pvd.into_iter().chain(written(compiled).iter().map(|(name, _)| (*name).to_owned())).collect();
        if let Some(missing) = needed.iter().find(|f| resume && !folder.join(f).exists()) {
            return Err(format!(
                "{}: the file is missing, and --resume goes on with what the earlier run wrote (was the scene file renamed?); \
                 put it back, or run without --resume to start anew",
                folder.join(missing).display()
            ));
        }
        let time = saved.state.time;
        let (histogram, effort, rungs) = counters::unpack(&saved.counters).ok_or_else(|| {
            format!("{}: the snapshot is damaged; run without --resume to start anew", file.display())
        })?;
        world.restore(saved.state).map_err(|refusal| format!("{}: {refusal}", file.display()))?;
        let rows = RowCounts { samples: saved.samples, contacts: saved.contact_rows };
        let tables =
            Tables::open(folder, compiled, rows).map_err(|e| at("the tables cannot be written", e))?;
        let (formats, frames_per_second) = (&compiled.formats[..], compiled.frames_per_second);
        let (surfaces, kept) = (&compiled.surfaces[..], (saved.frames, time));
        let plan = FramePlan { folder, name, formats, surfaces, frames_per_second, kept };
        let writer = (frames_per_second > 0.0)
            .then(|| FrameWriter::start(&plan, world.model().clone()))
            .transpose()
            .map_err(|e| at("frames cannot be written", e))?;
        Ok(Self {
            compiled,
            following: Following::of(&world),
            world,
            folder: folder.to_path_buf(),
            frames: writer,
            tables,
            histogram,
            effort,
            rungs,
            trust: at_start.resumed(saved.watched),
            _lock: lock,
            next_sample: saved.next_sample,
            replaced,
            frozen_earlier: saved.frozen_because,
            earlier_wall: Duration::from_secs_f64(saved.wall_s),
            started: Instant::now(),
        })
    }

    /// The world as it is.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Whether the end has been reached already.
    pub fn is_finished(&self) -> bool {
        self.world.state().time >= self.compiled.duration
    }

    /// Whether time only counts a load up.
    pub fn is_static(&self) -> bool {
        is_static(self.compiled)
    }

    /// Why bodies were frozen, in the order it happened.
    pub fn frozen_because(&self) -> Vec<String> {
        let now = self.world.frozen_because().iter().map(ToString::to_string);
        self.frozen_earlier.iter().cloned().chain(now).collect()
    }

    /// How far the total energy has drifted, J: the integrator's own error.
    pub fn drift(&self) -> f64 {
        self.trust.drift(&self.world)
    }

    /// Why the result cannot be trusted.
    pub fn doubts(&self) -> Vec<String> {
        self.trust.doubts(&self.world)
    }

    /// Whether the step may not follow the motion, so that [`Self::lost_motion`] runs the scene again.
    pub fn may_lose_motion(&self, loaded: &LoadedScene) -> bool {
        self.following.as_ref().is_some_and(|following| following.is_suspect(loaded))
    }

    /// Why the step does not follow the motion, if it does not: where that is likely, the scene is run again with another one.
    pub fn lost_motion(&self, loaded: &LoadedScene, stop: &AtomicBool) -> Option<String> {
        self.following.as_ref()?.doubt(&self.world, loaded, stop)
    }

    /// What should be known of the result although it can be trusted.
    pub fn remarks(&self) -> Vec<String> {
        self.trust.remarks(&self.world)
    }

    /// What was watched on the way.
    pub fn trust(&self) -> &Trust {
        &self.trust
    }

    /// Wall time of the whole run, earlier parts included.
    pub fn wall(&self) -> Duration {
        self.earlier_wall + self.started.elapsed()
    }

    /// Steps to the end; `progress(time)` is told now and then.
    pub fn run(&mut self, stop: &AtomicBool, mut progress: impl FnMut(f64)) -> Result<Outcome, String> {
        let fault = |e: io::Error| format!("the results could not be written: {e}");
        // the summary of an earlier run must not be taken for this one's
        let _ = std::fs::remove_file(self.folder.join("summary.json"));
        let end = self.compiled.duration;
        let inputs = Inputs { end: Some(end), ..Inputs::default() };
        let mut outcome = Outcome::Done;
        if self.world.state().step == 0 {
            self.observe(&mut outcome).map_err(fault)?;
        }
        let (mut last_progress, mut last_snapshot) = (Instant::now(), Instant::now());
        while self.world.state().time < end && matches!(outcome, Outcome::Done) {
            let start = Instant::now();
            match self.world.step(&inputs) {
                Ok(report) => {
                    self.effort.add(&report);
                    self.trust.note_step(&self.world, &report);
                    if let Some(following) = &mut self.following {
                        following.note(&self.world, report.dt);
                    }
                    self.rungs.add(&report, self.world.state().solver.ladder.largest);
                }
                Err(error) => {
                    outcome = Outcome::Diverged(Box::new(error));
                    break;
                }
            }
            let now = Instant::now();
            self.histogram.add((now - start).as_nanos() as u64);
            self.observe(&mut outcome).map_err(fault)?;
            if now - last_progress > PROGRESS_EVERY {
                last_progress = now;
                progress(self.world.state().time);
            }
            if now - last_snapshot > SNAPSHOT_EVERY && matches!(outcome, Outcome::Done) {
                last_snapshot = now;
                self.save()?;
            }
            if stop.load(Ordering::Relaxed)
                && self.world.state().time < end
                && matches!(outcome, Outcome::Done)
            {
                outcome = Outcome::Stopped;
            }
        }
        // nothing can go on from a state that is none
        if !matches!(outcome, Outcome::NotFinite(_)) {
            self.save()?;
        }
        if matches!(outcome, Outcome::Diverged(_)) {
            // off the beat, so not part of what a resumed run goes on with
            self.show_last_state().map_err(fault)?;
        }
        if let Some(frames) = &mut self.frames {
            frames.finish().map_err(fault)?;
            self.trust.note_frames(frames.take_unsound());
        }
        Ok(outcome)
    }

    /// Writes what is due between the last state and this one, unless it is no state of finite numbers: that ends the run.
    fn observe(&mut self, outcome: &mut Outcome) -> io::Result<()> {
        // what a history begins with is the equilibrium under the loads of time zero
        if is_history(self.compiled) && self.world.state().solver.load < 1.0 {
            return Ok(());
        }
        let (every_state, interval) = (is_static(self.compiled), sample_interval(self.compiled));
        let now = self.world.state().time;
        // energies belong to a step, so a sample is the first state at or after its time
        let due = now >= self.next_sample - 1e-9 * interval || now >= self.compiled.duration || every_state;
        let framed =
            |frames: &FrameWriter| frame_due(frames.count(), self.world.state(), self.compiled).is_some();
        if !due && !self.frames.as_ref().is_some_and(framed) {
            return Ok(());
        }
        let energy = due.then(|| self.world.energy());
        if let Some(what) = not_finite(self.world.state(), energy.as_ref()) {
            *outcome = Outcome::NotFinite(format!("{what} at t = {now:.6} s is not a finite number"));
            return Ok(());
        }
        if let Some(frames) = &mut self.frames {
            if every_state {
                frames.push(self.world.model().full_state(self.world.state()))?;
            }
            while let Some(time) =
                frame_due(frames.count(), self.world.state(), self.compiled).filter(|_| !every_state)
            {
                frames.push(self.world.shown_at(time))?;
            }
        }
        if let Some(energy) = energy {
            self.trust.note_sample(&mut self.world, &energy);
            self.tables.add(self.compiled, &self.world, &energy)?;
            // the beat is kept: late samples do not push the later ones
            let beats = ((now - self.next_sample) / interval + 1e-9).floor().max(0.0) + 1.0;
            self.next_sample += beats * interval;
        }
        Ok(())
    }

    /// One more frame and row: the last state that was finite, off the beat.
    fn show_last_state(&mut self) -> io::Result<()> {
        let state = self.world.state();
        if let Some(frames) = &mut self.frames {
            frames.push(self.world.model().full_state(state))?;
        }
        self.tables.add(self.compiled, &self.world, &self.world.energy())
    }

    /// Saves a snapshot that the tables and frames on disk agree with.
    fn save(&mut self) -> Result<(), String> {
        if let Some(frames) = &mut self.frames {
            frames.settle().map_err(|e| format!("the frames could not be written: {e}"))?;
            self.trust.note_frames(frames.take_unsound());
        }
        let saved = Snapshot {
            state: self.world.state().clone(),
            frames: self.frames.as_ref().map_or(0, FrameWriter::count),
            samples: self.tables.rows().samples,
            contact_rows: self.tables.rows().contacts,
            next_sample: self.next_sample,
            watched: self.trust.watched().clone(),
            frozen_because: self.frozen_because(),
            wall_s: self.wall().as_secs_f64(),
            counters: counters::pack(&self.histogram, &self.effort, &self.rungs),
        };
        snapshot::save(&self.folder.join(SNAPSHOT), self.compiled.fingerprint, &saved)
            .map_err(|e| e.to_string())
    }
}

/// Whether time only counts a load up: then every state is an equilibrium, and what lies between them is not.
fn is_static(compiled: &Compiled) -> bool {
    compiled.integrator().traits().equilibria == Some(Course::Resting)
}

/// Whether every time has an equilibrium of its own.
fn is_history(compiled: &Compiled) -> bool {
    compiled.integrator().traits().equilibria == Some(Course::History)
}

/// What of a state is no finite number.
fn not_finite(state: &State, energy: Option<&Energy>) -> Option<&'static str> {
    let finite = |values: &[f64]| values.iter().all(|v| v.is_finite());
    let energies = energy.map(|e| {
        [
            ("the kinetic energy", e.kinetic),
            ("the elastic energy", e.elastic),
            ("the energy of gravity", e.gravity),
            ("the dissipated energy", e.dissipated),
            ("the work", e.work),
            ("the energy of contact", e.contact),
            ("the total energy", e.total()),
        ]
    });
    let places = [
        ("a position", finite(&state.x)),
        ("a velocity", finite(&state.v)),
        ("a reaction", finite(&state.reactions)),
    ];
    let bad = energies.into_iter().flatten().find(|(_, value)| !value.is_finite()).map(|(what, _)| what);
    places.into_iter().find(|(_, sound)| !sound).map(|(what, _)| what).or(bad)
}

fn sample_interval(compiled: &Compiled) -> f64 {
    let rows = compiled.duration / MIN_SAMPLES;
    if compiled.rows_per_second > 0.0 { rows.min(1.0 / compiled.rows_per_second) } else { rows }
}

/// The time of the next frame, if the state has reached it; the last one is the run's end.
fn frame_due(count: u64, state: &State, compiled: &Compiled) -> Option<f64> {
    let time = count as f64 / compiled.frames_per_second;
    // rounding must not lose the frame at the very end
    let time =
        if (time - compiled.duration).abs() < 1e-9 * compiled.duration { compiled.duration } else { time };
    (time <= state.time && time <= compiled.duration).then_some(time)
}
