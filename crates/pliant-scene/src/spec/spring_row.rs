//! `springs = [[0, 1], { between = [1, 2], length = "5 cm" }]`: the springs of a table of particles.

use super::Located;
use crate::units::{Length, LineDamping, Quantity, Stiffness};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// One spring of a table.
#[derive(Clone, Debug, PartialEq, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpringTable {
    /// Numbers of the two particles, from 0.
    pub between: [u32; 2],
    /// Its stiffness; that of the network when absent.
    pub stiffness: Option<Located<Quantity<Stiffness>>>,
    /// Its damping; that of the network when absent.
    pub damping: Option<Located<Quantity<LineDamping>>>,
    /// Length at which it does not pull; the distance of the particles when absent.
    pub length: Option<Located<Quantity<Length>>>,
}

/// A spring, written as a pair or as a table.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringRow(pub SpringTable);

impl<'de> Deserialize<'de> for SpringRow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RowVisitor)
    }
}

struct RowVisitor;

impl<'de> Visitor<'de> for RowVisitor {
    type Value = SpringRow;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("two particles such as [0, 1], or { between = [0, 1], stiffness = \"10 N/m\" }")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<SpringRow, A::Error> {
        let between = <[u32; 2]>::deserialize(SeqAccessDeserializer::new(items))?;
        Ok(SpringRow(SpringTable { between, stiffness: None, damping: None, length: None }))
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<SpringRow, A::Error> {
        SpringTable::deserialize(MapAccessDeserializer::new(entries)).map(SpringRow)
    }
}

impl JsonSchema for SpringRow {
    fn schema_name() -> Cow<'static, str> {
        "SpringRow".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let pair = json_schema!({ "type": "array", "items": { "type": "integer", "minimum": 0 }, "minItems": 2, "maxItems": 2 });
        let table = generator.subschema_for::<SpringTable>();
        json_schema!({ "description": "Two particles, or a table", "anyOf": [pair, table] })
    }
}
