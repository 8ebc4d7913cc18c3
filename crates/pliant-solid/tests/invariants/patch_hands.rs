//! A viewer's hand, a patch of surface nodes as stiff as the body under it, in explicit steps.

use pliant_geometry::{BoxElement, MaterialPoint};
use pliant_solid::integrator::{Explicit, Inputs, IntegratorKind, Ladder, Lengths, StepChoice, stable_step};
use pliant_solid::law::LawKind;
use pliant_solid::term::{Grab, GrabPath};
use pliant_solid::{Kit, Layout, MassKind, Model};

use super::support::meshes::block;
use super::support::{Scene, moduli, peak};

const YOUNG: f64 = 1e5;
/// Of the patch, m: that of one cell.
const RADIUS: f64 = 0.1;
const CORNER: [f64; 3] = [0.5, 0.1, 0.1];

/// A bar of five cells: hardly a node lies in the patch.
fn bar(mass: MassKind) -> Scene {
    Scene::new(block([0.5, 0.1, 0.1], [5, 1, 1], BoxElement::Hex), LawKind::NeoHookean(moduli(YOUNG, 0.3)))
        .hold(|p| p[0] < 1e-9)
        .gravity([0.0, 0.0, -9.81])
        .matter(move |m| (m.mass, m.mass_damping) = (mass, 1.0))
}

/// k = E R, weights that fall to zero at some distance, the target a cell's size away.
fn hand(layout: &Layout, reach: f64) -> Grab {
    let squared = |n: u32| (0..3).map(|c| (layout.rest_of(n)[c] - CORNER[c]).powi(2)).sum::<f64>();
    let weight = |n: u32| (1.0 - squared(n) / (reach * reach)).max(0.0);
    let nodes = (0..layout.free_count() as u32).map(|n| (n, weight(n))).filter(|(_, w)| *w > 0.0);
    let point = nodes.collect::<MaterialPoint>().normalised().unwrap();
    let path = GrabPath::held_at([0.5, 0.2, 0.15]);
    Grab { point, path, stiffness: YOUNG * RADIUS, damping: 10.0, max_force: f64::INFINITY }
}

/// The longest stable explicit step at the start.
fn limit(model: &Model, grabs: &[Grab]) -> f64 {
    let state = model.initial_state();
    let mut mode = vec![0.0; state.x.len()];
    let inputs = Inputs { grabs, ..Inputs::default() };
    stable_step(model, &state, &mut Kit::new(model, crate::support::explicit()), &mut mode, &inputs).dt
}

#[test]
fn a_patch_as_stiff_as_the_body_does_not_make_steps_diverge() {
    for mass in [MassKind::Lumped, MassKind::Consistent] {
        let (model, auto) = (bar(mass).model(), StepChoice::Auto { safety: 0.9 });
        let grab = |reach: f64| hand(model.layout(), reach);
        // half of the stable step of the body alone
        let fixed = StepChoice::Fixed(0.5 * limit(&model, &[]));
        // with nodes around it the hand hardly counts; the corner alone, an eighth of a cell's mass, needs shorter steps
        for (reach, step) in [(1.5, fixed), (1.5, auto), (0.5, auto)] {
            let grab = grab(reach * RADIUS);
            let left = limit(&model, std::slice::from_ref(&grab)) / limit(&model, &[]);
            println!("{mass:?}, {} nodes: the hand leaves {left:.3} of the stable step", grab.point.len());
            assert_eq!(left > 0.9, reach > 1.0);
            let integrator = match mass {
                MassKind::Lumped => IntegratorKind::Explicit(Explicit { step }),
                MassKind::Consistent => IntegratorKind::Ladder(Ladder { step, lengths: Lengths::Halved }),
            };
            assert_calm(&bar(mass).integrator(integrator), &[grab]);
        }
    }
}

/// Half a second with the hand and half a second after it: nothing flies away.
fn assert_calm(scene: &Scene, grabs: &[Grab]) {
    let mut world = scene.world();
    for (grabs, end) in [(grabs, 0.5), (&[], 1.0)] {
        while world.state().time < end {
            world.step(&Inputs { grabs, end: Some(end), ..Inputs::default() }).unwrap();
        }
    }
    // waves run at about sqrt(E / rho) = 10 m/s; a bar of half a metre that swings is slower than that
    assert!(peak(&world.state().v) < 10.0 && peak(&world.state().x) < 1.0);
}
