//! How simulated time follows the clock.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// What is measured is the mean over this long.
const WINDOW: Duration = Duration::from_secs(1);

/// A clock that runs at a wanted speed and forgives delays.
pub struct Pace {
    wall: Instant,
    time: f64,
    /// Simulated seconds a second.
    pub speed: f64,
}

impl Pace {
    /// Starts at a simulated time, s.
    pub fn from(time: f64, speed: f64) -> Self {
        Self { wall: Instant::now(), time, speed }
    }

    /// The time that should be reached by now, s.
    pub fn target(&self) -> f64 {
        self.time + self.speed * self.wall.elapsed().as_secs_f64()
    }

    /// Forgets what was missed: the simulation is at this time now.
    pub fn rebase(&mut self, time: f64) {
        (self.wall, self.time) = (Instant::now(), time);
    }
}

/// What came of it: simulated time and the cost of steps over the last second.
#[derive(Default)]
pub struct Meter {
    samples: VecDeque<Sample>,
    spent: Duration,
    steps: u64,
}

#[derive(Clone, Copy)]
struct Sample {
    at: Instant,
    time: f64,
    spent: Duration,
    steps: u64,
}

impl Meter {
    /// Notes steps and the wall time they took.
    pub fn add(&mut self, steps: u64, spent: Duration) {
        self.steps += steps;
        self.spent += spent;
    }

    /// Notes which time is shown.
    pub fn note(&mut self, time: f64) {
        let at = Instant::now();
        self.samples.push_back(Sample { at, time, spent: self.spent, steps: self.steps });
        while self.samples.front().is_some_and(|first| at - first.at > WINDOW) && self.samples.len() > 2 {
            self.samples.pop_front();
        }
    }

    /// Simulated seconds a second; 0 before there is anything to tell.
    pub fn real_time_factor(&self) -> f64 {
        self.ends().map_or(0.0, |(first, last)| (last.time - first.time) / (last.at - first.at).as_secs_f64())
    }

    /// Wall time of a step, ms.
    pub fn step_ms(&self) -> f64 {
        let Some((first, last)) = self.ends() else { return 0.0 };
        let steps = last.steps - first.steps;
        if steps == 0 { 0.0 } else { 1e3 * (last.spent - first.spent).as_secs_f64() / steps as f64 }
    }

    fn ends(&self) -> Option<(&Sample, &Sample)> {
        let (first, last) = (self.samples.front()?, self.samples.back()?);
        (last.at > first.at).then_some((first, last))
    }
}
