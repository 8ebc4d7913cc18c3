//! The continuum from strain to time step.
//!
//! A constant [`Model`] and a flat, mutable [`State`]; a [`World`] steps them. Laws ([`law`]) and
//! elements ([`element`]), and what joins particles ([`link`]), are written over SIMD lanes; [`assembly`] turns them into force terms
//! ([`term`]); an [`integrator`] advances time. No files, no clock, no printing, no thread creation:
//! parallel loops run in whatever rayon pool the caller is in.

pub mod assembly;
mod between;
mod cell_choice;
pub mod contact;
mod contacts_told;
mod dependent;
pub mod element;
mod energy_watch;
mod fix;
mod hand;
mod holding;
mod ids;
mod inertia;
pub mod integrator;
pub mod law;
pub mod layout;
pub mod link;
mod mass_products;
mod matter;
mod measure;
mod model;
mod network;
mod progress;
mod ramp;
mod reaction;
mod resultant;
pub mod rigid;
pub mod rows;
mod solver_memory;
mod spin;
mod spline;
mod state;
mod structure;
pub mod term;
mod touch;
mod workspace;
mod world;
mod world_surface;

pub use cell_choice::CellChoice;
pub use dependent::Dependents;
pub use fix::{Fix, Kinematics, Motion, Turn};
pub use holding::Holding;
pub use ids::{BodyId, ColliderId, EdgeId, MeshNode, TriangleId, VertexId, WorldNode};
pub use inertia::Inertia;
pub use integrator::{Kit, Scheme};
pub use layout::{Attached, Body, BodyShape, Hanging, Layout};
pub use matter::{Cells, MassKind, Material, Matter, Region, Solid, Springs};
pub use measure::{BodyFields, FreeShare, FullState};
pub use model::{FixedNode, Model, ModelParts};
pub use network::{Cloth, Network, NetworkLaw, SpringDamping, SpringStiffness, Weave};
pub use reaction::Reaction;
pub use resultant::Resultant;
pub use solver_memory::{LadderMemory, SolverMemory, WatchMemory};
pub use spline::Spline;
pub use state::{Accounts, Energy, State};
pub use structure::{Elimination, Structure};
pub use touch::{Contacts, Touch};
pub use workspace::{Phase, PhaseHook};
pub use world::{OnDivergence, World};
pub use world_surface::{BodySurface, SurfaceEdge, SurfaceVertex, WorldSurface};
