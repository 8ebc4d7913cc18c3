//! Mesh files of a million tetrahedra: how long writing and reading take, and how much memory reading needs.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "../tests/support/peak.rs"]
mod peak;

use std::time::Instant;

use peak::PeakMemory;
use pliant_geometry::{BoxElement, box_mesh};
use pliant_scene::mesh_file::{self, MshEncoding, WriteOptions};

#[global_allocator]
static MEMORY: PeakMemory = PeakMemory::new();

/// The shortest of some runs, ms.
fn best(mut work: impl FnMut()) -> f64 {
    let one = |()| {
        let start = Instant::now();
        work();
        1e3 * start.elapsed().as_secs_f64()
    };
    [(); 5].map(one).into_iter().fold(f64::INFINITY, f64::min)
}

fn main() {
    // without --bench this is a test that it runs: a small mesh will do
    let cells = if std::env::args().any(|a| a == "--bench") { 55 } else { 6 };
    let mesh = box_mesh([1.0; 3], [cells; 3], BoxElement::Tet6).unwrap();
    let folder = std::env::temp_dir().join(format!("pliant-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    println!("{} tetrahedra, {} nodes; best of 5", mesh.tets().len(), mesh.node_count());
    println!("{:16} {:>9} {:>9} {:>9} {:>14}", "format", "MB", "write ms", "read ms", "memory / file");
    let formats = [
        ("msh, binary", "a.msh", MshEncoding::Binary),
        ("msh, text", "b.msh", MshEncoding::Text),
        ("vtu, raw", "a.vtu", MshEncoding::Binary),
        ("stl, surface", "a.stl", MshEncoding::Binary),
    ];
    for (name, file, msh) in formats {
        let path = folder.join(file);
        let write = best(|| mesh_file::write(&path, &mesh, &WriteOptions { msh }).unwrap());
        let read = best(|| drop(mesh_file::read(&path).unwrap()));
        let length = std::fs::metadata(&path).unwrap().len() as f64;
        let (_, peak) = MEMORY.during(|| mesh_file::read(&path).unwrap());
        let ratio = peak as f64 / length;
        println!("{name:16} {:>9.1} {write:>9.1} {read:>9.1} {ratio:>14.2}", 1e-6 * length);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
