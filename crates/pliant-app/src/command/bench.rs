//! `pliant bench`: warm up, restore, measure; the tail is the result.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pliant_scene::{CompileOptions, LoadedScene, Scene, compile, counted};
use pliant_solid::Phase;
use pliant_solid::integrator::{Inputs, StepMatrix};
use serde::Serialize;

use super::scene_word::read_scene;
use super::{json_text, thread_pool};
use crate::cli::Bench;
use crate::memory;
use crate::processor;
use crate::report::{self, Failure};
use crate::run::latency::{Histogram, Quantiles};

/// What one scene measured.
#[derive(Serialize)]
struct Measured {
    scene: String,
    elements: usize,
    /// Of particle systems, which have no elements.
    springs: usize,
    nodes: usize,
    steps: u32,
    step_ms: Quantiles,
    /// Per spring where there are no elements.
    ns_per_element: f64,
    real_time_factor: f64,
    phases_ms: BTreeMap<String, Quantiles>,
}

/// All measurements with what they depend on.
#[derive(Serialize)]
struct Report {
    version: &'static str,
    commit: Option<String>,
    processor: String,
    simd: &'static str,
    threads: usize,
    scenes: Vec<Measured>,
}

/// Measures scenes, or the built-in suite.
pub fn bench(options: &Bench) -> Result<(), Failure> {
    let pool = thread_pool(&options.machine)?;
    pool.install(|| bench_in_pool(options))
}

fn bench_in_pool(options: &Bench) -> Result<(), Failure> {
    let mut scenes = Vec::new();
    let loaded: Vec<(String, LoadedScene)> = if options.scenes.is_empty() {
        suite()?
    } else {
        options
            .scenes
            .iter()
            .map(|p| Ok((p.display().to_string(), read_scene(p)?)))
            .collect::<Result<_, Failure>>()?
    };
    if !options.machine.json {
        report::line(&format!(
            "{:<28} {:>9} {:>10} {:>10} {:>10} {:>11} {:>10}",
            "scene", "elements", "p50 ms", "p99 ms", "worst ms", "ns/element", "x real"
        ));
    }
    for (name, scene) in loaded {
        let measured = measure(&name, &scene, options.steps)?;
        if !options.machine.json {
            lines(&measured);
        }
        scenes.push(measured);
    }
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        commit: commit(),
        processor: processor_name(),
        simd: processor::simd_level(),
        threads: pliant_numerics::parallel::thread_count(),
        scenes,
    };
    if options.machine.json {
        report::line(&json_text(&report)?);
    } else {
        report::line(&format!(
            "{}, {}, {}",
            report.processor,
            counted(report.threads, "thread", "threads"),
            report.simd
        ));
    }
    Ok(())
}

/// Falling, turning blocks with a fixed step: tets from 1k to 1M in both precisions, and hexes.
fn suite() -> Result<Vec<(String, LoadedScene)>, Failure> {
    let tets = [("1k", [6, 6, 6]), ("10k", [12, 13, 13]), ("100k", [27, 27, 27]), ("1M", [58, 58, 60])];
    let hexes = [("1331", [11, 11, 11]), ("22k", [28, 28, 28]), ("97k", [46, 46, 46])];
    let mut out = Vec::new();
    for (precision, short) in [("double", "f64"), ("single", "f32")] {
        for (count, cells) in tets {
            out.push((format!("tet5 {count} {short}"), block(cells, "tet5", precision)?));
        }
    }
    for (count, cells) in hexes {
        out.push((format!("hex {count} f64"), block(cells, "hex", "double")?));
    }
    Ok(out)
}

fn block(cells: [usize; 3], element: &str, precision: &str) -> Result<LoadedScene, Failure> {
    let size = cells.map(|c| c as f64 * 0.01);
    let text = format!(
        "duration = \"1 s\"\ngravity = [0, 0, -9.81]\n[integrator]\nstep = \"20 us\"\nprecision = \"{precision}\"\n\
         [material.m]\nlaw = \"st-venant\"\nyoung = \"100 kPa\"\npoisson = 0.33\ndensity = 1000\n\
         [body.block]\nmaterial = \"m\"\nmesh = {{ shape = \"box\", size = {size:?}, cells = {cells:?}, element = \"{element}\" }}\n\
         angular_velocity = [0, 0, 1]\n"
    );
    let (scene, source) = Scene::parse(&text, "bench")?;
    Ok(LoadedScene { scene, source, folder: Path::new(".").to_path_buf() })
}

fn measure(name: &str, loaded: &LoadedScene, steps: Option<u32>) -> Result<Measured, Failure> {
    let compiled = compile(loaded, CompileOptions { force: true, memory: memory::available() })?;
    let model = &compiled.model;
    let mut world = compiled.world().map_err(|refusal| Failure::Input(refusal.to_string()))?;
    let bodies = model.layout().bodies();
    let elements: usize = bodies.iter().map(|b| b.mesh.cell_count()).sum();
    let networks = model.matter().iter().filter_map(|matter| matter.network());
    let springs: usize = networks.map(|network| network.springs.len()).sum();
    // a step that solves equations costs about a thousand times as much an element
    let budget = match compiled.integrator().traits().matrix {
        StepMatrix::Diagonal => 30_000_000,
        StepMatrix::Constant => 3_000_000,
        StepMatrix::Definite => 1_000_000,
        StepMatrix::Consistent => 300_000,
    };
    let steps = steps.unwrap_or_else(|| (budget / elements.max(1)).clamp(30, 5000) as u32);
    let failed = |e| Failure::Ran(format!("{name}: {e}"));
    // warm up caches, threads and allocations, then start from the same state again
    let start_state = world.state().clone();
    for _ in 0..(steps / 4).max(5) {
        world.step(&Inputs::default()).map_err(failed)?;
    }
    world.restore(start_state).map_err(|refusal| Failure::Ran(format!("{name}: {refusal}")))?;
    let phases = Arc::new(Mutex::new(PhaseClock::new()));
    let clock = Arc::clone(&phases);
    let mut total = Histogram::new();
    let (mut simulated, began) = (0.0, Instant::now());
    for _ in 0..steps {
        let start = Instant::now();
        simulated += world.step(&Inputs::default()).map_err(failed)?.dt;
        total.add(start.elapsed().as_nanos() as u64);
    }
    let wall = began.elapsed().as_secs_f64();
    // phases in a pass of their own: asking the clock within a step costs small scenes several percent
    world.set_phase_hook(Some(Box::new(move |phase| {
        if let Ok(mut clock) = clock.lock() {
            clock.enter(phase);
        }
    })));
    for _ in 0..steps {
        world.step(&Inputs::default()).map_err(failed)?;
    }
    world.set_phase_hook(None);
    let phases_ms = phases.lock().map(|clock| clock.quantiles()).unwrap_or_default();
    Ok(Measured {
        scene: name.to_string(),
        elements,
        springs,
        nodes: model.layout().node_count(),
        steps,
        step_ms: total.quantiles(),
        ns_per_element: total.quantile_ns(0.5) / if elements > 0 { elements } else { springs.max(1) } as f64,
        real_time_factor: simulated / wall,
        phases_ms,
    })
}

/// Time spent in each phase.
struct PhaseClock {
    since: Option<(Phase, Instant)>,
    /// Time of the step so far: implicit steps come to a phase several times.
    step: BTreeMap<Phase, Duration>,
    phases: BTreeMap<Phase, Histogram>,
}

impl PhaseClock {
    fn new() -> Self {
        Self { since: None, step: BTreeMap::new(), phases: BTreeMap::new() }
    }

    fn enter(&mut self, phase: Phase) {
        let now = Instant::now();
        if let Some((last, since)) = self.since.take() {
            *self.step.entry(last).or_default() += now - since;
        }
        self.since = (phase != Phase::Done).then_some((phase, now));
        if phase == Phase::Done {
            for (phase, time) in std::mem::take(&mut self.step) {
                let histogram = self.phases.entry(phase).or_insert_with(Histogram::new);
                histogram.add(time.as_nanos() as u64);
            }
        }
    }

    fn quantiles(&self) -> BTreeMap<String, Quantiles> {
        self.phases.iter().map(|(phase, h)| (format!("{phase:?}").to_lowercase(), h.quantiles())).collect()
    }
}

fn lines(m: &Measured) {
    report::line(&format!(
        "{:<28} {:>9} {:>10.4} {:>10.4} {:>10.4} {:>11.2} {:>10.3}",
        m.scene,
        if m.elements > 0 { m.elements } else { m.springs },
        m.step_ms.p50,
        m.step_ms.p99,
        m.step_ms.max,
        m.ns_per_element,
        m.real_time_factor
    ));
    if m.elements == 0 {
        report::line("    it has no elements: these are springs, and ns per spring");
    }
    let phases: Vec<String> = m.phases_ms.iter().map(|(name, q)| format!("{name} {:.4}", q.p50)).collect();
    report::line(&format!("    p50 by phase, ms: {}", phases.join(", ")));
}

/// The checkout's commit, where there is one.
fn commit() -> Option<String> {
    let output = std::process::Command::new("git").args(["rev-parse", "--short", "HEAD"]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// What the operating system calls the processor.
fn processor_name() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find(|l| l.starts_with("model name"));
    line.and_then(|l| l.split(':').nth(1)).map_or("unknown processor".into(), |name| name.trim().into())
}
