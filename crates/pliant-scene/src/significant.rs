//! Numbers for people: digits that count, whatever the size.

/// So many significant digits, without idle zeros; powers of ten outside 1e-4 .. 1e7.
pub fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        // not -0
        return format!("{}", value + 0.0);
    }
    let rounded = format!("{value:.*e}", digits.saturating_sub(1));
    let exponent: i32 = rounded.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    if !(-4..7).contains(&exponent) {
        let (mantissa, exponent) = rounded.split_once('e').unwrap_or((&rounded, "0"));
        return format!("{}e{exponent}", without_idle_zeros(mantissa));
    }
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    without_idle_zeros(&format!("{value:.decimals$}")).to_owned()
}

fn without_idle_zeros(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

/// `(0.1, 0.2, 0) m`: a point in four digits, without what rounding left of a zero.
pub fn shown_place(point: [f64; 3]) -> String {
    format!("{} m", shown_vector(point))
}

/// `(0.1, 0.2, 0)`: the same without a unit.
pub fn shown_vector(vector: [f64; 3]) -> String {
    let largest = vector.iter().fold(0.0, |most: f64, c| most.max(c.abs()));
    let [x, y, z] = vector.map(|c| significant(if c.abs() < 1e-9 * largest { 0.0 } else { c }, 4));
    format!("({x}, {y}, {z})")
}

/// `3.2 mm`: a length in three digits, with the prefix that suits it.
pub fn shown_length(metres: f64) -> String {
    let (factor, unit) = match metres.abs() {
        // what three digits round up to 1000 is 1 of the next unit
        m if m >= 0.9995 || m == 0.0 => (1.0, "m"),
        m if m >= 0.9995e-3 => (1e3, "mm"),
        m if m >= 0.9995e-6 => (1e6, "um"),
        _ => (1e9, "nm"),
    };
    format!("{} {unit}", significant(factor * metres, 3))
}

#[cfg(test)]
mod tests {
    use super::{shown_length, shown_place, significant};

    #[test]
    fn small_numbers_keep_their_digits() {
        let cases = [
            (0.000_263_4, "0.000263"),
            (-0.000_04, "-4e-5"),
            (-0.0, "0"),
            (1.25, "1.25"),
            (0.999_96, "1"),
            (12_345.6, "12346"),
            (885_058.8e3, "8.85e8"),
            (10.0, "10"),
        ];
        for (value, text) in cases {
            assert_eq!(significant(value, 3), text);
        }
    }

    #[test]
    fn places_in_small_meshes_are_told_apart() {
        assert_eq!(shown_place([-0.000_131_23, -1e-20, 0.000_05]), "(-0.0001312, 0, 5e-5) m");
        assert_eq!(shown_place([500.0, 0.25, 0.0]), "(500, 0.25, 0) m");
    }

    #[test]
    fn lengths_have_the_prefix_that_suits_them() {
        for (length, shown) in
            [(0.0, "0 m"), (2.5, "2.5 m"), (0.99999, "1 m"), (0.02, "20 mm"), (9.99999e-4, "1 mm")]
        {
            assert_eq!(shown_length(length), shown);
        }
        assert_eq!((shown_length(3.21e-5), shown_length(-4e-8)), ("32.1 um".into(), "-40 nm".into()));
    }
}
