//! After warm-up a step allocates nothing, in any thread of its pool.
#![allow(clippy::unwrap_used, missing_docs)]

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use pliant_geometry::BoxElement;
use pliant_numerics::BlockMatrix;
use pliant_solid::integrator::{
    Course, ImplicitEuler, Inputs, IntegratorKind, Ladder, Lengths, Statics, StepChoice,
};
use pliant_solid::law::{LawKind, RotationField, Rotations, Warp};
use pliant_solid::rigid::Joint;
use pliant_solid::term::{Coeffs, Grab, GrabPath, LoadHistory, LoadScript, NodalForce, Pressure, Scatter};
use pliant_solid::{FullState, MassKind, Motion, World};
use support::meshes::{block, cube_with_hanging_nodes};
use support::{Scene, moduli, node_at, placed};

/// Counts what watched threads ask for.
struct Counting;

static COUNT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static WATCHED: Cell<bool> = const { Cell::new(false) };
}

fn count() {
    // a thread that is ending has no flag any more
    if WATCHED.try_with(Cell::get).unwrap_or(false) {
        COUNT.fetch_add(1, Ordering::Relaxed);
    }
}

// SAFETY: hands everything to the system's allocator; counting neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's contract is the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test at a time watches, so that none counts another's.
static TURN: Mutex<()> = Mutex::new(());

/// Allocations of `steps` steps after `warm_up` steps, in a pool of two threads, and how often the
/// stability limit was renewed meanwhile.
fn allocations(mut world: World, inputs: &Inputs, warm_up: usize, steps: usize) -> (usize, usize) {
    let _turn = TURN.lock();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.install(|| {
        for _ in 0..warm_up {
            world.step(inputs).unwrap();
        }
        pool.broadcast(|_| WATCHED.set(true));
        let before = COUNT.load(Ordering::Relaxed);
        let renewals = (0..steps).filter(|_| world.step(inputs).unwrap().renewed).count();
        let after = COUNT.load(Ordering::Relaxed);
        pool.broadcast(|_| WATCHED.set(false));
        (after - before, renewals)
    })
}

fn soft() -> LawKind {
    LawKind::StVenant(moduli(1e5, 0.3))
}

/// 10 x 10 x 24 cells: several partitions of both element kinds and several chunks of nodes.
fn large(element: BoxElement) -> Scene {
    Scene::new(block([0.1, 0.1, 0.24], [10, 10, 24], element), soft())
        .gravity([0.0, 0.0, -9.81])
        .hold(|p| p[2] < 1e-9)
        .velocity(|p| [p[2], 0.0, -p[0]])
}

#[test]
fn the_counter_counts() {
    let _turn = TURN.lock();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let seen = pool.install(|| {
        WATCHED.set(true);
        let before = COUNT.load(Ordering::Relaxed);
        let values = std::hint::black_box(vec![1.0_f64; 100]);
        let after = COUNT.load(Ordering::Relaxed);
        WATCHED.set(false);
        drop(values);
        after - before
    });
    assert!(seen >= 1);
}

#[test]
fn a_fixed_step_allocates_nothing() {
    for element in [BoxElement::Tet5, BoxElement::Hex] {
        let (count, _) = allocations(large(element).dt(1e-5).world(), &Inputs::default(), 20, 200);
        assert_eq!(count, 0, "{element:?}");
        let warped = LawKind::Warped(moduli(1e5, 0.3), Warp::default());
        let scene = large(element).matter(move |m| m.law = warped).auto(0.9);
        let (count, _) = allocations(scene.world(), &Inputs::default(), 20, 50);
        assert_eq!(count, 0, "{element:?}, warped");
    }
}

#[test]
fn an_automatic_step_allocates_nothing_when_the_limit_is_renewed_either() {
    let world = large(BoxElement::Tet5).auto(0.9).matter(|m| m.stiffness_damping = 1e-5).world();
    let (count, renewals) = allocations(world, &Inputs::default(), 20, 600);
    assert!(renewals >= 2, "{renewals} renewals were watched");
    assert_eq!(count, 0);
}

#[test]
fn loads_moving_fixes_and_hands_allocate_nothing() {
    let varying = || LoadScript::Table(vec![(0.0, 0.0), (0.01, 1.0), (1.0, 0.5)]);
    let scene = large(BoxElement::Tet5)
        .matter(|m| m.mass_damping = 0.5)
        .carry(|p| p[2] > 0.2399, Motion::Sine { amplitude: [1e-3, 0.0, 0.0], omega: 20.0, phase: 0.0 })
        .term(move |layout| NodalForce {
            forces: vec![(node_at(layout, [0.1, 0.1, 0.12]), [0.1, 0.0, 0.0])],
            history: LoadHistory { script: varying(), ..LoadHistory::default() },
        })
        .term(move |layout| {
            let face = [[0.0, 0.0, 0.12], [0.0, 0.01, 0.12], [0.0, 0.0, 0.13]].map(|p| node_at(layout, p));
            let (faces, history) =
                (vec![pliant_geometry::FaceNodes::Triangle(face)], LoadHistory::growing(0.1));
            Pressure { faces, pressure: 100.0, history }
        })
        .dt(1e-5);
    let world = scene.world();
    let layout = world.model().layout();
    let hands = [Grab {
        point: [(node_at(layout, [0.1, 0.05, 0.1]), 0.5), (node_at(layout, [0.1, 0.06, 0.1]), 0.5)].into(),
        path: GrabPath::held_at([0.12, 0.05, 0.1]),
        stiffness: 10.0,
        damping: 0.1,
        max_force: 1.0,
    }];
    let pins = [node_at(layout, [0.0, 0.0, 0.1])];
    let inputs = Inputs { grabs: &hands, pins: &pins, ..Inputs::default() };
    assert_eq!(allocations(world, &inputs, 20, 100).0, 0);
}

#[test]
fn contacts_that_come_and_go_allocate_nothing() {
    let floor = pliant_solid::contact::Collider {
        name: "floor".into(),
        shape: pliant_solid::contact::ColliderShape::Plane,
        axes: pliant_numerics::Mat3::identity(),
        origin: [0.0, 0.0, -2e-3],
        carrier: pliant_solid::contact::Carrier::Script(Motion::Still),
        friction: 0.3,
        thickness: 0.0,
        restitution: None,
        stiffness: None,
    };
    let falling = Scene::new(block([0.1, 0.1, 0.1], [10, 10, 10], BoxElement::Tet5), soft())
        .collider(floor)
        .velocity(|_| [0.3, 0.0, -1.0])
        .dt(2e-5);
    assert_eq!(allocations(falling.world(), &Inputs::default(), 20, 200).0, 0);
    let mut world = falling.world();
    support::run(&mut world, 220);
    assert!(world.state().contacts.touches().len() > 10, "it has come down");
}

#[test]
fn hanging_nodes_allocate_nothing() {
    let (mesh, hanging) = cube_with_hanging_nodes();
    let world = Scene::new(mesh, soft()).hanging(hanging).velocity(|p| [p[1], -p[0], 0.0]).world();
    assert_eq!(allocations(world, &Inputs::default(), 20, 100).0, 0);
}

#[test]
fn bones_allocate_nothing() {
    let step = StepChoice::Fixed(1e-3);
    let euler = IntegratorKind::ImplicitEuler(ImplicitEuler { step, ..ImplicitEuler::default() });
    for joint in [Joint::Free, Joint::Hinge { point: [0.05, 0.05, 0.0], axis: [0.0, 1.0, 0.0] }] {
        let core = |p: [f64; 3]| p[2] < 0.15 && (p[0] - 0.05).hypot(p[1] - 0.05) < 0.03;
        let scene = || {
            let body = Scene::new(block([0.1, 0.1, 0.24], [5, 5, 12], BoxElement::Tet5), soft());
            body.bone(core, joint, 2000.0).gravity([1.0, 0.0, -9.81])
        };
        assert_eq!(allocations(scene().dt(1e-4).world(), &Inputs::default(), 3, 20).0, 0, "explicit");
        let world = scene().integrator(euler.clone()).world();
        let hands = [patch_hand(&world)];
        let inputs = Inputs { grabs: &hands, ..Inputs::default() };
        assert_eq!(allocations(world, &inputs, 3, 5).0, 0, "implicit Euler and a hand");
    }
}

#[test]
fn steps_that_solve_equations_allocate_nothing() {
    for element in [BoxElement::Tet5, BoxElement::Hex] {
        let scene = large(element).matter(|m| (m.mass_damping, m.stiffness_damping) = (0.5, 1e-4));
        let (count, _) = allocations(scene.newmark(1e-3).world(), &Inputs::default(), 2, 3);
        assert_eq!(count, 0, "{element:?}");
    }
    let step = StepChoice::Fixed(1e-3);
    let euler = IntegratorKind::ImplicitEuler(ImplicitEuler { step, ..ImplicitEuler::default() });
    let scene = large(BoxElement::Tet5).integrator(euler.clone());
    let (count, _) = allocations(scene.world(), &Inputs::default(), 2, 3);
    assert_eq!(count, 0, "implicit Euler");
    let world = large(BoxElement::Hex).integrator(euler).world();
    let hands = [patch_hand(&world), patch_hand(&world)];
    let inputs = Inputs { grabs: &hands, ..Inputs::default() };
    assert_eq!(allocations(world, &inputs, 1, 2).0, 0, "implicit Euler and hands");
    let (mesh, hanging) = cube_with_hanging_nodes();
    let scene = Scene::new(mesh, soft()).hanging(hanging).gravity([0.0, 0.0, -9.81]).hold(|p| p[2] < 1e-9);
    let (count, _) = allocations(scene.newmark(1e-3).world(), &Inputs::default(), 2, 20);
    assert_eq!(count, 0, "hanging nodes");
}

/// A patch of dozens of nodes, pulled aside.
fn patch_hand(world: &World) -> Grab {
    let nodes = support::nodes_in(world.model().layout(), &|p| p[0] > 0.0999);
    let weight = 1.0 / nodes.len() as f64;
    Grab {
        point: nodes.into_iter().map(|n| (n, weight)).collect(),
        path: GrabPath::held_at([0.12, 0.05, 0.13]),
        stiffness: 100.0,
        damping: 0.1,
        max_force: 1.0,
    }
}

#[test]
fn live_hands_in_implicit_steps_allocate_nothing() {
    let world = large(BoxElement::Hex).newmark(1e-3).world();
    let hands = [patch_hand(&world), patch_hand(&world)];
    let inputs = Inputs { grabs: &hands, ..Inputs::default() };
    assert_eq!(allocations(world, &inputs, 1, 2).0, 0, "newmark");
    // two steps bring up the load, the others are of a body at rest
    let step = StepChoice::Fixed(0.5);
    let statics = Statics { course: Course::Resting, duration: 1.0, step, tolerance: 1e-10 };
    let scene = Scene::new(block([0.1, 0.1, 0.24], [4, 4, 8], BoxElement::Tet5), soft());
    let scene = scene.gravity([0.0, 0.0, -9.81]).hold(|p| p[2] < 1e-9);
    let world = scene.integrator(IntegratorKind::Statics(statics)).world();
    let hands = [patch_hand(&world), patch_hand(&world)];
    let inputs = Inputs { grabs: &hands, ..Inputs::default() };
    assert_eq!(allocations(world, &inputs, 3, 2).0, 0, "at rest");
}

#[test]
fn fields_of_chosen_cells_allocate_nothing() {
    let _turn = TURN.lock();
    let model = large(BoxElement::Tet5).model();
    let mut chosen = model.choose_cells(|_, cell| cell % 3 == 0);
    let full = model.full_state(&model.initial_state());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.install(|| {
        model.chosen_fields(&full, &mut chosen);
        pool.broadcast(|_| WATCHED.set(true));
        let before = COUNT.load(Ordering::Relaxed);
        (0..20).for_each(|_| _ = model.chosen_fields(&full, &mut chosen));
        let after = COUNT.load(Ordering::Relaxed);
        pool.broadcast(|_| WATCHED.set(false));
        assert_eq!(after - before, 0);
    });
}

#[test]
fn warped_bodies_allocate_nothing() {
    let _turn = TURN.lock();
    for rotations in [Rotations::Node, Rotations::Body, Rotations::Mixed] {
        for field in [RotationField::Polar, RotationField::Frames] {
            let law = LawKind::Warped(moduli(1e5, 0.3), Warp { field, rotations });
            let mesh = block([0.1, 0.1, 0.24], [6, 6, 14], BoxElement::Hex);
            let model = Scene::new(mesh, law).matter(|m| m.stiffness_damping = 1e-4).model();
            let term = &model.terms()[0];
            let mut scratch = term.new_scratch();
            let mut matrix = BlockMatrix::zero(model.structure().all().clone());
            let mut force = vec![0.0; 3 * model.layout().node_count()];
            let states = [0.1, 0.2].map(|by| placed(&model, |p| [p[0], p[1] + by * p[0] * p[2], p[2]]));
            let c = Coeffs { k: 1.0, d: 10.0 };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
            let mut evaluate = |full: &FullState| {
                let mut out = Scatter::new(&mut force, &mut scratch);
                term.force_add(&full.at(), &mut out);
                term.tangent_apply_add(&full.at(), c, &full.x, &mut out);
                term.tangent_add(&full.at(), c, &mut matrix, &mut scratch);
            };
            let count = pool.install(|| {
                states.iter().for_each(&mut evaluate);
                pool.broadcast(|_| WATCHED.set(true));
                let before = COUNT.load(Ordering::Relaxed);
                (0..20).for_each(|i| evaluate(&states[i % 2]));
                let after = COUNT.load(Ordering::Relaxed);
                pool.broadcast(|_| WATCHED.set(false));
                after - before
            });
            assert_eq!(count, 0, "{rotations:?} {field:?}");
        }
    }
}

#[test]
fn load_steps_allocate_nothing() {
    let step = StepChoice::Fixed(0.1);
    let statics = Statics { course: Course::Resting, duration: 1.0, step, tolerance: 1e-10 };
    let scene = large(BoxElement::Tet5).integrator(IntegratorKind::Statics(statics));
    let (count, _) = allocations(scene.world(), &Inputs::default(), 2, 3);
    assert_eq!(count, 0);
}

#[test]
fn full_mass_and_damping_allocate_nothing() {
    let auto =
        IntegratorKind::Ladder(Ladder { step: StepChoice::Auto { safety: 0.9 }, lengths: Lengths::Any });
    for beta in [0.0, 1e-4] {
        let scene = Scene::new(block([0.1, 0.1, 0.2], [6, 6, 12], BoxElement::Hex), soft())
            .gravity([0.0, 0.0, -9.81])
            .hold(|p| p[2] < 1e-9)
            .carry(|p| p[2] > 0.199, Motion::Sine { amplitude: [0.01, 0.0, 0.0], omega: 90.0, phase: 0.0 })
            .velocity(|p| [p[2], 0.0, -p[0]])
            .matter(move |m| (m.mass, m.stiffness_damping) = (MassKind::Consistent, beta))
            .integrator(auto.clone());
        // a thread's first factor makes room for itself: the damping matrix is renewed in the warm-up, too
        let (count, renewals) = allocations(scene.world(), &Inputs::default(), 300, 300);
        assert!(renewals >= 1, "{renewals} renewals were watched");
        assert_eq!(count, 0, "beta {beta}");
    }
}

#[test]
fn steps_of_networks_allocate_nothing() {
    use pliant_solid::{Cloth, NetworkLaw, SpringDamping, SpringStiffness, Weave};
    let weave = Weave { stiffness: SpringStiffness::Each(100.0), damping: SpringDamping::Relaxation(1e-3) };
    let grid = pliant_geometry::Grid { size: [0.6, 0.6], cells: [60, 60] };
    let mesh = grid.mesh().unwrap();
    let wall = || pliant_solid::contact::Collider {
        origin: [0.0, 0.0, -0.02],
        ..pliant_solid::contact::Collider::new("floor", pliant_solid::contact::ColliderShape::Plane)
    };
    for law in [NetworkLaw::Springs, NetworkLaw::Linear, NetworkLaw::Warped(Warp::default())] {
        let cloth = Cloth { grid, weave, angle: 2e-3, bend: 1e-3, mass: 0.1 };
        let network = pliant_solid::Network { law, ..cloth.network(&mesh) };
        let matter = pliant_solid::Matter::of_network(network, &mesh);
        let scene = || {
            let of_cloth = matter.clone();
            Scene::new(mesh.clone(), soft())
                .matter(move |m| m.finished = Some(of_cloth.clone()))
                .gravity([0.0, 0.0, -9.81])
                .hold(|p| p[0] < 1e-9)
                .collider(wall())
        };
        assert_eq!(allocations(scene().auto(0.9).world(), &Inputs::default(), 20, 100).0, 0, "{law:?}");
        let euler = ImplicitEuler { step: StepChoice::Fixed(2e-3), ..ImplicitEuler::default() };
        let world = scene().integrator(IntegratorKind::ImplicitEuler(euler)).world();
        assert_eq!(allocations(world, &Inputs::default(), 3, 10).0, 0, "{law:?}, implicit");
    }
}

#[test]
fn lumped_rows_keep_their_memory() {
    use pliant_numerics::Mat3;
    use pliant_solid::rows::{LumpedRows, RowGroup, Rows};
    let _turn = TURN.lock();
    let mut rows = Rows::default();
    for n in 0..60 {
        rows.add(RowGroup::exact(1, [0.1, 0.0, 0.0]).one_sided(), |add| {
            add(n, Mat3::identity());
            add(n + 1, Mat3::diagonal(-1.0));
        });
    }
    let (mut lumped, mut x) = (LumpedRows::default(), vec![0.0; 183]);
    let mut impose = || {
        x.fill(0.0);
        lumped.impose(&rows, |_| 1.0, &mut x);
    };
    (0..3).for_each(|_| impose());
    WATCHED.set(true);
    let before = COUNT.load(Ordering::Relaxed);
    impose();
    let after = COUNT.load(Ordering::Relaxed);
    WATCHED.set(false);
    assert_eq!(after - before, 0);
}
