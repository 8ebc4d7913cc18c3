//! Which free nodes couple in the matrices of a model, and in which order factors eliminate them.
//!
//! ```text
//! A_free = T^T A_all T,   x_all = T x_free                                                (1)
//! ```
//!
//! Terms assemble over all nodes; blocks of dependent nodes are then handed to their masters by (1). Found once for a
//! model, when an integrator first asks for it.

use std::sync::Arc;

use pliant_numerics::ordering::{Graph, Ordering, Permutation, PointCliques, fill, order};
use pliant_numerics::{BlockMatrix, BlockPattern, PatternBuilder, ScalarMatrix};

use crate::layout::Layout;
use crate::term::ForceTerm;

/// Patterns of the matrices of a model.
pub struct Structure {
    all: Arc<BlockPattern>,
    free: Arc<BlockPattern>,
    /// Block of all nodes, block of free nodes, weight; empty where no node depends on others.
    folds: Vec<(u32, u32, f64)>,
}

impl Structure {
    /// Of the terms of a model.
    pub(crate) fn new(layout: &Layout, terms: &[Arc<dyn ForceTerm>]) -> Self {
        let mut builder = PatternBuilder::new(layout.node_count());
        terms.iter().for_each(|t| t.pattern(&mut builder));
        let all = Arc::new(builder.build());
        let (free, folds) = folded(layout, &all);
        Self { all, free, folds }
    }

    /// Which nodes couple, dependent ones as nodes of their own.
    pub fn all(&self) -> &Arc<BlockPattern> {
        &self.all
    }

    /// Which free nodes couple.
    pub fn free(&self) -> &Arc<BlockPattern> {
        &self.free
    }

    /// Whether blocks have to be handed from dependent nodes to their masters.
    pub fn folds(&self) -> bool {
        !self.folds.is_empty()
    }

    /// (1): adds a matrix over all nodes to one over the free ones.
    pub fn fold(&self, all: &BlockMatrix, free: &mut BlockMatrix) {
        for &(from, to, weight) in &self.folds {
            let block = &mut free.blocks_mut()[to as usize];
            *block = *block + all.blocks()[from as usize].scale(weight);
        }
    }

    /// (1) for a matrix whose blocks are multiples of the identity.
    pub(crate) fn fold_scalar(&self, all: ScalarMatrix) -> ScalarMatrix {
        if !self.folds() {
            return all;
        }
        let mut values = vec![0.0; self.free.block_count()];
        for &(from, to, weight) in &self.folds {
            values[to as usize] += weight * all.values()[from as usize];
        }
        ScalarMatrix::from_values(Arc::clone(&self.free), values)
    }
}

/// The pattern of the free nodes, and where each block of `all` goes in it.
fn folded(layout: &Layout, all: &Arc<BlockPattern>) -> (Arc<BlockPattern>, Vec<(u32, u32, f64)>) {
    let (dependents, count) = (layout.dependents(), layout.free_count());
    if dependents.count() == 0 {
        return (Arc::clone(all), Vec::new());
    }
    let stands_for: Vec<_> =
        (0..layout.node_count() as u32).map(|n| dependents.stands_for(n, count)).collect();
    let mut builder = PatternBuilder::new(count);
    let mut pairs = Vec::new();
    for row in 0..all.row_count() {
        for (place, &column) in (all.row_start(row)..).zip(all.row(row)) {
            for (a, wa) in &stands_for[row] {
                for (b, wb) in &stands_for[column as usize] {
                    builder.pair(a, b);
                    pairs.push((place as u32, a, b, wa * wb));
                }
            }
        }
    }
    // the masters of a bone move together, whatever else they couple with
    for bone in layout.bones() {
        builder.clique(&bone.masters().collect::<Vec<_>>());
    }
    let free = Arc::new(builder.build());
    let place =
        |(from, a, b, weight): (u32, u32, u32, f64)| free.find(a, b).map(|to| (from, to as u32, weight));
    let folds = pairs.into_iter().filter_map(place).collect();
    (free, folds)
}

/// Masters of bones couple with all nodes around: eliminated last they fill least.
fn bones_last(layout: &Layout, order: Permutation) -> Permutation {
    if layout.bones().is_empty() {
        return order;
    }
    let of_bone = |node: &u32| layout.bones().iter().any(|bone| bone.masters().contains(node));
    let (masters, mut nodes): (Vec<u32>, Vec<u32>) = order.new_to_old().iter().partition(|n| of_bone(n));
    nodes.extend(masters);
    Permutation::from_new_to_old(nodes).unwrap_or(order)
}

/// The order in which factors eliminate the free nodes of a model.
pub struct Elimination {
    /// Free nodes.
    pub order: Vec<u32>,
    /// Numbers of a Cholesky factor in that order, nine a pair of nodes; dense parts store some per cent more.
    pub factor_numbers: u64,
    /// The squares of the blocks in its columns, summed: what its making goes with.
    pub pairs: f64,
}

/// Numbers of a factor that no step should need.
const TOO_MANY_NUMBERS: u64 = 1_000_000_000;

impl Elimination {
    /// Whether a factor fits where steps are to be quick.
    pub(crate) fn is_worth_a_factor(&self) -> bool {
        self.factor_numbers <= TOO_MANY_NUMBERS
    }
}

/// Nested dissection of the bodies' cells, dependent nodes replaced by their masters; of pairs that couple where there are no cells.
pub(crate) fn elimination(layout: &Layout, structure: &Structure) -> Elimination {
    let count = layout.free_count();
    let points: Vec<[f64; 3]> = (0..count as u32).map(|n| layout.rest_of(n)).collect();
    let (mut starts, mut members) = (vec![0], Vec::new());
    for body in layout.bodies() {
        for cell in 0..body.mesh.cell_count() {
            let first = members.len();
            for &node in body.mesh.cell_nodes(cell) {
                let stands_for = layout.dependents().stands_for(body.world[node as usize], count);
                members.extend(stands_for.nodes());
            }
            members[first..].sort_unstable();
            let mut unique = members.split_off(first);
            unique.dedup();
            members.extend(unique);
            starts.push(members.len() as u32);
        }
        let without_cells = if body.mesh.cell_count() == 0 { body.nodes.clone() } else { 0..0 };
        for row in without_cells {
            for &column in structure.free().row(row as usize).iter().filter(|c| **c > row) {
                members.extend([row, column]);
                starts.push(members.len() as u32);
            }
        }
    }
    match PointCliques::new(&points, &starts, &members) {
        Ok(cliques) => {
            let order = bones_last(layout, order(&cliques, Ordering::Default));
            let counts = fill::column_counts(&Graph::from_cliques(&cliques), &order);
            let factor_numbers = 9 * counts.iter().map(|&c| u64::from(c)).sum::<u64>();
            let pairs = counts.iter().map(|&c| f64::from(c).powi(2)).sum();
            Elimination { order: order.new_to_old().to_vec(), factor_numbers, pairs }
        }
        // any order is right, this one only slow
        Err(_) => Elimination { order: (0..count as u32).collect(), factor_numbers: 0, pairs: f64::INFINITY },
    }
}
