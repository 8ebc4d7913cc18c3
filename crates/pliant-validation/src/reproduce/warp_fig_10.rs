//! [Warp Fig. 10]: tubes are bent by a hand, by the ground and by their own inertia.
//!
//! ```text
//! a hand at D pulls a tube of stiffness s by a spring k, and moves it by u:  (D - u) / u = s / k,  s ~ E          (1)
//! ```
//!
//! (1) is for small u; a tube that is bent far leans towards the hand and is softer.

use super::heads::with_young;
use super::picture::{Panel, View, panels};
use super::tubes::{GRAB, Look, SLANT, Tubes};
use super::{Entry, Figure, Reproduction};
use crate::CaseError;
use crate::measure::{Vec3, dot, sub};
use crate::verify::shown;

/// The id.
pub const FIGURE: Figure =
    Figure { id: "warp-fig-10", title: "tubes bent by a hand, by the ground and by inertia", make };

/// Where the hand takes the held tube, and where it leads it, m.
const RIM: Vec3 = [0.065, 0.0, 0.5];
const HAND: Vec3 = [0.3, 0.0, 0.4];
/// When the hand has bent it, s.
pub const BENT: f64 = 1.9;
/// When the swing after the release is over, s.
const SWUNG: f64 = 2.6;
/// From when the other tube has been lifted until it is let go, s.
const LIFTED: [f64; 2] = [2.3, 4.0];
const OFTEN: f64 = 0.01;

/// The three pictures, and what else was seen.
pub struct Seen {
    /// Bent by the hand.
    pub hand: Look,
    /// How far the hand is from the rim, over how far the rim has come.
    pub reluctance: f64,
    /// The most that a held node moved, m.
    pub slipped: f64,
    /// How far the rim swings beyond its place when it is let go, m.
    pub swing: f64,
    /// Bent by the ground.
    pub ground: Look,
    /// Bent in the air.
    pub air: Look,
    /// Largest change of the volume in the three pictures.
    pub volume: f64,
}

/// The scene with another modulus, Pa, and a hand that shakes the tube it has lifted.
fn shaken(young: f64) -> String {
    let lifted = "[\"3 s\", [\"66 cm\", 0, \"80 cm\"]]";
    let shakes = [(3.2, 106), (3.6, 26), (4.0, 106)];
    let path = shakes.map(|(time, x)| format!("[\"{time} s\", [\"{x} cm\", 0, \"80 cm\"]]")).join(", ");
    with_young(GRAB, young).replace(lifted, &format!("{lifted}, {path}"))
}

/// Runs the scene with another modulus, Pa, up to a time, s.
pub fn run(young: f64, until: f64) -> Result<(Tubes, Seen), CaseError> {
    let mut tubes = Tubes::new(&shaken(young), "tube_grab")?;
    let held = tubes.body("held");
    let free = tubes.body("free");
    let up = [0.0, 0.0, 1.0];
    let (mut ground, mut air, mut hand) = (tubes.look(free, SLANT), None::<Look>, None);
    let (mut swing, mut slipped) = (0.0_f64, 0.0_f64);
    for k in 1..=(until / OFTEN).round() as u32 {
        let time = OFTEN * f64::from(k);
        if !tubes.run(time) {
            break;
        }
        if (time - BENT).abs() < 0.5 * OFTEN {
            let look = tubes.look(held, up);
            slipped = tubes.slip(held, &look.positions);
            hand = Some(look);
        } else if time > BENT && time < SWUNG {
            swing = swing.max(-tubes.moved(held, &tubes.look(held, up).positions, RIM)[0]);
        }
        let look = tubes.look(free, SLANT);
        let touches = tubes.touches(free);
        if touches && time < LIFTED[0] - 0.5 && look.bend > ground.bend {
            ground = look;
        } else if !touches && time > LIFTED[0] && air.as_ref().is_none_or(|a| look.bend > a.bend) {
            air = Some(look);
        }
    }
    let (hand, air) =
        (hand.unwrap_or_else(|| tubes.look(held, up)), air.unwrap_or_else(|| tubes.look(free, SLANT)));
    let moved = tubes.moved(held, &hand.positions, RIM);
    let left = sub(sub(HAND, RIM), moved);
    let reluctance = (dot(left, left) / dot(moved, moved)).sqrt();
    let volume = [&hand, &ground, &air].map(|look| (look.volume - 1.0).abs()).into_iter().fold(0.0, f64::max);
    Ok((tubes, Seen { hand, reluctance, slipped, swing, ground, air, volume }))
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let (tubes, seen) = run(2e5, LIFTED[1])?;
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Warp 2002, section 4.2, figure 10 (pages without numbers)",
        claim: "A tube is grabbed at one vertex, which hangs on the mouse by a spring. Its lower part is fixed and it is bent by the user (a); picked up as a whole it is bent by collision with the ground (b) \
                and by inertia (c), with deformations and vibrations and without the artifacts of a linear model. The paper prints pictures, no numbers.",
        setup: "scenes/tube_grab.toml: two tubes of 1020 tetrahedra, E = 200 kPa, nu 0.33, corotated, explicit steps, `constraint`; hands of 500 N/m, the second of which shakes what it has lifted".into(),
        entries: entries(&seen),
        tables: Vec::new(),
        differs: "A scripted hand stands for the mouse; it shakes the tube to and fro at 2 m/s. The paper warps stiffness in implicit steps; here elements are corotated and steps explicit.",
        svg: drawing(&tubes, &seen),
    })
}

fn entries(seen: &Seen) -> Vec<Entry> {
    let bent = |name: &str, look: &Look| {
        let found = if look.bend > 0.05 { Ok("the axis is bent") } else { Err("it stays straight") };
        Entry::words(&format!("{name}: bend of the axis over its length"), "bent", look.bend, found)
    };
    let swings = if seen.swing > 0.01 { Ok("it swings beyond its place") } else { Err("it creeps back") };
    vec![
        bent("(a) by the hand", &seen.hand),
        Entry::none("(a) way of nodes that are fixed", "the lower part remains fixed", seen.slipped),
        Entry::words("(a) let go: swing of the rim to the other side", "vibrations", seen.swing, swings)
            .in_unit("m"),
        bent("(b) by the ground", &seen.ground),
        bent("(c) in the air", &seen.air),
        Entry::by_theory(
            "volume in the pictures, the worst",
            "no artifacts of a linear model",
            1.0,
            0.03,
            1.0 + seen.volume,
        ),
    ]
}

fn drawing(tubes: &Tubes, seen: &Seen) -> String {
    let (held, free) = (tubes.mesh(tubes.body("held")), tubes.mesh(tubes.body("free")));
    let note = |look: &Look| format!("axis bent by {} % of it", shown(100.0 * look.bend, 2));
    let panel = |label: &str, mesh, look| -> Panel<'_> {
        let look: &Look = look;
        Panel {
            label: label.into(),
            note: note(look),
            mesh,
            positions: &look.positions,
            ratios: &look.ratios,
        }
    };
    panels(
        &[
            panel("(a) by a hand", held, &seen.hand),
            panel("(b) by the ground", free, &seen.ground),
            panel("(c) by inertia", free, &seen.air),
        ],
        View { azimuth: 0.7, elevation: 0.25 },
    )
}
