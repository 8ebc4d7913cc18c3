//! The surfaces of a model's bodies: what a page shows and what a user can touch.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use pliant_geometry::vector::norm;
use pliant_geometry::{Embedding, FaceNodes, MaterialPoint, NodeMeans, Surface, SurfaceError};
use pliant_scene::mesh_file::TriangleSurface;
use pliant_solid::law::InsideOut;
use pliant_solid::{Body, CellChoice, FullState, Model, Network};

use super::around;
use crate::server::wire::Field;
use crate::server::wire::topology::{self, BodyPart, Topology};

/// A weight that is only rounding: a vertex on a face of a cell does not hang on the nodes off that face.
const ROUNDING: f64 = 1e-12;

/// Vertices of all bodies one after the other, with what is asked of them again and again.
pub struct SceneSurface {
    model: Arc<Model>,
    /// World nodes that move the vertices: of a body without a surface of its own they are the vertices, in their order.
    pub nodes: Vec<u32>,
    /// Corners by vertex.
    pub triangles: Vec<[u32; 3]>,
    bodies: Vec<BodySurface>,
    rest: Vec<[f64; 3]>,
    /// Only cells around vertices count for colours; the lock is between pages that want different ones.
    around: Mutex<CellChoice>,
    /// Masters of all bones, four after another.
    pub masters: Vec<u32>,
    /// Held vertices, and until when.
    pins: Vec<(u32, Option<f64>)>,
    /// As a page reads it.
    pub topology: Bytes,
    /// Its name.
    pub hash: u64,
}

/// A body's part.
struct BodySurface {
    /// First and end of the nodes that move its vertices.
    nodes: Range<usize>,
    /// First and end vertex.
    vertices: Range<usize>,
    /// From cells to those nodes.
    means: NodeMeans,
    /// How the vertices follow the nodes, where they are not these themselves.
    finer: Option<Embedding>,
}

impl SceneSurface {
    /// Of all bodies, by their finer surfaces where they have them; a mesh whose faces have more than two cells has none.
    pub fn of(model: &Arc<Model>, finer: &[Option<Arc<Embedding>>]) -> Result<Self, String> {
        let mut whole = Topology::default();
        let (mut nodes, mut bodies) = (Vec::new(), Vec::new());
        let parts = model.layout().bodies().iter().zip(model.matter()).zip(finer);
        for ((body, matter), finer) in parts {
            let (first_node, first_vertex) = (nodes.len(), whole.rest.len());
            let (own, finer) = add_body(body, (finer.as_deref(), matter.network()), &mut whole)
                .map_err(|e| format!("body `{}` cannot be shown: {e}", body.name))?;
            nodes.extend(own.iter().map(|&n| body.world[n as usize]));
            if finer.is_none() {
                let tied =
                    |(_, n): &(u32, &u32)| around::is_tied(model.layout(), body, body.world[**n as usize]);
                let vertices = (first_vertex as u32..).zip(&own).filter(tied);
                whole.parts.tied.extend(vertices.map(|(vertex, _)| vertex));
            }
            let (means, vertices) = (NodeMeans::of(&body.mesh, &own), first_vertex..whole.rest.len());
            bodies.push(BodySurface { nodes: first_node..nodes.len(), vertices, means, finer });
        }
        whole.parts.colliders = around::colliders(model);
        whole.parts.bones = around::bones(model.layout());
        let bytes = topology::encode(&whole);
        let hash = pliant_scene::fnv1a(&bytes);
        let Topology { rest, triangles, .. } = whole;
        let model = Arc::clone(model);
        let touched: Vec<BTreeSet<u32>> = bodies.iter().map(|body| body.means.cells().collect()).collect();
        let around = Mutex::new(model.choose_cells(|body, cell| touched[body].contains(&cell)));
        let (topology, pins) = (bytes.into(), Vec::new());
        let masters = around::masters(model.layout());
        let mut surface =
            Self { model, nodes, triangles, bodies, rest, around, masters, pins, topology, hash };
        surface.pins = surface.pins();
        Ok(surface)
    }

    /// The model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The diagonal of the box around everything at rest, m.
    pub fn extent(&self) -> f64 {
        let sides = [0, 1, 2].map(|c| {
            let ends = self.rest.iter().map(|x| x[c]);
            ends.clone().fold(f64::NEG_INFINITY, f64::max) - ends.fold(f64::INFINITY, f64::min)
        });
        let extent = norm(sides);
        if extent > 0.0 && extent.is_finite() { extent } else { 1.0 }
    }

    /// The body that a vertex belongs to.
    pub fn body_of(&self, vertex: u32) -> usize {
        self.bodies.partition_point(|body| body.vertices.end <= vertex as usize)
    }

    /// World nodes that move a body's vertices.
    pub fn nodes_of(&self, body: usize) -> &[u32] {
        &self.nodes[self.bodies[body].nodes.clone()]
    }

    /// World nodes and weights of a vertex, which is a point of the matter.
    pub fn point(&self, vertex: u32) -> MaterialPoint {
        let body = &self.bodies[self.body_of(vertex)];
        let own = vertex as usize - body.vertices.start;
        let nodes = &self.nodes[body.nodes.clone()];
        match &body.finer {
            Some(finer) => {
                let point = finer.point(own as u32);
                let felt = point.iter().filter(|(_, w)| w.abs() > ROUNDING);
                felt.map(|(node, weight)| (nodes[node as usize], weight)).collect()
            }
            None => MaterialPoint::node(nodes[own]),
        }
    }

    /// Where the vertices are when the [`nodes`](Self::nodes) are at `places`, m.
    pub fn positions(&self, places: Vec<[f64; 3]>) -> Vec<[f64; 3]> {
        if self.bodies.iter().all(|body| body.finer.is_none()) {
            return places;
        }
        let (mut out, mut fine) = (Vec::with_capacity(self.rest.len()), Vec::new());
        for body in &self.bodies {
            let nodes = &places[body.nodes.clone()];
            match &body.finer {
                Some(finer) => {
                    finer.positions_into(nodes, &mut fine);
                    out.extend_from_slice(&fine);
                }
                None => out.extend_from_slice(nodes),
            }
        }
        out
    }

    /// Vertices that a fix holds at a time.
    pub fn pins_at(&self, time: f64) -> Vec<u32> {
        let held = self.pins.iter().filter(|(_, release)| release.is_none_or(|release| time < release));
        held.map(|(vertex, _)| *vertex).collect()
    }

    /// How far each vertex is from where it rests, m.
    pub fn displacements(&self, positions: &[[f64; 3]]) -> Vec<f64> {
        let distance =
            |(x, rest): (&[f64; 3], &[f64; 3])| (0..3).map(|c| (x[c] - rest[c]).powi(2)).sum::<f64>().sqrt();
        positions.iter().zip(&self.rest).map(distance).collect()
    }

    /// How many cells at the surface of each body are inside out; those of linear bodies do not feel it.
    pub fn inverted(&self, full: &FullState) -> Vec<usize> {
        let mut around = self.around();
        let fields = self.model.chosen_fields(full, &mut around);
        let feels = self.model.matter().iter().map(|matter| matter.traits().inside_out != InsideOut::Unseen);
        fields.iter().zip(feels).map(|(fields, feels)| if feels { fields.inverted() } else { 0 }).collect()
    }

    /// Values are written anew each time, so that a page that failed in between does no harm.
    fn around(&self) -> MutexGuard<'_, CellChoice> {
        self.around.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A field of cells as means at the vertices; what is only rounding is zero, and what weights of vertices outside make negative.
    pub fn cell_means(&self, full: &FullState, field: Field) -> Vec<f64> {
        let mut out = Vec::with_capacity(self.rest.len());
        let mut around = self.around();
        let fields = self.model.chosen_fields(full, &mut around);
        for (index, (fields, body)) in fields.iter().zip(&self.bodies).enumerate() {
            let first = out.len();
            let (stress, energy) = self.model.rounding_fields(index);
            let (values, nothing) = match field {
                Field::EnergyDensity => (&fields.energy_density, energy),
                _ => (&fields.von_mises, stress),
            };
            body.means.extend(values, &mut out);
            if let Some(finer) = &body.finer {
                let of_nodes = out.split_off(first);
                let mut fine = Vec::new();
                finer.values_into(&of_nodes, &mut fine);
                out.append(&mut fine);
            }
            out[first..].iter_mut().filter(|value| **value < nothing).for_each(|value| *value = 0.0);
        }
        out
    }

    /// Vertices that fixes hold in all directions or some, and the time when the first of their nodes is let go.
    fn pins(&self) -> Vec<(u32, Option<f64>)> {
        let until = held_until(&self.model);
        let pin = |vertex: u32| {
            let point = self.point(vertex);
            let mut nodes = point.nodes();
            let first = until[nodes.next()? as usize]?;
            let end = nodes.try_fold(first, |end, node| {
                let other = until[node as usize]?;
                Some(end.map_or(other, |end| other.map_or(Some(end), |other| Some(end.min(other)))))
            })?;
            Some((vertex, end))
        };
        (0..self.rest.len() as u32).filter_map(pin).collect()
    }
}

/// Appends a body's surface; gives the mesh nodes that move its vertices, and how if they are not the vertices themselves.
fn add_body(
    body: &Body,
    (finer, network): (Option<&Embedding>, Option<&Network>),
    whole: &mut Topology,
) -> Result<(Vec<u32>, Option<Embedding>), SurfaceError> {
    let surface = TriangleSurface::of_boundary(&body.mesh, body.boundary());
    let counts =
        |whole: &Topology| [whole.rest.len(), whole.triangles.len(), whole.edges.len()].map(|n| n as u32);
    let before = counts(whole);
    let (rest, triangles, edges) = match (finer, network) {
        (Some(finer), _) => {
            let fine = finer.surface();
            (fine.positions(), fine.triangles(), triangle_edges(fine.triangles()))
        }
        // vertices are all particles then, in their order
        (None, Some(network)) if body.mesh.cell_count() == 0 => {
            (surface.rest(), surface.triangles(), network.springs.iter().map(|(ends, _)| *ends).collect())
        }
        _ => (surface.rest(), surface.triangles(), edges(body.boundary(), surface.nodes())),
    };
    whole.rest.extend(rest);
    whole.triangles.extend(triangles.iter().map(|corners| corners.map(|v| v + before[0])));
    whole.edges.extend(edges.into_iter().map(|ends| ends.map(|v| v + before[0])));
    let after = counts(whole);
    whole.parts.bodies.push(BodyPart {
        name: body.name.clone(),
        vertices: [before[0], after[0]],
        triangles: [before[1], after[1]],
        edges: [before[2], after[2]],
    });
    let mut nodes = surface.nodes().to_vec();
    let Some(finer) = finer else { return Ok((nodes, None)) };
    // those on the boundary too: what is inside out there is told, whatever moves the vertices
    nodes.extend(finer.master_nodes());
    nodes.sort_unstable();
    nodes.dedup();
    let finer = finer.on(&nodes);
    Ok((nodes, Some(finer)))
}

/// Edges of triangles, each once.
fn triangle_edges(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let ends = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut edges: Vec<[u32; 2]> = ends.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Edges of faces by vertex, each once; those of quadrilaterals without a diagonal.
fn edges(surface: &Surface, nodes: &[u32]) -> Vec<[u32; 2]> {
    let vertex = |node: u32| nodes.binary_search(&node).unwrap_or_default() as u32;
    let mut out = BTreeSet::new();
    for face in &surface.faces {
        let corners: &[u32] = match &face.nodes {
            FaceNodes::Triangle(corners) => corners,
            FaceNodes::Quad(corners) => corners,
        };
        for (i, &node) in corners.iter().enumerate() {
            let (a, b) = (vertex(node), vertex(corners[(i + 1) % corners.len()]));
            out.insert([a.min(b), a.max(b)]);
        }
    }
    out.into_iter().collect()
}

/// For every world node that fixes hold in all directions or some the time when the last lets go, if one does.
fn held_until(model: &Model) -> Vec<Option<Option<f64>>> {
    let mut until: Vec<Option<Option<f64>>> = vec![None; model.layout().node_count()];
    for fix in model.fixes() {
        for &node in &fix.nodes {
            let known = &mut until[node as usize];
            *known = Some(match (*known, fix.release) {
                (Some(None), _) | (_, None) => None,
                (Some(Some(a)), Some(b)) => Some(a.max(b)),
                (None, release) => release,
            });
        }
    }
    until
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use pliant_scene::{CompileOptions, LoadedScene, Scene, compile};

    /// A cube of 2 x 2 x 2 cells that is held at x = 0 for a second, with a surface of 8 x 8 squares a face.
    const SCENE: &str = r#"
duration = "2 s"
[material.m]
law = "corotated"
young = "100 kPa"
poisson = 0.3
density = 1000
[body.cube]
material = "m"
mesh = { shape = "box", size = [0.1, 0.1, 0.1], cells = [2, 2, 2] }
surface = { shape = "box", size = [0.1, 0.1, 0.1], cells = [8, 8, 8] }
position = [0.3, 0, 0]
[[body.cube.fix]]
where = { plane = { point = [0, 0, 0], normal = [1, 0, 0] } }
release = "1 s"
"#;

    #[test]
    fn vertices_of_a_finer_surface_are_held_where_all_their_nodes_are() {
        let (scene, source) = Scene::parse(SCENE, "cube.toml").unwrap();
        let loaded = LoadedScene { scene, source, folder: ".".into() };
        let compiled = compile(&loaded, CompileOptions::default()).unwrap();
        let surface = SceneSurface::of(&compiled.model, &compiled.surfaces).unwrap();
        let held = surface.pins_at(0.5);
        assert_eq!(held.len(), 81, "9 x 9 vertices on the held face");
        assert!(held.iter().all(|v| (surface.rest[*v as usize][0] - 0.3).abs() < 1e-12));
        assert!(surface.pins_at(1.5).is_empty());
        // a hand there pulls at nodes that do not move
        let touched = surface.point(held[40]);
        let nodes = surface.nodes_of(0);
        assert!(compiled.model.hand(0, &touched, nodes, &compiled.model.holding_by_script(0.5)).is_none());
        assert!(compiled.model.hand(0, &touched, nodes, &compiled.model.holding_by_script(1.5)).is_some());
    }
}
