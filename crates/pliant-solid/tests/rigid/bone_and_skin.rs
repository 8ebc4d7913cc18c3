//! A rigid core in soft matter: the skin follows, and pulls back.

use pliant_solid::World;
use pliant_solid::integrator::IntegratorKind;
use pliant_solid::rigid::Joint;

use super::support::{Scene, Vec3, run};
use super::{block, corotated, cross, distance, euler, explicit, momenta, node};

const SIZE: Vec3 = [0.2, 0.2, 0.3];

fn inner(p: Vec3) -> bool {
    (0..3).all(|c| p[c] > 0.05 && p[c] < SIZE[c] - 0.05)
}

/// A heavy core in a block that flies and spins.
fn flying(integrator: IntegratorKind) -> World {
    let spin = [3.0, -2.0, 5.0];
    Scene::new(block(SIZE, [4, 4, 6]), corotated(2e4))
        .bone(inner, Joint::Free, 3000.0)
        .velocity(move |p| {
            let spun = cross(spin, std::array::from_fn(|c| p[c] - 0.5 * SIZE[c]));
            // the skin shivers
            std::array::from_fn(|c| spun[c] + [0.5, 0.0, 0.2][c] + 0.3 * (40.0 * p[(c + 1) % 3]).sin())
        })
        .integrator(integrator)
        .world()
}

/// Density times volume, bone and skin.
#[test]
fn its_mass_is_that_of_bone_and_skin() {
    let world = flying(explicit(1e-4));
    let core = 0.1 * 0.1 * 0.2;
    let whole: f64 = SIZE.iter().product();
    let mass: f64 = world.model().mass().iter().sum();
    assert!((mass - 1000.0 * (whole - core) - 3000.0 * core).abs() < 1e-12, "{mass}");
    assert!(world.model().mass().iter().all(|m| *m > 0.0));
}

#[test]
fn together_they_keep_their_momenta() {
    for (name, method, steps) in [("explicit", explicit(2e-4), 2000), ("implicit Euler", euler(0.01), 300)] {
        let mut world = flying(method);
        let [p, l] = momenta(&world);
        run(&mut world, steps);
        let [p1, l1] = momenta(&world);
        assert!(distance(p, p1) < 1e-10 * distance(p, [0.0; 3]), "{name}: {p:?} {p1:?}");
        assert!(distance(l, l1) < 1e-10 * distance(l, [0.0; 3]), "{name}: {l:?} {l1:?}");
    }
}

#[test]
fn explicit_steps_keep_the_energy_of_both() {
    let mut world = flying(explicit(1e-4));
    let start = world.energy();
    let mut worst = 0.0_f64;
    for _ in 0..3000 {
        run(&mut world, 1);
        worst = worst.max((world.energy().total() - start.total()).abs() / start.kinetic);
    }
    assert!(worst < 2e-3, "{worst:.1e}");
}

/// Two rulers of the same motion: a core of stiff elements follows the rigid one as it gets stiffer.
#[test]
fn a_stiff_core_moves_as_a_bone() {
    let bar = |rigid: bool| {
        let held = |p: Vec3| p[2] < 1e-9;
        let core = |p: Vec3| p[2] > 0.3;
        let scene = Scene::new(block([0.1, 0.1, 0.6], [2, 2, 12]), corotated(1e5));
        let scene = if rigid { scene.bone(core, Joint::Free, 1000.0) } else { scene };
        let mut world = scene.hold(held).gravity([-9.81, 0.0, 0.0]).integrator(euler(1e-3)).world();
        run(&mut world, 150);
        world
    };
    let tip = |world: &World| node(world, 12 * 9 + 4);
    // the upper half of a soft bar bends itself; a bone does not
    let (bone, soft) = (tip(&bar(true)), tip(&bar(false)));
    assert!((bone[0] - soft[0]).abs() < 0.2 * (soft[0] - 0.05).abs(), "{bone:?} {soft:?}");
    let corners = [12 * 9, 12 * 9 + 2, 7 * 9, 7 * 9 + 8];
    let world = bar(true);
    let (a, b) = (
        corners.map(|n| node(&world, n)),
        corners.map(|n| world.model().layout().bodies()[0].mesh.positions()[n]),
    );
    for (i, j) in [(0, 1), (0, 2), (1, 3), (2, 3)] {
        assert!((distance(a[i], a[j]) - distance(b[i], b[j])).abs() < 1e-12);
    }
}

/// A bone that a fix carries takes its skin along: in the end all have turned.
#[test]
fn a_carried_bone_takes_its_skin_along() {
    use pliant_solid::{Motion, Turn};
    let turn = Turn { axis: [0.0, 0.0, 1.0], angle: 1.0, center: [0.1, 0.1, 0.0] };
    for (name, method, steps) in [("explicit", explicit(4e-4), 8000), ("implicit Euler", euler(0.02), 160)] {
        let masters = |p: Vec3| (0..3).all(|c| (p[c] - 0.5 * SIZE[c]).abs() < 0.07) && !on_grid(p);
        let mut world = Scene::new(block(SIZE, [4, 4, 6]), corotated(2e4))
            .matter(|m| m.mass_damping = 8.0)
            .bone(inner, Joint::Free, 3000.0)
            .carry(masters, Motion::Carry { shift: [0.0, 0.0, 0.1], turn: Some(turn), over: 1.0 })
            .integrator(method)
            .world();
        assert_eq!(world.model().fixes()[0].nodes.len(), 4, "the masters and no other node");
        run(&mut world, steps);
        let (sin, cos) = 1.0_f64.sin_cos();
        for n in [0, 24, 90, 130] {
            let at = world.model().layout().bodies()[0].mesh.positions()[n];
            let (x, y) = (at[0] - 0.1, at[1] - 0.1);
            let there = [0.1 + cos * x - sin * y, 0.1 + sin * x + cos * y, at[2] + 0.1];
            assert!(distance(node(&world, n), there) < 1e-4, "{name}, {n}: {:?} {there:?}", node(&world, n));
        }
    }
}

/// Whether a place is that of a node of the mesh.
fn on_grid(p: Vec3) -> bool {
    p.iter().all(|c| (c / 0.05 - (c / 0.05).round()).abs() < 1e-9)
}
