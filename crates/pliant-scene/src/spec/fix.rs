//! `[[body.NAME.fix]]`: nodes held, or carried along a given motion.

use super::motion::MotionKeys;
use super::{Located, Motion, Region, Sine, TimedVector, Turn};
use crate::units::{Length, Quantity, Time};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{Deserializer, Error};
use std::borrow::Cow;

/// Nodes held in place, or carried along a given motion.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "FixTable")]
#[schemars(with = "FixTable")]
pub struct Fix {
    /// Its name in `forces.csv`; `BODY.fix.1` and so on when `None`.
    pub name: Option<Located<String>>,
    /// The nodes.
    pub region: Located<Region>,
    /// World axes along which they are held.
    pub axes: Located<Axes>,
    /// Where they are carried.
    pub motion: Motion,
    /// Time at which they are let go; never when `None`.
    pub release: Option<Located<Quantity<Time>>>,
}

/// A non-empty set of world axes, written as letters such as "xz".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axes([bool; 3]);

impl Axes {
    /// x, y and z.
    pub const ALL: Self = Self([true; 3]);

    /// Whether x, y and z are in the set.
    pub const fn mask(self) -> [bool; 3] {
        self.0
    }
}

impl Default for Axes {
    fn default() -> Self {
        Self::ALL
    }
}

impl<'de> Deserialize<'de> for Axes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mut mask = [false; 3];
        for letter in text.chars() {
            let Some(axis) = "xyz".find(letter) else {
                return Err(D::Error::custom(format!(
                    "`{text}` contains `{letter}`; write letters of \"xyz\", such as \"xz\""
                )));
            };
            if std::mem::replace(&mut mask[axis], true) {
                return Err(D::Error::custom(format!("`{text}` contains `{letter}` twice; write it once")));
            }
        }
        if mask == [false; 3] {
            return Err(D::Error::custom(
                "holds no axis; write letters of \"xyz\", or leave it out to hold all",
            ));
        }
        Ok(Self(mask))
    }
}

impl JsonSchema for Axes {
    fn schema_name() -> Cow<'static, str> {
        "Axes".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "World axes as letters, each at most once",
            "type": "string",
            "pattern": "^[xyz]{1,3}$",
            "examples": ["xyz", "x", "yz"],
        })
    }
}

/// Nodes held in place; with `move`, `turn`, `sine` or `table` carried along.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Fix")]
struct FixTable {
    /// Its name in `forces.csv` and `summary.json`, used once; `BODY.fix.1` and so on when absent.
    name: Option<Located<String>>,
    /// The nodes to hold.
    r#where: Located<Region>,
    /// World axes along which they are held; "xyz" when absent.
    #[serde(default)]
    axes: Located<Axes>,
    /// Displacement reached at time `over`, in world coordinates.
    r#move: Option<[Quantity<Length>; 3]>,
    /// Turn reached at time `over`.
    turn: Option<Turn>,
    /// Time that `move` and `turn` take; `static` makes them in its load steps and needs none.
    over: Option<Located<Quantity<Time>>>,
    /// A harmonic displacement.
    sine: Option<Sine>,
    /// Displacements at increasing times: [["0 s", [0, 0, 0]], ["1 s", [0, 0, "1 cm"]]].
    table: Option<Located<Vec<TimedVector>>>,
    /// Time at which the nodes are let go.
    release: Option<Located<Quantity<Time>>>,
}

impl TryFrom<FixTable> for Fix {
    type Error = String;

    fn try_from(fix: FixTable) -> Result<Self, String> {
        let FixTable { name, r#where, axes, r#move, turn, over, sine, table, release } = fix;
        let motion = MotionKeys { r#move, turn, over, sine, table }.motion("a fix")?;
        Ok(Self { name, region: r#where, axes, motion, release })
    }
}
