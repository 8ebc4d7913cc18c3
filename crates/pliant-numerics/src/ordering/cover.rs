//! The fewest vertices that touch every edge of a bipartite graph.
//!
//! A largest matching by Hopcroft and Karp (phases of shortest augmenting paths), then Koenig:
//! let Z be what alternating paths reach from the unmatched left vertices; the left vertices
//! outside Z and the right ones inside are a cover as large as the matching, hence a smallest one.
//! Starting from the unmatched right vertices gives the other extreme of all smallest covers.
//! Source: [Zhuang 4.1.1.2], which uses Ford-Fulkerson.

const FREE: u32 = u32::MAX;

/// Edges from left vertices (rows) to right vertices (columns).
#[derive(Clone, Debug, Default)]
pub struct Bipartite {
    /// Where the edges of each left vertex start; one more than there are left vertices.
    pub start: Vec<u32>,
    /// Right ends.
    pub ends: Vec<u32>,
    /// Number of right vertices.
    pub right_count: usize,
}

/// A cover: whether each left and each right vertex is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    /// By left vertex.
    pub left: Vec<bool>,
    /// By right vertex.
    pub right: Vec<bool>,
}

/// A matching: the partner of each vertex, if it has one.
struct Matching {
    of_left: Vec<u32>,
    of_right: Vec<u32>,
}

impl Bipartite {
    fn left_count(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    fn edges(&self, left: usize) -> &[u32] {
        &self.ends[self.start[left] as usize..self.start[left + 1] as usize]
    }

    /// The same edges seen from the right.
    fn transposed(&self) -> Self {
        let mut start = vec![0_u32; self.right_count + 1];
        for &end in &self.ends {
            start[end as usize + 1] += 1;
        }
        for i in 0..self.right_count {
            start[i + 1] += start[i];
        }
        let mut next = start.clone();
        let mut ends = vec![0; self.ends.len()];
        for left in 0..self.left_count() {
            for &end in self.edges(left) {
                ends[next[end as usize] as usize] = left as u32;
                next[end as usize] += 1;
            }
        }
        Self { start, ends, right_count: self.left_count() }
    }

    /// The two extreme smallest covers: the one that leans to the right and the one that leans to the left.
    pub fn smallest_covers(&self) -> [Cover; 2] {
        let matching = self.largest_matching();
        let one = self.koenig(&matching);
        let swapped = Matching { of_left: matching.of_right, of_right: matching.of_left };
        let other = self.transposed().koenig(&swapped);
        [one, Cover { left: other.right, right: other.left }]
    }

    fn koenig(&self, matching: &Matching) -> Cover {
        let mut left = vec![true; self.left_count()];
        let mut right = vec![false; self.right_count];
        let mut stack: Vec<u32> =
            (0..self.left_count() as u32).filter(|&l| matching.of_left[l as usize] == FREE).collect();
        for &l in &stack {
            left[l as usize] = false;
        }
        while let Some(l) = stack.pop() {
            for &r in self.edges(l as usize) {
                if !right[r as usize] {
                    right[r as usize] = true;
                    let partner = matching.of_right[r as usize];
                    if partner != FREE && left[partner as usize] {
                        left[partner as usize] = false;
                        stack.push(partner);
                    }
                }
            }
        }
        Cover { left, right }
    }

    fn largest_matching(&self) -> Matching {
        let mut matching =
            Matching { of_left: vec![FREE; self.left_count()], of_right: vec![FREE; self.right_count] };
        // first come, first served finds most of it
        for l in 0..self.left_count() {
            if let Some(&r) = self.edges(l).iter().find(|&&r| matching.of_right[r as usize] == FREE) {
                matching.of_left[l] = r;
                matching.of_right[r as usize] = l as u32;
            }
        }
        let mut level = vec![FREE; self.left_count()];
        let mut next = vec![0_u32; self.left_count()];
        while self.layers(&matching, &mut level) {
            next.copy_from_slice(&self.start[..self.left_count()]);
            for l in 0..self.left_count() as u32 {
                if matching.of_left[l as usize] == FREE {
                    self.augment(l, &mut matching, &mut level, &mut next);
                }
            }
        }
        matching
    }

    /// Breadth-first layers of left vertices; true if some path ends at a free right vertex.
    fn layers(&self, matching: &Matching, level: &mut [u32]) -> bool {
        let mut queue = Vec::new();
        for l in 0..self.left_count() {
            level[l] = FREE;
            if matching.of_left[l] == FREE {
                level[l] = 0;
                queue.push(l as u32);
            }
        }
        let (mut found, mut head) = (false, 0);
        while let Some(&l) = queue.get(head) {
            head += 1;
            for &r in self.edges(l as usize) {
                let partner = matching.of_right[r as usize];
                if partner == FREE {
                    found = true;
                } else if level[partner as usize] == FREE {
                    level[partner as usize] = level[l as usize] + 1;
                    queue.push(partner);
                }
            }
        }
        found
    }

    /// Looks along the layers for an augmenting path, with a stack of its own: paths may be long.
    fn augment(&self, root: u32, matching: &mut Matching, level: &mut [u32], next: &mut [u32]) {
        let mut path = vec![root];
        while let Some(&l) = path.last() {
            let l = l as usize;
            if next[l] == self.start[l + 1] {
                level[l] = FREE; // a dead end for the whole phase
                path.pop();
                continue;
            }
            let partner = matching.of_right[self.ends[next[l] as usize] as usize];
            if partner == FREE {
                for &l in path.iter().rev() {
                    let r = self.ends[next[l as usize] as usize];
                    matching.of_left[l as usize] = r;
                    matching.of_right[r as usize] = l;
                    level[l as usize] = FREE; // paths of one phase share no vertex
                }
                return;
            }
            if level[partner as usize] != FREE && level[partner as usize] == level[l] + 1 {
                path.push(partner);
            } else {
                next[l] += 1;
            }
        }
    }
}
