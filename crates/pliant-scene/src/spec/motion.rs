//! Scripted motion, of held nodes and of colliders: its keys, which several tables have.

use super::Located;
use crate::units::{Angle, Dimensionless, Frequency, Length, Quantity, Time};
use schemars::JsonSchema;
use serde::Deserialize;

/// Where nodes or colliders are carried; displacements and axes are in world coordinates.
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
    /// A point that stays: of a fix in the mesh's own coordinates after `scale`, of a collider in world coordinates.
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

/// The keys of a motion as a table has them.
pub(super) struct MotionKeys {
    pub r#move: Option<[Quantity<Length>; 3]>,
    pub turn: Option<Turn>,
    pub over: Option<Located<Quantity<Time>>>,
    pub sine: Option<Sine>,
    pub table: Option<Located<Vec<TimedVector>>>,
}

impl MotionKeys {
    /// The one motion that they give; `owner` is what moves, such as "a fix".
    pub fn motion(self, owner: &str) -> Result<Motion, String> {
        let carried = self.r#move.is_some() || self.turn.is_some();
        let carry = if self.r#move.is_some() { "move" } else { "turn" };
        let given = [(carry, carried), ("sine", self.sine.is_some()), ("table", self.table.is_some())];
        let mut given = given.iter().filter(|(_, present)| *present);
        if let (Some((first, _)), Some((second, _))) = (given.next(), given.next()) {
            return Err(format!(
                "has both `{first}` and `{second}`; keep one motion, the other into {owner} of its own"
            ));
        }
        if !carried && self.over.is_some() {
            return Err("has `over` without `move` or `turn`; remove it or add a motion".into());
        }
        Ok(match (self.sine, self.table) {
            (Some(sine), _) => Motion::Sine(sine),
            (None, Some(table)) => Motion::Table(table),
            (None, None) if carried => Motion::Carry {
                displacement: self.r#move.unwrap_or_default(),
                turn: self.turn,
                // who needs it asks for it: statics does not
                over: self.over.unwrap_or_default(),
            },
            (None, None) => Motion::Still,
        })
    }
}
