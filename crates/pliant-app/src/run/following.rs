//! Whether steps of `newmark` may have lost the motion.
//!
//! ```text
//! late by  tan(w dt / 2) = w dt / 2:   q = w' dt,   n steps lose the part  min(1, n q^3 / 12)                  (1)
//! y_1 <- k (y_1 + dx),   y_2 <- k (y_2 + dy_1),   y_3 <- k (y_3 + dy_2),   k = 1 / (1 + c),   c^3 = 12 / n      (2)
//! ```
//!
//! Average acceleration slows a vibration down by (1), and one that turns by more than c in a step is lost altogether. The high-pass filter (2) of the displacements lets
//! just that part through, from every vibration its own. Forced and damped ones are counted too, whose errors do not add up: so (2) is a suspicion, and a run with another
//! step says whether it is true.

use std::sync::atomic::{AtomicBool, Ordering};

use pliant_scene::spec::{PeriodError, Step};
use pliant_scene::{CompileOptions, LoadedScene, Quantity, compile};
use pliant_solid::World;
use pliant_solid::integrator::Inputs;

/// y_3 as a part of the largest displacement that is worth a second run.
const SUSPICIOUS: f64 = 0.002;
/// How far the end may be from that of another step, likewise.
const NEAR: f64 = 0.02;
/// The same for what positions are rounded by, in units of the last place.
const ROUNDED: f64 = 50.0;
/// Steps after which (2) has forgotten how it began.
const WARM: f64 = 10.0;
/// Shorter runs are compared with another step in any case.
const FEW: f64 = 20.0;

/// See the [module](self).
pub struct Following {
    /// Of fixed steps, s.
    step: Option<f64>,
    /// y of (2).
    passed: [Vec<f64>; 3],
    /// n of (2).
    count: f64,
    /// The largest y_3 of a node, m.
    lost: f64,
    /// The largest displacement of a node, m.
    farthest: f64,
    /// Whether all of the run was seen.
    complete: bool,
}

impl Following {
    /// Of a world that is about to go on; nothing where nothing moves, where steps have a limit of their own, or lose vibrations by intent.
    pub fn of(world: &World) -> Option<Self> {
        let method = world.integrator().traits();
        if method.is_static() || method.bound_by_stability || method.dissipates {
            return None;
        }
        let step = method.fixed_step();
        let zero = || vec![0.0; world.state().x.len()];
        let complete = world.state().step == 0;
        Some(Self { step, passed: [zero(), zero(), zero()], count: 0.0, lost: 0.0, farthest: 0.0, complete })
    }

    /// Notes an accepted step.
    pub fn note(&mut self, world: &World, dt: f64) {
        let [x0, x1] = [world.previous(), world.state()].map(|state| &state.x);
        let rest = world.model().layout().rest();
        self.count += 1.0;
        let k = 1.0 / (1.0 + (12.0 / self.count).cbrt());
        // as if a step that was halved or cut had been as long as the others
        let whole = self.step.map_or(1.0, |step| step / dt);
        let (mut lost, mut farthest) = (0.0_f64, 0.0_f64);
        for node in 0..x1.len() / 3 {
            let (mut rough, mut way) = (0.0, 0.0);
            for i in 3 * node..3 * node + 3 {
                let mut change = whole * (x1[i] - x0[i]);
                for passed in &mut self.passed {
                    let before = passed[i];
                    passed[i] = k * (before + change); // (2)
                    change = passed[i] - before;
                }
                rough += self.passed[2][i].powi(2);
                way += (x1[i] - rest[i]).powi(2);
            }
            (lost, farthest) = (lost.max(rough), farthest.max(way));
        }
        self.farthest = self.farthest.max(farthest.sqrt());
        if self.count > WARM {
            self.lost = self.lost.max(lost.sqrt());
        }
    }

    /// Whether another step should be asked.
    pub fn is_suspect(&self, loaded: &LoadedScene) -> bool {
        let allowed = loaded.scene.integrator.period_error.as_deref() == Some(&PeriodError::Allowed);
        !allowed && (!self.complete || self.count < FEW || self.lost > SUSPICIOUS * self.farthest)
    }

    /// Why the end of a run is not that of its motion, if another step finds another one.
    pub fn doubt(&self, world: &World, loaded: &LoadedScene, stop: &AtomicBool) -> Option<String> {
        if !self.is_suspect(loaded) || world.state().holding.is_any_frozen() {
            return None;
        }
        let help = "use a shorter step, loads that grow over some time, or damping; \
                    period_error = \"allowed\" in [integrator] bears it";
        // twice the step costs half of the run; what it does not confirm half the step may
        let mut told = None;
        let (step, what) = match self.step {
            Some(step) => (step, "it"),
            None => (world.state().time / world.state().step.max(1) as f64, "its mean"),
        };
        for (part, words) in [(2.0, "twice"), (0.5, "half")] {
            // automatic steps are longer and shorter than their mean: twice of it says little
            if part > 1.0 && (self.count < FEW || self.step.is_none()) {
                continue;
            }
            let found = end_by(loaded, part * step, stop);
            if stop.load(Ordering::Relaxed) {
                return Some(format!(
                    "the step may not follow the motion, and the comparison with {words} of {what} was stopped: {help}"
                ));
            }
            let (apart, near, largest) = match found {
                Some(other) => self.compare(world, &other),
                None => (f64::INFINITY, 0.0, 0.0),
            };
            if apart <= near {
                return None;
            }
            let found = match apart.is_finite() {
                true => format!(
                    "the end is {apart:.2e} m from here, {:.1} % of the largest displacement",
                    100.0 * apart / largest
                ),
                false => "there is no end".into(),
            };
            told =
                Some(format!("the step does not follow the motion: with {words} of {what} {found}: {help}"));
        }
        told
    }

    /// How far nodes are from where another run has them, how far they may be, and the largest displacement, m.
    fn compare(&self, world: &World, other: &[f64]) -> (f64, f64, f64) {
        let (x, rest) = (&world.state().x, world.model().layout().rest());
        let largest = |a: &[f64], b: &[f64]| {
            let nodes = a.chunks_exact(3).zip(b.chunks_exact(3));
            nodes.map(|(a, b)| (0..3).map(|c| (a[c] - b[c]).powi(2)).sum::<f64>()).fold(0.0, f64::max).sqrt()
        };
        let moved = self.farthest.max(largest(x, rest));
        let place = x.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        (largest(x, other), NEAR * moved + ROUNDED * f64::EPSILON * place, moved)
    }
}

/// Where nodes are at the end of the same scene by steps of another length.
fn end_by(loaded: &LoadedScene, step: f64, stop: &AtomicBool) -> Option<Vec<f64>> {
    let mut other = loaded.clone();
    other.scene.integrator.step = Step::Fixed(Quantity::from_si(step).ok()?).into();
    let compiled = compile(&other, CompileOptions { force: true, memory: None }).ok()?;
    let mut world = compiled.world().ok()?;
    let inputs = Inputs { end: Some(compiled.duration), ..Inputs::default() };
    while world.state().time < compiled.duration && !stop.load(Ordering::Relaxed) {
        world.step(&inputs).ok()?;
    }
    Some(world.state().x.clone())
}
