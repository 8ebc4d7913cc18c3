//! What the ways between the rungs cost: a factor of its own, conjugate gradients with the nearest one, eigenvectors; beside whole steps.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;

use pliant_geometry::BoxElement;
use pliant_numerics::BlockCholesky;
use pliant_solid::MassKind;
use pliant_solid::integrator::{IntegratorKind, Ladder, Lengths, StepChoice};
use pliant_solid::law::LawKind;

use support::between_rungs::{matrix, steps};
use support::meshes::block;
use support::{Noise, Scene, dot, moduli};

fn with_ladder(scene: Scene, step: StepChoice) -> Scene {
    scene.integrator(IntegratorKind::Ladder(Ladder { step, lengths: Lengths::Halved }))
}

/// The shortest of some runs, ms.
fn best(mut run: impl FnMut()) -> f64 {
    let one = |_| {
        let start = Instant::now();
        run();
        1e3 * start.elapsed().as_secs_f64()
    };
    (0..7).map(one).fold(f64::INFINITY, f64::min)
}

fn main() {
    for n in [5, 9, 14] {
        let beta = 1e-3;
        let scene = Scene::new(block([0.1; 3], [n; 3], BoxElement::Hex), LawKind::Linear(moduli(1e5, 0.3)))
            .matter(|m| (m.mass, m.stiffness_damping) = (MassKind::Consistent, beta));
        let model = scene.model();
        let structure = model.structure();
        let mut factor = BlockCholesky::analyse(structure.free(), &model.elimination().order).unwrap();
        let (size, free) = (factor.len(), vec![false; factor.len()]);
        let mut world = with_ladder(scene, StepChoice::Auto { safety: 0.96 }).world();
        let h0 = 0.5 * world.state().solver.dt;
        let near = matrix(&model, h0);
        let factoring = best(|| factor.factor(&near, &free).unwrap());
        let b = Noise::new(3).vector(size, 1.0);
        let solving = best(|| factor.solve_in_place(&mut b.clone()));
        let ways = [2_f64.sqrt(), 2.0].map(|k| {
            let between = matrix(&model, h0 * k);
            let count = steps(&between, &mut factor, &b);
            (count, best(|| assert!(steps(&between, &mut factor, &b) < 60)))
        });
        let whole = best(|| support::run(&mut world, 1));
        let plain = Scene::new(block([0.1; 3], [n; 3], BoxElement::Hex), LawKind::Linear(moduli(1e5, 0.3)))
            .matter(|m| m.mass = MassKind::Consistent);
        let mut inert = with_ladder(plain, StepChoice::Fixed(1e-6)).world();
        let by_mass = best(|| support::run(&mut inert, 1));
        let mut lumped =
            Scene::new(block([0.1; 3], [n; 3], BoxElement::Hex), LawKind::Linear(moduli(1e5, 0.3)))
                .dt(1e-6)
                .world();
        let explicit = best(|| support::run(&mut lumped, 1));
        // two products with the matrix of eigenvectors: one row of it stands for all
        let row = Noise::new(5).vector(size, 1.0);
        let mut sum = 0.0;
        let dense = best(|| (0..2 * size).for_each(|_| sum += std::hint::black_box(dot(&row, &b))));
        println!(
            "{size} unknowns: factor {factoring:.2} ms, solve {solving:.3}, cg sqrt 2: {} steps {:.2}, cg 2: {} steps {:.2}, step {whole:.2}, without viscosity {by_mass:.3}, explicit {explicit:.3}, eigenvectors {dense:.2} ms and {} MB (factor {} MB) {sum:e}",
            ways[0].0,
            ways[0].1,
            ways[1].0,
            ways[1].1,
            size * size / 131_072,
            factor.factor_length() / 131_072,
        );
    }
}
