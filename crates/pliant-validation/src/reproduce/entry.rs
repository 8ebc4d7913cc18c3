//! A comparison: the paper's number or words, what theory says, ours, and the verdict.

use serde::Serialize;

use crate::verify::shown;

/// One quantity: the paper's, what theory says, ours.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// What is measured.
    pub quantity: String,
    /// Its unit; empty for a pure number.
    pub unit: &'static str,
    /// The number the paper prints.
    pub paper: Option<f64>,
    /// What the paper says where it prints none.
    pub claim: &'static str,
    /// What theory says.
    pub theory: Option<f64>,
    /// From the run.
    pub ours: f64,
    /// Ours over the paper's number, or over theory's where there is none.
    pub ratio: Option<f64>,
    /// Whether ours agrees.
    pub agrees: bool,
    /// Why, in a few words.
    pub verdict: String,
}

impl Entry {
    /// A quantity that the paper describes in words and theory in numbers; agrees within a part of theory.
    pub(crate) fn by_theory(
        quantity: &str,
        claim: &'static str,
        theory: f64,
        within: f64,
        ours: f64,
    ) -> Self {
        let ratio = ours / theory;
        let agrees = (ratio - 1.0).abs() <= within;
        let word = if agrees { "agrees" } else { "differs" };
        // adding zero makes -0 a 0
        let off = (1000.0 * (ratio - 1.0)).round() / 10.0 + 0.0;
        let verdict = format!("{word}: {off:+.1} % off theory, {:.0} % allowed", 100.0 * within);
        let quantity = quantity.to_owned();
        let (unit, paper) = ("", None);
        Self { quantity, unit, paper, claim, theory: Some(theory), ours, ratio: Some(ratio), agrees, verdict }
    }

    /// A quantity with the paper's number; agrees within a part of it, else differs for the reason given.
    pub(crate) fn by_paper(quantity: &str, paper: f64, within: f64, ours: f64, because: &str) -> Self {
        let ratio = ours / paper;
        let agrees = (ratio - 1.0).abs() <= within;
        let off = (1000.0 * (ratio - 1.0)).round() / 10.0 + 0.0;
        let verdict = if agrees && within == 0.0 {
            "agrees".into()
        } else if agrees {
            format!("agrees: {off:+.1} % off the paper, {:.0} % allowed", 100.0 * within)
        } else {
            format!("differs because {because}")
        };
        let (quantity, unit, claim) = (quantity.to_owned(), "", "");
        Self {
            quantity,
            unit,
            paper: Some(paper),
            claim,
            theory: None,
            ours,
            ratio: Some(ratio),
            agrees,
            verdict,
        }
    }

    /// Something that the paper says there is none of.
    pub(crate) fn none(quantity: &str, claim: &'static str, ours: f64) -> Self {
        let found = if ours == 0.0 { Ok("none") } else { Err("there are some") };
        Self { theory: Some(0.0), ..Self::words(quantity, claim, ours, found) }
    }

    /// A quantity that the paper tells in words; what was found, or why it differs.
    pub(crate) fn words(quantity: &str, claim: &'static str, ours: f64, found: Result<&str, &str>) -> Self {
        let verdict = match found {
            Ok(found) => format!("agrees: {found}"),
            Err(because) => format!("differs because {because}"),
        };
        let (quantity, agrees) = (quantity.to_owned(), found.is_ok());
        Self { quantity, unit: "", paper: None, claim, theory: None, ours, ratio: None, agrees, verdict }
    }

    /// A quantity that theory bounds from above; agrees up to a slack over the bound.
    pub(crate) fn below(quantity: &str, claim: &'static str, bound: f64, slack: f64, ours: f64) -> Self {
        let found = if ours <= bound + slack { Ok("within the bound") } else { Err("it grows faster") };
        Self { theory: Some(bound), ratio: Some(ours / bound), ..Self::words(quantity, claim, ours, found) }
    }

    /// A quantity in a unit.
    pub(crate) fn in_unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    /// The paper's column: its number, or its words.
    pub(crate) fn paper_words(&self) -> String {
        self.paper.map_or_else(|| self.claim.to_owned(), |value| shown(value, 3))
    }
}
