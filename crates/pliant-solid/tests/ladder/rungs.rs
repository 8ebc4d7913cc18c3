//! Which rungs a run uses, and that it says so.

use std::collections::BTreeSet;

use pliant_geometry::BoxElement;
use pliant_solid::integrator::{Inputs, StepReport};
use pliant_solid::law::LawKind;
use pliant_solid::{MassKind, Motion};

use super::{automatic, between, thrown_bar};
use crate::support::meshes::block;
use crate::support::{Scene, moduli, node_at, peak_difference, run_until};

fn rungs(reports: &[StepReport]) -> BTreeSet<u32> {
    reports.iter().filter_map(|report| report.rung).collect()
}

/// A viscous bar that is pulled to `stretch` of its length more within 0.2 s.
fn pulled(stretch: f64) -> Scene {
    let shift = [0.3 * stretch, 0.0, 0.0];
    let scene =
        Scene::new(block([0.3, 0.1, 0.1], [6, 2, 2], BoxElement::Hex), LawKind::StVenant(moduli(1e5, 0.3)))
            .matter(|m| (m.mass, m.stiffness_damping) = (MassKind::Consistent, 2e-3))
            .hold(|p| p[0] < 1e-9)
            .carry(|p| p[0] > 0.299, Motion::Carry { shift, turn: None, over: 0.2 });
    automatic(scene, 0.96)
}

#[test]
fn a_stiffening_body_goes_down_the_ladder_and_ends_on_time() {
    let mut world = pulled(1.0).world();
    let (reports, error) = run_until(&mut world, 0.4);
    assert_eq!(error, None);
    assert_eq!(world.state().time, 0.4);
    let (first, used) = (reports[0], rungs(&reports));
    println!("{} steps, rungs {used:?}, first {:e}", reports.len(), first.dt);
    assert_eq!(first.rung, Some(0));
    // E (1 + 3 e) at e = 1.5: the limit falls to 0.43
    assert!(used.contains(&1) && used.len() <= 3, "{used:?}");
    // every step is a rung, but the last ones, which are cut
    let (whole, last) = reports.split_at(reports.len() - 2);
    for report in whole {
        assert_eq!(report.dt, first.dt * 0.5_f64.powi(report.rung.unwrap() as i32));
    }
    assert!(last.iter().all(|r| used.contains(&r.rung.unwrap())), "cut steps need no factor of their own");
}

#[test]
fn an_ordinary_viscous_scene_needs_three_rungs_at_most() {
    // [Zhuang 4.2]: "usually we only need no more than 3"
    let law = LawKind::NeoHookean(moduli(1e5, 0.3));
    let scene = thrown_bar(law).gravity([0.0, 0.0, -9.81]).matter(|m| m.stiffness_damping = 1e-3);
    let mut world = automatic(scene, 0.96).world();
    let (reports, error) = run_until(&mut world, 1.0);
    assert_eq!(error, None);
    println!("{} steps, rungs {:?}", reports.len(), rungs(&reports));
    assert!((1..=3).contains(&rungs(&reports).len()), "{:?}", rungs(&reports));
}

#[test]
fn one_factor_serves_any_step_where_damping_is_a_multiple_of_mass() {
    let law = LawKind::StVenant(moduli(1e5, 0.3));
    let mut world = automatic(thrown_bar(law).matter(|m| m.mass_damping = 1.0), 0.96).world();
    let (reports, error) = run_until(&mut world, 0.5);
    assert_eq!(error, None);
    assert!(reports.iter().all(|r| r.rung.is_none()), "no ladder is needed");
    // the energy of the bar is all accounted for
    let energy = world.energy();
    assert!(
        (energy.total() - world.scheme().energy(world.model(), &world.model().initial_state()).kinetic).abs()
            < 0.01 * energy.total()
    );
}

#[test]
fn pins_come_and_go() {
    let law = LawKind::NeoHookean(moduli(1e5, 0.3));
    let mut world = automatic(thrown_bar(law).matter(|m| m.stiffness_damping = 1e-3), 0.96).world();
    let pin = node_at(world.model().layout(), [0.5, 0.1, 0.1]);
    let place = |world: &pliant_solid::World| world.state().x[3 * pin as usize..][..3].to_vec();
    run_until(&mut world, 0.01);
    let there = place(&world);
    for _ in 0..50 {
        world.step(&Inputs { pins: &[pin], ..Inputs::default() }).unwrap();
        assert_eq!(place(&world), there);
    }
    for _ in 0..50 {
        world.step(&Inputs::default()).unwrap();
    }
    assert_ne!(place(&world), there);
}

#[test]
fn steps_between_the_rungs_are_longer_and_follow_the_same_motion() {
    let shared = |scene: Scene| {
        let mut world = scene.world();
        let (reports, error) = run_until(&mut world, 0.4);
        assert_eq!(error, None);
        (world, reports)
    };
    let (halved, slow) = shared(pulled(1.0));
    let (any, fast) = shared(between(pulled(1.0), 0.96));
    println!("{} steps halved, {} of any length, rungs {:?}", slow.len(), fast.len(), rungs(&fast));
    assert!(fast.len() < slow.len() && rungs(&fast).len() <= 3);
    // 0.3 m of stretch; and the energy closes
    assert!(peak_difference(&halved.state().x, &any.state().x) < 3e-4);
    let energy = any.energy();
    assert!(energy.total().abs() < 0.01 * energy.work, "{energy:?}");
}
