//! BAR-1: a sudden traction at the end of a bar: the wave runs to the wall and back.
//!
//! L = 1 m, E = 1e6 Pa, nu = 0, 1000 kg/m^3, 1000 Pa from t = 0: the end moves at c s / E up to 2 s L / E = 2 mm at
//! t = 2 L / c = 63.2456 ms, then back. Central differences at 0.9 of the Courant step. Cells are wide, so that no
//! motion across the bar is faster than the one along it; nodes move along x only.

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::measure::{advance, displacement_at};
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "BAR-1",
    title: "a sudden traction stretches a bar twice as far and lets it back",
    source: "A5; closed form of the wave, and an independent 1-D code with the same elements and step",
    file: "bar_1.rs",
    flaw: Perturbation::Young(1.02),
    compare,
};

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    // elements; peak of the end, m; its time, s
    for (n, peak, time) in [(100, 1.99285e-3, 0.063467), (50, 1.98825e-3, 0.063752)] {
        let (ours_time, ours_peak, back) = swing(n, perturbation)?;
        let same = |value: f64| Expected::relative(value, 1e-5, Origin::IndependentCode);
        let exact = |value: f64| Expected::relative(value, 0.01, Origin::ClosedForm);
        rows.extend([
            Row::new(format!("{n} elements: peak"), "m", same(peak), ours_peak),
            Row::new(format!("{n} elements: time of the peak"), "s", same(time), ours_time),
            Row::new(format!("{n} elements: peak, exact wave"), "m", exact(2e-3), ours_peak),
            Row::new(format!("{n} elements: time, exact wave"), "s", exact(0.063_245_6), ours_time),
            Row::new(
                format!("{n} elements: u after a period"),
                "m",
                Expected::scaled(0.0, 2e-3, 0.02, Origin::ClosedForm),
                back,
            ),
        ]);
    }
    Ok(rows)
}

/// When the end of a bar of n elements is farthest, how far, and where it is after a period.
fn swing(n: usize, perturbation: Perturbation) -> Result<(f64, f64, f64), CaseError> {
    let speed = (1e6_f64 / 1000.0).sqrt();
    let dt = 0.9 / (n as f64 * speed);
    let mesh = box_mesh([1.0, 0.2, 0.2], [n, 1, 1], BoxElement::Hex)?;
    let mut world = Specimen::new(mesh, perturbation.law(LawKind::Linear, 1e6, 0.0)?)
        .hold(|p| p[0] < 1e-9, [true; 3])
        .hold(|_| true, [false, true, true])
        .traction(|p| p[0] > 1.0 - 1e-9, [1000.0, 0.0, 0.0])
        .world(dt)?;
    let (mut time, mut farthest, mut end) = (0.0, 0.0, 0.0);
    // a period is 4 L / c
    for _ in 0..(4.0 / speed / dt).round() as usize {
        advance(&mut world, 1)?;
        end = displacement_at(world.model().layout(), &world.state().x, [1.0, 0.0, 0.0])[0];
        if end > farthest {
            (time, farthest) = (world.state().time, end);
        }
    }
    Ok((time, farthest, end))
}
