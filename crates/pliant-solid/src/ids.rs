//! Numbers of things, a type for each where two kinds meet.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// As a place in a list.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A node of a body's mesh, in the mesh file's order.
    MeshNode,
    /// A node of the world's vectors: free ones first, dependent ones last.
    WorldNode,
    /// A body of the model.
    BodyId,
    /// A vertex of the world's surface.
    VertexId,
    /// A triangle of the world's surface.
    TriangleId,
    /// An edge of the world's surface.
    EdgeId,
    /// A collider: those of the model first, then the live tools in their order.
    ColliderId,
}
