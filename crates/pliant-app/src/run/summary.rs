//! `summary.json`: what a run came to, in numbers that can be believed.

use std::collections::BTreeMap;

use pliant_geometry::Mesh;
use pliant_scene::Compiled;
use pliant_scene::compile::{Acting, ActingKind};
use pliant_solid::rigid::Bone;
use pliant_solid::{Model, World};
use serde::Serialize;

use super::effort::Effort;
use super::latency::Quantiles;
use super::run_loop::{Outcome, RunLoop};
use super::rungs::RungsUsed;
use crate::processor;

/// The whole summary.
#[derive(Debug, Serialize)]
pub struct Summary {
    scene: String,
    title: String,
    /// done, doubtful, diverged or stopped.
    pub status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Why the result cannot be trusted.
    doubts: Vec<String>,
    simulated_s: f64,
    wall_s: f64,
    /// Simulated over wall time.
    pub real_time_factor: f64,
    steps: u64,
    last_step_s: f64,
    stable_step_at_start_s: f64,
    step_ms: Quantiles,
    #[serde(skip_serializing_if = "Option::is_none")]
    solver: Option<Effort>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ladder: Option<RungsUsed>,
    energy: Energies,
    bodies: BTreeMap<String, BodySummary>,
    probes: BTreeMap<String, ProbeSummary>,
    reactions: Vec<Reaction>,
    contacts: Contacts,
    warnings: Vec<String>,
    version: &'static str,
    threads: usize,
    simd: &'static str,
}

#[derive(Debug, Serialize)]
struct Energies {
    kinetic: f64,
    elastic: f64,
    gravity: f64,
    dissipated: f64,
    work: f64,
    contact: f64,
    total: f64,
    /// total now minus total at the start: the integrator's own error.
    drift: f64,
}

#[derive(Debug, Serialize)]
struct BodySummary {
    nodes: usize,
    elements: usize,
    mass_kg: f64,
    volume_ratio: f64,
    max_displacement: f64,
    max_von_mises: f64,
    inverted_elements: usize,
    /// The most that were inside out at any sample.
    most_inverted_elements: u64,
    /// When that was.
    #[serde(skip_serializing_if = "Option::is_none")]
    most_inverted_at_s: Option<f64>,
    frozen: bool,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    bones: BTreeMap<String, BoneSummary>,
}

/// A rigid part.
#[derive(Debug, Serialize)]
struct BoneSummary {
    elements: usize,
    /// With what is tied to it.
    mass_kg: f64,
    /// Of its mass, m.
    centre: [f64; 3],
}

/// What touches colliders, and how deep it ever was.
#[derive(Debug, Serialize)]
struct Contacts {
    /// Points that touch at the end.
    count: usize,
    /// Of any point at any time.
    deepest_penetration_m: f64,
    /// Lost to friction, J.
    friction_loss: f64,
    /// Lost to bounces, J.
    restitution_loss: f64,
    /// Done on bodies by colliders that move, J.
    pushed: f64,
}

impl Contacts {
    fn of(world: &World) -> Self {
        let accounts = &world.state().accounts;
        Self {
            count: world.contacts().count(),
            deepest_penetration_m: world.deepest_penetration(),
            friction_loss: accounts.friction,
            restitution_loss: accounts.restitution,
            pushed: accounts.pushed,
        }
    }
}

/// What holds the nodes of a fix at the end.
#[derive(Debug, Serialize)]
struct Reaction {
    name: String,
    body: String,
    /// The body's fixes are counted from 1.
    fix: usize,
    /// N.
    force: [f64; 3],
    /// About the world's origin, N m; for `linear` bodies with the places at rest.
    moment: [f64; 3],
}

#[derive(Debug, Serialize)]
struct ProbeSummary {
    position: [f64; 3],
    displacement: [f64; 3],
}

/// How a run ended, and what is to be said of it.
pub struct Ending<'a> {
    /// How.
    pub outcome: &'a Outcome,
    /// What looked wrong but may be meant.
    pub warnings: Vec<String>,
    /// Why the result cannot be trusted.
    pub doubts: Vec<String>,
}

impl Summary {
    /// Of a run that has ended.
    pub fn of(
        scene: &str,
        title: &str,
        compiled: &Compiled,
        run_loop: &RunLoop,
        Ending { outcome, warnings, doubts }: Ending,
    ) -> Self {
        let world = run_loop.world();
        let (state, energy) = (world.state(), world.energy());
        let wall = run_loop.wall().as_secs_f64();
        let full = world.model().full_state(state);
        let probes = compiled.probes.iter().map(|probe| {
            let position = probe.point.mean(&full.x);
            let displacement = std::array::from_fn(|c| position[c] - probe.rest[c]);
            (probe.name.clone(), ProbeSummary { position, displacement })
        });
        let mut reasons = run_loop.frozen_because();
        match outcome {
            Outcome::Diverged(error) => reasons.push(error.to_string()),
            Outcome::NotFinite(what) => reasons.push(what.clone()),
            Outcome::Done | Outcome::Stopped => {}
        }
        Self {
            scene: scene.to_string(),
            title: title.to_string(),
            status: match outcome {
                Outcome::Done if doubts.is_empty() => "done",
                Outcome::Done => "doubtful",
                Outcome::Diverged(_) | Outcome::NotFinite(_) => "diverged",
                Outcome::Stopped => "stopped",
            },
            reason: (!reasons.is_empty()).then(|| reasons.join("; ")),
            doubts,
            simulated_s: state.time,
            wall_s: wall,
            real_time_factor: state.time / wall,
            steps: state.step,
            last_step_s: state.solver.dt,
            stable_step_at_start_s: compiled.limit().dt,
            step_ms: run_loop.histogram.quantiles(),
            ladder: Some(run_loop.rungs.clone()).filter(|rungs| !rungs.steps.is_empty()),
            solver: Some(run_loop.effort).filter(|effort| effort.steps > 0),
            energy: Energies {
                kinetic: energy.kinetic,
                elastic: energy.elastic,
                gravity: energy.gravity,
                dissipated: energy.dissipated,
                work: energy.work,
                contact: energy.contact,
                total: energy.total(),
                drift: run_loop.drift(),
            },
            bodies: bodies(run_loop),
            probes: probes.collect(),
            reactions: reactions(world, compiled),
            contacts: Contacts::of(world),
            warnings,
            version: env!("CARGO_PKG_VERSION"),
            threads: pliant_numerics::parallel::thread_count(),
            simd: processor::simd_level(),
        }
    }
}

fn bodies(run_loop: &RunLoop) -> BTreeMap<String, BodySummary> {
    let (model, state) = (run_loop.world().model(), run_loop.world().state());
    let full = model.full_state(state);
    let fields = model.fields(&full);
    let one = |(index, fields): (usize, &pliant_solid::BodyFields)| {
        let body = &model.layout().bodies()[index];
        let place = |w: &u32| -> [f64; 3] { std::array::from_fn(|c| full.x[3 * *w as usize + c]) };
        let current: Vec<[f64; 3]> = body.world.iter().map(place).collect();
        let moved = current.iter().zip(body.mesh.positions());
        let distances = moved.map(|(x, r)| (0..3).map(|c| (x[c] - r[c]).powi(2)).sum::<f64>().sqrt());
        let max_displacement = distances.fold(0.0, f64::max);
        let nodes = body.nodes.clone();
        let inverted = fields.inverted();
        let (most, at) = run_loop.trust().most_inverted(index);
        // those of linear bodies are counted at the end only
        let (most, at) = if most < inverted as u64 { (inverted as u64, state.time) } else { (most, at) };
        (
            body.name.clone(),
            BodySummary {
                nodes: body.mesh.node_count(),
                elements: body.mesh.cell_count(),
                mass_kg: nodes.map(|n| model.mass()[n as usize]).sum(),
                volume_ratio: match body.mesh.cell_count() {
                    0 => 1.0, // particles without cells have no volume to change
                    _ => volume_with(&body.mesh, current) / body.mesh.volume(),
                },
                max_displacement,
                max_von_mises: fields.von_mises.iter().copied().fold(0.0, f64::max),
                inverted_elements: inverted,
                most_inverted_elements: most,
                most_inverted_at_s: (most > 0).then_some(at),
                frozen: state.holding.is_frozen(index),
                bones: bones(model, index, &full.x),
            },
        )
    };
    fields.iter().enumerate().map(one).collect()
}

fn bones(model: &Model, body: usize, x: &[f64]) -> BTreeMap<String, BoneSummary> {
    let one = |bone: &Bone| {
        let places = || bone.masters().map(|m| 3 * m as usize);
        let centre =
            std::array::from_fn(|c| places().map(|at| x[at + c]).sum::<f64>() / places().len() as f64);
        (bone.name.clone(), BoneSummary { elements: bone.elements, mass_kg: bone.mass, centre })
    };
    model.layout().bones().iter().filter(|bone| bone.body == body).map(one).collect()
}

/// What holds the nodes of every fix.
fn reactions(world: &World, compiled: &Compiled) -> Vec<Reaction> {
    let model = world.model();
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    let fixes = compiled.acting.iter().filter(|acting| matches!(acting.kind, ActingKind::Fix(_)));
    let one = |(pliant_solid::Reaction { body, force, moment }, fix): (_, &Acting)| {
        let count = counts.entry(body).or_default();
        *count += 1;
        let (name, body) = (fix.name.clone(), model.layout().bodies()[body].name.clone());
        Reaction { name, body, fix: *count, force, moment }
    };
    model.reactions(world.state()).zip(fixes).map(one).collect()
}

/// The volume of a mesh with its nodes elsewhere.
fn volume_with(mesh: &Mesh, positions: Vec<[f64; 3]>) -> f64 {
    let moved =
        Mesh::new(positions, mesh.tets().to_vec(), mesh.hexes().to_vec(), Vec::new(), BTreeMap::new());
    moved.map_or(f64::NAN, |mesh| mesh.volume())
}
