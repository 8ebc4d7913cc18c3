//! Newmark steps of the bars that other programs were measured on: 10 ms, full Newton to a relative residual of 1e-6.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::assembly::{InitialFields, Precision};
use pliant_solid::integrator::{Inputs, IntegratorKind, Newmark, StepChoice};
use pliant_solid::law::{ElasticModuli, LawKind};
use pliant_solid::{
    BodyMatter, BodyShape, Fix, Layout, MassKind, Model, ModelParts, Motion, OnDivergence, Phase, World,
};

/// A bar along z, clamped at z = 0, under a weight along -y.
fn world(cells: [usize; 3], cell: f64, young: f64) -> World {
    let size = cells.map(|c| c as f64 * cell);
    let mesh = Arc::new(box_mesh(size, cells, BoxElement::Tet5).unwrap());
    let layout = Layout::new(vec![BodyShape { name: "bar".into(), mesh, hanging: vec![] }]);
    let clamped = (0..layout.free_count() as u32).filter(|n| layout.rest_of(*n)[2] < 1e-9).collect();
    let fix = Fix { nodes: clamped, axes: [true; 3], motion: Motion::Still, release: None };
    let matter = BodyMatter {
        density: 1000.0,
        law: LawKind::StVenant(ElasticModuli::new(young, 0.33).unwrap()),
        limit: None,
        mass_damping: 0.0,
        stiffness_damping: 0.0,
        initial: InitialFields::default(),
        mass: MassKind::Lumped,
    };
    let model = Model::new(ModelParts {
        velocity: vec![0.0; 3 * layout.free_count()],
        layout,
        matter: vec![matter],
        gravity: [0.0, -9.81, 0.0],
        fixes: vec![fix],
        terms: vec![],
        precision: Precision::Double,
        integrator: IntegratorKind::Newmark(Newmark { step: StepChoice::Fixed(0.01), ..Newmark::default() }),
    });
    World::new(Arc::new(model.unwrap()), OnDivergence::Stop).unwrap()
}

fn main() {
    println!(
        "{:>8} {:>6} {:>7} {:>9} {:>9} {:>11}  phases, ms a step",
        "bar", "E", "threads", "p50 ms", "worst ms", "iterations"
    );
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for (name, cells, cell, youngs, steps) in [
            ("bar450", [3, 3, 10], 0.1, &[1e5, 3e5, 1e6][..], 100),
            ("bar765", [3, 3, 17], 0.1, &[1e6], 100),
            ("bar12k", [9, 9, 30], 0.1 / 3.0, &[1e6], 30),
        ] {
            for &young in youngs {
                pool.install(|| measure(name, world(cells, cell, young), (young, steps, threads)));
            }
        }
    }
}

fn measure(name: &str, mut world: World, (young, steps, threads): (f64, usize, usize)) {
    let clock = Arc::new(Mutex::new((None::<(Phase, Instant)>, BTreeMap::<String, f64>::new())));
    let hooked = Arc::clone(&clock);
    world.set_phase_hook(Some(Box::new(move |phase| {
        let mut clock = hooked.lock().unwrap();
        let now = Instant::now();
        if let Some((last, since)) = clock.0.take() {
            *clock.1.entry(format!("{last:?}")).or_default() += (now - since).as_secs_f64();
        }
        clock.0 = (phase != Phase::Done).then_some((phase, now));
    })));
    let (mut times, mut iterations) = (Vec::new(), 0);
    for _ in 0..steps {
        let start = Instant::now();
        let report = match world.step(&Inputs::default()) {
            Ok(report) => report,
            Err(error) => {
                println!("{name:>8} {young:>6.0e} {threads:>7}  {error}");
                return;
            }
        };
        times.push(1e3 * start.elapsed().as_secs_f64());
        iterations += report.newton.map_or(0, |n| n.iterations);
    }
    times.sort_by(f64::total_cmp);
    let clock = clock.lock().unwrap();
    let phases: Vec<String> =
        clock.1.iter().map(|(name, s)| format!("{name} {:.3}", 1e3 * s / steps as f64)).collect();
    println!(
        "{name:>8} {young:>6.0e} {threads:>7} {:>9.3} {:>9.3} {:>11.2}  {}",
        times[times.len() / 2],
        times[times.len() - 1],
        iterations as f64 / steps as f64,
        phases.join(", ")
    );
}
