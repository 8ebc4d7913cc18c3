//! A frame as a page reads it: a header, then blocks.
//!
//! Positions are quantised to 16 bits in the box of the frame: 15 um in a body of 1 m.

use super::Field;

/// `PLFR`.
const MAGIC: u32 = u32::from_le_bytes(*b"PLFR");
/// Of the protocol.
pub const VERSION: u16 = 2;
/// Time runs.
pub const RUNS: u16 = 1;
/// Somebody holds a body.
pub const HOLDS: u16 = 2;
/// Somebody has a tool.
pub const PUSHES: u16 = 4;

/// An arrow that stands for a force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrow {
    /// 1 the user's grab, 2 a grab of the scene, 3 the user's tool.
    pub kind: u32,
    /// Whether it pulls with its largest force.
    pub at_limit: bool,
    /// The held point, m.
    pub point: [f64; 3],
    /// The force on the body, N.
    pub force: [f64; 3],
    /// Where the hand is, m.
    pub target: [f64; 3],
}

/// Where a rigid shape is: its three axes, each of length 1, and its origin, m.
pub type Pose = [[f64; 3]; 4];

/// The user's tool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Its radius, m.
    pub radius: f64,
    /// Its middle, m.
    pub place: [f64; 3],
}

/// A point of a body that touches something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// The place of what it touches among the topology's colliders; that of a tool comes after all of them.
    pub collider: u32,
    /// Where it is, m.
    pub point: [f64; 3],
    /// Of length 1, towards the body.
    pub normal: [f64; 3],
    /// Gap, m; negative where it overlaps.
    pub gap: f64,
    /// The force on the body, N.
    pub force: [f64; 3],
}

/// The numbers of the `STAT` block, in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stats {
    /// Wanted speed.
    pub wanted: f64,
    /// Simulated seconds a second.
    pub measured: f64,
    /// Length of the last step, s.
    pub dt: f64,
    /// Wall time of a step, ms.
    pub step_ms: f64,
    /// Steps so far.
    pub steps: f64,
    /// Force of the user's grab, N.
    pub force: f64,
    /// Its largest force, N.
    pub largest_force: f64,
    /// Wall time of encoding the last frame, ms.
    pub encode_ms: f64,
    /// How many points touch something.
    pub contacts: f64,
    /// The deepest that any point was inside a collider since the beginning, m.
    pub deepest: f64,
    /// Force of the user's tool on bodies, N.
    pub push: f64,
}

/// What a frame says.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Its number.
    pub number: u32,
    /// The last command that this state knows of.
    pub sequence: u32,
    /// `RUNS`, `HOLDS`, `PUSHES`.
    pub flags: u16,
    /// Simulated time, s.
    pub time: f64,
    /// Hash of the topology.
    pub topology: u64,
    /// Vertices, m.
    pub positions: &'a [[f64; 3]],
    /// A scalar at the vertices.
    pub field: Option<(Field, &'a [f64])>,
    /// Held vertices.
    pub pins: &'a [u32],
    /// Forces to show.
    pub arrows: &'a [Arrow],
    /// The masters of all bones, four after another, m.
    pub bones: &'a [[f64; 3]],
    /// Where the colliders are that move by a script, in their order.
    pub colliders: &'a [Pose],
    /// The user's tool, if there is one.
    pub tool: Option<Ball>,
    /// What touches, where it is to be seen.
    pub contacts: &'a [Mark],
    /// How it goes.
    pub stats: Stats,
}

/// The bytes of a frame.
pub fn encode(frame: &Frame) -> Vec<u8> {
    let count = frame.positions.len();
    let mut out = Writer { bytes: Vec::with_capacity(256 + 8 * count + 4 * frame.pins.len()) };
    let (corner, size) = frame_box(frame.positions);
    let blocks = 2
        + usize::from(frame.field.is_some())
        + usize::from(!frame.pins.is_empty())
        + usize::from(!frame.arrows.is_empty())
        + usize::from(!frame.bones.is_empty())
        + usize::from(!frame.colliders.is_empty())
        + usize::from(frame.tool.is_some())
        + usize::from(!frame.contacts.is_empty());
    out.word(MAGIC);
    out.bytes.extend(VERSION.to_le_bytes());
    out.bytes.extend(frame.flags.to_le_bytes());
    out.word(frame.number);
    out.word(frame.sequence);
    out.bytes.extend(frame.time.to_le_bytes());
    out.bytes.extend(frame.topology.to_le_bytes());
    out.word(count as u32);
    out.word(blocks as u32);
    corner.iter().chain(&size).for_each(|x| out.bytes.extend(x.to_le_bytes()));

    out.block(b"POSN", |bytes| quantise_positions(frame.positions, (corner, size), bytes));
    if let Some((field, values)) = frame.field {
        out.block(b"FILD", |bytes| write_field(field, values, bytes));
    }
    if !frame.pins.is_empty() {
        out.block(b"PINS", |bytes| frame.pins.iter().for_each(|pin| bytes.extend(pin.to_le_bytes())));
    }
    if !frame.arrows.is_empty() {
        out.block(b"ARRW", |bytes| frame.arrows.iter().for_each(|arrow| write_arrow(arrow, bytes)));
    }
    if !frame.bones.is_empty() {
        out.block(b"BONE", |bytes| write_places(frame.bones, bytes));
    }
    if !frame.colliders.is_empty() {
        out.block(b"COLL", |bytes| frame.colliders.iter().for_each(|pose| write_places(pose, bytes)));
    }
    if let Some(Ball { radius, place }) = frame.tool {
        out.block(b"TOOL", |bytes| {
            bytes.extend((radius as f32).to_le_bytes());
            write_places(&[place], bytes);
        });
    }
    if !frame.contacts.is_empty() {
        out.block(b"CNTC", |bytes| frame.contacts.iter().for_each(|mark| write_mark(mark, bytes)));
    }
    out.block(b"STAT", |bytes| write_stats(&frame.stats, bytes));
    out.bytes
}

struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    fn word(&mut self, word: u32) {
        self.bytes.extend(word.to_le_bytes());
    }

    /// Tag, number of bytes, bytes, zeros up to a multiple of 8.
    fn block(&mut self, tag: &[u8; 4], write: impl FnOnce(&mut Vec<u8>)) {
        self.bytes.extend(tag);
        let length = self.bytes.len();
        self.word(0);
        let start = self.bytes.len();
        write(&mut self.bytes);
        let written = (self.bytes.len() - start) as u32;
        self.bytes[length..start].copy_from_slice(&written.to_le_bytes());
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
    }
}

/// Lower corner and size of the box that the page will read, rounded outward.
fn frame_box(positions: &[[f64; 3]]) -> ([f32; 3], [f32; 3]) {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for x in positions {
        for c in 0..3 {
            low[c] = low[c].min(x[c]);
            high[c] = high[c].max(x[c]);
        }
    }
    if positions.is_empty() {
        return ([0.0; 3], [1.0; 3]);
    }
    let corner = low.map(|x| (x as f32).next_down());
    let size = std::array::from_fn(|c| ((high[c] - f64::from(corner[c])) as f32).next_up());
    (corner, size)
}

const STEPS: f64 = 65535.0;

fn quantise_positions(positions: &[[f64; 3]], (corner, size): ([f32; 3], [f32; 3]), out: &mut Vec<u8>) {
    let corner = corner.map(f64::from);
    let scale = size.map(|s| STEPS / f64::from(s).max(f64::MIN_POSITIVE));
    let start = out.len();
    out.resize(start + 6 * positions.len(), 0);
    for (bytes, x) in out[start..].chunks_exact_mut(6).zip(positions) {
        for c in 0..3 {
            // the cast saturates: no position leaves the box
            let q = ((x[c] - corner[c]) * scale[c] + 0.5) as u16;
            bytes[2 * c..2 * c + 2].copy_from_slice(&q.to_le_bytes());
        }
    }
}

fn write_field(field: Field, values: &[f64], out: &mut Vec<u8>) {
    let kind: u32 = match field {
        Field::None => 0,
        Field::Displacement => 1,
        Field::VonMises => 2,
        Field::EnergyDensity => 3,
    };
    let finite = || values.iter().copied().filter(|v| v.is_finite());
    let low = finite().fold(f64::INFINITY, f64::min).min(f64::MAX) as f32;
    let high = finite().fold(f64::NEG_INFINITY, f64::max).max(f64::MIN) as f32;
    let (low, high) = if low <= high { (low, high) } else { (0.0, 0.0) };
    out.extend(kind.to_le_bytes());
    out.extend(0_u32.to_le_bytes());
    out.extend(low.to_le_bytes());
    out.extend(high.to_le_bytes());
    let (low, span) = (f64::from(low), f64::from(high) - f64::from(low));
    let scale = if span > 0.0 { STEPS / span } else { 0.0 };
    // what is not a number is shown as the highest
    let q = |v: &f64| if v.is_finite() { ((v - low) * scale + 0.5) as u16 } else { u16::MAX };
    values.iter().for_each(|v| out.extend(q(v).to_le_bytes()));
}

fn write_places(places: &[[f64; 3]], out: &mut Vec<u8>) {
    places.iter().flatten().for_each(|x| out.extend((*x as f32).to_le_bytes()));
}

fn write_arrow(arrow: &Arrow, out: &mut Vec<u8>) {
    out.extend(arrow.kind.to_le_bytes());
    out.extend(u32::from(arrow.at_limit).to_le_bytes());
    let numbers = arrow.point.iter().chain(&arrow.force).chain(&arrow.target);
    numbers.for_each(|x| out.extend((*x as f32).to_le_bytes()));
}

fn write_mark(mark: &Mark, out: &mut Vec<u8>) {
    out.extend(mark.collider.to_le_bytes());
    write_places(&[mark.point, mark.normal], out);
    out.extend((mark.gap as f32).to_le_bytes());
    write_places(&[mark.force], out);
}

fn write_stats(stats: &Stats, out: &mut Vec<u8>) {
    let Stats { wanted, measured, dt, step_ms, steps, force, largest_force, .. } = stats;
    let Stats { encode_ms, contacts, deepest, push, .. } = stats;
    let first = [wanted, measured, dt, step_ms, steps, force, largest_force];
    let numbers = first.into_iter().chain([encode_ms, contacts, deepest, push]);
    numbers.for_each(|x| out.extend(x.to_le_bytes()));
}
