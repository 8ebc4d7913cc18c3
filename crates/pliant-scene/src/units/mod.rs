//! Numbers with units: a bare number is SI, a string carries its unit and is checked for dimension.
//!
//! ```
//! use pliant_scene::units::{Pressure, Quantity};
//! let young: Quantity<Pressure> = "100 kPa".parse()?;
//! assert_eq!(young.si(), 1e5);
//! # Ok::<(), pliant_scene::units::UnitError>(())
//! ```

mod dimension;
mod parse;
mod symbol;
#[cfg(test)]
mod tests;

pub use dimension::*;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

/// A finite number of dimension `D`, held in SI units.
#[derive(Clone, Copy, PartialEq)]
pub struct Quantity<D> {
    si: f64,
    dimension: PhantomData<D>,
}

/// Why a text or number is not the quantity asked for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum UnitError {
    /// The text does not start with a number.
    #[error("`{text}` does not start with a number")]
    NoNumber {
        /// The value as written.
        text: String,
    },
    /// A decimal comma.
    #[error("`{text}` has a decimal comma; write `{better}`")]
    Comma {
        /// The value as written.
        text: String,
        /// The value with a point.
        better: String,
    },
    /// Not a number, infinite, or beyond the range of a double.
    #[error("`{text}` is not a finite number")]
    NotFinite {
        /// The value as written.
        text: String,
    },
    /// A unit symbol that does not exist.
    #[error("unknown unit `{unit}` in `{text}`{}", did_you_mean(.suggestion))]
    Unknown {
        /// The value as written.
        text: String,
        /// The symbol.
        unit: String,
        /// Known symbols near it, ready to show.
        suggestion: Option<String>,
    },
    /// A product after a quotient.
    #[error(
        "`{text}` can be read in two ways; put the product first or in parentheses, as in `N s/m` or `N/(m s)`"
    )]
    Ambiguous {
        /// The value as written.
        text: String,
    },
    /// The unit cannot be read.
    #[error(
        "cannot read the unit in `{text}`; write products with a space, quotients with `/`, powers with `^`"
    )]
    Garbled {
        /// The value as written.
        text: String,
    },
    /// A text with a number and nothing else where a unit is needed.
    #[error("`{text}` has no unit; write the bare number for {si}, without quotes, or add a unit")]
    NoUnit {
        /// The value as written.
        text: String,
        /// The SI unit of the dimension asked for.
        si: &'static str,
    },
    /// A unit of another dimension.
    #[error("`{text}` is {found}")]
    Dimension {
        /// The value as written.
        text: String,
        /// The dimension of the value, in words.
        found: String,
    },
}

fn did_you_mean(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map(|unit| format!(" (did you mean {unit}?)")).unwrap_or_default()
}

impl<D: Dimension> Quantity<D> {
    /// A quantity from its SI value; refuses NaN and infinities.
    pub fn from_si(si: f64) -> Result<Self, UnitError> {
        if si.is_finite() { Ok(Self::of(si)) } else { Err(UnitError::NotFinite { text: si.to_string() }) }
    }

    /// Nothing of it.
    pub const fn zero() -> Self {
        Self::of(0.0)
    }

    pub(crate) const fn of(si: f64) -> Self {
        Self { si, dimension: PhantomData }
    }

    /// The value in SI units ([`Dimension::SI`]).
    pub const fn si(self) -> f64 {
        self.si
    }
}

/// SI values of an array of quantities.
pub fn si_array<D: Dimension, const N: usize>(values: &[Quantity<D>; N]) -> [f64; N] {
    values.map(Quantity::si)
}

/// An unknown unit that stands alone is taken for one of the dimension asked for.
fn fitting<D: Dimension>(error: UnitError) -> UnitError {
    let UnitError::Unknown { text, unit, suggestion } = error else { return error };
    let alone = text.trim().strip_suffix(&unit).is_some_and(|number| number.trim().parse::<f64>().is_ok());
    let fits = |unit: &symbol::Unit| unit.exponents == D::EXPONENTS;
    let suggestion = if alone { symbol::suggestion(&unit, fits) } else { suggestion };
    UnitError::Unknown { text, unit, suggestion }
}

impl<D: Dimension> FromStr for Quantity<D> {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let (value, unit) = parse::quantity(text).map_err(fitting::<D>)?;
        if unit.exponents == D::EXPONENTS {
            return Ok(Self::of(value));
        }
        let text = text.to_owned();
        let bare =
            text.trim().ends_with(|c: char| c.is_ascii_digit() || c == '.') && !text.contains(['/', '^']);
        Err(if bare && unit.exponents == [0; 4] {
            UnitError::NoUnit { text, si: D::SI }
        } else {
            UnitError::Dimension { text, found: dimension::in_words(unit.exponents) }
        })
    }
}

impl<D: Dimension> Default for Quantity<D> {
    fn default() -> Self {
        Self::zero()
    }
}

impl<D: Dimension> fmt::Debug for Quantity<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}", self.si, D::SI)
    }
}

impl<D: Dimension> fmt::Display for Quantity<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if D::EXPONENTS == [0; 4] { write!(f, "{}", self.si) } else { write!(f, "{} {}", self.si, D::SI) }
    }
}

/// `"needs"` at its start lets the scene reader put the key in front.
fn needs<D: Dimension>() -> String {
    let example = D::EXAMPLES.first().copied().unwrap_or(D::SI);
    if D::EXPONENTS == [0; 4] {
        format!("needs {} such as {example}", D::NAME)
    } else {
        format!("needs {} such as \"{example}\"", D::NAME)
    }
}

impl<'de, D: Dimension> Deserialize<'de> for Quantity<D> {
    fn deserialize<R: Deserializer<'de>>(deserializer: R) -> Result<Self, R::Error> {
        deserializer.deserialize_any(QuantityVisitor(PhantomData))
    }
}

struct QuantityVisitor<D>(PhantomData<D>);

impl<D: Dimension> Visitor<'_> for QuantityVisitor<D> {
    type Value = Quantity<D>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let example = D::EXAMPLES.first().copied().unwrap_or(D::SI);
        if D::EXPONENTS == [0; 4] {
            return write!(f, "{} such as {example}", D::NAME);
        }
        write!(f, "{}: a number in {} or a string such as \"{example}\"", D::NAME, D::SI)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        self.visit_f64(value as f64)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        Quantity::from_si(value).map_err(|error| E::custom(format!("{error}; this {}", needs::<D>())))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        text.parse().map_err(|error: UnitError| E::custom(format!("{error}; this {}", needs::<D>())))
    }
}

impl<D: Dimension> JsonSchema for Quantity<D> {
    fn schema_name() -> Cow<'static, str> {
        D::SCHEMA.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let name = capitalised(D::NAME);
        let description = match D::EXPONENTS {
            [0, 0, 0, 0] => name,
            _ => format!("{name}: a number in {}, or a string with a unit", D::SI),
        };
        json_schema!({
            "description": description,
            "type": ["number", "string"],
            "examples": D::EXAMPLES,
        })
    }
}

/// `a pressure` as the start of a sentence.
fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
