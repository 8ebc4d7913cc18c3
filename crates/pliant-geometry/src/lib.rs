//! Shapes and questions about them: pure functions of tetrahedral, hexahedral and triangle meshes.
//!
//! Nothing here knows forces or time, opens a file or starts a thread. Lengths are in m.
//! Cells of a [`Mesh`] are numbered tetrahedra first, then hexahedra.

pub mod adjacency;
mod bounds;
pub mod broad_phase;
mod edge_table;
pub mod embedding;
pub mod extract;
pub mod generator;
mod hexahedron;
pub mod locality;
pub mod locate;
mod material_point;
pub mod merge;
pub mod mesh;
pub mod moments;
mod nesting;
mod node_means;
pub mod quality;
pub mod quality_report;
mod renumber;
pub mod repair;
mod shell;
pub mod surface;
pub mod surface_check;
pub mod surface_query;
pub mod tally;
mod tetrahedron;
pub mod triangle_solid;
pub mod vector;
pub mod vertex_normals;
pub mod weak_joint;

pub use adjacency::{NodeCells, NodeNeighbours, Parts, connected_parts, connected_triangles, orphan_nodes};
pub use bounds::Bounds;
pub use broad_phase::{BoxTree, BroadPhase, Groups, PairCache, Renewal};
pub use embedding::{Embedding, EmbeddingError, Follower, OutsideVertex, OutsideVertices, followers};
pub use extract::{Extract, ExtractError, group_mesh, part, surface_mesh, without_orphans};
pub use generator::{
    BoxElement, Cylinder, GeneratorError, Grid, Hemisphere, ShapeElement, Sphere, Torus, Tube, box_mesh,
    hexes_in_tets,
};
pub use locality::cell_order;
pub use locate::{CellPoint, locate};
pub use material_point::MaterialPoint;
pub use merge::{Merge, MergeError, coincident_nodes, merged};
pub use mesh::{ElementKind, Group, Mesh, MeshError};
pub use moments::{Moments, moments};
pub use node_means::NodeMeans;
pub use quality::{Sliver, folded_hexes, orientation, quality, slivers};
pub use quality_report::{Extreme, Extremes, QualityReport, cell_qualities, quality_report};
pub use repair::{Reorientation, reoriented};
pub use surface::{FaceNodes, OversharedFace, Surface, SurfaceError, SurfaceFace, overshared_faces};
pub use surface_check::{SurfaceCheck, surface_check};
pub use surface_query::SurfaceQuery;
pub use tally::{Place, Tally};
pub use triangle_solid::{TriangleSolid, TriangleSolidError};
pub use vertex_normals::VertexNormals;
pub use weak_joint::{WeakJoints, face_parts, weak_joints};
