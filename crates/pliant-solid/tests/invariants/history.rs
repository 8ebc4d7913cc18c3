//! Terms with a memory: written on accepted steps only, each its own, part of the state, seen by energies.

use pliant_numerics::{BlockMatrix, Mat3, PatternBuilder};
use pliant_solid::integrator::{ImplicitEuler, Inputs, IntegratorKind, StepChoice};
use pliant_solid::term::{At, Caps, Coeffs, ForceTerm, Report, Scatter, Scratch};
use pliant_solid::{Layout, State};

use super::support::{Scene, node_at, order, run};
use super::{bytes, tower};

/// A Maxwell branch between a node and its rest place, along x: f = -k (u - q), q' = (u - q) / tau.
struct Branch {
    node: u32,
    rest: f64,
    stiffness: f64,
    tau: f64,
}

impl Branch {
    /// q by backward Euler from where the history left it; all relaxed after an infinite time.
    fn creep(&self, at: &At) -> f64 {
        let (u, part) = (at.x[3 * self.node as usize] - self.rest, at.since / self.tau);
        if part.is_infinite() { u } else { (at.history[0] + part * u) / (1.0 + part) }
    }

    fn stretch(&self, at: &At) -> f64 {
        at.x[3 * self.node as usize] - self.rest - self.creep(at)
    }
}

impl ForceTerm for Branch {
    fn caps(&self) -> Caps {
        Caps { energy: true, tangent: true, symmetric: true, history: true, ..Caps::default() }
    }

    fn pattern(&self, out: &mut PatternBuilder) {
        out.clique(&[self.node]);
    }

    fn force_add(&self, at: &At, out: &mut Scatter) -> Report {
        out.force[3 * self.node as usize] -= self.stiffness * self.stretch(at);
        // the creep, and a count of steps
        if let [creep, count] = &mut *out.history {
            (*creep, *count) = (self.creep(at), at.history[1] + 1.0);
        }
        Report::default()
    }

    fn tangent_apply_add(&self, _at: &At, _c: Coeffs, _direction: &[f64], _out: &mut Scatter) {}

    fn tangent_add(&self, at: &At, c: Coeffs, out: &mut BlockMatrix, _scratch: &mut Scratch) {
        // what a step lets relax within itself does not resist
        let held = 1.0 / (1.0 + at.since / self.tau);
        let mut block = Mat3::diagonal(0.0);
        block.0[0][0] = c.k * held * self.stiffness;
        out.add(self.node, self.node, &block);
    }

    fn energy(&self, at: &At) -> f64 {
        0.5 * self.stiffness * self.stretch(at).powi(2)
    }

    fn history_length(&self) -> usize {
        2
    }
}

const TOP: [f64; 3] = [0.1, 0.1, 0.3];

fn branch(layout: &Layout, tau: f64) -> Branch {
    Branch { node: node_at(layout, TOP), rest: 0.1, stiffness: 20.0, tau }
}

/// The tower leaning sideways, a corner of its top on a quick branch and a slow one.
fn leaning() -> Scene {
    tower()
        .gravity([5.0, 0.0, 0.0])
        .matter(|m| m.mass_damping = 60.0)
        .term(|l| branch(l, 0.05))
        .term(|l| branch(l, 1e9))
}

#[test]
fn each_term_remembers_its_own_and_only_accepted_steps() {
    let mut world = leaning().dt(2e-4).world();
    run(&mut world, 300);
    let [quick, quick_count, slow, slow_count] = world.state().history[..] else {
        panic!("two terms, two each")
    };
    assert_eq!((quick_count, slow_count), (300.0, 300.0));
    assert!(quick > 1e-4 && slow.abs() < 1e-9, "{quick} {slow}");
    // a refused step: far too long
    let mut world = leaning().dt(0.05).world();
    let before = loop {
        let before = world.state().clone();
        if world.step(&Inputs::default()).is_err() {
            break before;
        }
    };
    assert!(bytes(world.state()) == bytes(&before));
    assert_eq!(world.state().history[1], before.step as f64);
}

#[test]
fn a_quick_branch_relaxes_and_a_slow_one_stays_a_spring() {
    // at rest the quick branch has no force left (q = u), the slow one all of its (q = 0)
    let mut world = leaning().dt(4e-4).world();
    run(&mut world, 12_000);
    let node = node_at(world.model().layout(), TOP) as usize;
    let u = world.state().x[3 * node] - 0.1;
    assert!(u > 1e-3, "{u}");
    assert!((world.state().history[0] - u).abs() < 1e-4 * u, "{:?} {u}", world.state().history);
    // and energies see the history: only the slow branch stores something
    let without = tower().gravity([5.0, 0.0, 0.0]).model();
    let bare = world.scheme().energy(&without, &State { history: vec![], ..world.state().clone() }).elastic;
    let stored = world.energy().elastic - bare;
    assert!((stored - 0.5 * 20.0 * u * u).abs() < 1e-3 * stored, "{stored} {u}");
}

#[test]
fn a_saved_history_continues_with_the_same_bits() {
    let mut whole = leaning().dt(2e-4).world();
    run(&mut whole, 50);
    let saved = bytes(whole.state());
    let mut resumed = leaning().dt(2e-4).world();
    resumed.restore(postcard::from_bytes::<State>(&saved).unwrap()).unwrap();
    run(&mut whole, 50);
    run(&mut resumed, 50);
    assert!(bytes(whole.state()) == bytes(resumed.state()));
}

#[test]
fn a_motion_with_history_converges() {
    // backward Euler in the branch
    let end = |steps: usize| {
        let mut world = leaning().dt(0.1 / steps as f64).world();
        run(&mut world, steps);
        world.state().history[0]
    };
    let [a, b, c] = [400, 800, 1600].map(end);
    let observed = order((a - b).abs(), (b - c).abs());
    assert!(observed > 0.9, "{a} {b} {c}: order {observed}");
}

/// Newton's method tries many states in a step, and shortens some: only the last one counts.
#[test]
fn implicit_steps_write_a_history_once_and_statics_has_relaxed() {
    let euler = |dt: f64| {
        let step = StepChoice::Fixed(dt);
        IntegratorKind::ImplicitEuler(ImplicitEuler { step, ..ImplicitEuler::default() })
    };
    for (name, scene) in [("newmark", leaning().newmark(5e-3)), ("euler", leaning().integrator(euler(5e-3)))]
    {
        let mut world = scene.world();
        run(&mut world, 40);
        let [quick, quick_count, _, slow_count] = world.state().history[..] else {
            panic!("two terms, two each")
        };
        assert_eq!((quick_count, slow_count), (40.0, 40.0), "{name}");
        // the same as explicit steps find
        let mut fine = leaning().dt(2e-4).world();
        run(&mut fine, 1000);
        let expected = fine.state().history[0];
        assert!((quick / expected - 1.0).abs() < 0.05, "{name}: {quick} {expected}");
    }
    // an infinite time has passed: neither branch pulls
    let rest = |scene: Scene| {
        let mut world = scene.statics().world();
        while world.state().time < 1.0 {
            world.step(&Inputs::default()).unwrap_or_else(|error| panic!("{error}"));
        }
        let node = node_at(world.model().layout(), TOP) as usize;
        (world.state().x[3 * node] - 0.1, world.state().history.clone())
    };
    let (relaxed, history) = rest(leaning());
    let (bare, _) = rest(tower().gravity([5.0, 0.0, 0.0]));
    assert!((relaxed - bare).abs() < 1e-9 * bare, "{relaxed} {bare}");
    assert!((history[0] - relaxed).abs() < 1e-12 && (history[2] - relaxed).abs() < 1e-12);
}
