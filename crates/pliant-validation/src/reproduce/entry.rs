//! A comparison: the paper's number or words, what theory says, ours, and the verdict.

use serde::Serialize;

use crate::verify::shown;

/// How ours stands beside the paper or theory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It is the same, within what is allowed, or does what the words say.
    Agrees,
    /// There is a bound, not a value, and ours keeps it.
    Bounded,
    /// It does not, for the reason that the verdict tells.
    Differs,
}

impl Outcome {
    /// All of them, in the order in which they are counted.
    pub const ALL: [Self; 3] = [Self::Agrees, Self::Bounded, Self::Differs];

    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Bounded => "bounded",
            Self::Differs => "differs",
        }
    }

    /// How many entries have each outcome, in the order of [`Self::ALL`].
    pub fn counts<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> [usize; 3] {
        entries.into_iter().fold([0; 3], |mut counts, entry| {
            counts[entry.outcome as usize] += 1;
            counts
        })
    }

    /// The counts in words.
    pub fn counted([agree, bounded, differ]: [usize; 3]) -> String {
        let verb = |count: usize, one: &str, many: &str| match count {
            1 => format!("1 {one}"),
            _ => format!("{count} {many}"),
        };
        [
            verb(agree, "agrees", "agree"),
            verb(bounded, "is bounded", "are bounded"),
            verb(differ, "differs", "differ"),
        ]
        .join(", ")
    }
}

/// One quantity: the paper's, what theory says, ours.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// What is measured.
    pub quantity: String,
    /// Its unit; empty for a pure number.
    pub unit: &'static str,
    /// The number the paper prints.
    pub paper: Option<f64>,
    /// What the paper says where it prints none, or what its number bounds.
    pub claim: &'static str,
    /// What theory says.
    pub theory: Option<f64>,
    /// From the run.
    pub ours: f64,
    /// Ours over the paper's number, or over theory's where there is none.
    pub ratio: Option<f64>,
    /// How ours stands.
    pub outcome: Outcome,
    /// Why, in a few words; begins with the outcome.
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
        let outcome = if (ratio - 1.0).abs() <= within { Outcome::Agrees } else { Outcome::Differs };
        let allowed = shown(100.0 * within, 2);
        let verdict = format!("{}: {} off theory, {allowed} % allowed", outcome.word(), off(ratio));
        let theory = Some(theory);
        Self { theory, ratio: Some(ratio), outcome, verdict, ..Self::words(quantity, claim, ours, Ok("")) }
    }

    /// A quantity with the paper's number; agrees within a part of it, else differs for the reason given.
    pub(crate) fn by_paper(quantity: &str, paper: f64, within: f64, ours: f64, because: &str) -> Self {
        let agrees = (ours / paper - 1.0).abs() <= within;
        let found = format!("{} off the paper, {} % allowed", off(ours / paper), shown(100.0 * within, 2));
        let mut entry = match agrees {
            true => Self::words(quantity, "", ours, Ok(&found)),
            false => Self::words(quantity, "", ours, Err(because)),
        };
        if agrees && within == 0.0 {
            entry.verdict = "agrees".into();
        }
        entry.beside(paper)
    }

    /// Something that the paper says there is none of.
    pub(crate) fn none(quantity: &str, claim: &'static str, ours: f64) -> Self {
        let found = if ours == 0.0 { Ok("none") } else { Err("there are some") };
        Self { theory: Some(0.0), ..Self::words(quantity, claim, ours, found) }
    }

    /// A quantity that the paper tells in words; what was found, or why it differs.
    pub(crate) fn words(quantity: &str, claim: &'static str, ours: f64, found: Result<&str, &str>) -> Self {
        let (outcome, verdict) = match found {
            Ok(found) => (Outcome::Agrees, format!("agrees: {found}")),
            Err(because) => (Outcome::Differs, format!("differs because {because}")),
        };
        let (quantity, unit) = (quantity.to_owned(), "");
        Self { quantity, unit, paper: None, claim, theory: None, ours, ratio: None, outcome, verdict }
    }

    /// A quantity that theory bounds from above; bounded up to a slack over the bound.
    pub(crate) fn below(quantity: &str, claim: &'static str, bound: f64, slack: f64, ours: f64) -> Self {
        let part = format!("{} of the bound of theory", shown(ours / bound, 2));
        let found =
            if ours <= bound + slack { Ok(part.as_str()) } else { Err("it is above the bound of theory") };
        let bounded = Self::words(quantity, claim, ours, found).bounding();
        Self { theory: Some(bound), ratio: Some(ours / bound), ..bounded }
    }

    /// A quantity for which the paper prints a bound, with its words (`fewer than`, `more than`).
    pub(crate) fn paper_bound(
        quantity: &str,
        words: &'static str,
        bound: f64,
        ours: f64,
        found: Result<&str, &str>,
    ) -> Self {
        Self::words(quantity, words, ours, found).bounding().beside(bound)
    }

    /// What would agree is within a bound only.
    pub(crate) fn bounding(mut self) -> Self {
        if self.outcome == Outcome::Agrees {
            self.outcome = Outcome::Bounded;
            self.verdict = self.verdict.replacen("agrees", "bounded", 1);
        }
        self
    }

    /// What would agree, but for a reason.
    pub(crate) fn but(mut self, because: &str) -> Self {
        self.outcome = Outcome::Differs;
        self.verdict = format!("differs because {because}");
        self
    }

    /// The paper's number, which the ratio is over.
    pub(crate) fn beside(mut self, paper: f64) -> Self {
        (self.paper, self.ratio) = (Some(paper), Some(self.ours / paper));
        self
    }

    /// A quantity in a unit.
    pub(crate) fn in_unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    /// The paper's column: its number, its words, or both where the number is a bound.
    pub(crate) fn paper_words(&self) -> String {
        match self.paper {
            Some(value) if self.claim.is_empty() => shown(value, 3),
            Some(value) => format!("{} {}", self.claim, shown(value, 3)),
            None => self.claim.to_owned(),
        }
    }
}

/// How far a ratio is from 1, in per cent with its sign.
fn off(ratio: f64) -> String {
    // adding zero makes -0 a 0
    format!("{:+.1} %", (1000.0 * (ratio - 1.0)).round() / 10.0 + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_far_below_its_bound_is_bounded_and_does_not_agree() {
        // 11 where the work alone would allow 27
        let entry = Entry::below("time", "", 27.3, 0.1, 10.98);
        assert_eq!(entry.outcome, Outcome::Bounded);
        assert!(entry.verdict.starts_with("bounded: 0.4 of"), "{}", entry.verdict);
        assert_eq!(Entry::below("time", "", 27.3, 0.1, 28.0).outcome, Outcome::Differs);
        let over_paper = entry.beside(31.0);
        assert_eq!(over_paper.ratio, Some(10.98 / 31.0));
    }

    #[test]
    fn entries_are_counted_by_outcome_and_told_in_words() {
        let all = [
            Entry::by_paper("a", 2.0, 0.0, 2.0, "of something"),
            Entry::by_paper("b", 2.0, 0.1, 3.0, "of something"),
            Entry::paper_bound("c", "fewer than", 6.0, 5.0, Ok("fewer")),
            Entry::by_theory("d", "", 1.0, 0.1, 1.05),
        ];
        let counts = Outcome::counts(&all);
        assert_eq!(counts, [2, 1, 1]);
        assert_eq!(Outcome::counted(counts), "2 agree, 1 is bounded, 1 differs");
        assert_eq!(all[2].paper_words(), "fewer than 6");
        assert!(all.iter().all(|e| e.verdict.starts_with(e.outcome.word())));
    }
}
