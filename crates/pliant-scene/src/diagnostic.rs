//! What is wrong with a scene file, and where: plain text on its own, and a miette report with the source.

use miette::{Diagnostic, LabeledSpan, SourceCode};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The text of a scene file and the name to show for it.
#[derive(Debug)]
pub struct Source {
    /// Path as the user gave it.
    pub name: String,
    /// The whole file.
    pub text: String,
}

impl Source {
    /// A source to be shared by everything that may complain about it.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        Arc::new(Self { name: name.into(), text: text.into() })
    }

    /// Line and column of a byte, both from 1, columns in characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &self.text[..offset];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }

    /// `file:line:column` of a span, for logs and terminals that jump to it.
    pub fn place(&self, span: &Range<usize>) -> String {
        let (line, column) = self.line_column(span.start);
        format!("{}:{line}:{column}", self.name)
    }

    /// An error with one problem in this file. `help` is the way out.
    pub fn error(
        self: &Arc<Self>,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> SceneError {
        SceneError::new(self, vec![Problem::new(span, message).help(help)])
    }
}

/// One thing that is wrong, at a place in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Bytes of the file; `None` when the whole file is meant.
    pub span: Option<Range<usize>>,
    /// What is wrong, with key and value.
    pub message: String,
    /// The way out.
    pub help: Option<String>,
}

impl Problem {
    /// A problem at a place in the file. The empty span at 0 stands for a value that came from no file.
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        let span = (span != (0..0)).then_some(span);
        Self { span, message: message.into(), help: None }
    }

    /// A problem of the file as a whole.
    pub fn of_file(message: impl Into<String>) -> Self {
        Self { span: None, message: message.into(), help: None }
    }

    /// Adds the way out; an empty text adds none.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        let help = help.into();
        self.help = (!help.is_empty()).then_some(help);
        self
    }

    /// `file:line:column: message; help`.
    pub fn line(&self, source: &Source) -> String {
        let place = self.span.as_ref().map_or_else(|| source.name.clone(), |span| source.place(span));
        match &self.help {
            Some(help) => format!("{place}: {}; {help}", self.message),
            None => format!("{place}: {}", self.message),
        }
    }
}

/// Everything found wrong with a scene, at least one problem, in the order of the file.
///
/// `Display` gives one complete line per problem; with miette's printer the places are marked in the text.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", Lines(self))]
pub struct SceneError {
    file: Arc<Source>,
    problems: Vec<Problem>,
}

impl SceneError {
    /// An error from what was found; sorts by place.
    pub fn new(file: &Arc<Source>, mut problems: Vec<Problem>) -> Self {
        if problems.is_empty() {
            problems.push(Problem::of_file("the scene cannot be used"));
        }
        problems.sort_by_key(|problem| problem.span.as_ref().map_or(0, |span| span.start));
        Self { file: Arc::clone(file), problems }
    }

    /// `Ok` when nothing was found.
    pub fn check(file: &Arc<Source>, problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() { Ok(()) } else { Err(Self::new(file, problems)) }
    }

    /// What was found, in the order of the file.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The file it was found in.
    pub fn file(&self) -> &Arc<Source> {
        &self.file
    }
}

struct Lines<'a>(&'a SceneError);

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.problems.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            f.write_str(&problem.line(&self.0.file))?;
        }
        Ok(())
    }
}

impl Diagnostic for SceneError {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        // with several problems each line of the message carries its own
        match &self.problems[..] {
            [Problem { help: Some(help), .. }] => Some(Box::new(help)),
            _ => None,
        }
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.problems.iter().any(|problem| problem.span.is_some()).then_some(&self.file.text)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let labels = self.problems.iter().filter_map(|problem| {
            let span = problem.span.clone()?;
            Some(LabeledSpan::new_with_span(Some(problem.message.clone()), span))
        });
        Some(Box::new(labels))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters_from_one() {
        let source = Source::new("a.toml", "ab\nµx = 1\n");
        assert_eq!(source.line_column(0), (1, 1));
        assert_eq!(source.line_column(3), (2, 1));
        assert_eq!(source.line_column(5), (2, 2));
        assert_eq!(source.line_column(4), (2, 1), "inside a character");
        assert_eq!(source.line_column(999), (3, 1), "beyond the end");
    }

    #[test]
    fn several_problems_are_shown_in_file_order() {
        let source = Source::new("a.toml", "x = 1\ny = 2\n");
        let found = vec![Problem::new(6..7, "second").help("do that"), Problem::new(0..1, "first")];
        let error = SceneError::new(&source, found);
        assert_eq!(error.to_string(), "a.toml:1:1: first\na.toml:2:1: second; do that");
    }
}
