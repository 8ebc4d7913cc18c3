//! `[[body.NAME.fix]]`: nodes held, or carried along a given motion.

use super::{Located, Region};
use crate::units::{Angle, Dimensionless, Frequency, Length, Quantity, Time};
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

/// Where held nodes are carried; displacements and axes are in world coordinates.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// Nowhere.
    Still,
    /// A displacement and a turn, reached smoothly at time `over` and then kept.
    Carry {
        /// Displacement at the end.
        displacement: [Quantity<Length>; 3],
        /// Turn at the end.
        turn: Option<Turn>,
        /// Time it takes.
        over: Located<Quantity<Time>>,
    },
    /// A harmonic displacement.
    Sine(Sine),
    /// Displacements at given times, joined by a smooth curve (cubic spline) and constant outside; the first is zero.
    Table(Located<Vec<TimedVector>>),
}

/// A turn about a world axis.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// World axis, of any length but 0.
    pub axis: Located<[Quantity<Dimensionless>; 3]>,
    /// Angle, right-handed about the axis.
    pub angle: Located<Quantity<Angle>>,
    /// A point that stays, in the mesh's own coordinates after `scale`.
    pub center: [Quantity<Length>; 3],
}

/// The displacement amplitude * (sin(2 pi frequency t + phase) - sin(phase)), zero at the start.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sine {
    /// Largest displacement.
    pub amplitude: [Quantity<Length>; 3],
    /// Cycles per second, above 0.
    pub frequency: Located<Quantity<Frequency>>,
    /// Phase at time 0; 0 when absent.
    #[serde(default)]
    pub phase: Quantity<Angle>,
}

/// A vector at a time, written `["0.5 s", [x, y, z]]`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(from = "(Quantity<Time>, [Quantity<Length>; 3])")]
pub struct TimedVector {
    /// When.
    pub time: Quantity<Time>,
    /// Position or displacement then.
    pub vector: [Quantity<Length>; 3],
}

impl From<(Quantity<Time>, [Quantity<Length>; 3])> for TimedVector {
    fn from((time, vector): (Quantity<Time>, [Quantity<Length>; 3])) -> Self {
        Self { time, vector }
    }
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
        let carried = fix.r#move.is_some() || fix.turn.is_some();
        let carry = if fix.r#move.is_some() { "move" } else { "turn" };
        let given = [(carry, carried), ("sine", fix.sine.is_some()), ("table", fix.table.is_some())];
        let mut given = given.iter().filter(|(_, present)| *present);
        if let (Some((first, _)), Some((second, _))) = (given.next(), given.next()) {
            return Err(format!(
                "has both `{first}` and `{second}`; keep one motion, the other into a fix of its own"
            ));
        }
        if !carried && fix.over.is_some() {
            return Err("has `over` without `move` or `turn`; remove it or add a motion".into());
        }
        let motion = match (fix.sine, fix.table) {
            (Some(sine), _) => Motion::Sine(sine),
            (None, Some(table)) => Motion::Table(table),
            (None, None) if carried => Motion::Carry {
                displacement: fix.r#move.unwrap_or_default(),
                turn: fix.turn,
                // who needs it asks for it: statics does not
                over: fix.over.unwrap_or_default(),
            },
            (None, None) => Motion::Still,
        };
        Ok(Self { name: fix.name, region: fix.r#where, axes: fix.axes, motion, release: fix.release })
    }
}
