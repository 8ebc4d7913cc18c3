//! The loop of a headless run.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use pliant_scene::Compiled;
use pliant_scene::snapshot::{self, Snapshot};
use pliant_scene::spec::Format;
use pliant_solid::integrator::{Course, Inputs, IntegratorKind, Statics, StepError};
use pliant_solid::law::LawKind;
use pliant_solid::{Energy, State, World};

use super::advice;
use super::counters;
use super::effort::Effort;
use super::folder::{self, FolderUse, lock, not_a_file};
use super::frame_files::{FramePlan, remove_earlier_frames};
use super::frames::FrameWriter;
use super::latency::Histogram;
use super::rungs::RungsUsed;
use super::tables::{TABLES, Tables};

/// Rows of the tables in a run, at least.
const MIN_SAMPLES: f64 = 200.0;
/// Wall time between snapshots.
const SNAPSHOT_EVERY: Duration = Duration::from_secs(10);
/// Wall time between two looks of the progress bar.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);
/// Drift, as a fraction of the largest account, above which a result is not to be believed.
const DRIFT_TO_WARN_OF: f64 = 0.1;
/// The snapshot's file name.
pub(super) const SNAPSHOT: &str = "snapshot.pliant";

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
    /// Energies at the start.
    pub first_energy: Energy,
    /// The largest account at any sample, J: the scale that drift is judged by.
    largest_energy: f64,
    /// The largest drift at any sample, J.
    largest_drift: f64,
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
        let first_energy = world.energy();
        let saved = if resume {
            snapshot::load(&file, compiled.fingerprint).map_err(|e| e.to_string())?
        } else {
            // what an older run left must not be taken for this one's
            let _ = std::fs::remove_file(&file);
            remove_earlier_frames(folder).map_err(|e| at("frames of an earlier run cannot be removed", e))?;
            Snapshot { state: world.state().clone(), ..Snapshot::default() }
        };
        let pvd =
            (saved.frames > 0 && compiled.formats.contains(&Format::Vtu)).then(|| format!("{name}.pvd"));
        let needed: Vec<String> = pvd.into_iter().chain(TABLES.map(|(name, _)| name.to_owned())).collect();
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
        let tables = Tables::open(folder, compiled, saved.samples)
            .map_err(|e| at("the tables cannot be written", e))?;
        let (formats, frames_per_second) = (&compiled.formats[..], compiled.frames_per_second);
        let (surfaces, kept) = (&compiled.surfaces[..], (saved.frames, time));
        let plan = FramePlan { folder, name, formats, surfaces, frames_per_second, kept };
        let writer = (frames_per_second > 0.0)
            .then(|| FrameWriter::start(&plan, world.model().clone()))
            .transpose()
            .map_err(|e| at("frames cannot be written", e))?;
        Ok(Self {
            compiled,
            world,
            folder: folder.to_path_buf(),
            frames: writer,
            tables,
            histogram,
            effort,
            rungs,
            first_energy,
            largest_energy: saved.largest_energy,
            largest_drift: saved.largest_drift,
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
        self.world.energy().total() - self.first_energy.total()
    }

    /// A sentence if the drift is too large to believe the result.
    pub fn drift_warning(&self) -> Option<String> {
        // an equilibrium is judged by its own forces; implicit Euler and gamma above 1/2 take energy by intent, but must not give any
        let all = self.largest_energy;
        let (drift, scale, shorter) = match self.world.model().integrator() {
            IntegratorKind::Statics(_) => return None,
            IntegratorKind::Newmark(newmark) if newmark.gamma > 0.5 => return None,
            // on the way the work of violent hands is known to a step only; what came from nowhere must not hide itself
            IntegratorKind::ImplicitEuler(_) => (self.drift(), all - self.drift(), ""),
            IntegratorKind::Newmark(_) => (self.largest_drift, all, ""),
            _ => (self.largest_drift, all, " (or a smaller `safety` with step = \"auto\")"),
        };
        // what is mere rounding is no drift
        let scale = scale.max(self.world.model().rounding_energy());
        (drift > DRIFT_TO_WARN_OF * scale).then(|| {
            format!(
                "warning: the total energy strayed by {drift:.2e} J, {:.0} % of the largest account ({scale:.2e} J): do not trust this result; \
                 use a shorter step{shorter}, damping, or loads that grow over some time",
                100.0 * drift / scale
            )
        })
    }

    /// A sentence if linear equations were not solved as well as asked.
    pub fn unsolved_warning(&self) -> Option<String> {
        let Effort { unsolved, steps, worst_residual, .. } = self.effort;
        let warped = self.world.model().matter().iter().any(|m| matches!(m.law, LawKind::Warped(..)));
        let other = if warped { " or law = \"corotated\"" } else { ", or solver = \"direct\"" };
        (unsolved > 0).then(|| {
            format!(
                "warning: in {unsolved} of {steps} steps the linear equations were not solved to their tolerance (largest residual {worst_residual:.1e}): use a \
                 shorter step{other}"
            )
        })
    }

    /// A sentence for every body that has elements turned inside out.
    pub fn inversion_warnings(&self) -> Vec<String> {
        let (model, state) = (self.world.model(), self.world.state());
        let full = model.full_state(state);
        let fields = model.fields(&full);
        let bodies = model.layout().bodies().iter().zip(&fields).enumerate();
        let one = |(index, (body, fields)): (usize, (&pliant_solid::Body, &pliant_solid::BodyFields))| {
            let inverted = fields.inverted();
            let worst = (inverted > 0).then(|| model.worst_element(&full, Some(index)))?;
            let place = worst.map_or(String::new(), |w| {
                format!(
                    "; the most strained is element {} at ({:.4}, {:.4}, {:.4}) m",
                    w.cell, w.place[0], w.place[1], w.place[2]
                )
            });
            Some(format!(
                "warning: {inverted} of {} elements of body `{}` are inside out at the end{place}: this is no state of real matter; \
                 use {}stiffer matter, gentler loads, or a finer mesh",
                body.mesh.cell_count(),
                body.name,
                advice::other_law(model.matter()[index].law)
            ))
        };
        bodies.filter_map(one).collect()
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
        if self.world.state().step == 0 {
            self.observe().map_err(fault)?;
        }
        let (mut last_progress, mut last_snapshot) = (Instant::now(), Instant::now());
        let mut outcome = Outcome::Done;
        while self.world.state().time < end {
            let start = Instant::now();
            match self.world.step(&inputs) {
                Ok(report) => {
                    self.effort.add(&report);
                    self.rungs.add(&report, self.world.state().solver.largest);
                }
                Err(error) => {
                    outcome = Outcome::Diverged(Box::new(error));
                    break;
                }
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
            if stop.load(Ordering::Relaxed) && self.world.state().time < end {
                outcome = Outcome::Stopped;
                break;
            }
        }
        self.save()?;
        if matches!(outcome, Outcome::Diverged(_)) {
            // off the beat, so not part of what a resumed run goes on with
            self.show_last_state().map_err(fault)?;
        }
        if let Some(frames) = &mut self.frames {
            frames.finish().map_err(fault)?;
        }
        Ok(outcome)
    }

    /// Writes what is due between the last state and this one.
    fn observe(&mut self) -> io::Result<()> {
        // what a history begins with is the equilibrium under the loads of time zero
        if is_history(self.compiled) && self.world.state().solver.load < 1.0 {
            return Ok(());
        }
        let (before, after) = (self.world.previous(), self.world.state());
        let every_state = is_static(self.compiled);
        if let Some(frames) = &mut self.frames {
            if every_state {
                frames.push(self.world.model().full_state(after))?;
            }
            while let Some(time) = frame_due(frames.count(), after, self.compiled).filter(|_| !every_state) {
                frames.push(self.world.model().full_state_between(before, after, time))?;
            }
        }
        // energies belong to a step, so a sample is the first state at or after its time
        let interval = sample_interval(self.compiled);
        let due = after.time >= self.next_sample - 1e-9 * interval || after.time >= self.compiled.duration;
        if due || every_state {
            let energy = self.world.energy();
            self.largest_energy = self.largest_energy.max(largest_account(&energy));
            self.largest_drift = self.largest_drift.max((energy.total() - self.first_energy.total()).abs());
            self.tables.add(self.compiled, after, &energy)?;
            // the beat is kept: late samples do not push the later ones
            let beats = ((after.time - self.next_sample) / interval + 1e-9).floor().max(0.0) + 1.0;
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
        self.tables.add(self.compiled, state, &self.world.energy())
    }

    /// Saves a snapshot that the tables and frames on disk agree with.
    fn save(&mut self) -> Result<(), String> {
        if let Some(frames) = &mut self.frames {
            frames.settle().map_err(|e| format!("the frames could not be written: {e}"))?;
        }
        let saved = Snapshot {
            state: self.world.state().clone(),
            frames: self.frames.as_ref().map_or(0, FrameWriter::count),
            samples: self.tables.samples(),
            next_sample: self.next_sample,
            largest_energy: self.largest_energy,
            largest_drift: self.largest_drift,
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
    let statics = |s: &Statics| s.course == Course::Resting;
    matches!(compiled.model.integrator(), IntegratorKind::Statics(s) if statics(s))
}

/// Whether every time has an equilibrium of its own.
fn is_history(compiled: &Compiled) -> bool {
    matches!(compiled.model.integrator(), IntegratorKind::Statics(s) if s.course == Course::History)
}

/// The largest of the accounts: the scale that a drift is judged by.
fn largest_account(e: &Energy) -> f64 {
    let stored = e.kinetic + e.elastic.abs();
    [stored, e.gravity.abs(), e.dissipated, e.work.abs()].into_iter().fold(0.0, f64::max)
}

fn sample_interval(compiled: &Compiled) -> f64 {
    let rows = compiled.duration / MIN_SAMPLES;
    if compiled.frames_per_second > 0.0 { rows.min(1.0 / compiled.frames_per_second) } else { rows }
}

/// The time of the next frame, if the state has reached it; the last one is the run's end.
fn frame_due(count: u64, state: &State, compiled: &Compiled) -> Option<f64> {
    let time = count as f64 / compiled.frames_per_second;
    // rounding must not lose the frame at the very end
    let time =
        if (time - compiled.duration).abs() < 1e-9 * compiled.duration { compiled.duration } else { time };
    (time <= state.time && time <= compiled.duration).then_some(time)
}
