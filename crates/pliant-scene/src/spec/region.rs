//! `where = ...`: a part of a body, in the mesh's own coordinates after `scale`.

use crate::units::{Dimensionless, Length, Quantity};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// A part of a body, in the mesh's own coordinates after `scale`.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Region {
    /// All of it.
    #[default]
    All,
    /// Inside an axis-aligned box.
    Box(BoxRegion),
    /// Inside a ball.
    Sphere(SphereRegion),
    /// Near a plane.
    Plane(PlaneRegion),
    /// Deeper below the surface than this.
    Deeper(Quantity<Length>),
    /// A bone of the body, by name; for fixes.
    Bone(String),
    /// A named group of the mesh file.
    Group(String),
    /// Nodes by their number in the mesh file, from 0.
    Nodes(Vec<u32>),
}

/// An axis-aligned box; its surface belongs to it.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoxRegion {
    /// Lowest corner.
    pub min: [Quantity<Length>; 3],
    /// Highest corner.
    pub max: [Quantity<Length>; 3],
}

/// A ball; its surface belongs to it.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SphereRegion {
    /// Centre.
    pub center: [Quantity<Length>; 3],
    /// Radius, above 0.
    pub radius: Quantity<Length>,
}

/// All points within a distance of a plane.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaneRegion {
    /// A point of the plane.
    pub point: [Quantity<Length>; 3],
    /// Normal of the plane, of any length but 0.
    pub normal: [Quantity<Dimensionless>; 3],
    /// Largest distance from the plane; a small part of the body's size when absent.
    #[serde(default)]
    pub tolerance: Option<Quantity<Length>>,
}

/// Exactly one of these keys.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RegionTable {
    /// Inside an axis-aligned box.
    r#box: Option<BoxRegion>,
    /// Inside a ball.
    sphere: Option<SphereRegion>,
    /// Near a plane.
    plane: Option<PlaneRegion>,
    /// Deeper below the surface than this length.
    deeper: Option<Quantity<Length>>,
    /// A bone of the body, by its name; only a fix takes it.
    bone: Option<String>,
    /// A named group of the mesh file.
    group: Option<String>,
    /// Nodes by their number, from 0.
    nodes: Option<Vec<u32>>,
    /// All of the body; only `true` makes sense.
    all: Option<bool>,
}

const KINDS: &str = "one of `box`, `sphere`, `plane`, `deeper`, `bone`, `group`, `nodes` or `all`";

impl RegionTable {
    fn region(self) -> Result<Region, String> {
        let everything = match self.all {
            Some(false) => {
                return Err("`all = false` selects nothing; leave the key out or write \"all\"".into());
            }
            all => all.map(|_| Region::All),
        };
        let given = [
            ("box", self.r#box.map(Region::Box)),
            ("sphere", self.sphere.map(Region::Sphere)),
            ("plane", self.plane.map(Region::Plane)),
            ("deeper", self.deeper.map(Region::Deeper)),
            ("bone", self.bone.map(Region::Bone)),
            ("group", self.group.map(Region::Group)),
            ("nodes", self.nodes.map(Region::Nodes)),
            ("all", everything),
        ];
        let mut given = given.into_iter().filter_map(|(key, region)| Some((key, region?)));
        match (given.next(), given.next()) {
            (Some((_, region)), None) => Ok(region),
            (Some((first, _)), Some((second, _))) => {
                Err(format!("has both `{first}` and `{second}`; write only {KINDS}"))
            }
            (None, _) => Err(format!("is empty; write {KINDS}, such as {{ group = \"base\" }}")),
        }
    }
}

impl<'de> Deserialize<'de> for Region {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RegionVisitor)
    }
}

struct RegionVisitor;

impl<'de> Visitor<'de> for RegionVisitor {
    type Value = Region;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"all\" or a table with {KINDS}")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Region, E> {
        if text == "all" {
            return Ok(Region::All);
        }
        Err(E::custom(format!(
            "`{text}` is no region; write \"all\", {{ group = \"{text}\" }} for a group of the mesh file, or {KINDS}"
        )))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Region, A::Error> {
        RegionTable::deserialize(MapAccessDeserializer::new(map))?.region().map_err(A::Error::custom)
    }
}

impl JsonSchema for Region {
    fn schema_name() -> Cow<'static, str> {
        "Region".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut table = RegionTable::json_schema(generator);
        table.insert("minProperties".into(), 1.into());
        table.insert("maxProperties".into(), 1.into());
        json_schema!({
            "description": "A part of a body, in the mesh's own coordinates after `scale`",
            "anyOf": [{ "const": "all" }, table],
        })
    }
}
