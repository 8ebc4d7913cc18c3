//! Citations: a tag such as `[Zhuang 2.16]` in a comment needs an entry of that name in REFERENCES.bib,
//! and each entry needs a tag.

use super::tree::{File, Tree, Violation};

const BIBLIOGRAPHY: &str = "REFERENCES.bib";

/// Tags in comments without an entry.
pub fn dangling(tree: &Tree) -> Vec<Violation> {
    let known: Vec<String> = entries(tree).into_iter().map(|(_, key)| key.to_lowercase()).collect();
    let mut found = Vec::new();
    for file in tree.with_extension("rs").filter(|file| !is_example(file)) {
        for (line, text) in file.lines() {
            let Some((_, comment)) = text.split_once("//") else { continue };
            for key in tags(comment) {
                if !known.contains(&key.to_lowercase()) {
                    let message = format!("[{key}] has no entry `@...{{{key}, ...}}` in {BIBLIOGRAPHY}");
                    found.push(file.violation(line, message));
                }
            }
        }
    }
    found
}

/// Entries that nothing cites.
pub fn unused(tree: &Tree) -> Vec<Violation> {
    let Some(bibliography) = tree.file(BIBLIOGRAPHY) else { return Vec::new() };
    let documents = tree.with_extension("rs").chain(tree.with_extension("md"));
    let texts: Vec<&str> =
        documents.filter(|file| !is_example(file)).map(|file| file.text.as_str()).collect();
    let cites = |text: &str, key: &str| {
        let whole = text.to_lowercase().contains(&format!("[{}]", key.to_lowercase()));
        whole || tags(text).iter().any(|tag| tag.eq_ignore_ascii_case(key))
    };
    entries(tree)
        .into_iter()
        .filter(|(_, key)| !texts.iter().any(|text| cites(text, key)))
        .map(|(line, key)| {
            bibliography.violation(line, format!("`{key}` is cited nowhere; cite it or remove it"))
        })
        .collect()
}

/// The tags in this file show the rule and cite nothing.
fn is_example(file: &File) -> bool {
    file.path.ends_with("tidy/citations.rs")
}

/// Keys of the bibliography, with their line.
fn entries(tree: &Tree) -> Vec<(usize, String)> {
    let Some(file) = tree.file(BIBLIOGRAPHY) else { return Vec::new() };
    file.lines()
        .filter_map(|(line, text)| {
            let (_, rest) = text.trim_start().strip_prefix('@')?.split_once('{')?;
            Some((line, rest.split(',').next()?.trim().to_owned()))
        })
        .collect()
}

/// The keys in brackets: `[Zhuang 2.16]`, `[Stolfi (16); Warp 3]`, `[Zhuang Table 4.1]`, `[smith2018]`.
fn tags(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (open, _) in text.match_indices('[') {
        let inside = &text[open + 1..];
        let Some(close) = inside.find([']', '[', '\n']) else { continue };
        // a link has its address behind it
        let rest = &inside[close..];
        if !rest.starts_with(']') || rest.starts_with("](") || rest.starts_with("]:") {
            continue;
        }
        found.extend(inside[..close].split(';').filter_map(|part| key(part.trim())));
    }
    found
}

/// The key of one tag: a capitalised word before a place in the work, or letters and a year.
fn key(tag: &str) -> Option<String> {
    let (word, place) = tag.split_once(' ').unwrap_or((tag, ""));
    if !word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
        return None;
    }
    if place.is_empty() {
        let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let year = word.len() - letters.len() == 4;
        return (year && letters.len() > 1 && letters.chars().all(char::is_alphabetic))
            .then(|| word.to_owned());
    }
    let places = ["Table", "Fig", "Eq", "eq", "Section", "section", "Chapter", "chapter", "§", "p."];
    let numbered = place.trim_start_matches('(').starts_with(|c: char| c.is_ascii_digit());
    let named = word.starts_with(|c: char| c.is_ascii_uppercase());
    (named && (numbered || places.iter().any(|start| place.starts_with(start)))).then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_told_from_links_and_indices() {
        let text = "see [Zhuang 2.16], [Stolfi (16); Warp 3], [Zhuang Table 4.1] and [smith2018]; not [x 2], \
                    [`Scene`], [Chapter 2](a.md), [self], [a0, a1], [0 1], [abc]";
        assert_eq!(tags(text), ["Zhuang", "Stolfi", "Warp", "Zhuang", "smith2018"]);
    }

    #[test]
    fn tags_and_entries_must_match() {
        let tree = Tree::of(&[
            ("REFERENCES.bib", "@phdthesis{Zhuang,\n}\n@misc{Idle,\n}\n@misc{Named,\n}\n"),
            ("a.rs", "//! By [zhuang2000].\n// [Zhuang 2.16]\nlet x = [Other 2];\n// [Warp 3]\n"),
            ("docs/a.md", "As in [Named]."),
        ]);
        let lines = |found: Vec<Violation>| found.iter().map(ToString::to_string).collect::<Vec<_>>();
        let dangling = lines(dangling(&tree));
        assert_eq!(dangling.len(), 2, "{dangling:?}");
        assert!(dangling[0].starts_with("a.rs:1: [zhuang2000] has no entry"));
        assert!(dangling[1].starts_with("a.rs:4: [Warp] has no entry"));
        assert_eq!(lines(unused(&tree)), ["REFERENCES.bib:3: `Idle` is cited nowhere; cite it or remove it"]);
    }
}
