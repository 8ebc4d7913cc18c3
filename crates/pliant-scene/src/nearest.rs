//! The nearest known word to a mistyped one, by edit distance.

/// The candidate with the fewest edits from `word`, if it is near enough to be what was meant.
///
/// Near enough: another word of the trade for it; one edit; the beginning of it, or of which it is the beginning; one edit more for every three letters
/// beyond five. Letter case is free.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let limit = (word.chars().count() / 3).max(1);
    let begins = |a: &str, b: &str| b.len() >= SHORTEST && a.starts_with(b);
    let rank = |candidate: &str| {
        let lower = candidate.to_lowercase();
        let distance = edit_distance(&word, &lower);
        if SYNONYMS.contains(&(&word, &lower)) {
            Some(0)
        } else if distance <= 1 {
            Some(1)
        } else if begins(&lower, &word) || begins(&word, &lower) {
            Some(2)
        } else {
            (distance <= limit).then_some(1 + distance)
        }
    };
    let near = candidates.into_iter().filter_map(|candidate| rank(candidate).map(|rank| (rank, candidate)));
    near.min_by_key(|&(rank, _)| rank).map(|(_, candidate)| candidate)
}

/// Shorter beginnings say nothing.
const SHORTEST: usize = 3;

/// What others call it.
const SYNONYMS: [(&str, &str); 14] = [
    ("e", "young"),
    ("modulus", "young"),
    ("nu", "poisson"),
    ("rho", "density"),
    ("dt", "step"),
    ("time_step", "step"),
    ("timestep", "step"),
    ("cube", "box"),
    ("diameter", "radius"),
    ("bodies", "body"),
    ("end", "duration"),
    ("constraint", "fix"),
    ("implicit", "implicit-euler"),
    ("stvk", "st-venant"),
];

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`.
pub(crate) fn edit_distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let substituted = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = substituted.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_edit_of_each_kind_counts_one() {
        for word in ["yung", "youngg", "yourg", "yuong"] {
            assert_eq!(edit_distance(word, "young"), 1, "{word}");
        }
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(edit_distance("abc", ""), 3);
    }

    #[test]
    fn far_words_have_no_suggestion() {
        assert_eq!(nearest("yung", ["law", "young", "poisson"]), Some("young"));
        assert_eq!(nearest("colour", ["law", "young", "poisson"]), None);
    }

    #[test]
    fn beginnings_and_other_words_of_the_trade_are_known() {
        let methods = ["explicit", "newmark", "implicit-euler", "static"];
        assert_eq!(nearest("implicit", methods), Some("implicit-euler"));
        assert_eq!(nearest("fixes", ["fix", "load", "mesh"]), Some("fix"));
        assert_eq!(nearest("freq", ["phase", "frequency"]), Some("frequency"));
        assert_eq!(nearest("frames", ["formats", "frames_per_second"]), Some("frames_per_second"));
        assert_eq!(nearest("nu", ["law", "young", "poisson"]), Some("poisson"));
        assert_eq!(nearest("cube", ["tube", "box"]), Some("box"));
        // one edit is nearer than a beginning
        assert_eq!(nearest("cloths", ["cloth", "clo"]), Some("cloth"));
    }
}
