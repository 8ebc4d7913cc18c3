//! What warped stiffness costs: rotations, forces and matrices of a bar of 176 nodes and 450 tetrahedra, and of larger ones, on one thread and on two.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;

use pliant_geometry::BoxElement;
use pliant_numerics::BlockMatrix;
use pliant_solid::law::{LawKind, RotationField, Rotations, Warp};
use pliant_solid::term::{Coeffs, Scatter};

use support::meshes::block;
use support::{Scene, moduli, placed};

const SAMPLES: usize = 200;

/// The shortest time of some runs over two states in turn, microseconds a run.
fn best(runs: usize, mut run: impl FnMut(usize)) -> f64 {
    let one = |_| {
        let start = Instant::now();
        (0..runs).for_each(&mut run);
        1e6 * start.elapsed().as_secs_f64() / runs as f64
    };
    (0..SAMPLES).map(one).fold(f64::INFINITY, f64::min)
}

fn measure(cells: [usize; 3], element: BoxElement, law: LawKind, name: &str, threads: usize) {
    let model = Scene::new(block([1.0, 0.3, 0.3], cells, element), law).model();
    let states = [0.3, 0.31].map(|by| placed(&model, |p| [p[0], p[1], p[2] + by * p[0] * p[0]]));
    let term = &model.terms()[0];
    let mut scratch = term.new_scratch();
    let mut matrix = BlockMatrix::zero(model.structure().all().clone());
    let mut force = vec![0.0; 3 * model.layout().node_count()];
    // short samples: the shortest of many is not disturbed by what else runs
    let runs = (4000 / model.layout().node_count()).max(2);
    let k = Coeffs { k: 1.0, d: 0.0 };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let times = pool.install(|| {
        let forces = best(runs, |i| {
            let mut out = Scatter::new(&mut force, &mut scratch);
            term.force_add(&states[i % 2].at(), &mut out);
        });
        let product = best(runs, |_| {
            let mut out = Scatter::new(&mut force, &mut scratch);
            term.tangent_apply_add(&states[0].at(), k, &states[1].x, &mut out);
        });
        let turned = best(runs, |i| term.tangent_add(&states[i % 2].at(), k, &mut matrix, &mut scratch));
        let again = best(runs, |_| term.tangent_add(&states[0].at(), k, &mut matrix, &mut scratch));
        [forces, product, turned, again]
    });
    let [forces, product, turned, again] = times;
    println!(
        "{name}/{} nodes/{threads} threads: forces {forces:.1} us, product {product:.1} us, rotations and matrix {turned:.1} us, matrix alone {again:.1} us",
        model.layout().node_count()
    );
}

fn main() {
    let m = moduli(1e5, 0.33);
    let laws = [
        ("polar", LawKind::Warped(m, Warp::default())),
        ("frames", LawKind::Warped(m, Warp { field: RotationField::Frames, rotations: Rotations::Node })),
        ("mixed", LawKind::Warped(m, Warp { field: RotationField::Polar, rotations: Rotations::Mixed })),
        ("corotated", LawKind::Corotated(m)),
    ];
    for (name, law) in laws {
        measure([10, 3, 3], BoxElement::Tet5, law, name, 1);
    }
    for threads in [1, 2] {
        for (name, law) in [laws[0], laws[3]] {
            measure([50, 15, 15], BoxElement::Tet5, law, name, threads);
        }
    }
}
