//! Small dense systems, such as Schur complements of a few hundred rows: [`eliminate`] where the matrix is regular, [`Ranked`] where it may not
//! be, [`Bounded`] where unknowns have bounds, [`ProjectedGradients`] where there are too many for a dense matrix.

mod bounded;
mod elimination;
mod projected;
mod ranked;

pub use bounded::{Bounded, BoundedReport};
pub use elimination::eliminate;
pub use projected::{ProjectedGradients, ProjectedReport};
pub use ranked::Ranked;
