//! `pliant reproduce`: the tables and figures of the papers, made anew.
//!
//! A [`Figure`] builds its model, runs it and takes every number of ours from that run. Where a paper prints a number
//! it stands beside ours; where it prints none, its claim in words, and what theory makes of it. To add one: a file
//! here, and a line in [`FIGURES`].

mod bars;
mod page;
mod picture;
mod resting;
mod write;
pub mod zhuang_fig_2_3;
pub mod zhuang_fig_2_4;
pub mod zhuang_timing;

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
pub static FIGURES: &[Figure] = &[zhuang_fig_2_3::FIGURE, zhuang_fig_2_4::FIGURE, zhuang_timing::FIGURE];

/// One quantity: the paper's, what theory says, ours.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// What is measured.
    pub quantity: String,
    /// Its unit; empty for a pure number.
    pub unit: &'static str,
    /// The number the paper prints.
    pub paper: Option<f64>,
    /// What the paper says where it prints none.
    pub claim: &'static str,
    /// What theory says.
    pub theory: Option<f64>,
    /// From the run.
    pub ours: f64,
    /// Ours over the paper's number, or over theory's where there is none.
    pub ratio: Option<f64>,
    /// Whether ours agrees.
    pub agrees: bool,
    /// Why, in a few words.
    pub verdict: String,
}

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
    /// What differs from the paper, and why.
    pub differs: &'static str,
    /// The drawing.
    #[serde(skip)]
    pub svg: String,
}

impl Entry {
    /// A quantity that the paper describes in words and theory in numbers; agrees within a part of theory.
    pub(crate) fn by_theory(
        quantity: &str,
        claim: &'static str,
        theory: f64,
        within: f64,
        ours: f64,
    ) -> Self {
        let ratio = ours / theory;
        let agrees = (ratio - 1.0).abs() <= within;
        let word = if agrees { "agrees" } else { "differs" };
        // adding zero makes -0 a 0
        let off = (1000.0 * (ratio - 1.0)).round() / 10.0 + 0.0;
        let verdict = format!("{word}: {off:+.1} % off theory, {:.0} % allowed", 100.0 * within);
        let quantity = quantity.to_owned();
        let (unit, paper) = ("", None);
        Self { quantity, unit, paper, claim, theory: Some(theory), ours, ratio: Some(ratio), agrees, verdict }
    }

    /// A quantity in a unit.
    pub(crate) fn in_unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    /// The paper's column: its number, or its words.
    pub(crate) fn paper_words(&self) -> String {
        self.paper.map_or_else(|| self.claim.to_owned(), |value| shown(value, 3))
    }
}

/// The comparisons as lines for a terminal.
pub fn lines(made: &Reproduction) -> String {
    let mut out = format!("{}: {}\n  {}\n  {}\n", made.id, made.title, made.source, made.setup);
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
    let _ = writeln!(out, "  {}", made.differs);
    out
}

/// A change in whole per cent, with its sign.
fn per_cent(ratio: f64) -> String {
    let change = (100.0 * (ratio - 1.0)).round();
    if change == 0.0 { "0 %".into() } else { format!("{change:+} %") }
}
