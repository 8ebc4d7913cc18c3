//! Keyword lines of Abaqus input: `*KEYWORD, PARAMETER=value, PARAMETER`.
//!
//! Capitals do not matter and blanks inside keywords neither. A line that ends with a comma goes on in the next one.
//! Values in quotes may hold commas.

use super::lines::Lines;
use super::scanner::Word;

/// A keyword with its parameters.
#[derive(Debug)]
pub(super) struct Keyword<'a> {
    /// The line it begins on.
    pub line: Word<'a>,
    /// In capitals, without the star and without blanks.
    pub name: String,
    /// Names in capitals, values as they are.
    parameters: Vec<(String, String)>,
}

impl<'a> Keyword<'a> {
    /// Reads the keyword that `line` begins.
    pub fn read(line: Word<'a>, lines: &mut Lines<'a>) -> Self {
        let mut text = String::from_utf8_lossy(line.bytes).into_owned();
        while text.ends_with(',') {
            let Some(more) = lines.next_data() else { break };
            text.push_str(&String::from_utf8_lossy(more.bytes));
        }
        let mut parts = split_outside_quotes(&text).into_iter();
        let name = parts.next().unwrap_or_default();
        let name = name.chars().filter(|c| *c != '*' && !c.is_whitespace()).collect::<String>();
        let parameter = |part: &str| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            (name.trim().to_ascii_uppercase(), unquoted(value).to_owned())
        };
        Self { line, name: name.to_ascii_uppercase(), parameters: parts.map(parameter).collect() }
    }

    /// The value of a parameter; empty if it stands alone.
    pub fn value(&self, name: &str) -> Option<&str> {
        let found = self.parameters.iter().find(|(parameter, _)| parameter == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The value of a parameter that names something.
    pub fn label(&self, name: &str) -> Option<&str> {
        self.value(name).filter(|value| !value.is_empty())
    }
}

/// Without blanks and quotes around.
pub(super) fn unquoted(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(text)
}

/// Fields of a data line: what stands between commas, without the blanks around.
pub(super) fn fields<'a>(line: &Word<'a>) -> impl Iterator<Item = Word<'a>> + use<'a> {
    let place = line.place;
    line.bytes.split(|&byte| byte == b',').map(move |field| Word { bytes: field.trim_ascii(), place })
}

fn split_outside_quotes(text: &str) -> Vec<&str> {
    let mut quoted = false;
    let between = |c: char| {
        quoted ^= c == '"';
        c == ',' && !quoted
    };
    text.split(between).collect()
}
