//! A table of numbers and words: on the page, on a terminal, in JSON.

use std::fmt::Write;

use serde::Serialize;

use super::page::escaped;
use crate::verify::shown;

/// What stands in a place of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// A number.
    Number(f64),
    /// A name.
    Words(String),
    /// Nothing: the paper has none, or it was not run.
    Empty,
}

/// Rows and columns.
#[derive(Clone, Debug, Serialize)]
pub struct Table {
    /// What it lists.
    pub caption: &'static str,
    /// Names of the columns.
    pub columns: Vec<&'static str>,
    /// One cell for each column.
    pub rows: Vec<Vec<Cell>>,
}

impl From<f64> for Cell {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<Option<f64>> for Cell {
    fn from(value: Option<f64>) -> Self {
        value.map_or(Self::Empty, Self::Number)
    }
}

impl Cell {
    /// Whole numbers in full, others in three digits.
    fn text(&self) -> String {
        match self {
            Self::Number(value) if value.fract() == 0.0 && value.abs() < 1e15 => format!("{value:.0}"),
            Self::Number(value) => shown(*value, 3),
            Self::Words(words) => words.clone(),
            Self::Empty => "-".into(),
        }
    }
}

impl Table {
    /// For a terminal, every column as wide as its widest cell.
    pub(super) fn lines(&self) -> String {
        let mut rows: Vec<Vec<String>> = vec![self.columns.iter().map(|c| (*c).to_owned()).collect()];
        rows.extend(self.rows.iter().map(|row| row.iter().map(Cell::text).collect()));
        let width = |c: usize| rows.iter().filter_map(|row| row.get(c)).map(|x| x.chars().count()).max();
        let widths: Vec<usize> = (0..self.columns.len()).map(|c| width(c).unwrap_or(0)).collect();
        let mut out = format!("  {}\n", self.caption);
        for row in &rows {
            let cells: Vec<String> = row.iter().zip(&widths).map(|(x, w)| format!("{x:>w$}")).collect();
            let _ = writeln!(out, "  {}", cells.join("  "));
        }
        out
    }

    /// For the page.
    pub(super) fn html(&self) -> String {
        let mut out = format!(
            "<p class=\"soft caption\">{}</p><div class=\"wide\"><table class=\"dense\"><thead><tr>",
            escaped(self.caption)
        );
        for column in &self.columns {
            let _ = write!(out, "<th class=\"n\">{}</th>", escaped(column));
        }
        out += "</tr></thead><tbody>\n";
        for row in &self.rows {
            let cells: Vec<String> =
                row.iter().map(|cell| format!("<td class=\"n\">{}</td>", escaped(&cell.text()))).collect();
            let _ = writeln!(out, "<tr>{}</tr>", cells.concat());
        }
        out + "</tbody></table></div>"
    }
}
