//! A block of elements side by side, and what the kernels compute on it.
//!
//! ```text
//! H_q = (sum_i x_i (x) grad N_i) J_q^-1 [- I]      flux_q = w_q P(H_q) J_q^-T            (1)
//! f_i = - sum_q flux_q grad N_i                                                          (2)
//! ```
//!
//! (2) is -R of [Zhuang 2.41] with [Zhuang 2.59] in the form that needs no 6 x 3N matrix. A relaxed shape F0
//! enters J^-1 F0^-1 and w det F0 and costs nothing: P = det(F0) P_law(F F0^-1) F0^-T.

use pliant_numerics::{Mat3, Pack};

use crate::element::Element;
use crate::law::Law;

/// Constant data of `P::WIDTH` elements.
#[derive(Clone)]
pub struct Block<P: Pack, Local, const N: usize, const S: usize> {
    /// Rows of the nodes.
    pub rows: [P::Index; N],
    /// Inverse Jacobian at each point; one for all points (`S` = 1) where the element is affine.
    pub inverse: [Mat3<P>; S],
    /// Weight at each point; zero in lanes that only pad.
    pub weight: [P; S],
    /// What the law keeps per element.
    pub local: Local,
}

impl<P: Pack, Local, const N: usize, const S: usize> Block<P, Local, N, S> {
    /// Inverse Jacobian at a point.
    #[inline(always)]
    pub fn inverse(&self, q: usize) -> &Mat3<P> {
        &self.inverse[if S == 1 { 0 } else { q }]
    }

    /// Weight at a point.
    #[inline(always)]
    pub fn weight(&self, q: usize) -> P {
        self.weight[if S == 1 { 0 } else { q }]
    }

    /// Nodal values of the block's elements.
    #[inline(always)]
    pub fn gather(&self, rows: &[P::Row]) -> [[P; 3]; N] {
        // SAFETY: row numbers were made by `Partition::new` or `Elements::chosen` for exactly these rows and are private.
        std::array::from_fn(|i| unsafe { P::gather(rows, &self.rows[i]) })
    }

    /// Adds nodal vectors.
    #[inline(always)]
    pub fn scatter_add(&self, rows: &mut [P::Row], values: &[[P; 3]; N]) {
        for (index, value) in self.rows.iter().zip(values) {
            // SAFETY: as in `gather`.
            unsafe { P::scatter_add(rows, index, *value) };
        }
    }

    /// H at a point, from the reference gradient of positions (displacements for short lanes).
    #[inline(always)]
    pub fn displacement_gradient(&self, q: usize, gradient: &Mat3<P>) -> Mat3<P> {
        let product = *gradient * *self.inverse(q);
        if P::SHORT { product } else { product.add_diagonal(P::splat(-1.0)) }
    }

    /// -(w P J^-T): what the divergence turns into forces.
    #[inline(always)]
    pub fn force_flux(&self, q: usize, p: &Mat3<P>) -> Mat3<P> {
        p.mul_transpose(self.inverse(q)).scale(-self.weight(q))
    }
}

/// Adds the forces of one block; returns the power lost to stiffness damping (zero without).
#[inline(always)]
pub fn force<E, M, P, const N: usize, const Q: usize, const S: usize, const RATE: bool>(
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
            flux[q] = block.force_flux(q, &law.first_piola(&h, &block.local)); // (1)
        }
    }
    block.scatter_add(f, &E::divergence(&flux)); // (2)
    power
}

/// Adds (k K + d D) times a direction (in `rows[1]`).
#[inline(always)]
pub fn tangent_apply<E, M, P, const N: usize, const Q: usize, const S: usize>(
    law: &M,
    (k, d): (f64, f64),
    block: &Block<P, M::Local, N, S>,
    [x, direction]: [&[P::Row]; 2],
    out: &mut [P::Row],
) where
    E: Element<N, Q>,
    M: Law<P>,
    P: Pack,
{
    let gradients = E::gradients(&block.gather(x));
    let changes = E::gradients(&block.gather(direction));
    let mut flux = gradients;
    for q in 0..Q {
        let h = block.displacement_gradient(q, &gradients[q]);
        let dh = changes[q] * *block.inverse(q);
        let dp = law.change(&law.tangent(&h, &block.local), &dh).scale(P::splat(-k));
        let viscous = law.viscous_piola(&h, &dh);
        // the minus of `force_flux` makes it +K, +D
        flux[q] = block.force_flux(q, &viscous.scale_add(P::splat(-d), &dp));
    }
    block.scatter_add(out, &E::divergence(&flux));
}

/// The element matrices of k K + d D, lane by lane: `[j][i]` is the 3x3 block of lanes in row i and column j. Symmetric, so only
/// i <= j is there. `DEFINITE`: by the law's definite tangent.
#[inline(always)]
pub fn tangent<E, M, P, const N: usize, const Q: usize, const S: usize, const DEFINITE: bool>(
    law: &M,
    (k, d): (f64, f64),
    block: &Block<P, M::Local, N, S>,
    x: &[P::Row],
) -> [[Mat3<P>; N]; N]
where
    E: Element<N, Q>,
    M: Law<P>,
    P: Pack,
{
    let gradients = E::gradients(&block.gather(x));
    let points = E::quadrature();
    let mut out = [[Mat3::zero(); N]; N];
    for q in 0..Q {
        let h = block.displacement_gradient(q, &gradients[q]);
        let tangent =
            if DEFINITE { law.definite_tangent(&h, &block.local) } else { law.tangent(&h, &block.local) };
        let reference = E::shape_gradient(points[q].0);
        let inverse_transpose = block.inverse(q).transpose();
        let g: [[P; 3]; N] = reference.map(|g| inverse_transpose.mul_vec(g.map(P::splat)));
        if d == 0.0 {
            let weight = block.weight(q) * P::splat(k);
            let prepared = g.map(|g| law.gradient(&tangent, g));
            for j in 0..N {
                for i in 0..=j {
                    let pair = law.block(&tangent, &prepared[i], &prepared[j]);
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
                let dp = law.change(&tangent, &dh).scale(P::splat(k));
                let dp = law.viscous_piola(&h, &dh).scale_add(P::splat(d), &dp).scale(block.weight(q));
                for (block, g) in out[j][..=j].iter_mut().zip(&g) {
                    let column = dp.mul_vec(*g);
                    (0..3).for_each(|r| block.0[r][c] = block.0[r][c] + column[r]);
                }
            }
        }
    }
    out
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

/// Evaluates energy and stress at the points of a block.
pub fn point_values<E, M, P, const N: usize, const Q: usize, const S: usize>(
    law: &M,
    block: &Block<P, M::Local, N, S>,
    x: &[P::Row],
) -> PointValues<P>
where
    E: Element<N, Q>,
    M: Law<P>,
    P: Pack,
{
    let gradients = E::gradients(&block.gather(x));
    let zero = P::splat(0.0);
    let mut out =
        PointValues { energy: zero, volume: zero, von_mises: zero, volume_ratio: [P::splat(1.0); 8] };
    for q in 0..Q {
        let h = block.displacement_gradient(q, &gradients[q]);
        let weight = block.weight(q);
        let stress = law.cauchy(&h, &law.first_piola(&h, &block.local));
        out.energy = out.energy + law.energy(&h, &block.local) * weight;
        out.volume = out.volume + weight;
        out.von_mises = out.von_mises + von_mises(&stress.symmetric_part()) * weight;
        out.volume_ratio[q] = h.add_diagonal(P::splat(1.0)).determinant();
    }
    out
}

/// Energy of a block alone, J.
#[inline(always)]
pub fn energy<E, M, P, const N: usize, const Q: usize, const S: usize>(
    law: &M,
    block: &Block<P, M::Local, N, S>,
    x: &[P::Row],
) -> P
where
    E: Element<N, Q>,
    M: Law<P>,
    P: Pack,
{
    let gradients = E::gradients(&block.gather(x));
    let mut sum = P::splat(0.0);
    for (q, gradient) in gradients.iter().enumerate() {
        let h = block.displacement_gradient(q, gradient);
        sum = sum + law.energy(&h, &block.local) * block.weight(q);
    }
    sum
}

/// The largest squared stiffening over the points of each element.
#[inline(always)]
pub fn stiffening_squared<E, M, P, const N: usize, const Q: usize, const S: usize>(
    law: &M,
    block: &Block<P, M::Local, N, S>,
    x: &[P::Row],
) -> P
where
    E: Element<N, Q>,
    M: Law<P>,
    P: Pack,
{
    let gradients = E::gradients(&block.gather(x));
    let mut largest = P::splat(0.0);
    for (q, gradient) in gradients.iter().enumerate() {
        largest = largest.max(law.stiffening_squared(&block.displacement_gradient(q, gradient)));
    }
    largest
}

/// The smallest det F over the points of each element.
#[inline(always)]
pub fn smallest_volume_ratio<E, P, Local, const N: usize, const Q: usize, const S: usize>(
    block: &Block<P, Local, N, S>,
    x: &[P::Row],
) -> P
where
    E: Element<N, Q>,
    P: Pack,
{
    let gradients = E::gradients(&block.gather(x));
    let zero = P::splat(0.0);
    let below = |q: usize| {
        zero - block.displacement_gradient(q, &gradients[q]).add_diagonal(P::splat(1.0)).determinant()
    };
    zero - (1..Q).fold(below(0), |most, q| most.max(below(q)))
}

/// The largest squared rate of F over the points of each element.
#[inline(always)]
pub fn rate_squared<E, P, Local, const N: usize, const Q: usize, const S: usize>(
    block: &Block<P, Local, N, S>,
    v: &[P::Row],
) -> P
where
    E: Element<N, Q>,
    P: Pack,
{
    let rates = E::gradients(&block.gather(v));
    let mut largest = P::splat(0.0);
    for (q, rate) in rates.iter().enumerate() {
        let rate = *rate * *block.inverse(q);
        largest = largest.max(rate.dot(&rate));
    }
    largest
}

/// sqrt(3/2 dev : dev) of a symmetric stress.
#[inline(always)]
fn von_mises<P: Pack>(stress: &Mat3<P>) -> P {
    let deviator = stress.add_diagonal(stress.trace() * P::splat(-1.0 / 3.0));
    (deviator.dot(&deviator) * P::splat(1.5)).sqrt()
}
