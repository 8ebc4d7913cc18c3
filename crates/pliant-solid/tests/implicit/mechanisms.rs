//! Parts that hang together by an edge or a corner are mechanisms, and have no resting shape unless something holds them; slender and uneven bodies have one.

use std::collections::BTreeMap;

use pliant_geometry::{BoxElement, Mesh};
use pliant_solid::Motion;
use pliant_solid::law::LawKind;

use crate::support::meshes::block;
use crate::support::{Scene, Vec3, moduli, run_until};

/// The cells of a block of 4 x 2 x 4 cubes of half a metre whose centres are in one of some boxes.
fn carved(element: BoxElement, boxes: &[[Vec3; 2]]) -> Mesh {
    let whole = block([2.0, 1.0, 2.0], [4, 2, 4], element);
    let kept = |cell: usize| {
        let centre = whole.cell_centroid(cell);
        boxes.iter().any(|[low, high]| (0..3).all(|c| low[c] < centre[c] && centre[c] < high[c]))
    };
    let cells: Vec<&[u32]> =
        (0..whole.cell_count()).filter(|c| kept(*c)).map(|c| whole.cell_nodes(c)).collect();
    let mut numbers = BTreeMap::new();
    cells.iter().copied().flatten().for_each(|node| {
        numbers.insert(*node, 0);
    });
    numbers.values_mut().enumerate().for_each(|(number, value)| *value = number as u32);
    let positions = numbers.keys().map(|node| whole.positions()[*node as usize]).collect();
    let renumbered = |cell: &&[u32]| -> Vec<u32> { cell.iter().map(|node| numbers[node]).collect() };
    let tets = cells.iter().map(renumbered).filter_map(|c| c.try_into().ok()).collect();
    let hexes = cells.iter().map(renumbered).filter_map(|c| c.try_into().ok()).collect();
    Mesh::new(positions, tets, hexes, vec![], BTreeMap::new()).unwrap()
}

const LOW: [Vec3; 2] = [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]];
/// Shares the edge x = z = 1 with the low one.
const HIGH: [Vec3; 2] = [[1.0, 0.0, 1.0], [2.0, 1.0, 2.0]];

fn hinged(element: BoxElement) -> Scene {
    Scene::new(carved(element, &[LOW, HIGH]), LawKind::Linear(moduli(1e6, 0.3)))
        .gravity([0.0, 0.0, -9.81])
        .hold(|p| p[0] < 1e-9)
        .statics()
}

fn refusal(scene: &Scene) -> String {
    scene.try_world().err().expect("a mechanism").to_string()
}

#[test]
fn blocks_that_share_an_edge_are_a_hinge() {
    for element in [BoxElement::Hex, BoxElement::Tet6] {
        let text = refusal(&hinged(element));
        assert!(text.contains("body `first` is a mechanism: its part of "), "{text}");
        assert!(text.contains("elements around (1.5000, 0.5000, 1.5000) m"), "{text}");
        assert!(
            text.contains("free to turn about y through (1.0000, ") && text.contains(", 1.0000) m"),
            "{text}"
        );
        assert!(text.contains("join the parts over whole faces"), "{text}");
    }
}

#[test]
fn blocks_that_share_a_corner_turn_about_it() {
    let boxes = [[[0.0; 3], [1.0, 0.5, 1.0]], [[1.0, 0.5, 1.0], [2.0, 1.0, 2.0]]];
    let scene = Scene::new(carved(BoxElement::Hex, &boxes), LawKind::NeoHookean(moduli(1e6, 0.3)))
        .hold(|p| p[0] < 1e-9)
        .statics();
    let text = refusal(&scene);
    assert!(
        text.contains("is a mechanism: its part of 4 elements around (1.5000, 0.7500, 1.5000) m"),
        "{text}"
    );
    assert!(text.contains("free to turn about"), "{text}");
}

#[test]
fn a_hinge_that_something_stops_has_a_resting_shape() {
    // one node along the way of the turn
    let stopped = hinged(BoxElement::Hex).hold_along(
        |p| p[0] > 1.9 && p[1] < 0.1 && p[2] > 1.9,
        [true, false, false],
        Motion::Still,
        None,
    );
    let (_, error) = run_until(&mut stopped.world(), 1.0);
    assert_eq!(error, None);
    // along the edge that does not stop it
    let slides = hinged(BoxElement::Hex).hold_along(
        |p| p[0] > 1.9 && p[1] < 0.1 && p[2] > 1.9,
        [false, true, false],
        Motion::Still,
        None,
    );
    assert!(refusal(&slides).contains("free to turn about y"));
}

#[test]
fn a_frame_of_four_hinged_blocks_is_a_mechanism_and_of_three_none() {
    // a ring of four edges is a linkage
    let blocks = [
        [[0.0, 0.0, 0.5], [0.5, 1.0, 1.0]],
        [[0.5, 0.0, 1.0], [1.0, 1.0, 1.5]],
        [[1.0, 0.0, 0.5], [1.5, 1.0, 1.0]],
        [[0.5, 0.0, 0.0], [1.0, 1.0, 0.5]],
    ];
    let ring = |count: usize| {
        Scene::new(carved(BoxElement::Hex, &blocks[..count]), LawKind::Linear(moduli(1e6, 0.3)))
            .hold(|p| p[0] < 1e-9)
            .statics()
    };
    assert!(refusal(&ring(4)).contains("is a mechanism"), "{}", refusal(&ring(4)));
    // three in a row, held at both ends: the hinges are not on one line, and the middle one stands
    let arch = ring(3).hold(|p| p[0] > 1.5 - 1e-9);
    arch.world();
}

#[test]
fn slender_and_uneven_bodies_are_no_mechanisms() {
    // 1000 : 1, one cell across
    let rod = |law| {
        Scene::new(block([1.0, 1e-3, 1e-3], [250, 1, 1], BoxElement::Hex), law)
            .hold(|p| p[0] < 1e-12)
            .statics()
    };
    let mut world = rod(LawKind::Linear(moduli(1e9, 0.3))).gravity([0.0, 0.0, -9.81]).world();
    assert_eq!(run_until(&mut world, 1.0).1, None);
    // above 0.45 rounding leaves no equilibrium to 1e-10, which is told as such and not as a mechanism
    rod(LawKind::Linear(moduli(1e9, 0.4999))).gravity([0.0, 0.0, -9.81]).world();
    // a million times softer matter in the same equations
    let (stiff, soft) =
        (block([1.0; 3], [2; 3], BoxElement::Tet5), block([1.0, 1.0, 1.0], [2; 3], BoxElement::Tet5));
    let scene = Scene::new(stiff, LawKind::Linear(moduli(1e12, 0.3))).hold(|p| p[0] < 1e-9);
    let mut world = scene.body("soft", soft, LawKind::Linear(moduli(1e6, 0.4999))).statics().world();
    assert_eq!(run_until(&mut world, 1.0).1, None);
}
