//! `[[body.NAME.bone]]` and `[[body.NAME.attach]]`: rigid parts of a body, and nodes tied to another one.

use super::{Located, Mesh, Region};
use crate::units::{Density, Dimensionless, Length, Quantity};
use schemars::JsonSchema;
use serde::Deserialize;

/// Elements that move as one.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "BoneTable")]
#[schemars(with = "BoneTable")]
pub struct Bone {
    /// Its name in messages and results; the body's own when absent.
    pub name: Option<Located<String>>,
    /// Which elements.
    pub part: BonePart,
    /// The density of its elements; the material's when absent.
    pub density: Option<Located<Quantity<Density>>>,
    /// A line about which it turns; it moves freely when absent.
    pub hinge: Option<Hinge>,
}

/// Which elements are rigid.
#[derive(Clone, Debug, PartialEq)]
pub enum BonePart {
    /// Those whose centroid lies in a region.
    Where(Located<Region>),
    /// Those whose centroid lies within a closed surface, or within the surface of another mesh.
    Inside(Located<Mesh>),
}

impl BonePart {
    /// Where the scene file says which.
    pub fn span(&self) -> std::ops::Range<usize> {
        match self {
            Self::Where(region) => region.span(),
            Self::Inside(mesh) => mesh.span(),
        }
    }
}

/// A line that stands still.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hinge {
    /// A point of the line, in the mesh's own coordinates after `scale`.
    pub point: [Quantity<Length>; 3],
    /// World axis, of any length but 0.
    pub axis: Located<[Quantity<Dimensionless>; 3]>,
}

/// Elements that move as one; a fix on all of their nodes holds or carries them.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Bone")]
struct BoneTable {
    /// Its name in messages and results.
    name: Option<Located<String>>,
    /// The elements whose centroid lies in it.
    r#where: Option<Located<Region>>,
    /// The elements whose centroid lies within this closed surface, or within the surface of this mesh.
    inside: Option<Located<Mesh>>,
    /// Density of these elements; the material's when absent.
    density: Option<Located<Quantity<Density>>>,
    /// A line about which it turns; it moves freely when absent.
    hinge: Option<Hinge>,
}

impl TryFrom<BoneTable> for Bone {
    type Error = String;

    fn try_from(table: BoneTable) -> Result<Self, String> {
        let part = match (table.r#where, table.inside) {
            (Some(region), None) => BonePart::Where(region),
            (None, Some(mesh)) => BonePart::Inside(mesh),
            (Some(_), Some(_)) => return Err("has both `where` and `inside`; keep one".into()),
            (None, None) => return Err("says not which elements; add where = \"all\", or `inside`".into()),
        };
        Ok(Self { name: table.name, part, density: table.density, hinge: table.hinge })
    }
}

/// Nodes tied to another body: they follow the matter, soft or rigid, that is nearest to them there.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Attach {
    /// The nodes to tie.
    pub r#where: Located<Region>,
    /// The body that they are tied to.
    pub to: Located<String>,
}
