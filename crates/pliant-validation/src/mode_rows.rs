//! Natural frequencies of the reference blocks, 1000 kg/m^3 and E = 1e6 Pa, as rows.

use std::f64::consts::TAU;
use std::sync::Arc;

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::law::LawKind;
use pliant_solid::{MassKind, Model};

use crate::CaseError;
use crate::lowest_modes::lowest_omegas;
use crate::measure::placed;
use crate::modes::all_omegas;
use crate::specimen::Specimen;
use crate::verify::{Expected, Origin, Perturbation, Row};

/// A block, free or clamped at x = 0.
#[derive(Clone, Copy)]
pub struct Block {
    /// m.
    pub size: [f64; 3],
    /// Cells along each axis.
    pub cells: [usize; 3],
    /// Poisson's ratio.
    pub poisson: f64,
    /// How the box is cut.
    pub element: BoxElement,
    /// Lumped or consistent.
    pub mass: MassKind,
    /// Whether x = 0 is held.
    pub clamped: bool,
    /// What is wrong with the law.
    pub perturbation: Perturbation,
}

/// What the suite prints of a block.
pub struct Table {
    /// Element and mass.
    pub name: &'static str,
    /// Frequencies after the rigid motions, Hz.
    pub hertz: &'static [f64],
    /// The highest angular frequency, rad/s.
    pub highest: Option<f64>,
}

impl Block {
    fn model(&self) -> Result<Arc<Model>, CaseError> {
        let law = self.perturbation.law(LawKind::Linear, 1e6, self.poisson)?;
        let block = Specimen::new(box_mesh(self.size, self.cells, self.element)?, law).mass(self.mass);
        let held = if self.clamped { block.hold(|p| p[0] < 1e-9, [true; 3]) } else { block };
        held.model()
    }

    /// Its frequencies against a table, to the band of discrete references.
    pub fn rows(&self, table: &Table) -> Result<Vec<Row>, CaseError> {
        let model = self.model()?;
        let rigid = if self.clamped { 0 } else { 6 };
        let omegas = match rigid + table.hertz.len() {
            0 => vec![],
            count => lowest_omegas(&model, &placed(&model, |p| p), count)?,
        };
        let discrete = |value: f64| Expected::relative(value, 1e-6, Origin::IndependentCode);
        let mut rows: Vec<Row> = table
            .hertz
            .iter()
            .zip(&omegas[rigid..])
            .enumerate()
            .map(|(k, (printed, ours))| {
                Row::new(format!("{}: f{}", table.name, k + 1), "Hz", discrete(*printed), ours / TAU)
            })
            .collect();
        if rigid == 0 && table.highest.is_none() {
            return Ok(rows);
        }
        let last = all_omegas(&model)?.last().copied().unwrap_or_default();
        if let Some(highest) = table.highest {
            rows.push(Row::new(format!("{}: omega_max", table.name), "rad/s", discrete(highest), last));
        }
        if rigid > 0 {
            // rounding leaves about sqrt(1e-16) of the highest frequency on a rigid motion
            let zero = Expected::scaled(0.0, last, 1e-6, Origin::ClosedForm);
            rows.push(Row::new(format!("{}: rigid motions", table.name), "rad/s", zero, omegas[rigid - 1]));
        }
        Ok(rows)
    }
}
