//! Everything that does not change while a simulation runs.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::assembly::{BuildError, Precision};
use crate::contact::{Carrier, Collider, ContactSettings, Skin};
use crate::fix::Fix;
use crate::holding::Holding;
use crate::ids::BodyId;
use crate::inertia::Inertia;
use crate::layout::Layout;
use crate::matter::{MassKind, Matter};
use crate::rigid::project;
use crate::state::State;
use crate::structure::{Elimination, Structure, elimination};
use crate::term::{At, ForceTerm, until};
use crate::world_surface::WorldSurface;

/// The parts a model is made from.
pub struct ModelParts {
    /// Numbering.
    pub layout: Layout,
    /// One per body.
    pub matter: Vec<Matter>,
    /// m/s^2.
    pub gravity: [f64; 3],
    /// Held nodes.
    pub fixes: Vec<Fix>,
    /// Rigid shapes that bodies meet.
    pub colliders: Vec<Collider>,
    /// How bodies answer them.
    pub contact: ContactSettings,
    /// What of each body touches; empty where all are plain.
    pub skins: Vec<Skin>,
    /// Loads and grabs.
    pub terms: Vec<Arc<dyn ForceTerm>>,
    /// Velocity of every free node at the start, three per node, m/s.
    pub velocity: Vec<f64>,
    /// Lanes of the element blocks.
    pub precision: Precision,
}

/// A node of a fix.
#[derive(Clone, Copy, Debug)]
pub struct FixedNode<'a> {
    /// Where its reaction is in the state's.
    pub slot: usize,
    /// The fix's place in the model.
    pub index: usize,
    /// The fix.
    pub fix: &'a Fix,
    /// The node.
    pub node: u32,
}

/// The constant half of a simulation.
pub struct Model {
    layout: Layout,
    matter: Vec<Matter>,
    gravity: [f64; 3],
    fixes: Vec<Fix>,
    colliders: Vec<Collider>,
    contact: ContactSettings,
    skins: Vec<Skin>,
    surface: OnceLock<WorldSurface>,
    terms: Vec<Arc<dyn ForceTerm>>,
    /// Where each term's history is in the state's.
    histories: Vec<Range<usize>>,
    velocity: Vec<f64>,
    volumes: Vec<f64>,
    mass: Vec<f64>,
    /// 1 / mass, and 0 for a node in no element, which has none and does not move.
    inverse_mass: Vec<f64>,
    damping: Vec<f64>,
    /// Where a body asks for consistent mass.
    inertia: Option<Inertia>,
    structure: OnceLock<Structure>,
    elimination: OnceLock<Elimination>,
    precision: Precision,
}

impl Model {
    /// Builds terms and masses.
    pub fn new(parts: ModelParts) -> Result<Self, BuildError> {
        let ModelParts {
            layout,
            matter,
            gravity,
            fixes,
            colliders,
            contact,
            skins,
            terms: others,
            velocity,
            precision,
        } = parts;
        let mut terms = Vec::new();
        let mut mass = vec![0.0; layout.node_count()];
        let mut damping = vec![0.0; layout.node_count()];
        for (b, (body, matter)) in layout.bodies().iter().zip(&matter).enumerate() {
            terms.extend(matter.terms(b, body, (layout.rest(), precision))?);
            let inertia = matter.node_inertia(&body.mesh, &body.soft);
            for ([own, drag], world) in inertia.into_iter().zip(&body.world) {
                mass[*world as usize] += own;
                damping[*world as usize] += drag;
            }
        }
        layout.hand_over_scalars(&mut mass, |bone| bone.mass);
        layout.hand_over_scalars(&mut damping, |bone| matter[bone.body].mass_damping() * bone.mass);
        terms.extend(others);
        let histories = consecutive(terms.iter().map(|t| t.history_length()));
        let inverse_mass = mass.iter().map(|m| if *m > 0.0 { 1.0 / m } else { 0.0 }).collect();
        let volumes = layout.bodies().iter().zip(&matter).map(|(body, matter)| matter.volume(&body.mesh));
        let mut model = Self {
            volumes: volumes.collect(),
            layout,
            matter,
            gravity,
            fixes,
            colliders,
            contact,
            skins,
            surface: OnceLock::new(),
            terms,
            histories,
            velocity,
            mass,
            inverse_mass,
            damping,
            inertia: None,
            structure: OnceLock::new(),
            elimination: OnceLock::new(),
            precision,
        };
        if model.matter.iter().any(|matter| matter.mass_kind() == MassKind::Consistent) {
            let inertia =
                Inertia::new(&model.layout, &model.matter, [&model.mass, &model.damping], model.structure());
            model.inertia = Some(inertia);
        }
        Ok(model)
    }

    /// Numbering of nodes.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What the bodies are made of.
    pub fn matter(&self) -> &[Matter] {
        &self.matter
    }

    /// The volume that a body fills at rest, m^3; that of a network is an estimate.
    pub fn volume(&self, body: usize) -> f64 {
        self.volumes[body]
    }

    /// m/s^2.
    pub fn gravity(&self) -> [f64; 3] {
        self.gravity
    }

    /// Held nodes.
    pub fn fixes(&self) -> &[Fix] {
        &self.fixes
    }

    /// Rigid shapes that bodies meet.
    pub fn colliders(&self) -> &[Collider] {
        &self.colliders
    }

    /// How bodies answer them.
    pub fn contact_settings(&self) -> &ContactSettings {
        &self.contact
    }

    /// Distance from a body's surface at which contact begins, m.
    pub fn skin_thickness(&self, body: BodyId) -> f64 {
        self.skins.get(body.index()).map_or(0.0, |skin| skin.thickness)
    }

    /// Pressure per depth of `penalty` where nobody gives one, Pa/m: ten times what a cell of the body itself answers.
    pub(crate) fn usual_contact_stiffness(&self, body: BodyId) -> f64 {
        10.0 * self.matter[body.index()].stiffest_young() / self.cell_size(body.index())
    }

    /// The size of a cell of a body, m; particles without cells stand for cubes.
    pub(crate) fn cell_size(&self, body: usize) -> f64 {
        let mesh = &self.layout.bodies()[body].mesh;
        let count = if mesh.cell_count() == 0 { mesh.node_count() } else { mesh.cell_count() };
        (self.volumes[body] / count.max(1) as f64).cbrt()
    }

    /// The surface of all bodies; found when it is first asked for.
    pub fn surface(&self) -> &WorldSurface {
        self.surface.get_or_init(|| WorldSurface::new(&self.layout, &self.skins))
    }

    /// Every node of every fix, with the fix's place in the model and that of its reaction in the state.
    pub fn fixed_nodes(&self) -> impl Iterator<Item = FixedNode<'_>> {
        let nodes = self
            .fixes
            .iter()
            .enumerate()
            .flat_map(|(index, fix)| fix.nodes.iter().map(move |node| (index, fix, *node)));
        nodes.enumerate().map(|(count, (index, fix, node))| FixedNode { slot: 3 * count, index, fix, node })
    }

    /// Those whose fix holds.
    pub(crate) fn held_nodes<'a>(&'a self, holding: &'a Holding) -> impl Iterator<Item = FixedNode<'a>> {
        self.fixed_nodes().filter(|held| holding.holds(held.index))
    }

    /// What holds at a time by scripts alone.
    pub fn holding_by_script(&self, time: f64) -> Holding {
        Holding::by_script(&self.fixes, self.layout.bodies().len(), time)
    }

    /// All force terms, elements first.
    pub fn terms(&self) -> &[Arc<dyn ForceTerm>] {
        &self.terms
    }

    /// All force terms, each with the state as it sees it: its own part of the history.
    pub(crate) fn terms_at<'a>(&'a self, at: At<'a>) -> impl Iterator<Item = (&'a dyn ForceTerm, At<'a>)> {
        let one = move |(term, own): (&'a Arc<dyn ForceTerm>, &Range<usize>)| {
            (&**term, At { history: &at.history[own.clone()], ..at })
        };
        self.terms.iter().zip(&self.histories).map(one)
    }

    /// Where each term's history is.
    pub(crate) fn histories(&self) -> &[Range<usize>] {
        &self.histories
    }

    /// Lumped mass of every free node, kg.
    pub fn mass(&self) -> &[f64] {
        &self.mass
    }

    /// 1 / mass of every free node, 1/kg; 0 for a node in no element.
    pub fn inverse_mass(&self) -> &[f64] {
        &self.inverse_mass
    }

    /// Mass-proportional damping of every free node, kg/s.
    pub fn damping(&self) -> &[f64] {
        &self.damping
    }

    /// Full matrices of mass and mass-proportional damping, where a body has consistent mass.
    pub fn inertia(&self) -> Option<&Inertia> {
        self.inertia.as_ref()
    }

    /// Which nodes couple; found when it is first asked for.
    pub fn structure(&self) -> &Structure {
        self.structure.get_or_init(|| Structure::new(&self.layout, &self.terms))
    }

    /// In which order factors eliminate nodes; found when it is first asked for, since gradients do without.
    pub fn elimination(&self) -> &Elimination {
        self.elimination.get_or_init(|| elimination(&self.layout, self.structure()))
    }

    /// Lanes of the element blocks.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// Whether any node is damped in proportion to its mass.
    pub fn is_mass_damped(&self) -> bool {
        self.matter.iter().any(|m| m.mass_damping() > 0.0)
    }

    /// Whether any body has an initial strain or stress, or wants another shape.
    pub fn is_prestressed(&self) -> bool {
        self.matter.iter().any(Matter::is_prestressed)
    }

    /// Whether any term depends on velocities.
    pub fn has_rate_terms(&self) -> bool {
        self.terms.iter().any(|t| t.caps().rate)
    }

    /// The longest step that follows the scripts of held nodes and loads and mass-proportional damping at a time, s. A quarter of
    /// 1 / damping stops a flying body within 2 % of where it should; beyond 2 / damping velocities would turn round.
    pub fn resolution(&self, time: f64) -> f64 {
        let damping = self.matter.iter().map(|m| 0.25 / m.mass_damping());
        let loads = self.terms.iter().map(|t| t.pace(time));
        damping.chain(loads).fold(self.motion_resolution(time), f64::min)
    }

    /// The longest step that follows the scripts of held nodes and colliders at a time, s.
    fn motion_resolution(&self, time: f64) -> f64 {
        let held = self.fixes.iter().filter(|f| f.holds(time));
        let held = held.map(|f| f.motion.resolution(time));
        let scripted = |collider: &Collider| match &collider.carrier {
            Carrier::Script(motion) => motion.resolution(time),
            Carrier::Bone(_) => f64::INFINITY,
        };
        held.chain(self.colliders.iter().map(scripted)).fold(f64::INFINITY, f64::min)
    }

    /// The longest step that follows all scripts at a time and ends where one of them jumps, s: for methods whose steps are as long as
    /// motion allows. Those of the explicit method are short enough, and must be held.
    pub fn script_resolution(&self, time: f64) -> f64 {
        let releases = self.fixes.iter().filter_map(|f| f.release).map(|release| until(release, time));
        let terms = self.terms.iter().map(|t| t.resolution(time));
        releases.chain(terms).fold(self.motion_resolution(time), f64::min)
    }

    /// The first time after another at which a load or a hand begins or ends, or a fix lets go, s; infinite where there is none.
    pub(crate) fn next_jump(&self, time: f64) -> f64 {
        let releases = self.fixes.iter().filter_map(|f| f.release).filter(|r| until(*r, time).is_finite());
        releases.fold(self.next_jump_of_forces(time), f64::min)
    }

    /// The same of loads and hands alone.
    pub(crate) fn next_jump_of_forces(&self, time: f64) -> f64 {
        self.terms.iter().map(|t| t.next_jump(time)).fold(f64::INFINITY, f64::min)
    }

    /// The state at time zero; accelerations are the integrator's to find.
    pub fn initial_state(&self) -> State {
        let free = 3 * self.layout.free_count();
        let held: usize = self.fixes.iter().map(|f| f.nodes.len()).sum();
        let mut state = State {
            x: self.layout.rest()[..free].to_vec(),
            v: self.velocity.clone(),
            a: vec![0.0; free],
            history: vec![0.0; self.histories.last().map_or(0, |last| last.end)],
            reactions: vec![0.0; 3 * held],
            holding: self.holding_by_script(0.0),
            travelled: vec![0.0; self.layout.bodies().len()],
            ..State::default()
        };
        project(self.layout.skeleton(), &mut state, |_| false);
        for (_, fix) in state.holding.fixes(&self.fixes) {
            for &node in &fix.nodes {
                let start = fix.motion.at(0.0, self.layout.rest_of(node));
                for c in (0..3).filter(|c| fix.axes[*c]) {
                    state.v[3 * node as usize + c] = start.v[c];
                }
            }
        }
        state
    }
}

/// Ranges of the given lengths, one after another.
fn consecutive(lengths: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let mut end = 0;
    lengths
        .map(|length| {
            end += length;
            end - length..end
        })
        .collect()
}
