//! What stands around and inside the bodies: colliders, bones with their hinges, and vertices that are tied to other bodies.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use pliant_geometry::Mesh;
use pliant_scene::mesh_file::TriangleSurface;
use pliant_solid::contact::{Carrier, Collider, ColliderShape};
use pliant_solid::rigid::{Bone, Joint};
use pliant_solid::{Body, Layout, Model, Motion};

use crate::server::wire::frame::Pose;
use crate::server::wire::topology::{BonePart, ColliderPart, HingePart, ShapePart};

/// The colliders of a model, in its order.
pub fn colliders(model: &Model) -> Vec<ColliderPart> {
    model.colliders().iter().map(collider_part).collect()
}

/// Where the colliders are at a time that move by a script.
pub fn poses(colliders: &[Collider], time: f64) -> Vec<Pose> {
    let moving = colliders.iter().filter_map(|collider| Some((collider, script(collider)?)));
    let pose = |(collider, motion): (&Collider, &Motion)| {
        let axes = motion.spin(time).0 * collider.axes;
        [axes.column(0), axes.column(1), axes.column(2), motion.at(time, collider.origin).x]
    };
    moving.map(pose).collect()
}

/// The script that moves a collider, if one does.
fn script(collider: &Collider) -> Option<&Motion> {
    match &collider.carrier {
        Carrier::Script(motion) if motion.moves() => Some(motion),
        Carrier::Script(_) | Carrier::Bone(_) => None,
    }
}

fn collider_part(collider: &Collider) -> ColliderPart {
    let shape = match &collider.shape {
        ColliderShape::Plane => ShapePart::Plane,
        ColliderShape::Sphere { radius } => ShapePart::Sphere { radius: *radius },
        ColliderShape::Capsule { radius, half } => ShapePart::Capsule { radius: *radius, half: *half },
        ColliderShape::Box { half } => ShapePart::Box { half: *half },
        ColliderShape::Mesh(solid) => {
            ShapePart::Mesh { vertices: solid.positions().to_vec(), triangles: solid.triangles().to_vec() }
        }
    };
    let bone = match collider.carrier {
        Carrier::Bone(bone) => Some(bone),
        Carrier::Script(_) => None,
    };
    ColliderPart {
        name: collider.name.clone(),
        shape,
        axes: [0, 1, 2].map(|c| collider.axes.column(c)),
        origin: collider.origin,
        thickness: collider.thickness,
        moves: script(collider).is_some(),
        bone,
    }
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
