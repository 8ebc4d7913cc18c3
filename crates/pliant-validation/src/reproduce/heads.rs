//! What the figures of bones and skin share: the gallery's scenes of a head and of a creature, run and watched.

use pliant_geometry::{Mesh, without_orphans};
use pliant_scene::Compiled;
use pliant_solid::World;

use super::resting::compiled;
use crate::CaseError;
use crate::measure::{Vec3, advance, triple};

/// The scene after [Warp Fig. 12].
pub const HEAD: &str = include_str!("../../../../scenes/bone_and_skin.toml");
/// The scene after [Warp Fig. 13].
pub const CREATURE: &str = include_str!("../../../../scenes/floppy_creature.toml");

/// Another modulus of the skin, Pa.
pub fn with_young(text: &str, young: f64) -> String {
    let changed = |line: &str| match line.starts_with("young") {
        true => format!("young = {young}"),
        false => line.to_owned(),
    };
    text.lines().map(changed).collect::<Vec<_>>().join("\n")
}

/// A scene with one body, one bone, and probes `skull` and one on the skin.
pub struct Head {
    compiled: Compiled,
    world: World,
}

/// Where things are at a time.
#[derive(Clone, Debug)]
pub struct Moment {
    /// s.
    pub time: f64,
    /// Displacements of the probes, in the order of the scene, m.
    pub probes: Vec<Vec3>,
    /// Distance between two masters of the bone, over that at rest.
    pub stretch: f64,
}

impl Head {
    /// Compiles a scene.
    pub fn new(text: &str, name: &str) -> Result<Self, CaseError> {
        let compiled = compiled(text, name)?;
        let world = compiled.world()?;
        Ok(Self { compiled, world })
    }

    /// Tetrahedra of bone and of skin, and triangles that are shown.
    pub fn counts(&self) -> [usize; 3] {
        let body = &self.world.model().layout().bodies()[0];
        let bone = body.cells.len() - body.soft.len();
        let shown = self.compiled.surfaces.first().and_then(|s| s.as_ref());
        [bone, body.soft.len(), shown.map_or(0, |s| s.surface().triangles().len())]
    }

    /// The mesh at rest, and the bone alone.
    pub fn meshes(&self) -> Option<(Mesh, Mesh)> {
        let body = &self.world.model().layout().bodies()[0];
        let mut soft = body.soft.clone();
        soft.sort_unstable();
        let bone: Vec<u32> =
            (0..body.mesh.cell_count() as u32).filter(|c| soft.binary_search(c).is_err()).collect();
        let tets = bone.iter().map(|c| body.mesh.tets()[*c as usize]).collect();
        let alone = Mesh::new(body.mesh.positions().to_vec(), tets, vec![], vec![], Default::default());
        Some(((*body.mesh).clone(), without_orphans(&alone.ok()?).mesh))
    }

    /// Where the nodes of the mesh are now, m.
    pub fn positions(&self) -> Vec<Vec3> {
        let full = self.world.model().full_state(self.world.state());
        self.world.model().layout().bodies()[0].world.iter().map(|n| triple(&full.x, *n)).collect()
    }

    /// Volumes of all cells over those at rest.
    pub fn ratios(&self) -> Vec<f64> {
        let full = self.world.model().full_state(self.world.state());
        self.world.model().fields(&full).swap_remove(0).volume_ratio
    }

    /// Goes on until a time and gives what was seen on the way.
    pub fn run(&mut self, until: f64) -> Result<Vec<Moment>, CaseError> {
        let mut out = Vec::new();
        while self.world.state().time < until - 1e-9 {
            advance(&mut self.world, 1)?;
            out.push(self.moment());
        }
        Ok(out)
    }

    fn moment(&self) -> Moment {
        let model = self.world.model();
        let full = model.full_state(self.world.state());
        let one = |probe: &pliant_scene::compile::CompiledProbe| -> Vec3 {
            let place = probe.point.mean(&full.x);
            std::array::from_fn(|c| place[c] - probe.rest[c])
        };
        let bone = &model.layout().bones()[0];
        let (a, b) = (bone.first, bone.first + 3);
        let distance =
            |at: &dyn Fn(u32) -> Vec3| (0..3).map(|c| (at(a)[c] - at(b)[c]).powi(2)).sum::<f64>().sqrt();
        let stretch = distance(&|n| triple(&full.x, n)) / distance(&|n| model.layout().rest_of(n));
        Moment { time: full.time, probes: self.compiled.probes.iter().map(one).collect(), stretch }
    }
}

/// When a component of a probe's displacement first reaches a value, s; between steps by a straight line.
pub fn reaches(course: &[Moment], (probe, axis): (usize, usize), value: f64) -> Option<f64> {
    let at = |m: &Moment| m.probes[probe][axis] - value;
    let sign = if value > 0.0 { 1.0 } else { -1.0 };
    let after = course.iter().position(|m| sign * at(m) >= 0.0)?;
    let now = &course[after];
    let before = course.get(after.checked_sub(1)?)?;
    Some(before.time + (now.time - before.time) * at(before) / (at(before) - at(now)))
}
