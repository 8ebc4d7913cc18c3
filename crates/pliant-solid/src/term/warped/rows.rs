//! The stiffness matrix of a body, row by row, four neighbours side by side.
//!
//! ```text
//! s_i = sum_j k_ij (R_i^T (x_j - x_i) - (X_j - X_i))                                       (1)
//! t_i = sum_j k_ij R_i^T (d_j - d_i)                                                       (2)
//! A_i = sum_j (x_j - x_i) (X_j - X_i)^T                                                    (3)
//! ```
//!
//! Rest positions are X. With R_j^T instead of R_i^T (1) is the sum of [Warp 13], as it is here that of [Warp 12]. Differences keep the digits of
//! small strains; they may stand for positions because the blocks of a row add up to zero. A row is filled up with the node itself, whose
//! differences vanish, and blocks of zeros.

use pliant_numerics::{BlockMatrix, F64x4, Mat3, Pack};

/// Four blocks of a row.
pub struct Pack4 {
    /// The neighbours, among the body's own nodes.
    pub columns: [u32; 4],
    /// k_ij.
    pub stiffness: Mat3<F64x4>,
    /// X_j - X_i, m.
    pub edge: [F64x4; 3],
}

/// The rows of all nodes of a body.
pub struct WarpRows {
    /// World number of each of the body's own nodes, ascending.
    pub nodes: Vec<u32>,
    packs: Vec<Pack4>,
    starts: Vec<u32>,
    /// Blocks of each row that are none of the filling.
    lengths: Vec<u32>,
}

impl WarpRows {
    /// Of the rows of `stiffness` that belong to `nodes` (ascending), with the rest positions of the world.
    pub fn new(nodes: Vec<u32>, stiffness: &BlockMatrix, rest: &[f64]) -> Self {
        let pattern = stiffness.pattern();
        let (mut packs, mut starts, mut lengths) = (Vec::new(), vec![0], Vec::new());
        for (own, &node) in nodes.iter().enumerate() {
            let row = pattern.row(node as usize);
            let first = pattern.row_start(node as usize);
            lengths.push(row.len() as u32);
            for (four, columns) in row.chunks(4).enumerate() {
                let column = |lane: usize| columns.get(lane).copied().unwrap_or(node);
                let entry = |lane: usize, r: usize, c: usize| {
                    let block = columns.get(lane).map(|_| &stiffness.blocks()[first + 4 * four + lane]);
                    block.map_or(0.0, |b| b.0[r][c])
                };
                let edge =
                    |lane: usize, c: usize| rest[3 * column(lane) as usize + c] - rest[3 * node as usize + c];
                packs.push(Pack4 {
                    columns: std::array::from_fn(|lane| {
                        nodes.binary_search(&column(lane)).unwrap_or(own) as u32
                    }),
                    stiffness: Mat3::from_fn(|r, c| F64x4::from_fn(|lane| entry(lane, r, c))),
                    edge: std::array::from_fn(|c| F64x4::from_fn(|lane| edge(lane, c))),
                });
            }
            starts.push(packs.len() as u32);
        }
        Self { nodes, packs, starts, lengths }
    }

    /// How many nodes the body has.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// How many packs all rows have.
    pub fn pack_count(&self) -> usize {
        self.packs.len()
    }

    /// The first pack of a row; its blocks are numbered from four times this on.
    pub fn first_pack(&self, node: usize) -> usize {
        self.starts[node] as usize
    }

    /// The packs of a row.
    #[inline(always)]
    pub fn packs(&self, node: usize) -> &[Pack4] {
        &self.packs[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// The numbers of the blocks of a row, each with its column.
    pub fn blocks(&self, node: usize) -> impl Iterator<Item = (usize, u32)> + '_ {
        let columns = self.packs(node).iter().flat_map(|pack| pack.columns);
        (4 * self.first_pack(node)..).zip(columns).take(self.lengths[node] as usize)
    }

    /// (1), or with `REST` false (2) with `x` for d; with `MIXED` the neighbours' rotations.
    #[inline(always)]
    pub fn sum<const MIXED: bool, const REST: bool>(
        &self,
        node: usize,
        x: &[[f64; 3]],
        rotations: &[Mat3<f64>],
    ) -> [f64; 3] {
        let back = Mat3::<F64x4>::splat(&rotations[node].transpose());
        let mut sum = [F64x4::splat(0.0); 3];
        for pack in self.packs(node) {
            let change = differences(x, node, &pack.columns);
            let mut turned =
                if MIXED { theirs(rotations, pack).mul_vec(change) } else { back.mul_vec(change) };
            if REST {
                turned = std::array::from_fn(|c| turned[c] - pack.edge[c]);
            }
            let force = pack.stiffness.mul_vec(turned);
            sum = std::array::from_fn(|c| sum[c] + force[c]);
        }
        sum.map(Pack::sum)
    }

    /// (3).
    #[inline(always)]
    pub fn moment(&self, node: usize, x: &[[f64; 3]]) -> Mat3<f64> {
        let mut sum = Mat3::<F64x4>::zero();
        for pack in self.packs(node) {
            let change = differences(x, node, &pack.columns);
            sum = Mat3::from_fn(|r, c| change[r].mul_add(pack.edge[c], sum.0[r][c]));
        }
        Mat3::from_fn(|r, c| sum.0[r][c].sum())
    }

    /// R_i k_ij R_i^T of a pack, with `MIXED` R_i k_ij R_j^T.
    #[inline(always)]
    pub fn warped<const MIXED: bool>(
        &self,
        node: usize,
        pack: &Pack4,
        rotations: &[Mat3<f64>],
    ) -> Mat3<F64x4> {
        let own = Mat3::<F64x4>::splat(&rotations[node]);
        let turned = own * pack.stiffness;
        if MIXED { turned * theirs(rotations, pack) } else { turned.mul_transpose(&own) }
    }
}

/// R_j^T of the neighbours in a pack.
#[inline(always)]
fn theirs(rotations: &[Mat3<f64>], pack: &Pack4) -> Mat3<F64x4> {
    let theirs = pack.columns.map(|j| &rotations[j as usize]);
    Mat3::from_fn(|r, c| F64x4::from_fn(|lane| theirs[lane].0[c][r]))
}

/// x_j - x_i of four neighbours.
#[inline(always)]
fn differences(x: &[[f64; 3]], node: usize, columns: &[u32; 4]) -> [F64x4; 3] {
    let (own, points) = (x[node], columns.map(|j| x[j as usize]));
    std::array::from_fn(|c| F64x4::from_fn(|lane| points[lane][c]) - F64x4::splat(own[c]))
}
