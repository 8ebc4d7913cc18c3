//! What a law computes in a block, as objects: what is made of every law, and for what else.
//!
//! | kernels | made for every | because |
//! | --- | --- | --- |
//! | [`PointKernels`] | law and lane | a law sees H at points, not whose points they are |
//! | [`MatrixKernel`] | law, lane and number of nodes | gradients of all nodes are prepared side by side |
//! | [`ForceKernel`] | law, lane, element and kind of Jacobian | forces are most of an explicit step: H must not leave the registers |
//!
//! Everything else of a term knows no law. A law is asked once a part for forces and once a block for the rest.

use pliant_numerics::{Mat3, Pack};

use super::block::{Block, Points};
use crate::element::Element;
use crate::law::Law;

/// A law at points of any element.
pub trait PointKernels<P: Pack, Local>: Send + Sync {
    /// Elastic energy of a block, J.
    fn block_energy(&self, at: &Points<P, Local>) -> P;

    /// What output needs of a block.
    fn block_values(&self, at: &Points<P, Local>) -> PointValues<P>;

    /// The largest squared stiffening over the points.
    fn largest_stiffening_squared(&self, h: &[Mat3<P>]) -> P;

    /// Turns changes of H into those of -(k P + d P_viscous).
    fn stress_changes(&self, kd: (f64, f64), at: &Points<P, Local>, changes: &mut [Mat3<P>]);
}

/// A law between the nodes of elements.
pub trait MatrixKernel<P: Pack, Local, const N: usize>: PointKernels<P, Local> {
    /// The element matrices of k K + d D of a block, `gradients` those of the shape functions at each point: `[j][i]` is the
    /// 3x3 block of lanes in row i and column j. Symmetric, so only i <= j is written. `definite`: by the law's definite tangent.
    fn block_matrix(
        &self,
        kd: (f64, f64),
        definite: bool,
        at: &Points<P, Local>,
        gradients: &[[[P; 3]; N]],
        out: &mut [[Mat3<P>; N]; N],
    );
}

/// A law in blocks of one element; `E` is that element.
pub trait ForceKernel<E, P: Pack, Local, const N: usize, const Q: usize, const S: usize>:
    MatrixKernel<P, Local, N>
{
    /// Adds the forces of blocks; returns the power lost to stiffness damping (zero without). Velocities are read only with it.
    fn forces_add(
        &self,
        beta: f64,
        blocks: &[Block<P, Local, N, S>],
        rows: [&[P::Row]; 2],
        f: &mut [P::Row],
    ) -> P;
}

/// What output needs of one block: energy, von Mises stress, smallest volume ratio.
pub struct PointValues<P> {
    /// Elastic energy, J.
    pub energy: P,
    /// Rest volume, m^3 (weighted as the law sees it).
    pub volume: P,
    /// Volume-weighted von Mises stress, Pa m^3.
    pub von_mises: P,
    /// det F at each point.
    pub volume_ratio: [P; 8],
}

impl<P: Pack> PointValues<P> {
    /// The smallest volume ratio over `Q` points of a lane.
    pub fn smallest_ratio<const Q: usize>(&self, lane: usize) -> f64 {
        let ratios = self.volume_ratio[..Q].iter().map(|r| r.lane(lane));
        ratios.fold(f64::INFINITY, |least, r| if r.is_nan() { f64::NEG_INFINITY } else { least.min(r) })
    }

    /// Von Mises stress, energy density and smallest volume ratio of a lane with `Q` points.
    pub fn cell_values<const Q: usize>(&self, lane: usize) -> [f64; 3] {
        let volume = self.volume.lane(lane);
        let mean = |sum: P| sum.lane(lane) / volume;
        [mean(self.von_mises), mean(self.energy), self.smallest_ratio::<Q>(lane)]
    }
}

impl<P: Pack, M: Law<P>> PointKernels<P, M::Local> for M {
    fn block_energy(&self, at: &Points<P, M::Local>) -> P {
        let points = at.h.iter().zip(at.weight);
        points.fold(P::splat(0.0), |sum, (h, weight)| sum + self.energy(h, at.local) * *weight)
    }

    fn block_values(&self, at: &Points<P, M::Local>) -> PointValues<P> {
        let zero = P::splat(0.0);
        let mut out =
            PointValues { energy: zero, volume: zero, von_mises: zero, volume_ratio: [P::splat(1.0); 8] };
        for (q, (h, &weight)) in at.h.iter().zip(at.weight).enumerate() {
            let stress = self.cauchy(h, &self.first_piola(h, at.local));
            out.energy = out.energy + self.energy(h, at.local) * weight;
            out.volume = out.volume + weight;
            out.von_mises = out.von_mises + von_mises(&stress.symmetric_part()) * weight;
            out.volume_ratio[q] = h.add_diagonal(P::splat(1.0)).determinant();
        }
        out
    }

    fn largest_stiffening_squared(&self, h: &[Mat3<P>]) -> P {
        h.iter().fold(P::splat(0.0), |largest, h| largest.max(self.stiffening_squared(h)))
    }

    fn stress_changes(&self, (k, d): (f64, f64), at: &Points<P, M::Local>, changes: &mut [Mat3<P>]) {
        for (h, change) in at.h.iter().zip(changes) {
            let dp = self.change(&self.tangent(h, at.local), change).scale(P::splat(-k));
            let viscous = self.viscous_piola(h, change);
            *change = viscous.scale_add(P::splat(-d), &dp);
        }
    }
}

impl<P: Pack, M: Law<P>, const N: usize> MatrixKernel<P, M::Local, N> for M {
    fn block_matrix(
        &self,
        (k, d): (f64, f64),
        definite: bool,
        at: &Points<P, M::Local>,
        gradients: &[[[P; 3]; N]],
        out: &mut [[Mat3<P>; N]; N],
    ) {
        out.iter_mut().enumerate().for_each(|(j, column)| column[..=j].fill(Mat3::zero()));
        for ((h, &weight), g) in at.h.iter().zip(at.weight).zip(gradients) {
            let tangent =
                if definite { self.definite_tangent(h, at.local) } else { self.tangent(h, at.local) };
            if d == 0.0 {
                let weight = weight * P::splat(k);
                let prepared: [_; N] = std::array::from_fn(|i| self.gradient(&tangent, g[i]));
                for j in 0..N {
                    for i in 0..=j {
                        let pair = self.block(&tangent, &prepared[i], &prepared[j]);
                        out[j][i] = pair.scale_add(weight, &out[j][i]);
                    }
                }
                continue;
            }
            for j in 0..N {
                for c in 0..3 {
                    let mut axis = [P::splat(0.0); 3];
                    axis[c] = P::splat(1.0);
                    let dh = Mat3::dyad(axis, g[j]);
                    let dp = self.change(&tangent, &dh).scale(P::splat(k));
                    let dp = self.viscous_piola(h, &dh).scale_add(P::splat(d), &dp).scale(weight);
                    for (block, g) in out[j][..=j].iter_mut().zip(g) {
                        let column = dp.mul_vec(*g);
                        (0..3).for_each(|r| block.0[r][c] = block.0[r][c] + column[r]);
                    }
                }
            }
        }
    }
}

impl<E, P, M, const N: usize, const Q: usize, const S: usize> ForceKernel<E, P, M::Local, N, Q, S> for M
where
    E: Element<N, Q>,
    P: Pack,
    M: Law<P>,
{
    fn forces_add(
        &self,
        beta: f64,
        blocks: &[Block<P, M::Local, N, S>],
        rows: [&[P::Row]; 2],
        f: &mut [P::Row],
    ) -> P {
        match beta > 0.0 {
            true => blocks_forces_add::<E, M, P, N, Q, S, true>(self, beta, blocks, rows, f),
            false => blocks_forces_add::<E, M, P, N, Q, S, false>(self, beta, blocks, rows, f),
        }
    }
}

/// Adds the forces of blocks. A function of its own for each kind: in one, what the damped loop keeps on the stack slows the other by a quarter.
#[inline(never)]
fn blocks_forces_add<E, M, P, const N: usize, const Q: usize, const S: usize, const RATE: bool>(
    law: &M,
    beta: f64,
    blocks: &[Block<P, M::Local, N, S>],
    rows: [&[P::Row]; 2],
    f: &mut [P::Row],
) -> P
where
    E: Element<N, Q>,
    M: Law<P>,
    P: Pack,
{
    let mut power = P::splat(0.0);
    for block in blocks {
        power = power + force_add::<E, M, P, N, Q, S, RATE>(law, beta, block, rows, f);
    }
    power
}

/// Adds the forces of one block; returns the power lost to stiffness damping (zero without).
#[inline(always)]
fn force_add<E, M, P, const N: usize, const Q: usize, const S: usize, const RATE: bool>(
    law: &M,
    beta: f64,
    block: &Block<P, M::Local, N, S>,
    [x, v]: [&[P::Row]; 2],
    f: &mut [P::Row],
) -> P
where
    E: Element<N, Q>,
    M: Law<P>,
    P: Pack,
{
    let gradients = E::gradients(&block.gather(x));
    let mut power = P::splat(0.0);
    let mut flux = gradients;
    if RATE {
        let rates = E::gradients(&block.gather(v));
        for q in 0..Q {
            let h = block.displacement_gradient(q, &gradients[q]);
            let rate = rates[q] * *block.inverse(q);
            let viscous = law.viscous_piola(&h, &rate).scale(P::splat(beta));
            power = power + viscous.dot(&rate) * block.weight(q);
            flux[q] = block.force_flux(q, &(law.first_piola(&h, &block.local) + viscous));
        }
    } else {
        for q in 0..Q {
            let h = block.displacement_gradient(q, &gradients[q]);
            flux[q] = block.force_flux(q, &law.first_piola(&h, &block.local)); // (1) of `block`
        }
    }
    block.scatter_add(f, &E::divergence(&flux)); // (2) of `block`
    power
}

/// sqrt(3/2 dev : dev) of a symmetric stress.
#[inline(always)]
fn von_mises<P: Pack>(stress: &Mat3<P>) -> P {
    let deviator = stress.add_diagonal(stress.trace() * P::splat(-1.0 / 3.0));
    (deviator.dot(&deviator) * P::splat(1.5)).sqrt()
}
