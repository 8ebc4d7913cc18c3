//! Rounding is judged body by body: what is far away does not spoil what is near.

use pliant_geometry::BoxElement;
use pliant_solid::law::LawKind;

use crate::support::meshes::block;
use crate::support::{Scene, moduli, peak, peak_difference, run};

/// A bar of 5 cm that bends by millimetres, alone and beside a held cube 1e12 m away, where positions are rounded to 1e-4 m.
#[test]
fn a_held_body_far_away_does_not_stop_the_equilibrium_of_a_near_one() {
    let law = LawKind::StVenant(moduli(2e5, 0.3));
    let bar = || Scene::new(block([0.05, 0.01, 0.01], [10, 2, 2], BoxElement::Hex), law);
    let clamped = |scene: Scene| scene.hold(|p| p[0] < 1e-9).gravity([0.0, 0.0, -9.81]).statics();
    let mut alone = clamped(bar()).world();
    run(&mut alone, 1);
    let far = block([1.0; 3], [1, 1, 1], BoxElement::Hex).transformed(|p| [p[0] + 1e12, p[1], p[2]]).unwrap();
    let mut both = clamped(bar().body("far", far, law)).hold(|p| p[0] > 1.0).world();
    run(&mut both, 1);
    let near = &both.state().x[..alone.state().x.len()];
    let rest = alone.model().layout().rest();
    let bend = peak(&alone.state().x.iter().zip(rest.iter()).map(|(x, r)| x - r).collect::<Vec<_>>());
    assert!(bend > 1e-3, "{bend}");
    let off = peak_difference(near, &alone.state().x);
    assert!(off < 1e-10 * bend, "{off:e} of {bend:e} m");
}
