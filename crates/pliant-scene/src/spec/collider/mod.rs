//! `[[collider]]`: a rigid shape that all bodies meet; it stands, moves by a script, or is carried by a bone.

mod table;

use super::{Located, Motion, Rotation};
use crate::units::{ContactStiffness, Dimensionless, Length, Quantity, si_array};
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::Range;
use table::ColliderTable;

/// A rigid shape that bodies meet.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "ColliderTable")]
#[schemars(with = "ColliderTable")]
pub struct Collider {
    /// Its name in messages and results; `collider 1` and so on when `None`.
    pub name: Option<Located<String>>,
    /// What it is and where it stands at the start, in world coordinates.
    pub shape: ColliderShape,
    /// Coulomb's coefficient of friction.
    pub friction: Located<Quantity<Dimensionless>>,
    /// Distance from its surface at which contact begins.
    pub thickness: Located<Quantity<Length>>,
    /// The part of the speed that a bounce gives back; the response decides when `None`.
    pub restitution: Option<Located<Quantity<Dimensionless>>>,
    /// Pressure of `penalty` per depth; that of all contacts when `None`.
    pub stiffness: Option<Located<Quantity<ContactStiffness>>>,
    /// What moves it.
    pub carrier: Carrier,
}

/// The shape of a collider, in world coordinates at the start.
#[derive(Clone, Debug, PartialEq)]
pub enum ColliderShape {
    /// Everything behind a plane.
    Plane {
        /// A point of the plane.
        point: Located<[Quantity<Length>; 3]>,
        /// From the plane to where the bodies are.
        normal: Located<[Quantity<Dimensionless>; 3]>,
    },
    /// A ball.
    Sphere {
        /// Its middle.
        center: Located<[Quantity<Length>; 3]>,
        /// Its radius.
        radius: Located<Quantity<Length>>,
    },
    /// All that is within a radius of a line.
    Capsule {
        /// Where the line begins.
        from: Located<[Quantity<Length>; 3]>,
        /// Where it ends.
        to: Located<[Quantity<Length>; 3]>,
        /// The radius.
        radius: Located<Quantity<Length>>,
    },
    /// A box.
    Box {
        /// Its middle.
        center: Located<[Quantity<Length>; 3]>,
        /// Its edges, along x, y and z before it is turned.
        size: Located<[Quantity<Length>; 3]>,
        /// Turn about its middle.
        rotation: Option<Rotation>,
    },
    /// All that a closed surface surrounds.
    Mesh {
        /// Path relative to the scene file.
        file: Located<String>,
        /// Length of one unit of the file.
        scale: Located<Quantity<Length>>,
        /// Where the file's origin goes, after `rotation`.
        position: Located<[Quantity<Length>; 3]>,
        /// Turn about the file's origin.
        rotation: Option<Rotation>,
    },
}

/// What moves a collider.
#[derive(Clone, Debug, PartialEq)]
pub enum Carrier {
    /// A script, or nothing.
    Script(Motion),
    /// A bone, or a rigid body.
    Bone(CarriedBy),
}

/// The bone that carries a collider; what touches the collider pushes the bone.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CarriedBy {
    /// Name of a body of this scene that has bones, or is rigid.
    pub body: Located<String>,
    /// Name of one of its bones; may be left out where it has one only.
    pub bone: Option<Located<String>>,
}

impl ColliderShape {
    /// As scenes say it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Plane { .. } => "plane",
            Self::Sphere { .. } => "sphere",
            Self::Capsule { .. } => "capsule",
            Self::Box { .. } => "box",
            Self::Mesh { .. } => "mesh",
        }
    }

    /// The turn that it is placed with.
    pub fn rotation(&self) -> Option<&Rotation> {
        match self {
            Self::Box { rotation, .. } | Self::Mesh { rotation, .. } => rotation.as_ref(),
            Self::Plane { .. } | Self::Sphere { .. } | Self::Capsule { .. } => None,
        }
    }

    /// Lengths that tell how large and how thick it is, m, and where the scene gives them; a plane has no size, a file tells its own.
    pub fn extent(&self) -> Option<([f64; 3], Range<usize>)> {
        match self {
            Self::Plane { .. } | Self::Mesh { .. } => None,
            Self::Sphere { radius, .. } => Some(([2.0 * radius.si(); 3], radius.span())),
            Self::Capsule { from, to, radius } => {
                let (from, to) = (si_array(from), si_array(to));
                let along = (0..3).map(|c| (to[c] - from[c]).powi(2)).sum::<f64>().sqrt();
                let across = 2.0 * radius.si();
                Some(([across, across, along + across], radius.span()))
            }
            Self::Box { size, .. } => Some((si_array(size), size.span())),
        }
    }
}
