//! How points give way, against what a small force changes in runs that are otherwise the same.

use pliant_geometry::{BoxElement, MaterialPoint};
use pliant_solid::integrator::{
    EulerSolve, ImplicitEuler, Inputs, IntegratorKind, Ladder, Lengths, LinearSolver, Newmark, StepChoice,
};
use pliant_solid::law::LawKind;
use pliant_solid::rigid::Joint;
use pliant_solid::term::{Grab, GrabPath};
use pliant_solid::{MassKind, World};

use super::hands::patch;
use crate::support::meshes::{block, cube_with_hanging_nodes};
use crate::support::{Scene, moduli, node_at};

const DT: f64 = 2e-3;

/// A hand that pulls with a force that does not depend on where its point is.
fn constant(point: &MaterialPoint, force: [f64; 3]) -> Grab {
    let stiffness = 1e-7;
    let path = GrabPath::held_at(force.map(|f| f / stiffness));
    Grab { point: point.clone(), path, stiffness, damping: 0.0, max_force: f64::INFINITY }
}

/// What a force changes in the place of a point after some steps, over the force.
fn difference(
    world: &World,
    point: &MaterialPoint,
    hands: &[Grab],
    (steps, force): (usize, f64),
) -> [[f64; 3]; 3] {
    let places: Vec<[f64; 3]> = [None, Some(0), Some(1), Some(2)]
        .into_iter()
        .map(|axis: Option<usize>| {
            let mut own =
                World::new(world.model().clone(), world.scheme().clone(), Default::default()).unwrap();
            own.restore(world.state().clone()).unwrap();
            let mut grabs = hands.to_vec();
            if let Some(axis) = axis {
                grabs.push(constant(point, std::array::from_fn(|c| if c == axis { force } else { 0.0 })));
            }
            for _ in 0..steps {
                own.step(&Inputs { grabs: &grabs, ..Inputs::default() }).unwrap();
            }
            point.mean(&own.model().full_state(own.state()).x)
        })
        .collect();
    std::array::from_fn(|axis| std::array::from_fn(|c| (places[axis + 1][c] - places[0][c]) / force))
}

fn assert_near(what: &str, found: [[f64; 3]; 3], columns: [[f64; 3]; 3], tolerance: f64) {
    let largest = columns.iter().flatten().fold(0.0_f64, |most, c| most.max(c.abs()));
    let off = (0..9).map(|i| (found[i / 3][i % 3] - columns[i / 3][i % 3]).abs()).fold(0.0, f64::max);
    assert!(off <= tolerance * largest, "{what}: {off} of {largest}\n{found:?}\n{columns:?}");
    assert!(largest > 0.0, "{what}");
}

fn columns(matrix: pliant_numerics::Mat3<f64>) -> [[f64; 3]; 3] {
    [0, 1, 2].map(|c| matrix.column(c))
}

/// One step's compliance against a step with a force; the law is linear, so that this is exact.
fn check_step(what: &str, scene: Scene, integrator: IntegratorKind, steps: usize) {
    let mut world = scene.integrator(integrator).world();
    let point = patch(world.model().layout(), &|p| p[0] > 0.39);
    let hand = Grab {
        point: patch(world.model().layout(), &|p| p[0] > 0.29 && p[0] < 0.31),
        path: GrabPath::held_at([0.3, 0.0, 0.1]),
        stiffness: if steps == 1 { 300.0 } else { 0.0 },
        damping: 0.0,
        max_force: f64::INFINITY,
    };
    let hands = [hand];
    let inputs = Inputs { grabs: &hands, ..Inputs::default() };
    (0..3).for_each(|_| {
        world.step(&inputs).unwrap();
    });
    let before = world.state().clone();
    let found = world.compliance_at(&point, &inputs).unwrap();
    assert!(*world.state() == before && (found.dt - DT).abs() < 1e-15, "{what}: {}", found.dt);
    let seen = difference(&world, &point, &hands, (steps, 10.0));
    assert_near(what, columns(found.matrix), seen, 1e-6);
}

fn bar(mass: MassKind) -> Scene {
    Scene::new(block([0.5, 0.1, 0.1], [5, 1, 1], BoxElement::Hex), LawKind::Linear(moduli(1e5, 0.3)))
        .hold(|p| p[0] < 1e-9)
        .velocity(|p| [0.0, 0.0, p[0]])
        .matter(move |m| (m.mass, m.mass_damping, m.stiffness_damping) = (mass, 3.0, 1e-3))
}

#[test]
fn a_force_moves_its_point_in_a_step_by_the_steps_compliance() {
    let fixed = StepChoice::Fixed(DT);
    for mass in [MassKind::Lumped, MassKind::Consistent] {
        let newmark =
            IntegratorKind::Newmark(Newmark { step: fixed, tolerance: 1e-12, ..Newmark::default() });
        check_step(&format!("newmark, {mass:?}"), bar(mass), newmark, 1);
        for solver in [LinearSolver::Direct, LinearSolver::Gradients] {
            let euler = ImplicitEuler {
                step: fixed,
                solver: Some(solver),
                solve: EulerSolve::Linearised { tolerance: 1e-12 },
                ..ImplicitEuler::default()
            };
            check_step(
                &format!("euler {solver:?}, {mass:?}"),
                bar(mass),
                IntegratorKind::ImplicitEuler(euler),
                1,
            );
        }
    }
    // forces of explicit steps move nodes in the next one; dampers of elements lag by half a step there and are none of (2)
    let undamped = |mass| bar(mass).matter(|m| m.stiffness_damping = 0.0);
    let step = StepChoice::Fixed(DT);
    let explicit = IntegratorKind::Explicit(pliant_solid::integrator::Explicit { step });
    check_step("explicit", undamped(MassKind::Lumped), explicit, 2);
    let ladder = IntegratorKind::Ladder(Ladder { step, lengths: Lengths::Halved });
    check_step("ladder", undamped(MassKind::Consistent), ladder.clone(), 2);
    check_step("damped ladder", bar(MassKind::Consistent), ladder, 2);
}

/// A bent bar under its weight: the change of its rest shape by a small force.
fn check_static(what: &str, scene: Scene, point: impl Fn(&World) -> MaterialPoint) {
    let mut world = scene.statics().world();
    (0..400).for_each(|_| {
        world.step(&Inputs::default()).unwrap();
    });
    let point = point(&world);
    let found = world.static_compliance_at(&point, &Inputs::default()).unwrap();
    assert_eq!(found.dt, f64::INFINITY);
    let seen = difference(&world, &point, &[], (60, 2e-3));
    assert_near(what, columns(found.matrix), seen, 2e-3);
}

#[test]
fn a_force_moves_a_rest_shape_by_the_static_compliance() {
    for (name, law) in crate::support::laws(1e5, 0.3).into_iter().filter(|(name, _)| *name != "linear") {
        let scene = Scene::new(block([0.5, 0.1, 0.1], [5, 1, 1], BoxElement::Hex), law)
            .hold(|p| p[0] < 1e-9)
            .gravity([0.0, 0.0, -9.81]);
        check_static(name, scene, |world| patch(world.model().layout(), &|p| p[0] > 0.49));
    }
    // a hanging node stands for its masters
    let (mesh, hanging) = cube_with_hanging_nodes();
    let node = hanging[0].0;
    let scene =
        Scene::new(mesh, LawKind::NeoHookean(moduli(1e5, 0.3))).hanging(hanging).hold(|p| p[2] < 1e-9);
    check_static("hanging", scene, |world| {
        MaterialPoint::node(world.model().layout().bodies()[0].world[node as usize])
    });
}

#[test]
fn a_bone_gives_way_as_a_whole() {
    let scene = || {
        Scene::new(block([0.5, 0.1, 0.1], [5, 1, 1], BoxElement::Hex), LawKind::Linear(moduli(1e5, 0.3)))
            .bone(|p| p[0] > 0.3, Joint::Free, 1500.0)
            .hold(|p| p[0] < 1e-9)
    };
    let euler = ImplicitEuler {
        step: StepChoice::Fixed(DT),
        solver: Some(LinearSolver::Direct),
        solve: EulerSolve::Newton { tolerance: 1e-12 },
        ..ImplicitEuler::default()
    };
    let explicit = pliant_solid::integrator::Explicit { step: StepChoice::Fixed(DT / 4.0) };
    for (integrator, steps) in
        [(IntegratorKind::ImplicitEuler(euler), 1), (IntegratorKind::Explicit(explicit), 2)]
    {
        let mut world = scene().integrator(integrator.clone()).world();
        let corner = MaterialPoint::node(node_at(world.model().layout(), [0.5, 0.1, 0.0]));
        let found = world.compliance_at(&corner, &Inputs::default()).unwrap();
        let seen = difference(&world, &corner, &[], (steps, 0.1));
        assert_near(&format!("{integrator:?}"), columns(found.matrix), seen, 1e-4);
        // a force at a corner turns the bone as well
        assert!(seen[1][1] > 1.2 * seen[0][0], "{seen:?}");
    }
}

#[test]
fn what_nothing_holds_has_no_static_compliance() {
    let free =
        Scene::new(block([0.5, 0.1, 0.1], [5, 1, 1], BoxElement::Hex), LawKind::Linear(moduli(1e5, 0.3)));
    let mut world = free.newmark(DT).world();
    let point = MaterialPoint::node(0);
    let refused = world.static_compliance_at(&point, &Inputs::default()).unwrap_err();
    assert!(refused.what.contains("nothing holds its body"), "{refused:?}");
    // in a step it has one
    assert!(world.compliance_at(&point, &Inputs::default()).unwrap().matrix.trace() > 0.0);
    // and a hand that holds it all over is enough
    let all = patch(world.model().layout(), &|_| true);
    let corner = |x: f64, y: f64, z: f64| MaterialPoint::node(node_at(world.model().layout(), [x, y, z]));
    let hold = |point: MaterialPoint| Grab {
        point,
        path: GrabPath::held_at([0.0; 3]),
        stiffness: 1e3,
        damping: 0.0,
        max_force: f64::INFINITY,
    };
    let three = [corner(0.0, 0.0, 0.0), corner(0.5, 0.0, 0.1), corner(0.0, 0.1, 0.1)].map(hold);
    let inputs = Inputs { grabs: &three, ..Inputs::default() };
    let found = world.static_compliance_at(&all, &inputs).unwrap();
    // three springs side by side carry it: at least as soft as these
    assert!(found.matrix.0[0][0] >= 1.0 / 3e3 * 0.999 && found.matrix.0[0][0] < 1e-2, "{found:?}");
}
