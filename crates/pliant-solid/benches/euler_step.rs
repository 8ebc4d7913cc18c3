//! Steps of implicit Euler of the bars: 10 ms, one linearised solution, from rest on; and of bars that have come to rest.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

mod bars;

use bars::{BAR12K, BAR97K, BAR450, BAR765, Bar, POISSON, STEP, measure};
use pliant_solid::World;
use pliant_solid::integrator::{ImplicitEuler, Inputs, IntegratorKind, LinearSolver, StepChoice, StepReport};
use pliant_solid::law::{ElasticModuli, LawKind, RotationField, Warp};

/// Damping in proportion to mass that brings a bar to rest soon, 1/s, and the steps that this takes.
const DAMPED: (f64, usize) = (8.0, 300);

fn main() {
    println!(
        "{:>8} {:>18} {:>6} {:>7} {:>9} {:>9} {:>11}  phases, ms a step",
        "bar", "law", "E", "threads", "p50 ms", "worst ms", "iterations"
    );
    let cases = [
        (BAR450, &[1e5, 3e5, 1e6][..], 30),
        (BAR765, &[1e6], 30),
        (BAR12K, &[3e5], 30),
        (BAR97K, &[3e5], 12),
    ];
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for &(bar, youngs, steps) in cases.iter().filter(|(bar, ..)| bar.is_wanted()) {
            for &young in youngs {
                pool.install(|| compare(bar, young, steps, threads));
            }
        }
    }
}

fn compare(bar: Bar, young: f64, steps: usize, threads: usize) {
    let moduli = ElasticModuli::new(young, POISSON).unwrap();
    let frames = Warp { field: RotationField::Frames, ..Warp::default() };
    let (corotated, direct) = (LawKind::Corotated(moduli), Some(LinearSolver::Direct));
    for (name, law, solver) in [
        ("corotated", corotated, None),
        ("linear", LawKind::Linear(moduli), None),
        ("warped", LawKind::Warped(moduli, Warp::default()), None),
        ("warped, frames", LawKind::Warped(moduli, frames), None),
        ("corotated, direct", corotated, direct),
    ] {
        // its factor takes seconds
        if name.ends_with("direct") && bar.name == BAR97K.name {
            continue;
        }
        let mut world = bar.world(law, euler(solver), 0.0);
        line((bar.name, name, young, threads), &mut world, steps);
    }
    if bar.name != BAR97K.name {
        let mut world = bar.world(corotated, euler(None), DAMPED.0);
        (0..DAMPED.1).for_each(|_| {
            world.step(&Inputs::default()).unwrap();
        });
        line((bar.name, "corotated, at rest", young, threads), &mut world, steps);
    }
}

fn euler(solver: Option<LinearSolver>) -> IntegratorKind {
    let step = StepChoice::Fixed(STEP);
    IntegratorKind::ImplicitEuler(ImplicitEuler { step, solver, ..ImplicitEuler::default() })
}

fn line((bar, law, young, threads): (&str, &str, f64, usize), world: &mut World, steps: usize) {
    print!("{bar:>8} {law:>18} {young:>6.0e} {threads:>7} ");
    match measure(world, steps, gradient_steps) {
        Ok(m) => println!("{:>9.3} {:>9.3} {:>11.2}  {}", m.median, m.worst, m.iterations, m.phases),
        Err(error) => println!("{error}"),
    }
}

fn gradient_steps(report: &StepReport) -> usize {
    report.gradients.map_or(0, |g| g.steps)
}
