//! `pliant reproduce`: the tables and figures of the papers, made anew.
//!
//! A [`Figure`] builds its model, runs it and takes every number of ours from that run. Where a paper prints a number
//! it stands beside ours; where it prints none, its claim in words, and what theory makes of it. To add one: a file
//! here, and a line in [`FIGURES`].

mod bars;
mod chart;
mod clock;
mod entry;
mod exponent;
pub mod heads;
mod page;
mod picture;
mod resting;
pub mod schoner_euler;
mod sparsity;
mod table;
pub mod tubes;
pub mod warp_bars;
pub mod warp_fig_1;
pub mod warp_fig_10;
pub mod warp_fig_11;
pub mod warp_fig_12;
pub mod warp_fig_13;
pub mod warp_fig_6;
pub mod warp_fig_7;
pub mod warp_fig_8;
pub mod warp_fig_9;
pub mod warp_timings;
pub mod warp_variants;
mod write;
pub mod zhuang_collision_cost;
pub mod zhuang_energy_loss;
pub mod zhuang_fig_2_3;
pub mod zhuang_fig_2_4;
pub mod zhuang_fig_4_2;
pub mod zhuang_fig_4_4;
pub mod zhuang_grids;
pub mod zhuang_ladder;
mod zhuang_ladder_cost;
pub mod zhuang_lumping;
pub mod zhuang_realtime;
pub mod zhuang_separator;
pub mod zhuang_table_4_1;
pub mod zhuang_table_4_2;
pub mod zhuang_timing;

pub use entry::{Entry, Outcome};
pub use table::{Cell, Table};
pub use write::write;

use std::fmt::Write;

use serde::Serialize;

use crate::CaseError;
use crate::verify::shown;

/// A table or figure of a paper.
pub struct Figure {
    /// Its name on the command line.
    pub id: &'static str,
    /// What it shows, in a line.
    pub title: &'static str,
    make: fn(&Figure) -> Result<Reproduction, CaseError>,
}

impl Figure {
    /// Runs the simulator and compares.
    pub fn make(&self) -> Result<Reproduction, CaseError> {
        (self.make)(self)
    }
}

/// Every id, in the order of the papers.
pub static FIGURES: &[Figure] = &[
    zhuang_fig_2_3::FIGURE,
    zhuang_fig_2_4::FIGURE,
    zhuang_lumping::FIGURE,
    zhuang_fig_4_2::FIGURE,
    zhuang_separator::FIGURE,
    zhuang_table_4_1::FIGURE,
    zhuang_table_4_2::FIGURE,
    zhuang_fig_4_4::FIGURE,
    zhuang_ladder::FIGURE,
    zhuang_realtime::FIGURE,
    zhuang_timing::FIGURE,
    zhuang_collision_cost::FIGURE,
    zhuang_energy_loss::FIGURE,
    warp_fig_1::FIGURE,
    warp_fig_6::FIGURE,
    warp_fig_7::FIGURE,
    warp_fig_8::FIGURE,
    warp_fig_9::FIGURE,
    warp_fig_10::FIGURE,
    warp_fig_11::FIGURE,
    warp_fig_12::FIGURE,
    warp_fig_13::FIGURE,
    warp_timings::FIGURE,
    warp_variants::FIGURE,
    schoner_euler::FIGURE,
];

/// A table or figure, made anew.
#[derive(Clone, Debug, Serialize)]
pub struct Reproduction {
    /// Its name on the command line.
    pub id: &'static str,
    /// What it shows, in a line.
    pub title: &'static str,
    /// Where the paper has it.
    pub source: &'static str,
    /// What the paper says about it, in our words.
    pub claim: &'static str,
    /// What was run here.
    pub setup: String,
    /// The comparisons.
    pub entries: Vec<Entry>,
    /// Every number behind them, where there are many.
    pub tables: Vec<Table>,
    /// What differs from the paper, and why.
    pub differs: &'static str,
    /// The drawing.
    #[serde(skip)]
    pub svg: String,
}

/// How many comparisons of all figures agree, are bounded and differ, in words.
pub fn summary(all: &[Reproduction]) -> String {
    let counts = Outcome::counts(all.iter().flat_map(|one| &one.entries));
    format!("of {} comparisons {}", counts.iter().sum::<usize>(), Outcome::counted(counts))
}

/// The comparisons as lines for a terminal.
pub fn lines(made: &Reproduction) -> String {
    let mut out = format!("{}: {}\n  {}\n  {}\n", made.id, made.title, made.source, made.setup);
    made.tables.iter().for_each(|table| out += &table.lines());
    let row = ["quantity", "paper", "theory", "ours", "ratio", "verdict"].map(String::from);
    let mut rows = vec![row];
    for entry in &made.entries {
        let number = |value: Option<f64>| value.map_or(String::new(), |v| shown(v, 4));
        let unit = if entry.unit.is_empty() { String::new() } else { format!(" ({})", entry.unit) };
        rows.push([
            format!("{}{unit}", entry.quantity),
            entry.paper_words(),
            number(entry.theory),
            shown(entry.ours, 4),
            number(entry.ratio),
            entry.verdict.clone(),
        ]);
    }
    for [quantity, paper, theory, ours, ratio, verdict] in rows {
        let _ = writeln!(out, "  {quantity:<40} {paper:<14} {theory:>8} {ours:>9} {ratio:>8}  {verdict}");
    }
    let _ = writeln!(out, "  {}\n  {}", Outcome::counted(Outcome::counts(&made.entries)), made.differs);
    out
}

/// A change in whole per cent, with its sign.
fn per_cent(ratio: f64) -> String {
    let change = (100.0 * (ratio - 1.0)).round();
    if change == 0.0 { "0 %".into() } else { format!("{change:+} %") }
}
