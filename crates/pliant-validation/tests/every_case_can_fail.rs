//! Every case of `pliant verify` notices a known error in the law.
#![allow(clippy::unwrap_used, missing_docs)]

use pliant_validation::case::CASES;
use pliant_validation::verify::{Perturbation, run};

#[test]
fn every_case_sees_red_when_its_law_is_perturbed() {
    for case in CASES {
        assert_ne!(case.flaw, Perturbation::None, "{} names no flaw", case.id);
        let [outcome] = run(&[case], case.flaw).try_into().ok().unwrap();
        assert!(outcome.error.is_none(), "{} stopped: {:?}", case.id, outcome.error);
        assert!(!outcome.passed(), "{} does not notice {:?}", case.id, case.flaw);
    }
}
