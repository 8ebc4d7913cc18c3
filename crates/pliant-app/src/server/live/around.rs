//! What stands around and inside the bodies: walls, bones with their hinges, and vertices that are tied to other bodies.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use pliant_geometry::Mesh;
use pliant_scene::mesh_file::TriangleSurface;
use pliant_solid::rigid::{Bone, Joint};
use pliant_solid::{Body, Layout, Model};

use crate::server::wire::topology::{BonePart, HingePart, WallPart};

/// The walls of a model.
pub fn walls(model: &Model) -> Vec<WallPart> {
    model.walls().iter().map(|wall| WallPart { point: wall.point, normal: wall.normal }).collect()
}

/// Its bones, in the layout's order; one whose surface cannot be found has none.
pub fn bones(layout: &Layout) -> Vec<BonePart> {
    layout.bones().iter().map(|bone| bone_part(bone, layout)).collect()
}

/// The masters of all bones, four after another.
pub fn masters(layout: &Layout) -> Vec<u32> {
    layout.bones().iter().flat_map(Bone::masters).collect()
}

/// Whether a world node is tied to another body than its own.
pub fn is_tied(layout: &Layout, body: &Body, node: u32) -> bool {
    let dependent = (node as usize).checked_sub(layout.free_count());
    dependent.is_some_and(|dependent| !layout.dependents().follows(dependent, body.nodes.clone()))
}

fn bone_part(bone: &Bone, layout: &Layout) -> BonePart {
    let body = &layout.bodies()[bone.body];
    let surface = rigid_mesh(bone, body, layout).and_then(|mesh| TriangleSurface::of(&mesh).ok());
    let (rest, triangles) =
        surface.map_or_else(Default::default, |s| (s.rest().to_vec(), s.triangles().to_vec()));
    let hinge = match bone.joint {
        Joint::Hinge { point, axis } => Some(HingePart { point, axis }),
        Joint::Free => None,
    };
    let masters = std::array::from_fn(|i| layout.rest_of(bone.first + i as u32));
    BonePart { name: bone.name.clone(), masters, rest, triangles, hinge }
}

/// The cells of a bone as a mesh: those that are not soft and whose nodes follow its masters alone.
fn rigid_mesh(bone: &Bone, body: &Body, layout: &Layout) -> Option<Mesh> {
    let soft: BTreeSet<u32> = body.soft.iter().copied().collect();
    let of_bone = |node: &u32| {
        let dependent = (body.world[*node as usize] as usize).checked_sub(layout.free_count());
        dependent.is_some_and(|dependent| layout.dependents().follows(dependent, bone.masters()))
    };
    let mesh = &body.mesh;
    let first_hex = mesh.tets().len();
    let rigid = |cell: usize| !soft.contains(&(cell as u32)) && mesh.cell_nodes(cell).iter().all(of_bone);
    let tets = mesh.tets().iter().enumerate().filter(|(c, _)| rigid(*c)).map(|(_, tet)| *tet).collect();
    let hexes =
        mesh.hexes().iter().enumerate().filter(|(c, _)| rigid(first_hex + c)).map(|(_, hex)| *hex).collect();
    Mesh::new(mesh.positions().to_vec(), tets, hexes, Vec::new(), BTreeMap::new()).ok()
}
