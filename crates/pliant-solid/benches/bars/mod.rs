//! The bars that other programs were measured on: along z, clamped at z = 0, under a weight along -y.
#![allow(clippy::unwrap_used, dead_code, missing_docs)]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::assembly::Precision;
use pliant_solid::integrator::{Inputs, IntegratorKind, StepReport};
use pliant_solid::law::LawKind;
use pliant_solid::{BodyShape, Fix, Layout, Material, Model, ModelParts, Motion, OnDivergence, Phase, World};

/// The step, s.
pub const STEP: f64 = 0.01;
/// Poisson's ratio.
pub const POISSON: f64 = 0.33;

/// A bar of cubic cells, each cut into five tetrahedra.
#[derive(Clone, Copy)]
pub struct Bar {
    pub name: &'static str,
    pub cells: [usize; 3],
    /// Side of a cell, m.
    pub cell: f64,
}

pub const BAR450: Bar = Bar { name: "bar450", cells: [3, 3, 10], cell: 0.1 };
pub const BAR765: Bar = Bar { name: "bar765", cells: [3, 3, 17], cell: 0.1 };
pub const BAR12K: Bar = Bar { name: "bar12k", cells: [9, 9, 30], cell: 0.1 / 3.0 };
pub const BAR97K: Bar = Bar { name: "bar97k", cells: [18, 18, 60], cell: 0.1 / 6.0 };

pub const ROD: Bar = Bar { name: "rod", cells: [1, 1, 50], cell: 0.02 };
pub const SHEET: Bar = Bar { name: "sheet", cells: [30, 1, 30], cell: 0.02 };

impl Bar {
    /// Whether the command line asks for it: by its name, or by none.
    pub fn is_wanted(&self) -> bool {
        let mut names = std::env::args().skip(1).filter(|a| !a.starts_with("--")).peekable();
        names.peek().is_none() || names.any(|name| name == self.name)
    }

    /// At rest, with a law, a method and a damping in proportion to mass (1/s).
    pub fn world(&self, law: LawKind, integrator: IntegratorKind, mass_damping: f64) -> World {
        let size = self.cells.map(|c| c as f64 * self.cell);
        let mesh = Arc::new(box_mesh(size, self.cells, BoxElement::Tet5).unwrap());
        let layout = Layout::new(vec![BodyShape::new("bar", mesh)]);
        let clamped = (0..layout.free_count() as u32).filter(|n| layout.rest_of(*n)[2] < 1e-9).collect();
        let fix = Fix { nodes: clamped, axes: [true; 3], motion: Motion::Still, release: None };
        let material = Material { mass_damping, ..Material::new(1000.0, law) };
        let model = Model::new(ModelParts {
            velocity: vec![0.0; 3 * layout.free_count()],
            layout,
            matter: vec![material.into()],
            gravity: [0.0, -9.81, 0.0],
            fixes: vec![fix],
            colliders: vec![],
            contact: Default::default(),
            skins: vec![],
            terms: vec![],
            precision: Precision::Double,
        });
        World::new(Arc::new(model.unwrap()), integrator, OnDivergence::Stop).unwrap()
    }
}

/// What some steps took.
pub struct Measured {
    /// Of a step, ms.
    pub median: f64,
    pub worst: f64,
    /// Iterations a step, by what was counted.
    pub iterations: f64,
    /// Time of each phase, ms a step.
    pub phases: String,
}

/// Takes steps and times them; `count` tells the iterations of a step.
pub fn measure(
    world: &mut World,
    steps: usize,
    count: impl Fn(&StepReport) -> usize,
) -> Result<Measured, String> {
    let clock = Arc::new(Mutex::new((None::<(Phase, Instant)>, BTreeMap::<String, f64>::new())));
    let hooked = Arc::clone(&clock);
    world.set_phase_hook(Some(Box::new(move |phase| {
        let mut clock = hooked.lock().unwrap();
        let now = Instant::now();
        if let Some((last, since)) = clock.0.take() {
            *clock.1.entry(format!("{last:?}")).or_default() += (now - since).as_secs_f64();
        }
        clock.0 = (phase != Phase::Done).then_some((phase, now));
    })));
    let (mut times, mut iterations) = (Vec::new(), 0);
    for _ in 0..steps {
        let start = Instant::now();
        let report = world.step(&Inputs::default()).map_err(|e| e.to_string())?;
        times.push(1e3 * start.elapsed().as_secs_f64());
        iterations += count(&report);
    }
    times.sort_by(f64::total_cmp);
    let clock = clock.lock().unwrap();
    let phase = |(name, s): (&String, &f64)| format!("{name} {:.3}", 1e3 * s / steps as f64);
    Ok(Measured {
        median: times[times.len() / 2],
        worst: times[times.len() - 1],
        iterations: iterations as f64 / steps as f64,
        phases: clock.1.iter().map(phase).collect::<Vec<_>>().join(", "),
    })
}
