//! [Zhuang Table 4.2]: how long factoring takes by the order of the unknowns, and how long finding the order takes.
//!
//! ```text
//! work of a factor = sum over its columns of d^2,   d entries in the column                    (1)
//! three columns a point: d = 3 c, 3 c - 1, 3 c - 2 for c blocks with the diagonal              (2)
//! ```
//!
//! (1) is what the paper says the time grows with [Zhuang 4.1]; it is exact and without noise, so it stands as theory beside
//! ratios of measured times. Times are medians of numeric factorizations by [`BlockCholesky`], the structure known.

use std::sync::Arc;

use pliant_numerics::ordering::{Permutation, fill};
use pliant_numerics::{BlockCholesky, BlockMatrix, CholeskyError, Mat3, PatternBuilder};

use super::chart::{Curve, Plot, Scale, Stroke, plots};
use super::clock::{median_seconds, medians_in_turn};
use super::exponent::exponent;
use super::table::{Cell, Table};
use super::zhuang_grids::{Grid, Method, Test, tests};
use super::{Entry, Figure, Reproduction};
use crate::CaseError;

/// The id.
pub const FIGURE: Figure = Figure {
    id: "zhuang-table-4.2",
    title: "time of the factorization by order, over that of regular nested dissection; time of ordering",
    make,
};

/// What is free to choose.
#[derive(Clone, Debug)]
pub struct Setup {
    /// So many of the 18 tests are timed, from the first.
    pub tests: usize,
    /// Factorizations of which the median is taken.
    pub repetitions: usize,
    /// Points along the sides of the cubes whose ordering is timed.
    pub sides: Vec<usize>,
}

impl Default for Setup {
    fn default() -> Self {
        Self { tests: 18, repetitions: 3, sides: vec![7, 9, 12, 16] }
    }
}

/// Beyond this test random is left out, as in the paper.
const LAST_RANDOM: usize = 12;

/// The orders of the table.
const TIMED: [Method; 6] = [
    Method::Random,
    Method::MinimumDegree,
    Method::Simple,
    Method::VertexCover,
    Method::Regular,
    Method::Best,
];

/// One grid in one order.
#[derive(Clone, Copy, Debug)]
pub struct Factored {
    /// Median time, s.
    pub seconds: f64,
    /// (1)
    pub work: f64,
}

/// A test with what was measured.
#[derive(Clone, Debug)]
pub struct Row {
    /// As printed.
    pub test: Test,
    factored: Vec<(Method, Factored)>,
}

impl Row {
    /// What was measured for a method.
    pub fn of(&self, method: Method) -> Option<Factored> {
        self.factored.iter().find(|(m, _)| *m == method).map(|(_, factored)| *factored)
    }
}

/// (1) for an order of a grid, by (2).
pub fn work(grid: &Grid, order: &Permutation) -> Result<f64, CaseError> {
    let square = |d: u64| (d * d) as f64;
    let counts = fill::column_counts(&grid.graph()?, order);
    Ok(counts.iter().map(|c| 3 * u64::from(*c)).map(|d| square(d) + square(d - 1) + square(d - 2)).sum())
}

/// Times factorizations in the orders of some methods.
pub fn factored(setup: &Setup, methods: &[Method]) -> Result<Vec<Row>, CaseError> {
    let failed = |e: CholeskyError| CaseError::NotPositive(e.to_string());
    let mut rows = Vec::new();
    for test in tests()?.into_iter().take(setup.tests) {
        let grid = Grid::clamped(test.layers);
        let matrix = springs(&grid)?;
        let held = vec![false; 3 * matrix.pattern().row_count()];
        let (mut works, mut factors) = (Vec::new(), Vec::new());
        let printed = |m: &&Method| **m != Method::Random || test.number <= LAST_RANDOM;
        for &method in methods.iter().filter(printed) {
            let order = method.order(&grid)?;
            works.push((method, work(&grid, &order)?));
            let mut factor = BlockCholesky::analyse(matrix.pattern(), order.new_to_old()).map_err(failed)?;
            // the first touches its memory for the first time
            factor.factor(&matrix, &held).map_err(failed)?;
            factors.push(factor);
        }
        let medians = medians_in_turn(setup.repetitions, &mut factors, |factor| {
            factor.factor(&matrix, &held).map_err(failed)
        })?;
        let found = works.into_iter().zip(medians);
        let factored = found.map(|((method, work), seconds)| (method, Factored { seconds, work })).collect();
        rows.push(Row { test, factored });
    }
    Ok(rows)
}

/// Masses joined by a spring along every pair of points of a cell: symmetric, positive definite, coupled cell by cell.
fn springs(grid: &Grid) -> Result<BlockMatrix, CaseError> {
    let cliques = grid.view()?;
    let mut pattern = PatternBuilder::new(cliques.point_count());
    (0..cliques.clique_count()).for_each(|c| pattern.clique(cliques.clique(c)));
    let mut matrix = BlockMatrix::zero(Arc::new(pattern.build()));
    for v in 0..cliques.point_count() as u32 {
        matrix.add(v, v, &Mat3([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]));
    }
    for clique in (0..cliques.clique_count()).map(|c| cliques.clique(c)) {
        for (i, &a) in clique.iter().enumerate() {
            for &b in &clique[..i] {
                let [p, q] = [a, b].map(|v| grid.points()[v as usize]);
                let along: [f64; 3] = std::array::from_fn(|c| p[c] - q[c]);
                let block = Mat3(along.map(|x| along.map(|y| x * y)));
                let minus = Mat3(block.0.map(|row| row.map(|x| -x)));
                [a, b].iter().for_each(|&v| matrix.add(v, v, &block));
                matrix.add(a, b, &minus);
                matrix.add(b, a, &minus);
            }
        }
    }
    Ok(matrix)
}

/// Points and median time of ordering cubes of points, s.
pub fn ordered(method: Method, setup: &Setup) -> Result<Vec<[f64; 2]>, CaseError> {
    let timed = |side: &usize| {
        let grid = Grid::new([*side; 3]);
        let seconds = median_seconds(setup.repetitions, || method.order(&grid).map(drop))?;
        Ok([side.pow(3) as f64, seconds])
    };
    setup.sides.iter().map(timed).collect()
}

/// The orders whose own time is measured, with the bound that the paper gives.
const ORDERED: [(Method, &str); 4] = [
    (Method::Simple, "O(n log n)"),
    (Method::VertexCover, "O(n^2 log n)"),
    (Method::Default, "as vertex cover"),
    (Method::Best, "as vertex cover"),
];

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let setup = Setup::default();
    let rows = factored(&setup, &TIMED)?;
    let mut growth = Vec::new();
    for (method, _) in ORDERED {
        growth.push(ordered(method, &setup)?);
    }
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Zhuang 2000, sections 4.1.2 and 4.1.3, table 4.2, pages 67 to 71",
        claim: "Factoring in the order of simple modified nested dissection takes 30 to 50 per cent more time than in that of nested \
                dissection, and less than in that of minimum degree in all 18 tests. Ordering takes O(n log n) for the simple \
                variant, O(n^2 log n) with vertex covers.",
        setup: format!(
            "numeric Cholesky factors of the 18 grids, one thread, median of {} each; orders of cubes of {:?} points a side",
            setup.repetitions, setup.sides
        ),
        entries: entries(&rows, &growth),
        tables: vec![times_table(&rows), work_table(&rows)],
        differs: "The paper's LU touches entry by entry, so its time follows the sum of squares; ours gathers columns of equal structure into \
                  dense blocks, which run faster the larger they are, so its ratios are closer to 1. The text of the paper says \
                  30 to 50 per cent and all 18 tests; its own table shows up to 74 per cent, and test 4 slower. Times are of \
                  this machine with its other load; the column of theory, (1) of our orders, has no noise.",
        svg: drawing(&rows, &growth),
    })
}

/// The middle of the ratios to regular nested dissection over the largest six tests that have them.
fn ratio(rows: &[Row], of: impl Fn(&Row, Method) -> Option<f64>, method: Method) -> f64 {
    let ratio = |row: &Row| Some(of(row, method)? / of(row, Method::Regular)?);
    let mut all: Vec<f64> = rows.iter().filter_map(ratio).collect();
    // small grids are over too soon to be timed well
    let mut large = all.split_off(all.len().saturating_sub(6));
    large.sort_by(f64::total_cmp);
    large.get(large.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The paper's time, s.
fn printed(row: &Row, method: Method) -> Option<f64> {
    row.test.seconds[method.paper_column()?]
}

/// What the paper says of an order without a column.
fn claim(method: Method) -> &'static str {
    if method == Method::VertexCover { "almost the same" } else { "not in it" }
}

fn entries(rows: &[Row], growth: &[Vec<[f64; 2]>]) -> Vec<Entry> {
    let seconds = |row: &Row, method| row.of(method).map(|f| f.seconds);
    let work = |row: &Row, method| row.of(method).map(|f| f.work);
    let mut entries = Vec::new();
    let others = TIMED.into_iter().filter(|m| *m != Method::Regular);
    for method in others.clone() {
        let quantity = format!("{}: work over regular's", method.name());
        let ours = ratio(rows, work, method);
        entries.push(if method.paper_column().is_some() {
            let because = "minimum degree has become better since";
            Entry::by_paper(&quantity, ratio(rows, printed, method), 0.12, ours, because)
        } else {
            Entry::by_theory(&quantity, claim(method), 1.0, 0.12, ours)
        });
    }
    for method in others {
        let quantity = format!("{}: time over regular's", method.name());
        let (ours, theory) = (ratio(rows, seconds, method), ratio(rows, work, method));
        entries.push(match method.paper_column() {
            Some(_) => Entry::below(&quantity, "", theory, 0.1, ours).beside(ratio(rows, printed, method)),
            None => Entry::below(&quantity, claim(method), theory, 0.1, ours),
        });
    }
    for ((method, bound), times) in ORDERED.into_iter().zip(growth) {
        let quantity = format!("{}: exponent of ordering time", method.name());
        let power = if method == Method::Simple { 1.0 } else { 2.0 };
        let theory = exponent(times.iter().map(|[n, _]| [*n, n.powf(power) * n.ln()]));
        let ours = exponent(times.iter().copied());
        entries.push(Entry::below(&quantity, bound, theory, 0.15, ours));
    }
    entries
}

/// A value over that of regular nested dissection, which stands for itself in a unit of 1 / `scale`; by [`TIMED`].
fn over_regular_cells(row: &Row, of: fn(Factored) -> f64, scale: f64) -> [Cell; 6] {
    let regular = row.of(Method::Regular).map(of);
    TIMED.map(|method| match method {
        Method::Regular => regular.map(|base| scale * base).into(),
        _ => row.of(method).map(of).zip(regular).map(|(own, base)| own / base).into(),
    })
}

fn times_table(rows: &[Row]) -> Table {
    let mut columns =
        vec!["test", "n", "paper: random", "paper: min. degree", "paper: simple", "paper: nested, s"];
    columns.extend(["random", "minimum degree", "simple", "vertex cover", "regular, ms", "best"]);
    let row = |row: &Row| {
        let mut cells: Vec<Cell> = vec![(row.test.number as f64).into(), row.test.unknowns.into()];
        let nested = row.test.seconds[3];
        cells.extend((0..3).map(|c| row.test.seconds[c].zip(nested).map(|(a, b)| a / b).into()));
        cells.push(nested.into());
        cells.extend(over_regular_cells(row, |f| f.seconds, 1e3));
        cells
    };
    Table {
        caption: "Times over those of nested dissection, which stand in s (paper) and ms (ours)",
        columns,
        rows: rows.iter().map(row).collect(),
    }
}

fn work_table(rows: &[Row]) -> Table {
    let row = |row: &Row| {
        let mut cells: Vec<Cell> = vec![(row.test.number as f64).into(), row.test.unknowns.into()];
        cells.extend(over_regular_cells(row, |f| f.work, 1.0));
        cells
    };
    Table {
        caption: "Work, the sum of squares of column counts, over that of nested dissection, which stands for itself",
        columns: vec!["test", "n", "random", "minimum degree", "simple", "vertex cover", "regular", "best"],
        rows: rows.iter().map(row).collect(),
    }
}

fn drawing(rows: &[Row], growth: &[Vec<[f64; 2]>]) -> String {
    let styles = [
        (Method::MinimumDegree, "#c0392b", Stroke::Dashed),
        (Method::Simple, "#2a7fb8", Stroke::Solid),
        (Method::VertexCover, "#8e5ea2", Stroke::Solid),
        (Method::Best, "#1d7a46", Stroke::Solid),
    ];
    let colors = ["#2a7fb8", "#8e5ea2", "#d68910", "#1d7a46"];
    let ordering = ORDERED.into_iter().zip(growth).zip(colors).map(|(((method, _), times), color)| Curve {
        name: method.name().into(),
        color,
        stroke: Stroke::Solid,
        points: times.clone(),
    });
    plots(&[
        Plot {
            title: "factoring: time over that of regular".into(),
            across: "unknowns",
            scale: Scale::Linear,
            curves: styles.into_iter().flat_map(|style| over_regular(rows, style)).collect(),
        },
        Plot {
            title: "ordering: time, s".into(),
            across: "points",
            scale: Scale::Logarithmic,
            curves: ordering.collect(),
        },
    ])
}

/// Times of a method over those of regular nested dissection: ours, and the paper's if it has them.
fn over_regular(rows: &[Row], (method, color, stroke): (Method, &'static str, Stroke)) -> Vec<Curve> {
    let curve = |name: String, stroke, of: &dyn Fn(&Row, Method) -> Option<f64>| {
        let over = |row: &Row| Some([row.test.unknowns, of(row, method)? / of(row, Method::Regular)?]);
        Curve { name, color, stroke, points: rows.iter().filter_map(over).collect() }
    };
    let mut curves = vec![curve(method.name().into(), stroke, &|row, m| row.of(m).map(|f| f.seconds))];
    if method.paper_column().is_some() {
        curves.push(curve(format!("paper: {}", method.name()), Stroke::Marks, &printed));
    }
    curves
}
