//! Shapes that are moved live push bodies, and feel them.

use pliant_geometry::BoxElement;
use pliant_numerics::Mat3;
use pliant_solid::contact::{ColliderShape, Response, Tool};
use pliant_solid::integrator::{ImplicitEuler, Inputs, IntegratorKind, StepChoice};
use pliant_solid::law::LawKind;
use pliant_solid::{ColliderId, World};

use super::support::meshes::block;
use super::support::{Scene, moduli};

fn tool(origin: [f64; 3], velocity: [f64; 3]) -> Tool {
    Tool {
        shape: ColliderShape::Sphere { radius: 0.03 },
        axes: Mat3::identity(),
        origin,
        velocity,
        spin: [0.0; 3],
        friction: 0.1,
        thickness: 0.0,
    }
}

fn flesh() -> Scene {
    let mesh = block([0.1, 0.1, 0.05], [6, 6, 3], BoxElement::Hex);
    Scene::new(mesh, LawKind::Corotated(moduli(2e4, 0.3)))
        .matter(|m| m.stiffness_damping = 2e-3)
        .matter(|m| m.mass_damping = 10.0)
        .hold(|p| p[2] < 1e-9)
}

/// Presses down, then stands; gives the mean force on the tool and the mean reaction of the base over the last tenth of a second.
fn press(world: &mut World, start: f64, depth: f64) -> [f64; 2] {
    let (mut z, mut sums, mut count) = (start, [0.0; 2], 0.0);
    while world.state().time < 1.0 {
        // as far as it goes, to the last bit of the way
        let dt = world.state().solver.dt_limit;
        let down = -f64::min(0.1, (z - 0.08 + depth) / dt);
        let tools = [tool([0.05, 0.05, z], [0.0, 0.0, down])];
        let report = world.step(&Inputs { tools: &tools, ..Inputs::default() }).unwrap();
        z += down * report.dt;
        if world.state().time > 0.9 {
            let base = world.state().reactions.chunks_exact(3).map(|r| r[2]).sum::<f64>();
            sums = [sums[0] + world.force_on(ColliderId(0))[2], sums[1] + base];
            count += 1.0;
        }
    }
    sums.map(|sum| sum / count)
}

#[test]
fn a_tool_feels_the_flesh_that_it_presses() {
    let mut deeper = Vec::new();
    for depth in [4e-3, 8e-3] {
        let mut world = flesh().world();
        let [force, base] = press(&mut world, 0.09, depth);
        // what holds the base carries what the tool presses with
        assert!(force > 0.0 && (base / force - 1.0).abs() < 0.01, "{base} {force}");
        assert!(world.deepest_penetration() < 2e-3, "{}", world.deepest_penetration());
        deeper.push(force);
    }
    assert!(deeper[1] > 2.0 * deeper[0], "{deeper:?}");
    // and nothing once it is gone
    let mut world = flesh().world();
    press(&mut world, 0.09, 8e-3);
    world.step(&Inputs::default()).unwrap();
    assert!(world.contacts().next().is_none(), "{:?}", world.contacts().next());
}

#[test]
fn methods_agree_on_the_force_of_a_tool() {
    let by = |scene: Scene| press(&mut scene.world(), 0.09, 6e-3)[0];
    let held = by(flesh());
    let smooth = by(flesh().response(Response::Smooth));
    let euler = ImplicitEuler { step: StepChoice::Fixed(2e-3), ..ImplicitEuler::default() };
    let sprung =
        by(flesh().contact(|c| c.stiffness = Some(1e8)).integrator(IntegratorKind::ImplicitEuler(euler)));
    assert!((sprung / smooth - 1.0).abs() < 0.02, "{smooth} {sprung}");
    // held points stand up to the way of a step, 0.1 mm, off the surface: 1.5 of 6 mm in a force that goes with the depth to the power 1.5
    assert!((held / smooth - 1.0).abs() < 0.03, "{held} {smooth}");
}

#[test]
fn a_tool_that_leaps_into_a_body_pushes_it_out_gently() {
    let mut world = flesh().world();
    // at once 5 mm deep
    let tools = [tool([0.05, 0.05, 0.075], [0.0; 3])];
    let mut fastest = 0.0_f64;
    for _ in 0..3000 {
        world.step(&Inputs { tools: &tools, ..Inputs::default() }).unwrap();
        let v = &world.state().v;
        fastest = v
            .chunks_exact(3)
            .map(|v| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt())
            .fold(fastest, f64::max);
    }
    // gently: it does not burst
    assert!(fastest < 5.0, "{fastest}");
    let inside = world.contacts().map(|c| -c.gap).fold(0.0, f64::max);
    assert!(inside < 5e-4, "{inside}");
}
