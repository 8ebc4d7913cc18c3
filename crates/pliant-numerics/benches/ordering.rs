//! How full the factors become on the published grids, and how long ordering 20x20x20 points takes.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "../tests/support/grids.rs"]
mod grids;

use std::time::Instant;

use grids::{Grid, published};
use pliant_numerics::ordering::{Graph, Ordering, order, regular};

/// The shortest of some runs, ms.
fn best(mut work: impl FnMut()) -> f64 {
    let one = |()| {
        let start = Instant::now();
        work();
        1e3 * start.elapsed().as_secs_f64()
    };
    [(); 5].map(one).into_iter().fold(f64::INFINITY, f64::min)
}

const ALL: [(&str, Ordering); 6] = [
    ("natural", Ordering::Natural),
    ("min degree", Ordering::MinimumDegree),
    ("simple", Ordering::Simple),
    ("cover", Ordering::VertexCover),
    ("default", Ordering::Default),
    ("best", Ordering::Best),
];

fn fills(tests: usize) {
    println!("fills of the 18 grids of Table 4.1");
    print!("{:>4} {:>9} {:>9} {:>9} {:>9}", "test", "AMD", "METIS", "p.simple", "p.nested");
    ALL.iter().for_each(|(name, _)| print!(" {name:>10}"));
    println!(" {:>10}", "regular");
    for row in published().into_iter().take(tests) {
        let grid = Grid::clamped(row.layers);
        let bars = [row.amd_median, row.metis_median, row.paper_simple, row.paper_nested];
        print!("{:>4}", row.test);
        bars.iter().for_each(|bar| print!(" {bar:>9}"));
        ALL.iter().for_each(|(_, ordering)| print!(" {:>10}", grid.fills(*ordering)));
        let [x, y, z] = row.layers;
        println!(" {:>10}", grid.fills_of(&regular([x - 1, y, z])));
    }
}

fn reference_graphs() {
    println!("entries of L on ORD-1 to ORD-5 (METIS medians 13757 70351 40747 84756 3222)");
    let grids = [
        Grid::five_point([32, 32, 1]),
        Grid::five_point([64, 64, 1]),
        Grid::hex([9, 9, 9]),
        Grid::kuhn([11, 11, 11]),
        Grid::hex([21, 3, 3]),
    ];
    for (name, ordering) in ALL {
        print!("{name:>10}");
        grids.iter().for_each(|grid| print!(" {:>8}", grid.entries(ordering)));
        println!();
    }
}

fn main() {
    // without --bench this is a test that it runs: small grids will do
    let full = std::env::args().any(|a| a == "--bench");
    fills(if full { 18 } else { 2 });
    if full {
        reference_graphs();
    }
    let side = if full { 20 } else { 5 };
    let grid = Grid::hex([side; 3]);
    println!("{side}^3 points; best of 5, ms");
    println!("{:>10} {:>9.2}", "graph", best(|| drop(Graph::from_cliques(&grid.view()))));
    for (name, ordering) in ALL {
        let whole = best(|| drop(order(&grid.view(), ordering)));
        println!("{name:>10} {whole:>9.2} {:>10} entries", grid.entries(ordering));
    }
}
