//! Orders of elimination: permutations of anything, separators that separate, factors that stay sparse.
#![allow(clippy::unwrap_used)]

mod any_input;
mod covers;
mod fills;
mod separators;

use pliant_numerics::ordering::Ordering;

/// Every kind of order.
const ALL: [Ordering; 7] = [
    Ordering::Natural,
    Ordering::Random(7),
    Ordering::MinimumDegree,
    Ordering::Simple,
    Ordering::VertexCover,
    Ordering::Default,
    Ordering::Best,
];
