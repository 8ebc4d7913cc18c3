//! The little of XML that the VTK files need: attributes, written and read back.

/// Text fit for an attribute between double quotes.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML has no other control characters
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// The value of an attribute in the text of one element; `None` if it is not there.
pub(super) fn attribute(element: &str, name: &str) -> Option<String> {
    let opening = format!(" {name}=\"");
    let start = element.find(&opening)? + opening.len();
    let value = &element[start..];
    let value = &value[..value.find('"')?];
    // the ampersand last, or "&amp;lt;" would turn into "<"
    let pairs = [("&quot;", "\""), ("&gt;", ">"), ("&lt;", "<"), ("&amp;", "&")];
    Some(pairs.iter().fold(value.to_owned(), |text, (from, to)| text.replace(from, to)))
}
