//! The surfaces of a model's bodies: what a page shows and what a user can touch.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use pliant_geometry::{FaceNodes, NodeMeans, Surface, SurfaceError};
use pliant_scene::mesh_file::TriangleSurface;
use pliant_solid::law::LawKind;
use pliant_solid::{Body, CellChoice, FullState, Model};

use crate::server::wire::Field;
use crate::server::wire::topology::{self, BodyPart, Topology};

/// Vertices of all bodies one after the other, with what is asked of them again and again.
pub struct SceneSurface {
    model: Arc<Model>,
    /// World node of each vertex.
    pub nodes: Vec<u32>,
    /// Corners by vertex.
    pub triangles: Vec<[u32; 3]>,
    /// First and end vertex of each body.
    vertices: Vec<Range<usize>>,
    rest: Vec<[f64; 3]>,
    means: Vec<NodeMeans>,
    /// Only cells around vertices count for colours; the lock is between pages that want different ones.
    around: Mutex<CellChoice>,
    /// Held vertices, and until when.
    pins: Vec<(u32, Option<f64>)>,
    /// As a page reads it.
    pub topology: Bytes,
    /// Its name.
    pub hash: u64,
}

impl SceneSurface {
    /// Of all bodies; a mesh whose faces have more than two cells has none.
    pub fn of(model: &Arc<Model>) -> Result<Self, String> {
        let mut whole = Topology::default();
        let (mut nodes, mut vertices, mut means) = (Vec::new(), Vec::new(), Vec::new());
        for body in model.layout().bodies() {
            let first = nodes.len();
            let own = add_body(body, &mut whole)
                .map_err(|e| format!("body `{}` cannot be shown: {e}", body.name))?;
            nodes.extend(own.iter().map(|&n| body.world[n as usize]));
            vertices.push(first..nodes.len());
            means.push(NodeMeans::of(&body.mesh, &own));
        }
        let bytes = topology::encode(&whole);
        let hash = pliant_scene::fnv1a(&bytes);
        let pins = pins(model, &nodes);
        let Topology { rest, triangles, .. } = whole;
        let model = Arc::clone(model);
        let touched: Vec<BTreeSet<u32>> =
            means.iter().map(|means: &NodeMeans| means.cells().collect()).collect();
        let around = Mutex::new(model.choose_cells(|body, cell| touched[body].contains(&cell)));
        Ok(Self {
            model,
            nodes,
            triangles,
            vertices,
            rest,
            means,
            around,
            pins,
            topology: bytes.into(),
            hash,
        })
    }

    /// The model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The body that a vertex belongs to.
    pub fn body_of(&self, vertex: u32) -> usize {
        self.vertices.partition_point(|range| range.end <= vertex as usize)
    }

    /// World nodes of a body's vertices.
    pub fn nodes_of(&self, body: usize) -> &[u32] {
        &self.nodes[self.vertices[body].clone()]
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
        let feels = self.model.matter().iter().map(|matter| !matches!(matter.law, LawKind::Linear(_)));
        fields.iter().zip(feels).map(|(fields, feels)| if feels { fields.inverted() } else { 0 }).collect()
    }

    /// Values are written anew each time, so that a page that failed in between does no harm.
    fn around(&self) -> MutexGuard<'_, CellChoice> {
        self.around.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A field of cells as means at the vertices; what is only rounding is zero.
    pub fn cell_means(&self, full: &FullState, field: Field) -> Vec<f64> {
        let mut out = Vec::with_capacity(self.nodes.len());
        let mut around = self.around();
        let fields = self.model.chosen_fields(full, &mut around);
        for (body, (fields, means)) in fields.iter().zip(&self.means).enumerate() {
            let first = out.len();
            let (stress, energy) = self.model.rounding_fields(body);
            let (values, nothing) = match field {
                Field::EnergyDensity => (&fields.energy_density, energy),
                _ => (&fields.von_mises, stress),
            };
            means.extend(values, &mut out);
            out[first..].iter_mut().filter(|value| value.abs() < nothing).for_each(|value| *value = 0.0);
        }
        out
    }
}

/// Appends a body's surface; gives the mesh nodes of its vertices.
fn add_body(body: &Body, whole: &mut Topology) -> Result<Vec<u32>, SurfaceError> {
    let (surface, faces) = (TriangleSurface::of(&body.mesh)?, Surface::of(&body.mesh)?);
    let counts =
        |whole: &Topology| [whole.rest.len(), whole.triangles.len(), whole.edges.len()].map(|n| n as u32);
    let before = counts(whole);
    let first = before[0];
    whole.rest.extend(surface.rest());
    whole.triangles.extend(surface.triangles().iter().map(|corners| corners.map(|v| v + first)));
    let edges = edges(&faces, surface.nodes());
    whole.edges.extend(edges.into_iter().map(|ends| ends.map(|v| v + first)));
    let after = counts(whole);
    whole.bodies.push(BodyPart {
        name: body.name.clone(),
        vertices: [before[0], after[0]],
        triangles: [before[1], after[1]],
        edges: [before[2], after[2]],
    });
    Ok(surface.nodes().to_vec())
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

/// Vertices that fixes hold in all directions or some, and the time when the last lets go.
fn pins(model: &Model, nodes: &[u32]) -> Vec<(u32, Option<f64>)> {
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
    let held = nodes.iter().zip(0..).filter_map(|(node, vertex)| Some((vertex, until[*node as usize]?)));
    held.collect()
}
