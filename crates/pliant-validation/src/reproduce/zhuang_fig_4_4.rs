//! [Zhuang Fig. 4.4]: fills and time of the factorization over the number of unknowns.
//!
//! What a plot shows that a table does not is growth. Nested dissection of a cube of n points leaves O(n^(4/3)) entries and
//! O(n^2) work; the small grids of the table are not there yet, so the paper's exponents are fitted to its own numbers, over
//! the same tests as ours.

use pliant_numerics::ordering::fill;

use super::chart::{Curve, Plot, Scale, Stroke, plots};
use super::exponent::exponent;
use super::zhuang_grids::{Grid, Method, Test};
use super::zhuang_table_4_2::{Row, Setup, factored};
use super::{Entry, Figure, Reproduction};
use crate::CaseError;

/// The id.
pub const FIGURE: Figure = Figure {
    id: "zhuang-fig-4.4",
    title: "fills and time of the factorization over the number of unknowns",
    make,
};

/// The curves: as the paper strokes them, and our best.
const DRAWN: [(Method, &str, Stroke); 4] = [
    (Method::MinimumDegree, "#c0392b", Stroke::Dashed),
    (Method::Simple, "#2a7fb8", Stroke::Solid),
    (Method::Regular, "#7f8c8d", Stroke::DashDot),
    (Method::Best, "#1d7a46", Stroke::Solid),
];

/// Grids with fewer unknowns are mostly boundary.
const LARGE: f64 = 1000.0;

/// What is drawn of one test, by [`DRAWN`].
struct Point {
    test: Test,
    fills: [f64; 4],
    seconds: [f64; 4],
    work: [f64; 4],
}

/// The growth of fills under an order of clamped cubes with so many layers of points.
pub fn fill_exponent(method: Method, sides: &[usize]) -> Result<f64, CaseError> {
    let mut points = Vec::new();
    for &side in sides {
        let grid = Grid::clamped([side; 3]);
        let fills = fill::block_fills(&grid.graph()?, &method.order(&grid)?);
        points.push([3.0 * side.pow(3) as f64, fills as f64]);
    }
    Ok(exponent(points))
}

fn point(row: Row) -> Result<Point, CaseError> {
    let grid = Grid::clamped(row.test.layers);
    let graph = grid.graph()?;
    let (mut fills, mut seconds, mut work) = ([0.0; 4], [f64::NAN; 4], [f64::NAN; 4]);
    for (i, (method, ..)) in DRAWN.into_iter().enumerate() {
        fills[i] = fill::block_fills(&graph, &method.order(&grid)?) as f64;
        if let Some(factored) = row.of(method) {
            (seconds[i], work[i]) = (factored.seconds, factored.work);
        }
    }
    Ok(Point { test: row.test, fills, seconds, work })
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let setup = Setup::default();
    let rows = factored(&setup, &DRAWN.map(|(method, ..)| method))?;
    let points: Result<Vec<Point>, CaseError> = rows.into_iter().map(point).collect();
    let points = points?;
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Zhuang 2000, section 4.1.3, figure 4.4, page 70",
        claim: "Minimum degree is above simple modified nested dissection, which is above nested dissection, in fills and in \
                running time.",
        setup: format!(
            "the 18 grids of table 4.1; exponents over n of those with more than {LARGE} unknowns; times are medians of {} numeric \
             factorizations, one thread",
            setup.repetitions
        ),
        entries: entries(&points),
        tables: Vec::new(),
        differs: "Our minimum degree is better than the paper's, so its curve lies on that of simple dissection. Our factorization works in \
                  dense blocks, which run faster the larger they are: its time grows more slowly than its work, the sum of squares \
                  that stands as theory. Both sets of times are drawn over their own nested dissection in test 18.",
        svg: drawing(&points),
    })
}

/// The paper's column to compare with, and a word where it is another method's.
fn column(method: Method) -> (usize, &'static str) {
    method.paper_column().map_or((3, " (paper: nested)"), |column| (column, ""))
}

fn entries(points: &[Point]) -> Vec<Entry> {
    let large = || points.iter().filter(|p| p.test.unknowns > LARGE);
    let grown = |of: &dyn Fn(&Point) -> Option<f64>| {
        exponent(large().filter_map(|p| Some([p.test.unknowns, of(p)?])))
    };
    let mut entries = Vec::new();
    for (i, (method, ..)) in DRAWN.into_iter().enumerate() {
        let ours = grown(&|p| Some(p.fills[i]));
        let (column, beside) = column(method);
        let paper = grown(&|p| p.test.fills[column]);
        let quantity = format!("{}: exponent of fills{beside}", method.name());
        let because = "minimum degree has become better since";
        entries.push(Entry::by_paper(&quantity, paper, 0.05, ours, because));
    }
    for (i, (method, ..)) in DRAWN.into_iter().enumerate() {
        let ours = grown(&|p| Some(p.seconds[i]));
        let work = grown(&|p| Some(p.work[i]));
        let (column, beside) = column(method);
        let quantity = format!("{}: exponent of time{beside}", method.name());
        let paper = grown(&|p| p.test.seconds[column]);
        entries.push(Entry::below(&quantity, "", work, 0.1, ours).beside(paper));
    }
    entries
}

fn drawing(points: &[Point]) -> String {
    let last = |of: &dyn Fn(&Point) -> Option<f64>| points.last().and_then(of).unwrap_or(1.0);
    let (own, printed) = (last(&|p| Some(p.seconds[2])), last(&|p| p.test.seconds[3]));
    let plot =
        |title: &str, ours: &dyn Fn(&Point, usize) -> f64, paper: &dyn Fn(&Point, usize) -> Option<f64>| {
            let mut curves = Vec::new();
            for (i, (method, color, stroke)) in DRAWN.into_iter().enumerate() {
                let all = points.iter().map(|p| [p.test.unknowns, ours(p, i)]).collect();
                curves.push(Curve { name: method.name().into(), color, stroke, points: all });
                let Some(column) = method.paper_column() else { continue };
                let all = points.iter().filter_map(|p| Some([p.test.unknowns, paper(p, column)?])).collect();
                let name = format!("paper: {}", method.name());
                curves.push(Curve { name, color, stroke: Stroke::Marks, points: all });
            }
            Plot { title: title.into(), across: "unknowns", scale: Scale::Linear, curves }
        };
    plots(&[
        plot("(a) fills", &|p, i| p.fills[i], &|p, c| p.test.fills[c]),
        plot("(b) time over the largest of regular", &|p, i| p.seconds[i] / own, &|p, c| {
            p.test.seconds[c].map(|s| s / printed)
        }),
    ])
}
