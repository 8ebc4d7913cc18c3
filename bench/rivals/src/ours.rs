//! Pliant's side: a scene text is compiled and its world stepped, as the program does.

use std::path::Path;

use anyhow::{Result, anyhow};
use pliant_scene::compile::CompiledProbe;
use pliant_scene::{CompileOptions, Compiled, LoadedScene, Scene, compile};
use pliant_solid::World;
use pliant_solid::integrator::Inputs;

use crate::bar::{Bar, DENSITY, POISSON, STEP};
use crate::contender::Contender;

/// What the scene file says, where nothing else is asked for.
pub const WORDS: Words<'static> = Words { method: "implicit-euler", law: "corotated", more: "" };

/// The words of the scene that a comparison may want to change.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    /// `method` of the integrator.
    pub method: &'a str,
    /// `law` of the material.
    pub law: &'a str,
    /// More lines of the integrator's table.
    pub more: &'a str,
}

/// A bar in Pliant.
pub struct Ours {
    world: World,
    tip: CompiledProbe,
    iterations: u32,
}

/// The scene of a bar, compiled.
pub fn compiled(bar: &Bar, young: f64, words: Words) -> Result<Compiled> {
    let (scene, source) = Scene::parse(&text(bar, young, words), bar.name)?;
    Ok(compile(&LoadedScene { scene, source, folder: Path::new(".").into() }, CompileOptions::default())?)
}

fn text(bar: &Bar, young: f64, Words { method, law, more }: Words) -> String {
    let (size, cells, tip) = (bar.size(), bar.cells, bar.tip());
    let duration = bar.steps as f64 * STEP;
    let milliseconds = 1e3 * STEP;
    format!(
        "duration = {duration}\ngravity = [0, -9.81, 0]\n\
         [integrator]\nmethod = \"{method}\"\nstep = \"{milliseconds} ms\"\n{more}\n\
         [material.m]\nlaw = \"{law}\"\nyoung = {young}\npoisson = {POISSON}\ndensity = {DENSITY}\n\
         [body.bar]\nmaterial = \"m\"\n\
         mesh = {{ shape = \"box\", size = {size:?}, cells = {cells:?}, element = \"tet5\" }}\n\
         [[body.bar.fix]]\nwhere = {{ plane = {{ point = [0, 0, 0], normal = [0, 0, 1] }} }}\n\
         [[probe]]\nname = \"tip\"\nbody = \"bar\"\nat = {tip:?}\n"
    )
}

impl Ours {
    /// The compiled bar at rest.
    pub fn new(compiled: &Compiled) -> Result<Self> {
        let world = compiled.world()?;
        let tip = compiled.probes.first().ok_or_else(|| anyhow!("the scene has no probe"))?.clone();
        Ok(Self { world, tip, iterations: 0 })
    }
}

impl Contender for Ours {
    fn step(&mut self) -> Result<()> {
        let report = self.world.step(&Inputs::default())?;
        let newton = report.newton.map(|newton| newton.iterations);
        let gradients = report.gradients.map(|gradients| gradients.steps);
        self.iterations += newton.or(gradients).unwrap_or(0) as u32;
        Ok(())
    }

    fn tip(&self) -> f64 {
        self.tip.mean(&self.world.state().x)[1] - self.tip.rest[1]
    }

    fn iterations(&self) -> Option<u32> {
        Some(self.iterations)
    }
}
