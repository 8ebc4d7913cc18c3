//! Scripts that a run does not follow as they are written: steps too long for them, curves that leave their rows, ends that come too early.

use pliant_solid::Spline;

use super::estimate::time;
use super::step::even_step;
use crate::diagnostic::Problem;
use crate::significant;
use crate::spec::{self, Fix, Load, LoadScript, Located, Method, Motion, Scene, Step, Warning};
use crate::units::{Quantity, Time, si_array};

/// Steps in a period of a sine, or in a ramp, below which a fixed step is warned of.
const FEWEST_STEPS: f64 = 8.0;
/// How far a spline may leave the range of its rows, as a part of it.
const SWING: f64 = 0.1;
/// Points between two rows at which a spline is looked at.
const POINTS_PER_ROW: usize = 64;

/// A script of a fix, load or collider.
struct Script<'a> {
    /// Such as "load `pull`".
    owner: String,
    over: Option<&'a Located<Quantity<Time>>>,
    release: Option<&'a Located<Quantity<Time>>>,
    /// Frequency in Hz and phase in rad.
    sine: Option<(f64, f64)>,
    /// Times of its rows, s.
    rows: Vec<f64>,
}

impl<'a> Script<'a> {
    fn of_load(owner: String, load: &'a Load) -> Self {
        let (sine, rows) = match &load.script {
            Some(LoadScript::Sine(sine)) => (Some((sine.frequency.si(), sine.phase.si())), vec![]),
            Some(LoadScript::Table(table)) => (None, table.iter().map(|row| row.time.si()).collect()),
            None => (None, vec![]),
        };
        Self { owner, over: load.over.as_ref(), release: load.release.as_ref(), sine, rows }
    }

    fn of_fix(owner: String, fix: &'a Fix) -> Self {
        Self { release: fix.release.as_ref(), ..Self::of_motion(owner, &fix.motion) }
    }

    fn of_motion(owner: String, motion: &'a Motion) -> Self {
        let mut script = Self { owner, over: None, release: None, sine: None, rows: vec![] };
        match motion {
            Motion::Still => {}
            Motion::Carry { over, .. } => script.over = Some(over),
            Motion::Sine(sine) => script.sine = Some((sine.frequency.si(), sine.phase.si())),
            Motion::Table(table) => script.rows = table.iter().map(|row| row.time.si()).collect(),
        }
        script
    }

    /// What a step of some length misses, and the longest that would do, s.
    fn missed(&self, step: f64, end: f64) -> Vec<(String, f64)> {
        let mut out = Vec::new();
        if let Some((frequency, _)) = self.sine {
            let longest = 1.0 / (FEWEST_STEPS * frequency);
            if step > longest * (1.0 + 1e-9) {
                out.push((format!("the sine of {frequency} Hz"), longest));
            }
        }
        let intervals = self.rows.windows(2).filter(|rows| rows[0] < end).map(|rows| rows[1] - rows[0]);
        let shortest = intervals.fold(f64::INFINITY, f64::min);
        if step > shortest * (1.0 + 1e-9) {
            out.push((format!("the `table` with rows {} apart", time(shortest)), shortest));
        }
        if let Some(over) = self.over.map(|over| over.si()).filter(|over| *over > 0.0 && step > *over) {
            out.push((format!("`over` = {}", time(over)), over / FEWEST_STEPS));
        }
        if let Some(release) = self.release.map(|release| release.si()).filter(|r| *r > 0.0 && step > *r) {
            out.push((format!("the `release` at {}", time(release)), release));
        }
        out
    }

    /// Whether all steps meet the sine at the same value, so that nothing of it is left.
    fn stands_still(&self, step: f64) -> bool {
        let whole = |turns: f64| turns > 0.5 && (turns - turns.round()).abs() < 1e-9 * turns;
        self.sine.is_some_and(|(frequency, phase)| {
            whole(frequency * step) || (whole(2.0 * frequency * step) && phase.sin().abs() < 1e-9)
        })
    }
}

fn scripts(scene: &Scene) -> Vec<Script<'_>> {
    let mut out = Vec::new();
    for (name, body) in &scene.body {
        let fixes = body.fix.iter().enumerate();
        out.extend(
            fixes.map(|(i, fix)| Script::of_fix(format!("fix `{}`", spec::fix_name(name, i, fix)), fix)),
        );
        let loads = body.load.iter().enumerate();
        out.extend(loads.map(|(i, l)| Script::of_load(format!("load `{}`", spec::load_name(name, i, l)), l)));
    }
    out.extend(moving_colliders(scene).map(|(owner, motion)| Script::of_motion(owner, motion)));
    out
}

/// Colliders that move by a script, such as "collider `tool`".
fn moving_colliders(scene: &Scene) -> impl Iterator<Item = (String, &Motion)> {
    scene.collider.iter().enumerate().filter_map(|(index, collider)| match &collider.carrier {
        spec::Carrier::Script(motion) => {
            Some((format!("collider `{}`", spec::collider_name(index, collider)), motion))
        }
        spec::Carrier::Bone(_) => None,
    })
}

/// The fixed step of a run that follows scripts.
fn fixed_step(scene: &Scene) -> Option<f64> {
    match &*scene.integrator.step {
        Step::Fixed(step) if *scene.integrator.method != Method::Static => {
            Some(even_step(scene.duration.si(), step.si()))
        }
        _ => None,
    }
}

/// Refuses fixed steps that meet a sine at one and the same value.
pub(super) fn check(scene: &Scene, problems: &mut Vec<Problem>) {
    let Some(step) = fixed_step(scene) else { return };
    for script in scripts(scene).iter().filter(|script| script.stands_still(step)) {
        let frequency = script.sine.map_or(0.0, |(frequency, _)| frequency);
        let message = format!(
            "the step of {} meets the sine of {frequency} Hz of {} at the same value every time, as if it stood still",
            time(step),
            script.owner
        );
        let longest = time(1.0 / (FEWEST_STEPS * frequency));
        problems.push(Problem::new(scene.integrator.step.span(), message).help(format!(
            "use step = \"auto\" or at most {longest}; `pliant run --force` runs it all the same"
        )));
    }
}

/// What of scripts a run does not follow.
pub(super) fn warnings(scene: &Scene) -> Vec<Warning> {
    let mut found = Vec::new();
    let end = scene.duration.si();
    if let Some(step) = fixed_step(scene) {
        for script in scripts(scene) {
            found.extend(script.missed(step, end).into_iter().map(|(what, longest)| Warning {
                message: format!(
                    "the step of {} does not follow {what} of {}: use step = \"auto\" or at most {}",
                    time(step),
                    script.owner,
                    time(longest)
                ),
                span: scene.integrator.step.span(),
            }));
        }
    }
    // a resting shape has its own words for it
    if *scene.integrator.method != Method::Static {
        found.extend(scripts(scene).iter().filter_map(|script| unfinished(script, end)));
    }
    for (name, body) in &scene.body {
        let fixes = body.fix.iter().enumerate();
        found.extend(fixes.filter_map(|(i, fix)| {
            let owner = format!("fix `{}`", spec::fix_name(name, i, fix));
            let end = fix.release.as_ref().map_or(end, |release| release.si().min(end));
            swing(&owner, &fix.motion, end)
        }));
    }
    found.extend(moving_colliders(scene).filter_map(|(owner, motion)| swing(&owner, motion, end)));
    found
}

/// A ramp that the end of the run cuts off.
fn unfinished(script: &Script, end: f64) -> Option<Warning> {
    let over = script.over.filter(|over| over.si() > end)?;
    let message = format!(
        "{} takes {} and has not come to its full value at the end of the run, {}: make `over` shorter or `duration` longer",
        script.owner,
        time(over.si()),
        time(end)
    );
    Some(Warning { message, span: over.span() })
}

/// A smooth curve that leaves the range of its rows, where it does so most.
fn swing(owner: &str, motion: &Motion, end: f64) -> Option<Warning> {
    let Motion::Table(table) = motion else { return None };
    let times: Vec<f64> = table.iter().map(|row| row.time.si()).collect();
    let points: Vec<[f64; 3]> = table.iter().map(|row| si_array(&row.vector)).collect();
    let range = |axis: usize| {
        let values = points.iter().map(|point| point[axis]);
        values.fold((f64::INFINITY, -f64::INFINITY), |(low, high), v| (low.min(v), high.max(v)))
    };
    let ranges = [0, 1, 2].map(range);
    let spline = Spline::through(times.clone(), points.clone())?;
    let between = times.windows(2).flat_map(|rows| {
        let part = (rows[1] - rows[0]) / POINTS_PER_ROW as f64;
        (1..POINTS_PER_ROW).map(move |i| rows[0] + i as f64 * part)
    });
    // (part of the range, time, axis, value)
    let mut worst = (SWING, 0.0, None);
    for time in between.take_while(|time| *time <= end) {
        let [place, ..] = spline.at(time);
        for (axis, (low, high)) in ranges.into_iter().enumerate() {
            let beyond = (place[axis] - high).max(low - place[axis]) / (high - low);
            if beyond > worst.0 {
                worst = (beyond, time, Some((axis, place[axis])));
            }
        }
    }
    let (_, when, Some((axis, value))) = worst else { return None };
    let (letter, (low, high)) = (["x", "y", "z"][axis], ranges[axis]);
    let mm = |metres: f64| significant(1e3 * metres, 3);
    let message = format!(
        "the smooth curve through the `table` of {owner} swings to {} mm along {letter} at {}, beyond its rows ({} to {} mm): \
         add rows around the fast part, or use `move` with `over`",
        mm(value),
        time(when),
        mm(low),
        mm(high)
    );
    Some(Warning { message, span: table.span() })
}
