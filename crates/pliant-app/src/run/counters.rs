//! What a run counts from its beginning on. It goes into the snapshot, so that the summary of a run in parts tells of all of them.

use serde::{Deserialize, Serialize};

use super::effort::Effort;
use super::latency::Histogram;
use super::rungs::RungsUsed;

/// The counters as a snapshot keeps them: JSON, so that a new counter does not make older snapshots useless.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    step_times: Vec<(usize, u64)>,
    longest_step_ns: u64,
    effort: Effort,
    by_gradients: bool,
    by_newton: bool,
    rungs: RungsUsed,
}

/// For the snapshot.
pub fn pack(times: &Histogram, effort: &Effort, rungs: &RungsUsed) -> Vec<u8> {
    let kept = Kept {
        step_times: times.counts(),
        longest_step_ns: times.longest_ns(),
        effort: *effort,
        by_gradients: effort.by_gradients,
        by_newton: effort.by_newton,
        rungs: rungs.clone(),
    };
    serde_json::to_vec(&kept).unwrap_or_default()
}

/// From a snapshot; nothing if it cannot be read.
pub fn unpack(bytes: &[u8]) -> Option<(Histogram, Effort, RungsUsed)> {
    if bytes.is_empty() {
        // a run that begins
        return Some((Histogram::new(), Effort::default(), RungsUsed::default()));
    }
    let kept: Kept = serde_json::from_slice(bytes).ok()?;
    let effort = Effort { by_gradients: kept.by_gradients, by_newton: kept.by_newton, ..kept.effort };
    Some((Histogram::of(&kept.step_times, kept.longest_step_ns), effort, kept.rungs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_counted_comes_back_whole() {
        let mut times = Histogram::new();
        [10, 1000, 1000, 5_000_000].into_iter().for_each(|ns| times.add(ns));
        let effort =
            Effort { steps: 3, iterations: 7, worst_residual: 1e-9, by_newton: true, ..Effort::default() };
        let rungs = RungsUsed { largest_step_s: 0.01, steps: [(0, 5), (3, 2)].into() };
        let (t, e, r) = unpack(&pack(&times, &effort, &rungs)).unwrap();
        assert_eq!((e, r), (effort, rungs));
        assert_eq!(format!("{:?}", t.quantiles()), format!("{:?}", times.quantiles()));
        assert!(unpack(b"{").is_none());
    }
}
