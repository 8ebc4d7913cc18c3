//! Contenders run in turn on one thread; the clock is the thread's processor time, so that what else the machine does counts little.

use anyhow::Result;
use cpu_time::ThreadTime;
use serde::Serialize;

use crate::bar::{Bar, TIP_STEPS};
use crate::contender::Contender;
use crate::ours::{self, Ours, Words};
use crate::rapier::{Rapier, Tuning};

/// Those that are compared, ours first.
pub const NAMES: [&str; 3] = ["pliant", "rapier", "rapier, as it comes"];

/// What one contender did with one bar.
#[derive(Debug, Serialize)]
pub struct Figures {
    /// One of [`NAMES`].
    pub contender: &'static str,
    /// Median over the steps of a round, then over the rounds, ms.
    pub ms_a_step: Option<f64>,
    /// The same of the fastest round.
    pub best_ms_a_step: Option<f64>,
    /// Iterations a step, where the program tells them.
    pub iterations_a_step: Option<f64>,
    /// Displacement of the tip along y after 0.3 s, m.
    pub tip_m: Option<f64>,
    /// Why it did not come to the end.
    pub failure: Option<String>,
}

/// All contenders with one bar and one modulus.
#[derive(Debug, Serialize)]
pub struct Row {
    /// The bar's name.
    pub bar: &'static str,
    /// Its elements.
    pub tetrahedra: usize,
    /// Young's modulus, Pa.
    pub young_pa: f64,
    /// In the order of [`NAMES`].
    pub contenders: Vec<Figures>,
}

/// One run of one contender.
#[derive(Default)]
struct Run {
    median: Option<f64>,
    iterations: Option<f64>,
    tip: Option<f64>,
    failure: Option<String>,
}

/// Every contender runs the bar as often as the bar asks for, in turn.
pub fn row(bar: &Bar, young: f64, words: Words) -> Result<Row> {
    let compiled = ours::compiled(bar, young, words)?;
    let mut runs: [Vec<Run>; 3] = Default::default();
    for _ in 0..bar.rounds {
        runs[0].push(run(&mut Ours::new(&compiled)?, bar.steps));
        for (of, tuning) in runs[1..].iter_mut().zip([Tuning::Converged, Tuning::Default]) {
            of.push(run(&mut Rapier::new(bar, young, &compiled, tuning)?, bar.steps));
        }
    }
    let contenders = NAMES.into_iter().zip(runs).map(|(name, runs)| figures(name, runs)).collect();
    let tetrahedra = compiled.model.layout().bodies()[0].mesh.tets().len();
    Ok(Row { bar: bar.name, tetrahedra, young_pa: young, contenders })
}

fn run(contender: &mut dyn Contender, steps: usize) -> Run {
    let mut out = Run::default();
    let mut times = Vec::with_capacity(steps);
    for step in 1..=steps {
        let start = ThreadTime::now();
        let result = contender.step();
        times.push(1e3 * start.elapsed().as_secs_f64());
        if let Err(error) = result {
            out.failure = Some(format!("step {step}: {error}"));
            return out;
        }
        if step == TIP_STEPS {
            out.tip = Some(contender.tip());
        }
    }
    out.median = median(times);
    out.iterations = contender.iterations().map(|count| f64::from(count) / steps as f64);
    out
}

fn figures(contender: &'static str, mut runs: Vec<Run>) -> Figures {
    let medians: Vec<f64> = runs.iter().filter_map(|run| run.median).collect();
    let best_ms_a_step = medians.iter().copied().min_by(f64::total_cmp);
    let last = runs.pop().unwrap_or_default();
    Figures {
        contender,
        ms_a_step: median(medians),
        best_ms_a_step,
        iterations_a_step: last.iterations,
        tip_m: last.tip,
        failure: last.failure,
    }
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
