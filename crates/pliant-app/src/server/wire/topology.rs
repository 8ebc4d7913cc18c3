//! What does not change while a scene runs, as a page reads it.

use serde::Serialize;

/// `PLTO`.
const MAGIC: u32 = u32::from_le_bytes(*b"PLTO");
const VERSION: u32 = 3;

/// The surfaces of all bodies as one, and what stands around and inside them.
#[derive(Clone, Debug, Default)]
pub struct Topology {
    /// Rest positions of the vertices, m.
    pub rest: Vec<[f64; 3]>,
    /// Corners, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Ends of the edges of element faces.
    pub edges: Vec<[u32; 2]>,
    /// The rest, as text.
    pub parts: Parts,
}

/// What a topology tells as text.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Parts {
    /// Which vertices, triangles and edges belong to which body.
    pub bodies: Vec<BodyPart>,
    /// Rigid shapes that bodies meet.
    pub colliders: Vec<ColliderPart>,
    /// Rigid parts.
    pub bones: Vec<BonePart>,
    /// Vertices that are tied to another body.
    pub tied: Vec<u32>,
}

/// A body's part of the arrays: first and end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodyPart {
    /// The body's name.
    pub name: String,
    /// Its vertices.
    pub vertices: [u32; 2],
    /// Its triangles.
    pub triangles: [u32; 2],
    /// Its edges.
    pub edges: [u32; 2],
}

/// A rigid shape that bodies meet, where it is at the start.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColliderPart {
    /// Its name.
    pub name: String,
    /// Its shape.
    pub shape: ShapePart,
    /// Its axes, each of length 1.
    pub axes: [[f64; 3]; 3],
    /// Its origin, m.
    pub origin: [f64; 3],
    /// Distance from its surface at which contact begins, m.
    pub thickness: f64,
    /// Whether frames tell where it is.
    pub moves: bool,
    /// The bone that carries it, if one does.
    pub bone: Option<usize>,
}

/// A shape about its own origin, along its own axes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ShapePart {
    /// Everything below z = 0.
    Plane,
    /// A ball.
    Sphere {
        /// Its radius, m.
        radius: f64,
    },
    /// A ball that was drawn along z.
    Capsule {
        /// Its radius, m.
        radius: f64,
        /// Half the way between the middles of its caps, m.
        half: f64,
    },
    /// A box.
    Box {
        /// Half of its edges, m.
        half: [f64; 3],
    },
    /// A closed surface.
    Mesh {
        /// Its vertices, m.
        vertices: Vec<[f64; 3]>,
        /// Corners by these vertices, counter-clockwise seen from outside.
        triangles: Vec<[u32; 3]>,
    },
}

/// A rigid part of a body, at rest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BonePart {
    /// Its name.
    pub name: String,
    /// Four points that move with it, m; frames tell where they are.
    pub masters: [[f64; 3]; 4],
    /// Vertices of its surface, m.
    pub rest: Vec<[f64; 3]>,
    /// Corners by these vertices.
    pub triangles: Vec<[u32; 3]>,
    /// The line that it turns about, if it does.
    pub hinge: Option<HingePart>,
}

/// A line that stands still.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HingePart {
    /// A point of it, m.
    pub point: [f64; 3],
    /// Its direction, of length 1.
    pub axis: [f64; 3],
}

/// The bytes of a topology.
pub fn encode(topology: &Topology) -> Vec<u8> {
    let json = serde_json::to_string(&topology.parts).unwrap_or_default();
    let counts = [topology.rest.len(), topology.triangles.len(), topology.edges.len(), json.len()];
    let mut out = Vec::with_capacity(24 + 12 * counts[0] + 12 * counts[1] + 8 * counts[2] + counts[3]);
    let mut word = |word: u32| out.extend(word.to_le_bytes());
    word(MAGIC);
    word(VERSION);
    counts.iter().for_each(|count| word(*count as u32));
    topology.rest.iter().flatten().for_each(|x| word((*x as f32).to_bits()));
    topology.triangles.iter().flatten().for_each(|corner| word(*corner));
    topology.edges.iter().flatten().for_each(|end| word(*end));
    out.extend(json.as_bytes());
    out
}
