//! The 18 grids of [Zhuang Tables 4.1 and 4.2], the ways to order them, and what is printed about them.
//!
//! ```text
//! nnz = 9 (3x-2)(3y-2)(3z-2) - 27 (3y-2)(3z-2) + 3 y z                                        (1)
//! ```
//!
//! x, y, z are layers of points, three unknowns each, coupled cell by cell. The paper does not state its boundary; (1) is its
//! printed nnz in all 18 tests if one face, normal to the first axis, is clamped and its rows are those of the identity. Such
//! rows fill nothing, so the orders are those of the points that are free.

use pliant_numerics::ordering::{
    Graph, Ordering, Permutation, PointCliques, PointCliquesError, order, regular,
};

use crate::CaseError;

/// What the two tables print, the columns of both in the order of [`Method::paper_column`].
const TABLES: &str = include_str!("../../data/zhuang_tables_4.csv");
/// METIS 5 over five relabelings, counted once; its origin is told in the numerics crate.
const METIS: &str = include_str!("../../../pliant-numerics/data/fill_counts.csv");

/// A row of the two tables.
#[derive(Clone, Debug)]
pub struct Test {
    /// 1 to 18.
    pub number: usize,
    /// Layers of points along the axes, the clamped face's included.
    pub layers: [usize; 3],
    /// Unknowns as printed.
    pub unknowns: f64,
    /// Non-zeros as printed.
    pub nnz: f64,
    /// Fills as printed: random, minimum degree, simple, nested dissection.
    pub fills: [Option<f64>; 4],
    /// Seconds as printed, likewise.
    pub seconds: [Option<f64>; 4],
    /// Median of METIS's fills.
    pub metis: f64,
}

/// All 18.
pub fn tests() -> Result<Vec<Test>, CaseError> {
    let garbled = |file: &str, line: &str| CaseError::Data {
        file: file.into(),
        problem: format!("`{line}` is not a row of numbers"),
    };
    let mut all = Vec::new();
    for (line, counted) in TABLES.lines().zip(METIS.lines()).skip(1) {
        let f: Vec<Option<f64>> = line.split(',').map(|x| x.parse().ok()).collect();
        let metis = counted.split(',').nth(12).and_then(|x| x.parse().ok());
        let metis = metis.ok_or_else(|| garbled("fill_counts.csv", counted))?;
        let test = test(&f, metis).ok_or_else(|| garbled("zhuang_tables_4.csv", line))?;
        all.push(test);
    }
    Ok(all)
}

fn test(f: &[Option<f64>], metis: f64) -> Option<Test> {
    let at = |i: usize| f.get(i).copied().flatten();
    Some(Test {
        number: at(0)? as usize,
        layers: [at(1)? as usize, at(2)? as usize, at(3)? as usize],
        unknowns: at(4)?,
        nnz: at(5)?,
        fills: [at(6), Some(at(7)?), Some(at(8)?), Some(at(9)?)],
        seconds: [at(10), Some(at(11)?), Some(at(12)?), Some(at(13)?)],
        metis,
    })
}

/// (1)
pub fn clamped_nnz([x, y, z]: [usize; 3]) -> usize {
    let [a, b, c] = [3 * x - 2, 3 * y - 2, 3 * z - 2];
    9 * a * b * c - 27 * b * c + 3 * y * z
}

/// The ways that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A shuffle.
    Random,
    /// As the points are numbered.
    Natural,
    /// Minimum degree.
    MinimumDegree,
    /// Simple modified nested dissection.
    Simple,
    /// Modified nested dissection with vertex covers.
    VertexCover,
    /// Regular nested dissection.
    Regular,
    /// Ours, fast.
    Default,
    /// Ours, with fewer entries.
    Best,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Random,
        Self::Natural,
        Self::MinimumDegree,
        Self::Simple,
        Self::VertexCover,
        Self::Regular,
        Self::Default,
        Self::Best,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Natural => "natural",
            Self::MinimumDegree => "minimum degree",
            Self::Simple => "simple",
            Self::VertexCover => "vertex cover",
            Self::Regular => "regular",
            Self::Default => "default",
            Self::Best => "best",
        }
    }

    /// Its column in the paper's tables.
    pub fn paper_column(self) -> Option<usize> {
        [Self::Random, Self::MinimumDegree, Self::Simple, Self::Regular].iter().position(|m| *m == self)
    }

    /// The order of a grid.
    pub fn order(self, grid: &Grid) -> Result<Permutation, CaseError> {
        let ordering = match self {
            Self::Random => Ordering::Random(SEED),
            Self::Natural => Ordering::Natural,
            Self::MinimumDegree => Ordering::MinimumDegree,
            Self::Simple => Ordering::Simple,
            Self::VertexCover => Ordering::VertexCover,
            Self::Regular => return Ok(regular(grid.layers)),
            Self::Default => Ordering::Default,
            Self::Best => Ordering::Best,
        };
        Ok(order(&grid.view()?, ordering))
    }
}

/// Of the shuffle.
const SEED: u64 = 1;

/// Points i + nx (j + ny k), coupled cell by cell.
pub struct Grid {
    /// Layers of points along the axes.
    pub layers: [usize; 3],
    points: Vec<[f64; 3]>,
    offsets: Vec<u32>,
    members: Vec<u32>,
}

impl Grid {
    /// Cells of eight points, or of four where there is one layer.
    pub fn new(layers: [usize; 3]) -> Self {
        let [nx, ny, _] = layers;
        let place = |v: usize| [v % nx, v / nx % ny, v / nx / ny];
        let count: usize = layers.iter().product();
        let points = (0..count).map(|v| place(v).map(|x| x as f64)).collect();
        let corners: Vec<usize> =
            (0..8).filter(|b| (0..3).all(|c| layers[c] > 1 || b >> c & 1 == 0)).collect();
        let (mut offsets, mut members) = (vec![0], Vec::new());
        for v in (0..count).filter(|&v| (0..3).all(|c| place(v)[c] + 1 < layers[c].max(2))) {
            members
                .extend(corners.iter().map(|b| (v + (b & 1) + nx * ((b >> 1 & 1) + ny * (b >> 2))) as u32));
            offsets.push(members.len() as u32);
        }
        Self { layers, points, offsets, members }
    }

    /// What is free when the first layer along x is clamped.
    pub fn clamped([x, y, z]: [usize; 3]) -> Self {
        Self::new([x - 1, y, z])
    }

    /// As orderings take it.
    pub fn view(&self) -> Result<PointCliques<'_>, CaseError> {
        let fault = |e: PointCliquesError| CaseError::Data {
            file: "a grid of points".into(),
            problem: e.to_string(),
        };
        PointCliques::new(&self.points, &self.offsets, &self.members).map_err(fault)
    }

    /// Which points are coupled.
    pub fn graph(&self) -> Result<Graph, CaseError> {
        Ok(Graph::from_cliques(&self.view()?))
    }

    /// Where the points are.
    pub fn points(&self) -> &[[f64; 3]] {
        &self.points
    }
}
