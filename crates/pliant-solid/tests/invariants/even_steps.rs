//! Steps that somebody looks on take about equally long: hands come and go without a search for the stable step, and one that
//! large models need is spread over steps.

use pliant_geometry::BoxElement;
use pliant_solid::integrator::{Inputs, stable_step};
use pliant_solid::law::LawKind;
use pliant_solid::term::{Grab, GrabPath};
use pliant_solid::{State, Workspace, World};

use super::bytes;
use super::support::meshes::block;
use super::support::{Scene, moduli, node_at};

const EVENLY: Inputs = Inputs { grabs: &[], pins: &[], end: None, evenly: true };

fn post(cells: [usize; 3]) -> Scene {
    let mesh = block([0.1, 0.1, 0.3], cells, BoxElement::Hex);
    Scene::new(mesh, LawKind::NeoHookean(moduli(1e5, 0.3))).hold(|p| p[2] < 1e-9)
}

/// A hand that pulls the top sideways by so much, m.
fn hand(world: &World, by: f64) -> Grab {
    let layout = world.model().layout();
    let nodes: Vec<u32> = (0..layout.free_count() as u32).collect();
    let touched = [(node_at(layout, [0.1, 0.1, 0.3]), 1.0)];
    let mut grab = world.model().hand(0, &touched, &nodes, 0.0).unwrap();
    grab.path = GrabPath::held_at([0.1 + by, 0.1, 0.3]);
    grab
}

/// The limit at a world's state, sought from nothing.
fn limit(world: &World, inputs: &Inputs) -> f64 {
    let mut mode = vec![0.0; world.state().x.len()];
    stable_step(world.model(), world.state(), &mut Workspace::new(world.model()), &mut mode, inputs).dt
}

#[test]
fn a_hand_that_lets_go_gives_back_the_limit_of_before() {
    let mut world = post([3, 3, 9]).auto(0.9).world();
    for _ in 0..20 {
        world.step(&Inputs::default()).unwrap();
    }
    let before = world.state().solver.clone();
    let grab = hand(&world, 1e-4);
    let held = Inputs { grabs: std::slice::from_ref(&grab), ..Inputs::default() };
    let beside = limit(&world, &held);
    // fewer steps than those after which the limit is found anew in any case, 256; a gentle pull needs it no sooner
    for _ in 0..100 {
        world.step(&held).unwrap();
        let now = &world.state().solver;
        assert!(now.dt_found <= beside * (1.0 + 1e-9) && now.dt_found < before.dt_found);
        assert_eq!(now.mode_of, before.mode_of, "it was sought again");
    }
    world.step(&Inputs::default()).unwrap();
    let after = &world.state().solver;
    assert_eq!((after.dt_found, after.mode_of), (before.dt_found, before.mode_of));
}

#[test]
fn the_limit_is_renewed_under_a_hand_that_stays() {
    let mut world = post([3, 3, 9]).auto(0.9).world();
    let grab = hand(&world, 0.03);
    let held = Inputs { grabs: std::slice::from_ref(&grab), ..Inputs::default() };
    for _ in 0..600 {
        world.step(&held).unwrap();
        let solver = &world.state().solver;
        assert!(solver.dt_found < solver.dt_free);
        if world.state().step == solver.mode_of + 1 {
            let exact = limit(&world, &held);
            // one step later, and to the tolerance of the search
            assert!(solver.dt_found < 1.02 * exact, "{} {exact}", solver.dt_found);
        }
    }
    assert!(world.state().solver.mode_of >= 256);
}

#[test]
fn a_search_that_is_spread_over_steps_finds_the_same_and_can_be_saved_in_the_middle() {
    // 10 x 10 x 101 nodes: above 30 000 numbers
    let scene = || post([9, 9, 100]).auto(0.9);
    let mut world = scene().world();
    let first = world.state().solver.dt_found;
    // long after the limit was last found, and with nothing left of the mode it was found for
    let mut late = world.state().clone();
    (late.step, late.solver.looked_at, late.solver.look_at) = (300, 300, 300);
    late.solver.mode.fill(0.0);
    world.restore(late).unwrap();
    let mut steps = 0;
    let mut resumed: Option<World> = None;
    while world.state().solver.mode_of == 0 {
        world.step(&EVENLY).unwrap();
        let sought = world.state().solver.search.cycles;
        steps += u64::from(sought > 0);
        if let Some(resumed) = &mut resumed {
            resumed.step(&EVENLY).unwrap();
        } else if sought == 2 {
            let saved = bytes(world.state());
            let mut other = scene().world();
            other.restore(postcard::from_bytes::<State>(&saved).unwrap()).unwrap();
            resumed = Some(other);
        }
        assert!(world.state().step < 362, "it is never found");
    }
    assert!(steps >= 2, "it was not spread");
    assert!(bytes(world.state()) == bytes(resumed.unwrap().state()));
    // nothing moves, so that the limit is what it was
    let found = world.state().solver.dt_found;
    assert!((found / first - 1.0).abs() < 0.01, "{found} {first}");
}
