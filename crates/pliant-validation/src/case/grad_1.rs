//! GRAD-1: forces are the derivative of energy, tangents the derivative of forces.
//!
//! ```text
//! K (w x x) = - w x f   for K = - df/dx, from f(R x) = R f(x)                                (1)
//! ```
//!
//! A perturbed law gives the forces and tangents, the sound one the energies and, once more, the forces that
//! tangents are held against.

use std::sync::Arc;

use pliant_geometry::Mesh;
use pliant_numerics::Mat3;
use pliant_solid::{FullState, Model};

use crate::CaseError;
use crate::measure::{add, cross, forces, peak, placed, stored};
use crate::modes::{STIFFNESS, dense, eigenvalues};
use crate::patch::{patches, wobble};
use crate::specimen::{NONLINEAR, Specimen};
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "GRAD-1",
    title: "force = dW/du, tangent = df/du, and their symmetries",
    source: "A1; central differences at a step of 1e-5 of a cell, nodes moved by up to a twentieth of a cell",
    file: "grad_1.rs",
    flaw: Perturbation::Young(1.01),
    compare,
};

const YOUNG: f64 = 1e5;

/// The model under test, and a sound one.
struct Pair {
    name: String,
    tested: Arc<Model>,
    sound: Arc<Model>,
    h: f64,
}

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (element, mesh) in patches()? {
        for (law, kind) in NONLINEAR {
            let build = |mesh: &Mesh, p: Perturbation| Specimen::new(mesh.clone(), p.law(kind, YOUNG, 0.3)?).model();
            let pair = Pair {
                name: format!("{element} {law}"),
                tested: build(&mesh, perturbation)?,
                sound: build(&mesh, Perturbation::None)?,
                h: (mesh.volume() / mesh.cell_count() as f64).cbrt(),
            };
            rows.extend(pair.zero_modes()?);
            rows.extend(pair.derivatives());
        }
    }
    Ok(rows)
}

impl Pair {
    /// Six modes without stiffness at rest, the three translations alone under stress.
    fn zero_modes(&self) -> Result<Vec<Row>, CaseError> {
        let all: Vec<usize> = (0..3 * self.tested.layout().node_count()).collect();
        let zeros = |full: &FullState| -> Result<f64, CaseError> {
            let values = eigenvalues(&dense(&self.tested.tangent(full, STIFFNESS), &all))?;
            let largest = values.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
            Ok(values.iter().filter(|v| v.abs() < 1e-12 * largest).count() as f64)
        };
        let stretch = Mat3([[1.2, 0.3, 0.0], [0.0, 0.9, 0.1], [0.2, 0.0, 1.1]]);
        let (rest, stressed) = (placed(&self.tested, |p| p), placed(&self.tested, |p| stretch.mul_vec(p)));
        let count = |n: f64| Expected::absolute(n, 0.0, Origin::ClosedForm);
        Ok(vec![
            Row::new(format!("{}: free modes at rest", self.name), "", count(6.0), zeros(&rest)?),
            Row::new(format!("{}: free modes stressed", self.name), "", count(3.0), zeros(&stressed)?),
        ])
    }

    fn derivatives(&self) -> Vec<Row> {
        // at a tenth of a cell the differences themselves are 8.5e-8 off on the patch's slivers, near the band
        let push = wobble(0.05 * self.h);
        let full = placed(&self.tested, |p| add(p, push(p)));
        let step = 1e-5 * self.h;
        let shifted = |i: usize, by: f64| {
            let mut shifted = full.clone();
            shifted.x[i] += by;
            shifted
        };
        let slope = |i: usize| {
            (stored(&self.sound, &shifted(i, -step)) - stored(&self.sound, &shifted(i, step))) / (2.0 * step)
        };
        let force = forces(&self.tested, &full);
        let off = force.iter().enumerate().fold(0.0, |most: f64, (i, f)| most.max((f - slope(i)).abs()));
        let expected = |scale: f64, band: f64| Expected::scaled(0.0, scale, band, Origin::ClosedForm);
        let mut rows = vec![Row::new(
            format!("{}: f - dW/du", self.name),
            "N",
            expected(peak(&force), 1e-7),
            off,
        )];
        rows.extend(self.tangent_rows(&full, &force, shifted));
        rows
    }

    fn tangent_rows(
        &self,
        full: &FullState,
        force: &[f64],
        shifted: impl Fn(usize, f64) -> FullState,
    ) -> Vec<Row> {
        let (n, step) = (full.x.len(), 1e-5 * self.h);
        let tangent = self.tested.tangent(full, STIFFNESS);
        let all: Vec<usize> = (0..n).collect();
        let k = dense(&tangent, &all);
        let (mut largest, mut asymmetry, mut off) = (0.0_f64, 0.0_f64, 0.0_f64);
        for c in 0..n {
            let (high, low) = (forces(&self.sound, &shifted(c, step)), forces(&self.sound, &shifted(c, -step)));
            for r in 0..n {
                largest = largest.max(k[(r, c)].abs());
                asymmetry = asymmetry.max((k[(r, c)] - k[(c, r)]).abs());
                off = off.max((k[(r, c)] + (high[r] - low[r]) / (2.0 * step)).abs());
            }
        }
        let mut moment = 0.0_f64;
        for axis in 0..3 {
            let w: [f64; 3] = std::array::from_fn(|c| f64::from(u8::from(c == axis)));
            let turned = |values: &[f64]| -> Vec<f64> {
                values.chunks_exact(3).flat_map(|p| cross(w, [p[0], p[1], p[2]])).collect()
            };
            let mut product = vec![0.0; n];
            tangent.multiply_into(&turned(&full.x), &mut product);
            let pairs = product.iter().zip(turned(force));
            moment = pairs.fold(moment, |most, (a, b)| most.max((a + b).abs())); // (1)
        }
        let expected = |scale: f64, band: f64| Expected::scaled(0.0, scale, band, Origin::ClosedForm);
        vec![
            Row::new(format!("{}: K - df/du", self.name), "N/m", expected(largest, 1e-7), off),
            Row::new(format!("{}: K - K^T", self.name), "N/m", expected(largest, 1e-13), asymmetry),
            // products of forces with places: rounding of 1e-16 times 100 terms
            Row::new(format!("{}: K(w x x) + w x f", self.name), "N", expected(largest * self.h, 1e-12), moment),
        ]
    }
}
