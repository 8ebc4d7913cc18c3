//! What the fields of a surface cost beside those of all cells: 57^3 hexahedra under `st-venant`.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;

use pliant_geometry::BoxElement;
use pliant_solid::CellChoice;
use pliant_solid::law::LawKind;

use support::meshes::block;
use support::{Scene, moduli, placed};

const CELLS: usize = 57;

/// The shortest of some runs, ms.
fn best(mut run: impl FnMut()) -> f64 {
    let one = |_| {
        let start = Instant::now();
        run();
        1e3 * start.elapsed().as_secs_f64()
    };
    (0..9).map(one).fold(f64::INFINITY, f64::min)
}

fn main() {
    let law = LawKind::StVenant(moduli(1e5, 0.3));
    let model = Scene::new(block([1.0; 3], [CELLS; 3], BoxElement::Hex), law).model();
    let full = placed(&model, |p| [p[0], p[1] + 0.1 * p[0] * p[0], 1.1 * p[2]]);
    let all = best(|| _ = std::hint::black_box(model.fields(&full)));
    println!("fields/all: {} cells, {all:.2} ms", CELLS.pow(3));
    let mesh = &model.layout().bodies()[0].mesh;
    let outside = |node: &u32| mesh.positions()[*node as usize].iter().any(|c| *c < 1e-9 || *c > 1.0 - 1e-9);
    let on_surface = |_: usize, cell: u32| mesh.cell_nodes(cell as usize).iter().any(outside);
    let count = (0..mesh.cell_count() as u32).filter(|cell| on_surface(0, *cell)).count();
    let mut surface = model.choose_cells(on_surface);
    let mut every = model.choose_cells(|_, _| true);
    let choosing = best(|| _ = std::hint::black_box(model.choose_cells(on_surface)));
    println!("choose_cells/surface: {choosing:.2} ms");
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let time =
            |choice: &mut CellChoice| best(|| _ = pool.install(|| model.chosen_fields(&full, choice).len()));
        let (some, all) = (time(&mut surface), time(&mut every));
        println!("chosen_fields/{threads} threads: {count} cells {some:.2} ms, all of them {all:.2} ms");
    }
}
