//! Lines of a text file that hold something, and the fields on them.
//!
//! For formats in which a line means something; blank lines and comments are passed over.

use super::error::{CUT_OFF, Fault, Place};
use super::scanner::Word;

/// How a format marks its comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comments {
    /// `#` up to the end of the line.
    Hash,
    /// Whole lines that begin with `**`.
    TwoStars,
}

/// What to say of a file whose last line has no end, where nothing else tells that it is whole.
pub(super) fn open_end(bytes: &[u8]) -> Option<&'static str> {
    let open = bytes.last().is_some_and(|byte| !byte.is_ascii_whitespace());
    open.then_some("the last line has no line end: it may be cut off")
}

/// Reads a file line by line. A line is a [`Word`] with blanks in it, but not around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    line: usize,
    comments: Comments,
}

impl<'a> Lines<'a> {
    pub fn new(bytes: &'a [u8], comments: Comments) -> Self {
        Self { rest: bytes, line: 1, comments }
    }

    /// How many bytes have not been read yet.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// The next line unless it begins with a star, as keywords do.
    pub fn next_data(&mut self) -> Option<Word<'a>> {
        let before = *self;
        let line = self.next()?;
        if line.bytes.starts_with(b"*") {
            *self = before;
            return None;
        }
        Some(line)
    }

    /// The next line, which must be there.
    pub fn line(&mut self, what: &str) -> Result<Word<'a>, Fault> {
        self.next().ok_or_else(|| self.end_fault(what))
    }

    pub fn end_fault(&self, what: &str) -> Fault {
        let problem = format!("the file ends where {what} was expected");
        let place = Place::Line(self.line);
        Fault { place, problem, found: String::new(), way_out: CUT_OFF.to_owned() }
    }

    fn next_raw(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.iter().position(|&byte| byte == b'\n');
        let line = &self.rest[..end.unwrap_or(self.rest.len())];
        self.rest = &self.rest[end.map_or(self.rest.len(), |end| end + 1)..];
        self.line += usize::from(end.is_some());
        Some(line)
    }

    fn without_comment(&self, line: &'a [u8]) -> &'a [u8] {
        match self.comments {
            Comments::TwoStars if line.trim_ascii_start().starts_with(b"**") => &[],
            Comments::TwoStars => line,
            Comments::Hash => line.split(|&byte| byte == b'#').next().unwrap_or_default(),
        }
        .trim_ascii()
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        loop {
            let place = Place::Line(self.line);
            let raw = self.next_raw()?;
            let bytes = self.without_comment(raw);
            if !bytes.is_empty() {
                return Some(Word { bytes, place });
            }
        }
    }
}

/// Words of one line, with blanks, commas or semicolons between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'a> {
    line: Word<'a>,
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    pub fn of(line: Word<'a>) -> Self {
        Self { line, rest: line.bytes }
    }

    /// The next word, which must be there.
    pub fn word(&mut self, what: &str) -> Result<Word<'a>, Fault> {
        let line = self.line;
        self.next().ok_or_else(|| line.fault(format!("the line ends where {what} was expected"), CUT_OFF))
    }

    pub fn position(&mut self) -> Result<[f64; 3], Fault> {
        let mut position = [0.0; 3];
        for x in &mut position {
            *x = self.word("a coordinate")?.coordinate()?;
        }
        Ok(position)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        let between = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b';');
        let start = self.rest.iter().position(|byte| !between(byte))?;
        let rest = &self.rest[start..];
        let end = rest.iter().position(between).unwrap_or(rest.len());
        self.rest = &rest[end..];
        Some(Word { bytes: &rest[..end], place: self.line.place })
    }
}
