//! `[integrator]`: how the scene moves through time.

use super::Located;
use crate::units::{Dimensionless, Quantity, Time};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};
use std::borrow::Cow;
use std::fmt;

/// How the scene moves through time.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Integrator {
    /// The scheme.
    pub method: Method,
    /// Time step: "auto" for the largest stable one times `safety`, or a time such as "1 ms".
    pub step: Located<Step>,
    /// Part of the stable step that "auto" takes, above 0 and at most 1.
    pub safety: Located<Quantity<Dimensionless>>,
    /// Numbers that the element kernels compute with.
    pub precision: Precision,
}

impl Default for Integrator {
    fn default() -> Self {
        Self {
            method: Method::Explicit,
            step: Step::Auto.into(),
            safety: Quantity::of(0.96).into(),
            precision: Precision::Double,
        }
    }
}

/// Scheme of time integration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Explicit Newmark (central differences).
    #[default]
    Explicit,
}

/// Numbers of the element kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// f64 throughout.
    #[default]
    Double,
    /// f32 inside the element kernels, f64 elsewhere: faster, with a relative force error near 1e-6.
    Single,
}

/// Length of a time step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Step {
    /// The largest stable one times `safety`.
    #[default]
    Auto,
    /// As given.
    Fixed(Quantity<Time>),
}

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StepVisitor)
    }
}

struct StepVisitor;

impl Visitor<'_> for StepVisitor {
    type Value = Step;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"auto\" or a time: a number in s or a string such as \"1 ms\"")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Step, E> {
        self.visit_f64(value as f64)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Step, E> {
        Quantity::from_si(value).map(Step::Fixed).map_err(E::custom)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Step, E> {
        if text == "auto" {
            return Ok(Step::Auto);
        }
        text.parse()
            .map(Step::Fixed)
            .map_err(|error| E::custom(format!("{error}; this needs \"auto\" or a time such as \"1 ms\"")))
    }
}

impl JsonSchema for Step {
    fn schema_name() -> Cow<'static, str> {
        "Step".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let time = generator.subschema_for::<Quantity<Time>>();
        json_schema!({
            "description": "The word \"auto\", or a time",
            "anyOf": [{ "const": "auto" }, time],
            "examples": ["auto", "1 ms"],
        })
    }
}
