//! One body with its holds and loads, described in a chain of calls.

use std::sync::Arc;

use pliant_geometry::{Mesh, Moments, Surface, moments};
use pliant_solid::assembly::{Precision, lumped_volumes};
use pliant_solid::contact::{Collider, ContactSettings};
use pliant_solid::integrator::{
    Course, Explicit, ImplicitEuler, IntegratorKind, Newmark, Statics, StepChoice,
};
use pliant_solid::law::{LawKind, StretchLimit};
use pliant_solid::rigid::{BoneShape, Joint};
use pliant_solid::term::{ForceTerm, LoadHistory, NodalForce, face_areas};
use pliant_solid::{
    BodyShape, Fix, Layout, MassKind, Material, Matter, Model, ModelParts, Motion, Network, OnDivergence,
    World,
};

use crate::CaseError;
use crate::measure::{Vec3, nodes_in};
use crate::rest::Rest;
use crate::verify::{MakeLaw, Perturbation};

type Region = Box<dyn Fn(Vec3) -> bool>;
type Field = Box<dyn Fn(Vec3) -> Vec3>;

/// The laws of quadratic strain, with their names.
pub const NONLINEAR: [(&str, MakeLaw); 2] =
    [("st-venant", LawKind::StVenant), ("neo-hookean", LawKind::NeoHookean)];

/// End of a static run, s: there is no other time in it.
const END: f64 = 1.0;
/// Forces left over, as a part of the elements' forces.
const TOLERANCE: f64 = 1e-10;

/// Nodes held together.
struct Hold {
    region: Region,
    axes: [bool; 3],
    motion: Motion,
}

/// A body in the making: 1000 kg/m^3, lumped mass, free, at rest, until said otherwise.
pub struct Specimen {
    mesh: Mesh,
    bones: Vec<BoneShape>,
    matter: Matter,
    colliders: Vec<Collider>,
    contact: ContactSettings,
    gravity: Vec3,
    holds: Vec<Hold>,
    /// Nodes that each have a way of their own.
    shifts: Vec<(Region, Field)>,
    /// By the outward normal.
    tractions: Vec<(Region, Field)>,
    /// By node of the mesh.
    forces: Vec<(u32, Vec3)>,
    velocity: Field,
    /// Where the nodes that are free are thought to be at first.
    guess: Option<Field>,
}

impl Specimen {
    /// A mesh of one law.
    pub fn new(mesh: Mesh, law: LawKind) -> Self {
        Self::of_matter(mesh, Material::new(1000.0, law).into())
    }

    /// Springs between the nodes of a mesh.
    pub fn of_network(mesh: Mesh, network: Network) -> Self {
        let matter = Matter::of_network(network, &mesh);
        Self::of_matter(mesh, matter)
    }

    fn of_matter(mesh: Mesh, matter: Matter) -> Self {
        Self {
            mesh,
            bones: vec![],
            matter,
            colliders: vec![],
            contact: ContactSettings::default(),
            gravity: [0.0; 3],
            holds: vec![],
            shifts: vec![],
            tractions: vec![],
            forces: vec![],
            velocity: Box::new(|_| [0.0; 3]),
            guess: None,
        }
    }

    /// Changes what the elements are made of; springs are made of nothing else.
    fn with(mut self, change: impl Fn(&mut Material)) -> Self {
        if let Matter::Elements(solid) = &mut self.matter {
            solid.regions.iter_mut().for_each(|region| change(&mut region.material));
        }
        self
    }

    /// kg/m^3.
    pub fn density(self, density: f64) -> Self {
        self.with(|material| material.density = density)
    }

    /// A limit of stretch.
    pub fn limited(self, limit: StretchLimit) -> Self {
        self.with(|material| material.limit = Some(limit))
    }

    /// Lumped or consistent.
    pub fn mass(mut self, mass: MassKind) -> Self {
        if let Matter::Elements(solid) = &mut self.matter {
            solid.mass = mass;
        }
        self
    }

    /// Damping by mass, 1/s.
    pub fn mass_damping(self, rate: f64) -> Self {
        self.with(|material| material.mass_damping = rate)
    }

    /// Damping by stiffness, s.
    pub fn stiffness_damping(self, time: f64) -> Self {
        self.with(|material| material.stiffness_damping = time)
    }

    /// Makes all of it rigid, with a motion of its own; a perturbation may give it another inertia.
    pub fn rigid(mut self, joint: Joint, perturbation: Perturbation) -> Result<Self, CaseError> {
        let cells: Vec<u32> = (0..self.mesh.cell_count() as u32).collect();
        let density = self.matter.uniform_density().unwrap_or_default();
        let moments = match perturbation {
            Perturbation::LumpedInertia => {
                let volumes = lumped_volumes(&self.mesh);
                Moments::of_points(self.mesh.positions().iter().copied().zip(volumes))
            }
            _ => moments(&self.mesh, &cells),
        };
        let parts = (cells, (0..self.mesh.node_count() as u32).collect());
        self.bones.push(BoneShape::new("rigid", parts, joint, &moments.times(density))?);
        Ok(self)
    }

    /// m/s^2.
    pub fn gravity(mut self, gravity: Vec3) -> Self {
        self.gravity = gravity;
        self
    }

    /// A rigid shape that it meets.
    pub fn collider(mut self, collider: Collider) -> Self {
        self.colliders.push(collider);
        self
    }

    /// How it answers contacts.
    pub fn contact(mut self, contact: ContactSettings) -> Self {
        self.contact = contact;
        self
    }

    /// Holds the nodes that rest in a region along some axes.
    pub fn hold(self, region: impl Fn(Vec3) -> bool + 'static, axes: [bool; 3]) -> Self {
        self.carry(region, axes, Motion::Still)
    }

    /// Holds the nodes that rest below a plane through the origin along its normal: a plane of symmetry.
    pub fn mirror(self, axis: usize) -> Self {
        self.hold(move |p| p[axis] < 1e-9, std::array::from_fn(|c| c == axis))
    }

    /// Moves the nodes that rest in a region, along some axes.
    pub fn carry(mut self, region: impl Fn(Vec3) -> bool + 'static, axes: [bool; 3], motion: Motion) -> Self {
        self.holds.push(Hold { region: Box::new(region), axes, motion });
        self
    }

    /// Displaces every node that rests in a region by a field of its rest position, m.
    pub fn displace(
        mut self,
        region: impl Fn(Vec3) -> bool + 'static,
        field: impl Fn(Vec3) -> Vec3 + 'static,
    ) -> Self {
        self.shifts.push((Box::new(region), Box::new(field)));
        self
    }

    /// A dead traction, Pa, on the surface faces all of whose corners rest in a region, from time zero on.
    pub fn traction(self, region: impl Fn(Vec3) -> bool + 'static, traction: Vec3) -> Self {
        self.traction_by(region, move |_| traction)
    }

    /// The same, by the outward normal of the face.
    pub fn traction_by(
        mut self,
        region: impl Fn(Vec3) -> bool + 'static,
        traction: impl Fn(Vec3) -> Vec3 + 'static,
    ) -> Self {
        self.tractions.push((Box::new(region), Box::new(traction)));
        self
    }

    /// Dead forces on nodes of the mesh, N.
    pub fn forces(mut self, forces: impl IntoIterator<Item = (u32, Vec3)>) -> Self {
        self.forces.extend(forces);
        self
    }

    /// Velocity at the start by rest position, m/s.
    pub fn velocity(mut self, velocity: impl Fn(Vec3) -> Vec3 + 'static) -> Self {
        self.velocity = Box::new(velocity);
        self
    }

    /// Starts the search for equilibrium away from rest, by a field of the rest position, m.
    pub fn guess(mut self, offset: impl Fn(Vec3) -> Vec3 + 'static) -> Self {
        self.guess = Some(Box::new(offset));
        self
    }

    /// The model; how it is stepped does not matter.
    pub fn model(self) -> Result<Arc<Model>, CaseError> {
        self.built()
    }

    /// Ready for central differences with a fixed step, s.
    pub fn world(self, dt: f64) -> Result<World, CaseError> {
        self.world_with(IntegratorKind::Explicit(Explicit { step: StepChoice::Fixed(dt) }))
    }

    /// Ready for average acceleration with a fixed step, s.
    pub fn newmark(self, dt: f64) -> Result<World, CaseError> {
        // what is left over in a step adds up over thousands
        let (step, tolerance) = (StepChoice::Fixed(dt), 1e-13);
        self.world_with(IntegratorKind::Newmark(Newmark { step, tolerance, ..Newmark::default() }))
    }

    /// Ready for implicit Euler.
    pub fn euler(self, integrator: ImplicitEuler) -> Result<World, CaseError> {
        self.world_with(IntegratorKind::ImplicitEuler(integrator))
    }

    /// The equilibrium under full loads.
    pub fn resting(self) -> Result<Rest, CaseError> {
        self.rest()?.or_stop()
    }

    /// The last sound equilibrium on the way to full loads.
    pub fn rest(mut self) -> Result<Rest, CaseError> {
        let guess = self.guess.take();
        let step = StepChoice::Auto { safety: 1.0 };
        let statics = Statics { course: Course::Resting, duration: END, step, tolerance: TOLERANCE };
        let mut world = self.world_with(IntegratorKind::Statics(statics))?;
        if let Some(guess) = guess {
            let mut state = world.state().clone();
            for (node, x) in state.x.chunks_exact_mut(3).enumerate() {
                let offset = guess(world.model().layout().rest_of(node as u32));
                (0..3).for_each(|c| x[c] += offset[c]);
            }
            world.restore(state)?;
        }
        Ok(Rest::of(world, END))
    }

    fn world_with(self, integrator: IntegratorKind) -> Result<World, CaseError> {
        Ok(World::new(self.built()?, integrator, OnDivergence::Stop)?)
    }

    fn built(self) -> Result<Arc<Model>, CaseError> {
        let mesh = Arc::new(self.mesh.clone());
        let shape = BodyShape { bones: self.bones.clone(), ..BodyShape::new("specimen", mesh) };
        let layout = Layout::new(vec![shape]);
        let nodes = 0..layout.free_count() as u32;
        let parts = ModelParts {
            gravity: self.gravity,
            fixes: self.fixes(&layout),
            colliders: self.colliders.clone(),
            contact: self.contact,
            skins: vec![],
            terms: self.loads(&layout),
            velocity: nodes.flat_map(|n| (self.velocity)(layout.rest_of(n))).collect(),
            precision: Precision::Double,
            matter: vec![self.matter],
            layout,
        };
        Ok(Arc::new(Model::new(parts)?))
    }

    fn fixes(&self, layout: &Layout) -> Vec<Fix> {
        let held = self.holds.iter().map(|hold| Fix {
            nodes: nodes_in(layout, &hold.region),
            axes: hold.axes,
            motion: hold.motion.clone(),
            release: None,
        });
        let shifted = self.shifts.iter().flat_map(|(region, field)| {
            nodes_in(layout, region).into_iter().map(|node| Fix {
                nodes: vec![node],
                axes: [true; 3],
                motion: shift(field(layout.rest_of(node))),
                release: None,
            })
        });
        held.chain(shifted).collect()
    }

    fn loads(&self, layout: &Layout) -> Vec<Arc<dyn ForceTerm>> {
        let world = &layout.bodies()[0].world;
        let pulls = self.tractions.iter().map(|(region, by)| traction_forces(&self.mesh, layout, region, by));
        let forces = self.forces.iter().map(|(node, force)| (world[*node as usize], *force)).collect();
        let term = |forces| -> Arc<dyn ForceTerm> {
            Arc::new(NodalForce { forces, history: LoadHistory::default() })
        };
        pulls.chain([forces]).filter(|forces: &Vec<_>| !forces.is_empty()).map(term).collect()
    }
}

/// A straight way to a displacement, m.
pub fn shift(shift: Vec3) -> Motion {
    Motion::Carry { shift, turn: None, over: END }
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
