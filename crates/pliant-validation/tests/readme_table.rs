//! The table of the README is what `pliant verify --markdown` gives now.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;

use pliant_validation::case::CASES;
use pliant_validation::verify::{Case, Perturbation, markdown, run};

#[test]
fn the_readme_shows_the_present_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let (_, rest) = readme.split_once("<!-- verify -->\n").expect("the table's opening marker");
    let (shown, _) = rest.split_once("\n<!-- /verify -->").expect("the table's closing marker");
    let all: Vec<&'static Case> = CASES.iter().collect();
    let now = markdown(&run(&all, Perturbation::None));
    for (shown, now) in shown.trim().lines().zip(now.trim().lines()) {
        assert_eq!(shown, now, "run `pliant verify --markdown` and replace the table");
    }
    assert_eq!(shown.trim().lines().count(), now.trim().lines().count());
}
