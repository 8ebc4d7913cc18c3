//! What a fine surface on a coarse body costs: 100 000 vertices of a torus, bound once, moved in every frame.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;
use std::time::Instant;

use pliant_geometry::{BoxElement, Embedding, Mesh, Torus, VertexNormals, box_mesh, surface_mesh};

/// The median and the shortest of some runs, ms.
fn timed(count: usize, mut work: impl FnMut()) -> (f64, f64) {
    let one = |_| {
        let start = Instant::now();
        work();
        1e3 * start.elapsed().as_secs_f64()
    };
    let mut times: Vec<f64> = (0..count).map(one).collect();
    times.sort_by(f64::total_cmp);
    (times[count / 2], times[0])
}

/// A torus of 100 000 vertices, or of some where only a test that it runs is wanted.
fn torus(whole: bool) -> Mesh {
    let (sections, rim) = if whole { (500, 200) } else { (50, 20) };
    surface_mesh(&Torus { radius: 1.0, tube: 0.4, sections, rim }.mesh().unwrap()).unwrap().mesh
}

/// The same with its vertices and triangles out of order, as scanners and exporters leave them.
fn shuffled(mesh: &Mesh) -> Mesh {
    // a stride that has no factor in common with the counts, which have 2 and 5 only
    let place = |i: usize, count: usize| i * 7919 % count;
    let (nodes, count) = (mesh.node_count(), mesh.triangles().len());
    let mut positions = vec![[0.0; 3]; nodes];
    mesh.positions().iter().enumerate().for_each(|(i, p)| positions[place(i, nodes)] = *p);
    let corners = |t: usize| mesh.triangles()[place(t, count)].map(|v| place(v as usize, nodes) as u32);
    Mesh::new(positions, vec![], vec![], (0..count).map(corners).collect(), BTreeMap::new()).unwrap()
}

/// A block of cells about the origin; the torus leans out of the small one.
fn block(side: f64, element: BoxElement) -> Mesh {
    let mesh = box_mesh([side, side, 0.8 * side / 2.8], [8, 8, 3], element).unwrap();
    mesh.transformed(|[x, y, z]| [x - 0.5 * side, y - 0.5 * side, z - 0.4 * side / 2.8]).unwrap()
}

fn main() {
    let whole = std::env::args().any(|a| a == "--bench");
    let (fine, runs) = (torus(whole), if whole { 201 } else { 3 });
    let mixed = shuffled(&fine);
    let cases = [
        ("tet", BoxElement::Tet5, 2.8, &fine),
        ("tet, half outside", BoxElement::Tet5, 2.4, &fine),
        ("tet, out of order", BoxElement::Tet5, 2.8, &mixed),
        ("hex", BoxElement::Hex, 2.8, &fine),
        ("hex, half outside", BoxElement::Hex, 2.4, &fine),
        ("hex, out of order", BoxElement::Hex, 2.8, &mixed),
    ];
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for (name, element, side, fine) in cases {
            let line = pool.install(|| measured(&block(side, element), fine, runs));
            println!("embedding/{name}, {threads} threads: {line}");
        }
    }
}

fn measured(mesh: &Mesh, fine: &Mesh, runs: usize) -> String {
    let (binding, _) = timed(3, || drop(Embedding::bind(mesh, fine).unwrap()));
    let embedding = Embedding::bind(mesh, fine).unwrap();
    let surface = embedding.surface();
    let normals = VertexNormals::of(surface.node_count(), surface.triangles());
    let bent = |[x, y, z]: [f64; 3]| [x + 0.1 * y * y, y, z + 0.2 * x * x];
    let nodes: Vec<[f64; 3]> = mesh.positions().iter().map(|&p| bent(p)).collect();
    let (mut positions, mut areas, mut out) = (Vec::new(), Vec::new(), Vec::new());
    let (places, _) = timed(runs, || embedding.positions_into(&nodes, &mut positions));
    let (frame, least) = timed(runs, || {
        embedding.positions_into(&nodes, &mut positions);
        normals.normals_into(&positions, &mut areas, &mut out);
    });
    format!(
        "{} vertices, {} triangles, {} outside; bound in {binding:.0} ms; positions {places:.3} ms, with normals \
         {frame:.3} ms (shortest {least:.3})",
        surface.node_count(),
        surface.triangles().len(),
        embedding.outside().count,
    )
}
