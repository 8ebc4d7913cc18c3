//! What a step with full matrices costs over one with lumped mass, on the same mesh.
//!
//! Five worlds of one body, at one fixed step: lumped M; full M; full M and D of (2.67); full M and stiffness damping; and the last with factors that have
//! to be made in every step, because another node is held in each. All are stepped in turn, and medians are taken: the few steps that take D anew do not enter.

use pliant_solid::World;
use pliant_solid::integrator::Inputs;

use super::clock::medians_in_turn;
use super::resting::compiled;
use crate::CaseError;

/// What is free to choose.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Cells along each edge of the cube.
    pub cells: usize,
    /// Steps of each kind.
    pub steps: usize,
}

impl Default for Setup {
    fn default() -> Self {
        Self { cells: 8, steps: 60 }
    }
}

/// Median times of a step, s.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Hexahedra.
    pub elements: usize,
    /// Steps of each kind.
    pub timed: usize,
    /// With lumped mass, damping half a step late.
    pub lumped: f64,
    /// With full mass, no damping.
    pub full_mass: f64,
    /// With full mass and D of (2.67).
    pub massive: f64,
    /// With full mass and stiffness damping.
    pub full: f64,
    /// With full mass and damping that are factored anew.
    pub factored: f64,
}

/// A world and the nodes that are held in turn.
struct Stepped {
    world: World,
    pins: Vec<[u32; 1]>,
}

impl Stepped {
    fn new(cells: usize, keys: [&str; 3]) -> Result<Self, CaseError> {
        let [integrator, material, body] = keys;
        let text = format!(
            "duration = 1000\ngravity = [0, 0, -9.81]\n[integrator]\nstep = 1e-4\n{integrator}\n[material.m]\n\
             law = \"st-venant\"\nyoung = 2e4\npoisson = 0.4\ndensity = 1000\n{material}\n[body.cube]\nmaterial = \"m\"\n\
             mesh = {{ shape = \"box\", size = [0.1, 0.1, 0.1], cells = [{cells}, {cells}, {cells}], element = \"hex\" }}\n{body}\n\
             [[body.cube.fix]]\nwhere = {{ plane = {{ point = [0, 0, 0], normal = [1, 0, 0] }} }}\n"
        );
        let compiled = compiled(&text, "zhuang-ladder")?;
        let world = compiled.world()?;
        Ok(Self { world, pins: Vec::new() })
    }

    /// The same, with two free nodes held in turn.
    fn held_in_turn(mut self) -> Self {
        let body = &self.world.model().layout().bodies()[0];
        // the face x = 0 is held; nodes that rest beyond half the cube are not
        let free = body.world.iter().filter(|n| self.world.model().layout().rest_of(**n)[0] > 0.05);
        self.pins = free.take(2).map(|n| [*n]).collect();
        self
    }

    fn step(&mut self) -> Result<(), CaseError> {
        let turn = self.world.state().step as usize % self.pins.len().max(1);
        let pins: &[u32] = self.pins.get(turn).map_or(&[], |pin| pin);
        self.world.step(&Inputs { pins, ..Inputs::default() })?;
        Ok(())
    }
}

/// Times steps of each kind, after a tenth as many that are not timed.
pub fn measure(Setup { cells, steps }: Setup) -> Result<Cost, CaseError> {
    let (damping, mass) = ("damping = { stiffness = 1e-3 }", "mass = \"consistent\"");
    let full = "damping = \"full\"";
    let mut worlds = [
        Stepped::new(cells, ["", damping, ""])?,
        Stepped::new(cells, ["", "", mass])?,
        Stepped::new(cells, [full, "damping = { mass = 5 }", mass])?,
        Stepped::new(cells, [full, damping, mass])?,
        Stepped::new(cells, [full, damping, mass])?.held_in_turn(),
    ];
    for world in &mut worlds {
        (0..steps.div_ceil(10)).try_for_each(|_| world.step())?;
    }
    let times = medians_in_turn(steps, &mut worlds, Stepped::step)?;
    Ok(Cost {
        elements: worlds[0].world.model().layout().bodies()[0].mesh.cell_count(),
        timed: steps,
        lumped: times[0],
        full_mass: times[1],
        massive: times[2],
        full: times[3],
        factored: times[4],
    })
}
