//! What stiffness warping is asked to do: where rotations come from and how they enter.
//!
//! `warped` is no [`Law`](super::Law): its forces come from the whole body's matrix of the law `linear`, see [`crate::term::warped`].

/// Options of the law `warped`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Warp {
    /// Where the rotations come from; without meaning for [`Rotations::Body`].
    pub field: RotationField,
    /// Whose rotation turns what.
    pub rotations: Rotations,
}

/// Where the rotation of a node comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RotationField {
    /// The best turn of all edges of the node. [Warp 14, 15]
    #[default]
    Polar,
    /// A frame on three edges of the node. [Warp 16]
    Frames,
}

/// Whose rotation turns the stiffness between two nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rotations {
    /// That of the node whose force it is. [Warp 12]
    #[default]
    Node,
    /// One for the whole body. [Warp 11]
    Body,
    /// That of the node whose force it is, and back by that of the other. [Warp 13]
    Mixed,
}
