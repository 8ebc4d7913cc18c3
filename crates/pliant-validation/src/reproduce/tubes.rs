//! The tube of [Warp 4.2] in the gallery's scenes, run and watched: how far its rims are squashed, how far its axis is bent.

use pliant_geometry::Mesh;
use pliant_scene::{CompileOptions, Compiled, LoadedScene, Scene, compile};
use pliant_solid::World;

use crate::CaseError;
use crate::measure::{Vec3, add, advance, dot, sub, triple};

/// The scene after [Warp Fig. 9].
pub const DROP: &str = include_str!("../../../../scenes/tube_drop.toml");
/// The scene after [Warp Fig. 10].
pub const GRAB: &str = include_str!("../../../../scenes/tube_grab.toml");
/// Where the axis of a tube points that lies on a slant, by 30 degrees about x.
pub const SLANT: Vec3 = [0.0, -0.5, 0.866_025_403_784_438_6];

/// A scene of tubes.
pub struct Tubes {
    compiled: Compiled,
    world: World,
}

/// The shape of a tube at a time.
#[derive(Clone, Debug)]
pub struct Look {
    /// s.
    pub time: f64,
    /// The largest change of a diameter of the rims, over that at rest.
    pub squash: f64,
    /// How far the middle is from the line between the ends, over the length.
    pub bend: f64,
    /// Volume over that at rest.
    pub volume: f64,
    /// Where its nodes are, in the mesh's order, m.
    pub positions: Vec<Vec3>,
    /// Volume over that at rest, cell by cell.
    pub ratios: Vec<f64>,
}

impl Tubes {
    /// Compiles a scene; also one whose step is above the stable one.
    pub fn new(text: &str, name: &str) -> Result<Self, CaseError> {
        let (scene, source) = Scene::parse(text, name)?;
        let loaded = LoadedScene { scene, source, folder: ".".into() };
        let compiled = compile(&loaded, CompileOptions { force: true, ..CompileOptions::default() })?;
        let world = compiled.world()?;
        Ok(Self { compiled, world })
    }

    /// The longest stable step at rest, s.
    pub fn stable_step(&self) -> f64 {
        self.compiled.limit().dt
    }

    /// What steps.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The mesh of a body at rest.
    pub fn mesh(&self, body: usize) -> &Mesh {
        &self.world.model().layout().bodies()[body].mesh
    }

    /// The number of a body by its name; the first where there is none.
    pub fn body(&self, name: &str) -> usize {
        self.world.model().layout().bodies().iter().position(|body| body.name == name).unwrap_or(0)
    }

    /// Whether a body touches a collider.
    pub fn touches(&self, body: usize) -> bool {
        self.world.contacts().any(|contact| contact.body.index() == body)
    }

    /// How far the node that rested nearest to a place has come, m.
    pub fn moved(&self, body: usize, positions: &[Vec3], place: Vec3) -> Vec3 {
        let pairs = self.mesh(body).positions().iter().zip(positions);
        let nearest = pairs.min_by(|a, b| distance(*a.0, place).total_cmp(&distance(*b.0, place)));
        nearest.map_or([0.0; 3], |(rest, now)| sub(*now, *rest))
    }

    /// The most that a held node of a body has moved, m.
    pub fn slip(&self, body: usize, positions: &[Vec3]) -> f64 {
        let (model, rest) = (self.world.model(), self.mesh(body).positions());
        let nodes = &model.layout().bodies()[body].world;
        let held = |n: &u32| model.fixes().iter().any(|fix| fix.nodes.contains(n));
        let moved = (0..nodes.len()).filter(|i| held(&nodes[*i])).map(|i| distance(positions[i], rest[i]));
        moved.fold(0.0, f64::max)
    }

    /// Goes on until a time; whether it came there.
    pub fn run(&mut self, until: f64) -> bool {
        while self.world.state().time < until - 1e-9 {
            if advance(&mut self.world, 1).is_err() {
                return false;
            }
        }
        true
    }

    /// The shape of a body whose axis at rest is known.
    pub fn look(&self, body: usize, axis: Vec3) -> Look {
        let (model, mesh) = (self.world.model(), self.mesh(body));
        let full = model.full_state(self.world.state());
        let world = &model.layout().bodies()[body].world;
        let positions: Vec<Vec3> = world.iter().map(|n| triple(&full.x, *n)).collect();
        let ratios = model.fields(&full).swap_remove(body).volume_ratio;
        let volume =
            (0..mesh.cell_count()).map(|c| ratios[c] * mesh.cell_volume(c)).sum::<f64>() / mesh.volume();
        let rest = mesh.positions();
        let rings = rings(rest, axis);
        let squash = [rings.first(), rings.last()]
            .into_iter()
            .flatten()
            .flat_map(|ring| across(rest, ring))
            .map(|[a, b]| (distance(positions[a], positions[b]) / distance(rest[a], rest[b]) - 1.0).abs())
            .fold(0.0, f64::max);
        Look { time: full.time, squash, bend: bend(&positions, &rings), volume, positions, ratios }
    }
}

fn distance(a: Vec3, b: Vec3) -> f64 {
    dot(sub(a, b), sub(a, b)).sqrt()
}

/// Nodes by their place along an axis.
fn rings(rest: &[Vec3], axis: Vec3) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..rest.len()).collect();
    let along = |n: usize| dot(rest[n], axis);
    order.sort_by(|a, b| along(*a).total_cmp(&along(*b)));
    order.chunk_by(|a, b| along(*b) - along(*a) < 1e-6).map(<[usize]>::to_vec).collect()
}

/// Each node of a ring and the one farthest from it.
fn across(rest: &[Vec3], ring: &[usize]) -> Vec<[usize; 2]> {
    let farthest = |a: usize| {
        let far = |b: &&usize| distance(rest[a], rest[**b]);
        ring.iter().max_by(|b, c| far(b).total_cmp(&far(c))).map(|b| [a, *b])
    };
    ring.iter().filter_map(|a| farthest(*a)).collect()
}

/// Of the middle of the ring half way, from the line between those of the ends.
fn bend(positions: &[Vec3], rings: &[Vec<usize>]) -> f64 {
    let middle = |ring: &Vec<usize>| {
        let sum = ring.iter().fold([0.0; 3], |sum, n| add(sum, positions[*n]));
        sum.map(|c| c / ring.len() as f64)
    };
    let [Some(a), Some(b), Some(m)] = [rings.first(), rings.last(), rings.get(rings.len() / 2)] else {
        return f64::NAN;
    };
    let (line, arm) = (sub(middle(b), middle(a)), sub(middle(m), middle(a)));
    let part = dot(arm, line) / dot(line, line);
    let off = sub(arm, line.map(|c| part * c));
    dot(off, off).sqrt() / dot(line, line).sqrt()
}
