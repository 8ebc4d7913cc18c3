//! [Zhuang Fig. 4.2]: the matrix of a grid after one dissection, and in the orders of nested dissection.
//!
//! A square grid of s x s points, one unknown each, coupled cell by cell. A layer of s points parts it (regular), or the two
//! layers of the cells that a plane cuts (simple):
//!
//! ```text
//! |M| = s (regular),  2 s (simple);   entries between left and right = 0                      (1)
//! ```

use pliant_numerics::ordering::{Graph, Permutation, Side, regular_sides, simple_sides};

use super::sparsity::{Matrix, matrices};
use super::zhuang_grids::{Grid, Method};
use super::{Entry, Figure, Reproduction};
use crate::CaseError;

/// The id.
pub const FIGURE: Figure = Figure {
    id: "zhuang-fig-4.2",
    title: "the matrix after one dissection, under regular and under simple modified nested dissection",
    make,
};

/// What is free to choose.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Points along each side of the square.
    pub side: usize,
}

impl Default for Setup {
    fn default() -> Self {
        Self { side: 17 }
    }
}

/// What one order of the grid gives.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Points in left, right and middle of the first dissection.
    pub blocks: [usize; 3],
    /// Entries that couple left with right.
    pub crossings: usize,
    /// Whether the middle has the last numbers.
    pub middle_is_last: bool,
    /// Entries of the factor below its diagonal that the matrix has not.
    pub fills: usize,
}

/// The grid under an order; its first dissection is regular's or simple's.
struct Dissected {
    graph: Graph,
    order: Permutation,
    sides: Vec<Side>,
}

/// Measures [`Method::Regular`] or [`Method::Simple`].
pub fn measure(method: Method, setup: Setup) -> Result<Measured, CaseError> {
    dissected(method, setup).map(|d| d.measured())
}

fn dissected(method: Method, Setup { side }: Setup) -> Result<Dissected, CaseError> {
    let grid = Grid::new([side, side, 1]);
    let sides = match method {
        Method::Regular => regular_sides(grid.layers),
        _ => simple_sides(&grid.view()?),
    };
    Ok(Dissected { graph: grid.graph()?, order: method.order(&grid)?, sides })
}

impl Dissected {
    fn measured(&self) -> Measured {
        let count = |side: Side| self.sides.iter().filter(|s| **s == side).count();
        let blocks = [Side::Left, Side::Right, Side::Separator].map(count);
        let of = |v: u32| self.sides[v as usize];
        let crossing = |v: u32| self.graph.neighbors(v).iter().filter(|w| of(**w) == Side::Right).count();
        let vertices = 0..self.graph.vertex_count() as u32;
        let last = &self.order.new_to_old()[self.order.len() - blocks[2]..];
        Measured {
            blocks,
            crossings: vertices.filter(|v| of(*v) == Side::Left).map(crossing).sum(),
            middle_is_last: last.iter().all(|v| of(*v) == Side::Separator),
            fills: self.fill_rows().iter().map(Vec::len).sum(),
        }
    }

    /// The rows of the matrix under an order, the diagonal included.
    fn rows(&self, order: &Permutation) -> Vec<Vec<u32>> {
        let row = |(new, old): (usize, &u32)| {
            let mut row = vec![new as u32];
            row.extend(self.graph.neighbors(*old).iter().map(|w| order.old_to_new()[*w as usize]));
            row
        };
        order.new_to_old().iter().enumerate().map(row).collect()
    }

    /// What elimination adds below the diagonal, row by row: the plain way, for small matrices.
    fn fill_rows(&self) -> Vec<Vec<u32>> {
        let size = self.order.len();
        let mut coupled = vec![vec![false; size]; size];
        for (row, columns) in self.rows(&self.order).iter().enumerate() {
            columns.iter().for_each(|c| coupled[row][*c as usize] = true);
        }
        let mut fills = vec![Vec::new(); size];
        for pivot in 0..size {
            let later: Vec<usize> = (pivot + 1..size).filter(|r| coupled[*r][pivot]).collect();
            for (i, &row) in later.iter().enumerate() {
                for &column in &later[..i] {
                    if !coupled[row][column] {
                        coupled[row][column] = true;
                        fills[row].push(column as u32);
                    }
                }
            }
        }
        fills
    }
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let setup = Setup::default();
    let (regular, simple) = (dissected(Method::Regular, setup)?, dissected(Method::Simple, setup)?);
    let (r, s) = (regular.measured(), simple.measured());
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Zhuang 2000, section 4.1.1, figure 4.2, page 62",
        claim: "After the first dissection two blocks are zero, since left and right are not coupled. Regular nested dissection gives \
                a matrix of fractal sparsity; so does the simple modified one, with a larger block M and wider wings. The paper \
                prints pictures, no numbers.",
        setup: format!(
            "{0} x {0} points, one unknown each, coupled cell by cell; blocks (regular) left {1}, right {2}, middle {3}",
            setup.side, r.blocks[0], r.blocks[1], r.blocks[2]
        ),
        entries: entries(setup, &r, &s),
        tables: Vec::new(),
        differs: "The paper does not tell the size of its grid, so the grid is ours. Below the diagonal the fills of the factor are drawn \
                  too, in another colour.",
        svg: drawing(&regular, &simple, &r, &s),
    })
}

fn entries(setup: Setup, r: &Measured, s: &Measured) -> Vec<Entry> {
    let side = setup.side as f64;
    let last = |m: &Measured| f64::from(u8::from(m.middle_is_last));
    let mut entries = vec![
        Entry::by_theory("regular: points in M", "one layer", side, 0.0, r.blocks[2] as f64),
        Entry::by_theory("simple: points in M", "bigger", 2.0 * side, 0.0, s.blocks[2] as f64),
        Entry::by_theory("regular: M is numbered last (1 = yes)", "M at the end", 1.0, 0.0, last(r)),
        Entry::by_theory("simple: M is numbered last (1 = yes)", "M at the end", 1.0, 0.0, last(s)),
    ];
    for (name, m) in [("regular", r), ("simple", s)] {
        entries.push(Entry::none(
            &format!("{name}: entries left to right"),
            "zero blocks",
            m.crossings as f64,
        ));
    }
    let wider = s.fills as f64 / r.fills as f64;
    entries.push(Entry::words(
        "fills, simple over regular",
        "wider wings",
        wider,
        (wider > 1.0).then_some("more fills").ok_or("the wings are not wider"),
    ));
    entries
}

fn drawing(regular: &Dissected, simple: &Dissected, r: &Measured, s: &Measured) -> String {
    // (a): left, right, middle, each in the order of its numbers
    let mut first: Vec<u32> = (0..regular.graph.vertex_count() as u32).collect();
    first.sort_by_key(|v| regular.sides[*v as usize] as u8);
    let [left, right, _] = r.blocks;
    let size = first.len();
    let cuts = vec![left, left + right];
    let once = Permutation::from_new_to_old(first).unwrap_or_else(|_| Permutation::identity(size));
    let ordered = |label: &str, d: &Dissected, m: &Measured| Matrix {
        label: label.into(),
        note: format!("M of {} points, {} fills", m.blocks[2], m.fills),
        size,
        rows: d.rows(&d.order),
        fills: d.fill_rows(),
        cuts: Vec::new(),
    };
    matrices(&[
        Matrix {
            label: "(a) after the first dissection".into(),
            note: format!("left {left}, right {right}, M {}: two blocks are zero", r.blocks[2]),
            size,
            rows: regular.rows(&once),
            fills: Vec::new(),
            cuts,
        },
        ordered("(b) regular nested dissection", regular, r),
        ordered("(c) simple modified nested dissection", simple, s),
    ])
}
