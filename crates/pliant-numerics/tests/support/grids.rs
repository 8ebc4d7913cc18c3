//! Grids of points with cliques, and the counts published for them.
#![allow(dead_code, missing_docs)]

use pliant_numerics::ordering::{Graph, Ordering, Permutation, PointCliques, fill, order};

/// Points and cliques that own their data.
#[derive(Clone, Debug)]
pub struct Grid {
    pub points: Vec<[f64; 3]>,
    pub offsets: Vec<u32>,
    pub members: Vec<u32>,
}

impl Grid {
    /// Points i + nx (j + ny k) at whole coordinates, without cliques.
    fn points(n: [usize; 3]) -> Self {
        let points = (0..n.iter().product())
            .map(|v: usize| [v % n[0], v / n[0] % n[1], v / n[0] / n[1]].map(|x| x as f64))
            .collect();
        Self { points, offsets: vec![0], members: Vec::new() }
    }

    pub fn push(&mut self, clique: &[u32]) {
        self.members.extend_from_slice(clique);
        self.offsets.push(self.members.len() as u32);
    }

    /// Couples with the neighbours right, behind and above only.
    pub fn five_point(n: [usize; 3]) -> Self {
        let mut grid = Self::points(n);
        let step = [1, n[0], n[0] * n[1]];
        for v in 0..grid.points.len() {
            for c in 0..3 {
                if grid.points[v][c] as usize + 1 < n[c] {
                    grid.push(&[v as u32, (v + step[c]) as u32]);
                }
            }
        }
        grid
    }

    /// A clique for each cell of eight points.
    pub fn hex(n: [usize; 3]) -> Self {
        Self::cells(n, &[[0, 1, 2, 3, 4, 5, 6, 7]])
    }

    /// Six tetrahedra a cell, all around the diagonal from corner 0 to corner 7.
    pub fn kuhn(n: [usize; 3]) -> Self {
        Self::cells(n, &[[0, 1, 3, 7], [0, 1, 5, 7], [0, 2, 3, 7], [0, 2, 6, 7], [0, 4, 5, 7], [0, 4, 6, 7]])
    }

    fn cells<const N: usize>(n: [usize; 3], cliques: &[[usize; N]]) -> Self {
        let mut grid = Self::points(n);
        for v in 0..grid.points.len() {
            if (0..3).all(|c| grid.points[v][c] as usize + 1 < n[c]) {
                let corner = |b: usize| v + (b & 1) + n[0] * ((b >> 1 & 1) + n[1] * (b >> 2));
                for clique in cliques {
                    grid.push(&clique.map(|b| corner(b) as u32));
                }
            }
        }
        grid
    }

    /// What is left of a grid of cells when the rows of the face x = 0 are replaced by the identity.
    pub fn clamped(n: [usize; 3]) -> Self {
        Self::hex([n[0] - 1, n[1], n[2]])
    }

    pub fn view(&self) -> PointCliques<'_> {
        PointCliques::new(&self.points, &self.offsets, &self.members).unwrap()
    }

    pub fn graph(&self) -> Graph {
        Graph::from_cliques(&self.view())
    }

    pub fn entries(&self, ordering: Ordering) -> u64 {
        fill::factor_entries(&self.graph(), &order(&self.view(), ordering))
    }

    pub fn fills(&self, ordering: Ordering) -> u64 {
        self.fills_of(&order(&self.view(), ordering))
    }

    pub fn fills_of(&self, order: &Permutation) -> u64 {
        fill::block_fills(&self.graph(), order)
    }
}

/// A row of data/fill_counts.csv: AMD and METIS 5 over five relabelings, the paper's columns of Table 4.1.
pub struct Published {
    pub test: usize,
    pub layers: [usize; 3],
    pub paper_simple: u64,
    pub paper_nested: u64,
    pub amd_median: u64,
    pub metis_median: u64,
    pub natural: u64,
}

pub fn published() -> Vec<Published> {
    let rows = include_str!("../../data/fill_counts.csv").lines().skip(1);
    rows.map(|line| {
        let f: Vec<usize> = line.split(',').map(|x| x.trim().parse().unwrap()).collect();
        Published {
            test: f[0],
            layers: [f[1], f[2], f[3]],
            paper_simple: f[7] as u64,
            paper_nested: f[8] as u64,
            amd_median: f[10] as u64,
            metis_median: f[12] as u64,
            natural: f[13] as u64,
        }
    })
    .collect()
}
