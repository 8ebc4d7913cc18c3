//! The description of an animation (.gltf): JSON that says what lies where in NAME.bin.
//!
//! Every frame is a morph target. Its weight is 1 at its own time and 0 at all others, linear in between, so
//! the weights of n frames are the n x n identity: a sparse accessor names its n ones, and the file stays as short as the list
//! of frames. Times and ones are in the document itself. A turn of the node makes y point up, as glTF wants it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

const FLOAT: u32 = 5126;
const UNSIGNED: u32 = 5125;
const VERTICES: u32 = 34962;
const CORNERS: u32 = 34963;

/// The box around vectors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    min: [f32; 3],
    max: [f32; 3],
}

impl Default for Span {
    fn default() -> Self {
        Self { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3] }
    }
}

impl Span {
    pub fn add(&mut self, v: [f32; 3]) {
        for k in 0..3 {
            self.min[k] = self.min[k].min(v[k]);
            self.max[k] = self.max[k].max(v[k]);
        }
    }
}

/// What the document says of a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameSpan {
    /// In s.
    pub time: f32,
    /// Of the ways of its vertices from rest.
    pub span: Span,
}

/// The document of a surface and its frames, NAME.bin being laid out as `gltf` says.
pub(super) fn document(name: &str, base: &[[f32; 3]], triangle_count: usize, frames: &[FrameSpan]) -> Value {
    let (corners, vertices) = (12 * triangle_count, 12 * base.len());
    let length = corners + vertices + frames.len() * (4 + vertices);
    let mut rest = Span::default();
    base.iter().for_each(|&vertex| rest.add(vertex));
    // a turn by -90 degrees about x: z, which is up here, becomes y
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let mut document = json!({
        "asset": { "version": "2.0", "generator": "Pliant" },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0, "name": name, "rotation": [-half, 0.0, 0.0, half] }],
        "meshes": [{ "name": name, "primitives": [{ "attributes": { "POSITION": 1 }, "indices": 0, "mode": 4 }] }],
        "buffers": [{ "uri": format!("{}.bin", encoded(name)), "byteLength": length }],
        "bufferViews": [
            { "buffer": 0, "byteOffset": 0, "byteLength": corners, "target": CORNERS },
            { "buffer": 0, "byteOffset": corners, "byteLength": vertices, "target": VERTICES },
        ],
        "accessors": [
            { "bufferView": 0, "componentType": UNSIGNED, "type": "SCALAR", "count": 3 * triangle_count },
            vectors(1, 0, base.len(), &rest),
        ],
    });
    if !frames.is_empty() {
        animate(&mut document, name, base.len(), frames);
    }
    document
}

/// Adds the frames: morph targets, and their weights over time.
fn animate(document: &mut Value, name: &str, vertex_count: usize, frames: &[FrameSpan]) {
    let (count, record) = (frames.len(), 4 + 12 * vertex_count);
    let whole = document["buffers"][0]["byteLength"].as_u64().unwrap_or(0) as usize;
    let mut extend = |key: &str, values: Vec<Value>| {
        if let Some(list) = document[key].as_array_mut() {
            list.extend(values);
        }
    };
    extend("buffers", vec![json!({ "uri": times_and_ones(frames), "byteLength": 12 * count })]);
    let ways = json!({ "buffer": 0, "byteOffset": whole - count * record, "byteLength": count * record,
                       "byteStride": 12, "target": VERTICES });
    let own = |i: usize| json!({ "buffer": 1, "byteOffset": 4 * i * count, "byteLength": 4 * count });
    extend("bufferViews", vec![ways, own(0), own(1), own(2)]);
    // behind the time of each frame
    let targets = (0..).zip(frames).map(|(i, f)| vectors(2, 4 + i * record, vertex_count, &f.span));
    extend("accessors", targets.chain([times(frames), identity(count)]).collect());
    document["meshes"][0]["primitives"][0]["targets"] =
        (0..count).map(|i| json!({ "POSITION": 2 + i })).collect();
    document["animations"] = json!([{
        "name": name,
        "samplers": [{ "input": 2 + count, "output": 3 + count, "interpolation": "LINEAR" }],
        "channels": [{ "sampler": 0, "target": { "node": 0, "path": "weights" } }],
    }]);
}

fn vectors(view: usize, offset: usize, count: usize, span: &Span) -> Value {
    // as doubles, whose text reads back to the same float
    let (min, max) = (span.min.map(f64::from), span.max.map(f64::from));
    json!({ "bufferView": view, "byteOffset": offset, "componentType": FLOAT, "type": "VEC3",
            "count": count, "min": min, "max": max })
}

fn times(frames: &[FrameSpan]) -> Value {
    let end = |frame: Option<&FrameSpan>| frame.map_or(0.0, |frame| f64::from(frame.time));
    json!({ "bufferView": 3, "componentType": FLOAT, "type": "SCALAR", "count": frames.len(),
            "min": [end(frames.first())], "max": [end(frames.last())] })
}

/// The weights: zeros, but for the ones that buffer 1 lists.
fn identity(count: usize) -> Value {
    json!({ "componentType": FLOAT, "type": "SCALAR", "count": count * count, "sparse": {
        "count": count,
        "indices": { "bufferView": 4, "componentType": UNSIGNED },
        "values": { "bufferView": 5 },
    }})
}

/// Buffer 1: the times, the places of the ones in the matrix of weights, the ones.
fn times_and_ones(frames: &[FrameSpan]) -> String {
    let count = frames.len() as u32;
    let mut bytes: Vec<u8> = frames.iter().flat_map(|frame| frame.time.to_le_bytes()).collect();
    bytes.extend((0..count).flat_map(|i| (i * (count + 1)).to_le_bytes()));
    bytes.extend((0..count).flat_map(|_| 1_f32.to_le_bytes()));
    format!("data:application/octet-stream;base64,{}", STANDARD.encode(&bytes))
}

/// A name as part of an address (RFC 3986).
fn encoded(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let one = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    name.bytes().map(one).collect()
}
