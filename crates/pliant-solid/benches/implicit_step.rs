//! Newmark steps of the bars: 10 ms, full Newton to a relative residual of 1e-6.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

mod bars;

use bars::{BAR12K, BAR450, BAR765, POISSON, STEP, measure};
use pliant_solid::integrator::{IntegratorKind, Newmark, StepChoice, StepReport};
use pliant_solid::law::{ElasticModuli, LawKind};

fn main() {
    println!(
        "{:>8} {:>6} {:>7} {:>9} {:>9} {:>11}  phases, ms a step",
        "bar", "E", "threads", "p50 ms", "worst ms", "iterations"
    );
    let cases = [(BAR450, &[1e5, 3e5, 1e6][..], 100), (BAR765, &[1e6], 100), (BAR12K, &[1e6], 30)];
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for (bar, youngs, steps) in cases.iter().filter(|(bar, ..)| bar.is_wanted()) {
            for &young in *youngs {
                let law = LawKind::StVenant(ElasticModuli::new(young, POISSON).unwrap());
                let newmark = Newmark { step: StepChoice::Fixed(STEP), ..Newmark::default() };
                let mut world = bar.world(law, IntegratorKind::Newmark(newmark), 0.0);
                print!("{:>8} {young:>6.0e} {threads:>7} ", bar.name);
                match pool.install(|| measure(&mut world, *steps, newton_iterations)) {
                    Ok(m) => {
                        println!("{:>9.3} {:>9.3} {:>11.2}  {}", m.median, m.worst, m.iterations, m.phases)
                    }
                    Err(error) => println!("{error}"),
                }
            }
        }
    }
}

fn newton_iterations(report: &StepReport) -> usize {
    report.newton.map_or(0, |n| n.iterations)
}
