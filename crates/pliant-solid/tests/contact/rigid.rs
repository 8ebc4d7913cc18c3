//! Bones, ties, fine surfaces and nodes between two colliders: contacts that move each other.

use std::sync::Arc;

use pliant_geometry::{BoxElement, MaterialPoint};
use pliant_numerics::Mat3;
use pliant_solid::contact::{Carrier, Collider, ColliderShape, FineSkin, Response, Skin};
use pliant_solid::law::LawKind;
use pliant_solid::rigid::Joint;
use pliant_solid::{Attached, Network, NetworkLaw, World};

use super::support::meshes::{block, mesh};
use super::support::{Scene, moduli, run, run_until};
use super::{axes_to, collider};

const G: f64 = 9.81;

fn corotated(young: f64) -> LawKind {
    LawKind::Corotated(moduli(young, 0.3))
}

/// The mean vertical force of the floor over a time, N.
fn carried(world: &mut World, seconds: f64) -> f64 {
    let (mut sum, steps) = (0.0, 2 * (0.5 * seconds / world.state().solver.dt).round() as usize);
    for _ in 0..steps {
        run(world, 1);
        sum += world.state().contacts.touches().iter().map(|t| t.force[2]).sum::<f64>();
    }
    sum / steps as f64
}

#[test]
fn a_rigid_block_stands_on_a_floor_and_carries_its_weight() {
    for response in [Response::Constraint, Response::Smooth] {
        let cube = block([0.1; 3], [2, 2, 2], BoxElement::Hex);
        let mut world = Scene::new(cube, corotated(1e5))
            .bone(|_| true, Joint::Free, 1000.0)
            .gravity([0.0, 0.0, -G])
            .collider(Collider { friction: 0.4, ..collider(ColliderShape::Plane) })
            .response(response)
            .dt(1e-3)
            .world();
        run_until(&mut world, 0.2);
        let up = carried(&mut world, 0.5);
        assert!((up / G - 1.0).abs() < 1e-3, "{response:?}: {up}");
        assert!(world.deepest_penetration() < 1e-4, "{response:?}: {}", world.deepest_penetration());
        assert!(world.energy().total().abs() < 1e-3, "{:?}", world.energy());
    }
}

#[test]
fn a_rigid_block_slides_down_a_slope_as_coulomb_says() {
    let angle = 30.0_f64.to_radians();
    let turned = Mat3::rotation([0.0, 1.0, 0.0], angle);
    let cube =
        block([0.1, 0.1, 0.05], [2, 2, 1], BoxElement::Hex).transformed(|p| turned.mul_vec(p)).unwrap();
    let mut world = Scene::new(cube, corotated(1e5))
        .bone(|_| true, Joint::Free, 1000.0)
        .gravity([0.0, 0.0, -G])
        .collider(Collider { axes: turned, friction: 0.3, ..collider(ColliderShape::Plane) })
        .dt(2e-4)
        .world();
    run_until(&mut world, 0.2);
    let speed = |world: &World| (0..3).map(|c| world.state().v[c] * turned.column(0)[c]).sum::<f64>();
    let before = speed(&world);
    run_until(&mut world, 0.7);
    // g (sin 30 - 0.3 cos 30), INCLINE-1
    let found = (speed(&world) - before) / 0.5;
    assert!((found / 2.356_287 - 1.0).abs() < 0.01, "{found}");
}

#[test]
fn a_pendulum_rests_against_a_wall() {
    // a bar of 0.4 m hinged at its upper end leans on a plane along it, 0.3 rad from hanging straight: moments about the hinge balance
    let (length, lean) = (0.4, -0.3_f64);
    let lean_by = Mat3::rotation([0.0, 1.0, 0.0], lean);
    let bar = block([0.02, 0.02, length], [1, 1, 4], BoxElement::Hex);
    let bar = bar.transformed(|p| lean_by.mul_vec([p[0], p[1] - 0.01, p[2] - length])).unwrap();
    let wall = Collider { axes: axes_to(lean_by.column(0)), ..collider(ColliderShape::Plane) };
    let hinge = Joint::Hinge { point: [0.0; 3], axis: [0.0, 1.0, 0.0] };
    let mut world = Scene::new(bar, corotated(1e5))
        .bone(|_| true, hinge, 1000.0)
        .gravity([0.0, 0.0, -G])
        .collider(wall)
        .response(Response::Smooth)
        .dt(2e-4)
        .world();
    let mass: f64 = world.model().mass().iter().sum();
    run_until(&mut world, 0.3);
    let state = world.state();
    let count = (state.x.len() / 3) as f64;
    let centre = state.x.chunks_exact(3).map(|x| x[0]).sum::<f64>() / count;
    // about y: z f_x - x f_z
    let held: f64 = world.contacts().map(|c| c.point[2] * c.force()[0] - c.point[0] * c.force()[2]).sum();
    let exact = -mass * G * centre;
    assert!((held / exact - 1.0).abs() < 1e-3, "moment {held} {exact}");
}

#[test]
fn a_node_between_two_planes_obeys_both() {
    // a particle of 2 kg in a trough whose sides rise by 30 degrees: each side pushes with m g / (2 cos 30)
    let lean = 30.0_f64.to_radians();
    let side = |sign: f64| Collider {
        axes: axes_to([sign * lean.sin(), 0.0, lean.cos()]),
        ..collider(ColliderShape::Plane)
    };
    let shape = mesh(vec![[0.0, 0.0, 0.0]], vec![], vec![]);
    let network =
        Network { law: NetworkLaw::Springs, springs: vec![], angles: vec![], mass: vec![2.0], drag: 0.0 };
    for response in [Response::Constraint, Response::Smooth] {
        let mut world = Scene::of_network(shape.clone(), network.clone())
            .gravity([0.0, 0.0, -G])
            .collider(side(-1.0))
            .collider(side(1.0))
            .response(response)
            .dt(1e-3)
            .world();
        run(&mut world, 50);
        let up = carried(&mut world, 0.1);
        assert!((up / (2.0 * G) - 1.0).abs() < 1e-5, "{response:?}: {up}");
        let exact = G / lean.cos();
        let pushes: Vec<f64> = world.contacts().map(|contact| contact.normal_force).collect();
        // the mean over five steps of a force that alternates
        let slack = if response == Response::Smooth { 1e-9 } else { 0.21 };
        assert!(
            pushes.len() == 2 && pushes.iter().all(|p| (p / exact - 1.0).abs() < slack),
            "{pushes:?} {exact}"
        );
        assert!(world.deepest_penetration() < 1e-5, "{}", world.deepest_penetration());
    }
}

#[test]
fn a_fine_surface_touches_in_place_of_the_mesh() {
    // a coarse cube of one cell that carries a fine plate 1 cm below its lower face
    let cube = block([0.1; 3], [1, 1, 1], BoxElement::Hex);
    let corner = |x: f64, y: f64, z: f64| -> MaterialPoint {
        let mut point = MaterialPoint::default();
        for (node, p) in cube.positions().iter().enumerate() {
            let weight: f64 =
                [x, y, z].iter().zip(p).map(|(s, q)| if *q > 0.05 { *s } else { 1.0 - *s }).product();
            point.extend([(node as u32, weight)]);
        }
        point
    };
    let below = -0.1;
    let vertices: Vec<MaterialPoint> =
        (0..25).map(|i| corner(f64::from(i % 5) / 4.0, f64::from(i / 5) / 4.0, below)).collect();
    let triangles: Vec<[u32; 3]> = (0..16)
        .flat_map(|i| {
            let a = 5 * (i / 4) + i % 4;
            [[a, a + 5, a + 1], [a + 1, a + 5, a + 6]]
        })
        .collect();
    let skin = Skin { thickness: 0.002, fine: Some(FineSkin { vertices, triangles }) };
    let floor = Collider {
        origin: [0.0, 0.0, -0.02],
        thickness: 0.001,
        friction: 0.2,
        ..collider(ColliderShape::Plane)
    };
    let mut world = Scene::new(cube, corotated(1e5))
        .matter(|m| m.stiffness_damping = 1e-3)
        .skin(skin)
        .gravity([0.0, 0.0, -G])
        .collider(floor)
        .response(Response::Smooth)
        .dt(2e-4)
        .world();
    run_until(&mut world, 0.6);
    let up = carried(&mut world, 0.5);
    assert!((up / G - 1.0).abs() < 2e-3, "{up}");
    // the plate lies on the floor's thickness and its own
    let lowest = world.contacts().map(|c| c.point[2]).fold(f64::INFINITY, f64::min);
    assert!((lowest + 0.017).abs() < 2e-4, "{lowest}");
}

#[test]
fn a_collider_on_a_bone_pushes_and_is_pushed() {
    // a free rigid block with a sphere on it flies at a soft one: what one loses the other gains
    let rigid = block([0.1; 3], [1, 1, 1], BoxElement::Hex);
    let soft =
        block([0.1; 3], [2, 2, 2], BoxElement::Hex).transformed(|p| [p[0] + 0.25, p[1], p[2]]).unwrap();
    let tip = Collider {
        carrier: Carrier::Bone(0),
        origin: [0.1, 0.05, 0.05],
        ..collider(ColliderShape::Sphere { radius: 0.08 })
    };
    for (response, most) in [(Response::Constraint, 1e-9), (Response::Penalty, 1e-9)] {
        let mut world = Scene::new(rigid.clone(), corotated(1e5))
            .bone(|_| true, Joint::Free, 1000.0)
            .body("soft", soft.clone(), corotated(5e4))
            .velocity(|p| if p[0] < 0.2 { [1.0, 0.0, 0.0] } else { [0.0; 3] })
            .collider(tip.clone())
            .response(response)
            .contact(|c| c.allow_overlap = true)
            .dt(1e-4)
            .world();
        let momentum = |world: &World| {
            let (state, mass) = (world.state(), world.model().mass());
            state.v.chunks_exact(3).zip(mass).map(|(v, m)| m * v[0]).sum::<f64>()
        };
        let before = momentum(&world);
        run(&mut world, 2000);
        let soft_nodes = world.model().layout().bodies()[1].nodes.clone();
        let soft_speed = soft_nodes.map(|n| world.state().v[3 * n as usize]).sum::<f64>() / 27.0;
        assert!((momentum(&world) - before).abs() < most, "{response:?}: {} {before}", momentum(&world));
        assert!(soft_speed > 0.3, "{response:?}: {soft_speed}");
    }
}

#[test]
fn a_tied_body_is_carried_through_its_ties() {
    // a soft cube whose lower nodes are tied to a soft slab that stands on the floor
    let slab = block([0.1, 0.1, 0.05], [2, 2, 1], BoxElement::Hex);
    let cube =
        block([0.1; 3], [2, 2, 2], BoxElement::Hex).transformed(|p| [p[0], p[1], p[2] + 0.05]).unwrap();
    let under = |mesh: &pliant_geometry::Mesh, z: f64| -> Vec<(u32, [f64; 3])> {
        let all = (0_u32..).zip(mesh.positions().iter().copied());
        all.filter(|(_, p)| (p[2] - z).abs() < 1e-9).collect()
    };
    let ties = under(&cube, 0.05)
        .into_iter()
        .map(|(node, p)| {
            let below =
                under(&slab, 0.05).into_iter().find(|(_, q)| (0..2).all(|c| (p[c] - q[c]).abs() < 1e-9));
            Attached { node, body: 0, to: MaterialPoint::node(below.unwrap().0) }
        })
        .collect();
    let mut world = Scene::new(slab, corotated(1e5))
        .matter(|m| m.stiffness_damping = 1e-3)
        .body("cube", cube, corotated(1e5))
        .matter(|m| m.stiffness_damping = 1e-3)
        .attached(ties)
        .gravity([0.0, 0.0, -G])
        .collider(collider(ColliderShape::Plane))
        .dt(2e-4)
        .world();
    run_until(&mut world, 0.5);
    let up = carried(&mut world, 0.5);
    assert!((up / (1.5 * G) - 1.0).abs() < 2e-3, "{up}");
    let _ = Arc::clone(world.model());
}

#[test]
fn what_slides_over_the_edge_of_a_table_falls() {
    // half of a stiff block's length a second to the edge, then free: after 0.3 s it has fallen below the table's top
    let table =
        Collider { origin: [-0.5, 0.0, -0.05], ..collider(ColliderShape::Box { half: [0.5, 1.0, 0.05] }) };
    for response in [Response::Constraint, Response::Smooth] {
        let cube = block([0.1, 0.1, 0.05], [2, 2, 1], BoxElement::Hex)
            .transformed(|p| [p[0] - 0.05, p[1], p[2]])
            .unwrap();
        let mut world = Scene::new(cube, corotated(1e6))
            .matter(|m| m.stiffness_damping = 2e-4)
            .gravity([0.0, 0.0, -G])
            .velocity(|_| [1.0, 0.0, 0.0])
            .collider(table.clone())
            .response(response)
            .dt(1e-4)
            .world();
        run_until(&mut world, 0.45);
        let highest = world.state().x.chunks_exact(3).map(|x| x[2]).fold(f64::NEG_INFINITY, f64::max);
        assert!(highest < -0.1, "{response:?}: {highest}");
        assert!(world.contacts().next().is_none(), "{:?}", world.contacts().next());
    }
}
