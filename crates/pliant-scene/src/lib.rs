//! Words to model: scene files, mesh files, units, and errors that point at the line.
//!
//! A scene is read by [`Scene::read`], which checks all that can be checked without a mesh.
//! [`Quantity`] is a number with a unit, [`SceneError`] what is wrong with a file and where.

mod carry_over;
pub mod compile;
mod counted;
pub mod diagnostic;
mod hash;
mod input_file;
pub mod inspect;
pub mod mesh_file;
mod nearest;
mod replace;
mod significant;
pub mod snapshot;
pub mod spec;
pub mod units;

pub use carry_over::carry_over;
pub use compile::{CompileOptions, Compiled, compile};
pub use counted::counted;
pub use diagnostic::{Problem, SceneError, Source};
pub use hash::fnv1a;
pub use input_file::{open_input, read_input, read_text};
pub use inspect::{MeshFinding, MeshReport, Severity, inspect};
pub use nearest::nearest;
pub use replace::replace_file;
pub use significant::{shown_length, shown_place, shown_vector, significant};
pub use spec::{LoadedScene, Located, Scene};
pub use units::Quantity;
