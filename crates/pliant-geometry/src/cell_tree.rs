//! A tree of boxes over the cells of a mesh, for many questions about points: which cell holds one, which is nearest.
//!
//! Cells are halved at the median of their centroids along the longest side of the box of these, down to four in a leaf. A question goes
//! into the nearer box first and leaves out boxes beyond the reach, which shrinks as cells are found. The tree depends on the mesh alone.

use crate::bounds::Bounds;
use crate::mesh::Mesh;
use crate::vector::Vec3;

/// Cells in a leaf, at most.
const LEAF: usize = 4;

/// See the [module](self).
pub(crate) struct CellTree {
    branches: Vec<Branch>,
    cells: Vec<u32>,
}

struct Branch {
    bounds: Bounds,
    kind: Kind,
}

enum Kind {
    /// First and end in `cells`.
    Leaf(u32, u32),
    /// The second half; the first one follows its parent.
    Fork(u32),
}

struct Item {
    cell: u32,
    bounds: Bounds,
}

impl CellTree {
    /// Over all cells.
    pub fn of(mesh: &Mesh) -> Self {
        let bounds = |c: u32| {
            let corners = mesh.cell_nodes(c as usize).iter().map(|&n| mesh.positions()[n as usize]);
            Bounds::of(corners).map(|bounds| Item { cell: c, bounds })
        };
        let mut items: Vec<Item> = (0..mesh.cell_count() as u32).filter_map(bounds).collect();
        let mut tree = Self { branches: Vec::new(), cells: Vec::new() };
        tree.grow(&mut items);
        tree
    }

    fn grow(&mut self, items: &mut [Item]) {
        let corners = items.iter().flat_map(|item| [item.bounds.min, item.bounds.max]);
        let Some(bounds) = Bounds::of(corners) else { return };
        let place = self.branches.len();
        let first = self.cells.len() as u32;
        self.branches.push(Branch { bounds, kind: Kind::Leaf(first, first) });
        if items.len() <= LEAF {
            self.cells.extend(items.iter().map(|item| item.cell));
            self.branches[place].kind = Kind::Leaf(first, self.cells.len() as u32);
            return;
        }
        let middles = Bounds::of(items.iter().map(|item| item.bounds.center()));
        let size = middles.map_or([0.0; 3], |bounds| bounds.size());
        let axis = (1..3).fold(0, |best, k| if size[k] > size[best] { k } else { best });
        // equal centroids by their cells, so that the halves do not depend on how the selection works
        let key = |item: &Item| (item.bounds.center()[axis], item.cell);
        items.select_nth_unstable_by(items.len() / 2, |a, b| {
            let (a, b) = (key(a), key(b));
            a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
        });
        let (low, high) = items.split_at_mut(items.len() / 2);
        self.grow(low);
        self.branches[place].kind = Kind::Fork(self.branches.len() as u32);
        self.grow(high);
    }

    /// Shows every cell whose box is within `reach` (m) of a point; `visit` gives the reach from there on.
    pub fn near(&self, point: Vec3, mut reach: f64, mut visit: impl FnMut(u32) -> f64) {
        let mut waiting = Vec::with_capacity(64);
        if let Some(root) = self.branches.first() {
            waiting.push((0, root.bounds.square_outside(point)));
        }
        while let Some((branch, square)) = waiting.pop() {
            // boxes that touch the reach count: equal distances are told apart by whoever asks
            if square > reach * reach {
                continue;
            }
            match self.branches[branch].kind {
                Kind::Leaf(first, end) => {
                    for &cell in &self.cells[first as usize..end as usize] {
                        reach = visit(cell);
                    }
                }
                Kind::Fork(second) => {
                    let halves = [branch + 1, second as usize];
                    let halves = halves.map(|half| (half, self.branches[half].bounds.square_outside(point)));
                    // the nearer one on top
                    let [low, high] = halves;
                    waiting.extend(if low.1 <= high.1 { [high, low] } else { [low, high] });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::{BoxElement, box_mesh};

    #[test]
    fn every_cell_within_reach_is_shown_once() {
        let mesh = box_mesh([1.0, 2.0, 1.0], [4, 6, 3], BoxElement::Tet5).unwrap();
        let tree = CellTree::of(&mesh);
        for (point, reach) in [([0.3, 0.4, 0.5], 0.0), ([0.3, 0.4, 0.5], 0.4), ([-1.0, 1.0, 3.0], 2.5)] {
            let mut shown = Vec::new();
            tree.near(point, reach, |cell| {
                shown.push(cell);
                reach
            });
            shown.sort_unstable();
            let near = |c: &u32| {
                let nodes = mesh.cell_nodes(*c as usize).iter().map(|&n| mesh.positions()[n as usize]);
                Bounds::of(nodes).is_some_and(|bounds| bounds.square_outside(point) <= reach * reach)
            };
            let all: Vec<u32> = (0..mesh.cell_count() as u32).collect();
            assert!(all.iter().filter(|c| near(c)).all(|c| shown.contains(c)), "{point:?}");
            assert!(shown.windows(2).all(|pair| pair[0] < pair[1]), "each once");
        }
    }
}
