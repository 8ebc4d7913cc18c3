//! Numbers of nodes or elements that rise by one from 0 or from 1; the first one tells which.

use super::error::{CUT_OFF, Fault};
use super::scanner::Word;

/// How a file numbers its nodes or its elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbering {
    what: &'static str,
    first: u64,
    count: u64,
}

impl Numbering {
    /// Of things ("node", "element") that are still to come.
    pub fn of(what: &'static str) -> Self {
        Self { what, first: 1, count: 0 }
    }

    /// Of things numbered from 1, as many as there are.
    pub fn from_one(what: &'static str, count: usize) -> Self {
        Self { what, first: 1, count: count as u64 }
    }

    /// Takes the number of the next thing.
    pub fn push(&mut self, word: &Word) -> Result<(), Fault> {
        let what = self.what;
        let number: u64 = word.number(&format!("the number of a {what}"))?;
        if self.count == 0 {
            if number > 1 {
                let problem = format!("the first {what} has the number {number}, not 0 or 1");
                return Err(word.fault(problem, format!("number the {what}s from 0 or from 1")));
            }
            self.first = number;
        }
        let expected = self.first + self.count;
        if number != expected {
            let problem = format!("the next {what} should have the number {expected}");
            let way_out = format!("number the {what}s without gaps ({CUT_OFF})");
            return Err(word.fault(problem, way_out));
        }
        self.count += 1;
        Ok(())
    }

    /// The place, from 0, of the thing that a number names.
    pub fn index(&self, word: &Word) -> Result<u32, Fault> {
        let what = self.what;
        let number: u64 = word.number(&format!("the number of a {what}"))?;
        let index = number.checked_sub(self.first).filter(|&index| index < self.count);
        index.and_then(|index| u32::try_from(index).ok()).ok_or_else(|| {
            let range = match self.count {
                0 => format!("there are no {what}s"),
                count => format!("{what}s are {} to {}", self.first, self.first + count - 1),
            };
            word.fault(format!("no {what} has this number ({range})"), CUT_OFF)
        })
    }
}
