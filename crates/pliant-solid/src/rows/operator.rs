//! Springs as an operator beside A: products and lumps.

use pliant_numerics::Mat3;

use super::Rows;

impl Rows {
    /// Whether any spring resists now.
    pub(crate) fn resist(&self) -> bool {
        self.springs().any(|(_, stiffness)| stiffness != Mat3::zero())
    }

    /// Adds G S J times a motion of all unknowns, held ones too.
    pub fn multiply_add(&self, motion: &[f64], product: &mut [f64]) {
        for (group, stiffness) in self.springs() {
            let y = std::array::from_fn(|c| self.motion(group, c, |i| motion[i]));
            self.spread(group, stiffness.mul_vec(y), product);
        }
    }

    /// Calls `visit` with the nodes of all springs and what `held_matrix` puts there on the diagonal instead of G S J.
    pub(crate) fn for_each_lump(&self, mut visit: impl FnMut(u32, Mat3<f64>)) {
        for (group, stiffness) in self.springs() {
            let levers = self.levers(group);
            // (sum W x)^T S (sum W x) <= sum_i (sum_j |W_j| / |W_i|) x_i^T W_i^T S W_i x_i
            let sum: f64 = levers.iter().map(|(_, lever)| lever.norm()).sum();
            for (node, lever) in levers.iter().filter(|(_, lever)| lever.norm() > 0.0) {
                let turned = lever.transpose_mul(&(stiffness * *lever));
                visit(*node, turned.scale(sum / lever.norm()));
            }
        }
    }
}
