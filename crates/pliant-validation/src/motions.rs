//! The three motions of the reference suite that an eighth-order integrator computed on the same meshes.

use std::f64::consts::PI;

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::World;
use pliant_solid::integrator::{EulerSolve, ImplicitEuler, LinearSolver, StepChoice};
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::measure::{Vec3, add, advance, cross, displacements, triple};
use crate::specimen::Specimen;
use crate::verify::{Expected, Origin, Perturbation, Row, vector_rows};

/// A world that takes so many steps to the end of a motion.
pub type Motion = fn(usize, Perturbation) -> Result<World, CaseError>;

/// DYN-CANT-1: a clamped soft beam, gravity switched on at t = 0, 0.6 s.
pub fn cantilever(steps: usize, perturbation: Perturbation) -> Result<World, CaseError> {
    soft_beam(perturbation)?.world(0.6 / steps as f64)
}

/// The same by average acceleration.
pub fn cantilever_by_newmark(steps: usize, perturbation: Perturbation) -> Result<World, CaseError> {
    soft_beam(perturbation)?.newmark(0.6 / steps as f64)
}

/// The same by implicit Euler, Newton's method in every step.
pub fn cantilever_by_euler(steps: usize, perturbation: Perturbation) -> Result<World, CaseError> {
    soft_beam(perturbation)?.euler(converged_euler(0.6 / steps as f64))
}

fn soft_beam(perturbation: Perturbation) -> Result<Specimen, CaseError> {
    let mesh = box_mesh([0.4, 0.1, 0.1], [8, 2, 2], BoxElement::Hex)?;
    let beam = Specimen::new(mesh, perturbation.law(LawKind::StVenant, 2e5, 0.3)?);
    Ok(beam.gravity([0.0, 0.0, -9.81]).hold(|p| p[0] < 1e-9, [true; 3]))
}

/// DYN-SPIN-1: a free block, v = (0.5, 0, 1) + (2, 10, 1) x (X - centre), 0.5 s.
pub fn spinning_block(steps: usize, perturbation: Perturbation) -> Result<World, CaseError> {
    thrown_block(perturbation.law(LawKind::StVenant, 1e5, 0.3)?)?.world(0.5 / steps as f64)
}

/// The same by implicit Euler, Newton's method in every step.
pub fn spinning_block_by_euler(steps: usize, perturbation: Perturbation) -> Result<World, CaseError> {
    thrown_block(perturbation.law(LawKind::StVenant, 1e5, 0.3)?)?.euler(converged_euler(0.5 / steps as f64))
}

/// The block of DYN-SPIN-1 as it is thrown, of any law.
pub fn thrown_block(law: LawKind) -> Result<Specimen, CaseError> {
    let mesh = box_mesh([0.1, 0.2, 0.3], [2, 4, 6], BoxElement::Hex)?;
    let from_centre = |[x, y, z]: Vec3| [x - 0.05, y - 0.1, z - 0.15];
    let block = Specimen::new(mesh, law);
    Ok(block.velocity(move |place| add([0.5, 0.0, 1.0], cross([2.0, 10.0, 1.0], from_centre(place)))))
}

/// Implicit Euler as the textbook has it: its equations solved to the end, nothing corrected afterwards.
pub fn converged_euler(dt: f64) -> ImplicitEuler {
    ImplicitEuler {
        solve: EulerSolve::Newton { tolerance: 1e-9 },
        solver: Some(LinearSolver::Direct),
        keep_momenta: false,
        step: StepChoice::Fixed(dt),
    }
}

/// DYN-COLUMN-1: a clamped neo-Hookean column with a twisting start, 0.1 s.
pub fn column(steps: usize, perturbation: Perturbation) -> Result<World, CaseError> {
    let mesh = box_mesh([1.0, 1.0, 6.0], [2, 2, 12], BoxElement::Hex)?;
    Specimen::new(mesh, perturbation.law(LawKind::NeoHookean, 1.7e7, 0.3)?)
        .density(1100.0)
        .hold(|p| p[2] < 1e-9, [true; 3])
        .velocity(|[x, y, z]| {
            let twist = 40.0 * (PI * z / 12.0).sin();
            [-twist * (y - 0.5), twist * (x - 0.5), 0.0]
        })
        .world(0.1 / steps as f64)
}

/// Where a motion ends.
pub struct End {
    /// Displacements in the mesh's order, m.
    pub u: Vec<Vec3>,
    /// Velocities in the mesh's order, m/s.
    pub v: Vec<Vec3>,
    /// Elastic energy, J.
    pub elastic: f64,
    /// Kinetic energy, J.
    pub kinetic: f64,
    /// What must stay constant, J.
    pub total: f64,
}

/// The end of a motion after so many steps.
pub fn end_of(motion: Motion, steps: usize, perturbation: Perturbation) -> Result<End, CaseError> {
    let mut world = motion(steps, perturbation)?;
    advance(&mut world, steps)?;
    let (layout, state, energy) = (world.model().layout(), world.state(), world.energy());
    let v = layout.bodies()[0].world.iter().map(|&n| triple(&state.v, n)).collect();
    let u = displacements(layout, &state.x);
    Ok(End { u, v, elastic: energy.elastic, kinetic: energy.kinetic, total: energy.total() })
}

/// The end of a motion for a vanishing step: the h^2 term of the error removed from two runs.
pub fn limit_of(motion: Motion, steps: usize, perturbation: Perturbation) -> Result<End, CaseError> {
    let (coarse, fine) = (end_of(motion, steps, perturbation)?, end_of(motion, 2 * steps, perturbation)?);
    let one = |c: f64, f: f64| (4.0 * f - c) / 3.0;
    let all = |c: &[Vec3], f: &[Vec3]| -> Vec<Vec3> {
        c.iter().zip(f).map(|(c, f)| std::array::from_fn(|k| one(c[k], f[k]))).collect()
    };
    Ok(End {
        u: all(&coarse.u, &fine.u),
        v: all(&coarse.v, &fine.v),
        elastic: one(coarse.elastic, fine.elastic),
        kinetic: one(coarse.kinetic, fine.kinetic),
        total: one(coarse.total, fine.total),
    })
}

/// u and v of the node that the suite follows.
pub fn probe_rows(end: &End, node: usize, u: Vec3, v: Option<Vec3>, band: f64) -> Vec<Row> {
    let by = (band, Origin::EighthOrder);
    let mut rows = vector_rows(&format!("node {node}: u"), "m", u, by, end.u[node]);
    if let Some(v) = v {
        rows.extend(vector_rows(&format!("node {node}: v"), "m/s", v, by, end.v[node]));
    }
    rows
}

/// An energy at the end; the error is a part of a scale.
pub fn energy_row(name: &str, reference: f64, scale: f64, band: f64, ours: f64) -> Row {
    Row::new(name, "J", Expected::scaled(reference, scale, band, Origin::EighthOrder), ours)
}
