//! `[body.NAME]`: a body, its mesh, pose, fixes and loads.

use super::{Attach, BodyContact, Bone, Fix, Initial, Load, Located, Mesh};
use crate::units::{Angle, AngularVelocity, Dimensionless, Length, Quantity, Velocity};
use schemars::JsonSchema;
use serde::Deserialize;

/// A deformable body.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Name of a material of this scene. This or `network`.
    pub material: Option<Located<String>>,
    /// Name of a network of this scene: springs between the nodes of the mesh, in place of elements.
    pub network: Option<Located<String>>,
    /// A generated shape or a file.
    pub mesh: Located<Mesh>,
    /// A finer surface that follows the cells and is shown in their place: the same keys as `mesh`, in its coordinates.
    #[serde(default)]
    pub surface: Option<Located<Mesh>>,
    /// Where the mesh's origin goes, after `rotation`.
    #[serde(default)]
    pub position: Located<[Quantity<Length>; 3]>,
    /// Turn about the mesh's origin.
    #[serde(default)]
    pub rotation: Option<Rotation>,
    /// Initial velocity.
    #[serde(default)]
    pub velocity: Located<[Quantity<Velocity>; 3]>,
    /// Initial angular velocity about the body's centre of mass, in world axes.
    #[serde(default)]
    pub angular_velocity: Located<[Quantity<AngularVelocity>; 3]>,
    /// How mass is given to nodes.
    #[serde(default)]
    pub mass: Located<Mass>,
    /// What of it touches colliders, and from how far: { thickness = "1 mm", surface = "mesh" }.
    #[serde(default)]
    pub contact: BodyContact,
    /// What elements that turn inside out say of a run.
    #[serde(default)]
    pub inside_out: InsideOut,
    /// Nodes held or carried.
    #[serde(default)]
    pub fix: Vec<Fix>,
    /// Forces on parts of the body.
    #[serde(default)]
    pub load: Vec<Load>,
    /// Parts that are rigid.
    #[serde(default)]
    pub bone: Vec<Bone>,
    /// Nodes tied to other bodies.
    #[serde(default)]
    pub attach: Vec<Attach>,
    /// Strain and stress that the body starts with.
    #[serde(default)]
    pub initial: Vec<Initial>,
}

/// A turn about an axis through the mesh's origin.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rotation {
    /// Axis, of any length but 0.
    pub axis: Located<[Quantity<Dimensionless>; 3]>,
    /// Angle, right-handed about the axis.
    pub angle: Located<Quantity<Angle>>,
}

/// How mass is given to nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mass {
    /// Row sums of the consistent matrix.
    #[default]
    Lumped,
    /// The integral of products of shape functions.
    Consistent,
}

/// What elements that turn inside out say of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum InsideOut {
    /// That its result is not to be trusted, where the law does not bear them.
    #[default]
    Doubtful,
    /// Nothing: it is what the scene shows. They are counted and told all the same.
    Allowed,
}
