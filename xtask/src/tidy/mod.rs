//! `cargo xtask tidy`: the rules that no compiler checks. Every violation is listed, with its line.
//!
//! Each file of this folder holds one kind of rule as functions from a [`Tree`] to [`Violation`]s,
//! so that a test can write a tree as text. To add a rule: a function, a test, and a line in `all`.

mod arrows;
mod citations;
mod cycles;
mod documents;
mod source;
mod test_files;
mod tree;

use anyhow::{Result, bail};
use std::path::Path;
use tree::{Tree, Violation};

/// Checks the files that git knows or would add.
pub fn run(root: &Path) -> Result<()> {
    let tree = Tree::read(root)?;
    let violations = all(&tree);
    for violation in &violations {
        println!("{violation}");
    }
    if !violations.is_empty() {
        bail!("tidy: {} violations", violations.len());
    }
    println!("tidy: {} files in order", tree.files().len());
    Ok(())
}

fn all(tree: &Tree) -> Vec<Violation> {
    let rules: [fn(&Tree) -> Vec<Violation>; 15] = [
        source::long_files,
        source::headers,
        source::module_names,
        source::open_ends,
        source::machine_paths,
        source::lock_hosts,
        source::pure_solid,
        test_files::named,
        arrows::dependencies,
        cycles::modules,
        citations::dangling,
        citations::unused,
        documents::required,
        documents::paths,
        documents::scenes,
    ];
    let mut found: Vec<Violation> = rules.iter().flat_map(|rule| rule(tree)).collect();
    found.sort();
    found.dedup();
    found
}
