//! `[[body.NAME.load]]`: forces on a part of a body.

use super::{Located, Region};
use crate::units::{Angle, Dimensionless, Force, ForceDensity, Frequency, Pressure, Quantity, Time};
use schemars::JsonSchema;
use serde::Deserialize;

/// Forces on a part of a body.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "LoadTable")]
#[schemars(with = "LoadTable")]
pub struct Load {
    /// Its name in `forces.csv`; `BODY.load.1` and so on when `None`.
    pub name: Option<Located<String>>,
    /// The loaded part.
    pub region: Located<Region>,
    /// What acts on it.
    pub kind: LoadKind,
    /// Time over which the load grows smoothly from 0; at once when `None`.
    pub over: Option<Located<Quantity<Time>>>,
    /// Time at which the load ends; never when `None`.
    pub release: Option<Located<Quantity<Time>>>,
    /// How it varies with time; not at all when `None`.
    pub script: Option<LoadScript>,
}

/// How a load varies: the factor that its full value is multiplied with.
#[derive(Clone, Debug, PartialEq)]
pub enum LoadScript {
    /// A harmonic.
    Sine(LoadSine),
    /// Factors at given times, joined by straight lines and constant outside.
    Table(Located<Vec<TimedFactor>>),
}

impl LoadScript {
    /// The key it was written with, and where.
    pub(super) fn key_and_span(&self) -> (&'static str, std::ops::Range<usize>) {
        match self {
            Self::Sine(sine) => ("sine", sine.frequency.span()),
            Self::Table(table) => ("table", table.span()),
        }
    }
}

/// The factor mean + sin(2 pi frequency t + phase).
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoadSine {
    /// Cycles per second, above 0.
    pub frequency: Located<Quantity<Frequency>>,
    /// Phase at time 0; 0 when absent, "90 deg" begins with the full load.
    #[serde(default)]
    pub phase: Quantity<Angle>,
    /// What the load swings about, as a part of its full value; 0 when absent.
    #[serde(default)]
    pub mean: Quantity<Dimensionless>,
}

/// A factor at a time, written `["0.5 s", 0.7]`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(from = "(Quantity<Time>, Quantity<Dimensionless>)")]
pub struct TimedFactor {
    /// When.
    pub time: Quantity<Time>,
    /// The part of the full load that acts then.
    pub factor: Quantity<Dimensionless>,
}

impl From<(Quantity<Time>, Quantity<Dimensionless>)> for TimedFactor {
    fn from((time, factor): (Quantity<Time>, Quantity<Dimensionless>)) -> Self {
        Self { time, factor }
    }
}

/// What acts on the loaded part. Dead loads keep their direction in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LoadKind {
    /// Dead force per rest area of the surface.
    Traction([Quantity<Pressure>; 3]),
    /// Dead total force, spread over the surface.
    Force([Quantity<Force>; 3]),
    /// Pressure that follows the surface, positive inwards; of law `linear` that at rest.
    Pressure(Quantity<Pressure>),
    /// Dead force per rest volume.
    BodyForce([Quantity<ForceDensity>; 3]),
}

/// Exactly one of `traction`, `force`, `pressure` and `body_force`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Load")]
struct LoadTable {
    /// Its name in `forces.csv`, used once; `BODY.load.1` and so on when absent.
    name: Option<Located<String>>,
    /// The part it acts on.
    r#where: Located<Region>,
    /// Force per rest area, fixed in world axes.
    traction: Option<[Quantity<Pressure>; 3]>,
    /// Total force, spread over the surface, fixed in world axes.
    force: Option<[Quantity<Force>; 3]>,
    /// Pressure that follows the surface, positive inwards.
    pressure: Option<Quantity<Pressure>>,
    /// Force per rest volume, fixed in world axes.
    body_force: Option<[Quantity<ForceDensity>; 3]>,
    /// Time over which the load grows smoothly from 0; at once when absent.
    over: Option<Located<Quantity<Time>>>,
    /// Time at which the load ends.
    release: Option<Located<Quantity<Time>>>,
    /// The load varies as mean + sin(2 pi frequency t + phase).
    sine: Option<LoadSine>,
    /// The part of the load that acts at increasing times, straight lines between: [["0 s", 0], ["1 s", 1]].
    table: Option<Located<Vec<TimedFactor>>>,
}

impl TryFrom<LoadTable> for Load {
    type Error = String;

    fn try_from(load: LoadTable) -> Result<Self, String> {
        let given = [
            ("traction", load.traction.map(LoadKind::Traction)),
            ("force", load.force.map(LoadKind::Force)),
            ("pressure", load.pressure.map(LoadKind::Pressure)),
            ("body_force", load.body_force.map(LoadKind::BodyForce)),
        ];
        let script = match (load.sine, load.table) {
            (Some(_), Some(_)) => {
                return Err("has both `sine` and `table`; keep one, the other into a load of its own".into());
            }
            (None, Some(_)) if load.over.is_some() => {
                return Err(
                    "has both `over` and `table`, which says itself how the load grows; keep one".into()
                );
            }
            (sine, table) => sine.map(LoadScript::Sine).or(table.map(LoadScript::Table)),
        };
        let mut given = given.into_iter().filter_map(|(key, kind)| Some((key, kind?)));
        match (given.next(), given.next()) {
            (Some((_, kind)), None) => {
                let LoadTable { name, r#where: region, over, release, .. } = load;
                Ok(Self { name, region, kind, over, release, script })
            }
            (Some((first, _)), Some((second, _))) => {
                Err(format!("has both `{first}` and `{second}`; give each a load of its own"))
            }
            (None, _) => {
                Err("says where but not what; add one of `traction`, `force`, `pressure` or `body_force`"
                    .into())
            }
        }
    }
}
