//! The keys of `[[collider]]` as they stand in the file, and what they make.
//!
//! Each shape has its own keys. One that belongs to another shape, or is missing, is told with lines that would do.

use super::{CarriedBy, Carrier, Collider, ColliderShape};
use crate::spec::motion::MotionKeys;
use crate::spec::{Located, Motion, Rotation, Sine, TimedVector, Turn};
use crate::units::{ContactStiffness, Dimensionless, Length, Quantity, Time};
use schemars::JsonSchema;
use serde::Deserialize;

/// Shapes of colliders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "ColliderShape")]
enum ShapeWord {
    /// Everything behind it: `point`, `normal`.
    Plane,
    /// A ball: `center`, `radius`.
    Sphere,
    /// A rod with round ends: `from`, `to`, `radius`.
    Capsule,
    /// `center`, `size`, `rotation`.
    Box,
    /// What a closed surface of a file surrounds: `file`, `scale`, `position`, `rotation`.
    Mesh,
}

/// A rigid shape that all bodies meet: `shape` with its keys, in world coordinates at the start.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Collider")]
pub(super) struct ColliderTable {
    /// Its name in messages, `contacts.csv` and `forces.csv`, used once; `collider 1` and so on when absent.
    name: Option<Located<String>>,
    /// "plane", "sphere", "capsule", "box" or "mesh".
    shape: ShapeWord,
    /// A point of the plane.
    point: Option<Located<[Quantity<Length>; 3]>>,
    /// Direction from the plane to where the bodies are, of any length but 0.
    normal: Option<Located<[Quantity<Dimensionless>; 3]>>,
    /// The middle of the sphere or box.
    center: Option<Located<[Quantity<Length>; 3]>>,
    /// Radius of the sphere or capsule.
    radius: Option<Located<Quantity<Length>>>,
    /// The middle of one round end of the capsule.
    from: Option<Located<[Quantity<Length>; 3]>>,
    /// The middle of the other one.
    to: Option<Located<[Quantity<Length>; 3]>>,
    /// Edge lengths of the box along x, y and z, before `rotation`.
    size: Option<Located<[Quantity<Length>; 3]>>,
    /// Turn of the box about its middle, of the mesh about its file's origin.
    rotation: Option<Rotation>,
    /// Path of a closed surface, or of a mesh whose boundary is one, relative to the scene file.
    file: Option<Located<String>>,
    /// Length of one unit of the file, such as "1 mm"; "1 m" when absent.
    scale: Option<Located<Quantity<Length>>>,
    /// Where the file's origin goes, after `rotation`.
    position: Option<Located<[Quantity<Length>; 3]>>,
    /// Coulomb's coefficient of friction, 0 or above; 0 when absent.
    #[serde(default)]
    friction: Located<Quantity<Dimensionless>>,
    /// Distance from its surface at which contact begins; 0 when absent.
    #[serde(default)]
    thickness: Located<Quantity<Length>>,
    /// The part of the speed that a bounce gives back, 0 to 1, point by point; the response decides when absent. Explicit steps only.
    restitution: Option<Located<Quantity<Dimensionless>>>,
    /// Pressure per depth with `response = "penalty"`; that of `[contact]` when absent.
    stiffness: Option<Located<Quantity<ContactStiffness>>>,
    /// Displacement reached at time `over`.
    r#move: Option<[Quantity<Length>; 3]>,
    /// Turn reached at time `over`; its center is in world coordinates.
    turn: Option<Turn>,
    /// Time that `move` and `turn` take.
    over: Option<Located<Quantity<Time>>>,
    /// A harmonic displacement.
    sine: Option<Sine>,
    /// Displacements at increasing times: [["0 s", [0, 0, 0]], ["1 s", [0, 0, "1 cm"]]].
    table: Option<Located<Vec<TimedVector>>>,
    /// The bone or rigid body that it moves with, in place of a script.
    carried_by: Option<CarriedBy>,
}

impl ShapeWord {
    /// Its name, the keys it takes, and lines that would do.
    fn facts(self) -> (&'static str, &'static [&'static str], &'static str) {
        match self {
            Self::Plane => {
                ("plane", &["point", "normal"], "shape = \"plane\", point = [0, 0, 0], normal = [0, 0, 1]")
            }
            Self::Sphere => {
                ("sphere", &["center", "radius"], "shape = \"sphere\", center = [0, 0, 0], radius = \"5 cm\"")
            }
            Self::Capsule => (
                "capsule",
                &["from", "to", "radius"],
                "shape = \"capsule\", from = [0, 0, 0], to = [0, 0, \"10 cm\"], radius = \"1 cm\"",
            ),
            Self::Box => (
                "box",
                &["center", "size", "rotation"],
                "shape = \"box\", center = [0, 0, 0], size = [\"20 cm\", \"20 cm\", \"2 cm\"]",
            ),
            Self::Mesh => (
                "mesh",
                &["file", "scale", "position", "rotation"],
                "shape = \"mesh\", file = \"tool.stl\", scale = \"1 mm\"",
            ),
        }
    }
}

impl TryFrom<ColliderTable> for Collider {
    type Error = String;

    fn try_from(table: ColliderTable) -> Result<Self, String> {
        let shape = table.solid()?;
        let ColliderTable { r#move, turn, over, sine, table: rows, .. } = table;
        let motion = MotionKeys { r#move, turn, over, sine, table: rows }.motion("a collider")?;
        let carrier = match (table.carried_by, motion) {
            (None, motion) => Carrier::Script(motion),
            (Some(bone), Motion::Still) => Carrier::Bone(bone),
            (Some(_), _) => {
                return Err("has `carried_by` and a motion; a bone moves it, or a script: keep one".into());
            }
        };
        Ok(Self {
            name: table.name,
            shape,
            friction: table.friction,
            thickness: table.thickness,
            restitution: table.restitution,
            stiffness: table.stiffness,
            carrier,
        })
    }
}

impl ColliderTable {
    /// The shape that the keys make.
    fn solid(&self) -> Result<ColliderShape, String> {
        self.check_keys()?;
        Ok(match self.shape {
            ShapeWord::Plane => ColliderShape::Plane {
                point: self.needed("point", &self.point)?,
                normal: self.needed("normal", &self.normal)?,
            },
            ShapeWord::Sphere => ColliderShape::Sphere {
                center: self.needed("center", &self.center)?,
                radius: self.needed("radius", &self.radius)?,
            },
            ShapeWord::Capsule => ColliderShape::Capsule {
                from: self.needed("from", &self.from)?,
                to: self.needed("to", &self.to)?,
                radius: self.needed("radius", &self.radius)?,
            },
            ShapeWord::Box => ColliderShape::Box {
                center: self.needed("center", &self.center)?,
                size: self.needed("size", &self.size)?,
                rotation: self.rotation.clone(),
            },
            ShapeWord::Mesh => ColliderShape::Mesh {
                file: self.needed("file", &self.file)?,
                scale: self.scale.clone().unwrap_or_else(|| Quantity::of(1.0).into()),
                position: self.position.clone().unwrap_or_default(),
                rotation: self.rotation.clone(),
            },
        })
    }

    /// No key of another shape.
    fn check_keys(&self) -> Result<(), String> {
        let (name, keys, example) = self.shape.facts();
        let given = [
            ("point", self.point.is_some()),
            ("normal", self.normal.is_some()),
            ("center", self.center.is_some()),
            ("radius", self.radius.is_some()),
            ("from", self.from.is_some()),
            ("to", self.to.is_some()),
            ("size", self.size.is_some()),
            ("rotation", self.rotation.is_some()),
            ("file", self.file.is_some()),
            ("scale", self.scale.is_some()),
            ("position", self.position.is_some()),
        ];
        match given.into_iter().find(|(key, given)| *given && !keys.contains(key)) {
            Some((key, _)) => Err(format!("has `{key}`, which a {name} does not take; write {example}")),
            None => Ok(()),
        }
    }

    /// The value of a key that must be there.
    fn needed<T: Clone>(&self, key: &str, value: &Option<Located<T>>) -> Result<Located<T>, String> {
        let (name, _, example) = self.shape.facts();
        value.clone().ok_or_else(|| format!("lacks `{key}` of the {name}; write {example}"))
    }
}
