//! Who touches whom: cells of a node, neighbours of a node, connected parts, nodes of no cell.

use crate::mesh::Mesh;

/// The cells of each node, in rising order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeCells {
    offsets: Vec<usize>,
    cells: Vec<u32>,
}

/// The other nodes of each node's cells, in rising order: the pattern of a matrix over the nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeNeighbours {
    offsets: Vec<usize>,
    nodes: Vec<u32>,
}

/// Connected parts of a mesh; two cells are connected if they share a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Number of parts.
    pub count: usize,
    /// The part of each cell. Over nodes, part 0 has the most cells; equal ones in the order of their first cells.
    pub of_cell: Vec<u32>,
}

impl NodeCells {
    /// Reads the cells of every node from the mesh.
    pub fn of(mesh: &Mesh) -> Self {
        let mut offsets = vec![0; mesh.node_count() + 1];
        for c in 0..mesh.cell_count() {
            for &n in mesh.cell_nodes(c) {
                offsets[n as usize + 1] += 1;
            }
        }
        for n in 0..mesh.node_count() {
            offsets[n + 1] += offsets[n];
        }
        let mut next = offsets.clone();
        let mut cells = vec![0; offsets[mesh.node_count()]];
        for c in 0..mesh.cell_count() {
            for &n in mesh.cell_nodes(c) {
                cells[next[n as usize]] = c as u32;
                next[n as usize] += 1;
            }
        }
        Self { offsets, cells }
    }

    /// Cells of `node`.
    pub fn cells(&self, node: u32) -> &[u32] {
        &self.cells[self.offsets[node as usize]..self.offsets[node as usize + 1]]
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.offsets.len() - 1
    }
}

impl NodeNeighbours {
    /// Reads the neighbours of every node from the mesh.
    pub fn of(mesh: &Mesh) -> Self {
        let node_cells = NodeCells::of(mesh);
        let mut offsets = Vec::with_capacity(mesh.node_count() + 1);
        offsets.push(0);
        let mut nodes = Vec::new();
        let mut around = Vec::new();
        for n in 0..mesh.node_count() as u32 {
            around.clear();
            for &c in node_cells.cells(n) {
                around.extend(mesh.cell_nodes(c as usize).iter().filter(|&&m| m != n));
            }
            around.sort_unstable();
            around.dedup();
            nodes.extend_from_slice(&around);
            offsets.push(nodes.len());
        }
        Self { offsets, nodes }
    }

    /// Neighbours of `node`, without itself.
    pub fn neighbours(&self, node: u32) -> &[u32] {
        &self.nodes[self.offsets[node as usize]..self.offsets[node as usize + 1]]
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.offsets.len() - 1
    }
}

impl Parts {
    /// Number of cells of each part.
    pub fn cell_counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.count];
        for &part in &self.of_cell {
            counts[part as usize] += 1;
        }
        counts
    }
}

/// The connected parts of the mesh, largest first. Nodes of no cell belong to none.
pub fn connected_parts(mesh: &Mesh) -> Parts {
    parts_of(mesh.node_count(), mesh.cell_count(), |c| mesh.cell_nodes(c))
}

/// The connected parts of the surface triangles, largest first; `of_cell` is the part of each triangle.
pub fn connected_triangles(mesh: &Mesh) -> Parts {
    parts_of(mesh.node_count(), mesh.triangles().len(), |t| &mesh.triangles()[t])
}

fn parts_of<'a>(node_count: usize, count: usize, nodes_of: impl Fn(usize) -> &'a [u32]) -> Parts {
    let mut parent: Vec<u32> = (0..node_count as u32).collect();
    for c in 0..count {
        for pair in nodes_of(c).windows(2) {
            join(&mut parent, pair[0], pair[1]);
        }
    }
    let roots = (0..count).map(|c| root(&mut parent, nodes_of(c)[0])).collect::<Vec<_>>();
    numbered_by_size(&roots, node_count)
}

/// Parts of the elements with these roots: the largest first, equal ones as their first elements come.
fn numbered_by_size(roots: &[u32], root_count: usize) -> Parts {
    let mut part_of_root = vec![u32::MAX; root_count];
    let mut sizes: Vec<usize> = Vec::new();
    let mut of_cell = Vec::with_capacity(roots.len());
    for &root in roots {
        let part = &mut part_of_root[root as usize];
        if *part == u32::MAX {
            *part = sizes.len() as u32;
            sizes.push(0);
        }
        sizes[*part as usize] += 1;
        of_cell.push(*part);
    }
    // the sort is stable
    let mut order: Vec<u32> = (0..sizes.len() as u32).collect();
    order.sort_by_key(|&part| std::cmp::Reverse(sizes[part as usize]));
    let mut rank = vec![0; sizes.len()];
    for (place, &part) in order.iter().enumerate() {
        rank[part as usize] = place as u32;
    }
    for part in &mut of_cell {
        *part = rank[*part as usize];
    }
    Parts { count: sizes.len(), of_cell }
}

/// Nodes that no cell uses, in rising order.
pub fn orphan_nodes(mesh: &Mesh) -> Vec<u32> {
    let mut used = vec![false; mesh.node_count()];
    for c in 0..mesh.cell_count() {
        for &n in mesh.cell_nodes(c) {
            used[n as usize] = true;
        }
    }
    (0..mesh.node_count() as u32).filter(|&n| !used[n as usize]).collect()
}

/// Makes two trees one; the lower root stays a root.
pub(crate) fn join(parent: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(parent, a), root(parent, b));
    parent[a.max(b) as usize] = a.min(b);
}

/// The root of a member's tree, halving the path on the way.
pub(crate) fn root(parent: &mut [u32], mut member: u32) -> u32 {
    while parent[member as usize] != member {
        let above = parent[parent[member as usize] as usize];
        parent[member as usize] = above;
        member = above;
    }
    member
}
