//! The golden files of `web/golden`: what this side writes is, byte for byte, what the page's tests read, and what
//! the page writes can be read here.
//!
//! `PLIANT_WRITE_GOLDEN=1 cargo nextest run -p pliant-app golden` writes the binary ones anew after a deliberate change.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use serde_json::{Value, json};

use super::frame::{self, Arrow, Ball, Frame, HOLDS, Mark, PUSHES, Pose, RUNS, Stats};
use super::topology::{self, BodyPart, BonePart, ColliderPart, HingePart, Parts, ShapePart, Topology};
use super::{Field, Message, Order, parse};

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../web/golden").join(name)
}

/// A unit tetrahedron and a triangle of another body.
fn sample_topology() -> Topology {
    Topology {
        rest: vec![
            [0.0; 3],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
            [2.0, 0.0, 0.0],
            [2.0, 1.0, 0.0],
            [2.0, 0.0, 0.5],
        ],
        triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3], [4, 5, 6]],
        edges: vec![[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3], [4, 5], [4, 6], [5, 6]],
        parts: Parts {
            bodies: vec![
                BodyPart { name: "tet".into(), vertices: [0, 4], triangles: [0, 4], edges: [0, 6] },
                BodyPart { name: "flag \"é\"".into(), vertices: [4, 7], triangles: [4, 5], edges: [6, 9] },
            ],
            colliders: sample_colliders(),
            bones: vec![BonePart {
                name: "core".into(),
                masters: MASTERS_AT_REST,
                rest: vec![[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]],
                triangles: vec![[0, 1, 2]],
                hinge: Some(HingePart { point: [0.0, 0.0, 0.25], axis: [0.0, 1.0, 0.0] }),
            }],
            tied: vec![4, 6],
        },
    }
}

/// One of each shape: a floor, a ball and a box that move by a script, a capsule on the bone, a wedge.
fn sample_colliders() -> Vec<ColliderPart> {
    let still = ColliderPart {
        name: "floor".into(),
        shape: ShapePart::Plane,
        axes: AXES,
        origin: [0.0, 0.0, -1.0],
        thickness: 0.0,
        moves: false,
        bone: None,
    };
    let vertices = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.5]];
    let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let named = |name: &str, shape| ColliderPart { name: name.into(), shape, ..still.clone() };
    vec![
        still.clone(),
        ColliderPart { moves: true, thickness: 0.125, ..named("ball", ShapePart::Sphere { radius: 0.5 }) },
        ColliderPart { bone: Some(0), ..named("finger", ShapePart::Capsule { radius: 0.25, half: 0.5 }) },
        ColliderPart {
            moves: true,
            axes: TURNED,
            ..named("press", ShapePart::Box { half: [1.0, 0.5, 0.25] })
        },
        named("wedge", ShapePart::Mesh { vertices, triangles }),
    ]
}

const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// By a quarter about x.
const TURNED: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]];

/// Of the ball and the box.
const POSES: [Pose; 2] =
    [[AXES[0], AXES[1], AXES[2], [0.5, 0.0, 2.0]], [TURNED[0], TURNED[1], TURNED[2], [0.0, -0.25, 1.5]]];

const TOOL: Ball = Ball { radius: 0.25, place: [0.5, 1.5, -0.75] };

const MASTERS_AT_REST: [[f64; 3]; 4] =
    [[0.25, 0.25, 0.25], [0.25, 0.0, 0.0], [0.0, 0.25, 0.0], [0.0, 0.0, 0.25]];

const MASTERS: [[f64; 3]; 4] = [[0.5, 0.25, 0.25], [0.5, 0.0, 0.0], [0.25, 0.25, 0.0], [0.25, 0.0, 0.25]];

const POSITIONS: [[f64; 3]; 7] = [
    [0.01, -0.02, 0.03],
    [1.1, 0.0, 0.0],
    [0.0, 0.9, 0.0],
    [0.0, 0.0, 1.25],
    [2.0, 0.0, -0.125],
    [2.0, 1.0, 0.0],
    [2.5, 0.0, 0.5],
];

const VALUES: [f64; 7] = [100.0, 250.0, 1e4, 4321.0, 0.5, 7.0, 9999.5];

fn sample_arrow() -> Arrow {
    Arrow {
        kind: 1,
        at_limit: true,
        point: [1.1, 0.0, 0.0],
        force: [3.0, 0.0, -4.0],
        target: [1.5, 0.0, -0.5],
    }
}

/// Of the tool.
fn push_arrow() -> Arrow {
    let force = [0.0, -0.25, 0.0];
    Arrow { kind: 3, at_limit: false, point: TOOL.place, force, target: TOOL.place }
}

/// A corner of the tetrahedron on the floor.
fn sample_mark() -> Mark {
    Mark {
        collider: 0,
        point: [0.5, 0.25, -1.0],
        normal: [0.0, 0.0, 1.0],
        gap: -1e-3,
        force: [0.5, 0.0, 12.5],
    }
}

fn sample_stats() -> Stats {
    Stats {
        wanted: 0.5,
        measured: 0.498,
        dt: 2.5e-4,
        step_ms: 0.031,
        steps: 12345.0,
        force: 5.0,
        largest_force: 5.0,
        encode_ms: 0.2,
        contacts: 1.0,
        deepest: 1.5e-3,
        push: 0.25,
    }
}

fn sample_frame(topology: u64) -> Vec<u8> {
    frame::encode(&Frame {
        number: 77,
        sequence: 9,
        flags: RUNS | HOLDS | PUSHES,
        time: 1.25,
        topology,
        positions: &POSITIONS,
        field: Some((Field::VonMises, &VALUES)),
        pins: &[0, 2],
        arrows: &[sample_arrow(), push_arrow()],
        bones: &MASTERS,
        colliders: &POSES,
        tool: Some(TOOL),
        contacts: &[sample_mark()],
        stats: sample_stats(),
    })
}

/// The same in words, from the numbers that were given, not from the bytes.
fn frame_words(topology: u64) -> Value {
    let stats = sample_stats();
    let (arrow, mark) = (sample_arrow(), sample_mark());
    json!({
        "flags": 7, "frame": 77, "sequence": 9, "time": 1.25, "topology": format!("{topology:016x}"),
        "positions": POSITIONS.concat(),
        "field": { "kind": 2, "lowest": 0.5, "highest": 1e4, "values": VALUES },
        "pins": [0, 2],
        "arrows": [
            { "kind": 1, "flags": 1, "point": arrow.point, "force": arrow.force, "target": arrow.target },
            { "kind": 3, "flags": 0, "point": TOOL.place, "force": [0.0, -0.25, 0.0], "target": TOOL.place },
        ],
        "bones": MASTERS.concat(),
        "colliders": POSES.concat().concat(),
        "tool": { "radius": TOOL.radius, "place": TOOL.place },
        "contacts": [{ "collider": 0, "point": mark.point, "normal": mark.normal, "gap": mark.gap, "force": mark.force }],
        "stats": [stats.wanted, stats.measured, stats.dt, stats.step_ms, stats.steps, stats.force, stats.largest_force, stats.encode_ms, stats.contacts, stats.deepest, stats.push],
    })
}

fn topology_words(topology: &Topology) -> Value {
    json!({
        "rest": topology.rest.concat(), "triangles": topology.triangles.concat(), "edges": topology.edges.concat(),
        "parts": topology.parts,
    })
}

/// Compares with the file; writes it when asked to.
fn agree(name: &str, bytes: &[u8]) {
    if std::env::var_os("PLIANT_WRITE_GOLDEN").is_some() {
        std::fs::write(file(name), bytes).unwrap();
    }
    let golden = std::fs::read(file(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(golden == bytes, "{name} has changed: the page must change with it, and the protocol's version");
}

#[test]
fn golden_frames_and_topologies_are_what_the_page_was_tested_with() {
    let topology = sample_topology();
    let bytes = topology::encode(&topology);
    let hash = pliant_scene::fnv1a(&bytes);
    agree("topology.bin", &bytes);
    agree("frame.bin", &sample_frame(hash));
    let lines = |value: &Value| format!("{}\n", serde_json::to_string_pretty(value).unwrap());
    agree("topology.json", lines(&topology_words(&topology)).as_bytes());
    agree("frame.json", lines(&frame_words(hash)).as_bytes());
}

#[test]
fn golden_commands_of_the_page_are_read() {
    let text = std::fs::read_to_string(file("commands.jsonl")).unwrap();
    let messages: Vec<Message> =
        text.lines().map(|line| parse(line).unwrap_or_else(|e| panic!("{line}: {e}"))).collect();
    // every kind once: four of the page's own and twelve orders, those with variants more often
    let orders = messages.iter().filter_map(|m| match m {
        Message::Command(command) => Some(std::mem::discriminant(&command.order)),
        _ => None,
    });
    let mut kinds: Vec<std::mem::Discriminant<Order>> = Vec::new();
    orders.for_each(|kind| {
        if !kinds.contains(&kind) {
            kinds.push(kind)
        }
    });
    assert_eq!(kinds.len(), 12);
    let others = messages.iter().filter(|m| !matches!(m, Message::Command(_))).count();
    assert!(others >= 4, "{others}");
}

#[test]
fn quantised_positions_are_within_half_a_step_of_the_box() {
    let bytes = sample_frame(0);
    let float = |at: usize| f64::from(f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()));
    assert_eq!(&bytes[64..68], b"POSN");
    for (vertex, x) in POSITIONS.iter().enumerate() {
        for c in 0..3 {
            let at = 72 + 6 * vertex + 2 * c;
            let q = f64::from(u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()));
            let size = float(52 + 4 * c);
            let read = float(40 + 4 * c) + size * q / 65535.0;
            // half a step, and the rounding of the box to single precision
            assert!((read - x[c]).abs() <= 0.5 * size / 65535.0 + 1e-6 * size, "{read} {}", x[c]);
        }
    }
}
