//! Networks in motion: frequencies, rest, momenta, energy and steps.

use pliant_geometry::BoxElement;
use pliant_solid::integrator::{Inputs, StepChoice, stable_step};
use pliant_solid::link::Spring;
use pliant_solid::term::{LoadHistory, NodalForce};
use pliant_solid::{Kit, Motion, Network, NetworkLaw, SpringDamping, SpringStiffness, Weave};

use super::support::meshes::{block, mesh};
use super::support::{add, cross, node_at, run, run_until, triple};
use super::{cloth, implicit, networks, of_cells, scene, warped};

const G: f64 = 9.81;

/// A mass of 0.5 kg below a spring of 50 N/m and 1 m.
fn pendulum(damping: f64, drag: f64) -> super::support::Scene {
    let shape = mesh(vec![[0.0; 3], [0.0, 0.0, -1.0]], vec![], vec![]);
    let spring = Spring { stiffness: 50.0, damping, length: 1.0 };
    let network = Network {
        law: NetworkLaw::Springs,
        springs: vec![([0, 1], spring)],
        angles: vec![],
        mass: vec![0.5; 2],
        drag,
    };
    scene(&shape, &network).hold(|p| p[2] > -0.5)
}

#[test]
fn a_mass_hangs_where_its_weight_stretches_the_spring() {
    for (name, scene) in [
        ("explicit", pendulum(10.0, 0.0).dt(1e-3)),
        ("implicit", pendulum(10.0, 0.0).integrator(implicit(StepChoice::Fixed(1e-2)))),
        ("statics", pendulum(0.0, 0.0).statics()),
    ] {
        // statics wants the sideways motion held, which gravity alone does not
        let scene = match name {
            "statics" => scene.hold_along(|p| p[2] < -0.5, [true, true, false], Motion::Still, None),
            _ => scene,
        };
        let mut world = scene.gravity([0.0, 0.0, -G]).world();
        run_until(&mut world, if name == "statics" { 1.0 } else { 6.0 });
        let depth = -1.0 - triple(&world.state().x, node_at(world.model().layout(), [0.0, 0.0, -1.0]))[2];
        assert!((depth - 0.5 * G / 50.0).abs() < 1e-6, "{name}: {depth}");
    }
}

#[test]
fn drag_stops_a_particle_as_an_exponential() {
    // m v' = -b v: v = v0 exp(-b t / m); central differences are of second order, (dt b / m)^2 / 12
    let shape = mesh(vec![[0.0; 3]], vec![], vec![]);
    let network =
        Network { law: NetworkLaw::Springs, springs: vec![], angles: vec![], mass: vec![0.5], drag: 2.0 };
    let mut world = scene(&shape, &network).velocity(|_| [3.0, 0.0, 0.0]).dt(1e-3).world();
    run_until(&mut world, 0.5);
    let exact = 3.0 * (-2.0_f64).exp();
    assert!((world.state().v[0] - exact).abs() < 1e-5 * exact, "{}", world.state().v[0]);
    let energy = world.energy();
    assert!((energy.total() - 0.5 * 0.5 * 9.0).abs() < 1e-4, "{energy:?}");
}

/// Drag is the same on every particle, whatever its mass, also where another body makes full matrices of all of them.
#[test]
fn drag_on_particles_of_unlike_mass_beside_a_body_with_consistent_mass() {
    let shape = mesh(vec![[0.0; 3], [0.0, 1.0, 0.0]], vec![], vec![]);
    let mass = vec![0.5, 5.0];
    let network = Network { law: NetworkLaw::Springs, springs: vec![], angles: vec![], mass, drag: 2.0 };
    let beside =
        block([0.1; 3], [1, 1, 1], BoxElement::Hex).transformed(|p| [p[0] + 9.0, p[1], p[2]]).unwrap();
    let law = pliant_solid::law::LawKind::Linear(super::support::moduli(1e4, 0.3));
    let mut world = scene(&shape, &network)
        .body("beside", beside, law)
        .matter(|m| m.mass = pliant_solid::MassKind::Consistent)
        .velocity(|p| if p[0] < 1.0 { [3.0, 0.0, 0.0] } else { [0.0; 3] })
        .newmark(1e-3)
        .world();
    run_until(&mut world, 0.5);
    for (node, mass) in [(0, 0.5), (1, 5.0)] {
        let exact = 3.0 * (-2.0_f64 * 0.5 / mass).exp();
        let found = world.state().v[3 * world.model().layout().bodies()[0].world[node] as usize];
        assert!((found - exact).abs() < 1e-5 * exact, "{mass} kg: {found} {exact}");
    }
}

#[test]
fn momenta_of_free_networks_are_kept() {
    for (name, mesh, network) in networks().into_iter().filter(|(name, ..)| !name.contains("linear")) {
        for scheme in ["explicit", "implicit"] {
            let scene = scene(&mesh, &network).velocity(|[x, y, z]| [1.0 + y, 3.0 * x - z, 2.0 * z - x]);
            let scene = match scheme {
                "explicit" => scene.auto(0.9),
                _ => scene.integrator(implicit(StepChoice::Fixed(1e-3))),
            };
            let mut world = scene.world();
            let momenta = |world: &pliant_solid::World| {
                let (mut linear, mut angular) = ([0.0; 3], [0.0; 3]);
                for node in 0..world.model().layout().free_count() as u32 {
                    let mass = world.model().mass()[node as usize];
                    let p = triple(&world.state().v, node).map(|v| mass * v);
                    linear = add(linear, p);
                    angular = add(angular, cross(triple(&world.state().x, node), p));
                }
                (linear, angular)
            };
            let (p0, l0) = momenta(&world);
            run(&mut world, 200);
            let (p1, l1) = momenta(&world);
            let off = |a: [f64; 3], b: [f64; 3]| (0..3).map(|c| (a[c] - b[c]).abs()).fold(0.0, f64::max);
            let size = p0.iter().chain(&l0).fold(0.0_f64, |most, c| most.max(c.abs()));
            assert!(
                off(p0, p1) < 1e-10 * size && off(l0, l1) < 1e-9 * size,
                "{name} {scheme}: {p0:?} {p1:?} {l0:?} {l1:?}"
            );
        }
    }
}

#[test]
fn the_automatic_step_keeps_the_energy_of_a_swinging_cloth() {
    let (mesh, mut network) = cloth([0.5, 0.5], [10, 10]);
    network.springs.iter_mut().for_each(|(_, s)| s.damping = 0.0);
    let mut world = scene(&mesh, &network).gravity([0.0, 0.0, -G]).hold(|p| p[1] > 0.499).auto(0.96).world();
    let before = world.energy().total();
    let (_, error) = run_until(&mut world, 2.0);
    assert!(error.is_none(), "{error:?}");
    let energy = world.energy();
    let moved = 0.1 * G * 0.25;
    assert!((energy.total() - before).abs() < 0.02 * moved, "{energy:?}");
}

#[test]
fn a_step_beyond_the_limit_diverges_and_one_below_does_not() {
    // along its line a chain of springs has the limit that is told, sqrt(m / k) for two masses on one spring: w^2 = 2 k / m
    let shape = mesh(vec![[0.0; 3], [1.0, 0.0, 0.0]], vec![], vec![]);
    let spring = Spring { stiffness: 50.0, damping: 0.0, length: 1.0 };
    let network = Network {
        law: NetworkLaw::Springs,
        springs: vec![([0, 1], spring)],
        angles: vec![],
        mass: vec![0.5; 2],
        drag: 0.0,
    };
    let start = || scene(&shape, &network).velocity(|[x, ..]| [0.1 * (x - 0.5), 0.0, 0.0]);
    let model = start().model();
    let state = model.initial_state();
    let mut mode = vec![0.0; 6];
    let limit =
        stable_step(&model, &state, &mut Kit::new(&model, start().scheme()), &mut mode, &Inputs::default())
            .dt;
    let exact = 2.0 / (2.0 * 50.0 / 0.5_f64).sqrt();
    assert!((limit / exact - 1.0).abs() < 0.01, "{limit} {exact}");
    let stretch = |dt: f64| {
        let mut world = start().dt(dt).world();
        let (_, error) = run_until(&mut world, 20.0);
        error.map_or_else(|| (world.state().x[3] - world.state().x[0] - 1.0).abs(), |_| f64::INFINITY)
    };
    // the swing of 0.1 / w grows by 1 / sqrt(1 - (w dt / 2)^2) = 5 near the limit
    assert!(stretch(0.98 * exact) < 0.04);
    assert!(stretch(1.02 * exact) > 1.0);
}

#[test]
fn a_warped_bar_hangs_like_its_springs() {
    // E = 8 kPa: a tenth of a kilogram would come down by a third of the bar; the linear bar grows instead
    let mesh = block([0.5, 0.05, 0.05], [20, 2, 2], BoxElement::Tet6);
    let tip = |law: NetworkLaw| {
        let mut network = of_cells(&mesh, law);
        network.mass.iter_mut().for_each(|m| *m *= 0.07);
        // rotations lag by a step, which pumps a bar that nothing slows
        network.drag = 3e-4;
        let mut world = scene(&mesh, &network)
            .gravity([0.0, 0.0, -G])
            .hold(|p| p[0] < 1e-9)
            .integrator(implicit(StepChoice::Fixed(5e-3)))
            .world();
        run(&mut world, 1000);
        let layout = world.model().layout();
        triple(&world.state().x, node_at(layout, [0.5, 0.025, 0.025]))
    };
    let springs = tip(NetworkLaw::Springs);
    let turned = tip(warped(&mesh).law);
    let linear = tip(NetworkLaw::Linear);
    let sag = |tip: [f64; 3]| 0.025 - tip[2];
    let apart = |a: [f64; 3], b: [f64; 3]| (0..3).map(|c| (a[c] - b[c]).powi(2)).sum::<f64>().sqrt();
    assert!(sag(springs) > 0.15, "{springs:?}");
    assert!(apart(springs, turned) < 0.05 * sag(springs), "{springs:?} {turned:?}");
    // straight down instead of around
    assert!((linear[0] - 0.5).abs() < 0.01 && springs[0] < 0.47, "{springs:?} {linear:?}");
    assert!(apart(springs, linear) > 3.0 * apart(springs, turned), "{springs:?} {linear:?}");
}

#[test]
fn an_isotropic_network_has_the_modulus_it_was_woven_for_and_a_ratio_of_a_quarter() {
    // springs to all nodes of hexahedra: cubes, stretched along x with free sides
    let (young, pull) = (1e4, 2.0);
    let mesh = block([1.0, 0.5, 0.5], [16, 8, 8], BoxElement::Hex);
    let weave = Weave { stiffness: SpringStiffness::Young(young), damping: SpringDamping::Each(0.0) };
    let springs = weave.of_cells(&mesh);
    let mass = vec![1e-3; mesh.node_count()];
    let network = Network { law: NetworkLaw::Linear, springs, angles: vec![], mass, drag: 0.0 };
    let force = move |l: &pliant_solid::Layout| {
        let end = super::support::nodes_in(l, &|p| p[0] > 0.999);
        let share = |n: u32| {
            let p = l.rest_of(n);
            let half = |c: f64| if !(1e-9..0.5 - 1e-9).contains(&c) { 0.5 } else { 1.0 };
            (n, [pull / 64.0 * half(p[1]) * half(p[2]), 0.0, 0.0])
        };
        NodalForce { forces: end.into_iter().map(share).collect(), history: LoadHistory::default() }
    };
    let mirror = |c: usize| std::array::from_fn(|axis| axis == c);
    let scene = scene(&mesh, &network).term(force).statics();
    let scene = scene.hold_along(|p| p[0] < 1e-9, mirror(0), Motion::Still, None);
    let scene = scene.hold_along(|p| p[1] < 1e-9, mirror(1), Motion::Still, None);
    let mut world = scene.hold_along(|p| p[2] < 1e-9, mirror(2), Motion::Still, None).world();
    run_until(&mut world, 1.0);
    let moved =
        |p: [f64; 3], c: usize| triple(&world.state().x, node_at(world.model().layout(), p))[c] - p[c];
    // away from the ends
    let along = (moved([0.75, 0.25, 0.25], 0) - moved([0.25, 0.25, 0.25], 0)) / 0.5;
    let across = moved([0.5, 0.5, 0.25], 1) / 0.5;
    let (seen, ratio) = (pull / 0.25 / along, -across / along);
    // every cell has its own springs, so that a uniform strain is an equilibrium
    assert!((seen / young - 1.0).abs() < 1e-6, "{seen}");
    assert!((ratio - 0.25).abs() < 1e-6, "{ratio}");
}
