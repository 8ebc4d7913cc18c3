//! Fields of chosen cells: the same bits as those of all cells.

use pliant_geometry::{BoxElement, Mesh};
use pliant_numerics::Mat3;
use pliant_solid::assembly::Precision;
use pliant_solid::law::LawKind;
use pliant_solid::{BodyFields, FullState, Model};

use crate::support::meshes::{block, distorted};
use crate::support::{Noise, Scene, moduli, placed};

fn shaken(model: &Model, seed: u64) -> FullState {
    let mut noise = Noise::new(seed);
    placed(model, |p| [p[0] + 0.01 * noise.next(), p[1] + 0.01 * noise.next(), p[2] + 0.3 * p[0] * p[0]])
}

fn wanted(body: usize, cell: u32) -> bool {
    // some of every part, and lanes that do not fill their last block
    (cell + body as u32) % 7 == 3 || cell % 64 < 3
}

/// Von Mises stress, energy density and volume ratio of a cell, as bits.
fn bits(fields: &BodyFields, cell: usize) -> [u64; 3] {
    [fields.von_mises[cell], fields.energy_density[cell], fields.volume_ratio[cell]].map(f64::to_bits)
}

fn assert_same_bits(scene: &Scene, what: &str) {
    let model = scene.model();
    let mut chosen = model.choose_cells(wanted);
    for seed in [1, 2] {
        let full = shaken(&model, seed);
        let all = model.fields(&full);
        for (body, (some, all)) in model.chosen_fields(&full, &mut chosen).iter().zip(&all).enumerate() {
            for cell in 0..all.von_mises.len() {
                let blank = [0.0, 0.0, 1.0].map(f64::to_bits);
                let expected = if wanted(body, cell as u32) { bits(all, cell) } else { blank };
                assert_eq!(bits(some, cell), expected, "{what}, body {body}, cell {cell}");
            }
        }
    }
}

/// Two bodies, of tetrahedra and of hexahedra, each of several parts.
fn scene(hexes: Mesh, law: LawKind) -> Scene {
    let tets = block([0.5; 3], [9, 9, 9], BoxElement::Tet5);
    Scene::new(tets, law).body("second", hexes, law)
}

#[test]
fn chosen_cells_have_the_values_of_all_cells_to_the_bit() {
    let hexes = || block([0.5; 3], [9, 8, 9], BoxElement::Hex);
    let skewed = distorted([0.5; 3], [9, 8, 9], BoxElement::Hex, 0.2);
    let law = LawKind::StVenant(moduli(1e5, 0.3));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    assert_same_bits(&scene(hexes(), law), "affine");
    let skewed = scene(skewed, LawKind::NeoHookean(moduli(1e5, 0.3)));
    assert_same_bits(&skewed, "distorted");
    let skewed = skewed.model();
    let full = shaken(&skewed, 3);
    let serial = skewed.chosen_fields(&full, &mut skewed.choose_cells(wanted))[1].von_mises.clone();
    let pooled =
        pool.install(|| skewed.chosen_fields(&full, &mut skewed.choose_cells(wanted))[1].von_mises.clone());
    assert_eq!(serial, pooled);
    let stressed = scene(hexes(), law).matter(|m| {
        let mut noise = Noise::new(9);
        m.initial.stress =
            (0..9 * 8 * 9).map(|_| noise.matrix(1e3).symmetric_part()).collect::<Vec<Mat3<f64>>>();
    });
    assert_same_bits(&stressed, "prestressed");
    assert_same_bits(&scene(hexes(), law).precision(Precision::Single), "floats");
}

#[test]
fn no_cell_may_be_wanted() {
    let model = scene(block([0.5; 3], [2; 3], BoxElement::Hex), LawKind::Linear(moduli(1e5, 0.3))).model();
    let mut none = model.choose_cells(|_, _| false);
    let fields = model.chosen_fields(&shaken(&model, 1), &mut none);
    assert!(fields.iter().all(|f| f.von_mises.iter().all(|v| *v == 0.0)));
}
