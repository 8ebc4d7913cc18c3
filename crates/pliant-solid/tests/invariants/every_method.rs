//! What every way to advance time must satisfy. A new method is a line in `METHODS`.

use pliant_geometry::BoxElement;
use pliant_numerics::parallel;
use pliant_solid::integrator::{
    Course, EulerSolve, Explicit, ImplicitEuler, Inputs, IntegratorKind, Ladder, Lengths, Newmark, Statics,
    StepChoice,
};
use pliant_solid::law::LawKind;
use pliant_solid::term::{LoadHistory, NodalForce};
use pliant_solid::{Layout, MassKind, State, World};

use super::bytes;
use super::support::meshes::block;
use super::support::{Scene, moduli, node_at, run};

/// A method with what it promises.
struct Tested {
    name: &'static str,
    with_step: fn(f64) -> IntegratorKind,
    mass: MassKind,
    /// Of its error in dt; `None` where no time passes.
    order: Option<f64>,
    /// How much of a free body's momentum may go, as a part of it.
    momentum: f64,
    /// Whether it only ever takes energy.
    dissipative: bool,
}

fn explicit(dt: f64) -> IntegratorKind {
    IntegratorKind::Explicit(Explicit { step: StepChoice::Fixed(dt) })
}

fn ladder(dt: f64) -> IntegratorKind {
    IntegratorKind::Ladder(Ladder { step: StepChoice::Fixed(dt), lengths: Lengths::default() })
}

fn newmark(dt: f64) -> IntegratorKind {
    IntegratorKind::Newmark(Newmark { step: StepChoice::Fixed(dt), tolerance: 1e-12, ..Newmark::default() })
}

fn damped_newmark(dt: f64) -> IntegratorKind {
    let (beta, gamma) = (0.3025, 0.6);
    IntegratorKind::Newmark(Newmark { step: StepChoice::Fixed(dt), tolerance: 1e-12, beta, gamma })
}

fn euler(dt: f64, solve: EulerSolve) -> IntegratorKind {
    let step = StepChoice::Fixed(dt);
    IntegratorKind::ImplicitEuler(ImplicitEuler { step, solve, ..ImplicitEuler::default() })
}

fn euler_once(dt: f64) -> IntegratorKind {
    euler(dt, EulerSolve::Linearised { tolerance: 1e-10 })
}

fn euler_newton(dt: f64) -> IntegratorKind {
    euler(dt, EulerSolve::Newton { tolerance: 1e-10 })
}

fn quasistatic(dt: f64) -> IntegratorKind {
    let step = StepChoice::Fixed(dt);
    IntegratorKind::Statics(Statics { course: Course::History, duration: 1.0, step, tolerance: 1e-10 })
}

const METHODS: [Tested; 7] = [
    Tested { name: "explicit", with_step: explicit, order: Some(2.0), ..KEEPING },
    Tested { name: "ladder", with_step: ladder, mass: MassKind::Consistent, order: Some(2.0), ..KEEPING },
    Tested { name: "newmark", with_step: newmark, order: Some(2.0), momentum: 1e-9, ..KEEPING },
    Tested {
        name: "newmark, gamma 0.6",
        with_step: damped_newmark,
        order: Some(1.0),
        momentum: 1e-9,
        dissipative: true,
        ..KEEPING
    },
    Tested { name: "implicit-euler, once", with_step: euler_once, dissipative: true, ..KEEPING },
    Tested { name: "implicit-euler, newton", with_step: euler_newton, dissipative: true, ..KEEPING },
    Tested { name: "quasistatic", with_step: quasistatic, order: None, ..KEEPING },
];

const KEEPING: Tested = Tested {
    name: "",
    with_step: explicit,
    mass: MassKind::Lumped,
    order: Some(1.0),
    momentum: 1e-10,
    dissipative: false,
};

fn moving() -> impl Iterator<Item = &'static Tested> {
    METHODS.iter().filter(|method| method.order.is_some())
}

impl Tested {
    fn of(&self, scene: Scene, dt: f64) -> Scene {
        scene.matter(|m| m.mass = self.mass).integrator((self.with_step)(dt))
    }
}

fn soft() -> LawKind {
    LawKind::Corotated(moduli(1e5, 0.3))
}

/// Clamped below, pulled at a corner by a load that grows and ends.
fn pulled() -> Scene {
    let history = || LoadHistory { release: Some(0.015), ..LoadHistory::growing(0.01) };
    let force = move |layout: &Layout| NodalForce {
        forces: vec![(node_at(layout, [0.1, 0.1, 0.2]), [1.0, 0.5, 0.0])],
        history: history(),
    };
    Scene::new(block([0.1, 0.1, 0.2], [2, 2, 4], BoxElement::Hex), soft()).hold(|p| p[2] < 1e-9).term(force)
}

/// One hexahedron without Poisson's effect, held at x = 0, swings along x alone: w^2 = k / m with k = E l, m half of its mass (a third where mass is consistent).
fn oscillator_error(method: &Tested, steps: usize) -> f64 {
    let (young, side, density, speed) = (1e5_f64, 0.1_f64, 1000.0, 1e-3);
    let part = if method.mass == MassKind::Consistent { 1.0 / 3.0 } else { 0.5 };
    let omega = (young * side / (part * density * side * side * side)).sqrt();
    let end = 0.9 * std::f64::consts::TAU / omega;
    let scene = Scene::new(block([side; 3], [1; 3], BoxElement::Hex), LawKind::Linear(moduli(young, 0.0)))
        .hold(|p| p[0] < 1e-9)
        .velocity(move |p| [speed * p[0] / side, 0.0, 0.0]);
    let mut world = method.of(scene, end / steps as f64).world();
    run(&mut world, steps);
    let node = node_at(world.model().layout(), [side; 3]) as usize;
    let exact = speed / omega * (omega * end).sin();
    (world.state().x[3 * node] - side - exact).abs() / (speed / omega)
}

#[test]
fn errors_shrink_with_the_order_of_the_method() {
    for method in moving() {
        let order = (oscillator_error(method, 400) / oscillator_error(method, 800)).log2();
        let expected = method.order.unwrap();
        assert!((order - expected).abs() < 0.1, "{}: order {order}, not {expected}", method.name);
    }
}

#[test]
fn free_bodies_keep_their_momentum() {
    for method in moving() {
        let scene = Scene::new(block([0.1, 0.1, 0.2], [2, 2, 4], BoxElement::Hex), soft())
            .velocity(|[x, y, z]| [0.3 - 5.0 * y + 20.0 * z * z, 5.0 * x, -0.2]);
        let mut world = method.of(scene, 2e-4).world();
        let momentum = |world: &World| -> [f64; 3] {
            let mut product = vec![0.0; world.state().v.len()];
            world.model().mass_times(&world.state().v, &mut product);
            std::array::from_fn(|c| product.iter().skip(c).step_by(3).sum())
        };
        let before = momentum(&world);
        run(&mut world, 100);
        let after = momentum(&world);
        let size = before.iter().map(|p| p * p).sum::<f64>().sqrt();
        let lost = (0..3).map(|c| (after[c] - before[c]).abs()).fold(0.0, f64::max);
        assert!(lost < method.momentum * size, "{}: {lost:e} of {size:e}", method.name);
    }
}

#[test]
fn rest_stays_at_rest_to_the_bit() {
    for method in &METHODS {
        // coordinates without a rounding error, so that strains have none
        let scene =
            Scene::new(block([0.5, 0.5, 1.0], [2, 2, 4], BoxElement::Hex), soft()).hold(|p| p[2] < 1e-9);
        let mut world = method.of(scene, 2e-4).world();
        let start = world.state().clone();
        run(&mut world, 20);
        assert!(world.state().x == start.x, "{}: it moved", method.name);
        assert!(world.state().v.iter().all(|v| *v == 0.0), "{}", method.name);
        assert_eq!(world.energy().total(), 0.0, "{}", method.name);
    }
}

#[test]
fn a_method_is_what_it_says_of_itself() {
    for method in &METHODS {
        let dt = 5e-4;
        let traits = (method.with_step)(dt).traits();
        assert_eq!(traits.fixed_step(), Some(dt), "{}", method.name);
        assert_eq!(traits.is_static(), method.order.is_none(), "{}", method.name);
        assert_eq!(traits.dissipates, method.dissipative, "{}", method.name);
        let mut world = method.of(pulled(), dt).world();
        let report = (0..3).map(|_| world.step(&Inputs::default()).unwrap()).last().unwrap();
        assert_eq!(report.newton.is_some(), traits.newton.is_some(), "{}", method.name);
        assert_eq!(report.load.is_some(), traits.is_static(), "{}", method.name);
    }
}

#[test]
fn steps_are_bound_by_stability_where_a_method_says_so() {
    for method in moving() {
        // twice the longest stable step of the swing, or more
        let (young, side, density) = (1e5_f64, 0.1_f64, 1000.0);
        let omega = (young * side / (0.5 * density * side * side * side)).sqrt();
        let law = LawKind::Linear(moduli(young, 0.0));
        let scene = Scene::new(block([side; 3], [1; 3], BoxElement::Hex), law)
            .hold(|p| p[0] < 1e-9)
            .velocity(move |p| [1e-3 * p[0] / side, 0.0, 0.0]);
        let mut world = method.of(scene, 4.0 / omega).world();
        let start = world.energy().total();
        let mut most = start;
        for _ in 0..20 {
            let Ok(_) = world.step(&Inputs::default()) else {
                most = f64::INFINITY;
                break;
            };
            most = most.max(world.energy().total());
        }
        let bound = (method.with_step)(1.0).traits().bound_by_stability;
        assert_eq!(most > 100.0 * start, bound, "{}: {most} J of {start} J", method.name);
    }
}

#[test]
fn dissipative_methods_make_no_energy() {
    for method in moving().filter(|method| method.dissipative) {
        let scene = Scene::new(block([0.1, 0.1, 0.2], [2, 2, 4], BoxElement::Hex), soft())
            .hold(|p| p[2] < 1e-9)
            .velocity(|p| [10.0 * p[2] * p[2], 0.0, 0.0]);
        let mut world = method.of(scene, 1e-3).world();
        let (mut total, start) = (world.energy().total(), world.energy().total());
        for _ in 0..100 {
            run(&mut world, 1);
            let now = world.energy().total();
            assert!(now <= total + 1e-6 * start, "{}: {now} after {total} J", method.name);
            total = now;
        }
        assert!(total < 0.99 * start, "{}: {total} of {start} J", method.name);
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for method in &METHODS {
        let end = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                assert_eq!(parallel::thread_count(), threads);
                let mut world = method.of(pulled(), 2e-4).world();
                run(&mut world, 100);
                bytes(world.state())
            })
        };
        let one = end(1);
        assert!(one == end(2) && one == end(8), "{}", method.name);
    }
}

#[test]
fn a_saved_state_goes_on_with_the_same_bits() {
    for method in &METHODS {
        let mut whole = method.of(pulled(), 2e-4).world();
        // within the growth of the load, at its end, and after its release
        for steps in [17, 58, 10] {
            run(&mut whole, steps);
            let saved: State = postcard::from_bytes(&bytes(whole.state())).unwrap();
            let mut resumed = method.of(pulled(), 2e-4).world();
            resumed.restore(saved).unwrap();
            run(&mut whole, 20);
            run(&mut resumed, 20);
            assert!(bytes(whole.state()) == bytes(resumed.state()), "{}", method.name);
        }
    }
}

#[test]
fn an_error_leaves_the_state_as_it_was_to_the_bit() {
    for method in &METHODS {
        // nothing bears such a force, however short the step
        let force = |layout: &Layout| NodalForce {
            forces: vec![(node_at(layout, [0.1, 0.1, 0.2]), [1e300, 1e300, 0.0])],
            history: LoadHistory::growing(0.05),
        };
        let scene = Scene::new(block([0.1, 0.1, 0.2], [2, 2, 4], BoxElement::Hex), soft())
            .hold(|p| p[2] < 1e-9)
            .term(force);
        let mut world = method.of(scene, 2e-4).world();
        let mut before = bytes(world.state());
        let failed = (0..200).any(|_| {
            before = bytes(world.state());
            world.step(&Inputs::default()).is_err()
        });
        assert!(failed, "{}: it bears everything", method.name);
        assert!(bytes(world.state()) == before, "{}: the state changed", method.name);
    }
}
