//! Frames, written by a thread of their own behind a bounded queue.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use pliant_scene::mesh_file::{Field, FieldValues, PvdSeries, VtuFrame, write_vtu};
use pliant_solid::{Body, BodyFields, FullState, Model};

/// Frames that may wait; stepping waits for the disk only when all are full.
const QUEUE: usize = 4;

/// One frame to write.
struct Job {
    number: u64,
    full: FullState,
}

/// The writing thread.
pub struct FrameWriter {
    jobs: Option<SyncSender<Job>>,
    thread: Option<JoinHandle<io::Result<()>>>,
    count: u64,
    written: Arc<AtomicU64>,
}

impl FrameWriter {
    /// Starts a series in `folder`, or goes on with one cut to `time` after `count` frames.
    pub fn start(
        folder: &Path,
        name: &str,
        model: Arc<Model>,
        (count, time): (u64, f64),
    ) -> io::Result<Self> {
        let pvd = folder.join(format!("{name}.pvd"));
        let series = if count > 0 {
            remove_frames_after(&pvd, folder, time)?;
            PvdSeries::reload(&pvd, time)?
        } else {
            PvdSeries::new(&pvd)
        };
        std::fs::create_dir_all(folder.join("frames"))?;
        let (jobs, queue) = sync_channel::<Job>(QUEUE);
        let owned_folder = folder.to_path_buf();
        let written = Arc::new(AtomicU64::new(count));
        let done = Arc::clone(&written);
        let thread = std::thread::Builder::new().name("frames".into()).spawn(move || {
            let mut series = series;
            for job in queue {
                write_frame(&model, &owned_folder, &mut series, &job)?;
                done.fetch_add(1, Ordering::Release);
            }
            series.flush()
        })?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread), count, written })
    }

    /// Frames handed over so far.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Queues a frame; an error here is the writing thread's.
    pub fn push(&mut self, full: FullState) -> io::Result<()> {
        let job = Job { number: self.count, full };
        self.count += 1;
        match self.jobs.as_ref().map(|jobs| jobs.send(job)) {
            Some(Ok(())) => Ok(()),
            _ => self.finish(),
        }
    }

    /// Waits until every queued frame is on disk, so that a snapshot may count on them.
    pub fn settle(&mut self) -> io::Result<()> {
        while self.written.load(Ordering::Acquire) < self.count {
            if self.thread.as_ref().is_none_or(JoinHandle::is_finished) {
                return self.finish();
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }

    /// Waits until everything is on disk, and ends the thread.
    pub fn finish(&mut self) -> io::Result<()> {
        self.jobs = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            Some(Err(_)) => Err(io::Error::other("the frame writer panicked")),
            None => Ok(()),
        }
    }
}

/// Forgets the series that earlier runs left in a folder, this scene's or another's: its frames would look like
/// part of the new run.
pub fn remove_earlier_series(folder: &Path) -> io::Result<()> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    entries.retain(|path| path.extension().is_some_and(|ending| ending == "pvd"));
    for pvd in entries {
        // a series of somebody else's is left alone
        let old = PvdSeries::reload(&pvd, f64::INFINITY).ok();
        let ours = |series: PvdSeries| {
            let frames = series.frames();
            !frames.is_empty() && frames.iter().flat_map(|f| &f.files).all(|f| is_frame_file(f))
        };
        if old.is_some_and(ours) {
            remove_frames_after(&pvd, folder, f64::NEG_INFINITY)?;
            std::fs::remove_file(&pvd)?;
        }
    }
    Ok(())
}

/// Removes the files of all frames after a time.
fn remove_frames_after(pvd: &Path, folder: &Path, time: f64) -> io::Result<()> {
    if !pvd.exists() {
        return Ok(());
    }
    let old = PvdSeries::reload(pvd, f64::INFINITY)?;
    for file in old.frames().iter().filter(|f| f.time > time).flat_map(|f| &f.files) {
        if !is_frame_file(file) {
            continue;
        }
        match std::fs::remove_file(folder.join(file)) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
            _ => {}
        }
    }
    Ok(())
}

/// Whether a series names a file that this program could have written there.
fn is_frame_file(name: &str) -> bool {
    name.strip_prefix("frames/").is_some_and(|rest| rest.ends_with(".vtu") && !rest.contains(['/', '\\']))
}

fn write_frame(model: &Model, folder: &Path, series: &mut PvdSeries, job: &Job) -> io::Result<()> {
    let fields = model.fields(&job.full);
    let mut files = Vec::new();
    for (body, fields) in model.layout().bodies().iter().zip(&fields) {
        let file = format!("frames/{}_{:06}.vtu", body.name, job.number);
        write_body(&folder.join(&file), body, fields, &job.full)?;
        files.push(file);
    }
    series.push(job.full.time, files)
}

/// One body in the mesh file's order.
fn write_body(path: &Path, body: &Body, fields: &BodyFields, full: &FullState) -> io::Result<()> {
    let triple = |values: &[f64], world: u32| -> [f64; 3] {
        let v = &values[3 * world as usize..][..3];
        [v[0], v[1], v[2]]
    };
    let positions: Vec<[f64; 3]> = body.world.iter().map(|w| triple(&full.x, *w)).collect();
    let velocities: Vec<f64> = body.world.iter().flat_map(|w| triple(&full.v, *w)).collect();
    let rest = body.mesh.positions();
    let displacements: Vec<f64> =
        positions.iter().zip(rest).flat_map(|(x, r)| [x[0] - r[0], x[1] - r[1], x[2] - r[2]]).collect();
    let nodal_stress = node_means(body, &fields.von_mises);
    let field = |name, components, values| Field { name, components, values: FieldValues::F64AsF32(values) };
    write_vtu(
        path,
        &VtuFrame {
            positions: &positions,
            tets: body.mesh.tets(),
            hexes: body.mesh.hexes(),
            triangles: &[],
            point_fields: &[
                Field { name: "displacement", components: 3, values: FieldValues::F64(&displacements) },
                Field { name: "velocity", components: 3, values: FieldValues::F64(&velocities) },
                field("von_mises", 1, &nodal_stress),
            ],
            cell_fields: &[
                field("von_mises", 1, &fields.von_mises),
                field("energy_density", 1, &fields.energy_density),
                field("volume_ratio", 1, &fields.volume_ratio),
            ],
        },
    )
}

/// Volume-weighted mean over the cells around each node.
fn node_means(body: &Body, values: &[f64]) -> Vec<f64> {
    let mesh = &body.mesh;
    let mut sums = vec![(0.0, 0.0); mesh.node_count()];
    for (cell, value) in values.iter().enumerate() {
        let volume = mesh.cell_volume(cell);
        for node in mesh.cell_nodes(cell) {
            let (sum, weight) = &mut sums[*node as usize];
            *sum += volume * value;
            *weight += volume;
        }
    }
    sums.into_iter().map(|(sum, weight)| if weight > 0.0 { sum / weight } else { 0.0 }).collect()
}
