//! [Warp Fig. 11]: meshes divided into bone and skin.

use super::heads::{CREATURE, HEAD, Head};
use super::picture::{Panel, View, panels};
use super::{Entry, Figure, Reproduction};
use crate::CaseError;

/// The id.
pub const FIGURE: Figure =
    Figure { id: "warp-fig-11", title: "meshes of a skin layer and a bone layer", make };

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let (head, creature) = (Head::new(HEAD, "bone_and_skin")?, Head::new(CREATURE, "floppy_creature")?);
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Warp 2002, sections 4.3 and 4.4, figure 11 (pages without numbers)",
        claim: "Meshes are divided into a skin layer and a bone core; the bone tetrahedra move as one rigid body. The bunny's head has 276 and 851 \
                tetrahedra, the dog 753 and 1244 and a visible surface of 5000 triangles.",
        setup: "scenes/bone_and_skin.toml and scenes/floppy_creature.toml: cylinders in place of the paper's models".into(),
        entries: entries(&head, &creature),
        tables: Vec::new(),
        differs: "The models of the paper are not to be had; cylinders cut into about as many tetrahedra of bone and of skin stand for them.",
        svg: drawing(&head, &creature),
    })
}

/// How far a count may be from the paper's: cells come in layers.
const NEAR: f64 = 0.13;

fn entries(head: &Head, creature: &Head) -> Vec<Entry> {
    let ([a, b, _], [c, d, e]) = (head.counts(), creature.counts());
    let count = |name: &str, paper: f64, ours: usize| {
        Entry::by_paper(name, paper, NEAR, ours as f64, "cells come in layers")
    };
    vec![
        count("head: bone tetrahedra", 276.0, a),
        count("head: skin tetrahedra", 851.0, b),
        count("creature: bone tetrahedra", 753.0, c),
        count("creature: skin tetrahedra", 1244.0, d),
        count("creature: visible triangles", 5000.0, e),
    ]
}

fn drawing(head: &Head, creature: &Head) -> String {
    let meshes: Vec<_> = [("head", head), ("creature", creature)]
        .into_iter()
        .filter_map(|(name, of)| Some((name, of.counts(), of.meshes()?)))
        .collect();
    let mut all = Vec::new();
    let ratios = vec![1.0; meshes.iter().map(|(_, _, (whole, _))| whole.cell_count()).max().unwrap_or(0)];
    for (name, [bone, skin, _], (whole, core)) in &meshes {
        for (mesh, label, count) in [(whole, "with skin", bone + skin), (core, "bone", *bone)] {
            all.push(Panel {
                label: format!("{name}, {label}"),
                note: format!("{count} tetrahedra"),
                mesh,
                positions: mesh.positions(),
                ratios: &ratios,
            });
        }
    }
    panels(&all, View { azimuth: 0.5, elevation: 0.3 })
}
