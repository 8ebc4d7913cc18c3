//! The table of the README: a line a case, with numbers that are the same on every machine.

use std::fmt::Write;

use super::number::{ROUNDING, shown, stable_error};
use super::{Outcome, Row, count};

/// A line a case: its first row, and how full the band of its worst row is.
pub fn markdown(outcomes: &[Outcome]) -> String {
    let mut out = String::from(
        "| case | what | first quantity | reference | ours | error | band | rows | worst |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    outcomes.iter().for_each(|outcome| line(&mut out, outcome));
    let total = count(outcomes);
    let _ = write!(
        out,
        "\n{} cases, {} rows, {} out of their bands. Errors: rel = of the reference, scl = of the vector or the scale \
         named, abs = in the unit; below 1e-11 they are called rounding. Worst: the largest error of all rows, as a part \
         of its band.",
        total.cases,
        total.passed + total.failed,
        total.failed
    );
    out
}

/// One case.
fn line(out: &mut String, outcome: &Outcome) {
    let Some(row) = outcome.rows.first() else {
        let _ =
            writeln!(out, "| [{}]({}) | {} | stopped | | | | | | |", outcome.id, outcome.file, outcome.title);
        return;
    };
    let digits = meaningful_digits(row);
    let unit = if row.unit.is_empty() { String::new() } else { format!(" {}", row.unit) };
    let _ = writeln!(
        out,
        "| [{}]({}) | {} | {} | {}{unit}, {} | {} | {} | {} | {} | {} |",
        outcome.id,
        outcome.file,
        outcome.title,
        row.quantity,
        shown(row.reference, digits),
        row.origin.words(),
        stable_value(row, digits),
        stable_error(row),
        shown(row.band, 2),
        outcome.rows.len(),
        worst(outcome),
    );
}

/// Digits that the band can tell apart.
fn meaningful_digits(row: &Row) -> usize {
    let relative = if row.reference == 0.0 { 1.0 } else { row.band * scale(row) / row.reference.abs() };
    (2.0 - relative.log10()).ceil().clamp(3.0, 9.0) as usize
}

/// What the error was divided by.
fn scale(row: &Row) -> f64 {
    if row.error > 0.0 { (row.ours - row.reference).abs() / row.error } else { row.reference.abs() }
}

fn stable_value(row: &Row, digits: usize) -> String {
    let noise = row.reference == 0.0 && row.error < ROUNDING && row.passed();
    if noise { "0".into() } else { shown(row.ours, digits) }
}

/// How full the fullest band is, in steps that noise does not cross.
fn worst(outcome: &Outcome) -> String {
    let shares = outcome.rows.iter().filter(|row| row.error >= ROUNDING || !row.passed()).map(Row::share);
    let most = shares.fold(0.0, f64::max);
    let steps = [0.1, 0.25, 0.5, 0.75, 1.0];
    match steps.iter().find(|step| most <= **step) {
        _ if most == 0.0 => "rounding".into(),
        Some(step) => format!("< {} %", 100.0 * step),
        None => "out".into(),
    }
}
