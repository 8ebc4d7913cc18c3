//! A scene of one body, run until it rests.

use std::path::Path;
use std::sync::Arc;

use pliant_geometry::Mesh;
use pliant_scene::{CompileOptions, LoadedScene, Scene, compile};
use pliant_solid::integrator::Inputs;

use crate::CaseError;
use crate::measure::{Vec3, sub, triple};

/// A body where it came to rest.
pub struct Resting {
    /// Its mesh, at rest without load.
    pub mesh: Arc<Mesh>,
    /// Where its nodes are now, in the mesh's order, m.
    pub positions: Vec<Vec3>,
    /// Volume now over volume then, cell by cell.
    pub cell_ratios: Vec<f64>,
    /// Volume now over volume then.
    pub volume_ratio: f64,
    /// Kinetic over elastic energy: how nearly it rests.
    pub restlessness: f64,
    /// Steps taken.
    pub steps: u64,
}

/// Compiles a scene from text.
pub fn compiled(text: &str, name: &str) -> Result<pliant_scene::Compiled, CaseError> {
    let (scene, source) = Scene::parse(text, name)?;
    let loaded = LoadedScene { scene, source, folder: Path::new(".").to_path_buf() };
    Ok(compile(&loaded, CompileOptions::default())?)
}

/// Runs a scene of one body to its end.
pub fn resting(text: &str, name: &str) -> Result<Resting, CaseError> {
    let compiled = compiled(text, name)?;
    let mut world = compiled.world()?;
    while world.state().time < compiled.duration {
        world.step(&Inputs { end: Some(compiled.duration), ..Inputs::default() })?;
    }
    let body = &compiled.model.layout().bodies()[0];
    let positions: Vec<Vec3> = body.world.iter().map(|&n| triple(&world.state().x, n)).collect();
    let mesh = Arc::clone(&body.mesh);
    let moved = moved(&mesh, &positions)?;
    let energy = world.energy();
    Ok(Resting {
        cell_ratios: (0..mesh.cell_count()).map(|c| moved.cell_volume(c) / mesh.cell_volume(c)).collect(),
        volume_ratio: moved.volume() / mesh.volume(),
        restlessness: energy.kinetic / energy.elastic.abs(),
        steps: world.state().step,
        mesh,
        positions,
    })
}

/// The mesh with its nodes elsewhere.
pub fn moved(mesh: &Mesh, positions: &[Vec3]) -> Result<Mesh, CaseError> {
    let (tets, hexes) = (mesh.tets().to_vec(), mesh.hexes().to_vec());
    let made = Mesh::new(positions.to_vec(), tets, hexes, vec![], mesh.groups().clone());
    made.map_err(|e| CaseError::Box(e.into()))
}

impl Resting {
    /// Where the node that rested at a place is now.
    pub fn now(&self, place: Vec3) -> Vec3 {
        let distance = |p: &Vec3| sub(*p, place).iter().map(|c| c * c).sum::<f64>();
        let nodes = self.mesh.positions().iter().zip(&self.positions);
        let nearest = nodes.min_by(|a, b| distance(a.0).total_cmp(&distance(b.0)));
        nearest.map_or(place, |(_, now)| *now)
    }

    /// The length of the line through nodes that rested at these places.
    pub fn length_through(&self, places: &[Vec3]) -> f64 {
        let now: Vec<Vec3> = places.iter().map(|p| self.now(*p)).collect();
        now.windows(2).map(|w| sub(w[1], w[0]).iter().map(|c| c * c).sum::<f64>().sqrt()).sum()
    }
}
