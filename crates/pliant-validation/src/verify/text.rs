//! The result as lines for a terminal of 120 columns.

use std::fmt::Write;

use super::number::{error_shown, shown};
use super::{Case, Count, Outcome, Row, Verdict, count};

/// All cases with their rows, and a closing count.
pub fn text(outcomes: &[Outcome]) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{:<40} {:>13} {:>16} {:>13} {:<6} {:>8} {:<3} {:>7}",
        "quantity", "reference", "origin", "ours", "unit", "error", "", "band"
    );
    for outcome in outcomes {
        let _ = writeln!(out, "\n{}: {}\n  [{}]", outcome.id, outcome.title, outcome.source);
        outcome.rows.iter().for_each(|row| line(&mut out, row));
        if let Some(error) = &outcome.error {
            let _ = writeln!(out, "  STOPPED: {error}");
        }
    }
    let _ = write!(out, "\n{}", closing(count(outcomes)));
    out
}

fn line(out: &mut String, row: &Row) {
    let verdict = if row.verdict == Verdict::Pass { "pass" } else { "FAIL" };
    let _ = writeln!(
        out,
        "  {:<38} {:>13} {:>16} {:>13} {:<6} {:>8} {} {:>7} {verdict}",
        row.quantity,
        shown(row.reference, 8),
        row.origin.words(),
        shown(row.ours, 8),
        row.unit,
        error_shown(row.error),
        row.error_kind.words(),
        shown(row.band, 2),
    );
}

fn closing(Count { cases, passed, failed, stopped }: Count) -> String {
    let rows = passed + failed;
    let mut out = format!("{cases} cases, {rows} rows: {passed} in their bands, {failed} out");
    if stopped > 0 {
        let _ = write!(out, ", {stopped} cases stopped");
    }
    out + "\nerrors: rel = of the reference, scl = of the vector or the scale named, abs = in the unit"
}

/// Ids and titles.
pub fn listing(cases: &[&Case]) -> String {
    let lines: Vec<String> = cases.iter().map(|case| format!("{:<14} {}", case.id, case.title)).collect();
    lines.join("\n")
}
