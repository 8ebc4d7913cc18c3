//! One explicit step of St. Venant-Kirchhoff blocks: nanoseconds per element, whole step included.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::sync::Arc;
use std::time::Instant;

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::assembly::Precision;
use pliant_solid::integrator::{Explicit, Inputs, IntegratorKind, StepChoice};
use pliant_solid::law::{ElasticModuli, LawKind};
use pliant_solid::{BodyShape, Layout, Material, Model, ModelParts, OnDivergence, World};

fn world(cells: [usize; 3], element: BoxElement, precision: Precision) -> World {
    let size = cells.map(|c| c as f64 * 0.01);
    let mesh = Arc::new(box_mesh(size, cells, element).unwrap());
    let layout = Layout::new(vec![BodyShape::new("block", mesh)]);
    // a gentle twist, so that no term is zero
    let rest = layout.rest();
    let velocity: Vec<f64> = (0..layout.free_count())
        .flat_map(|n| {
            let (x, y, z) = (rest[3 * n], rest[3 * n + 1], rest[3 * n + 2]);
            [-y * z * 0.1, x * z * 0.1, 0.0]
        })
        .collect();
    let material = Material::new(1000.0, LawKind::StVenant(ElasticModuli::new(1e5, 0.33).unwrap()));
    let model = Model::new(ModelParts {
        layout,
        matter: vec![material.into()],
        gravity: [0.0, 0.0, -9.81],
        fixes: vec![],
        colliders: vec![],
        contact: Default::default(),
        skins: vec![],
        terms: vec![],
        velocity,
        precision,
    });
    let integrator = IntegratorKind::Explicit(Explicit { step: StepChoice::Fixed(2e-5) });
    World::new(Arc::new(model.unwrap()), integrator, OnDivergence::Stop).unwrap()
}

fn main() {
    let hexes = [[11, 11, 11], [28, 28, 28], [46, 46, 46]];
    let tets = [[6, 6, 6], [12, 13, 13], [27, 27, 27], [58, 58, 60]];
    println!(
        "{:>10} {:>6} {:>7} {:>9} {:>9} {:>9}",
        "elements", "kind", "threads", "p50 ns", "best ns", "ms/step"
    );
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for (kind, element, precision, sizes) in [
            ("tet64", BoxElement::Tet5, Precision::Double, tets.as_slice()),
            ("tet32", BoxElement::Tet5, Precision::Single, tets.as_slice()),
            ("hex64", BoxElement::Hex, Precision::Double, hexes.as_slice()),
        ] {
            for &cells in sizes {
                let mut world = world(cells, element, precision);
                let count = world.model().layout().bodies()[0].mesh.cell_count();
                let steps = (20_000_000 / count).clamp(20, 5000);
                pool.install(|| {
                    let mut samples = Vec::new();
                    for i in 0..steps + steps / 4 {
                        let start = Instant::now();
                        world.step(&Inputs::default()).unwrap();
                        if i >= steps / 4 {
                            samples.push(start.elapsed().as_secs_f64());
                        }
                    }
                    samples.sort_by(f64::total_cmp);
                    let (p50, best) = (samples[samples.len() / 2], samples[0]);
                    let per = 1e9 / count as f64;
                    println!(
                        "{count:>10} {kind:>6} {threads:>7} {:>9.2} {:>9.2} {:>9.4}",
                        p50 * per,
                        best * per,
                        p50 * 1e3
                    );
                });
            }
        }
    }
}
