//! `cells = 8` or `cells = [10, 3, 3]`: as many numbers as the shape needs.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Unexpected, Visitor};
use std::borrow::Cow;
use std::fmt;

/// Numbers of cells, not yet matched with a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CellCounts(pub Vec<u32>);

impl<'de> Deserialize<'de> for CellCounts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CountVisitor)
    }
}

struct CountVisitor;

impl<'de> Visitor<'de> for CountVisitor {
    type Value = CellCounts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of cells, or an array of two or three such as [10, 3, 3]")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<CellCounts, E> {
        let count = u32::try_from(value);
        count.map(|n| CellCounts(vec![n])).map_err(|_| E::invalid_value(Unexpected::Signed(value), &self))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<CellCounts, E> {
        let count = u32::try_from(value);
        count.map(|n| CellCounts(vec![n])).map_err(|_| E::invalid_value(Unexpected::Unsigned(value), &self))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<CellCounts, A::Error> {
        let mut counts = Vec::new();
        while let Some(count) = items.next_element()? {
            counts.push(count);
        }
        Ok(CellCounts(counts))
    }
}

impl JsonSchema for CellCounts {
    fn schema_name() -> Cow<'static, str> {
        "CellCounts".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let count = json_schema!({ "type": "integer", "minimum": 1, "maximum": u32::MAX });
        json_schema!({
            "description": "One number for a sphere or hemisphere, two for a cylinder or grid, three for a box or tube",
            "anyOf": [count, { "type": "array", "items": count, "minItems": 2, "maxItems": 3 }],
        })
    }
}
