//! A part of a graph that is ordered by itself, with its rim: the neighbours that come later.

use super::Graph;

/// Inner vertices are 0..inner, the rim follows; only inner vertices have rows.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// Numbers of the inner vertices in the whole graph.
    pub vertices: Vec<u32>,
    /// Number of vertices of the rim.
    pub rim: usize,
    start: Vec<u32>,
    links: Vec<u32>,
}

/// A connected part of a region, and what its vertices (rim too) are called there.
pub(super) struct Part {
    pub region: Region,
    pub outer: Vec<u32>,
}

impl Part {
    /// The rim, in the numbers of the region around.
    pub fn rim(&self) -> &[u32] {
        &self.outer[self.region.inner()..]
    }
}

impl Region {
    /// The whole graph; its rim is empty.
    pub fn whole(graph: &Graph) -> Self {
        let count = graph.vertex_count() as u32;
        let mut start = vec![0];
        let mut links = Vec::with_capacity(2 * graph.edge_count());
        for vertex in 0..count {
            links.extend_from_slice(graph.neighbors(vertex));
            start.push(links.len() as u32);
        }
        Self { vertices: (0..count).collect(), rim: 0, start, links }
    }

    /// Number of inner vertices.
    pub fn inner(&self) -> usize {
        self.vertices.len()
    }

    /// Number of vertices with the rim.
    pub fn total(&self) -> usize {
        self.inner() + self.rim
    }

    /// Neighbours of an inner vertex, rim included.
    pub fn links(&self, vertex: usize) -> &[u32] {
        &self.links[self.start[vertex] as usize..self.start[vertex + 1] as usize]
    }

    /// The connected parts that are left when the separator is taken out.
    pub fn parts(&self, separates: impl Fn(usize) -> bool) -> Vec<Part> {
        let mut seen: Vec<bool> = (0..self.inner()).map(separates).collect();
        let mut name = vec![u32::MAX; self.total()];
        let mut parts = Vec::new();
        for seed in 0..self.inner() {
            if !seen[seed] {
                seen[seed] = true;
                let mut members = vec![seed as u32];
                let mut head = 0;
                while let Some(&vertex) = members.get(head) {
                    head += 1;
                    for &other in self.links(vertex as usize) {
                        if (other as usize) < self.inner() && !seen[other as usize] {
                            seen[other as usize] = true;
                            members.push(other);
                        }
                    }
                }
                // ascending, so that the result does not depend on the way of the search
                members.sort_unstable();
                parts.push(self.part(members, &mut name));
            }
        }
        parts
    }

    /// The part of the given vertices; `name` is all `MAX` before and after.
    fn part(&self, members: Vec<u32>, name: &mut [u32]) -> Part {
        let inner = members.len();
        let mut outer = members;
        for (new, &old) in outer.iter().enumerate() {
            name[old as usize] = new as u32;
        }
        let mut start = Vec::with_capacity(inner + 1);
        let mut links = Vec::new();
        start.push(0);
        for vertex in 0..inner {
            for &other in self.links(outer[vertex] as usize) {
                if name[other as usize] == u32::MAX {
                    name[other as usize] = outer.len() as u32;
                    outer.push(other);
                }
                links.push(name[other as usize]);
            }
            start.push(links.len() as u32);
        }
        for &old in &outer {
            name[old as usize] = u32::MAX;
        }
        let vertices = outer[..inner].iter().map(|&v| self.vertices[v as usize]).collect();
        Part { region: Region { vertices, rim: outer.len() - inner, start, links }, outer }
    }
}
