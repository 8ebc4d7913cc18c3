//! Every case of `pliant verify` is inside its bands.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use pliant_validation::case::CASES;
use pliant_validation::verify::{Case, Perturbation, run, text};

#[test]
fn every_row_of_every_case_is_in_its_band() {
    let all: Vec<&'static Case> = CASES.iter().collect();
    let outcomes = run(&all, Perturbation::None);
    println!("{}", text(&outcomes));
    for outcome in &outcomes {
        assert!(!outcome.rows.is_empty(), "{} compares nothing: {:?}", outcome.id, outcome.error);
        assert!(outcome.passed(), "{} is out of its bands", outcome.id);
    }
}

#[test]
fn ids_are_unique_and_files_are_named_after_them() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/case");
    for (k, case) in CASES.iter().enumerate() {
        assert!(CASES[..k].iter().all(|other| other.id != case.id), "{} is there twice", case.id);
        assert_eq!(case.file, format!("{}.rs", case.id.to_lowercase().replace('-', "_")));
        assert!(folder.join(case.file).exists(), "{}", case.file);
    }
    // every file is in the list, beside mod.rs
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), CASES.len() + 1);
}
