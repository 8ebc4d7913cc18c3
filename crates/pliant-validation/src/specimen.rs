//! One body with its holds and loads, described in a chain of calls.

use std::sync::Arc;

use pliant_geometry::{Mesh, Surface};
use pliant_solid::assembly::{InitialFields, Precision};
use pliant_solid::integrator::{Explicit, IntegratorKind, StepChoice};
use pliant_solid::law::LawKind;
use pliant_solid::term::{ForceTerm, LoadHistory, NodalForce, face_areas};
use pliant_solid::{
    BodyMatter, BodyShape, Fix, Layout, MassKind, Model, ModelParts, Motion, OnDivergence, World,
};

use crate::CaseError;
use crate::measure::{Vec3, nodes_in};
use crate::verify::MakeLaw;

type Region = Box<dyn Fn(Vec3) -> bool>;
type Field = Box<dyn Fn(Vec3) -> Vec3>;

/// The laws of quadratic strain, with their names.
pub const NONLINEAR: [(&str, MakeLaw); 2] =
    [("st-venant", LawKind::StVenant), ("neo-hookean", LawKind::NeoHookean)];

/// A body in the making: 1000 kg/m^3, lumped mass, free, at rest, until said otherwise.
pub struct Specimen {
    mesh: Mesh,
    matter: BodyMatter,
    gravity: Vec3,
    holds: Vec<(Region, [bool; 3])>,
    tractions: Vec<(Region, Vec3)>,
    velocity: Field,
}

impl Specimen {
    /// A mesh of one law.
    pub fn new(mesh: Mesh, law: LawKind) -> Self {
        let matter = BodyMatter {
            density: 1000.0,
            law,
            mass_damping: 0.0,
            stiffness_damping: 0.0,
            initial: InitialFields::default(),
            mass: MassKind::Lumped,
        };
        let velocity: Field = Box::new(|_| [0.0; 3]);
        Self { mesh, matter, gravity: [0.0; 3], holds: vec![], tractions: vec![], velocity }
    }

    /// kg/m^3.
    pub fn density(mut self, density: f64) -> Self {
        self.matter.density = density;
        self
    }

    /// Lumped or consistent.
    pub fn mass(mut self, mass: MassKind) -> Self {
        self.matter.mass = mass;
        self
    }

    /// m/s^2.
    pub fn gravity(mut self, gravity: Vec3) -> Self {
        self.gravity = gravity;
        self
    }

    /// Holds the nodes that rest in a region along some axes.
    pub fn hold(mut self, region: impl Fn(Vec3) -> bool + 'static, axes: [bool; 3]) -> Self {
        self.holds.push((Box::new(region), axes));
        self
    }

    /// A dead traction, Pa, on the surface faces all of whose corners rest in a region, from time zero on.
    pub fn traction(mut self, region: impl Fn(Vec3) -> bool + 'static, traction: Vec3) -> Self {
        self.tractions.push((Box::new(region), traction));
        self
    }

    /// Velocity at the start by rest position, m/s.
    pub fn velocity(mut self, velocity: impl Fn(Vec3) -> Vec3 + 'static) -> Self {
        self.velocity = Box::new(velocity);
        self
    }

    /// The model; its step matters to [`Self::world`] only.
    pub fn model(self) -> Result<Arc<Model>, CaseError> {
        self.model_with(StepChoice::Auto { safety: 0.9 })
    }

    /// Ready to step with a fixed length, s.
    pub fn world(self, dt: f64) -> Result<World, CaseError> {
        let model = self.model_with(StepChoice::Fixed(dt))?;
        Ok(World::new(model, OnDivergence::Stop)?)
    }

    fn model_with(self, step: StepChoice) -> Result<Arc<Model>, CaseError> {
        let Self { mesh, matter, gravity, holds, tractions, velocity } = self;
        let mesh = Arc::new(mesh);
        let shape = BodyShape { name: "specimen".into(), mesh: Arc::clone(&mesh), hanging: vec![] };
        let layout = Layout::new(vec![shape]);
        let fix = |(region, axes): &(Region, [bool; 3])| Fix {
            nodes: nodes_in(&layout, region),
            axes: *axes,
            motion: Motion::Still,
            release: None,
        };
        let term = |(region, traction): &(Region, Vec3)| -> Arc<dyn ForceTerm> {
            let forces = traction_forces(&mesh, &layout, region, |_| *traction);
            Arc::new(NodalForce { forces, history: LoadHistory::default() })
        };
        let parts = ModelParts {
            matter: vec![matter],
            gravity,
            fixes: holds.iter().map(fix).collect(),
            terms: tractions.iter().map(term).collect(),
            velocity: (0..layout.free_count() as u32).flat_map(|n| velocity(layout.rest_of(n))).collect(),
            precision: Precision::Double,
            integrator: IntegratorKind::Explicit(Explicit { step }),
            layout,
        };
        Ok(Arc::new(Model::new(parts)?))
    }
}

/// int N_i t dA over the surface faces in a region, with t chosen by the face's outward normal.
pub fn traction_forces(
    mesh: &Mesh,
    layout: &Layout,
    region: impl Fn(Vec3) -> bool,
    traction: impl Fn(Vec3) -> Vec3,
) -> Vec<(u32, Vec3)> {
    let faces = Surface::of(mesh).map(|s| s.faces).unwrap_or_default();
    let positions = mesh.positions();
    let mut out = Vec::new();
    for face in faces.iter().filter(|f| f.nodes().iter().all(|n| region(positions[*n as usize]))) {
        let area = face.area_vector(positions);
        let length = area.iter().map(|c| c * c).sum::<f64>().sqrt();
        let pull = traction(area.map(|c| c / length));
        for (node, share) in face_areas(&face.nodes, positions) {
            out.push((layout.bodies()[0].world[node as usize], pull.map(|t| share * t)));
        }
    }
    out
}
