//! Which number in the flat vectors belongs to which node of which body.
//!
//! Free nodes come first, body by body, each body's in the order in which its cells (along a
//! space-filling curve) touch them; dependent nodes of all bodies follow. Results are reported in
//! the mesh file's order.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use pliant_geometry::{MaterialPoint, Mesh, Surface, cell_order};

use crate::dependent::Dependents;
use crate::rigid::{Bone, BoneShape, MASTERS, Skeleton};

/// Masters and weights of one dependent node, in mesh numbers.
pub type Hanging = (u32, MaterialPoint);

/// A node that is tied to a point of another body, both by mesh numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Attached {
    /// The node.
    pub node: u32,
    /// The other body.
    pub body: usize,
    /// What it follows there.
    pub to: MaterialPoint,
}

/// A body as the layout needs it.
#[derive(Clone, Debug)]
pub struct BodyShape {
    /// Its name in the scene.
    pub name: String,
    /// Its mesh, placed in the world at rest.
    pub mesh: Arc<Mesh>,
    /// Nodes that hang on others of the same mesh.
    pub hanging: Vec<Hanging>,
    /// Parts that are rigid; no two of them share a node.
    pub bones: Vec<BoneShape>,
    /// Nodes tied to other bodies; what they are tied to must not hang on them again.
    pub attached: Vec<Attached>,
    /// The mesh's boundary, where somebody has found it already.
    pub boundary: Option<Arc<Surface>>,
}

impl BodyShape {
    /// A body none of whose nodes depends on others.
    pub fn new(name: &str, mesh: Arc<Mesh>) -> Self {
        Self { name: name.into(), mesh, hanging: vec![], bones: vec![], attached: vec![], boundary: None }
    }

    /// The nodes that have no motion of their own.
    fn dependent_nodes(&self) -> impl Iterator<Item = u32> {
        let bones = self.bones.iter().flat_map(|bone| bone.nodes.iter().copied());
        self.hanging
            .iter()
            .map(|(node, _)| *node)
            .chain(bones)
            .chain(self.attached.iter().map(|tie| tie.node))
    }
}

/// A body's place in the layout.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its name in the scene.
    pub name: String,
    /// Its mesh, placed in the world at rest.
    pub mesh: Arc<Mesh>,
    /// Nodes that hang on others of the same mesh.
    pub hanging: Vec<Hanging>,
    /// Its free nodes: those of the mesh, then the masters of its bones.
    pub nodes: Range<u32>,
    /// World number of each mesh node.
    pub world: Vec<u32>,
    /// Mesh cells in storage order.
    pub cells: Vec<u32>,
    /// Those of them that are no part of a bone.
    pub soft: Vec<u32>,
    /// Diagonal of its bounding box at rest, m.
    pub extent: f64,
    boundary: OnceLock<Arc<Surface>>,
}

impl Body {
    /// The boundary of its mesh, hanging nodes allowed for; found once, when it is first asked for. Cells that overlap have none.
    pub fn boundary(&self) -> &Surface {
        let find = || Arc::new(Surface::of_hanging(&self.mesh, &self.hanging).unwrap_or_default());
        self.boundary.get_or_init(find)
    }
}

/// The numbering of a world; see the [module](self).
#[derive(Clone, Debug)]
pub struct Layout {
    bodies: Vec<Body>,
    bones: Vec<Bone>,
    clusters: Vec<Vec<usize>>,
    free_count: usize,
    dependents: Dependents,
    rest: Arc<Vec<f64>>,
}

impl Layout {
    /// Numbers the nodes of all bodies.
    pub fn new(shapes: Vec<BodyShape>) -> Self {
        let (mut bodies, mut bones) = (Vec::new(), Vec::new());
        let mut free_count = 0_u32;
        for (index, shape) in shapes.iter().enumerate() {
            let mut body = number_free_nodes(shape, free_count);
            for bone in &shape.bones {
                let BoneShape { name, cells, joint, mass, .. } = bone.clone();
                let (first, elements) = (body.nodes.end, cells.len());
                bones.push(Bone { name, body: index, first, joint, elements, mass });
                body.nodes.end += MASTERS;
            }
            free_count = body.nodes.end;
            bodies.push(body);
        }
        // dependents of all bodies after all free nodes
        let mut count = free_count;
        for (body, shape) in bodies.iter_mut().zip(&shapes) {
            for node in shape.dependent_nodes() {
                body.world[node as usize] = count;
                count += 1;
            }
        }
        let dependents = Dependents::new(free_count as usize, &masters(&shapes, &bodies, &bones));
        let mut rest = vec![0.0; 3 * count as usize];
        for body in &bodies {
            for (position, world) in body.mesh.positions().iter().zip(&body.world) {
                rest[3 * *world as usize..][..3].copy_from_slice(position);
            }
        }
        let shaped = shapes.iter().flat_map(|shape| &shape.bones);
        for (bone, shape) in bones.iter().zip(shaped) {
            rest[bone.dofs()].copy_from_slice(shape.masters().as_flattened());
        }
        let clusters = clusters(&shapes);
        Self { bodies, bones, clusters, free_count: free_count as usize, dependents, rest: Arc::new(rest) }
    }

    /// All bodies.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// All rigid parts, body by body.
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// The rigid parts with the places of their nodes at rest.
    pub(crate) fn skeleton(&self) -> Skeleton<'_> {
        Skeleton { bones: &self.bones, rest: &self.rest }
    }

    /// Bodies that are tied together, in groups; one that is tied to none is a group by itself.
    pub fn clusters(&self) -> &[Vec<usize>] {
        &self.clusters
    }

    /// Hands a quantity per node, such as mass, from dependent nodes to their masters, and gives bones theirs: `of_bone` for all that moves with one.
    ///
    /// A node that depends on a bone alone is a part of it already. One between a bone and other nodes gives its share to all four masters alike.
    pub(crate) fn hand_over_scalars(&self, values: &mut Vec<f64>, of_bone: impl Fn(&Bone) -> f64) {
        let bone_of = |node: u32| self.bones.iter().find(|bone| bone.masters().contains(&node));
        for d in 0..self.dependents.count() {
            let (value, masters) = (values[self.free_count + d], self.dependents.masters(d));
            // a node beside its element has weights below zero; mass must not
            let positive = |weight: f64| weight.max(0.0);
            let all: f64 = masters.iter().map(|(_, weight)| positive(*weight)).sum();
            let whole = masters.iter().all(|(m, _)| bone_of(*m).is_some());
            for (master, weight) in masters {
                let weight = positive(*weight) / all;
                match bone_of(*master) {
                    None => values[*master as usize] += weight * value,
                    Some(bone) if !whole => {
                        let share = weight * value / f64::from(MASTERS);
                        bone.masters().for_each(|m| values[m as usize] += share);
                    }
                    Some(_) => {}
                }
            }
        }
        values.truncate(self.free_count);
        for bone in &self.bones {
            let share = of_bone(bone) / f64::from(MASTERS);
            bone.masters().for_each(|m| values[m as usize] += share);
        }
    }

    /// Nodes with motion of their own.
    pub fn free_count(&self) -> usize {
        self.free_count
    }

    /// All nodes, dependent ones too.
    pub fn node_count(&self) -> usize {
        self.free_count + self.dependents.count()
    }

    /// The nodes that follow others.
    pub fn dependents(&self) -> &Dependents {
        &self.dependents
    }

    /// Rest positions of all nodes, dependent ones last, m.
    pub fn rest(&self) -> &Arc<Vec<f64>> {
        &self.rest
    }

    /// The rest position of a node.
    pub fn rest_of(&self, node: u32) -> [f64; 3] {
        let first = 3 * node as usize;
        [self.rest[first], self.rest[first + 1], self.rest[first + 2]]
    }

    /// The body that a free node belongs to.
    pub fn body_of(&self, node: u32) -> usize {
        self.bodies.partition_point(|b| b.nodes.end <= node)
    }

    /// Whether a node is one of a body's mesh.
    pub fn is_of_body(&self, node: u32, body: usize) -> bool {
        self.bodies[body].world.contains(&node)
    }

    /// How coordinates move: `x + dt v` for nodes. This and [`Self::between`] are the only places that know.
    #[inline(always)]
    pub fn retract(x: f64, dt: f64, v: f64) -> f64 {
        v.mul_add(dt, x)
    }
}

/// Storage order of one body, starting at world number `first`.
fn number_free_nodes(shape: &BodyShape, first: u32) -> Body {
    const UNSEEN: u32 = u32::MAX;
    const DEPENDENT: u32 = u32::MAX - 1;
    let mesh = &shape.mesh;
    let cells = cell_order(mesh);
    let mut world = vec![UNSEEN; mesh.node_count()];
    shape.dependent_nodes().for_each(|node| world[node as usize] = DEPENDENT);
    let mut next = first;
    let touched = cells.iter().flat_map(|&c| mesh.cell_nodes(c as usize).iter().copied());
    for node in touched.chain(0..mesh.node_count() as u32) {
        if world[node as usize] == UNSEEN {
            world[node as usize] = next;
            next += 1;
        }
    }
    let extent = mesh.bounds().map_or(0.0, |b| b.diagonal());
    let mut rigid = vec![false; mesh.cell_count()];
    shape.bones.iter().flat_map(|bone| &bone.cells).for_each(|cell| rigid[*cell as usize] = true);
    let soft = cells.iter().copied().filter(|cell| !rigid[*cell as usize]).collect();
    // a lone particle has no size that motions could be judged by
    let extent = if extent > 0.0 { extent } else { 1.0 };
    let mesh = Arc::clone(mesh);
    let hanging = shape.hanging.clone();
    let boundary = shape.boundary.clone().map_or_else(OnceLock::new, OnceLock::from);
    Body { name: shape.name.clone(), mesh, hanging, nodes: first..next, world, cells, soft, extent, boundary }
}

/// Free masters and weights of every dependent node, in the order of their numbers.
fn masters(shapes: &[BodyShape], bodies: &[Body], bones: &[Bone]) -> Vec<MaterialPoint> {
    let free = bodies.last().map_or(0, |b| b.nodes.end);
    let mut out: Vec<MaterialPoint> = Vec::new();
    let mut bones = bones.iter();
    for (shape, body) in shapes.iter().zip(bodies) {
        let own = |node: u32| body.world[node as usize];
        out.extend(shape.hanging.iter().map(|(_, on)| on.renumbered(own)));
        for (form, bone) in shape.bones.iter().zip(&mut bones) {
            let place = |node: &u32| form.weights(body.mesh.positions()[*node as usize]);
            out.extend(
                form.nodes.iter().map(|node| bone.masters().zip(place(node)).collect::<MaterialPoint>()),
            );
        }
        let tied = |tie: &Attached| tie.to.renumbered(|node| bodies[tie.body].world[node as usize]);
        out.extend(shape.attached.iter().map(tied));
    }
    // what depends on dependents depends on their masters; lists that lead round end as they are, and are refused
    for _ in 0..shapes.len() + 1 {
        let resolved = |masters: &MaterialPoint| {
            let mut all = MaterialPoint::default();
            for (master, weight) in masters {
                match master.checked_sub(free) {
                    None => all.extend([(master, weight)]),
                    Some(d) => all.extend(out[d as usize].scaled(weight).iter()),
                }
            }
            all.merged()
        };
        if out.iter().flatten().all(|(m, _)| m < free) {
            break;
        }
        out = out.iter().map(resolved).collect();
    }
    out
}

/// Groups of bodies that attachments join, each and all in ascending order.
fn clusters(shapes: &[BodyShape]) -> Vec<Vec<usize>> {
    let mut group: Vec<usize> = (0..shapes.len()).collect();
    for (body, shape) in shapes.iter().enumerate() {
        for tie in &shape.attached {
            let (a, b) = (group[body].min(group[tie.body]), group[body].max(group[tie.body]));
            group.iter_mut().filter(|g| **g == b).for_each(|g| *g = a);
        }
    }
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); shapes.len()];
    group.iter().enumerate().for_each(|(body, g)| out[*g].push(body));
    out.retain(|members| !members.is_empty());
    out
}
