//! Natural frequencies of the reference blocks, 1000 kg/m^3 and E = 1e6 Pa, as rows.

use std::f64::consts::TAU;

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::MassKind;
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::modes::omegas;
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
    /// Angular frequencies, ascending, rigid motions included.
    pub fn omegas(&self) -> Result<Vec<f64>, CaseError> {
        let law = self.perturbation.law(LawKind::Linear, 1e6, self.poisson)?;
        let mesh = box_mesh(self.size, self.cells, self.element)?;
        let model = Specimen::new(mesh, law).mass(self.mass).model()?;
        let clamped = self.clamped;
        omegas(&model, |p, _| !clamped || p[0] > 1e-9)
    }

    /// Its frequencies against a table, to the band of discrete references.
    pub fn rows(&self, table: &Table) -> Result<Vec<Row>, CaseError> {
        let omegas = self.omegas()?;
        let rigid = if self.clamped { 0 } else { 6 };
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
        let last = omegas.last().copied().unwrap_or_default();
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
