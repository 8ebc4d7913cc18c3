//! The arrows between crates: numerics <- geometry <- solid <- green <- scene <- validation <- app -> haptics -> geometry.

use super::tree::{File, Tree, Violation};
use toml::{Table, Value};

/// A crate may use those to its left.
const CHAIN: [&str; 7] = [
    "pliant-numerics",
    "pliant-geometry",
    "pliant-solid",
    "pliant-green",
    "pliant-scene",
    "pliant-validation",
    "pliant-app",
];
const HAPTICS: &str = "pliant-haptics";

/// Dependencies against the arrows, those of tests included.
pub fn dependencies(tree: &Tree) -> Vec<Violation> {
    let manifests = tree
        .with_extension("toml")
        .filter(|file| file.path == "Cargo.toml" || file.path.ends_with("/Cargo.toml"));
    manifests.flat_map(manifest).collect()
}

fn manifest(file: &File) -> Vec<Violation> {
    let table: Table = match file.text.parse() {
        Ok(table) => table,
        Err(error) => return vec![file.violation(0, format!("is no TOML: {error}"))],
    };
    let name = table.get("package").and_then(|package| package.get("name")).and_then(Value::as_str);
    let Some(name) = name else { return Vec::new() };
    let Some(allowed) = allowed(name) else {
        let message = format!("`{name}` has no place in the arrows; give it one in xtask/src/tidy/arrows.rs");
        return vec![file.violation(0, message)];
    };
    let mut used = Vec::new();
    collect(&table, &mut used);
    used.iter()
        .filter(|other| other.starts_with("pliant-") && !allowed.contains(&other.as_str()))
        .map(|other| {
            let line = file.lines().find(|(_, text)| text.trim_start().starts_with(other.as_str()));
            file.violation(line.map_or(0, |(line, _)| line), format!("`{name}` must not use `{other}`"))
        })
        .collect()
}

/// What a crate may use; `None` for a crate of ours that the arrows do not know.
fn allowed(name: &str) -> Option<Vec<&'static str>> {
    if name == HAPTICS {
        return Some(vec!["pliant-geometry"]);
    }
    // fuzz targets call the parsers of files, and nothing uses them
    if name == "pliant-fuzz" {
        return Some(vec!["pliant-scene"]);
    }
    // so is the bench of rivals, which steps a scene
    if name == "pliant-rivals" {
        return Some(vec!["pliant-solid", "pliant-scene"]);
    }
    if let Some(place) = CHAIN.iter().position(|other| *other == name) {
        let mut allowed = CHAIN[..place].to_vec();
        if name == "pliant-app" {
            allowed.push(HAPTICS);
        }
        return Some(allowed);
    }
    // tools of the workspace build without the engine
    (!name.starts_with("pliant-")).then(Vec::new)
}

/// Names in every table of dependencies, of targets too.
fn collect(table: &Table, used: &mut Vec<String>) {
    for key in ["dependencies", "dev-dependencies", "build-dependencies"] {
        let Some(entries) = table.get(key).and_then(Value::as_table) else { continue };
        for (name, value) in entries {
            let package = value.get("package").and_then(Value::as_str);
            used.push(package.unwrap_or(name).to_owned());
        }
    }
    for target in table.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values) {
        if let Some(target) = target.as_table() {
            collect(target, used);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, rest: &str) -> Vec<String> {
        let text = format!("[package]\nname = \"{name}\"\n{rest}");
        let tree = Tree::of(&[("crates/x/Cargo.toml", &text)]);
        dependencies(&tree).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn arrows_point_left() {
        assert!(
            check("pliant-solid", "[dependencies]\npliant-geometry.workspace = true\nserde = \"1\"\n")
                .is_empty()
        );
        assert_eq!(
            check("pliant-solid", "[dev-dependencies]\npliant-scene.workspace = true\n"),
            ["crates/x/Cargo.toml:4: `pliant-solid` must not use `pliant-scene`"]
        );
        assert_eq!(
            check("pliant-numerics", "[target.'cfg(unix)'.dependencies]\npliant-app = \"1\"\n").len(),
            1
        );
        assert_eq!(check("pliant-solid", "[dependencies]\nx = { package = \"pliant-app\" }\n").len(), 1);
    }

    #[test]
    fn haptics_knows_geometry_alone() {
        assert!(check("pliant-haptics", "[dependencies]\npliant-geometry.workspace = true\n").is_empty());
        assert_eq!(check("pliant-haptics", "[dependencies]\npliant-solid.workspace = true\n").len(), 1);
        assert!(check("pliant-app", "[dependencies]\npliant-haptics.workspace = true\n").is_empty());
        assert_eq!(check("pliant-scene", "[dependencies]\npliant-haptics.workspace = true\n").len(), 1);
    }

    #[test]
    fn new_crates_need_a_place() {
        assert_eq!(check("pliant-new", "").len(), 1);
        assert!(check("xtask", "").is_empty());
        assert!(check("pliant-rivals", "[dependencies]\npliant-scene = { path = \"x\" }\n").is_empty());
    }
}
