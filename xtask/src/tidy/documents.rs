//! Rules of documents: those that must exist, and paths in them that must lead somewhere.

use super::tree::{File, Tree, Violation, resolve};

const REQUIRED: [&str; 6] =
    ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "REFERENCES.bib", "LICENSE-MIT", "LICENSE-APACHE"];
const MOST_ARCHITECTURE_LINES: usize = 200;
/// Endings that make a word with a slash a path of the repository.
const EXTENSIONS: [&str; 14] =
    ["rs", "md", "toml", "vtk", "msh", "vtu", "py", "bib", "json", "ts", "js", "mjs", "css", "html"];
/// Folders that programs write into.
const WRITTEN: [&str; 2] = ["out/", "target/"];

/// Documents that must exist, and the one that must stay short.
pub fn required(tree: &Tree) -> Vec<Violation> {
    let missing = REQUIRED.iter().filter(|path| !tree.exists(path)).map(|path| Violation {
        file: (*path).to_owned(),
        line: 0,
        message: "is missing".to_owned(),
    });
    let long = tree.file("ARCHITECTURE.md").and_then(|file| {
        let lines = file.text.lines().count();
        let message = format!("{lines} lines; shorten it, at most {MOST_ARCHITECTURE_LINES}");
        (lines > MOST_ARCHITECTURE_LINES).then(|| file.violation(0, message))
    });
    missing.chain(long).collect()
}

/// Links and quoted paths that lead nowhere.
pub fn paths(tree: &Tree) -> Vec<Violation> {
    tree.with_extension("md").flat_map(|file| document(tree, file)).collect()
}

fn document(tree: &Tree, file: &File) -> Vec<Violation> {
    let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut found = Vec::new();
    let mut fenced = false;
    for (line, text) in file.lines() {
        if text.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        let (prose, spans) = if fenced { (String::new(), vec![text]) } else { split_code(text) };
        for target in links(&prose) {
            if !resolve(folder, target).is_some_and(|path| path.is_empty() || tree.exists(&path)) {
                found.push(file.violation(line, format!("the link `{target}` leads nowhere")));
            }
        }
        for word in spans.iter().flat_map(|span| span.split_whitespace()).filter_map(repository_path) {
            // a listing may show foreign files: there only our own folders count
            let ours = word.split('/').next().is_some_and(|top| tree.exists(top));
            let from = [resolve("", word), resolve(folder, word)];
            if (ours || !fenced) && !from.iter().flatten().any(|path| tree.exists(path)) {
                found.push(file.violation(line, format!("`{word}` does not exist")));
            }
        }
    }
    found
}

/// A line as prose without its code spans, and the spans.
fn split_code(line: &str) -> (String, Vec<&str>) {
    let parts: Vec<&str> = line.split('`').collect();
    let prose = parts.iter().step_by(2).copied().collect::<Vec<_>>().join("``");
    (prose, parts.into_iter().skip(1).step_by(2).collect())
}

/// Targets of links inside the repository.
fn links(prose: &str) -> Vec<&str> {
    prose
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split([')', ' ']).next())
        .map(|target| target.split('#').next().unwrap_or_default())
        .filter(|target| !target.is_empty() && !target.contains("://") && !target.starts_with("mailto:"))
        .collect()
}

/// A word that names a file of the repository or anything of the page, without quotes, commas and line numbers around it.
fn repository_path(word: &str) -> Option<&str> {
    let word = word.trim_matches(|c: char| matches!(c, '"' | '\'' | ',' | ';' | '(' | ')' | '[' | ']'));
    let word = word.split_once(':').map_or(word, |(path, _)| path).trim_end_matches('.');
    // placeholders, absolute paths and options name no file of ours
    let literal = word.chars().all(|c| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_'));
    if !literal || word.starts_with(['/', '-']) || WRITTEN.iter().any(|top| word.starts_with(top)) {
        return None;
    }
    if word.starts_with("web/") {
        return Some(word);
    }
    let (stem, extension) = word.rsplit_once('.')?;
    (stem.contains('/') && EXTENSIONS.contains(&extension)).then_some(word)
}

/// Scenes that no document names are found by nobody.
pub fn scenes(tree: &Tree) -> Vec<Violation> {
    let documents: Vec<&File> = tree
        .with_extension("md")
        .filter(|file| {
            file.path == "README.md" || file.path.starts_with("scenes/") || file.path.starts_with("docs/")
        })
        .collect();
    if !tree.exists("scenes/README.md") && !tree.exists("docs") {
        return Vec::new();
    }
    tree.with_extension("toml")
        .filter(|file| file.path.starts_with("scenes/") && file.path.matches('/').count() == 1)
        .filter(|file| {
            let name = file.path.trim_start_matches("scenes/");
            !documents.iter().any(|document| document.text.contains(name))
        })
        .map(|file| file.violation(0, "is named in no document; add it to scenes/README.md"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(found: &[Violation]) -> Vec<String> {
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn links_and_paths_lead_somewhere() {
        let text = "[a](b.md) [c](gone.md#x) [d](https://x.org/y.md) [e](#here) [f](../README.md)\n\
                    `crates/x.rs` `crates/y.rs:3` `a/<name>.rs` `out/summary.json` `x.rs` `[a](z.md)`\n\
                    ```\npliant run scenes/gone.toml -o out/a.json other/x.rs\n```\n";
        let tree = Tree::of(&[
            ("docs/a.md", text),
            ("docs/b.md", ""),
            ("README.md", ""),
            ("crates/x.rs", ""),
            ("scenes/a.toml", ""),
        ]);
        assert_eq!(
            shown(&paths(&tree)),
            [
                "docs/a.md:1: the link `gone.md` leads nowhere",
                "docs/a.md:2: `crates/y.rs` does not exist",
                "docs/a.md:4: `scenes/gone.toml` does not exist",
            ]
        );
    }

    #[test]
    fn files_and_folders_of_the_page_exist() {
        let text = "`web/golden` `web/src/` `web/old` `web/src/main.ts` `web/src/gone.ts`\n";
        let tree = Tree::of(&[("a.md", text), ("web/golden/x.bin", ""), ("web/src/main.ts", "")]);
        assert_eq!(
            shown(&paths(&tree)),
            ["a.md:1: `web/old` does not exist", "a.md:1: `web/src/gone.ts` does not exist"]
        );
    }

    #[test]
    fn required_documents_are_missed() {
        let long = "\n".repeat(201);
        let tree = Tree::of(&[("README.md", ""), ("ARCHITECTURE.md", &long), ("CHANGELOG.md", "")]);
        assert_eq!(
            shown(&required(&tree)),
            [
                "REFERENCES.bib: is missing",
                "LICENSE-MIT: is missing",
                "LICENSE-APACHE: is missing",
                "ARCHITECTURE.md: 201 lines; shorten it, at most 200",
            ]
        );
    }

    #[test]
    fn scenes_are_named_in_a_document() {
        let tree = Tree::of(&[
            ("scenes/README.md", "`bar.toml` bends"),
            ("scenes/bar.toml", ""),
            ("scenes/lost.toml", ""),
            ("scenes/data/part.toml", ""),
        ]);
        assert_eq!(
            shown(&scenes(&tree)),
            ["scenes/lost.toml: is named in no document; add it to scenes/README.md"]
        );
    }
}
