//! Faults of a scene found so far, with the checks that several tables share.

use super::{Located, TimedVector};
use crate::diagnostic::Problem;
use crate::nearest::nearest;
use crate::units::{Dimension, Dimensionless, Quantity, Time, si_array};
use std::ops::Range;

/// See the [module](self).
#[derive(Default)]
pub(super) struct Found {
    /// In the order in which they were found.
    pub problems: Vec<Problem>,
}

impl Found {
    pub fn add(&mut self, span: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        self.problems.push(Problem::new(span, message).help(help));
    }

    /// A name that stands in a column of a CSV file; whether it can.
    pub fn csv_name(&mut self, whose: &str, (name, span): (&str, Range<usize>)) -> bool {
        let fits = !name.is_empty() && !name.contains(|c: char| c == ',' || c == '"' || c.is_control());
        if !fits {
            let help = "it heads lines of a CSV file: give it letters, without commas and quotes";
            self.add(span, format!("`name` of {whose} is {name:?}"), help);
        }
        fits
    }

    /// A value that must be above 0.
    pub fn positive<D: Dimension>(&mut self, key: &str, value: &Located<Quantity<D>>) {
        if value.si() <= 0.0 {
            let example = D::EXAMPLES.first().copied().unwrap_or(D::SI);
            let help = format!("it must be above 0, such as \"{example}\"");
            self.add(value.span(), format!("{} is {}", quoted(key), **value), help);
        }
    }

    /// A value that must be 0 or more.
    pub fn not_negative<D: Dimension>(&mut self, key: &str, value: &Located<Quantity<D>>) {
        if value.si() < 0.0 {
            self.add(value.span(), format!("{} is {}", quoted(key), **value), "it must be 0 or above");
        }
    }

    /// The time something ends.
    pub fn release(&mut self, release: Option<&Located<Quantity<Time>>>) {
        if let Some(release) = release {
            self.positive("release", release);
        }
    }

    /// A direction of any length but 0.
    pub fn direction(&mut self, key: &str, span: Range<usize>, value: &[Quantity<Dimensionless>; 3]) {
        if si_array(value) == [0.0; 3] {
            self.add(span, format!("`{key}` is [0, 0, 0]"), "give a direction, such as [0, 0, 1]");
            return;
        }
        let largest = si_array(value).into_iter().fold(0.0, |most: f64, c| most.max(c.abs()));
        if !(1e-100..1e100).contains(&largest) {
            let text = format!("`{key}` has a component of {largest:e}");
            self.add(span, text, "give a direction of ordinary size, such as [0, 0, 1]");
        }
    }

    /// Times that must grow from entry to entry, with at least one entry.
    pub fn increasing(&mut self, key: &str, entries: &Located<Vec<TimedVector>>) {
        let times = entries.iter().map(|entry| entry.time.si()).collect();
        self.increasing_times(key, (times, "[time, [x, y, z]]"), entries.span());
    }

    /// The same of times alone; `entry` is how one is written.
    pub fn increasing_times(&mut self, key: &str, (times, entry): (Vec<f64>, &str), span: Range<usize>) {
        if times.is_empty() {
            self.add(span.clone(), format!("`{key}` is empty"), format!("give at least one {entry}"));
        }
        if let Some(pair) = times.windows(2).find(|pair| pair[1] <= pair[0]) {
            let text = format!("`{key}` goes from {} s to {} s", pair[0], pair[1]);
            self.add(span, text, "times must increase from entry to entry");
        }
    }

    /// A name that must be among those the scene defines.
    pub fn reference<'a>(
        &mut self,
        kind: &str,
        name: &Located<String>,
        known: impl Iterator<Item = &'a String> + Clone,
    ) {
        if known.clone().any(|other| *other == **name) {
            return;
        }
        let help = match nearest(name, known.clone().map(String::as_str)) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => match known.map(|other| format!("\"{other}\"")).collect::<Vec<_>>().join(", ") {
                none if none.is_empty() => format!("add [{kind}.{}]", **name),
                list => format!("known are {list}, or add [{kind}.{}]", **name),
            },
        };
        self.add(name.span(), format!("`{kind}` is \"{}\", which this scene does not define", **name), help);
    }
}

/// A key in backticks, unless it brings its own.
fn quoted(key: &str) -> String {
    if key.contains('`') { format!("`{key}") } else { format!("`{key}`") }
}
