//! Nodes without motion of their own: x = sum of weights times masters.
//!
//! ```text
//! x_d = sum_m w_m x_m      f_m += w_m f_d      mass_m += w_m mass_d                       (1)
//! ```
//!
//! Hanging nodes, attachments and the nodes of bones are all this. Gather fills them, scatter hands their forces to the masters,
//! so that work is the same on both sides; lumped mass goes to the masters by row sums, but where they are those of a bone, which has its inertia
//! as a whole (`rigid`).

use pliant_geometry::MaterialPoint;

/// All dependent nodes of a world, numbered after the free ones.
#[derive(Clone, Debug, Default)]
pub struct Dependents {
    start: Vec<u32>,
    masters: Vec<(u32, f64)>,
}

impl Dependents {
    /// From the masters (free nodes) and weights of each dependent node.
    ///
    /// # Panics
    /// If a master is not below `free_count`: chains are resolved by whoever makes the list.
    pub fn new(free_count: usize, nodes: &[MaterialPoint]) -> Self {
        let mut out = Self { start: vec![0], masters: Vec::new() };
        for masters in nodes {
            assert!(masters.nodes().all(|m| (m as usize) < free_count), "a master must be a free node");
            out.masters.extend(masters);
            out.start.push(out.masters.len() as u32);
        }
        out
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// What a node stands for: itself, or its masters with their weights; `free` is the number of free nodes.
    pub(crate) fn stands_for(&self, node: u32, free: usize) -> MaterialPoint {
        match (node as usize).checked_sub(free) {
            Some(dependent) => self.masters(dependent).iter().copied().collect(),
            None => MaterialPoint::node(node),
        }
    }

    /// Calls `visit` with the free nodes that a point stands for and their weights; a node may come more than once.
    pub(crate) fn for_each_free(&self, point: &MaterialPoint, free: usize, mut visit: impl FnMut(u32, f64)) {
        for (node, weight) in point {
            match (node as usize).checked_sub(free) {
                None => visit(node, weight),
                Some(dependent) => {
                    self.masters(dependent).iter().for_each(|(master, part)| visit(*master, weight * part));
                }
            }
        }
    }

    /// Whether a dependent node follows nodes of a range alone.
    pub fn follows(&self, dependent: usize, masters: std::ops::Range<u32>) -> bool {
        self.masters(dependent).iter().all(|(m, _)| masters.contains(m))
    }

    /// The free nodes that a dependent one follows, with their weights.
    pub(crate) fn masters(&self, dependent: usize) -> &[(u32, f64)] {
        &self.masters[self.start[dependent] as usize..self.start[dependent + 1] as usize]
    }

    /// Copies the free values and appends those of the dependents.
    pub fn fill(&self, free: &[f64], full: &mut [f64]) {
        let (head, tail) = full.split_at_mut(free.len());
        head.copy_from_slice(free);
        for (d, out) in tail.chunks_exact_mut(3).enumerate() {
            out.fill(0.0);
            for (master, weight) in self.masters(d) {
                let value = &free[3 * *master as usize..][..3];
                (0..3).for_each(|c| out[c] += weight * value[c]);
            }
        }
    }

    /// Hands the forces on dependents to their masters.
    pub fn hand_over(&self, force: &mut [f64]) {
        let free = force.len() - 3 * self.count();
        let (head, tail) = force.split_at_mut(free);
        for (d, force) in tail.chunks_exact(3).enumerate() {
            for (master, weight) in self.masters(d) {
                let out = &mut head[3 * *master as usize..][..3];
                (0..3).for_each(|c| out[c] += weight * force[c]);
            }
        }
    }
}
