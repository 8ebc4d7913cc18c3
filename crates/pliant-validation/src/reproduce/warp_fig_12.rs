//! [Warp Fig. 12]: a skull on a hinge is pulled by a spring, and skin follows it.

use super::heads::{HEAD, Head, Moment};
use super::picture::{Panel, View, panels};
use super::{Entry, Figure, Reproduction};
use crate::CaseError;
use crate::measure::Vec3;

/// The id.
pub const FIGURE: Figure =
    Figure { id: "warp-fig-12", title: "a skull on a hinge, pulled by a spring, and its skin", make };

/// Times of the pictures, s.
const TIMES: [f64; 4] = [0.2, 0.6, 1.3, 1.6];
/// Probes of the scene, in its order.
const SKULL: usize = 0;
const NECK: usize = 1;
const CHEEK: usize = 2;

/// What is asked of the run.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// The largest change of a length in the bone, as a part of it.
    pub stretched: f64,
    /// How far the hinge went, m.
    pub hinge: f64,
    /// How far the top of the skull went to each side, m.
    pub swing: [f64; 2],
    /// The largest distance of the cheek from where it would be on a rigid head, m.
    pub trails: f64,
}

/// Looks at a run.
pub fn measured(course: &[Moment]) -> Measured {
    let length = |v: Vec3| v.iter().map(|c| c * c).sum::<f64>().sqrt();
    let most = |value: &dyn Fn(&Moment) -> f64| course.iter().map(value).fold(0.0, f64::max);
    Measured {
        stretched: most(&|m| (m.stretch - 1.0).abs()),
        hinge: most(&|m| length(m.probes[NECK])),
        swing: [1.0, -1.0].map(|side| most(&|m| side * m.probes[SKULL][0])),
        trails: most(&|m| length(trail(m))),
    }
}

/// From where the cheek would be, if the head were rigid, to where it is. The top of the skull tells the turn about the hinge.
fn trail(m: &Moment) -> Vec3 {
    let (arm, top) = (0.145, m.probes[SKULL]);
    let (sin, cos) = (top[0] / arm, 1.0 + top[2] / arm);
    let (x, z) = (0.073, 0.075);
    let rigid = [cos * x + sin * z - x, 0.0, cos * z - sin * x - z];
    std::array::from_fn(|c| m.probes[CHEEK][c] - rigid[c])
}

/// Runs a head to the end of the pictures.
pub fn run(text: &str) -> Result<(Head, Vec<Moment>), CaseError> {
    let mut head = Head::new(text, "bone_and_skin")?;
    let course = head.run(TIMES[3])?;
    Ok((head, course))
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let (head, course) = run(HEAD)?;
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Warp 2002, section 4.3, figure 12 (pages without numbers)",
        claim: "The rigid skull turns about a fixed axis and hangs on the mouse by a spring; the skin follows its movement dynamically. The paper \
                prints a picture, no numbers.",
        setup: format!(
            "scenes/bone_and_skin.toml: {} tetrahedra of bone on a hinge, {} of skin, E = 20 kPa, a spring of 1 kN/m, steps of 10 ms",
            head.counts()[0],
            head.counts()[1]
        ),
        entries: entries(&measured(&course)),
        tables: Vec::new(),
        differs: "A cylinder stands for the bunny's head, and a scripted hand for the mouse.",
        svg: drawing()?,
    })
}

fn entries(found: &Measured) -> Vec<Entry> {
    let kept = |value: f64| if value < 1e-12 { Ok("kept") } else { Err("it is not kept") };
    let follows =
        if found.trails > 1e-3 { Ok("dynamically: it trails") } else { Err("it is as stiff as bone") };
    let sides = found.swing.map(|s| if s > 0.02 { Ok("pulled along") } else { Err("it hardly moves") });
    vec![
        Entry::words(
            "change of a length in the bone",
            "one rigid body",
            found.stretched,
            kept(found.stretched),
        ),
        Entry::words("way of the hinge", "a fixed axis", found.hinge, kept(found.hinge)).in_unit("m"),
        Entry::words("skull to the right", "attached by a spring", found.swing[0], sides[0]).in_unit("m"),
        Entry::words("skull to the left", "attached by a spring", found.swing[1], sides[1]).in_unit("m"),
        Entry::words("cheek beside that of a rigid head", "follows", found.trails, follows).in_unit("m"),
    ]
}

fn drawing() -> Result<String, CaseError> {
    let mut head = Head::new(HEAD, "bone_and_skin")?;
    let Some((mesh, _)) = head.meshes() else { return Ok(String::new()) };
    let mut seen = Vec::new();
    for time in TIMES {
        head.run(time)?;
        seen.push((time, head.positions(), head.ratios()));
    }
    let all: Vec<Panel> = seen
        .iter()
        .map(|(time, positions, ratios)| Panel {
            label: format!("{time} s"),
            note: String::new(),
            mesh: &mesh,
            positions,
            ratios,
        })
        .collect();
    Ok(panels(&all, View { azimuth: 0.15, elevation: 0.2 }))
}
