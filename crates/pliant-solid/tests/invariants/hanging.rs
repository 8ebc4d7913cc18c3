//! Nodes that hang on others: the same forces, conserved momenta, the patch test.

use pliant_numerics::Mat3;
use pliant_solid::State;
use pliant_solid::integrator::Inputs;
use pliant_solid::law::LawKind;
use pliant_solid::term::{Grab, GrabPath, LoadHistory, NodalForce};

use super::support::meshes::cube_with_hanging_nodes;
use super::support::{
    Scene, Vec3, add, cross, laws, linear_map, moduli, node_at, nodes_in, peak, peak_difference, run, triple,
};

const YOUNG: f64 = 1e5;

fn cube(law: LawKind) -> Scene {
    let (mesh, hanging) = cube_with_hanging_nodes();
    assert_eq!((mesh.hexes().len(), hanging.len()), (34, 18));
    Scene::new(mesh, law).hanging(hanging)
}

/// On the surface of the unit cube.
fn outside(p: Vec3) -> bool {
    p.iter().any(|c| *c < 1e-9 || *c > 1.0 - 1e-9)
}

#[test]
fn masses_of_hanging_nodes_go_to_their_masters() {
    let model = cube(LawKind::Linear(moduli(YOUNG, 0.3))).model();
    assert_eq!(model.layout().node_count() - model.layout().free_count(), 18);
    assert!((model.mass().iter().sum::<f64>() - 1000.0).abs() < 1e-10);
    assert_eq!(model.mass().len(), model.layout().free_count());
    // masters: the coarse share of 7 coarse cells, 1/8 of the cell volume each, plus what hangs on
    // them: the middle cell's volume goes by thirds of ends, all 8 corners alike; its centre keeps 1/8
    let cell = 1000.0 / 27.0;
    for node in nodes_in(model.layout(), &|p| !outside(p)) {
        let centre = model.layout().rest_of(node).iter().all(|c| (c - 0.5).abs() < 1e-9);
        let expected = if centre { cell / 8.0 } else { cell * (7.0 / 8.0 + 7.0 / 64.0) };
        assert!((model.mass()[node as usize] - expected).abs() < 1e-12 * cell, "{centre}");
    }
}

#[test]
fn hanging_nodes_pass_the_patch_test() {
    // at x = F X the stress is uniform: one step from rest finds the accelerations, and inside the
    // body all of them vanish, on masters and on the middle node alike
    let f = Mat3([[1.2, 0.3, 0.0], [0.0, 0.9, 0.1], [0.2, 0.0, 1.1]]);
    for (name, law) in laws(YOUNG, 0.3) {
        let mut world = cube(law).dt(1e-6).world();
        let layout = world.model().layout();
        let x: Vec<f64> =
            (0..layout.free_count() as u32).flat_map(|n| linear_map(f)(layout.rest_of(n))).collect();
        let zero = vec![0.0; x.len()];
        let start = State { x: x.clone(), v: zero.clone(), a: zero, ..world.state().clone() };
        world.restore(start).unwrap();
        run(&mut world, 1);
        assert!(peak_difference(&world.state().x, &x) == 0.0);
        let model = world.model();
        let force = |n: u32| triple(&world.state().a, n).map(|a| model.mass()[n as usize] * a);
        let inner = nodes_in(model.layout(), &|p| !outside(p));
        assert_eq!(inner.len(), 9);
        let largest = (0..model.layout().free_count() as u32).map(|n| peak(&force(n))).fold(0.0, f64::max);
        for n in inner {
            assert!(peak(&force(n)) < 1e-13 * largest, "{name}: {:?} of {largest}", force(n));
        }
    }
}

#[test]
fn a_body_with_hanging_nodes_keeps_its_momenta() {
    let spin = |p: Vec3| add([0.1, 0.0, 0.2], cross([1.0, 3.0, -2.0], p));
    let mut world = cube(LawKind::StVenant(moduli(YOUNG, 0.3))).velocity(spin).auto(0.8).world();
    let momenta = |state: &State| {
        let mut out = [[0.0; 3]; 2];
        for (n, mass) in world_mass().iter().enumerate() {
            let p = triple(&state.v, n as u32).map(|v| mass * v);
            out = [add(out[0], p), add(out[1], cross(triple(&state.x, n as u32), p))];
        }
        out
    };
    let start = momenta(world.state());
    run(&mut world, 500);
    let end = momenta(world.state());
    for (start, end) in start.iter().zip(&end) {
        assert!(peak_difference(start, end) < 1e-11 * peak(start), "{start:?} {end:?}");
    }
    // and a free affine motion is not disturbed by the seam: hanging nodes are where their masters say
    assert!(world.energy().elastic > 0.0);
}

fn world_mass() -> Vec<f64> {
    cube(LawKind::StVenant(moduli(YOUNG, 0.3))).model().mass().to_vec()
}

#[test]
fn a_load_on_a_hanging_node_is_a_load_on_its_masters() {
    // the middle of an edge between two corners of the middle cell: half the force on each
    let third = 1.0 / 3.0;
    let (middle, ends) = ([0.5, third, third], [[third, third, third], [2.0 * third, third, third]]);
    let force = [3.0, -2.0, 5.0];
    let on_node = move |l: &pliant_solid::Layout| NodalForce {
        forces: vec![(node_at(l, middle), force)],
        history: LoadHistory::growing(0.01),
    };
    let on_ends = move |l: &pliant_solid::Layout| NodalForce {
        forces: ends.map(|p| (node_at(l, p), force.map(|f| 0.5 * f))).to_vec(),
        history: LoadHistory::growing(0.01),
    };
    let law = LawKind::StVenant(moduli(YOUNG, 0.3));
    let mut a = cube(law).term(on_node).dt(1e-3).world();
    let mut b = cube(law).term(on_ends).dt(1e-3).world();
    run(&mut a, 50);
    run(&mut b, 50);
    assert!(peak_difference(&a.state().x, &b.state().x) < 1e-14);
    let (a, b) = (a.energy(), b.energy());
    assert!(a.work > 0.0 && (a.work - b.work).abs() < 1e-12 * a.work, "{a:?} {b:?}");
}

#[test]
fn a_hand_may_hold_a_hanging_node() {
    let third = 1.0 / 3.0;
    let mut world = cube(LawKind::StVenant(moduli(YOUNG, 0.3))).dt(1e-3).world();
    let node = node_at(world.model().layout(), [0.5, third, third]);
    let hands = [Grab {
        point: [(node, 1.0)].into(),
        path: GrabPath {
            points: vec![(0.0, [0.5, third, third]), (0.05, [0.6, third, third])],
            release: None,
        },
        stiffness: 100.0,
        damping: 0.0,
        max_force: f64::INFINITY,
    }];
    let start = world.energy().total();
    for _ in 0..50 {
        world.step(&Inputs { grabs: &hands, ..Inputs::default() }).unwrap();
    }
    let energy = world.energy();
    assert!(energy.work > 0.0 && (energy.total() - start).abs() < 1e-2 * energy.work, "{energy:?}");
}
