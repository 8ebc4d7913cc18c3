//! Pictures of sparse matrices in plain SVG: a square for each matrix, runs of entries as strokes.

use std::fmt::Write;

/// One matrix.
pub struct Matrix {
    /// First line under it.
    pub label: String,
    /// Second line under it.
    pub note: String,
    /// Rows and columns.
    pub size: usize,
    /// Entries of the matrix, by row.
    pub rows: Vec<Vec<u32>>,
    /// Entries that its factor has besides, by row; may be empty.
    pub fills: Vec<Vec<u32>>,
    /// Rows and columns at which blocks begin.
    pub cuts: Vec<usize>,
}

const WIDTH: f64 = 960.0;
const GAP: f64 = 24.0;
const OWN: &str = "#2a7fb8";
const FILL: &str = "#d9a441";

/// The matrices side by side.
pub fn matrices(all: &[Matrix]) -> String {
    let side = (WIDTH - GAP * (all.len() + 1) as f64) / all.len().max(1) as f64;
    let height = side + 2.0 * GAP + 50.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" font-family=\"system-ui, sans-serif\" \
         font-size=\"14\" fill=\"currentColor\" role=\"img\">\n"
    );
    for (i, matrix) in all.iter().enumerate() {
        let left = GAP + (side + GAP) * i as f64;
        let _ = writeln!(
            out,
            "<g transform=\"translate({left:.1} {GAP}) scale({:.4})\">",
            side / matrix.size.max(1) as f64
        );
        strokes(&mut out, &matrix.fills, FILL);
        strokes(&mut out, &matrix.rows, OWN);
        frame(&mut out, matrix);
        let middle = left + 0.5 * side;
        let base = side + 2.0 * GAP;
        let _ = writeln!(
            out,
            "</g><text x=\"{middle:.1}\" y=\"{base:.1}\" text-anchor=\"middle\" font-weight=\"600\">{}</text>\
             <text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"12\" opacity=\"0.75\">{}</text>",
            matrix.label,
            base + 19.0,
            matrix.note
        );
    }
    legend(&mut out, height - 16.0);
    out + "</svg>\n"
}

/// What the two colours mean.
fn legend(out: &mut String, top: f64) {
    for (i, (name, color)) in [("of the matrix", OWN), ("fills of its factor", FILL)].into_iter().enumerate()
    {
        let x = 0.5 * WIDTH - 130.0 + 140.0 * i as f64;
        let _ = writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"10\" height=\"10\" fill=\"{color}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"12\">{name}</text>",
            x + 16.0,
            top + 9.5
        );
    }
}

/// One path: a run of neighbouring columns is one stroke, so that files stay small.
fn strokes(out: &mut String, rows: &[Vec<u32>], color: &str) {
    let mut path = String::new();
    for (row, columns) in rows.iter().enumerate() {
        let mut columns = columns.clone();
        columns.sort_unstable();
        for run in columns.chunk_by(|a, b| a + 1 == *b) {
            let _ = write!(path, "M{} {row}.5h{}", run[0], run.len());
        }
    }
    if !path.is_empty() {
        let _ = writeln!(out, "<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"1\"/>");
    }
}

fn frame(out: &mut String, matrix: &Matrix) {
    let size = matrix.size;
    let mut path = format!("M0 0h{size}v{size}h-{size}z");
    for cut in &matrix.cuts {
        let _ = write!(path, "M{cut} 0v{size}M0 {cut}h{size}");
    }
    let _ = writeln!(
        out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"{:.3}\" opacity=\"0.6\"/>",
        size as f64 / 300.0
    );
}
