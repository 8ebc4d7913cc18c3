//! How many steps a run takes, before it begins, and what keeps them short.
//!
//! ```text
//! N = integral over the run of  max(1 / stable step, 24 frequency, 4 / shortest interval of a table, 4 damping)  dt          (1)
//! ```
//!
//! (1) is for automatic steps: explicit ones are bound by stability too, and alone by damping in proportion to mass. Methods that choose their steps by an error
//! estimate take these at least. Other scripts cost some steps each, whatever they say.

use std::ops::Range;

use pliant_solid::Model;
use pliant_solid::integrator::{Course, IntegratorKind, StepChoice, StepLimit};

use crate::diagnostic::Problem;
use crate::spec::{self, Scene};

/// Steps beyond which a run is refused: those of the smallest bodies take hours, of usual ones years.
pub const MOST_STEPS: f64 = 1e10;

/// How many steps a run takes.
#[derive(Clone, Debug, PartialEq)]
pub struct StepEstimate {
    /// Their number.
    pub steps: f64,
    /// How well it is known.
    pub counting: Counting,
    /// What keeps most of them short, in words.
    pub because: Option<String>,
    place: Range<usize>,
    way_out: String,
}

/// How well a number of steps is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// The step is given.
    Exactly,
    /// By the stable step at the start.
    About,
    /// Steps follow an error estimate.
    AtLeast,
}

impl StepEstimate {
    /// Refuses a run that comes to no end; `words` says why it is too long.
    pub fn problem(&self, words: &str) -> Problem {
        let because = self.because.as_deref().unwrap_or("the run is long");
        Problem::new(self.place.clone(), format!("{because}: {words}"))
            .help(format!("{}; `pliant run --force` runs it all the same", self.way_out))
    }

    /// What is wrong with the number itself.
    pub fn too_many(&self) -> Option<Problem> {
        (self.steps > MOST_STEPS).then(|| {
            self.problem(&format!("the run would take {:.1e} steps (at most {MOST_STEPS:.0e})", self.steps))
        })
    }
}

/// Something that keeps automatic steps short until a time.
#[derive(Clone, Debug)]
pub(super) struct Throttle {
    /// Steps a second.
    rate: f64,
    until: f64,
    because: String,
    place: Range<usize>,
    way_out: &'static str,
}

/// What a scene says that keeps automatic steps short.
pub(super) fn throttles(scene: &Scene, model: &Model, integrator: &IntegratorKind) -> Vec<Throttle> {
    let duration = scene.duration.si();
    let bound = integrator.traits().bound_by_stability;
    let mut found = Vec::new();
    for ((name, body), matter) in scene.body.iter().zip(model.matter()) {
        let damping = matter.mass_damping();
        if bound && damping > 0.0 {
            let material = body.material.as_ref().and_then(|name| scene.material.get(name.as_str()));
            let drag = body.network.as_ref().map(|network| network.span());
            found.push(Throttle {
                rate: 4.0 * damping,
                until: duration,
                because: format!("mass damping of body `{name}`, {damping} 1/s, allows steps of {} at most", time(0.25 / damping)),
                place: material.map(|m| m.damping.mass.span()).or(drag).unwrap_or_default(),
                way_out: "damp less, or use method = \"implicit-euler\" or \"newmark\", whose steps damping does not bind",
            });
        }
        let fixes =
            body.fix.iter().map(|fix| (of_motion(&format!("of body `{name}`"), &fix.motion), &fix.release));
        let loads = body.load.iter().map(|load| (of_load(name, load.script.as_ref()), &load.release));
        found.extend(fixes.chain(loads).filter_map(|(throttle, release)| {
            let release = release.as_ref().map_or(duration, |release| release.si());
            let throttle = throttle?;
            Some(Throttle { until: throttle.until.min(release).min(duration), ..throttle })
        }));
    }
    let scripts = scene.collider.iter().enumerate().filter_map(|(i, collider)| match &collider.carrier {
        spec::Carrier::Script(motion) => {
            of_motion(&format!("of collider `{}`", spec::collider_name(i, collider)), motion)
        }
        spec::Carrier::Bone(_) => None,
    });
    found.extend(scripts.map(|throttle| Throttle { until: throttle.until.min(duration), ..throttle }));
    found
}

fn of_motion(whose: &str, motion: &spec::Motion) -> Option<Throttle> {
    match motion {
        spec::Motion::Sine(spec::Sine { frequency, .. }) => {
            Some(of_sine(whose, frequency.si(), frequency.span()))
        }
        spec::Motion::Table(table) => of_table(table.iter().map(|entry| entry.time.si()), table.span()),
        spec::Motion::Still | spec::Motion::Carry { .. } => None,
    }
}

fn of_load(body: &str, script: Option<&spec::LoadScript>) -> Option<Throttle> {
    match script? {
        spec::LoadScript::Sine(sine) => {
            Some(of_sine(&format!("of a load on body `{body}`"), sine.frequency.si(), sine.frequency.span()))
        }
        spec::LoadScript::Table(table) => of_table(table.iter().map(|entry| entry.time.si()), table.span()),
    }
}

fn of_sine(whose: &str, frequency: f64, place: Range<usize>) -> Throttle {
    let rate = 24.0 * frequency;
    Throttle {
        rate,
        until: f64::INFINITY,
        because: format!(
            "the sine of {frequency} Hz {whose} wants 24 steps a period, of {} each",
            time(1.0 / rate)
        ),
        place,
        way_out: "use a lower `frequency` or a shorter `duration`",
    }
}

fn of_table(times: impl Iterator<Item = f64>, place: Range<usize>) -> Option<Throttle> {
    let times: Vec<f64> = times.collect();
    let shortest = times.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    let until = *times.last()?;
    shortest.is_finite().then(|| Throttle {
        rate: 4.0 / shortest,
        until,
        because: format!(
            "the shortest interval of this table is {}, and steps of a quarter of it are taken up to its end at {until} s",
            time(shortest)
        ),
        place,
        way_out: "leave out points that follow each other so fast",
    })
}

/// (1), or the steps that the scene gives; without the stable step where that is not known yet.
pub(super) fn steps(
    scene: &Scene,
    integrator: &IntegratorKind,
    throttles: &[Throttle],
    stable: Option<&StepLimit>,
) -> StepEstimate {
    let duration = scene.duration.si();
    let place = scene.integrator.step.span();
    let fixed = |dt: f64| StepEstimate {
        steps: (duration / dt).round().max(1.0),
        counting: Counting::Exactly,
        because: Some(format!("`step` is {}, and `duration` {duration} s", time(dt))),
        place: place.clone(),
        way_out: "write step = \"auto\" or a longer one".into(),
    };
    let method = integrator.traits();
    let safety = match method.step {
        StepChoice::Fixed(dt) => return fixed(dt),
        StepChoice::Auto { safety } => safety,
    };
    let (base, counting) = match method.equilibria {
        // time means nothing to it
        Some(Course::Resting) => {
            return StepEstimate {
                steps: 1.0,
                counting: Counting::AtLeast,
                because: None,
                place,
                way_out: String::new(),
            };
        }
        Some(Course::History) => (50.0 / duration, Counting::AtLeast),
        None if method.bound_by_stability => {
            (stable.map_or(0.0, |limit| 1.0 / (safety * limit.dt)), Counting::About)
        }
        None => (0.0, Counting::AtLeast),
    };
    automatic(scene, throttles, stable.filter(|_| base > 0.0), (base, counting))
}

fn automatic(
    scene: &Scene,
    throttles: &[Throttle],
    stable: Option<&StepLimit>,
    (base, counting): (f64, Counting),
) -> StepEstimate {
    let duration = scene.duration.si();
    let mut times: Vec<f64> = throttles.iter().map(|t| t.until.clamp(0.0, duration)).collect();
    times.extend([0.0, duration]);
    times.sort_by(f64::total_cmp);
    let mut shares = vec![0.0; throttles.len()];
    let mut free = 0.0;
    for pair in times.windows(2) {
        let (length, middle) = (pair[1] - pair[0], 0.5 * (pair[0] + pair[1]));
        let active = throttles.iter().enumerate().filter(|(_, t)| middle < t.until && t.rate > base);
        match active.max_by(|a, b| a.1.rate.total_cmp(&b.1.rate)) {
            Some((index, throttle)) => shares[index] += throttle.rate * length,
            None => free += base * length,
        }
    }
    let steps = (free + shares.iter().sum::<f64>()).ceil().max(1.0);
    let most =
        (0..shares.len()).max_by(|a, b| shares[*a].total_cmp(&shares[*b])).filter(|i| shares[*i] > free);
    match most.map(|index| &throttles[index]) {
        Some(Throttle { because, place, way_out, .. }) => StepEstimate {
            steps,
            counting,
            because: Some(because.clone()),
            place: place.clone(),
            way_out: (*way_out).into(),
        },
        None => StepEstimate {
            steps,
            counting,
            because: stable.map(|limit| {
                format!("the longest stable step is {}, and `duration` {duration} s", time(limit.dt))
            }),
            place: scene.integrator.method.span(),
            way_out: "use method = \"implicit-euler\" or \"newmark\", larger elements, softer or heavier matter, or a shorter `duration`"
                .into(),
        },
    }
}

/// A time with the prefix that suits it.
pub(super) fn time(seconds: f64) -> String {
    let (factor, unit) = match seconds {
        s if s >= 1.0 => (1.0, "s"),
        s if s >= 1e-3 => (1e3, "ms"),
        s if s >= 1e-6 => (1e6, "us"),
        s if s >= 1e-10 => (1e9, "ns"),
        s => return format!("{s:.2e} s"),
    };
    let digits = format!("{:.4}", seconds * factor);
    format!("{} {unit}", digits.trim_end_matches('0').trim_end_matches('.'))
}
