//! The bars: boxes of cubic cells, each cut into five tetrahedra, along z and clamped at z = 0.

/// Poisson's ratio of every bar.
pub const POISSON: f64 = 0.33;
/// Density of every bar, kg/m^3.
pub const DENSITY: f64 = 1000.0;
/// Length of a step, s.
pub const STEP: f64 = 0.01;
/// Steps after which the tip is looked at: 0.3 s.
pub const TIP_STEPS: usize = 30;

/// Where the tip of bar450 with E = 1 MPa is after 0.3 s, m along y: implicit Euler at 10 ms, St. Venant-Kirchhoff, lumped mass, Newton
/// converged (`crates/pliant-validation/tests/python/bar450_euler.py`, where the corotated law has -0.25319 m).
pub const REFERENCE_TIP: f64 = -0.25354;

/// A bar and how long it is run.
#[derive(Clone, Copy, Debug)]
pub struct Bar {
    /// Its name, after its number of tetrahedra.
    pub name: &'static str,
    /// Cells along x, y, z.
    pub cells: [usize; 3],
    /// Side of a cell, m.
    pub side: f64,
    /// Young's moduli that it is run with, Pa.
    pub youngs: &'static [f64],
    /// Steps of a run.
    pub steps: usize,
    /// Runs of every contender, in turn.
    pub rounds: usize,
}

/// All bars, small ones first.
pub const BARS: [Bar; 4] = [
    Bar { name: "bar450", cells: [3, 3, 10], side: 0.1, youngs: &[1e5, 3e5, 1e6], steps: 100, rounds: 9 },
    Bar { name: "bar765", cells: [3, 3, 17], side: 0.1, youngs: &[1e5, 3e5, 1e6], steps: 100, rounds: 9 },
    Bar { name: "bar12k", cells: [9, 9, 30], side: 0.1 / 3.0, youngs: &[3e5, 1e6], steps: 30, rounds: 3 },
    Bar { name: "bar97k", cells: [18, 18, 60], side: 0.1 / 6.0, youngs: &[3e5, 1e6], steps: 30, rounds: 1 },
];

impl Bar {
    /// Extent along x, y, z, m.
    pub fn size(&self) -> [f64; 3] {
        self.cells.map(|count| count as f64 * self.side)
    }

    /// The node whose displacement is compared, m: on the end, a third in from two sides.
    pub fn tip(&self) -> [f64; 3] {
        [0.1, 0.1, self.size()[2]]
    }

    /// Whether [`REFERENCE_TIP`] belongs to this bar with modulus `young`.
    pub fn has_reference(&self, young: f64) -> bool {
        self.name == "bar450" && young == 1e6
    }
}
