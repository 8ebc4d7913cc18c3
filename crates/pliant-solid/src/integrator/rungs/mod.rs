//! The factors of M + dt/2 D: one for every step length in use, or one for all of them.
//!
//! ```text
//! A(dt) = M + dt/2 (D_mass + D0),   rows and columns of held unknowns the identity           (1)
//! D_mass = alpha M for all bodies, D0 = 0:   A(dt) = (1 + alpha dt/2) M                      (2)
//! ```
//!
//! (1) is the matrix of [Zhuang 3.8], D0 what elements lose to velocities at a reference shape. Where (2) holds the factor of M serves
//! any step exactly; where D0 = 0 the matrix is a scalar one. A factor is a function of dt, the reference and what is held, all of which a
//! state knows: which ones are kept moves no bit.

mod scalar_factor;

use std::sync::Arc;

use pliant_numerics::{BlockCholesky, BlockMatrix, CholeskyError, MetricLanczos, ordered};

use scalar_factor::ScalarFactor;

use super::Inputs;
use super::held::for_each_held;
use crate::holding::Holding;
use crate::model::Model;
use crate::solver_memory::LadderMemory;
use crate::state::State;
use crate::term::At;
use crate::workspace::Workspace;

/// Factors that are kept; the one that was not used for longest makes room.
const ROOM: usize = 4;
/// Rungs that are factored before the first step ("no more than 3" [Zhuang 4.2]), if they fit into so many numbers.
pub(super) const PREPARED: u32 = 3;
const PREPARED_LENGTH: usize = 1 << 25;

/// Which of (1) and (2) a model needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Damping {
    /// (2), with its alpha.
    Alike(f64),
    /// (1) without D0.
    ByMass,
    /// (1).
    Full,
}

impl Damping {
    /// Of a model.
    pub fn of(model: &Model) -> Self {
        let mut rates = model.matter().iter().flat_map(|matter| matter.mass_dampings());
        let alpha = rates.next().unwrap_or(0.0);
        if model.terms().iter().any(|t| t.caps().rate && t.cell_body().is_some()) {
            Self::Full
        } else if rates.all(|rate| rate == alpha) {
            Self::Alike(alpha)
        } else {
            Self::ByMass
        }
    }
}

/// See the [module](self).
pub(crate) struct Rungs {
    damping: Damping,
    /// Whether D0 changes with the shape.
    pub varies: bool,
    pub held: Vec<bool>,
    wanted: Vec<bool>,
    /// How often `held` and D0 have changed: factors know what they were made for.
    stamp: [u64; 2],
    mass: ScalarFactor,
    mass_stamp: Option<u64>,
    viscosity: Option<Viscosity>,
    slots: Vec<Slot>,
    clock: u64,
    pub lanczos: Option<MetricLanczos>,
    /// Forces that accelerate, N.
    pub right: Vec<f64>,
    pub solution: Vec<f64>,
    pub product: Vec<f64>,
}

/// D0, and the sums that are factored.
struct Viscosity {
    all: Option<BlockMatrix>,
    matrix: BlockMatrix,
    sum: BlockMatrix,
    reference: Option<u64>,
    /// Velocities of nothing that moves.
    still: Vec<f64>,
}

struct Slot {
    dt: f64,
    stamp: Option<[u64; 2]>,
    used: u64,
    factor: Factor,
}

enum Factor {
    Scalar(ScalarFactor),
    Block(Box<BlockCholesky>),
}

impl Rungs {
    /// For a model, without factors.
    pub fn new(model: &Model) -> Result<Self, CholeskyError> {
        let damping = Damping::of(model);
        let structure = model.structure();
        let unknowns = vec![0.0; 3 * model.layout().free_count()];
        let viscosity = (damping == Damping::Full).then(|| Viscosity {
            all: structure.folds().then(|| BlockMatrix::zero(Arc::clone(structure.all()))),
            matrix: BlockMatrix::zero(Arc::clone(structure.free())),
            sum: BlockMatrix::zero(Arc::clone(structure.free())),
            reference: None,
            still: unknowns.clone(),
        });
        let linear = |body: usize| model.matter()[body].traits().small_strain;
        Ok(Self {
            damping,
            varies: model.terms().iter().any(|t| t.caps().rate && t.cell_body().is_some_and(|b| !linear(b))),
            held: vec![false; unknowns.len()],
            wanted: vec![false; unknowns.len()],
            stamp: [0; 2],
            mass: ScalarFactor::new(model)?,
            mass_stamp: None,
            viscosity,
            slots: Vec::new(),
            clock: 0,
            lanczos: None,
            right: unknowns.clone(),
            solution: unknowns.clone(),
            product: unknowns,
        })
    }

    /// Whether a step of any length costs no new factor.
    pub fn serves_any_step(&self) -> bool {
        matches!(self.damping, Damping::Alike(_))
    }

    /// Whether there is a D0.
    pub fn has_viscosity(&self) -> bool {
        self.viscosity.is_some()
    }

    /// Notes which unknowns are held.
    pub fn hold(&mut self, model: &Model, holding: &Holding, inputs: &Inputs) {
        // a node in no element has no equation
        for (wanted, mass) in self.wanted.chunks_exact_mut(3).zip(model.mass()) {
            wanted.fill(*mass <= 0.0);
        }
        let wanted = &mut self.wanted;
        for_each_held(model, holding, inputs, |dof| wanted[dof] = true);
        if self.wanted != self.held {
            self.held.copy_from_slice(&self.wanted);
            self.stamp[0] += 1;
        }
    }

    /// Takes D0 from the reference that a state knows.
    pub fn refer(&mut self, model: &Model, state: &State, memory: &LadderMemory, w: &mut Workspace) {
        let Some(own) = &mut self.viscosity else { return };
        if own.reference == Some(memory.reference_key) {
            return;
        }
        own.reference = Some(memory.reference_key);
        self.stamp[1] += 1;
        own.matrix.clear();
        let at = At { x: &memory.reference, v: &own.still, ..state.at() };
        match &mut own.all {
            None => w.assemble_viscosity(model, at, &mut own.matrix),
            Some(all) => {
                all.clear();
                w.assemble_viscosity(model, at, all);
                model.structure().fold(all, &mut own.matrix);
            }
        }
    }

    /// x . D0 x, W for velocities.
    pub fn power_of(&mut self, x: &[f64]) -> f64 {
        self.viscosity_times(x);
        ordered::dot(x, &self.product)
    }

    /// `product = D0 x`, where there is a D0.
    pub fn viscosity_times(&mut self, x: &[f64]) {
        match &self.viscosity {
            Some(own) => own.matrix.multiply_into(x, &mut self.product),
            None => self.product.fill(0.0),
        }
    }

    /// One row of M + d D_mass, held unknowns as any, times x.
    pub fn mass_row(&self, model: &Model, d: f64, node: usize, x: &[f64]) -> [f64; 3] {
        match model.inertia() {
            Some(inertia) => {
                let (mass, damping) = (inertia.mass.row_times(node, x), inertia.damping.row_times(node, x));
                std::array::from_fn(|c| d.mul_add(damping[c], mass[c]))
            }
            None => {
                let sum = d.mul_add(model.damping()[node], model.mass()[node]);
                std::array::from_fn(|c| sum * x[3 * node + c])
            }
        }
    }

    /// One row of D0 times x.
    pub fn viscosity_row(&self, node: usize, x: &[f64]) -> [f64; 3] {
        self.viscosity.as_ref().map_or([0.0; 3], |own| own.matrix.row_times(node, x))
    }

    /// Factors the first rungs below a largest step; fails where M or D0 is not as it should be.
    pub fn prepare(&mut self, model: &Model, largest: f64, count: u32) -> Result<(), CholeskyError> {
        if self.serves_any_step() {
            return self.factor_mass(model);
        }
        for i in 0..count {
            self.slot(model, largest * 0.5_f64.powi(i as i32))?;
            let length: usize = self.slots.iter().map(|slot| slot.factor.length()).sum();
            if length > PREPARED_LENGTH {
                break;
            }
        }
        Ok(())
    }

    fn factor_mass(&mut self, model: &Model) -> Result<(), CholeskyError> {
        if self.mass_stamp != Some(self.stamp[0]) {
            self.mass.factor(model, 0.0, &self.held)?;
            self.mass_stamp = Some(self.stamp[0]);
        }
        Ok(())
    }

    /// Solves with M; the right side is taken as zero where held.
    pub fn solve_mass(&mut self, model: &Model, right: &mut [f64]) -> Result<(), CholeskyError> {
        self.factor_mass(model)?;
        right.iter_mut().zip(&self.held).filter(|(_, held)| **held).for_each(|(r, _)| *r = 0.0);
        self.mass.solve(right);
        Ok(())
    }

    /// Turns `solution` from a right side, zero where held, into what (1) makes of it.
    pub fn solve(&mut self, model: &Model, dt: f64) -> Result<(), CholeskyError> {
        if let Damping::Alike(alpha) = self.damping {
            self.factor_mass(model)?;
            self.mass.solve(&mut self.solution);
            let inverse = 1.0 / (0.5 * dt).mul_add(alpha, 1.0); // (2)
            self.solution.iter_mut().for_each(|s| *s *= inverse);
            return Ok(());
        }
        let slot = self.slot(model, dt)?;
        match &mut self.slots[slot].factor {
            Factor::Scalar(factor) => factor.solve(&mut self.solution),
            Factor::Block(factor) => factor.solve_in_place(&mut self.solution),
        }
        Ok(())
    }

    /// The place of a factor of (1), made if it is not there.
    fn slot(&mut self, model: &Model, dt: f64) -> Result<usize, CholeskyError> {
        self.clock += 1;
        let found = self.slots.iter().position(|slot| slot.dt == dt);
        let place = match found {
            Some(place) => place,
            None => self.new_slot(model, dt)?,
        };
        let slot = &mut self.slots[place];
        slot.used = self.clock;
        if slot.dt != dt || slot.stamp != Some(self.stamp) {
            (slot.dt, slot.stamp) = (dt, None);
            let half = 0.5 * dt;
            match (&mut slot.factor, &mut self.viscosity) {
                (Factor::Scalar(factor), _) => factor.factor(model, half, &self.held)?,
                (Factor::Block(factor), Some(own)) => factor.factor(own.summed(model, half), &self.held)?,
                (Factor::Block(_), None) => {}
            }
            slot.stamp = Some(self.stamp);
        }
        Ok(place)
    }

    /// A slot without a factor: a new one while there is room, or the one that was not used for longest.
    fn new_slot(&mut self, model: &Model, dt: f64) -> Result<usize, CholeskyError> {
        let oldest = (0..self.slots.len()).min_by_key(|place| self.slots[*place].used);
        let made = if self.slots.len() < ROOM { Some(self.new_factor(model)) } else { None };
        match (made, oldest) {
            (Some(Ok(factor)), _) => {
                self.slots.push(Slot { dt, stamp: None, used: 0, factor });
                Ok(self.slots.len() - 1)
            }
            (_, Some(oldest)) => Ok(oldest),
            (Some(Err(error)), None) => Err(error),
            (None, None) => Err(CholeskyError::TooLarge),
        }
    }

    fn new_factor(&self, model: &Model) -> Result<Factor, CholeskyError> {
        let structure = model.structure();
        Ok(match self.damping {
            Damping::Full => {
                let factor = BlockCholesky::analyse(structure.free(), &model.elimination().order)?;
                Factor::Block(Box::new(factor))
            }
            Damping::Alike(_) | Damping::ByMass => Factor::Scalar(ScalarFactor::new(model)?),
        })
    }
}

impl Viscosity {
    /// (1) for half a step.
    fn summed(&mut self, model: &Model, half: f64) -> &BlockMatrix {
        let blocks = self.sum.blocks_mut().iter_mut().zip(self.matrix.blocks());
        blocks.for_each(|(sum, block)| *sum = block.scale(half));
        model.inertia_add(1.0, half, &mut self.sum);
        &self.sum
    }
}

impl Factor {
    fn length(&self) -> usize {
        match self {
            Self::Scalar(factor) => factor.length(),
            Self::Block(factor) => factor.factor_length(),
        }
    }
}
