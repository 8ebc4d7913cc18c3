//! Spec to model: meshes are read and examined, regions become nodes, numbers become terms.
//!
//! Everything that a scene or mesh file can get wrong is found here or before, with its place, so
//! that nothing is left to go wrong silently in step 1.

mod acting;
mod body;
mod collider;
mod estimate;
mod fingerprint;
mod hold;
mod initial;
mod load;
mod magnitude;
mod memory;
mod motion;
mod network;
mod overlap;
mod placed_body;
mod point;
mod read_mesh;
mod region;
mod rigid;
mod script;
mod shape;
mod step;
mod surface;

pub use acting::{Acting, ActingKind, resultants};
pub use estimate::{Counting, MOST_STEPS, StepEstimate};
pub use point::CompiledProbe;

use std::sync::{Arc, OnceLock};

use pliant_geometry::Embedding;
use pliant_solid::contact::Overlap;
use pliant_solid::integrator::{IntegratorKind, Refusal, StepLimit};
use pliant_solid::term::{ForceTerm, Grab};
use pliant_solid::{Layout, Matter, Model, ModelParts, OnDivergence, Scheme, World};

use crate::diagnostic::{Problem, SceneError};
use crate::inspect::{MeshReport, inspect};
use crate::spec::{self, LoadedScene, Warning};
use fingerprint::fingerprint;
use memory::Room;
use placed_body::PlacedBody;

/// A scene ready to run.
pub struct Compiled {
    /// The constant half.
    pub model: Arc<Model>,
    /// How time advances.
    pub scheme: Arc<Scheme>,
    /// What happens when a body diverges.
    pub on_divergence: OnDivergence,
    /// Simulated time, s.
    pub duration: f64,
    /// Points to record.
    pub probes: Vec<CompiledProbe>,
    /// The scene's hands, which are terms of the model too.
    pub grabs: Vec<Grab>,
    /// Fixes, loads and grabs with their names.
    pub acting: Vec<Acting>,
    /// Frames per simulated second; 0 for none.
    pub frames_per_second: f64,
    /// Rows of tables per simulated second, at least; 0 where only the duration tells. As frames, also where none are written.
    pub rows_per_second: f64,
    /// Formats of the frames, each once.
    pub formats: Vec<spec::Format>,
    /// Whether CSV files begin with comments on their columns.
    pub csv_comments: bool,
    /// What looks wrong but may be meant.
    pub warnings: Vec<Warning>,
    /// What is known of each body's mesh.
    pub meshes: Vec<MeshReport>,
    /// The finer surface that each body is shown by, if it has one.
    pub surfaces: Vec<Option<Arc<Embedding>>>,
    /// How steps answer contacts.
    pub response: spec::Response,
    /// Points of bodies that begin inside colliders, the deepest first.
    pub overlaps: Vec<Overlap>,
    /// Whether elements of each body may be inside out without the run being doubtful.
    pub inside_out_allowed: Vec<bool>,
    limit: OnceLock<StepLimit>,
    /// Changes when the scene or a mesh changes: a snapshot belongs to one fingerprint.
    pub fingerprint: u64,
}

impl Compiled {
    /// The longest stable step at the start, found when it is first asked for: that takes about as long as a hundred steps.
    pub fn limit(&self) -> &StepLimit {
        self.limit.get_or_init(|| step::limit(&self.model, &self.scheme))
    }

    /// How many steps the run of a scene takes; asks for the stable step where that counts.
    pub fn estimate(&self, scene: &spec::Scene) -> StepEstimate {
        let integrator = self.scheme.kind();
        let throttles = estimate::throttles(scene, &self.model, integrator);
        estimate::steps(
            scene,
            integrator,
            &throttles,
            integrator.traits().bound_by_stability.then(|| self.limit()),
        )
    }

    /// How time advances.
    pub fn integrator(&self) -> &IntegratorKind {
        self.scheme.kind()
    }

    /// The model at the start of its motion, if the integrator takes it.
    pub fn world(&self) -> Result<World, Refusal> {
        World::new(Arc::clone(&self.model), Arc::clone(&self.scheme), self.on_divergence)
    }
}

/// What the caller decides.
#[derive(Clone, Copy, Debug, Default)]
pub struct CompileOptions {
    /// Take a given step even if it is above the stable one.
    pub force: bool,
    /// Bytes of memory that can be had, where that is known: scenes that need more are refused.
    pub memory: Option<u64>,
}

/// Compiles a scene that has been read.
pub fn compile(loaded: &LoadedScene, options: CompileOptions) -> Result<Compiled, SceneError> {
    let LoadedScene { scene, source, folder } = loaded;
    let mut warnings = spec::warnings(scene, source);
    let mut problems = Vec::new();
    let mut room = Room::new(scene, options);
    let bodies: Vec<PlacedBody> = scene
        .body
        .iter()
        .filter_map(|(name, body)| {
            PlacedBody::load(name, body, (folder, &mut room), &mut problems, &mut warnings)
        })
        .collect();
    let surfaces = surface::embedded(&bodies, folder, &mut problems, &mut warnings);
    SceneError::check(source, problems)?;

    let mut problems = Vec::new();
    let matter: Vec<Matter> = bodies.iter().filter_map(|b| b.matter(scene, &mut problems)).collect();
    SceneError::check(source, std::mem::take(&mut problems))?;
    let shapes = rigid::shapes((&bodies, &matter), folder, (&mut problems, &mut warnings));
    SceneError::check(source, problems)?;
    let centres = rigid::centres_of_mass((&bodies, &matter), &shapes);
    let layout = Layout::new(shapes);
    let mut problems = Vec::new();
    let mut terms = load::terms(&bodies, (&layout, &matter), &mut problems);
    let grabs = point::grabs(scene, &bodies, (&layout, &matter), &mut problems);
    terms.extend(grabs.iter().map(|grab| Arc::new(grab.clone()) as Arc<dyn ForceTerm>));
    let acting = acting::acting(scene, &terms);
    let fixes = hold::fixes(&bodies, &layout, &mut problems);
    warnings.extend(point::idle_grabs(scene, &bodies, &layout, &fixes));
    warnings.extend(point::far_grabs(scene, &bodies));
    warnings.extend(network::unseen(scene));
    let probes = point::probes(scene, &bodies, &layout, &mut problems);
    let colliders = collider::colliders(scene, &layout, folder, (&mut problems, &mut warnings));
    if !options.force {
        script::check(scene, &mut problems);
    }
    SceneError::check(source, problems)?;

    let duration = scene.duration.si();
    let integrator = step::integrator(scene, duration);
    warnings.extend(step::warnings(scene, &integrator));
    warnings.extend(script::warnings(scene));
    let parts = ModelParts {
        velocity: body::velocities(&bodies, &centres, &layout),
        layout,
        matter,
        gravity: scene.gravity_si(),
        fixes,
        colliders,
        contact: collider::settings(scene),
        skins: collider::skins(&bodies, &surfaces),
        terms,
        precision: scene.integrator.precision.into(),
    };
    let model =
        Model::new(parts).map_err(|error| source.error(build_error_place(scene), error.to_string(), ""))?;
    refuse_combinations(scene, &model, &integrator).map_err(|p| SceneError::new(source, vec![p]))?;
    let overlaps = overlap::overlaps(&model);
    if !scene.contact.allow_overlap {
        SceneError::check(source, overlap::problems(scene, &model, &overlaps))?;
    }
    let scheme: Arc<Scheme> = integrator.into();
    room.admit_factor(&model, &scheme).map_err(|p| SceneError::new(source, vec![p]))?;
    if !options.force {
        // what the stable step adds is asked by who runs
        let estimate = {
            let throttles = estimate::throttles(scene, &model, scheme.kind());
            estimate::steps(scene, scheme.kind(), &throttles, None)
        };
        SceneError::check(source, estimate.too_many().into_iter().collect())?;
    }
    warnings.extend(step::memory_warning(scene, &model, &scheme));
    let limit = OnceLock::new();
    let found = || limit.get_or_init(|| step::limit(&model, &scheme));
    let check = |given: f64| step::check(scene, given, found(), options.force);
    step::given(scene, duration).map_or(Ok(()), check).map_err(|p| SceneError::new(source, vec![p]))?;
    let fingerprint = fingerprint(scene, &bodies, (&surfaces, model.colliders()));
    Ok(Compiled {
        model: Arc::new(model),
        scheme,
        on_divergence: match scene.on_divergence {
            spec::OnDivergence::Stop => OnDivergence::Stop,
            spec::OnDivergence::Freeze => OnDivergence::Freeze,
        },
        duration,
        probes,
        grabs,
        acting,
        frames_per_second: if scene.output.formats.is_empty() {
            0.0
        } else {
            scene.output.frames_per_second.si()
        },
        rows_per_second: scene.output.frames_per_second.si(),
        csv_comments: scene.output.csv_comments,
        formats: each_once(&scene.output.formats),
        warnings,
        inside_out_allowed: bodies.iter().map(|b| b.spec.inside_out == spec::InsideOut::Allowed).collect(),
        meshes: bodies.into_iter().map(|b| b.report).collect(),
        surfaces,
        response: scene.response(),
        overlaps,
        limit,
        fingerprint,
    })
}

/// What is known of the meshes of a scene, also of one that does not compile: of each that can be read.
pub fn mesh_reports(loaded: &LoadedScene, options: CompileOptions) -> Vec<MeshReport> {
    let mut room = Room::new(&loaded.scene, options);
    let read = |(name, body): (&String, &spec::Body)| {
        let file = room.read_mesh(name, &body.mesh, &loaded.folder).ok()?;
        Some(inspect(name, &file.mesh))
    };
    loaded.scene.body.iter().filter_map(read).collect()
}

fn each_once(formats: &[spec::Format]) -> Vec<spec::Format> {
    let first = |(i, format): &(usize, &spec::Format)| !formats[..*i].contains(format);
    formats.iter().enumerate().filter(first).map(|(_, format)| *format).collect()
}

/// Where a scene says what cannot be built: the initial state that does not fit.
fn build_error_place(scene: &spec::Scene) -> std::ops::Range<usize> {
    let initial = scene.body.values().flat_map(|b| &b.initial);
    let relaxed = initial.filter_map(|i| match &i.kind {
        spec::InitialKind::Relaxed(shape) => Some(shape.span()),
        spec::InitialKind::Additive { .. } => None,
    });
    relaxed.into_iter().next().unwrap_or(scene.integrator.step.span())
}

/// What the integrator does not take, said where the scene says it.
fn refuse_combinations(
    scene: &spec::Scene,
    model: &Model,
    integrator: &IntegratorKind,
) -> Result<(), Problem> {
    integrator.accepts(model).map_err(|refusal| {
        let consistent = scene.body.values().find(|b| *b.mass == spec::Mass::Consistent);
        let explicit = *scene.integrator.method == spec::Method::Explicit;
        let method = scene.integrator.method.span();
        let span = consistent.filter(|_| explicit).map_or(method, |b| b.mass.span());
        Problem::new(span, refusal.what).help(refusal.way_out)
    })
}
