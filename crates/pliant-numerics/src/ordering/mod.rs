//! Orders in which to eliminate the vertices of a sparse symmetric matrix so that its factor stays sparse.
//!
//! In: points and cliques ([`PointCliques`]), out: a [`Permutation`]. [`simple`] and
//! [`Ordering::VertexCover`] follow [Zhuang 4.1.1] (Y. Zhuang, PhD thesis, UC Berkeley 2000), the others are for
//! comparison ([`Permutation::random`], [`Ordering::Natural`], [`minimum_degree`], [`regular`]) or go beyond it:
//! [`Ordering::Default`] fast, [`Ordering::Best`] with fewer entries. How full the factor becomes: [`fill`].

mod cover;
mod cut;
mod dissection;
mod elimination;
pub mod fill;
mod graph;
mod level;
mod minimum_degree;
mod permutation;
mod point_cliques;
mod region;
mod regular;
mod simple;

pub use cover::{Bipartite, Cover};
pub use cut::Side;
pub use graph::Graph;
pub use minimum_degree::minimum_degree;
pub use permutation::{Permutation, PermutationError};
pub use point_cliques::{PointCliques, PointCliquesError};
pub use regular::{regular, regular_sides};
pub use simple::{simple, simple_sides};

use cut::{Beside, Sweep, cuts};
use dissection::{Plan, Rollout, fast, in_parallel, rollout};
use elimination::Eliminated;
use region::{Part, Region};

/// The ways to order points and cliques.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Ordering {
    /// As the vertices are numbered.
    Natural,
    /// Shuffled by the seed.
    Random(u64),
    /// Minimum degree on the graph alone.
    MinimumDegree,
    /// Simple modified nested dissection, [Zhuang 4.1.1.1].
    Simple,
    /// Median planes with smallest vertex covers as separators, [Zhuang 4.1.1.2].
    VertexCover,
    /// Smoothed vertex covers of the best of three planes and a level of the graph: some ten milliseconds for ten thousand vertices.
    #[default]
    Default,
    /// Several planes compared by the factor they lead to: about ten times the time of the default.
    Best,
}

/// The order of the given kind. Every input gives a permutation, and the same one each time.
pub fn order(cliques: &PointCliques, ordering: Ordering) -> Permutation {
    let graph = || Graph::from_cliques(cliques);
    let points = cliques.points();
    match ordering {
        Ordering::Natural => Permutation::identity(cliques.point_count()),
        Ordering::Random(seed) => Permutation::random(cliques.point_count(), seed),
        Ordering::MinimumDegree => minimum_degree(&graph()),
        Ordering::Simple => simple(cliques),
        Ordering::VertexCover => dissected(&graph(), |part| fast(&part.region, points, &MEDIAN)).0,
        Ordering::Default => {
            let graph = graph();
            let found = dissected(&graph, |part| fast(&part.region, points, &SWEPT));
            // flat graphs are cheap to try and often better without planes
            if graph.edge_count() < 4 * graph.vertex_count() { fewer(&graph, found) } else { found.0 }
        }
        Ordering::Best => {
            let graph = graph();
            let found = dissected(&graph, |part| rollout(&part.region, points, &COMPARED));
            fewer(&graph, found)
        }
    }
}

/// The separator that [`Ordering::Default`] would choose first, as the side of each vertex.
pub fn separator(cliques: &PointCliques) -> Vec<Side> {
    if cliques.point_count() < 2 {
        return vec![Side::Left; cliques.point_count()];
    }
    let region = Region::whole(&Graph::from_cliques(cliques));
    cuts(&region, cliques.points(), SWEPT.sweep).swap_remove(0).sides
}

/// The plane next to the median, as the thesis has it.
const MEDIAN: Plan = Plan {
    leaf: 20,
    compare: 0,
    sweep: Sweep { planes: 1, balance: 0.45, beside: Beside::Nothing, smoothed: 0 },
};

// chosen by trial on the grids of Table 4.1, the reference graphs and 20^3 points: few entries in the time allowed
const SWEPT: Plan = Plan {
    leaf: 16,
    compare: 120,
    sweep: Sweep { planes: 1, balance: 0.4, beside: Beside::Levels, smoothed: 1 },
};
const COMPARED: Rollout = Rollout {
    base: SWEPT,
    sweep: Sweep { planes: 3, balance: 0.3, beside: Beside::Principal, smoothed: 1 },
    tries: 2,
};

/// Each connected part by itself, one after the other; with the entries of L.
fn dissected(graph: &Graph, work: impl Fn(&Part) -> Eliminated + Sync) -> (Permutation, u64) {
    let parts = Region::whole(graph).parts(|_| false);
    let ordered = in_parallel(&parts, work);
    let entries = ordered.iter().map(|part| part.entries).sum();
    (Permutation::of_order(ordered.into_iter().flat_map(|part| part.order).collect()), entries)
}

/// The dissection, or minimum degree where that leaves fewer entries.
fn fewer(graph: &Graph, (dissection, entries): (Permutation, u64)) -> Permutation {
    let degree = minimum_degree(graph);
    if fill::factor_entries(graph, &degree) < entries { degree } else { dissection }
}
