//! From values of cells to values of nodes: the mean over the cells around a node, weighted by their volumes at rest.

use crate::mesh::Mesh;

/// Which cells count for which node, found once for values that are asked for again and again.
#[derive(Clone, Debug)]
pub struct NodeMeans {
    start: Vec<u32>,
    /// Cells around each node.
    cells: Vec<u32>,
    /// Of every cell of the mesh, m^3; zero for those that count for no node.
    volumes: Vec<f64>,
}

impl NodeMeans {
    /// Of some nodes of a mesh, in rising order.
    pub fn of(mesh: &Mesh, nodes: &[u32]) -> Self {
        let mut place = vec![u32::MAX; mesh.node_count()];
        (0..).zip(nodes).for_each(|(i, &node)| place[node as usize] = i);
        let touched =
            |cell: usize| mesh.cell_nodes(cell).iter().map(|n| place[*n as usize]).filter(|p| *p != u32::MAX);
        // how many cells each node has, then where they begin
        let mut start = vec![0_u32; nodes.len() + 1];
        for cell in 0..mesh.cell_count() {
            touched(cell).for_each(|p| start[p as usize + 1] += 1);
        }
        for p in 0..nodes.len() {
            start[p + 1] += start[p];
        }
        let mut next = start.clone();
        let mut cells = vec![0; start[nodes.len()] as usize];
        let mut volumes = vec![0.0; mesh.cell_count()];
        for cell in 0..mesh.cell_count() {
            for p in touched(cell) {
                cells[next[p as usize] as usize] = cell as u32;
                next[p as usize] += 1;
                volumes[cell] = mesh.cell_volume(cell);
            }
        }
        Self { start, cells, volumes }
    }

    /// Of all nodes of a mesh.
    pub fn of_all(mesh: &Mesh) -> Self {
        Self::of(mesh, &(0..mesh.node_count() as u32).collect::<Vec<_>>())
    }

    /// All cells that count for some node, maybe repeatedly.
    pub fn cells(&self) -> impl Iterator<Item = u32> {
        self.cells.iter().copied()
    }

    /// Appends the mean at every node; 0 at nodes without cells.
    pub fn extend(&self, of_cells: &[f64], out: &mut Vec<f64>) {
        let mean = |ends: &[u32]| {
            let (mut sum, mut whole) = (0.0, 0.0);
            for cell in &self.cells[ends[0] as usize..ends[1] as usize] {
                let volume = self.volumes[*cell as usize];
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
