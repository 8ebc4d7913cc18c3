//! The power with which one quantity grows with another.

/// p of y = c x^p: the slope of ln y over ln x by least squares. Not a number for fewer than two x.
pub fn exponent(points: impl IntoIterator<Item = [f64; 2]>) -> f64 {
    let logs: Vec<[f64; 2]> = points.into_iter().map(|p| p.map(f64::ln)).collect();
    let count = logs.len() as f64;
    let mean = [0, 1].map(|c| logs.iter().map(|p| p[c]).sum::<f64>() / count);
    let moment = |c: usize| logs.iter().map(|p| (p[0] - mean[0]) * (p[c] - mean[c])).sum::<f64>();
    moment(1) / moment(0)
}

#[cfg(test)]
mod tests {
    use super::exponent;

    #[test]
    fn a_power_law_has_its_power() {
        let found = exponent((1..9).map(|n| [f64::from(n), 3.0 * f64::from(n).powf(4.0 / 3.0)]));
        assert!((found - 4.0 / 3.0).abs() < 1e-12, "{found}");
    }
}
