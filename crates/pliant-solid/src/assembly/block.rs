//! A block of elements side by side, and what no law is needed for: element by lane.
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

/// The points of a block as a law sees them.
pub struct Points<'a, P, Local> {
    /// H at each.
    pub h: &'a [Mat3<P>],
    /// Their weights.
    pub weight: &'a [P],
    /// What the law keeps per element.
    pub local: &'a Local,
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

    /// H at every point, from rows of positions.
    #[inline(always)]
    pub fn displacement_gradients<E: Element<N, Q>, const Q: usize>(&self, x: &[P::Row]) -> [Mat3<P>; Q] {
        let mut out = E::gradients(&self.gather(x));
        for (q, gradient) in out.iter_mut().enumerate() {
            *gradient = self.displacement_gradient(q, gradient);
        }
        out
    }

    /// The change of H at every point along rows of velocities or a direction.
    #[inline(always)]
    pub fn changes<E: Element<N, Q>, const Q: usize>(&self, along: &[P::Row]) -> [Mat3<P>; Q] {
        let mut out = E::gradients(&self.gather(along));
        for (q, change) in out.iter_mut().enumerate() {
            *change = *change * *self.inverse(q);
        }
        out
    }

    /// What a law makes of the points.
    #[inline(always)]
    pub fn at_points<E: Element<N, Q>, T, const Q: usize>(
        &self,
        x: &[P::Row],
        law: impl FnOnce(&Points<P, Local>) -> T,
    ) -> T {
        let h = self.displacement_gradients::<E, Q>(x);
        let weight: [P; Q] = std::array::from_fn(|q| self.weight(q));
        law(&Points { h: &h, weight: &weight, local: &self.local })
    }

    /// The gradients of the shape functions at every point.
    #[inline(always)]
    pub fn shape_gradients<E: Element<N, Q>, const Q: usize>(&self) -> [[[P; 3]; N]; Q] {
        let mut out = [[[P::splat(0.0); 3]; N]; Q];
        for (q, (xi, _)) in E::quadrature().into_iter().enumerate() {
            let (reference, inverse_transpose) = (E::shape_gradient(xi), self.inverse(q).transpose());
            for (g, reference) in out[q].iter_mut().zip(reference) {
                *g = inverse_transpose.mul_vec(reference.map(P::splat));
            }
        }
        out
    }

    /// -(w P J^-T): what the divergence turns into forces.
    #[inline(always)]
    pub fn force_flux(&self, q: usize, p: &Mat3<P>) -> Mat3<P> {
        p.mul_transpose(self.inverse(q)).scale(-self.weight(q))
    }
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
    let h = block.displacement_gradients::<E, Q>(x);
    let zero = P::splat(0.0);
    let below = |q: usize| zero - h[q].add_diagonal(P::splat(1.0)).determinant();
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
    let rates = block.changes::<E, Q>(v);
    rates.iter().fold(P::splat(0.0), |largest, rate| largest.max(rate.dot(rate)))
}
