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

fn spring(point: MaterialPoint, path: GrabPath, stiffness: f64) -> Grab {
    Grab { point, path, stiffness, damping: 0.0, max_force: f64::INFINITY }
}

#[test]
fn many_hands_that_wait_are_no_hands() {
    let mut world = bar(MassKind::Lumped).newmark(DT).world();
    let n = world.model().layout().free_count() as u32;
    let later = GrabPath { points: vec![(1.0, [0.3, 0.0, 0.0])], release: None };
    let grabs: Vec<Grab> =
        (0..170).map(|i| spring(MaterialPoint::node(i % n), later.clone(), 10.0)).collect();
    let inputs = Inputs { grabs: &grabs, ..Inputs::default() };
    world.static_compliance_at(&MaterialPoint::node(n - 1), &inputs).unwrap();
    world.step(&inputs).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn many_hands_pull_as_few_that_are_as_strong() {
    let end = |mass: MassKind, count: usize| {
        let newmark = Newmark { step: StepChoice::Fixed(DT), tolerance: 1e-10, ..Newmark::default() };
        let mut world = bar(mass).integrator(IntegratorKind::Newmark(newmark)).world();
        let top = patch(world.model().layout(), &|p| p[0] > 0.29);
        let now = GrabPath::held_at([0.4, 0.1, 0.2]);
        let later = GrabPath { points: vec![(3.0 * DT, [0.4, 0.1, 0.2])], release: None };
        let mut grabs: Vec<Grab> =
            (0..count).map(|_| spring(top.clone(), now.clone(), 1e4 / count as f64)).collect();
        grabs.push(spring(top, later, 1e3));
        (0..8).for_each(|_| {
            world.step(&Inputs { grabs: &grabs, ..Inputs::default() }).unwrap();
        });
        world.state().x.clone()
    };
    for mass in [MassKind::Lumped, MassKind::Consistent] {
        let off = crate::support::peak_difference(&end(mass, 5), &end(mass, 200));
        assert!(off < 1e-9, "{mass:?}: {off} m");
    }
}

#[test]
fn a_standing_bone_is_softer_than_a_hanging_one() {
    for g in [-9.81, 9.81] {
        let euler = ImplicitEuler {
            step: StepChoice::Fixed(0.02),
            solver: Some(LinearSolver::Direct),
            solve: EulerSolve::Newton { tolerance: 1e-12 },
            ..ImplicitEuler::default()
        };
        let law = LawKind::Linear(moduli(1e5, 0.3));
        let mut world = Scene::new(block([0.1, 0.1, 0.4], [1, 1, 8], BoxElement::Hex), law)
            .bone(|p| p[2] > 0.2, Joint::Free, 1500.0)
            .matter(|m| (m.mass_damping, m.stiffness_damping) = (20.0, 0.05))
            .gravity([0.0, 0.0, g])
            .hold(|p| p[2] < 1e-9)
            .integrator(IntegratorKind::ImplicitEuler(euler))
            .world();
        crate::support::run(&mut world, 300);
        let corner = MaterialPoint::node(node_at(world.model().layout(), [0.0, 0.0, 0.4]));
        let found = world.static_compliance_at(&corner, &Inputs::default()).unwrap();
        let seen = difference(&world, &corner, &[], (600, 1e-3));
        assert_near(&format!("g {g}"), columns(found.matrix), seen, 0.01);
    }
}

#[test]
fn all_of_the_load_must_act_for_a_static_compliance() {
    let scene =
        Scene::new(block([0.5, 0.1, 0.1], [5, 1, 1], BoxElement::Hex), LawKind::NeoHookean(moduli(1e5, 0.3)))
            .hold(|p| p[0] < 1e-9)
            .gravity([0.0, 0.0, -9.81]);
    let mut world = scene.statics().world();
    let corner = MaterialPoint::node(node_at(world.model().layout(), [0.5, 0.1, 0.0]));
    let hand = [spring(corner.clone(), GrabPath::held_at([0.5, 0.1, 0.0]), 1e4)];
    let inputs = Inputs { grabs: &hand, ..Inputs::default() };
    let refused = world.static_compliance_at(&corner, &inputs).unwrap_err();
    assert!(refused.what.contains("in part only"), "{refused:?}");
    while world.state().solver.load < 1.0 {
        world.step(&inputs).unwrap();
    }
    let found = world.static_compliance_at(&corner, &inputs).unwrap();
    assert!(found.matrix.0[2][2] <= 1e-4, "{found:?}");
}

#[test]
fn bodies_that_others_leave_alone_are_answered() {
    let law = LawKind::Linear(moduli(1e5, 0.3));
    let other =
        block([0.5, 0.1, 0.1], [5, 1, 1], BoxElement::Hex).transformed(|p| [p[0], p[1] + 1.0, p[2]]).unwrap();
    let mut world = Scene::new(block([0.5, 0.1, 0.1], [5, 1, 1], BoxElement::Hex), law)
        .body("other", other, law)
        .hold(|p| p[0] < 1e-9 && p[1] < 0.5)
        .newmark(DT)
        .world();
    let corner = MaterialPoint::node(node_at(world.model().layout(), [0.5, 0.1, 0.0]));
    world.static_compliance_at(&corner, &Inputs::default()).unwrap();
}

#[test]
fn hands_hold_a_body_whatever_rounding_makes_of_its_factor() {
    for cells in [[1, 1, 1], [3, 2, 2], [5, 1, 1]] {
        let mut world =
            Scene::new(block([0.5, 0.1, 0.1], cells, BoxElement::Hex), LawKind::Linear(moduli(1e3, 0.3)))
                .newmark(DT)
                .world();
        let at = |p| MaterialPoint::node(node_at(world.model().layout(), p));
        let three = [[0.0, 0.0, 0.0], [0.5, 0.0, 0.1], [0.0, 0.1, 0.1]]
            .map(|p| spring(at(p), GrabPath::held_at([0.0; 3]), 1e3));
        let corner = at([0.5, 0.1, 0.0]);
        let found = world.static_compliance_at(&corner, &Inputs { grabs: &three, ..Inputs::default() });
        assert!(found.is_ok(), "{cells:?}: {found:?}");
    }
}

#[test]
fn newtons_step_gives_way_by_the_consistent_tangent() {
    let euler = ImplicitEuler {
        step: StepChoice::Fixed(0.05),
        solver: Some(LinearSolver::Direct),
        solve: EulerSolve::Newton { tolerance: 1e-12 },
        ..ImplicitEuler::default()
    };
    let mut world =
        Scene::new(block([0.2, 0.2, 0.5], [2, 2, 5], BoxElement::Hex), LawKind::Corotated(moduli(2e4, 0.3)))
            .matter(|m| m.mass_damping = 5.0)
            .gravity([0.0, 0.0, -9.81])
            .hold(|p| p[2] < 1e-9)
            .integrator(IntegratorKind::ImplicitEuler(euler))
            .world();
    crate::support::run(&mut world, 100);
    let point = MaterialPoint::node(node_at(world.model().layout(), [0.0, 0.0, 0.5]));
    let found = world.compliance_at(&point, &Inputs::default()).unwrap();
    assert_near("newton", columns(found.matrix), difference(&world, &point, &[], (1, 1e-3)), 1e-3);
}

#[test]
fn steel_on_foam_has_a_compliance() {
    use pliant_solid::assembly::InitialFields;
    use pliant_solid::{Cells, Material, Matter, Region, Solid};
    let mesh = block([0.1, 0.1, 0.4], [2, 2, 8], BoxElement::Hex);
    let (low, high): (Vec<u32>, Vec<u32>) =
        (0..mesh.cell_count() as u32).partition(|c| mesh.cell_centroid(*c as usize)[2] < 0.2);
    let region = |cells, young| Region {
        cells: Cells::Listed(cells),
        material: Material::new(1000.0, LawKind::Linear(moduli(young, 0.0))),
    };
    let regions = vec![region(low, 1e3), region(high, 2e11)];
    let matter =
        Matter::Elements(Solid { regions, initial: InitialFields::default(), mass: MassKind::Lumped });
    let mut world = Scene::new(mesh, LawKind::Linear(moduli(1.0, 0.0)))
        .matter(move |m| m.finished = Some(matter.clone()))
        .hold(|p| p[2] < 1e-9)
        .newmark(1.0)
        .world();
    let top = patch(world.model().layout(), &|p| p[2] > 0.39);
    world.compliance_at(&top, &Inputs::default()).unwrap();
    world.static_compliance_at(&top, &Inputs::default()).unwrap();
}
