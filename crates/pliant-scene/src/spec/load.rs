//! `[[body.NAME.load]]`: forces on a part of a body.

use super::{Located, Region};
use crate::units::{Force, ForceDensity, Pressure, Quantity, Time};
use schemars::JsonSchema;
use serde::Deserialize;

/// Forces on a part of a body.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "LoadTable")]
#[schemars(with = "LoadTable")]
pub struct Load {
    /// The loaded part.
    pub region: Located<Region>,
    /// What acts on it.
    pub kind: LoadKind,
    /// Time over which the load grows smoothly from 0; at once when `None`.
    pub over: Option<Located<Quantity<Time>>>,
    /// Time at which the load ends; never when `None`.
    pub release: Option<Located<Quantity<Time>>>,
}

/// What acts on the loaded part. Dead loads keep their direction in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LoadKind {
    /// Dead force per rest area of the surface.
    Traction([Quantity<Pressure>; 3]),
    /// Dead total force, spread over the surface.
    Force([Quantity<Force>; 3]),
    /// Pressure that follows the surface, positive inwards.
    Pressure(Quantity<Pressure>),
    /// Dead force per rest volume.
    BodyForce([Quantity<ForceDensity>; 3]),
}

/// Exactly one of `traction`, `force`, `pressure` and `body_force`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Load")]
struct LoadTable {
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
        let mut given = given.into_iter().filter_map(|(key, kind)| Some((key, kind?)));
        match (given.next(), given.next()) {
            (Some((_, kind)), None) => {
                Ok(Self { region: load.r#where, kind, over: load.over, release: load.release })
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
