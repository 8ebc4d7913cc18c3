//! What contact costs beside an explicit step: blocks of tetrahedra that stand on a floor with a tenth of their surface, and the same that float.
//!
//! St. Venant-Kirchhoff matter: rotations of a corotated law take longer to find in a body that is deformed. Worlds take turns, so that a busy machine slows all of them alike; ratios are of the least of several medians.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::sync::Arc;
use std::time::Instant;

use pliant_geometry::{BoxElement, TriangleSolid, box_mesh};
use pliant_solid::assembly::Precision;
use pliant_solid::contact::{Collider, ColliderShape, ContactSettings, Response};
use pliant_solid::integrator::{Explicit, Inputs, IntegratorKind, StepChoice};
use pliant_solid::law::{ElasticModuli, LawKind};
use pliant_solid::{BodyShape, Layout, Material, Model, ModelParts, OnDivergence, World};

fn world(cells: [usize; 3], collider: Option<Collider>, response: Response) -> World {
    let size = cells.map(|c| c as f64 * 0.01);
    let mesh = Arc::new(box_mesh(size, cells, BoxElement::Tet5).unwrap());
    let layout = Layout::new(vec![BodyShape::new("block", mesh)]);
    let material = Material::new(1000.0, LawKind::StVenant(ElasticModuli::new(1e5, 0.33).unwrap()));
    let model = Model::new(ModelParts {
        matter: vec![material.into()],
        gravity: [0.0, 0.0, -9.81],
        fixes: vec![],
        colliders: collider.into_iter().collect(),
        contact: ContactSettings { response: Some(response), ..ContactSettings::default() },
        skins: vec![],
        terms: vec![],
        velocity: vec![0.0; 3 * layout.free_count()],
        precision: Precision::Double,
        layout,
    });
    let integrator = IntegratorKind::Explicit(Explicit { step: StepChoice::Fixed(1e-4) });
    World::new(Arc::new(model.unwrap()), integrator, OnDivergence::Stop).unwrap()
}

/// A plate of two by two metres as a surface of triangles, its upper face at z = 0.
fn plate() -> ColliderShape {
    let n = 40_u32;
    let mut positions = Vec::new();
    for z in [0.0, -0.1] {
        for i in 0..=n {
            for j in 0..=n {
                positions.push([f64::from(i) / 20.0 - 1.0, f64::from(j) / 20.0 - 1.0, z]);
            }
        }
    }
    let at = |layer: u32, i: u32, j: u32| layer * (n + 1) * (n + 1) + i * (n + 1) + j;
    let mut triangles = Vec::new();
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let [a, b, c, d] = [at(0, i, j), at(0, i + 1, j), at(0, i + 1, j + 1), at(0, i, j + 1)];
        triangles.extend([[a, b, c], [a, c, d]]);
        let [a, b, c, d] = [a, b, c, d].map(|v| v + (n + 1) * (n + 1));
        triangles.extend([[a, c, b], [a, d, c]]);
    }
    for k in 0..n {
        for (a, b) in [((k, 0), (k + 1, 0)), ((n, k), (n, k + 1)), ((k + 1, n), (k, n)), ((0, k + 1), (0, k))]
        {
            let [up_a, up_b] = [at(0, a.0, a.1), at(0, b.0, b.1)];
            let [low_a, low_b] = [at(1, a.0, a.1), at(1, b.0, b.1)];
            triangles.extend([[up_a, low_a, up_b], [low_a, low_b, up_b]]);
        }
    }
    ColliderShape::Mesh(Arc::new(TriangleSolid::new(positions, triangles).unwrap()))
}

fn main() {
    println!(
        "{:>9} {:>8} {:>22} {:>9} {:>7} {:>8}",
        "tets", "threads", "floor", "us/step", "ratio", "touches"
    );
    let plane = || Collider { friction: 0.4, ..Collider::new("floor", ColliderShape::Plane) };
    let mesh = Collider { friction: 0.4, ..Collider::new("floor", plate()) };
    let far = || Collider { origin: [0.0, 0.0, -10.0], ..plane() };
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for cells in [[8, 8, 15], [18, 18, 34], [40, 40, 72]] {
            let mut worlds = vec![
                ("none", world(cells, None, Response::Constraint)),
                ("far below", world(cells, Some(far()), Response::Constraint)),
                ("plane", world(cells, Some(plane()), Response::Constraint)),
                ("plane, smooth", world(cells, Some(plane()), Response::Smooth)),
                ("plane, penalty", world(cells, Some(plane()), Response::Penalty)),
                ("plate of triangles", world(cells, Some(mesh.clone()), Response::Constraint)),
            ];
            let count = worlds[0].1.model().layout().bodies()[0].mesh.cell_count();
            let steps = (2_000_000 / count).clamp(5, 200);
            let mut least = vec![f64::INFINITY; worlds.len()];
            for round in 0..8 {
                for (least, (_, world)) in least.iter_mut().zip(&mut worlds) {
                    let mut samples: Vec<f64> = Vec::new();
                    pool.install(|| {
                        for _ in 0..steps {
                            let start = Instant::now();
                            world.step(&Inputs::default()).unwrap();
                            samples.push(start.elapsed().as_secs_f64());
                        }
                    });
                    samples.sort_by(f64::total_cmp);
                    if round > 0 {
                        *least = least.min(samples[samples.len() / 2]);
                    }
                }
            }
            for (time, (name, world)) in least.iter().zip(&worlds) {
                println!(
                    "{count:>9} {threads:>8} {name:>22} {:>9.1} {:>7.3} {:>8}",
                    time * 1e6,
                    time / least[0],
                    world.contacts().count()
                );
            }
        }
    }
}
