//! The surfaces of a model's bodies: what a page shows and what a user can touch.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use pliant_geometry::{FaceNodes, Surface};
use pliant_scene::mesh_file::TriangleSurface;
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
    means: Vec<Means>,
    /// Only cells around vertices count for colours; the lock is between pages that want different ones.
    around: Mutex<CellChoice>,
    /// Held vertices, and until when.
    pins: Vec<(u32, Option<f64>)>,
    /// As a page reads it.
    pub topology: Bytes,
    /// Its name.
    pub hash: u64,
}

/// Volume averages over the cells around each vertex of a body.
struct Means {
    start: Vec<u32>,
    cells: Vec<(u32, f64)>,
}

impl SceneSurface {
    /// Of all bodies; a mesh whose faces have more than two cells has none.
    pub fn of(model: &Arc<Model>) -> Result<Self, String> {
        let mut whole = Topology::default();
        let (mut nodes, mut vertices, mut means) = (Vec::new(), Vec::new(), Vec::new());
        for body in model.layout().bodies() {
            let fault = |e: pliant_geometry::SurfaceError| {
                format!("body `{}` has no surface to show: {e}", body.name)
            };
            let surface = TriangleSurface::of(&body.mesh).map_err(fault)?;
            let first = nodes.len() as u32;
            let before = (whole.triangles.len() as u32, whole.edges.len() as u32);
            nodes.extend(surface.nodes().iter().map(|&n| body.world[n as usize]));
            whole.rest.extend(surface.rest());
            whole.triangles.extend(surface.triangles().iter().map(|corners| corners.map(|v| v + first)));
            let faces = Surface::of(&body.mesh).map_err(fault)?;
            whole
                .edges
                .extend(edges(&faces, surface.nodes()).into_iter().map(|ends| ends.map(|v| v + first)));
            vertices.push(first as usize..nodes.len());
            means.push(Means::of(body, surface.nodes()));
            whole.bodies.push(BodyPart {
                name: body.name.clone(),
                vertices: [first, nodes.len() as u32],
                triangles: [before.0, whole.triangles.len() as u32],
                edges: [before.1, whole.edges.len() as u32],
            });
        }
        let bytes = topology::encode(&whole);
        let hash = topology::hash(&bytes);
        let pins = pins(model, &nodes);
        let Topology { rest, triangles, .. } = whole;
        let model = Arc::clone(model);
        let touched: Vec<BTreeSet<u32>> =
            means.iter().map(|means: &Means| means.cells.iter().map(|(cell, _)| *cell).collect()).collect();
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

    /// Where a vertex rests, m.
    pub fn rest(&self, vertex: u32) -> [f64; 3] {
        self.rest[vertex as usize]
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

    /// A field of cells as means at the vertices.
    pub fn cell_means(&self, full: &FullState, field: Field) -> Vec<f64> {
        let mut out = Vec::with_capacity(self.nodes.len());
        // values are written anew each time, so that a page that failed in between does no harm
        let mut around = self.around.lock().unwrap_or_else(PoisonError::into_inner);
        let fields = self.model.chosen_fields(full, &mut around);
        for (fields, means) in fields.iter().zip(&self.means) {
            let values =
                if field == Field::EnergyDensity { &fields.energy_density } else { &fields.von_mises };
            means.extend(values, &mut out);
        }
        out
    }
}

impl Means {
    fn of(body: &Body, surface: &[u32]) -> Self {
        let mesh = &body.mesh;
        let mut around: Vec<Vec<(u32, f64)>> = vec![Vec::new(); surface.len()];
        for cell in 0..mesh.cell_count() {
            let touched = mesh.cell_nodes(cell).iter().filter_map(|node| surface.binary_search(node).ok());
            let touched: Vec<usize> = touched.collect();
            let volume = if touched.is_empty() { 0.0 } else { mesh.cell_volume(cell) };
            touched.into_iter().for_each(|vertex| around[vertex].push((cell as u32, volume)));
        }
        let mut out = Self { start: vec![0], cells: Vec::new() };
        for cells in around {
            let sum: f64 = cells.iter().map(|(_, volume)| volume).sum();
            out.cells.extend(cells.into_iter().map(|(cell, volume)| (cell, volume / sum)));
            out.start.push(out.cells.len() as u32);
        }
        out
    }

    fn extend(&self, values: &[f64], out: &mut Vec<f64>) {
        let mean = |ends: &[u32]| {
            let cells = &self.cells[ends[0] as usize..ends[1] as usize];
            cells.iter().map(|(cell, weight)| weight * values[*cell as usize]).sum::<f64>()
        };
        out.extend(self.start.windows(2).map(mean));
    }
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
