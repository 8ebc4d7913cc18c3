//! What does not change while a scene runs, as a page reads it.

use serde::Serialize;

/// `PLTO`.
const MAGIC: u32 = u32::from_le_bytes(*b"PLTO");
const VERSION: u32 = 1;

/// The surfaces of all bodies as one.
#[derive(Clone, Debug, Default)]
pub struct Topology {
    /// Rest positions of the vertices, m.
    pub rest: Vec<[f64; 3]>,
    /// Corners, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Ends of the edges of element faces.
    pub edges: Vec<[u32; 2]>,
    /// Which of them belong to which body.
    pub bodies: Vec<BodyPart>,
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

/// The bytes of a topology.
pub fn encode(topology: &Topology) -> Vec<u8> {
    let json = serde_json::json!({ "bodies": topology.bodies }).to_string();
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
