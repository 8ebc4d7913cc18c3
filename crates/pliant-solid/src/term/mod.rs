//! Force terms: the homogeneous parts of the right-hand side.
//!
//! One dynamic call per term and evaluation, never per element. Elements, springs, warped bodies, loads and
//! grabs are terms; contact potentials will be.

mod beside;
pub mod grab;
mod load;
mod load_history;
pub mod warped;

pub(crate) use beside::Beside;
pub use grab::{Grab, GrabPath};
pub use load::{NodalForce, Pressure, face_areas};
pub use load_history::{LoadHistory, LoadScript};
pub use warped::Ghost;

use std::any::Any;

use pliant_numerics::{BlockMatrix, PatternBuilder};

/// Where a term is evaluated. Vectors hold three numbers per node, dependent nodes last.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// Time, s.
    pub time: f64,
    /// The part of all loads, gravity and grabs that acts: 1, but while statics brings them up.
    pub load: f64,
    /// Whether nothing moves, hands neither: statics.
    pub still: bool,
    /// Current positions, m.
    pub x: &'a [f64],
    /// Velocities, m/s: those of the time itself, but where explicit steps evaluate forces, that of the half step before.
    pub v: &'a [f64],
    /// Memory of terms with a history: all of it, or the part of the term that is asked.
    pub history: &'a [f64],
    /// Time since that was written, s: the step so far; 0 where a state is asked about itself, infinite in `static`, where all that relaxes has.
    pub since: f64,
}

/// What a term can do; integrators read it in `accepts`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caps {
    /// It has an energy whose gradient is its force.
    pub energy: bool,
    /// It can add its tangent.
    pub tangent: bool,
    /// Its tangent is symmetric.
    pub symmetric: bool,
    /// Its force depends on velocities.
    pub rate: bool,
    /// It keeps a history.
    pub history: bool,
}

/// Weights of stiffness K = -df/dx and damping D = -df/dv in a tangent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coeffs {
    /// Weight of K.
    pub k: f64,
    /// Weight of D.
    pub d: f64,
}

/// Memory a term writes while it is evaluated; made once by [`ForceTerm::new_scratch`].
pub type Scratch = Box<dyn Any + Send + Sync>;

/// Where forces go.
pub struct Scatter<'a> {
    /// Forces, N, three per node, dependent nodes last; terms add.
    pub force: &'a mut [f64],
    /// This term's own scratch.
    pub scratch: &'a mut Scratch,
    /// Where its memory at this state goes, as long as that of [`At`]; empty where nobody keeps it. What the last evaluation of a step that is
    /// accepted writes here is the history of the next.
    pub history: &'a mut [f64],
}

impl<'a> Scatter<'a> {
    /// Forces alone: nobody keeps what the term remembers.
    pub fn new(force: &'a mut [f64], scratch: &'a mut Scratch) -> Self {
        Self { force, scratch, history: &mut [] }
    }
}

/// What an evaluation of forces tells beside the forces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report {
    /// Power lost to rate-dependent forces, W.
    pub dissipated_power: f64,
    /// Power of forces from outside (loads and hands) at the velocities that the term saw, W.
    pub external_power: f64,
    /// Net force and torque that were removed because no matter makes them; sums over bodies.
    pub ghost: Ghost,
}

impl Report {
    /// Takes in what another term tells.
    pub(crate) fn join(&mut self, other: Self) {
        self.dissipated_power += other.dissipated_power;
        self.external_power += other.external_power;
        self.ghost.force += other.ghost.force;
        self.ghost.torque += other.ghost.torque;
    }
}

/// The time from now to an event, s; infinite where it has passed or is as good as now.
pub(crate) fn until(event: f64, time: f64) -> f64 {
    let left = event - time;
    if left > 1e-9 * event.abs() { left } else { f64::INFINITY }
}

/// Energy that crossed the border of the system during a step, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Exchange {
    /// Work done on the bodies.
    pub work: f64,
    /// Lost in the term's own damper.
    pub dissipated: f64,
}

impl Exchange {
    /// The same with so much more lost.
    pub(crate) fn lost(self, more: f64) -> Self {
        Self { dissipated: self.dissipated + more, ..self }
    }
}

/// The most deformed and the fastest deforming element.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Deformation {
    /// The largest stiffening, by the law's own measure.
    pub stiffening: f64,
    /// The largest norm of the rate of F, 1/s.
    pub rate: f64,
}

/// The element that looks worst when a step has failed.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstElement {
    /// Which body.
    pub body: usize,
    /// The element's number in the mesh file's order.
    pub cell: u32,
    /// Its centre in the last sound state, m.
    pub place: [f64; 3],
    /// The smallest volume ratio det F in it.
    pub volume_ratio: f64,
    /// Its energy density, J/m^3; not finite when the law has no answer.
    pub energy_density: f64,
}

/// Values per cell for output, in the mesh file's order.
pub struct CellFields<'a> {
    /// Von Mises equivalent of the Cauchy stress, Pa.
    pub von_mises: &'a mut [f64],
    /// Elastic energy per rest volume, J/m^3.
    pub energy_density: &'a mut [f64],
    /// Smallest det F over the quadrature points.
    pub volume_ratio: &'a mut [f64],
}

impl CellFields<'_> {
    /// Writes von Mises stress, energy density and volume ratio of one cell.
    pub(crate) fn write(&mut self, cell: u32, [von_mises, energy_density, volume_ratio]: [f64; 3]) {
        self.von_mises[cell as usize] = von_mises;
        self.energy_density[cell as usize] = energy_density;
        self.volume_ratio[cell as usize] = volume_ratio;
    }
}

/// One homogeneous part of the right-hand side.
///
/// Contract: evaluation allocates nothing, its bits do not depend on the number of threads, and
/// forces are the derivative of `energy` where `caps().energy` says so.
pub trait ForceTerm: Send + Sync {
    /// What the term can do.
    fn caps(&self) -> Caps;

    /// Announces which nodes couple.
    fn pattern(&self, out: &mut PatternBuilder);

    /// The scratch this term needs, allocated once per workspace.
    fn new_scratch(&self) -> Scratch {
        Box::new(())
    }

    /// Adds forces.
    fn force_add(&self, at: &At, out: &mut Scatter) -> Report;

    /// Adds (c.k K + c.d D) `direction` to `out.force`, or more where the term will stiffen: what stability is judged by.
    fn tangent_apply_add(&self, at: &At, c: Coeffs, direction: &[f64], out: &mut Scatter);

    /// Adds c.k K + c.d D.
    fn tangent_add(&self, at: &At, c: Coeffs, out: &mut BlockMatrix, scratch: &mut Scratch);

    /// Adds a matrix near to c.k K + c.d D that resists every motion, where the term has one.
    fn definite_tangent_add(&self, at: &At, c: Coeffs, out: &mut BlockMatrix, scratch: &mut Scratch) {
        self.tangent_add(at, c, out, scratch);
    }

    /// Stored energy, J.
    fn energy(&self, _at: &At) -> f64 {
        0.0
    }

    /// Energy exchanged with the outside between two states, by the trapezoidal rule; velocities are those
    /// that the forces were evaluated with.
    fn exchange(&self, _from: &At, _to: &At) -> Exchange {
        Exchange::default()
    }

    /// The sum of a load's forces at its full value on the shape at rest, N; `None` where the term is no load.
    fn full_load(&self, _rest: &[f64]) -> Option<[f64; 3]> {
        None
    }

    /// How far and how fast the elements are deformed; tells how far the matter is from the state in which the stable
    /// step was found.
    fn deformation(&self, _at: &At, _scratch: &mut Scratch) -> Deformation {
        Deformation::default()
    }

    /// The longest step from a time on that follows what the term's script does and ends where it jumps, s.
    fn resolution(&self, _time: f64) -> f64 {
        f64::INFINITY
    }

    /// The longest step that follows a script that never rests, s; unlike [`ForceTerm::resolution`] it does not shrink towards corners
    /// and jumps, so that explicit steps can stay equal.
    fn pace(&self, _time: f64) -> f64 {
        f64::INFINITY
    }

    /// The first time after another at which the force jumps, s; infinite where there is none.
    fn next_jump(&self, _time: f64) -> f64 {
        f64::INFINITY
    }

    /// Times at which the term begins or ceases to hold what it acts on, s.
    fn jumps(&self) -> Vec<f64> {
        Vec::new()
    }

    /// The smallest volume ratio det F of the term's elements: zero or below where one is inside out.
    fn smallest_volume_ratio(&self, _at: &At, _scratch: &mut Scratch) -> f64 {
        f64::INFINITY
    }

    /// The worst element of the term, looked for only when a step has failed.
    fn worst_element(&self, _at: &At) -> Option<WorstElement> {
        None
    }

    /// The body whose cells this term fills, if it has cells.
    fn cell_body(&self) -> Option<usize> {
        None
    }

    /// Writes the values of this term's cells.
    fn cell_fields(&self, _at: &At, _out: &mut CellFields) {}

    /// What [`ForceTerm::chosen_fields`] needs of the wanted cells.
    fn choose_cells(&self, _wanted: &dyn Fn(u32) -> bool) -> Scratch {
        Box::new(())
    }

    /// Writes the values of cells that this term was asked to choose, and no others.
    fn chosen_fields(&self, _at: &At, _chosen: &mut Scratch, _out: &mut CellFields) {}

    /// How many numbers of history the term keeps; they start at zero.
    fn history_length(&self) -> usize {
        0
    }
}
