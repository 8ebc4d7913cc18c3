//! A cloth of 10 000 particles that falls from two corners: simulated time over time taken, by method and stiffness.
//! Words after `--` choose methods: `cargo bench -p pliant-solid --bench cloth_step -- explicit`.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::sync::Arc;
use std::time::Instant;

use pliant_geometry::Grid;
use pliant_solid::assembly::Precision;
use pliant_solid::integrator::{Explicit, ImplicitEuler, Inputs, IntegratorKind, StepChoice};
use pliant_solid::{
    BodyShape, Cloth, Fix, Layout, Matter, Model, ModelParts, Motion, OnDivergence, SpringDamping,
    SpringStiffness, Weave, World,
};

/// A square metre of half a kilogram.
fn world(stiffness: f64, angle: f64, integrator: IntegratorKind) -> World {
    let grid = Grid { size: [1.0, 1.0], cells: [99, 99] };
    let weave =
        Weave { stiffness: SpringStiffness::Each(stiffness), damping: SpringDamping::Relaxation(1e-4) };
    let mesh = grid.mesh().unwrap();
    let network = Cloth { grid, weave, angle, bend: 0.1 * angle, mass: 0.5 }.network(&mesh);
    let matter = Matter::of_network(network, &mesh);
    let layout = Layout::new(vec![BodyShape::new("cloth", Arc::new(mesh))]);
    let corners = [9900, 9999].map(|n| layout.bodies()[0].world[n]).to_vec();
    let fix = Fix { nodes: corners, axes: [true; 3], motion: Motion::Still, release: None };
    let velocity = vec![0.0; 3 * layout.free_count()];
    let model = Model::new(ModelParts {
        layout,
        matter: vec![matter],
        gravity: [0.0, 0.0, -9.81],
        fixes: vec![fix],
        colliders: vec![],
        contact: Default::default(),
        skins: vec![],
        terms: vec![],
        velocity,
        precision: Precision::Double,
    });
    World::new(Arc::new(model.unwrap()), integrator, OnDivergence::Stop).unwrap()
}

/// Mean step, s, the median, the 99th percentile and the mean of the time that one takes, s, after a fifth of a second.
fn measure(world: &mut World) -> [f64; 4] {
    while world.state().time < 0.2 {
        world.step(&Inputs::default()).unwrap();
    }
    let (from, mut taken) = (world.state().time, Vec::new());
    while world.state().time < from + 0.5 {
        let start = Instant::now();
        world.step(&Inputs::default()).unwrap();
        taken.push(start.elapsed().as_secs_f64());
    }
    taken.sort_by(f64::total_cmp);
    let count = taken.len() as f64;
    let rank = |part: f64| taken[(part * taken.len() as f64) as usize];
    [(world.state().time - from) / count, rank(0.5), rank(0.99), taken.iter().sum::<f64>() / count]
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let is_wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    println!(
        "{:>9} {:>9} {:>18} {:>7} {:>9} {:>9} {:>9} {:>10} {:>10}",
        "k N/m", "angle", "method", "threads", "step ms", "p50 ms", "p99 ms", "real time", "of all"
    );
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for (stiffness, angle) in [(20.0, 0.0), (20.0, 1e-4), (200.0, 1e-3)] {
            let explicit = IntegratorKind::Explicit(Explicit { step: StepChoice::Auto { safety: 0.96 } });
            let euler = |dt: f64| {
                let step = StepChoice::Fixed(dt);
                IntegratorKind::ImplicitEuler(ImplicitEuler { step, ..ImplicitEuler::default() })
            };
            let methods = [
                ("explicit, auto", explicit),
                ("implicit, 10 ms", euler(0.01)),
                ("implicit, 1/60 s", euler(1.0 / 60.0)),
            ];
            for (name, method) in methods.into_iter().filter(|(name, _)| is_wanted(name)) {
                let mut world = world(stiffness, angle, method);
                let [step, median, slow, mean] = pool.install(|| measure(&mut world));
                println!(
                    "{stiffness:>9} {angle:>9} {name:>18} {threads:>7} {:>9.4} {:>9.4} {:>9.4} {:>10.2} {:>10.2}",
                    1e3 * step,
                    1e3 * median,
                    1e3 * slow,
                    step / median,
                    step / mean
                );
            }
        }
    }
}
