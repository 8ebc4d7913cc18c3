//! Small worlds for tests: bodies, holds, loads and a start in one chain of calls.
#![allow(dead_code, missing_docs)] // every test file uses its own part

pub mod between_rungs;
pub mod draft;
pub mod linear_algebra;
pub mod meshes;
pub mod statics;

use std::sync::Arc;

use pliant_geometry::Mesh;
use pliant_numerics::Mat3;
use pliant_solid::assembly::{BuildError, Precision};
use pliant_solid::contact::{ContactSettings, Response, Skin};
use pliant_solid::integrator::{
    Course, Explicit, Inputs, IntegratorKind, Newmark, Refusal, Statics, StepChoice, StepError, StepReport,
};
use pliant_solid::law::{ElasticModuli, LawKind};
use pliant_solid::rigid::{Around, BoneShape, Joint};
use pliant_solid::term::{At, ForceTerm, Scatter};
use pliant_solid::{
    Attached, BodyShape, Fix, FullState, Hanging, Layout, Model, ModelParts, Motion, OnDivergence, Scheme,
    World,
};

pub use self::draft::Draft;

pub type Vec3 = [f64; 3];
type Region = Box<dyn Fn(Vec3) -> bool>;
type MakeTerm = Box<dyn Fn(&Layout) -> Arc<dyn ForceTerm>>;

pub fn moduli(young: f64, poisson: f64) -> ElasticModuli {
    ElasticModuli::new(young, poisson).unwrap()
}

/// The three laws with the same moduli.
pub fn laws(young: f64, poisson: f64) -> [(&'static str, LawKind); 4] {
    let m = moduli(young, poisson);
    [
        ("linear", LawKind::Linear(m)),
        ("st-venant", LawKind::StVenant(m)),
        ("neo-hookean", LawKind::NeoHookean(m)),
        ("corotated", LawKind::Corotated(m)),
    ]
}

/// A scene in the making; the last body added is the one that body settings change.
pub struct Scene {
    shapes: Vec<BodyShape>,
    matter: Vec<Draft>,
    gravity: Vec3,
    holds: Vec<(Region, [bool; 3], Motion, Option<f64>)>,
    colliders: Vec<pliant_solid::contact::Collider>,
    contact: ContactSettings,
    skins: Vec<Skin>,
    terms: Vec<MakeTerm>,
    velocity: Box<dyn Fn(Vec3) -> Vec3>,
    precision: Precision,
    integrator: IntegratorKind,
    on_divergence: OnDivergence,
}

impl Scene {
    /// One body named `first`, 1000 kg/m^3, free, at rest, with an automatic step.
    pub fn new(mesh: Mesh, law: LawKind) -> Self {
        let scene = Self {
            shapes: vec![],
            matter: vec![],
            gravity: [0.0; 3],
            holds: vec![],
            colliders: vec![],
            contact: ContactSettings::default(),
            skins: vec![],
            terms: vec![],
            velocity: Box::new(|_| [0.0; 3]),
            precision: Precision::Double,
            integrator: explicit(),
            on_divergence: OnDivergence::Stop,
        };
        scene.body("first", mesh, law)
    }

    pub fn body(mut self, name: &str, mesh: Mesh, law: LawKind) -> Self {
        self.shapes.push(BodyShape::new(name, Arc::new(mesh)));
        self.matter.push(Draft::of(law));
        self
    }

    pub fn matter(mut self, change: impl Fn(&mut Draft)) -> Self {
        change(self.matter.last_mut().unwrap());
        self
    }

    pub fn density(self, density: f64) -> Self {
        self.matter(|m| m.density = density)
    }

    pub fn hanging(mut self, hanging: Vec<Hanging>) -> Self {
        self.shapes.last_mut().unwrap().hanging = hanging;
        self
    }

    /// Makes the cells rigid whose centre lies in a region; the body's own density must be set before.
    pub fn bone(mut self, region: impl Fn(Vec3) -> bool, joint: Joint, density: f64) -> Self {
        let soft_density = self.matter.last().unwrap().density;
        let shape = self.shapes.last_mut().unwrap();
        let mesh = Arc::clone(&shape.mesh);
        let all = 0..mesh.cell_count() as u32;
        let (cells, soft): (Vec<u32>, Vec<u32>) = all.partition(|c| region(mesh.cell_centroid(*c as usize)));
        let around = Around { soft: &soft, soft_density, tied: &[] };
        shape.bones.push(BoneShape::of_cells("bone", (&mesh, cells), joint, density, around).unwrap());
        self
    }

    pub fn bones(mut self, bones: Vec<BoneShape>) -> Self {
        self.shapes.last_mut().unwrap().bones = bones;
        self
    }

    pub fn attached(mut self, attached: Vec<Attached>) -> Self {
        self.shapes.last_mut().unwrap().attached = attached;
        self
    }

    pub fn gravity(mut self, gravity: Vec3) -> Self {
        self.gravity = gravity;
        self
    }

    /// Holds the nodes that rest in a region.
    pub fn hold(self, region: impl Fn(Vec3) -> bool + 'static) -> Self {
        self.hold_along(region, [true; 3], Motion::Still, None)
    }

    pub fn carry(self, region: impl Fn(Vec3) -> bool + 'static, motion: Motion) -> Self {
        self.hold_along(region, [true; 3], motion, None)
    }

    pub fn hold_along(
        mut self,
        region: impl Fn(Vec3) -> bool + 'static,
        axes: [bool; 3],
        motion: Motion,
        release: Option<f64>,
    ) -> Self {
        self.holds.push((Box::new(region), axes, motion, release));
        self
    }

    pub fn collider(mut self, collider: pliant_solid::contact::Collider) -> Self {
        self.colliders.push(collider);
        self
    }

    /// Particles and what joins them.
    pub fn of_network(mesh: Mesh, network: pliant_solid::Network) -> Self {
        let matter = pliant_solid::Matter::of_network(network, &mesh);
        let none = LawKind::Linear(moduli(1.0, 0.0));
        Self::new(mesh, none).matter(move |m| m.finished = Some(matter.clone()))
    }

    /// What of the last body touches.
    pub fn skin(mut self, skin: Skin) -> Self {
        self.skins.resize(self.shapes.len(), Skin::default());
        *self.skins.last_mut().unwrap() = skin;
        self
    }

    pub fn contact(mut self, change: impl Fn(&mut ContactSettings)) -> Self {
        change(&mut self.contact);
        self
    }

    pub fn response(mut self, response: Response) -> Self {
        self.contact.response = Some(response);
        self
    }

    pub fn term<T: ForceTerm + 'static>(mut self, make: impl Fn(&Layout) -> T + 'static) -> Self {
        self.terms.push(Box::new(move |layout| Arc::new(make(layout))));
        self
    }

    /// Velocity at the start by rest position.
    pub fn velocity(mut self, velocity: impl Fn(Vec3) -> Vec3 + 'static) -> Self {
        self.velocity = Box::new(velocity);
        self
    }

    pub fn precision(mut self, precision: Precision) -> Self {
        self.precision = precision;
        self
    }

    pub fn dt(mut self, dt: f64) -> Self {
        self.integrator = IntegratorKind::Explicit(Explicit { step: StepChoice::Fixed(dt) });
        self
    }

    pub fn auto(mut self, safety: f64) -> Self {
        self.integrator = IntegratorKind::Explicit(Explicit { step: StepChoice::Auto { safety } });
        self
    }

    pub fn newmark(mut self, dt: f64) -> Self {
        self.integrator =
            IntegratorKind::Newmark(Newmark { step: StepChoice::Fixed(dt), ..Newmark::default() });
        self
    }

    pub fn integrator(mut self, integrator: IntegratorKind) -> Self {
        self.integrator = integrator;
        self
    }

    /// The resting shape under full loads, in automatic load steps over one second of pretended time.
    pub fn statics(self) -> Self {
        let step = StepChoice::Auto { safety: 1.0 };
        let statics = Statics { course: Course::Resting, duration: 1.0, step, tolerance: 1e-10 };
        self.integrator(IntegratorKind::Statics(statics))
    }

    pub fn freeze_on_divergence(mut self) -> Self {
        self.on_divergence = OnDivergence::Freeze;
        self
    }

    fn parts(&self) -> ModelParts {
        let layout = Layout::new(self.shapes.clone());
        let fix = |(region, axes, motion, release): &(Region, [bool; 3], Motion, Option<f64>)| Fix {
            nodes: nodes_in(&layout, region),
            axes: *axes,
            motion: motion.clone(),
            release: *release,
        };
        ModelParts {
            matter: self.matter.iter().map(Draft::matter).collect(),
            gravity: self.gravity,
            fixes: self.holds.iter().map(fix).collect(),
            colliders: self.colliders.clone(),
            contact: self.contact,
            skins: self.skins.clone(),
            terms: self.terms.iter().map(|make| make(&layout)).collect(),
            velocity: (0..layout.free_count() as u32)
                .flat_map(|n| (self.velocity)(layout.rest_of(n)))
                .collect(),
            precision: self.precision,
            layout,
        }
    }

    pub fn model(&self) -> Arc<Model> {
        Arc::new(self.try_model().unwrap())
    }

    pub fn try_model(&self) -> Result<Model, BuildError> {
        Model::new(self.parts())
    }

    pub fn world(&self) -> World {
        self.try_world().unwrap()
    }

    pub fn try_world(&self) -> Result<World, Refusal> {
        World::new(self.model(), self.integrator.clone(), self.on_divergence)
    }

    pub fn scheme(&self) -> Arc<Scheme> {
        self.integrator.clone().into()
    }
}

/// The explicit method, for what knows a model alone.
pub fn explicit() -> IntegratorKind {
    IntegratorKind::Explicit(Explicit { step: StepChoice::Auto { safety: 0.9 } })
}

/// Free world nodes whose rest position lies in a region.
pub fn nodes_in(layout: &Layout, region: &dyn Fn(Vec3) -> bool) -> Vec<u32> {
    (0..layout.free_count() as u32).filter(|&n| region(layout.rest_of(n))).collect()
}

/// The world node that rests at a place.
pub fn node_at(layout: &Layout, place: Vec3) -> u32 {
    let near = |n: u32| (0..3).all(|c| (layout.rest_of(n)[c] - place[c]).abs() < 1e-9);
    (0..layout.node_count() as u32).find(|&n| near(n)).unwrap()
}

/// Steps until a time, and what each of them told; or why there is no next one.
pub fn run_until(world: &mut World, end: f64) -> (Vec<StepReport>, Option<StepError>) {
    let inputs = Inputs { end: Some(end), ..Inputs::default() };
    let mut reports = Vec::new();
    while world.state().time < end {
        match world.step(&inputs) {
            Ok(report) => reports.push(report),
            Err(error) => return (reports, Some(error)),
        }
    }
    (reports, None)
}

/// Steps without inputs; panics with the step's own message.
pub fn run(world: &mut World, steps: usize) {
    for _ in 0..steps {
        world.step(&Inputs::default()).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Forces of all terms on all nodes, dependent ones last and not handed over.
pub fn forces(model: &Model, full: &FullState) -> Vec<f64> {
    let mut force = vec![0.0; 3 * model.layout().node_count()];
    for term in model.terms() {
        let mut scratch = term.new_scratch();
        term.force_add(&full.at(), &mut Scatter::new(&mut force, &mut scratch));
    }
    force
}

/// Stored energy of all terms.
pub fn stored(model: &Model, full: &FullState) -> f64 {
    model.terms().iter().map(|t| t.energy(&full.at())).sum()
}

/// A state at rest with every node at `place(rest)`.
pub fn placed(model: &Model, mut place: impl FnMut(Vec3) -> Vec3) -> FullState {
    let rest = model.layout().rest();
    let x: Vec<f64> = rest.chunks_exact(3).flat_map(|p| place([p[0], p[1], p[2]])).collect();
    FullState { time: 0.0, v: vec![0.0; x.len()], x, ..FullState::default() }
}

pub fn at_rest(model: &Model) -> FullState {
    placed(model, |p| p)
}

/// An `At` over vectors of a test's own.
pub fn at<'a>(time: f64, x: &'a [f64], v: &'a [f64]) -> At<'a> {
    At { time, load: 1.0, still: false, x, v, history: &[], since: 0.0 }
}

/// F as a map of places.
pub fn linear_map(f: Mat3<f64>) -> impl Fn(Vec3) -> Vec3 + Copy {
    move |p| f.mul_vec(p)
}

pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn add(a: Vec3, b: Vec3) -> Vec3 {
    std::array::from_fn(|c| a[c] + b[c])
}

pub fn triple(values: &[f64], node: u32) -> Vec3 {
    let first = 3 * node as usize;
    [values[first], values[first + 1], values[first + 2]]
}

/// Largest absolute entry.
pub fn peak(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, v| most.max(v.abs()))
}

pub fn peak_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A seeded source of numbers in [-1, 1).
pub struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed + 1) | 1)
    }

    pub fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub fn matrix(&mut self, size: f64) -> Mat3<f64> {
        Mat3::from_fn(|_, _| size * self.next())
    }

    pub fn vector(&mut self, length: usize, size: f64) -> Vec<f64> {
        (0..length).map(|_| size * self.next()).collect()
    }
}

/// p = log2(e(h) / e(h/2)): the order of a method as seen from two errors.
pub fn order(coarse: f64, fine: f64) -> f64 {
    (coarse / fine).log2()
}
