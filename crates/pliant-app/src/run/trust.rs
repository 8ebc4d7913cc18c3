//! Whether a run can be trusted: what is watched on the way, and what is said of it at the end.
//!
//! The yardstick of energies is what drove the free nodes: what they had at the start, what gravity did on them, and the net work of fixes,
//! loads, grabs and moving colliders. Nothing that is stored or lost can be larger, so a spike of nonsense does not enter it. What held nodes only pass on
//! (their own speed, height and damping) does not either.

use pliant_scene::snapshot::Watched;
use pliant_solid::integrator::{LinearSolver, StepReport};
use pliant_solid::law::InsideOut;
use pliant_solid::{BodyFields, Energy, State, World};

use super::advice;

/// Drift, as a part of what drove the bodies, above which a result is not to be believed.
const DRIFT_TO_DOUBT: f64 = 0.1;
/// Energy from nowhere on the way, likewise, where only what is left of it at the end is judged by [`DRIFT_TO_DOUBT`].
const GAIN_TO_DOUBT: f64 = 1.0;
/// How far from the origin a body may be, in its own size: beyond, the digits of positions do not tell its strains.
const FARTHEST: f64 = 1e9;

/// When a run is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// After its last step.
    End,
    /// At any time before, whenever somebody looks.
    OnTheWay,
}

/// See the [module](self).
pub struct Trust {
    watched: Watched,
    /// The total at the start, J.
    first_total: f64,
    /// The elastic part of it, J.
    first_elastic: f64,
    /// By how much kinetic energy leaps with the first step, J: explicit ones have a mean of half steps, of which the start has none.
    leap: f64,
    /// Bodies that may be inside out, by the word of the scene.
    allowed: Vec<bool>,
}

impl Trust {
    /// Of a world at its start; `allowed` are the bodies that may be inside out.
    pub fn new(world: &World, allowed: &[bool]) -> Self {
        let (model, energy) = (world.model(), world.energy());
        let driven = world.free_share().kinetic + energy.elastic.abs();
        let bodies = model.layout().bodies().len();
        let watched = Watched { driven, inside_out: vec![(0, 0.0); bodies], ..Watched::default() };
        Self {
            watched,
            first_total: energy.total(),
            first_elastic: energy.elastic,
            leap: first_leap(world),
            allowed: allowed.to_vec(),
        }
    }

    /// Of the same bodies at a new start.
    pub fn anew(&self, world: &World) -> Self {
        Self::new(world, &self.allowed)
    }

    /// The same with what an earlier part of the run saw.
    #[must_use]
    pub fn resumed(self, watched: Watched) -> Self {
        Self { watched, ..self }
    }

    /// What was seen so far, for a snapshot.
    pub fn watched(&self) -> &Watched {
        &self.watched
    }

    /// The most elements of a body that were inside out at once, and when, s.
    pub fn most_inverted(&self, body: usize) -> (u64, f64) {
        self.watched.inside_out.get(body).copied().unwrap_or_default()
    }

    /// Notes how an accepted step was solved.
    pub fn note_step(&mut self, world: &World, report: &StepReport) {
        if let (Some(newton), Some(tolerance)) = (report.newton, world.integrator().traits().newton) {
            self.watched.unbalanced += u64::from(newton.residual() > tolerance);
            self.watched.worst_balance = self.watched.worst_balance.max(newton.residual());
        }
        if let Some(solved) = report.gradients.or(report.factor).filter(|solved| solved.unsolved) {
            self.watched.unsolved += 1;
            self.watched.worst_unsolved = self.watched.worst_unsolved.max(solved.residual);
        }
    }

    /// Looks at the state of a sample.
    pub fn note_sample(&mut self, world: &mut World, energy: &Energy) {
        let share = world.free_share();
        let watched = &mut self.watched;
        // what an initial strain or stress stores is below zero when it is let out, and never lower than what was put in
        let let_out = self.first_elastic - energy.elastic;
        let pushed = world.state().accounts.pushed.abs();
        let drove = [share.gravity.abs(), share.work.abs(), let_out, pushed];
        watched.driven = drove.into_iter().fold(watched.driven, f64::max);
        let drift = energy.total() - self.first_total;
        watched.largest_drift = watched.largest_drift.max(drift.abs());
        watched.largest_gain = watched.largest_gain.max(drift);
        self.count_inside_out(world);
    }

    /// Notes frames whose fields are not numbers.
    pub fn note_frames(&mut self, unsound: u64) {
        self.watched.unsound_frames += unsound;
    }

    /// Counts elements that are inside out; the whole look is taken only where a first one finds any.
    fn count_inside_out(&mut self, world: &mut World) {
        if world.smallest_volume_ratio() > 0.0 {
            return;
        }
        let (model, state) = (world.model(), world.state());
        let fields = model.fields(&model.full_state(state));
        for (most, fields) in self.watched.inside_out.iter_mut().zip(&fields) {
            let count = fields.inverted() as u64;
            if count > most.0 {
                *most = (count, state.time);
            }
        }
    }

    /// How far the total energy has drifted, J: the integrator's own error.
    pub fn drift(&self, world: &World) -> f64 {
        world.energy().total() - self.first_total
    }

    /// Why the result cannot be trusted, if it cannot, and what to do.
    pub fn doubts(&self, world: &World) -> Vec<String> {
        let values = [self.unsound(), values_at_the_end(world)].into_iter().flatten();
        let motion = self.doubts_of_motion(world, Moment::End);
        motion.into_iter().chain(values).chain(self.inside_out(world).0).collect()
    }

    /// The same without a look at the elements.
    pub fn doubts_of_motion(&self, world: &World, moment: Moment) -> Vec<String> {
        let single = [self.strayed(world, moment), self.unbalanced(world), self.unsolved(world)];
        single.into_iter().flatten().chain(far_bodies(world)).collect()
    }

    /// What should be known of the result although it can be trusted.
    pub fn remarks(&self, world: &World) -> Vec<String> {
        self.inside_out(world).1
    }

    fn strayed(&self, world: &World, moment: Moment) -> Option<String> {
        let Watched { driven, largest_drift, largest_gain, .. } = self.watched;
        let method = world.integrator().traits();
        // an equilibrium is judged by its own forces
        if method.is_static() {
            return None;
        }
        // implicit Euler and gamma above 1/2 take energy by intent, but must not give any, and on the way the work of violent hands is
        // known to a step only
        let warped = world.model().matter().iter().any(|m| !m.traits().has_energy);
        // warped forces have no energy, so that accounts of the best of integrators do not close
        let small = if warped { GAIN_TO_DOUBT } else { DRIFT_TO_DOUBT };
        let now = if moment == Moment::End { small } else { GAIN_TO_DOUBT };
        let gains = [(self.drift(world), now), (largest_gain, GAIN_TO_DOUBT)];
        let strays = [((largest_drift - self.leap).max(0.0), small); 2];
        let judged = if method.dissipates { gains } else { strays };
        let shorter = match method.bound_by_stability {
            true => " (or a smaller `safety` with step = \"auto\")",
            false => "",
        };
        // what is mere rounding is no drift
        let scale = driven.max(world.model().rounding_energy());
        let (drift, _) = judged.into_iter().find(|(drift, part)| drift.is_nan() || *drift > part * scale)?;
        Some(format!(
            "the total energy strayed by {drift:.2e} J, {:.0} % of what drove the bodies ({scale:.2e} J): use a shorter step{shorter}, \
             damping, or loads that grow over some time",
            100.0 * drift / scale
        ))
    }

    fn unbalanced(&self, world: &World) -> Option<String> {
        let Watched { unbalanced, worst_balance, .. } = self.watched;
        let tolerance = world.integrator().traits().newton.filter(|_| unbalanced > 0)?;
        Some(format!(
            "in {unbalanced} of {} steps forces balance to a relative residual of {worst_balance:.1e} only, where {tolerance:.1e} is asked for: use a \
             shorter step, `poisson` farther from 0.5, or a place nearer to the origin",
            world.state().step
        ))
    }

    fn unsolved(&self, world: &World) -> Option<String> {
        let Watched { unsolved, worst_unsolved, .. } = self.watched;
        let warped = world.model().matter().iter().any(|m| !m.traits().has_energy);
        let by_factor = world.scheme().linear_solver(world.model()) == LinearSolver::Direct;
        let other = match (warped, by_factor) {
            (true, _) => " or law = \"corotated\"",
            (false, true) => ", or `poisson` farther from 0.5",
            (false, false) => ", or solver = \"direct\"",
        };
        (unsolved > 0).then(|| {
            format!(
                "in {unsolved} of {} steps the linear equations were not solved to their tolerance (largest residual {worst_unsolved:.1e}): use a \
                 shorter step{other}",
                world.state().step
            )
        })
    }

    fn unsound(&self) -> Option<String> {
        let count = self.watched.unsound_frames;
        (count > 0).then(|| {
            format!("in {count} frames a stress or an energy is not a finite number: elements are pressed flat, or values are far too large")
        })
    }

    /// Doubts and remarks about bodies that have or had elements inside out.
    fn inside_out(&self, world: &World) -> (Vec<String>, Vec<String>) {
        let (mut doubts, mut remarks) = (Vec::new(), Vec::new());
        let (model, state) = (world.model(), world.state());
        let full = model.full_state(state);
        let now = model.fields(&full);
        for (index, body) in model.layout().bodies().iter().enumerate() {
            let (most, time) = self.most_inverted(index);
            let inverted = now[index].inverted();
            let told = model.matter()[index].traits().inside_out;
            if inverted == 0 && (most == 0 || told.is_passing()) {
                continue;
            }
            let (count, name) = (body.mesh.cell_count(), &body.name);
            let worst = model.worst_element(&full, Some(index)).filter(|_| inverted > 0);
            let place = worst.map_or(String::new(), |w| {
                let [x, y, z] = w.place;
                format!("; the most strained is element {} at ({x:.4}, {y:.4}, {z:.4}) m", w.cell)
            });
            let seen = match inverted {
                0 => {
                    format!("{most} of {count} elements of body `{name}` were inside out at t = {time:.4} s")
                }
                _ => format!(
                    "{inverted} of {count} elements of body `{name}` are inside out at the end{place}"
                ),
            };
            let help = format!(
                "this is no state of real matter; use {}stiffer matter, gentler loads, or a finer mesh",
                advice::other_law(told)
            );
            match told {
                InsideOut::Unseen => remarks.push(format!("{seen}: {help}")),
                _ if self.allowed[index] => remarks.push(format!("{seen}: {help}")),
                _ => doubts.push(format!("{seen}: {help}; where that is what the scene shows, inside_out = \"allowed\" in [body.{name}]")),
            }
        }
        (doubts, remarks)
    }
}

/// What a start is short of in kinetic energy as the integrator has it from the first step on, J.
fn first_leap(world: &World) -> f64 {
    let (model, start) = (world.model(), world.state());
    let kinetic = |state: &State| world.scheme().energy(model, state).kinetic;
    (kinetic(&State { step: start.step.max(1), ..start.clone() }) - kinetic(start)).max(0.0)
}

/// Says if stresses or energies of the last state are no finite numbers.
fn values_at_the_end(world: &World) -> Option<String> {
    let model = world.model();
    let fields = model.fields(&model.full_state(world.state()));
    let finite = |f: &BodyFields| f.von_mises.iter().chain(&f.energy_density).all(|value| value.is_finite());
    let bad = fields.iter().position(|f| !finite(f))?;
    Some(format!(
        "a stress or an energy of body `{}` is not a finite number at the end: elements are pressed flat, or values are far too large",
        model.layout().bodies()[bad].name
    ))
}

/// Bodies that have gone where doubles do not tell their shape.
fn far_bodies(world: &World) -> Vec<String> {
    let x = &world.state().x;
    let far = |body: &pliant_solid::Body| {
        let place = x.get(3 * body.nodes.start as usize..)?.first_chunk::<3>()?;
        let distance = place.iter().fold(0.0_f64, |most, c| most.max(c.abs()));
        (distance > FARTHEST * body.extent).then(|| {
            format!(
                "body `{}` has gone {distance:.1e} m from the origin, where positions are rounded to {:.1e} m: let it go less far",
                body.name,
                f64::EPSILON * distance
            )
        })
    };
    world.model().layout().bodies().iter().filter_map(far).collect()
}
