//! Hands on bodies in equilibrium: every step finds the one that belongs to where the hand is.

use pliant_geometry::BoxElement;
use pliant_solid::integrator::{Course, Divergence, Inputs, IntegratorKind, Statics, StepChoice};
use pliant_solid::law::LawKind;
use pliant_solid::term::{At, Grab, GrabPath};
use pliant_solid::{Motion, World};

use super::hands::patch;
use crate::support::meshes::block;
use crate::support::{Scene, Vec3, moduli, nodes_in, peak_difference, run_until};

const GRAVITY: f64 = 9.81;

/// A bar that is clamped at x = 0 under its weight.
fn bar(course: Course, step: StepChoice) -> Scene {
    let law = LawKind::NeoHookean(moduli(2e5, 0.3));
    let statics = Statics { course, duration: 1.0, step, tolerance: 1e-10 };
    Scene::new(block([0.5, 0.1, 0.1], [5, 2, 2], BoxElement::Hex), law)
        .gravity([0.0, 0.0, -GRAVITY])
        .hold(|p| p[0] < 1e-9)
        .integrator(IntegratorKind::Statics(statics))
}

fn auto() -> StepChoice {
    StepChoice::Auto { safety: 1.0 }
}

/// A hand at the free end.
fn hand(world: &World, place: Vec3) -> Grab {
    let point = patch(world.model().layout(), &|p| p[0] > 0.39 && p[2] > 0.0999);
    let path = GrabPath::held_at(place);
    Grab { point, path, stiffness: 2e3, damping: 3.0, max_force: f64::INFINITY }
}

fn step(world: &mut World, grabs: &[Grab]) {
    world.step(&Inputs { grabs, ..Inputs::default() }).unwrap_or_else(|error| panic!("{error}"));
}

/// Reactions, the hand and the weight together, N; and the hand alone.
fn forces(world: &World, grab: &Grab) -> (Vec3, Vec3) {
    let (state, model) = (world.state(), world.model());
    let pull = grab.force(&At { still: true, ..state.at() });
    let weight = GRAVITY * model.mass().iter().sum::<f64>();
    let reaction = |c: usize| state.reactions.iter().skip(c).step_by(3).sum::<f64>();
    let sum = [reaction(0) + pull[0], reaction(1) + pull[1], reaction(2) + pull[2] - weight];
    (sum, pull)
}

#[test]
fn a_hand_leads_a_resting_body_through_equilibria_and_back() {
    for choice in [auto(), StepChoice::Fixed(0.25)] {
        let mut world = bar(Course::Resting, choice).world();
        assert_eq!(run_until(&mut world, 1.0).1, None);
        let rest = world.state().clone();
        for n in 1..=8 {
            let grab = hand(&world, [0.45, 0.05 + 0.02 * f64::from(n), 0.1]);
            step(&mut world, std::slice::from_ref(&grab));
            let (sum, pull) = forces(&world, &grab);
            // 49 N of weight; the forces of a few hundred N are balanced to 1e-10
            assert!(sum.iter().all(|f| f.abs() < 1e-6), "{sum:?} N are left over");
            assert!(n < 8 || pull[1] > 5.0, "{pull:?}");
            assert_eq!((world.state().time, world.state().solver.load), (1.0, 1.0));
        }
        assert!(peak_difference(&world.state().x, &rest.x) > 0.05);
        step(&mut world, &[]);
        assert!(peak_difference(&world.state().x, &rest.x) < 1e-9);
        assert_eq!(world.state().time, 1.0);
    }
}

#[test]
fn a_hand_that_asks_for_too_much_is_told_so_and_the_body_stays() {
    let mut world = bar(Course::Resting, auto()).world();
    assert_eq!(run_until(&mut world, 1.0).1, None);
    let before = world.state().clone();
    // the end pushed right through the wall
    let grab = Grab { stiffness: 1e9, ..hand(&world, [-5.0, 0.05, 0.1]) };
    let error = world.step(&Inputs { grabs: &[grab], ..Inputs::default() }).expect_err("it cannot go there");
    assert_eq!(*world.state(), before, "{error}");
    let grab = hand(&world, [0.45, 0.08, 0.1]);
    step(&mut world, std::slice::from_ref(&grab));
    assert!(forces(&world, &grab).0.iter().all(|f| f.abs() < 1e-6));
}

#[test]
fn a_history_goes_on_beyond_its_duration() {
    let mut world = bar(Course::History, auto()).world();
    assert_eq!(run_until(&mut world, 1.0).1, None);
    let rest = world.state().x.clone();
    let grab = hand(&world, [0.45, 0.12, 0.1]);
    for _ in 0..5 {
        let time = world.state().time;
        step(&mut world, std::slice::from_ref(&grab));
        // a fiftieth of the duration
        assert!((world.state().time - time - 0.02).abs() < 1e-12);
        assert!(forces(&world, &grab).0.iter().all(|f| f.abs() < 1e-6));
    }
    assert!(peak_difference(&world.state().x, &rest) > 0.01);
}

#[test]
fn a_hand_on_moving_fixes_needs_no_more_iterations_than_one_of_the_model() {
    let carry = Motion::Carry { shift: [0.1, 0.0, 0.05], turn: None, over: 1.0 };
    let scene = || {
        bar(Course::History, StepChoice::Fixed(0.1))
            .carry(|p| p[0] > 0.49, carry.clone())
            .gravity([0.0, 0.0, -1.0])
    };
    let grab = |layout: &pliant_solid::Layout| Grab {
        point: patch(layout, &|p| p[0] > 0.19),
        path: GrabPath::held_at([0.3, 0.2, 0.1]),
        stiffness: 1e4,
        damping: 0.0,
        max_force: f64::INFINITY,
    };
    let mut worlds = [scene().world(), scene().term(grab).world()];
    let live = [grab(worlds[0].model().layout())];
    for _ in 0..12 {
        let mut residuals = Vec::new();
        for (world, grabs) in worlds.iter_mut().zip([&live[..], &[]]) {
            let report = world.step(&Inputs { grabs, ..Inputs::default() }).unwrap();
            residuals.push(report.newton.unwrap());
        }
        // the same linear equations: the same way, not only the same end
        let pairs = residuals[0].residuals().iter().zip(residuals[1].residuals());
        for (a, b) in pairs {
            assert!((a - b).abs() < 1e-5 * b + 1e-9, "{residuals:?}");
        }
    }
    let [x, y] = worlds.map(|world| world.state().x.clone());
    assert!(peak_difference(&x, &y) < 1e-10);
}

/// Where the hand's point is.
fn grabbed(world: &World, grab: &Grab) -> Vec3 {
    let x = &world.state().x;
    grab.point.mean(x)
}

#[test]
fn hands_give_the_same_bits_on_any_number_of_threads() {
    // lifted, the bar is held by the hand alone, so that the lumped way is taken as well
    let led = || {
        let mut world = bar(Course::Resting, auto()).world();
        assert_eq!(run_until(&mut world, 1.0).1, None);
        let start = grabbed(&world, &hand(&world, [0.0; 3]));
        for n in 1..=3 {
            let place = [start[0], start[1], start[2] + 0.05 * f64::from(n)];
            let grab = Grab { stiffness: 2e4, ..hand(&world, place) };
            step(&mut world, &[grab]);
        }
        world.state().x.iter().map(|x| x.to_bits()).collect::<Vec<u64>>()
    };
    let [one, two, eight] = [1, 2, 8].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(led)
    });
    assert!(one == two && one == eight);
}

#[test]
fn a_body_that_only_the_hand_keeps_from_giving_way_is_held() {
    // pushed to the wall and lifted against its weight, the bar would buckle if the hand were a dead force: without the hand the tangent is
    // not positive definite
    for way in [[-0.1, 0.0, 0.0], [0.0, 0.0, 0.2], [0.0, 0.3, 0.0], [0.3, 0.0, 0.0]] {
        let mut world = bar(Course::Resting, auto()).world();
        assert_eq!(run_until(&mut world, 1.0).1, None);
        let rest = world.state().x.clone();
        let start = grabbed(&world, &hand(&world, [0.0; 3]));
        for n in 1..=4 {
            let place = std::array::from_fn(|c| start[c] + 0.25 * f64::from(n) * way[c]);
            let grab = Grab { stiffness: 2e4, ..hand(&world, place) };
            let report = world.step(&Inputs { grabs: std::slice::from_ref(&grab), ..Inputs::default() });
            let residual =
                report.unwrap_or_else(|error| panic!("{way:?}: {error}")).newton.unwrap().residual();
            assert!(residual < 1e-10, "{way:?}: {residual:e}");
            let (sum, _) = forces(&world, &grab);
            assert!(sum.iter().all(|f| f.abs() < 1e-6), "{way:?}: {sum:?} N are left over");
        }
        // let go at once, from far away
        step(&mut world, &[]);
        assert!(peak_difference(&world.state().x, &rest) < 1e-9, "{way:?}");
    }
}

#[test]
fn a_column_that_is_pushed_along_its_axis_does_not_stay_straight() {
    // Euler's load with one end clamped and the other led, 20.2 E I / L^2 = 1.1 N, is far below the 40 N that a strain of a tenth costs
    let law = LawKind::NeoHookean(moduli(1e6, 0.3));
    let mut world = Scene::new(block([0.02, 0.02, 0.5], [1, 1, 20], BoxElement::Hex), law)
        .hold(|p| p[2] < 1e-9)
        .statics()
        .world();
    assert_eq!(run_until(&mut world, 1.0).1, None);
    let nodes = nodes_in(world.model().layout(), &|p| p[2] > 0.4999);
    let grab = Grab {
        point: nodes.iter().map(|n| (*n, 0.25)).collect(),
        path: GrabPath::held_at([0.01, 0.01, 0.45]),
        stiffness: 1e5,
        damping: 0.0,
        max_force: f64::INFINITY,
    };
    // by symmetry nothing pushes it aside: either it is refused, or it is bent
    let rest = world.state().x.clone();
    match world.step(&Inputs { grabs: &[grab], ..Inputs::default() }) {
        Err(error) => {
            assert!(
                matches!(error.reason, Divergence::LostDefiniteness { .. } | Divergence::NotConverged { .. }),
                "{error}"
            );
            assert_eq!(world.state().x, rest);
        }
        Ok(_) => {
            let aside = world.state().x.iter().zip(&rest).enumerate().filter(|(i, _)| i % 3 != 2);
            let largest = aside.map(|(_, (x, r))| (x - r).abs()).fold(0.0, f64::max);
            assert!(largest > 0.02, "moved aside by {largest} m only");
        }
    }
}

#[test]
fn a_hand_along_a_column_does_not_hide_that_it_buckles() {
    // the hand holds the mean of all nodes, so the column may bend in no single bow, but in two: beyond 80.8 E I / L^2 = 4.3 N, or 1 % of
    // strain, and some more because such coarse elements are too stiff; 10 % are asked for
    let law = LawKind::NeoHookean(moduli(1e6, 0.3));
    let ends = |shift: f64| Motion::Carry { shift: [0.0, 0.0, shift], turn: None, over: 1.0 };
    let mut world = Scene::new(block([0.02, 0.02, 0.5], [1, 1, 20], BoxElement::Hex), law)
        .carry(|p| p[2] < 1e-9, ends(0.025))
        .carry(|p| p[2] > 0.4999, ends(-0.025))
        .statics()
        .world();
    let nodes = nodes_in(world.model().layout(), &|_| true);
    let grab = Grab {
        point: nodes.iter().map(|n| (*n, 1.0 / nodes.len() as f64)).collect(),
        path: GrabPath::held_at([0.01, 0.01, 0.25]),
        stiffness: 1e6,
        damping: 0.0,
        max_force: f64::INFINITY,
    };
    let inputs = Inputs { grabs: &[grab], ..Inputs::default() };
    let error = (0..200).find_map(|_| world.step(&inputs).err()).expect("a straight column is not stable");
    assert!(matches!(error.reason, Divergence::LostDefiniteness { .. }), "{error}");
    let load = world.state().solver.load;
    assert!((0.08..0.6).contains(&load), "it was followed to {load} of the way");
}
