//! [Warp Fig. 9]: a tube before it meets the ground, after it when it is stiff, when it is soft, and with too long a step.
//!
//! ```text
//! a blow at v bends by about v / w, w the frequency of the lowest swing: E^(-1/2) while deformation is small       (1)
//! the longest stable explicit step is 2 / w_max: E^(-1/2)                                                        (2)
//! ```

use super::exponent::exponent;
use super::heads::with_young;
use super::picture::{Panel, View, panels};
use super::tubes::{DROP, Look, SLANT, Tubes};
use super::{Cell, Entry, Figure, Reproduction, Table};
use crate::CaseError;
use crate::verify::shown;

/// The id.
pub const FIGURE: Figure =
    Figure { id: "warp-fig-9", title: "a stiff and a soft tube fall on the ground", make };

/// The paper's moduli, Pa, with its largest steps, s: warped, nonlinear.
const PAPER: [(f64, [f64; 2]); 5] = [
    (2e6, [0.03, 0.005]),
    (1e6, [0.02, 0.005]),
    (5e5, [0.01, 0.002]),
    (2e5, [0.01, 0.001]),
    (1e5, [0.01, 0.001]),
];
/// When the tube has fallen 50 cm, s.
const FALLS: f64 = 0.319;
/// How long it is watched from there, s.
const WATCHED: f64 = 0.12;
/// How often it is looked at, s.
const OFTEN: f64 = 2e-3;

/// A tube that has met the ground.
pub struct Fallen {
    /// Pa.
    pub young: f64,
    /// When its axis is bent most.
    pub worst: Look,
    /// The largest change of a rim's diameter at any look.
    pub squash: f64,
    /// Elements inside out at any look.
    pub inverted: usize,
    /// The longest stable step at rest, s.
    pub stable_step: f64,
    /// The deepest penetration, m.
    pub depth: f64,
}

/// The scene, 50 cm over the ground.
fn text(young: f64) -> String {
    // its lowest point is 6.5 cm times sin(30 deg) below its origin
    with_young(DROP, young).replace("position = [0, 0, \"30 cm\"]", "position = [0, 0, \"53.25 cm\"]")
}

/// Lets it fall.
pub fn fall(young: f64) -> Result<Fallen, CaseError> {
    let mut tubes = Tubes::new(&text(young), "tube_drop")?;
    let (mut worst, mut squash, mut inverted) = (tubes.look(0, SLANT), 0.0_f64, 0);
    for k in 0..=(WATCHED / OFTEN) as u32 {
        if !tubes.run(FALLS + OFTEN * f64::from(k)) {
            break;
        }
        let look = tubes.look(0, SLANT);
        inverted = inverted.max(look.ratios.iter().filter(|r| **r <= 0.0).count());
        squash = squash.max(look.squash);
        if look.bend > worst.bend {
            worst = look;
        }
    }
    let depth = tubes.world().deepest_penetration();
    Ok(Fallen { young, worst, squash, inverted, stable_step: tubes.stable_step(), depth })
}

/// The same in fixed steps of a part of the longest stable one: the last shape, and whether it came to the end.
pub fn stepped(young: f64, part: f64) -> Result<(Look, bool), CaseError> {
    let step = part * Tubes::new(&text(young), "tube_drop")?.stable_step();
    let mut tubes = Tubes::new(&format!("{}\n[integrator]\nstep = {step:e}\n", text(young)), "tube_drop")?;
    for k in 0..=(WATCHED / OFTEN) as u32 {
        let came = tubes.run(FALLS + OFTEN * f64::from(k));
        let look = tubes.look(0, SLANT);
        if !came || look.ratios.iter().any(|r| *r <= 0.0) {
            return Ok((look, false));
        }
    }
    Ok((tubes.look(0, SLANT), true))
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let all = PAPER.iter().map(|(young, _)| fall(*young)).collect::<Result<Vec<_>, _>>()?;
    let mut before = Tubes::new(&text(1e6), "tube_drop")?;
    before.run(FALLS - 0.05);
    let too_long = stepped(1e5, 1.2)?;
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Warp 2002, section 4.2, figure 9 (pages without numbers)",
        claim: "A tube of a thousand tetrahedra, 50 cm by 13 cm, falls from a slant 50 cm above the ground (a). With a high modulus it does not deform much (b), with a low one it deforms largely (c), \
                which can cause instabilities when the step is too long (d).",
        setup: format!(
            "scenes/tube_drop.toml at 50 cm: {} tetrahedra, nu 0.33, 1 g/cm3, corotated, explicit steps, `constraint`, friction 0.5",
            before.mesh(0).cell_count()
        ),
        entries: entries(&all, too_long.1, before.mesh(0).cell_count()),
        tables: vec![table(&all)],
        differs: "The paper's steps are implicit: their length is limited by how much the tube deforms, so that soft tubes need shorter ones. Explicit steps are limited by the fastest wave: stiff tubes need \
                  shorter ones, and deformation hardly matters. Their contact is no force law, so that no stiffness of it comes in.",
        svg: drawing(&before, &all, &too_long.0),
    })
}

fn entries(all: &[Fallen], lasted: bool, cells: usize) -> Vec<Entry> {
    let [stiff, soft] = [&all[0], &all[all.len() - 1]];
    let much =
        |yes: bool, found: &'static str, because: &'static str| if yes { Ok(found) } else { Err(because) };
    let steps = exponent(all.iter().map(|f| [f.young, f.stable_step]));
    let bend = exponent(all.iter().map(|f| [f.young, f.worst.bend]));
    let inverted: usize = all.iter().map(|f| f.inverted).sum();
    let long = f64::from(u8::from(lasted));
    vec![
        Entry::by_paper("tetrahedra", 1000.0, 0.05, cells as f64, "cells come in layers"),
        Entry::words(
            "2 MPa: bend of the axis over its length",
            "does not deform much",
            stiff.worst.bend,
            much(stiff.worst.bend < 0.1, "a little", "it deforms largely"),
        ),
        Entry::words(
            "0.1 MPa: bend of the axis over its length",
            "large deformations",
            soft.worst.bend,
            much(soft.worst.bend > 3.0 * stiff.worst.bend, "many times as far", "it deforms as little"),
        ),
        Entry::by_theory("exponent of the bend over E", "less with a higher modulus", -0.5, 0.3, bend),
        Entry::none("elements inside out", "no instability at the steps chosen", inverted as f64),
        Entry::words(
            "0.1 MPa, 1.2 of the longest step: lasts to the end",
            "instable",
            long,
            much(!lasted, "it bursts, and needs no blow for it", "steps that are too long do no harm here"),
        ),
        Entry::by_theory("exponent of the longest step over E", "", -0.5, 0.02, steps),
        Entry::words(
            "longest step at 2 MPa over that of the paper",
            "30 ms (warped, implicit)",
            stiff.stable_step / 0.03,
            Err("explicit steps follow the fastest wave through the smallest cell"),
        ),
    ]
}

fn table(all: &[Fallen]) -> Table {
    let row = |(f, (_, paper)): (&Fallen, &(f64, [f64; 2]))| -> Vec<Cell> {
        [
            1e-6 * f.young,
            1e3 * paper[0],
            1e3 * paper[1],
            1e3 * f.stable_step,
            f.squash,
            f.worst.bend,
            1e3 * f.depth,
        ]
        .map(Cell::from)
        .to_vec()
    };
    Table {
        caption: "longest steps and deformation by modulus",
        columns: vec![
            "E (MPa)",
            "paper: warped (ms)",
            "paper: nonlinear (ms)",
            "ours: explicit (ms)",
            "squash of a rim",
            "bend of the axis",
            "deepest penetration (mm)",
        ],
        rows: all.iter().zip(&PAPER).map(row).collect(),
    }
}

fn drawing(before: &Tubes, all: &[Fallen], burst: &Look) -> String {
    let (mesh, look) = (before.mesh(0), before.look(0, SLANT));
    let [stiff, soft] = [&all[0], &all[all.len() - 1]];
    let panel = |label: &str, note: String, look| -> Panel<'_> {
        let look: &Look = look;
        Panel { label: label.into(), note, mesh, positions: &look.positions, ratios: &look.ratios }
    };
    let bent = |look: &Look| format!("axis bent by {} % of it", shown(100.0 * look.bend, 2));
    panels(
        &[
            panel("(a) before impact", "1 MPa".into(), &look),
            panel("(b) 2 MPa", bent(&stiff.worst), &stiff.worst),
            panel("(c) 0.1 MPa", bent(&soft.worst), &soft.worst),
            panel("(d) too long a step", "1.2 of the longest: bursts in the air".into(), burst),
        ],
        View { azimuth: 1.3, elevation: 0.2 },
    )
}
