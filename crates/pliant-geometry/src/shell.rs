//! Shells: surface triangles joined over edges that exactly two of them share, and how they must be turned to agree.
//!
//! Two triangles agree if they run along their edge in opposite directions. A flood from the lowest triangle of a shell tells which
//! others must be turned; if it meets a triangle that it would turn both ways the shell is one-sided (a Moebius strip). A shell without a
//! free edge encloses, with r any point,
//!
//! ```text
//! V = sum over triangles of det(a - r, b - r, c - r) / 6        positive if they face outward      (1)
//! ```

use crate::edge_table::EdgeTable;
use crate::mesh::Mesh;
use crate::vector::{det, sub};

/// One shell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shell {
    /// Its lowest triangle.
    pub first: u32,
    /// How many triangles it has.
    pub triangles: usize,
    /// How many must be turned to agree with the first.
    pub turned: usize,
    /// Every edge has exactly two triangles.
    pub closed: bool,
    /// An edge has more than two triangles.
    pub forked: bool,
    /// No turning makes all agree.
    pub one_sided: bool,
    /// (1) with all triangles turned to agree with the first, m^3; of use if closed and not one-sided.
    pub volume: f64,
}

/// The shells of a mesh's triangles, in the order of their lowest triangles.
pub(crate) struct Shells {
    pub shells: Vec<Shell>,
    /// The shell of each triangle.
    pub of_triangle: Vec<u32>,
    /// Whether the triangle must be turned to agree with the first of its shell.
    pub turned: Vec<bool>,
}

/// What lies over an edge of a triangle.
#[derive(Clone, Copy)]
enum Link {
    /// Nothing.
    Free,
    /// More than one triangle.
    Fork,
    /// This triangle, and whether the two agree.
    Neighbour(u32, bool),
}

const NONE: u32 = u32::MAX;

impl Shells {
    /// Floods all triangles.
    pub fn of(mesh: &Mesh, edges: &EdgeTable) -> Self {
        let links = links(mesh, edges);
        let count = links.len();
        let mut all = Self { shells: Vec::new(), of_triangle: vec![NONE; count], turned: vec![false; count] };
        let mut waiting = Vec::new();
        for first in 0..count as u32 {
            if all.of_triangle[first as usize] == NONE {
                all.of_triangle[first as usize] = all.shells.len() as u32;
                waiting.push(first);
                let shell = all.flood(mesh, &links, &mut waiting);
                all.shells.push(shell);
            }
        }
        all
    }

    fn flood(&mut self, mesh: &Mesh, links: &[[Link; 3]], waiting: &mut Vec<u32>) -> Shell {
        let first = waiting[0];
        let reference = mesh.positions()[mesh.triangles()[first as usize][0] as usize];
        let mut shell = Shell {
            first,
            triangles: 0,
            turned: 0,
            closed: true,
            forked: false,
            one_sided: false,
            volume: 0.0,
        };
        while let Some(t) = waiting.pop() {
            let turned = self.turned[t as usize];
            shell.triangles += 1;
            shell.turned += usize::from(turned);
            let [a, b, c] = mesh.corners(&mesh.triangles()[t as usize]).map(|p| sub(p, reference));
            shell.volume += if turned { -det(a, b, c) } else { det(a, b, c) } / 6.0; // (1)
            for link in links[t as usize] {
                let Link::Neighbour(other, agree) = link else {
                    shell.closed = false;
                    shell.forked |= matches!(link, Link::Fork);
                    continue;
                };
                let wanted = turned == agree;
                if self.of_triangle[other as usize] == NONE {
                    self.of_triangle[other as usize] = self.shells.len() as u32;
                    self.turned[other as usize] = wanted;
                    waiting.push(other);
                }
                shell.one_sided |= self.turned[other as usize] != wanted;
            }
        }
        shell
    }
}

fn links(mesh: &Mesh, edges: &EdgeTable) -> Vec<[Link; 3]> {
    let mut links = vec![[Link::Free; 3]; mesh.triangles().len()];
    for (_, uses) in edges.edges() {
        match uses {
            [_] => {}
            [a, b] => {
                let agree = a.is_forward(mesh) != b.is_forward(mesh);
                links[a.triangle as usize][a.local as usize] = Link::Neighbour(b.triangle, agree);
                links[b.triangle as usize][b.local as usize] = Link::Neighbour(a.triangle, agree);
            }
            many => many.iter().for_each(|one| links[one.triangle as usize][one.local as usize] = Link::Fork),
        }
    }
    links
}
