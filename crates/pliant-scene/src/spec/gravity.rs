//! `gravity = 9.81` or `gravity = [0, 0, -9.81]`.

use crate::units::{Acceleration, Quantity, si_array};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// Acceleration of gravity in world axes; written as one number it pulls along -z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gravity(pub [Quantity<Acceleration>; 3]);

impl Gravity {
    /// A strength, m/s^2, that pulls along -z.
    fn downwards<E: Error>(strength: Quantity<Acceleration>) -> Result<Self, E> {
        let strength = strength.si();
        if strength < 0.0 {
            return Err(E::custom(format!(
                "one number is how strongly gravity pulls down, along -z, so it cannot be below 0; \
                 write {} to pull along -z, or [0, 0, {}] to pull upwards",
                -strength, -strength
            )));
        }
        Ok(Self([0.0, 0.0, if strength == 0.0 { 0.0 } else { -strength }].map(Quantity::of)))
    }

    /// m/s^2.
    pub fn si(&self) -> [f64; 3] {
        si_array(&self.0)
    }
}

impl<'de> Deserialize<'de> for Gravity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(GravityVisitor)
    }
}

struct GravityVisitor;

impl<'de> Visitor<'de> for GravityVisitor {
    type Value = Gravity;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an acceleration such as 9.81, which pulls along -z, or three such as [0, 0, -9.81]")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Gravity, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Gravity, E> {
        self.visit_f64(value as f64)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Gravity, E> {
        Gravity::downwards(Quantity::from_si(value).map_err(|error| E::custom(format!("{error}; {NEEDS}")))?)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Gravity, E> {
        Gravity::downwards(
            text.parse().map_err(|error: crate::units::UnitError| E::custom(format!("{error}; {NEEDS}")))?,
        )
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Gravity, A::Error> {
        let mut found = Vec::new();
        while let Some(item) = items.next_element::<Quantity<Acceleration>>()? {
            found.push(item);
        }
        let count = found.len();
        found
            .try_into()
            .map(Gravity)
            .map_err(|_| A::Error::invalid_length(count, &"x, y and z, as in [0, 0, -9.81]"))
    }
}

const NEEDS: &str =
    "this needs an acceleration such as \"9.81 m/s^2\", along -z, or three as in [0, 0, -9.81]";

impl JsonSchema for Gravity {
    fn schema_name() -> Cow<'static, str> {
        "Gravity".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<Quantity<Acceleration>>();
        json_schema!({
            "description": "Acceleration of gravity: one number pulls along -z, three are x, y and z",
            "anyOf": [one, { "type": "array", "items": one, "minItems": 3, "maxItems": 3 }],
            "examples": [9.81, [0, 0, -9.81]],
        })
    }
}
