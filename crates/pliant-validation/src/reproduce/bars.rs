//! Numbers as bars on a logarithmic scale, in plain SVG.

use std::fmt::Write;

use crate::verify::shown;

/// One bar.
pub struct Bar {
    /// What it is.
    pub label: String,
    /// Its length, above zero.
    pub value: f64,
    /// Ours, or the paper's.
    pub ours: bool,
}

const WIDTH: f64 = 960.0;
const LEFT: f64 = 290.0;
const RIGHT: f64 = 110.0;
const ROW: f64 = 40.0;

/// Bars in a unit, with a grid of powers of ten.
pub fn bars(all: &[Bar], unit: &str) -> String {
    let values = || all.iter().map(|b| b.value.log10());
    let low = values().fold(f64::INFINITY, f64::min).floor();
    let high = values().fold(f64::NEG_INFINITY, f64::max).ceil().max(low + 1.0);
    let at = |log: f64| LEFT + (WIDTH - LEFT - RIGHT) * (log - low) / (high - low);
    let height = ROW * all.len() as f64 + 70.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" font-family=\"system-ui, sans-serif\" \
         font-size=\"14\" fill=\"currentColor\" role=\"img\">\n"
    );
    let bottom = 16.0 + ROW * all.len() as f64;
    for power in low as i32..=high as i32 {
        let x = at(f64::from(power));
        let _ = writeln!(
            out,
            "<line x1=\"{x:.1}\" y1=\"10\" x2=\"{x:.1}\" y2=\"{bottom:.1}\" stroke=\"currentColor\" opacity=\"0.25\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"12\">{}</text>",
            bottom + 18.0,
            10_f64.powi(power)
        );
    }
    for (i, bar) in all.iter().enumerate() {
        row(&mut out, bar, (16.0 + ROW * i as f64, at(bar.value.log10())), unit);
    }
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"12\">{unit}, logarithmic</text>",
        0.5 * (LEFT + WIDTH - RIGHT),
        bottom + 40.0
    );
    out + "</svg>\n"
}

/// One bar with its label and value, from the left edge to `end`.
fn row(out: &mut String, bar: &Bar, (top, end): (f64, f64), unit: &str) {
    let fill = if bar.ours { "#2a7fb8" } else { "#9aa5b1" };
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
         <rect x=\"{LEFT}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"24\" rx=\"2\" fill=\"{fill}\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\">{} {unit}</text>",
        LEFT - 12.0,
        top + 17.0,
        bar.label,
        (end - LEFT).max(2.0),
        end + 8.0,
        top + 17.0,
        shown(bar.value, 3)
    );
}
