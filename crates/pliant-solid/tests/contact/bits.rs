//! Contacts that are saved go on with the same bits, and threads change none, under every method and response.

use pliant_geometry::BoxElement;
use pliant_numerics::Mat3;
use pliant_solid::contact::{Collider, ColliderShape, Response, Tool};
use pliant_solid::integrator::{ImplicitEuler, Inputs, IntegratorKind, Ladder, Lengths, Newmark, StepChoice};
use pliant_solid::law::LawKind;
use pliant_solid::rigid::Joint;
use pliant_solid::{MassKind, World};

use super::support::meshes::block;
use super::support::{Scene, explicit, moduli};
use super::{axes_to, collider};

/// A soft block and one with a bone fall onto a floor, against a wall that bounces and below a tool.
fn scene(response: Response, integrator: IntegratorKind, full: bool) -> Scene {
    let bounces = response != Response::Penalty;
    let floor = Collider { friction: 0.4, ..collider(ColliderShape::Plane) };
    let wall = Collider {
        axes: axes_to([1.0, 0.1, 0.2]),
        origin: [-0.01, 0.0, 0.0],
        restitution: bounces.then_some(0.6),
        ..collider(ColliderShape::Plane)
    };
    let soft = block([0.1; 3], [3, 3, 3], BoxElement::Tet6)
        .transformed(|p| [p[0] + 0.02, p[1], p[2] + 1e-3])
        .unwrap();
    let boned =
        block([0.1; 3], [2, 2, 2], BoxElement::Hex).transformed(|p| [p[0] + 0.2, p[1], p[2] + 2e-3]).unwrap();
    let law = || LawKind::Corotated(moduli(1e5, 0.3));
    let scene = Scene::new(soft, law())
        .matter(move |m| {
            m.stiffness_damping = 1e-4;
            m.mass = if full { MassKind::Consistent } else { MassKind::Lumped };
        })
        .body("second", boned, law())
        .matter(move |m| m.mass = if full { MassKind::Consistent } else { MassKind::Lumped })
        .collider(floor)
        .collider(wall)
        .gravity([0.0, 0.0, -9.81])
        .velocity(|_| [-0.5, 0.2, -1.0])
        .response(response)
        .integrator(integrator);
    if full { scene } else { scene.bone(|p| p[2] < 0.05, Joint::Free, 1500.0) }
}

fn runs() -> Vec<(&'static str, Scene)> {
    let euler = ImplicitEuler { step: StepChoice::Fixed(1e-3), ..ImplicitEuler::default() };
    let ladder = || IntegratorKind::Ladder(Ladder { step: StepChoice::Fixed(1e-4), lengths: Lengths::Any });
    vec![
        ("constraint", scene(Response::Constraint, explicit(), false)),
        ("smooth", scene(Response::Smooth, explicit(), false)),
        ("penalty", scene(Response::Penalty, explicit(), false)),
        ("ladder", scene(Response::Constraint, ladder(), true)),
        ("ladder, penalty", scene(Response::Penalty, ladder(), true)),
        ("euler", scene(Response::Penalty, IntegratorKind::ImplicitEuler(euler), false)),
        (
            "newmark",
            scene(
                Response::Penalty,
                IntegratorKind::Newmark(Newmark { step: StepChoice::Fixed(1e-3), ..Newmark::default() }),
                true,
            ),
        ),
    ]
}

fn go_on(world: &mut World, steps: usize) {
    for _ in 0..steps {
        let tool = Tool {
            shape: ColliderShape::Sphere { radius: 0.03 },
            axes: Mat3::identity(),
            origin: [0.05, 0.05, 0.14 - 0.2 * world.state().time],
            velocity: [0.0, 0.0, -0.2],
            spin: [0.0; 3],
            friction: 0.2,
            thickness: 0.001,
        };
        world.step(&Inputs { tools: &[tool], ..Inputs::default() }).unwrap();
    }
}

#[test]
fn contacts_that_are_saved_go_on_with_the_same_bits() {
    for (name, scene) in runs() {
        let mut world = scene.world();
        go_on(&mut world, 60);
        assert!(!world.state().contacts.touches().is_empty(), "{name}");
        let saved = postcard::to_stdvec(world.state()).unwrap();
        let mut other = scene.world();
        other.restore(postcard::from_bytes(&saved).unwrap()).unwrap();
        go_on(&mut world, 60);
        go_on(&mut other, 60);
        assert!(
            postcard::to_stdvec(world.state()).unwrap() == postcard::to_stdvec(other.state()).unwrap(),
            "{name}"
        );
    }
}

#[test]
fn threads_change_no_bit_of_a_contact() {
    for (name, scene) in runs() {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut world = scene.world();
            pool.install(|| go_on(&mut world, 80));
            postcard::to_stdvec(world.state()).unwrap()
        };
        let one = on(1);
        assert!(one == on(2) && one == on(5), "{name}");
    }
}
