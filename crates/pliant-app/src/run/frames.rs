//! Frames, written by a thread of their own behind a bounded queue.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use pliant_solid::{FullState, Model};

use super::frame_files::{FrameFiles, FramePlan, FrameValues};

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
    unsound: Arc<AtomicU64>,
}

impl FrameWriter {
    /// Starts what the plan says, or goes on with it.
    pub fn start(plan: &FramePlan, model: Arc<Model>) -> io::Result<Self> {
        let (count, _) = plan.kept;
        let mut files = FrameFiles::open(plan, model)?;
        let (jobs, queue) = sync_channel::<Job>(QUEUE);
        let written = Arc::new(AtomicU64::new(count));
        let unsound = Arc::<AtomicU64>::default();
        let (done, bad) = (Arc::clone(&written), Arc::clone(&unsound));
        let thread = std::thread::Builder::new().name("frames".into()).spawn(move || {
            for job in queue {
                if files.push(job.number, &job.full)? == FrameValues::NotFinite {
                    bad.fetch_add(1, Ordering::Release);
                }
                done.fetch_add(1, Ordering::Release);
            }
            files.finish()
        })?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread), count, written, unsound })
    }

    /// Frames handed over so far.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Frames on disk with values that are no finite numbers, since this was last asked.
    pub fn take_unsound(&self) -> u64 {
        self.unsound.swap(0, Ordering::AcqRel)
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
