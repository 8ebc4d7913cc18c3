//! `[[body.NAME.initial]]`: strain and stress that a body starts with.

use super::{Located, Region};
use crate::units::{Dimensionless, Pressure, Quantity};
use schemars::JsonSchema;
use serde::Deserialize;

/// Strain and stress that some elements start with.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "InitialTable")]
#[schemars(with = "InitialTable")]
pub struct Initial {
    /// The elements whose centroid lies in it.
    pub region: Located<Region>,
    /// What they start with.
    pub kind: InitialKind,
}

/// What elements start with.
#[derive(Clone, Debug, PartialEq)]
pub enum InitialKind {
    /// eps0 and sigma0 of [Zhuang 2.16], for the laws "linear" and "st-venant".
    Additive {
        /// xx, yy, zz, yz, zx, xy with engineering shear.
        strain: [Quantity<Dimensionless>; 6],
        /// xx, yy, zz, yz, zx, xy.
        stress: [Quantity<Pressure>; 6],
        /// The key to point at: `strain` if given, else `stress`.
        place: Located<()>,
    },
    /// Rows of the deformation from rest to the stress-free shape, for any law.
    Relaxed(Located<[[Quantity<Dimensionless>; 3]; 3]>),
}

/// Either `strain`, `stress` or both, or `relaxed`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Initial")]
struct InitialTable {
    /// The elements whose centroid lies in it; all when absent.
    #[serde(default)]
    r#where: Located<Region>,
    /// Initial strain xx, yy, zz, yz, zx, xy, with engineering shear.
    strain: Option<Located<[Quantity<Dimensionless>; 6]>>,
    /// Initial stress xx, yy, zz, yz, zx, xy.
    stress: Option<Located<[Quantity<Pressure>; 6]>>,
    /// Rows of the deformation from rest to the stress-free shape.
    relaxed: Option<Located<[[Quantity<Dimensionless>; 3]; 3]>>,
}

impl TryFrom<InitialTable> for Initial {
    type Error = String;

    fn try_from(table: InitialTable) -> Result<Self, String> {
        let span = table.strain.as_ref().map(Located::span).or(table.stress.as_ref().map(Located::span));
        let kind = match (table.relaxed, span) {
            (Some(_), Some(_)) => {
                return Err(
                    "has `relaxed` together with `strain` or `stress`; keep one of the two ways".into()
                );
            }
            (Some(relaxed), None) => InitialKind::Relaxed(relaxed),
            (None, Some(span)) => InitialKind::Additive {
                strain: table.strain.map(Located::into_inner).unwrap_or_default(),
                stress: table.stress.map(Located::into_inner).unwrap_or_default(),
                place: Located::at((), span),
            },
            (None, None) => {
                return Err("gives nothing; add `strain`, `stress` or `relaxed`".into());
            }
        };
        Ok(Self { region: table.r#where, kind })
    }
}
