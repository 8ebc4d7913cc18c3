//! One comparison: a reference with its origin, ours, the error, the band, the verdict.

use serde::Serialize;

/// How a reference was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// A formula.
    ClosedForm,
    /// A benchmark that others published.
    Published,
    /// An independent code on the same mesh.
    IndependentCode,
    /// Five independent codes that agree on the same mesh.
    FiveCodes,
    /// High-order elements, refined until they no longer change.
    Converged,
    /// An eighth-order integrator on the same mesh.
    EighthOrder,
    /// The Cholesky factor of the same equations.
    Factor,
}

impl Origin {
    /// As tables show it.
    pub fn words(self) -> &'static str {
        match self {
            Self::ClosedForm => "closed form",
            Self::Published => "published",
            Self::IndependentCode => "independent code",
            Self::FiveCodes => "five codes",
            Self::Converged => "converged",
            Self::EighthOrder => "8th-order run",
            Self::Factor => "by the factor",
        }
    }
}

/// What an error is measured against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// The reference itself.
    Relative,
    /// A scale that the case names: the length of a vector, E h^2.
    Scaled,
    /// Nothing.
    Absolute,
}

impl ErrorKind {
    /// As tables show it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Relative => "rel",
            Self::Scaled => "scl",
            Self::Absolute => "abs",
        }
    }
}

/// Whether a row is in its band.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Inside.
    Pass,
    /// Outside, or not a number.
    Fail,
}

/// A reference, how it was made and how near ours must come.
#[derive(Clone, Copy, Debug)]
pub struct Expected {
    value: f64,
    origin: Origin,
    kind: ErrorKind,
    scale: f64,
    band: f64,
}

impl Expected {
    /// The error is a part of the reference.
    pub fn relative(value: f64, band: f64, origin: Origin) -> Self {
        Self { value, origin, kind: ErrorKind::Relative, scale: value.abs(), band }
    }

    /// The error is a part of a scale.
    pub fn scaled(value: f64, scale: f64, band: f64, origin: Origin) -> Self {
        Self { value, origin, kind: ErrorKind::Scaled, scale, band }
    }

    /// The error is in the unit of the reference.
    pub fn absolute(value: f64, band: f64, origin: Origin) -> Self {
        Self { value, origin, kind: ErrorKind::Absolute, scale: 1.0, band }
    }
}

/// One comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// What is compared.
    pub quantity: String,
    /// Its unit; empty for a pure number.
    pub unit: &'static str,
    /// What it should be.
    pub reference: f64,
    /// Who says so.
    pub origin: Origin,
    /// What the run gave.
    pub ours: f64,
    /// The difference, measured as `error_kind` says.
    pub error: f64,
    /// What the error is measured against.
    pub error_kind: ErrorKind,
    /// The largest error that passes.
    pub band: f64,
    /// Whether it does.
    pub verdict: Verdict,
}

impl Row {
    /// Compares a number of ours with what is expected.
    pub fn new(quantity: impl Into<String>, unit: &'static str, expected: Expected, ours: f64) -> Self {
        let Expected { value, origin, kind, scale, band } = expected;
        let error = (ours - value).abs() / scale;
        // a number that is none fails
        let verdict = if error <= band { Verdict::Pass } else { Verdict::Fail };
        let quantity = quantity.into();
        Self { quantity, unit, reference: value, origin, ours, error, error_kind: kind, band, verdict }
    }

    /// Whether it is in its band.
    pub fn passed(&self) -> bool {
        self.verdict == Verdict::Pass
    }

    /// The error as a part of the band.
    pub fn share(&self) -> f64 {
        self.error / self.band
    }
}

/// The three components of a vector; errors are parts of its largest component.
pub fn vector_rows(
    quantity: &str,
    unit: &'static str,
    reference: [f64; 3],
    (band, origin): (f64, Origin),
    ours: [f64; 3],
) -> Vec<Row> {
    let scale = reference.iter().fold(0.0, |most: f64, c| most.max(c.abs()));
    let one = |c: usize| {
        let expected = Expected::scaled(reference[c], scale, band, origin);
        Row::new(format!("{quantity} {}", ["x", "y", "z"][c]), unit, expected, ours[c])
    };
    (0..3).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_measured_as_they_say() {
        let relative = Row::new("a", "m", Expected::relative(-2.0, 0.1, Origin::ClosedForm), -2.1);
        assert!((relative.error - 0.05).abs() < 1e-15 && relative.verdict == Verdict::Pass);
        let scaled = Row::new("a", "m", Expected::scaled(0.0, 10.0, 0.1, Origin::ClosedForm), 2.0);
        assert!((scaled.error - 0.2).abs() < 1e-15 && scaled.verdict == Verdict::Fail);
        let absolute = Row::new("a", "m", Expected::absolute(1.0, 0.5, Origin::ClosedForm), 1.25);
        assert!((absolute.share() - 0.5).abs() < 1e-15);
    }

    #[test]
    fn a_number_that_is_none_fails() {
        let row = Row::new("a", "m", Expected::relative(1.0, 0.1, Origin::ClosedForm), f64::NAN);
        assert_eq!(row.verdict, Verdict::Fail);
    }
}
