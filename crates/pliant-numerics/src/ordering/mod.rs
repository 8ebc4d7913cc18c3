//! Orders in which to eliminate the vertices of a sparse symmetric matrix so that its factor stays sparse.
//!
//! In: points and cliques ([`PointCliques`]), out: a [`Permutation`]. [`simple`] and
//! [`Ordering::VertexCover`] follow [Zhuang] 4.1.1 (Y. Zhuang, PhD thesis, UC Berkeley 2000), the others are for
//! comparison ([`Permutation::random`], [`Ordering::Natural`], [`minimum_degree`], [`regular`]) or go beyond it:
//! [`Ordering::Default`] fast, [`Ordering::Best`] with fewer entries. How full the factor becomes: [`fill`].

mod cover;
mod cut;
mod dissection;
mod elimination;
pub mod fill;
mod graph;
mod minimum_degree;
mod permutation;
mod point_cliques;
mod region;
mod regular;
mod simple;

pub use cover::{Bipartite, Cover};
pub use graph::Graph;
pub use minimum_degree::minimum_degree;
pub use permutation::{Permutation, PermutationError};
pub use point_cliques::{PointCliques, PointCliquesError};
pub use regular::regular;
pub use simple::simple;

use cut::{Axes, Sweep};
use dissection::{Plan, Rollout, fast, in_parallel, rollout};
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
    /// Simple modified nested dissection, [Zhuang] 4.1.1.1.
    Simple,
    /// Median planes with smallest vertex covers as separators, [Zhuang] 4.1.1.2.
    VertexCover,
    /// Vertex covers of the best of three planes: some milliseconds for ten thousand vertices.
    #[default]
    Default,
    /// Several planes compared by the factor they lead to: about ten times the time of the default.
    Best,
}

/// The order of the given kind. Every input gives a permutation, and the same one each time.
pub fn order(cliques: &PointCliques, ordering: Ordering) -> Permutation {
    let count = cliques.point_count();
    match ordering {
        Ordering::Natural => Permutation::identity(count),
        Ordering::Random(seed) => Permutation::random(count, seed),
        Ordering::MinimumDegree => minimum_degree(&Graph::from_cliques(cliques)),
        Ordering::Simple => simple(cliques),
        _ => order_graph(&Graph::from_cliques(cliques), cliques.points(), ordering),
    }
}

/// As [`order`] for a graph at hand; `points` gives each vertex a finite place.
pub fn order_graph(graph: &Graph, points: &[[f64; 3]], ordering: Ordering) -> Permutation {
    assert_eq!(graph.vertex_count(), points.len(), "a point for each vertex");
    match ordering {
        Ordering::Natural | Ordering::Simple => Permutation::identity(points.len()),
        Ordering::Random(seed) => Permutation::random(points.len(), seed),
        Ordering::MinimumDegree => minimum_degree(graph),
        Ordering::VertexCover => dissected(graph, |part| fast(&part.region, points, &MEDIAN)),
        Ordering::Default => dissected(graph, |part| fast(&part.region, points, &SWEPT)),
        Ordering::Best => dissected(graph, |part| rollout(&part.region, points, &COMPARED)),
    }
}

const MEDIAN: Plan =
    Plan { leaf: 32, compare: 0, sweep: Sweep { planes: 1, balance: 0.45, axes: Axes::Coordinate } };
const SWEPT: Plan =
    Plan { leaf: 40, compare: 120, sweep: Sweep { planes: 1, balance: 0.4, axes: Axes::Coordinate } };
const COMPARED: Rollout = Rollout {
    base: SWEPT,
    sweep: Sweep { planes: 3, balance: 0.3, axes: Axes::CoordinateAndPrincipal },
    tries: 4,
    depth: 0,
};

/// Each connected part by itself, one after the other.
fn dissected(graph: &Graph, work: impl Fn(&Part) -> elimination::Eliminated + Sync) -> Permutation {
    let parts = Region::whole(graph).parts(|_| false);
    let ordered = in_parallel(&parts, work);
    Permutation::of_order(ordered.into_iter().flat_map(|part| part.order).collect())
}
