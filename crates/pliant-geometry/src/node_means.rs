//! From values of cells to values of nodes: the mean over the cells around a node, weighted by their volumes at rest.

use crate::mesh::Mesh;

/// Which cells count for which node, found once for values that are asked for again and again.
#[derive(Clone, Debug)]
pub struct NodeMeans {
    start: Vec<u32>,
    /// Cells around each node with their volumes, m^3.
    cells: Vec<(u32, f64)>,
}

impl NodeMeans {
    /// Of some nodes of a mesh, in rising order.
    pub fn of(mesh: &Mesh, nodes: &[u32]) -> Self {
        let mut place = vec![u32::MAX; mesh.node_count()];
        (0..).zip(nodes).for_each(|(i, &node)| place[node as usize] = i);
        let mut around: Vec<Vec<(u32, f64)>> = vec![Vec::new(); nodes.len()];
        for cell in 0..mesh.cell_count() {
            let touched =
                || mesh.cell_nodes(cell).iter().map(|n| place[*n as usize]).filter(|p| *p != u32::MAX);
            if touched().next().is_some() {
                let volume = mesh.cell_volume(cell);
                touched().for_each(|p| around[p as usize].push((cell as u32, volume)));
            }
        }
        let mut out = Self { start: vec![0], cells: Vec::new() };
        for cells in around {
            out.cells.extend(cells);
            out.start.push(out.cells.len() as u32);
        }
        out
    }

    /// Of all nodes of a mesh.
    pub fn of_all(mesh: &Mesh) -> Self {
        Self::of(mesh, &(0..mesh.node_count() as u32).collect::<Vec<_>>())
    }

    /// All cells that count for some node, maybe repeatedly.
    pub fn cells(&self) -> impl Iterator<Item = u32> {
        self.cells.iter().map(|(cell, _)| *cell)
    }

    /// Appends the mean at every node; 0 at nodes without cells.
    pub fn extend(&self, of_cells: &[f64], out: &mut Vec<f64>) {
        let mean = |ends: &[u32]| {
            let (mut sum, mut whole) = (0.0, 0.0);
            for (cell, volume) in &self.cells[ends[0] as usize..ends[1] as usize] {
                sum += volume * of_cells[*cell as usize];
                whole += volume;
            }
            if whole > 0.0 { sum / whole } else { 0.0 }
        };
        out.extend(self.start.windows(2).map(mean));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoxElement, box_mesh};

    #[test]
    fn a_node_takes_the_mean_of_its_cells() {
        // three cells in a row, with values 1, 2, 4
        let mesh = box_mesh([3.0, 1.0, 1.0], [3, 1, 1], BoxElement::Hex).unwrap();
        let values = [1.0, 2.0, 4.0];
        let mut all = Vec::new();
        NodeMeans::of_all(&mesh).extend(&values, &mut all);
        for (x, mean) in mesh.positions().iter().zip(&all) {
            let expected = [1.0, 1.5, 3.0, 4.0][x[0].round() as usize];
            assert!((mean - expected).abs() < 1e-14, "{x:?}: {mean}");
        }
        let some: Vec<u32> = (0..mesh.node_count() as u32).step_by(3).collect();
        let mut few = Vec::new();
        NodeMeans::of(&mesh, &some).extend(&values, &mut few);
        assert!(some.iter().zip(&few).all(|(node, mean)| all[*node as usize] == *mean));
    }
}
