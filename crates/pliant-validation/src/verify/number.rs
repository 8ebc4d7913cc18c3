//! Numbers as tables show them.

use super::Row;

/// Errors below this are the rounding of doubles, and differ from machine to machine.
pub const ROUNDING: f64 = 1e-11;

/// So many significant digits, without idle zeros; powers of ten outside 1e-3 .. 1e7.
pub fn shown(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".into();
    }
    if !value.is_finite() {
        return value.to_string();
    }
    let scientific = format!("{value:.*e}", digits.saturating_sub(1));
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let power: i32 = exponent.parse().unwrap_or(0);
    if (-3..7).contains(&power) {
        let decimals = (digits as i32 - 1 - power).max(0) as usize;
        return trimmed(&format!("{value:.decimals$}")).to_owned();
    }
    format!("{}e{exponent}", trimmed(mantissa))
}

fn trimmed(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

/// An error in two digits.
pub fn error_shown(error: f64) -> String {
    if error == 0.0 { "0".into() } else { format!("{error:.1e}") }
}

/// An error as it is the same everywhere: one digit, or the word for noise.
pub fn stable_error(row: &Row) -> String {
    match row.error {
        0.0 => "0".into(),
        error if error < ROUNDING && row.passed() => "rounding".into(),
        error => format!("{} {}", shown(error, 1), row.error_kind.words()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::{Expected, Origin};

    #[test]
    fn significant_digits_are_kept_and_idle_zeros_dropped() {
        assert_eq!(shown(1.714_266, 9), "1.714266");
        assert_eq!(shown(-150.349_7, 9), "-150.3497");
        assert_eq!(shown(417_600.0, 9), "417600");
        assert_eq!(shown(6.252_6e-5, 3), "6.25e-5");
        assert_eq!(shown(1.7e7, 3), "1.7e7");
        assert_eq!(shown(0.02, 1), "0.02");
        assert_eq!(shown(0.0, 5), "0");
    }

    #[test]
    fn errors_are_the_same_everywhere() {
        let row = |ours: f64| Row::new("a", "m", Expected::relative(1.0, 1e-6, Origin::ClosedForm), ours);
        assert_eq!(stable_error(&row(1.0 + 3e-13)), "rounding");
        assert_eq!(stable_error(&row(1.0 - 2.4e-8)), "2e-8 rel");
    }
}
