//! Modules of a crate that need each other: which file names what of which module, and the circles that makes.
//!
//! A module may use its parent and its children; two siblings may not both use each other, nor in a longer circle. What
//! a name stands for is found by the text alone: paths that begin with `crate`, `super` or `self`, and the `use` lines by
//! which a module shows what its children hold. Tests are not looked at.

use super::tree::{File, Tree, Violation};
use std::collections::{BTreeMap, BTreeSet};

/// Segments from the root of a crate; empty for the root itself.
type Path = Vec<String>;

/// Who uses whom among the children of a module, and the file and line where that is first written.
type Uses<'a> = BTreeMap<(String, String), (&'a str, usize)>;

/// Modules that use each other in a circle, one violation a circle.
pub fn modules(tree: &Tree) -> Vec<Violation> {
    let mut crates: BTreeMap<String, Vec<&File>> = BTreeMap::new();
    for file in tree.with_extension("rs") {
        if let Some((root, _)) = file.path.split_once("/src/") {
            crates.entry(format!("{root}/src/")).or_default().push(file);
        }
    }
    crates.iter().flat_map(|(root, files)| of_crate(root, files)).collect()
}

fn of_crate(root: &str, files: &[&File]) -> Vec<Violation> {
    let sources: Vec<Source> = files.iter().filter_map(|file| Source::of(root, file)).collect();
    let known: BTreeSet<&Path> = sources.iter().map(|source| &source.module).collect();
    let shown: BTreeMap<Path, Path> = sources.iter().flat_map(|source| source.shows(&known)).collect();
    let mut uses: BTreeMap<Path, Uses> = BTreeMap::new();
    for source in &sources {
        for (line, path) in &source.named {
            let target = resolve(path, &known, &shown);
            let common = source.module.iter().zip(&target).take_while(|(a, b)| a == b).count();
            let (Some(from), Some(to)) = (source.module.get(common), target.get(common)) else { continue };
            let level = uses.entry(target[..common].to_vec()).or_default();
            level.entry((from.clone(), to.clone())).or_insert((&source.path, *line));
        }
    }
    uses.values().flat_map(circles).collect()
}

/// One violation for each circle, at the place of its first link.
fn circles(level: &Uses) -> Vec<Violation> {
    let modules: BTreeSet<&str> = level.keys().flat_map(|(a, b)| [a.as_str(), b.as_str()]).collect();
    let reached = |start: &str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![start.to_owned()]);
        while let Some(at) = open.pop() {
            for (_, to) in level.keys().filter(|(from, _)| *from == at) {
                if seen.insert(to.clone()) {
                    open.push(to.clone());
                }
            }
        }
        seen
    };
    let reach: BTreeMap<&str, BTreeSet<String>> = modules.iter().map(|m| (*m, reached(m))).collect();
    let mut told = BTreeSet::new();
    let mut found = Vec::new();
    for module in modules {
        let circle: Vec<&str> =
            reach[module].iter().map(String::as_str).filter(|m| reach[m].contains(module)).collect();
        if circle.is_empty() || !told.insert(circle.clone()) {
            continue;
        }
        let inside = |name: &String| circle.contains(&name.as_str());
        let links = level.iter().filter(|((a, b), _)| inside(a) && inside(b));
        let words: Vec<String> =
            links.map(|((a, b), (file, line))| format!("{a} -> {b} ({file}:{line})")).collect();
        let (file, line) = level
            .iter()
            .find(|((a, b), _)| inside(a) && inside(b))
            .map_or((String::new(), 0), |(_, (file, line))| ((*file).to_owned(), *line));
        let message = format!("modules {} use each other: {}", circle.join(", "), words.join(", "));
        found.push(Violation { file, line, message });
    }
    found
}

/// A file as a module, with the paths that it names.
struct Source {
    path: String,
    module: Path,
    /// Lines and absolute paths.
    named: Vec<(usize, Path)>,
    /// Paths relative to the module, from its `use` lines.
    used: Vec<Path>,
}

impl Source {
    fn of(root: &str, file: &File) -> Option<Self> {
        let inner = file.path.strip_prefix(root)?.strip_suffix(".rs")?;
        let mut module: Path = inner.split('/').map(str::to_owned).collect();
        let last = module.last()?.clone();
        if last == "tests" || last.ends_with("_tests") || inner.starts_with("bin/") {
            return None;
        }
        if last == "mod" || (module.len() == 1 && (last == "lib" || last == "main")) {
            module.pop();
        }
        let mut source = Self { path: file.path.clone(), module, named: Vec::new(), used: Vec::new() };
        source.read(&code(&file.text));
        Some(source)
    }

    /// Finds the paths in the text.
    fn read(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
        let mut line = 1;
        for at in 0..bytes.len() {
            line += usize::from(bytes[at] == b'\n');
            let inside = at > 0 && (word(bytes[at - 1]) || bytes[at - 1] == b':');
            if inside || !text.is_char_boundary(at) {
                continue;
            }
            let rest = &text[at..];
            let declares = ["use ", "pub use ", "pub(crate) use ", "pub(super) use "];
            if declares.iter().any(|d| rest.starts_with(d)) && bytes[..at].last().is_none_or(|b| *b == b'\n')
            {
                let tree = rest.split_once("use ").map_or("", |(_, tree)| tree);
                let first = tree.split([':', '{', ';', ' ']).next().unwrap_or_default();
                if !["crate", "super", "std", "self"].contains(&first) {
                    leaves(tree, &mut Vec::new(), &mut |path| self.used.push(path.to_vec()));
                }
            }
            if ["crate::", "super::", "self::"].iter().any(|start| rest.starts_with(start)) {
                let mut found = Vec::new();
                leaves(rest, &mut Vec::new(), &mut |path| found.push(path.to_vec()));
                for path in found {
                    let absolute = self.absolute(&path);
                    // a module that shows what a sibling holds is a way to it
                    if path[0] == "self" {
                        self.used.push(path[1..].to_vec());
                    }
                    self.named.push((line, absolute));
                }
            }
        }
    }

    fn absolute(&self, path: &[String]) -> Path {
        let mut out = if path[0] == "crate" { Vec::new() } else { self.module.clone() };
        for segment in path {
            match segment.as_str() {
                "crate" | "self" => {}
                "super" => drop(out.pop()),
                _ => out.push(segment.clone()),
            }
        }
        out
    }

    /// What this module shows under its own name that its children hold.
    fn shows(&self, known: &BTreeSet<&Path>) -> Vec<(Path, Path)> {
        let of_child = |path: &&Path| {
            let mut child = self.module.clone();
            child.extend(path.first().cloned());
            path.len() > 1 && known.contains(&child)
        };
        let shown = |path: &Path| {
            let (mut own, mut true_place) = (self.module.clone(), self.module.clone());
            own.extend(path.last().cloned());
            true_place.extend(path.iter().cloned());
            (own, true_place)
        };
        self.used.iter().filter(of_child).map(shown).collect()
    }
}

/// The module that a path leads into, by way of what modules show.
fn resolve(path: &Path, known: &BTreeSet<&Path>, shown: &BTreeMap<Path, Path>) -> Path {
    let mut path = path.clone();
    // a name that is shown may be shown again deeper down
    for _ in 0..8 {
        let next = (1..=path.len()).find_map(|n| {
            let (head, tail) = path.split_at(n);
            let head = head.to_vec();
            shown.get(&head).filter(|_| !known.contains(&head)).map(|at| [at.as_slice(), tail].concat())
        });
        match next {
            Some(next) => path = next,
            None => break,
        }
    }
    let deepest = (0..=path.len()).rev().find(|n| known.contains(&path[..*n].to_vec()));
    path[..deepest.unwrap_or(0)].to_vec()
}

/// Every path of a tree such as `crate::a::{b, c::d}`.
fn leaves(text: &str, prefix: &mut Path, visit: &mut dyn FnMut(&[String])) -> usize {
    let bytes = text.as_bytes();
    let (mut at, depth) = (0, prefix.len());
    loop {
        while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
        }
        if bytes.get(at) == Some(&b'{') {
            at += 1;
            loop {
                at += leaves(&text[at..], prefix, visit);
                while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
                    at += 1;
                }
                match bytes.get(at) {
                    Some(b',') => at += 1,
                    Some(b'}') => {
                        at += 1;
                        break;
                    }
                    _ => break,
                }
            }
            prefix.truncate(depth);
            return at;
        }
        let end = text[at..].find(|c: char| !c.is_alphanumeric() && c != '_').map_or(text.len(), |n| at + n);
        if end == at {
            break; // a glob, or the end of a list
        }
        prefix.push(text[at..end].to_owned());
        at = end;
        if !text[at..].starts_with("::") {
            break;
        }
        at += 2;
    }
    if prefix.len() > depth || bytes.get(at) == Some(&b'*') {
        visit(prefix);
        at += usize::from(bytes.get(at) == Some(&b'*'));
    }
    // what a name is called here does not matter
    if let Some(rest) = text[at..].trim_start().strip_prefix("as ") {
        let skipped = text.len() - at - rest.len();
        at += skipped + rest.find([',', '}', ';']).unwrap_or(rest.len());
    }
    prefix.truncate(depth);
    at
}

/// The text without comments, strings left as they are, up to its tests.
fn code(text: &str) -> String {
    let end = text.find("\n#[cfg(test)]\nmod ").unwrap_or(text.len());
    let lines = text[..end].lines().map(|line| {
        let comment = line.trim_start().starts_with("//");
        if comment { "" } else { line.split(" // ").next().unwrap_or_default() }
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(files: &[(&str, &str)]) -> Vec<String> {
        modules(&Tree::of(files)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn siblings_that_use_each_other_are_found() {
        let found = check(&[
            ("x/src/lib.rs", "mod a;\nmod b;\n"),
            ("x/src/a.rs", "use crate::b::B;\n"),
            ("x/src/b.rs", "fn f() { crate::a::g() }\n"),
        ]);
        let words = "modules a, b use each other: a -> b (x/src/a.rs:1), b -> a (x/src/b.rs:1)";
        assert_eq!(found, [format!("x/src/a.rs:1: {words}")]);
    }

    #[test]
    fn what_a_module_shows_belongs_to_the_child_that_holds_it() {
        let files = [
            ("x/src/lib.rs", "mod a;\nmod b;\npub use b::{B, C as D};\n"),
            ("x/src/a/mod.rs", "mod one;\nmod two;\npub use two::Two;\n"),
            ("x/src/a/one.rs", "use super::Two;\nuse crate::B;\n"),
            ("x/src/a/two.rs", "use super::{\n    one::One,\n    Other,\n};\n"),
            ("x/src/b.rs", "use std::fmt;\n"),
        ];
        let words =
            "modules one, two use each other: one -> two (x/src/a/one.rs:1), two -> one (x/src/a/two.rs:1)";
        assert_eq!(check(&files), [format!("x/src/a/one.rs:1: {words}")]);
    }

    #[test]
    fn parents_children_comments_and_tests_make_no_circle() {
        let files = [
            ("x/src/lib.rs", "mod a;\nmod b;\nuse a::A;\n"),
            ("x/src/a/mod.rs", "mod deep;\nuse deep::Deep;\nuse crate::b::B;\n"),
            ("x/src/a/deep.rs", "use super::A;\nuse crate::b::B;\n"),
            ("x/src/b.rs", "//! See crate::a.\n\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n"),
            ("x/src/b/tests.rs", "use crate::a::A;\n"),
        ];
        assert_eq!(check(&files), Vec::<String>::new());
    }

    #[test]
    fn a_circle_of_three_is_told_once() {
        let files = [
            ("x/src/a.rs", "use crate::b;\n"),
            ("x/src/b.rs", "use crate::c::{self, C};\n"),
            ("x/src/c.rs", "use super::a::A;\n"),
        ];
        let found = check(&files);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("modules a, b, c use each other"), "{found:?}");
    }
}
