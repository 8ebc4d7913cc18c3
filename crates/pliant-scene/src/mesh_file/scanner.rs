//! Words and numbers of a text file, with the line they stand on.
//!
//! The bytes need not be UTF-8. Counts are checked against the bytes that are left, so a reader may
//! reserve what a count says.

use std::str::FromStr;

use super::error::{CUT_OFF, Fault, Place};

/// One word of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    pub bytes: &'a [u8],
    pub place: Place,
}

impl Word<'_> {
    /// Is it this keyword, in capitals or not?
    pub fn is(&self, keyword: &str) -> bool {
        self.bytes.eq_ignore_ascii_case(keyword.as_bytes())
    }

    pub fn text(&self) -> String {
        shortened(self.bytes)
    }

    /// A fault at this word.
    pub fn fault(&self, problem: impl Into<String>, way_out: impl Into<String>) -> Fault {
        Fault { place: self.place, problem: problem.into(), found: self.text(), way_out: way_out.into() }
    }

    pub fn number<T: FromStr>(&self, what: &str) -> Result<T, Fault> {
        let parsed = std::str::from_utf8(self.bytes).ok().and_then(|text| text.parse().ok());
        parsed.ok_or_else(|| self.fault(format!("expected {what}"), CUT_OFF))
    }

    /// A coordinate: any finite number; the exponent may be Fortran's (`1.0D+00`).
    pub fn coordinate(&self) -> Result<f64, Fault> {
        let value = match self.number("a coordinate") {
            Ok(value) => value,
            Err(fault) => fortran_number(self.bytes).ok_or(fault)?,
        };
        if f64::is_finite(value) {
            return Ok(value);
        }
        Err(self.fault("a coordinate is not finite", "repair the mesh where it was made"))
    }

    /// A count of things of at least `words` words each, for which `bytes` bytes are left.
    pub fn count(&self, what: &str, words: usize, bytes: usize) -> Result<usize, Fault> {
        let count: u64 = self.number(what)?;
        // a word takes two bytes with the blank after it; the last blank may be missing
        let needed = count.checked_mul(2 * words as u64);
        if needed.is_none_or(|needed| needed > bytes as u64 + 1) {
            let problem = format!("{what} is more than the rest of the file can hold");
            return Err(self.fault(problem, CUT_OFF));
        }
        Ok(count as usize)
    }
}

/// A number whose exponent is marked by a D.
fn fortran_number(bytes: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(bytes).ok()?;
    text.contains(['d', 'D']).then(|| text.replace(['d', 'D'], "e"))?.parse().ok()
}

/// Readable, at most about 40 characters.
fn shortened(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(160)]);
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into_owned(),
    }
}

/// Reads a file word by word.
#[derive(Clone, Debug)]
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    /// Past bytes that are not text, lines mean nothing.
    beyond_text: bool,
    /// A word that begins with this byte begins a comment to the end of its line.
    comment: Option<u8>,
}

impl<'a> Scanner<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, line: 1, beyond_text: false, comment: None }
    }

    /// Passes over comments, which begin with `comment` and go to the end of the line.
    pub fn with_comments(bytes: &'a [u8], comment: u8) -> Self {
        Self { comment: Some(comment), ..Self::new(bytes) }
    }

    /// The place reached.
    pub fn place(&self) -> Place {
        if self.beyond_text { Place::Byte(self.at) } else { Place::Line(self.line) }
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// How many bytes have been read.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Takes bytes that are not text; as many as are asked for, or an error.
    pub fn take_bytes(&mut self, count: usize, what: &str) -> Result<&'a [u8], Fault> {
        self.beyond_text = true;
        match self.rest().get(..count) {
            Some(bytes) => {
                self.at += count;
                Ok(bytes)
            }
            None => Err(self.end_fault(what)),
        }
    }

    /// Goes on behind the next line that begins with `text`; `false`, and no step further, if there is none.
    pub fn skip_past_line(&mut self, text: &[u8]) -> bool {
        let rest = self.rest();
        let begins = |at: usize| at == 0 || rest[at - 1] == b'\n';
        let found = rest.windows(text.len()).enumerate().position(|(at, w)| begins(at) && w == text);
        let Some(found) = found else { return false };
        let passed = &rest[..found];
        self.line += passed.iter().filter(|&&byte| byte == b'\n').count();
        self.beyond_text |= passed.contains(&0);
        self.at += found + text.len();
        true
    }

    /// The next word; `None` at the end of the file.
    pub fn next_word(&mut self) -> Option<Word<'a>> {
        self.skip_blanks();
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|byte| !byte.is_ascii_whitespace()) {
            self.at += 1;
        }
        (self.at > start).then(|| Word {
            bytes: &self.bytes[start..self.at],
            place: if self.beyond_text { Place::Byte(start) } else { Place::Line(self.line) },
        })
    }

    fn skip_blanks(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte.is_ascii_whitespace() {
                self.line += usize::from(byte == b'\n');
                self.at += 1;
            } else if self.comment == Some(byte) {
                let rest = self.rest();
                self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            } else {
                return;
            }
        }
    }

    /// The next word, which must be there.
    pub fn word(&mut self, what: &str) -> Result<Word<'a>, Fault> {
        self.next_word().ok_or_else(|| self.end_fault(what))
    }

    pub fn peek(&self) -> Option<Word<'a>> {
        self.clone().next_word()
    }

    /// What is left of this line, without the end of line and the blanks around.
    pub fn rest_of_line(&mut self) -> Word<'a> {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        let word = Word { bytes: rest[..length].trim_ascii(), place: self.place() };
        self.at += length;
        if self.at < self.bytes.len() {
            self.at += 1;
            self.line += 1;
        }
        word
    }

    pub fn number<T: FromStr>(&mut self, what: &str) -> Result<T, Fault> {
        self.word(what)?.number(what)
    }

    /// A coordinate: any finite number.
    pub fn coordinate(&mut self) -> Result<f64, Fault> {
        self.word("a coordinate")?.coordinate()
    }

    pub fn position(&mut self) -> Result<[f64; 3], Fault> {
        Ok([self.coordinate()?, self.coordinate()?, self.coordinate()?])
    }

    /// How many things follow, each of at least `words` words. More than the file can hold is an error.
    pub fn count(&mut self, what: &str, words: usize) -> Result<usize, Fault> {
        self.word(what)?.count(what, words, self.bytes.len() - self.at)
    }

    pub fn skip_words(&mut self, count: usize, what: &str) -> Result<(), Fault> {
        (0..count).try_for_each(|_| self.word(what).map(drop))
    }

    pub fn end_fault(&self, what: &str) -> Fault {
        let problem = format!("the file ends where {what} was expected");
        Fault { place: self.place(), problem, found: String::new(), way_out: CUT_OFF.to_owned() }
    }
}
