//! The surface of all bodies of a world: what touches, what is drawn, what loads act on.
//!
//! Vertices are material points: boundary nodes of meshes (free ones, hanging, tied, those of bones), vertices of fine surfaces that follow a mesh, particles of networks.
//! Bodies come one after another; within a body vertices are in the order of their mesh nodes, triangles in the order of the boundary's
//! faces, edges by their vertices. Nothing here depends on the state.

use std::ops::Range;

use pliant_geometry::vector::{cross, dot, norm, sub};
use pliant_geometry::{FaceNodes, MaterialPoint};

use crate::contact::Skin;
use crate::ids::{BodyId, EdgeId, MeshNode, TriangleId, VertexId, WorldNode};
use crate::layout::{Body, Layout};

type Vec3 = [f64; 3];

/// In place of a free node where a vertex is more than one.
const NONE: u32 = u32::MAX;

/// A vertex of the world's surface.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceVertex {
    /// Whose it is.
    pub body: BodyId,
    /// The point by world nodes, free or dependent.
    pub point: MaterialPoint,
    /// The same by free nodes alone, each once.
    pub free: MaterialPoint,
    /// The mesh node that it is; `None` for a vertex of a fine surface.
    pub node: Option<MeshNode>,
    /// Its share of the faces around it at rest, m^2; an even one of the body's size where there is none.
    pub area: f64,
}

impl SurfaceVertex {
    /// The free node that it is, where it is one.
    pub fn free_node(&self) -> Option<WorldNode> {
        let mut nodes = self.free.iter();
        match (nodes.next(), nodes.next()) {
            (Some((node, 1.0)), None) => Some(WorldNode(node)),
            _ => None,
        }
    }
}

/// An edge of the world's surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceEdge {
    /// Its ends, the lower first.
    pub ends: [VertexId; 2],
    /// The triangles at it; one is missing at the rim of an open surface.
    pub triangles: [Option<TriangleId>; 2],
}

/// The parts of the surface that are a body's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodySurface {
    /// Its vertices.
    pub vertices: Range<u32>,
    /// Its triangles.
    pub triangles: Range<u32>,
    /// Its edges.
    pub edges: Range<u32>,
}

/// The surface of all bodies, one after another: vertices as material points, triangles, edges and what is around what.
#[derive(Clone, Debug, Default)]
pub struct WorldSurface {
    vertices: Vec<SurfaceVertex>,
    triangles: Vec<[VertexId; 3]>,
    edges: Vec<SurfaceEdge>,
    bodies: Vec<BodySurface>,
    /// Triangles and quadrilaterals; a triangle's last corner comes twice.
    faces: Vec<[VertexId; 4]>,
    /// The free node that each vertex is, or none, and whose it is: what steps look at all the time, close together.
    lone: Vec<(u32, BodyId)>,
    /// Where the faces around each vertex begin in `around`.
    starts: Vec<u32>,
    around: Vec<u32>,
    spread: f64,
}

impl WorldSurface {
    /// Of all bodies; `skins` has one for each, or none where all are plain.
    pub fn new(layout: &Layout, skins: &[Skin]) -> Self {
        let mut whole = Self::default();
        for (index, body) in layout.bodies().iter().enumerate() {
            whole.add_body(layout, (BodyId(index as u32), body), skins.get(index));
        }
        whole.find_around();
        let lone = |vertex: &SurfaceVertex| (vertex.free_node().map_or(NONE, |node| node.0), vertex.body);
        whole.lone = whole.vertices.iter().map(lone).collect();
        let sum = |vertex: &SurfaceVertex| vertex.free.iter().map(|(_, weight)| weight.abs()).sum();
        whole.spread = whole.vertices.iter().map(sum).fold(1.0, f64::max);
        whole
    }

    /// All vertices, body by body.
    pub fn vertices(&self) -> &[SurfaceVertex] {
        &self.vertices
    }

    /// One of them.
    pub fn vertex(&self, id: VertexId) -> &SurfaceVertex {
        &self.vertices[id.index()]
    }

    /// The free node that a vertex is by itself, and whose it is.
    pub(crate) fn lone_node(&self, id: VertexId) -> (Option<u32>, BodyId) {
        let (node, body) = self.lone[id.index()];
        (if node == NONE { None } else { Some(node) }, body)
    }

    /// The mean of a vector with three numbers per free node at a vertex.
    pub(crate) fn mean(&self, id: VertexId, values: &[f64]) -> Vec3 {
        match self.lone[id.index()].0 {
            NONE => self.vertex(id).free.mean(values),
            node => std::array::from_fn(|c| values[3 * node as usize + c]),
        }
    }

    /// The largest sum of |weights| of a vertex: it moves no farther than so many times the farthest of its nodes.
    pub(crate) fn spread(&self) -> f64 {
        self.spread
    }

    /// All triangles, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[VertexId; 3]] {
        &self.triangles
    }

    /// All edges.
    pub fn edges(&self) -> &[SurfaceEdge] {
        &self.edges
    }

    /// One of them.
    pub fn edge(&self, id: EdgeId) -> &SurfaceEdge {
        &self.edges[id.index()]
    }

    /// What of all this is a body's.
    pub fn body(&self, body: BodyId) -> &BodySurface {
        &self.bodies[body.index()]
    }

    /// How much of the surface around a vertex faces a normal from outside, where free nodes are at `x`, m^2.
    pub(crate) fn facing_area(&self, id: VertexId, x: &[f64], normal: Vec3) -> f64 {
        let around = &self.around[self.starts[id.index()] as usize..self.starts[id.index() + 1] as usize];
        if around.is_empty() {
            return self.vertex(id).area;
        }
        let faces = around.iter().map(|face| self.faces[*face as usize]);
        let toward = faces.map(|face| -dot(share_of(face.map(|v| self.vertex(v).free.mean(x))), normal));
        toward.map(|area| area.max(0.0)).sum()
    }

    fn find_around(&mut self) {
        self.starts = vec![0; self.vertices.len() + 1];
        let corners = || self.faces.iter().flat_map(|face| corners_of(*face));
        corners().for_each(|v| self.starts[v.index() + 1] += 1);
        (0..self.vertices.len()).for_each(|v| self.starts[v + 1] += self.starts[v]);
        let mut next = self.starts.clone();
        self.around = vec![0; self.starts.last().map_or(0, |last| *last as usize)];
        for (face, corners) in (0_u32..).zip(&self.faces) {
            for vertex in corners_of(*corners) {
                self.around[next[vertex.index()] as usize] = face;
                next[vertex.index()] += 1;
            }
        }
    }

    fn add_body(&mut self, layout: &Layout, (id, body): (BodyId, &Body), skin: Option<&Skin>) {
        let first = [self.vertices.len(), self.triangles.len(), self.edges.len()].map(|n| n as u32);
        let Local { points, triangles, faces } = match skin.and_then(|skin| skin.fine.as_ref()) {
            Some(fine) => Local {
                points: fine.vertices.iter().map(|p| (None, p.clone())).collect(),
                triangles: fine.triangles.clone(),
                faces: fine.triangles.iter().map(|&[a, b, c]| [a, b, c, c]).collect(),
            },
            None => boundary_of(body),
        };
        let rest: Vec<Vec3> = points.iter().map(|(_, p)| p.position(body.mesh.positions())).collect();
        let areas = areas(body, &rest, &faces);
        self.faces.extend(faces.iter().map(|f| f.map(|v| VertexId(first[0] + v))));
        for ((node, own), area) in points.into_iter().zip(areas) {
            let point = own.renumbered(|node| body.world[node as usize]);
            let mut free = MaterialPoint::default();
            layout.dependents().for_each_free(&point, layout.free_count(), |n, w| free.extend([(n, w)]));
            self.vertices.push(SurfaceVertex { body: id, point, free: free.merged(), node, area });
        }
        self.triangles.extend(triangles.iter().map(|t| t.map(|v| VertexId(first[0] + v))));
        self.edges.extend(edges_of(&self.triangles[first[1] as usize..], first[1]));
        self.bodies.push(BodySurface {
            vertices: first[0]..self.vertices.len() as u32,
            triangles: first[1]..self.triangles.len() as u32,
            edges: first[2]..self.edges.len() as u32,
        });
    }
}

/// The surface of a body by local numbers.
struct Local {
    points: Vec<(Option<MeshNode>, MaterialPoint)>,
    triangles: Vec<[u32; 3]>,
    faces: Vec<[u32; 4]>,
}

/// Boundary nodes and faces of a mesh; every node of one without cells.
fn boundary_of(body: &Body) -> Local {
    let surface = body.boundary();
    let nodes = match body.mesh.cell_count() {
        0 => (0..body.mesh.node_count() as u32).collect(),
        _ => surface.nodes(),
    };
    let local = |node: u32| nodes.binary_search(&node).unwrap_or_default() as u32;
    let corners = |face: &FaceNodes| match *face {
        FaceNodes::Triangle([a, b, c]) => [a, b, c, c],
        FaceNodes::Quad(corners) => corners,
    };
    Local {
        triangles: surface.triangles().into_iter().map(|t| t.map(local)).collect(),
        faces: surface.faces.iter().map(|face| corners(&face.nodes).map(local)).collect(),
        points: nodes.iter().map(|node| (Some(MeshNode(*node)), MaterialPoint::node(*node))).collect(),
    }
}

/// The share of a face that is each corner's, as a vector along its outward normal, m^2.
fn share_of(corners: [Vec3; 4]) -> Vec3 {
    let [a, b, c, d] = corners;
    // half the cross product of the diagonals, over the corners
    let whole = cross(sub(c, a), sub(d, b)).map(|x| 0.5 * x);
    let count = if c == d { 3.0 } else { 4.0 };
    whole.map(|x| x / count)
}

/// The part of the surface that is each vertex's own, m^2.
fn areas(body: &Body, rest: &[Vec3], faces: &[[u32; 4]]) -> Vec<f64> {
    if faces.is_empty() {
        let even = body.extent * body.extent / rest.len().max(1) as f64;
        return vec![even; rest.len()];
    }
    let mut areas = vec![0.0; rest.len()];
    for face in faces {
        let share = norm(share_of(face.map(|v| rest[v as usize])));
        corners_of(*face).for_each(|v| areas[v as usize] += share);
    }
    areas
}

/// The corners of a face, each once.
fn corners_of<T: Copy + PartialEq>(face: [T; 4]) -> impl Iterator<Item = T> {
    let count = if face[2] == face[3] { 3 } else { 4 };
    face.into_iter().take(count)
}

/// The edges of some triangles, whose first has the number `first`.
fn edges_of(triangles: &[[VertexId; 3]], first: u32) -> Vec<SurfaceEdge> {
    let mut sides: Vec<([VertexId; 2], TriangleId)> = Vec::with_capacity(3 * triangles.len());
    for (number, &[a, b, c]) in (first..).zip(triangles) {
        let side = |p: VertexId, q: VertexId| ([p.min(q), p.max(q)], TriangleId(number));
        sides.extend([side(a, b), side(b, c), side(c, a)]);
    }
    sides.sort_unstable();
    // a third triangle at an edge, where bodies touch themselves, begins an edge of its own
    let same = sides.chunk_by(|a, b| a.0 == b.0).flat_map(|same| same.chunks(2));
    same.map(|pair| SurfaceEdge { ends: pair[0].0, triangles: [Some(pair[0].1), pair.get(1).map(|p| p.1)] })
        .collect()
}
