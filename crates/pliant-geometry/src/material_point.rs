//! A point of the matter: a weighted set of nodes.
//!
//! ```text
//! p = sum_i w_i x_i,      a force f at it is w_i f on node i                                             (1)
//! ```
//!
//! Vertices of embedded surfaces, probes, the patch that a hand holds, hanging and tied nodes are all this. The weights of a point sum to
//! one, so that (1) moves with the matter and no force is lost. Up to eight nodes, a hexahedron's, lie in the point itself: it is made
//! and copied without allocation.

use smallvec::SmallVec;

/// Nodes that lie in the point itself.
const WITHIN: usize = 8;

/// A weighted set of nodes that stands for a point of the matter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaterialPoint(SmallVec<[(u32, f64); WITHIN]>);

impl MaterialPoint {
    /// A node itself.
    pub fn node(node: u32) -> Self {
        Self::from_iter([(node, 1.0)])
    }

    /// Nodes and weights, in their order.
    pub fn iter(&self) -> std::iter::Copied<std::slice::Iter<'_, (u32, f64)>> {
        self.0.iter().copied()
    }

    /// The nodes.
    pub fn nodes(&self) -> impl Iterator<Item = u32> {
        self.0.iter().map(|(node, _)| *node)
    }

    /// How many nodes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has no node.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The mean of a vector with three numbers per node (1).
    pub fn mean(&self, values: &[f64]) -> [f64; 3] {
        let entry = |c: usize| self.iter().map(|(n, w)| w * values[3 * n as usize + c]).sum();
        std::array::from_fn(entry)
    }

    /// Where it is when the nodes are at `positions`, m.
    pub fn position(&self, positions: &[[f64; 3]]) -> [f64; 3] {
        let entry = |c: usize| self.iter().map(|(n, w)| w * positions[n as usize][c]).sum();
        std::array::from_fn(entry)
    }

    /// Adds a force at the point to those on its nodes (1), in a vector with three numbers per node.
    pub fn spread(&self, force: [f64; 3], out: &mut [f64]) {
        for (node, weight) in self.iter() {
            let out = &mut out[3 * node as usize..][..3];
            (0..3).for_each(|c| out[c] += weight * force[c]);
        }
    }

    /// The same point by other numbers of its nodes.
    pub fn renumbered(&self, number: impl Fn(u32) -> u32) -> Self {
        self.iter().map(|(node, weight)| (number(node), weight)).collect()
    }

    /// A part of it: every weight times `part`.
    pub fn scaled(&self, part: f64) -> Self {
        self.iter().map(|(node, weight)| (node, part * weight)).collect()
    }

    /// With every node once, in rising order.
    pub fn merged(mut self) -> Self {
        self.0.sort_by_key(|(node, _)| *node);
        self.0.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                first.1 += later.1;
            }
            same
        });
        self
    }

    /// With weights that sum to one; `None` if what they sum to is not above zero.
    pub fn normalised(mut self) -> Option<Self> {
        let sum: f64 = self.iter().map(|(_, w)| w).sum();
        self.0.iter_mut().for_each(|(_, w)| *w /= sum);
        (sum > 0.0).then_some(self)
    }
}

impl FromIterator<(u32, f64)> for MaterialPoint {
    fn from_iter<I: IntoIterator<Item = (u32, f64)>>(weights: I) -> Self {
        Self(weights.into_iter().collect())
    }
}

impl From<u32> for MaterialPoint {
    fn from(node: u32) -> Self {
        Self::node(node)
    }
}

impl<const N: usize> From<[(u32, f64); N]> for MaterialPoint {
    fn from(weights: [(u32, f64); N]) -> Self {
        weights.into_iter().collect()
    }
}

impl Extend<(u32, f64)> for MaterialPoint {
    fn extend<I: IntoIterator<Item = (u32, f64)>>(&mut self, weights: I) {
        self.0.extend(weights);
    }
}

impl<'a> IntoIterator for &'a MaterialPoint {
    type Item = (u32, f64);
    type IntoIter = std::iter::Copied<std::slice::Iter<'a, (u32, f64)>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_of_a_force_is_that_of_its_shares() {
        let point = MaterialPoint::from([(2, 0.25), (0, 0.5), (2, 0.25)]);
        let (motion, force) = ([1.0, 2.0, 3.0, 0.0, 0.0, 0.0, -4.0, 5.0, 6.0], [7.0, -1.0, 0.5]);
        let mut shares = [0.0; 9];
        point.spread(force, &mut shares);
        let at_nodes: f64 = shares.iter().zip(motion).map(|(f, v)| f * v).sum();
        let at_point: f64 = point.mean(&motion).iter().zip(force).map(|(v, f)| v * f).sum();
        assert_eq!(at_nodes, at_point);
        assert_eq!(point.clone().merged(), MaterialPoint::from([(0, 0.5), (2, 0.5)]));
        assert_eq!(point.merged().mean(&motion), [-1.5, 3.5, 4.5]);
    }

    #[test]
    fn weights_are_made_to_sum_to_one_where_they_can() {
        let point = MaterialPoint::from([(1, 3.0), (4, 1.0)]);
        assert_eq!(point.normalised(), Some(MaterialPoint::from([(1, 0.75), (4, 0.25)])));
        assert_eq!(MaterialPoint::default().normalised(), None);
        assert_eq!(MaterialPoint::from([(1, 1.0), (2, -1.0)]).normalised(), None);
    }
}
