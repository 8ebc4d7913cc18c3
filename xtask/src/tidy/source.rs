//! Rules of source files: length, header, names, open ends, machine paths, and what the solid crate may touch.

use super::tree::{File, Tree, Violation};

const MOST_LINES: usize = 400;
const BANNED_MODULES: [&str; 4] = ["utils", "common", "helpers", "manager"];

/// A file that is too long to read at a sitting.
pub fn long_files(tree: &Tree) -> Vec<Violation> {
    const EXTENSIONS: [&str; 6] = ["rs", "ts", "js", "mjs", "css", "html"];
    let sources = EXTENSIONS.into_iter().flat_map(|extension| tree.with_extension(extension));
    sources
        .filter_map(|file| {
            let lines = file.text.lines().count();
            let message = format!("{lines} lines; split it, at most {MOST_LINES}");
            (lines > MOST_LINES).then(|| file.violation(0, message))
        })
        .collect()
}

/// The first line says what a file is.
pub fn headers(tree: &Tree) -> Vec<Violation> {
    const STARTS: [(&str, &[&str], &str); 4] = [
        ("rs", &["//!"], "the first line must start with `//!` and say what the file is"),
        ("ts", &["//", "/**"], "the first line must be a comment that says what the file is"),
        ("js", &["//", "/**"], "the first line must be a comment that says what the file is"),
        ("mjs", &["//", "/**"], "the first line must be a comment that says what the file is"),
    ];
    let rule = |(extension, starts, message): (&'static str, &'static [&'static str], &'static str)| {
        let headless = tree
            .with_extension(extension)
            .filter(move |file| !starts.iter().any(|start| file.text.starts_with(start)));
        headless.map(move |file| file.violation(1, message))
    };
    STARTS.into_iter().flat_map(rule).collect()
}

/// Modules named after nothing attract everything.
pub fn module_names(tree: &Tree) -> Vec<Violation> {
    let mut found = Vec::new();
    for file in tree.with_extension("rs").chain(tree.with_extension("ts")) {
        let parts = file.path.trim_end_matches(".rs").trim_end_matches(".ts").split('/');
        if let Some(name) = parts.into_iter().find(|part| BANNED_MODULES.contains(part)) {
            found
                .push(file.violation(0, format!("a module named `{name}` says nothing; name what it holds")));
        }
        for (line, text) in file.lines() {
            if let Some(name) = declared_module(text).filter(|name| BANNED_MODULES.contains(name)) {
                found.push(
                    file.violation(line, format!("a module named `{name}` says nothing; name what it holds")),
                );
            }
        }
    }
    found
}

/// The name in `pub(crate) mod name;` or `mod name {`.
fn declared_module(line: &str) -> Option<&str> {
    let code = line.split("//").next()?;
    let (before, rest) = code.split_once("mod ")?;
    let visibility = before.trim();
    (visibility.is_empty() || visibility.starts_with("pub")).then_some(rest.trim_end_matches([' ', '{', ';']))
}

/// Open ends need an issue: a marker followed by `(#12)` is allowed.
pub fn open_ends(tree: &Tree) -> Vec<Violation> {
    const MARKERS: [&str; 2] = [concat!("TO", "DO"), concat!("FIX", "ME")];
    let mut found = Vec::new();
    for file in tree.files() {
        for (line, text) in file.lines() {
            for marker in MARKERS {
                for (at, _) in text.match_indices(marker) {
                    let before = text[..at].chars().next_back();
                    let after = &text[at + marker.len()..];
                    let whole_word = !before.is_some_and(is_word) && !after.starts_with(is_word);
                    if whole_word && !after.starts_with("(#") {
                        let message = format!("a bare {marker}; do it, or name the issue: {marker}(#12)");
                        found.push(file.violation(line, message));
                    }
                }
            }
        }
    }
    found
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Paths that exist on one machine only.
pub fn machine_paths(tree: &Tree) -> Vec<Violation> {
    const STARTS: [&str; 4] =
        [concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/wo", "rk/"), concat!("/Us", "ers/")];
    let mut found = Vec::new();
    for file in tree.files() {
        for (line, text) in file.lines() {
            for start in STARTS {
                // inside a longer path or an address it is another word
                let absolute = |at: usize| {
                    let before = text[..at].chars().next_back();
                    !before
                        .is_some_and(|c| is_word(c) || matches!(c, '.' | '-' | '/' | '}' | '~' | '>' | '*'))
                };
                if text.match_indices(start).any(|(at, _)| absolute(at)) {
                    found.push(file.violation(line, format!("`{start}` is a path of one machine")));
                }
            }
        }
    }
    found
}

/// A lock file that names the host a package came from works only where that host does.
pub fn lock_hosts(tree: &Tree) -> Vec<Violation> {
    let locks = tree.with_extension("json").filter(|file| file.path.ends_with("package-lock.json"));
    let rule = |file: &File| {
        let named = |(line, text): (usize, &str)| {
            let message =
                "names a host; make the lock file with npm's `omit-lockfile-registry-resolved=true`";
            text.trim_start().starts_with("\"resolved\"").then(|| file.violation(line, message))
        };
        file.lines().filter_map(named).collect::<Vec<_>>()
    };
    locks.flat_map(rule).collect()
}

/// The solid crate does no input or output, reads no clock and starts no threads.
pub fn pure_solid(tree: &Tree) -> Vec<Violation> {
    const BANNED: [&str; 11] = [
        "std::fs",
        "std::io",
        "std::net",
        "std::process",
        "std::thread",
        "std::time",
        "println!",
        "eprintln!",
        "print!",
        "eprint!",
        "ThreadPoolBuilder",
    ];
    const GROUPED: [&str; 6] = ["fs", "io", "net", "process", "thread", "time"];
    let mut found = Vec::new();
    let sources = tree.with_extension("rs").filter(|file| file.path.starts_with("crates/pliant-solid/src/"));
    for file in sources {
        for (line, text) in file.lines() {
            let code = text.split("//").next().unwrap_or_default();
            let mut words = BANNED.iter().filter(|word| {
                code.match_indices(**word).any(|(at, _)| {
                    !code[..at].chars().next_back().is_some_and(is_word)
                        && !code[at + word.len()..].starts_with(is_word)
                })
            });
            if let Some(word) = words.next() {
                found.push(
                    file.violation(line, format!("`{word}`: pliant-solid does no I/O, clock or threads")),
                );
            }
            if let Some((_, group)) = code.split_once("use std::{") {
                let mut parts = group.split([',', '}', '{', ':', ';']).map(str::trim);
                if let Some(part) = parts.find(|part| GROUPED.contains(part)) {
                    let message = format!("`std::{part}`: pliant-solid does no I/O, clock or threads");
                    found.push(file.violation(line, message));
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(found: &[Violation]) -> Vec<String> {
        found.iter().map(|violation| format!("{}:{}", violation.file, violation.line)).collect()
    }

    #[test]
    fn length_and_header_are_checked() {
        let long = format!("//! Long.\n{}", "\n".repeat(400));
        let tree = Tree::of(&[("a.rs", "//! A.\n"), ("b.rs", "fn b() {}\n"), ("c.rs", &long), ("d.md", "x")]);
        assert_eq!(lines(&long_files(&tree)), ["c.rs:0"]);
        assert_eq!(lines(&headers(&tree)), ["b.rs:1"]);
    }

    #[test]
    fn the_page_is_held_to_the_same_rules() {
        let long = format!("// Long.\n{}", "\n".repeat(400));
        let tree = Tree::of(&[
            ("web/src/a.ts", "// A.\n"),
            ("web/src/b.ts", "/** B. */\n"),
            ("web/src/c.ts", "import './a';\n"),
            ("web/src/d.ts", &long),
            ("web/src/helpers/e.ts", "// E.\n"),
            ("web/style.css", &long),
            ("web/index.html", "<!doctype html>\n"),
            ("bench/f.mjs", "import 'node:fs';\n"),
        ]);
        assert_eq!(lines(&long_files(&tree)), ["web/src/d.ts:0", "web/style.css:0"]);
        assert_eq!(lines(&headers(&tree)), ["web/src/c.ts:1", "bench/f.mjs:1"]);
        assert_eq!(lines(&module_names(&tree)), ["web/src/helpers/e.ts:0"]);
    }

    #[test]
    fn lock_files_name_no_host() {
        let text = "{\n  \"version\": \"1.0.0\",\n  \"resolved\": \"https://x.org/y.tgz\",\n  \"integrity\": \"\"\n}\n";
        let tree = Tree::of(&[("web/package-lock.json", text), ("web/other.json", text)]);
        assert_eq!(lines(&lock_hosts(&tree)), ["web/package-lock.json:3"]);
    }

    #[test]
    fn modules_are_named_after_what_they_hold() {
        let tree = Tree::of(&[
            ("src/utils.rs", "//! A.\n"),
            ("src/common/mod.rs", "//! A.\n"),
            (
                "src/lib.rs",
                "//! A.\npub(crate) mod helpers {\nmod manager;\nmod shape;\n// mod utils;\nlet utils = 1;\n",
            ),
        ]);
        let found = lines(&module_names(&tree));
        assert_eq!(found, ["src/utils.rs:0", "src/common/mod.rs:0", "src/lib.rs:2", "src/lib.rs:3"]);
    }

    #[test]
    fn open_ends_need_an_issue() {
        let mark = concat!("TO", "DO");
        let text = format!("// {mark}: later\n// {mark}(#12): later\n// {mark}S\n// MY_{mark}\n");
        assert_eq!(lines(&open_ends(&Tree::of(&[("a.rs", &text)]))), ["a.rs:1"]);
    }

    #[test]
    fn machine_paths_are_found_and_addresses_are_not() {
        let home = concat!("/ho", "me/");
        let text = format!("see {home}me/x\nhttps://example.org{home}me\n\"{home}me\"\na{home}b\n");
        assert_eq!(lines(&machine_paths(&Tree::of(&[("a.md", &text)]))), ["a.md:1", "a.md:3"]);
    }

    #[test]
    fn the_solid_crate_touches_nothing() {
        let text = "//! A.\nuse std::fs;\nuse std::{fmt, time::Instant};\n// std::thread\nprintln!();\nmy_println!();\n";
        let tree =
            Tree::of(&[("crates/pliant-solid/src/a.rs", text), ("crates/pliant-scene/src/a.rs", text)]);
        let file = "crates/pliant-solid/src/a.rs";
        let expected: Vec<String> = [2, 3, 5].iter().map(|line| format!("{file}:{line}")).collect();
        assert_eq!(lines(&pure_solid(&tree)), expected);
    }
}
