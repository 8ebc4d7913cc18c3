//! rapier3d's side: its `fem` solver with the corotational law, on the nodes, cells and masses of our compiled bar.
//!
//! It takes one linearly implicit Euler step of a substep: A dv = h f - h^2 K v with A = M + h^2 K, by conjugate gradients with a
//! block-Jacobi preconditioner, in single precision (its `src/dynamics/solver/soft_fem`, version 0.36.1).

use anyhow::{Context, Result, ensure};
use pliant_scene::Compiled;
use rapier3d::prelude::*;

use crate::bar::{Bar, POISSON, STEP};
use crate::contender::Contender;

/// How rapier solves its equations.
#[derive(Clone, Copy, Debug)]
pub enum Tuning {
    /// As it comes: at most 20 iterations, and bodies of up to 600 unknowns factored for contacts to come.
    Default,
    /// At its best here: iterations until its own tolerance is met, and no factor that nothing uses.
    Converged,
}

/// More iterations than any bar needs.
const ENOUGH_ITERATIONS: usize = 5000;

/// A bar in rapier.
pub struct Rapier {
    world: PhysicsWorld,
    body: SoftBodyHandle,
    tip: usize,
    rest: f64,
}

impl Rapier {
    /// The compiled bar at rest.
    pub fn new(bar: &Bar, young: f64, compiled: &Compiled, tuning: Tuning) -> Result<Self> {
        let mesh = &compiled.model.layout().bodies()[0].mesh;
        let positions = mesh.positions();
        let near = |p: &[f64; 3]| p.iter().zip(bar.tip()).all(|(a, b)| (a - b).abs() < 1e-9);
        let tip = positions.iter().position(near).context("no node at the tip")?;
        let mut world = PhysicsWorld::new();
        configure(&mut world.integration_parameters, tuning);
        let body = world.insert_soft_body(builder(young, compiled));
        Ok(Self { world, body, tip, rest: positions[tip][1] })
    }
}

/// One substep, however fast anything moves.
fn configure(parameters: &mut IntegrationParameters, tuning: Tuning) {
    parameters.dt = STEP as Real;
    parameters.num_solver_iterations = 1;
    parameters.soft_bodies.max_extra_substeps = 0;
    if matches!(tuning, Tuning::Converged) {
        parameters.soft_bodies.fem.max_linear_iterations = ENOUGH_ITERATIONS;
        parameters.soft_bodies.fem.max_dense_dofs = 0;
    }
}

/// The mesh with our lumped masses, without damping, collisions and sleep.
fn builder(young: f64, compiled: &Compiled) -> SoftBodyBuilder {
    let bar = &compiled.model.layout().bodies()[0];
    let positions = bar.mesh.positions();
    let mass = |node: &u32| compiled.model.mass()[*node as usize] as Real;
    let clamped = positions.iter().zip(0..).filter(|(p, _)| p[2] < 1e-9).map(|(_, node)| node);
    SoftBodyBuilder::new(positions.iter().map(|p| Vector::from_array(p.map(|c| c as Real))).collect())
        .cells(bar.mesh.tets().to_vec())
        .masses(bar.world.iter().map(mass).collect())
        .cell_model(SoftBodyCellModel::Corotational)
        .solver(SoftBodySolver::Fem)
        .material(SoftBodyMaterial {
            young_modulus: young as Real,
            poisson_ratio: POISSON as Real,
            elastic_damping_ratio: 0.0,
            ..SoftBodyMaterial::default()
        })
        .pinned_particles(clamped)
        .no_surface_collider()
        .can_sleep(false)
}

impl Contender for Rapier {
    fn step(&mut self) -> Result<()> {
        self.world.step();
        ensure!(self.tip().is_finite(), "the tip is nowhere");
        Ok(())
    }

    fn tip(&self) -> f64 {
        f64::from(self.world.soft_bodies[self.body].particle_position(self.tip).y) - self.rest
    }
}
