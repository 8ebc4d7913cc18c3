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
    pub method: Located<Method>,
    /// Time step: a time such as "1 ms", or "auto". For `explicit` that is the largest stable one times `safety`, for `newmark` and `implicit-euler` one that
    /// follows an error estimate, for `static` as much of the load (counted as a part of `duration`) as can be brought up at once.
    pub step: Located<Step>,
    /// Part of the stable step that "auto" takes with `explicit`, above 0 and at most 1.
    pub safety: Located<Quantity<Dimensionless>>,
    /// Weight of the new acceleration in the new position, with `newmark`: above 0; 0.25 (average acceleration) when absent.
    pub beta: Option<Located<Quantity<Dimensionless>>>,
    /// Weight of the new acceleration in the new velocity, with `newmark`: at least 0.5; 0.5 (no numerical damping) when absent.
    pub gamma: Option<Located<Quantity<Dimensionless>>>,
    /// Forces left over as a part of the largest force, with `newmark` (1e-6 when absent), `static` and `quasistatic` (1e-10); with `implicit-euler` what
    /// is left of the linear equations (1e-5), or of the forces with `solve = "newton"` (1e-6).
    pub tolerance: Option<Located<Quantity<Dimensionless>>>,
    /// How `implicit-euler` solves a step.
    pub solve: Option<Located<Solve>>,
    /// What solves linear equations, with `implicit-euler`.
    pub solver: Option<Located<Solver>>,
    /// Whether momenta of free bodies are kept, with `implicit-euler`; they are when this is absent.
    pub keep_momenta: Option<Located<bool>>,
    /// What vibrations that lag behind say of a run by `newmark`.
    pub period_error: Option<Located<PeriodError>>,
    /// How `explicit` treats stiffness damping and mass damping of consistent mass.
    pub damping: Located<DampingMatrix>,
    /// Which automatic steps full matrices allow.
    pub lengths: Located<Lengths>,
    /// Numbers that the element kernels compute with.
    pub precision: Precision,
}

impl Default for Integrator {
    fn default() -> Self {
        Self {
            method: Method::Explicit.into(),
            step: Step::Auto.into(),
            safety: Quantity::of(0.96).into(),
            beta: None,
            gamma: None,
            tolerance: None,
            solve: None,
            solver: None,
            keep_momenta: None,
            period_error: None,
            damping: DampingMatrix::Lagged.into(),
            lengths: Lengths::Halved.into(),
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
    /// The implicit Newmark family, for stiff bodies and large steps.
    Newmark,
    /// Implicit Euler, calm at any step: for interaction, rough handling and soft bodies in large steps.
    ImplicitEuler,
    /// The resting shape under everything that acts at the end.
    Static,
    /// A resting shape for every time.
    Quasistatic,
}

impl Method {
    /// As the scene file writes it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Explicit => "explicit",
            Self::Newmark => "newmark",
            Self::ImplicitEuler => "implicit-euler",
            Self::Static => "static",
            Self::Quasistatic => "quasistatic",
        }
    }
}

/// Solution of an implicit step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Solve {
    /// Forces are linearised where the step begins, and solved for once.
    #[default]
    Once,
    /// Newton's method, until the forces balance.
    Newton,
}

/// Solution of linear equations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Solver {
    /// Whatever is faster.
    #[default]
    Auto,
    /// A Cholesky factor.
    Direct,
    /// Conjugate gradients.
    Gradients,
}

/// What vibrations that lag behind say of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PeriodError {
    /// That its result is not to be trusted, where another step leads to another end.
    #[default]
    Doubtful,
    /// Nothing: steps lengthen periods, and the scene bears it.
    Allowed,
}

/// Damping in explicit steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DampingMatrix {
    /// Forces of stiffness damping are half a step late, which shortens the stable step.
    #[default]
    Lagged,
    /// The full matrix M + dt/2 D is factored, and damping does not shorten the stable step.
    Full,
}

/// Automatic steps with full matrices of mass or damping.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Lengths {
    /// T / 2^i, with a factor of its own for each.
    #[default]
    Halved,
    /// Any, with the factor of the next longer T / 2^i.
    Any,
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
