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
    /// Where the neighbours on the rim start within a row.
    rim_start: Vec<u32>,
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
        let rim_start = start[1..].to_vec();
        Self { vertices: (0..count).collect(), rim: 0, start, rim_start, links }
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

    /// Neighbours of an inner vertex that are inner ones.
    pub fn inner_links(&self, vertex: usize) -> &[u32] {
        &self.links[self.start[vertex] as usize..self.rim_start[vertex] as usize]
    }

    /// Neighbours of an inner vertex on the rim.
    pub fn rim_links(&self, vertex: usize) -> &[u32] {
        &self.links[self.rim_start[vertex] as usize..self.start[vertex + 1] as usize]
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
                    for &other in self.inner_links(vertex as usize) {
                        if !seen[other as usize] {
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
        let mut rim_start = Vec::with_capacity(inner);
        let mut links = Vec::with_capacity(outer.iter().map(|&v| self.links(v as usize).len()).sum());
        start.push(0);
        for vertex in 0..inner {
            let row = self.links(outer[vertex] as usize);
            // inner vertices have names below the number of them; the rest gets a name when first met
            links.extend(row.iter().map(|&v| name[v as usize]).filter(|&n| (n as usize) < inner));
            rim_start.push(links.len() as u32);
            for other in row.iter().copied() {
                let known = &mut name[other as usize];
                if *known == u32::MAX {
                    *known = outer.len() as u32;
                    outer.push(other);
                }
                if *known as usize >= inner {
                    links.push(*known);
                }
            }
            start.push(links.len() as u32);
        }
        for &old in &outer {
            name[old as usize] = u32::MAX;
        }
        let vertices = outer[..inner].iter().map(|&v| self.vertices[v as usize]).collect();
        Part { region: Region { vertices, rim: outer.len() - inner, start, rim_start, links }, outer }
    }
}
