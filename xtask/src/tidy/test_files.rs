//! The rule of test files: each is a module of its crate's `tests/all.rs` or a program of its own. Nobody compiles one that is
//! forgotten, and nobody misses it.

use super::tree::{File, Tree, Violation};

/// A file of tests that no other names.
pub fn named(tree: &Tree) -> Vec<Violation> {
    let is_named = |file: &File| {
        let Some((home, module)) = home_and_module(&file.path) else { return true };
        let manifest = home.split("/tests").next().map(|folder| format!("{folder}/Cargo.toml"));
        let (declared, program) = (format!("mod {module};"), format!("name = \"{module}\""));
        tree.files().iter().any(|other| {
            let text = match &other.path {
                path if Some(path) == manifest.as_ref() => &program,
                path if is_near(home, path) => &declared,
                _ => return false,
            };
            other.lines().any(|(_, line)| line.trim_start_matches("pub ") == text)
        })
    };
    let forgotten = tree.with_extension("rs").filter(|file| !is_named(file));
    let message = "nobody compiles this; name it in `tests/all.rs`, or in `Cargo.toml` if it needs a process of its own";
    forgotten.map(|file| file.violation(0, message)).collect()
}

/// The folder that a file of tests is a module in, and the module's name.
fn home_and_module(path: &str) -> Option<(&str, &str)> {
    path.strip_prefix("crates/").filter(|rest| rest.contains("/tests/"))?;
    let (folder, name) = path.strip_suffix(".rs")?.rsplit_once('/')?;
    match name {
        "main" | "mod" => folder.rsplit_once('/'),
        _ => Some((folder, name)),
    }
}

/// Whether a source file is in a folder or in the one above it.
fn is_near(folder: &str, path: &str) -> bool {
    let Some((home, name)) = path.rsplit_once('/') else { return false };
    name.ends_with(".rs")
        && (home == folder || folder.rsplit_once('/').is_some_and(|(above, _)| home == above))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forgotten_test_file_is_found() {
        let manifest = "[[test]]\nname = \"all\"\n\n[[test]]\nname = \"counted\"\n";
        let mut files = vec![
            ("crates/a/Cargo.toml", manifest),
            ("crates/a/tests/all.rs", "mod one;\n#[path = \"two/main.rs\"]\nmod two;\nmod support;\n"),
            ("crates/a/tests/counted.rs", "//! Alone.\n"),
            ("crates/a/tests/one.rs", "//! One.\n"),
            ("crates/a/tests/two/main.rs", "mod part;\n"),
            ("crates/a/tests/two/part.rs", "//! A part.\n"),
            ("crates/a/tests/support/mod.rs", "pub mod meshes;\n"),
            ("crates/a/tests/support/meshes.rs", "//! Meshes.\n"),
        ];
        assert!(named(&Tree::of(&files)).is_empty());
        files.push(("crates/a/tests/three.rs", "//! Forgotten.\n"));
        files.push(("crates/a/tests/two/part_of_two.rs", "//! Forgotten.\n"));
        let found: Vec<String> =
            named(&Tree::of(&files)).into_iter().map(|violation| violation.file).collect();
        assert_eq!(found, ["crates/a/tests/three.rs", "crates/a/tests/two/part_of_two.rs"]);
    }
}
