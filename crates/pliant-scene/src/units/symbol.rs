//! The unit symbols Pliant knows, with their prefixes, and what a wrong one was meant to be.

use super::dimension::Exponents;
use crate::nearest::edit_distance;
use std::f64::consts::PI;

/// A unit as `numerator / denominator * 10^decimal` of SI.
///
/// Powers of ten stay apart so that `"3 mm"` is the same double as `0.003`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub exponents: Exponents,
    pub decimal: i32,
    pub numerator: f64,
    pub denominator: f64,
}

impl Unit {
    pub const ONE: Self = Self { exponents: [0; 4], decimal: 0, numerator: 1.0, denominator: 1.0 };

    /// `None` when a power leaves the range of the exponents.
    pub fn power(self, power: i32) -> Option<Self> {
        let mut exponents = [0; 4];
        for (out, exponent) in exponents.iter_mut().zip(self.exponents) {
            *out = exponent.checked_mul(power)?;
        }
        let (up, down) =
            if power < 0 { (self.denominator, self.numerator) } else { (self.numerator, self.denominator) };
        let size = i32::try_from(power.unsigned_abs()).ok()?;
        Some(Self {
            exponents,
            decimal: self.decimal.checked_mul(power)?,
            numerator: up.powi(size),
            denominator: down.powi(size),
        })
    }

    /// `None` when a power leaves the range of the exponents.
    pub fn times(self, other: Self) -> Option<Self> {
        let mut exponents = [0; 4];
        for (out, (a, b)) in exponents.iter_mut().zip(self.exponents.into_iter().zip(other.exponents)) {
            *out = a.checked_add(b)?;
        }
        Some(Self {
            exponents,
            decimal: self.decimal.checked_add(other.decimal)?,
            numerator: self.numerator * other.numerator,
            denominator: self.denominator * other.denominator,
        })
    }
}

struct Symbol {
    name: &'static str,
    exponents: Exponents,
    decimal: i32,
    numerator: f64,
    denominator: f64,
    takes_prefix: bool,
}

const fn decimal(name: &'static str, exponents: Exponents, decimal: i32) -> Symbol {
    Symbol { name, exponents, decimal, numerator: 1.0, denominator: 1.0, takes_prefix: true }
}

const fn scaled(name: &'static str, exponents: Exponents, numerator: f64, denominator: f64) -> Symbol {
    Symbol { name, exponents, decimal: 0, numerator, denominator, takes_prefix: false }
}

const SYMBOLS: &[Symbol] = &[
    decimal("m", [1, 0, 0, 0], 0),
    decimal("g", [0, 1, 0, 0], -3),
    decimal("s", [0, 0, 1, 0], 0),
    decimal("rad", [0, 0, 0, 1], 0),
    decimal("Hz", [0, 0, -1, 0], 0),
    decimal("N", [1, 1, -2, 0], 0),
    decimal("Pa", [-1, 1, -2, 0], 0),
    decimal("J", [2, 1, -2, 0], 0),
    decimal("W", [2, 1, -3, 0], 0),
    decimal("bar", [-1, 1, -2, 0], 5),
    decimal("l", [3, 0, 0, 0], -3),
    decimal("L", [3, 0, 0, 0], -3),
    decimal("dyn", [1, 1, -2, 0], -5),
    decimal("t", [0, 1, 0, 0], 3),
    scaled("min", [0, 0, 1, 0], 60.0, 1.0),
    scaled("h", [0, 0, 1, 0], 3600.0, 1.0),
    scaled("deg", [0, 0, 0, 1], PI, 180.0),
    scaled("°", [0, 0, 0, 1], PI, 180.0),
    scaled("turn", [0, 0, 0, 1], 2.0 * PI, 1.0),
    scaled("rpm", [0, 0, -1, 1], 2.0 * PI, 60.0),
    scaled("mmHg", [-1, 1, -2, 0], 133.322_387_415, 1.0),
    scaled("%", [0; 4], 1.0, 100.0),
];

const PREFIXES: &[(&str, i32)] = &[
    ("k", 3),
    ("m", -3),
    ("M", 6),
    ("c", -2),
    ("u", -6),
    ("µ", -6), // U+00B5, the sign on keyboards
    ("μ", -6), // U+03BC, the Greek letter
    ("n", -9),
    ("G", 9),
    ("T", 12),
    ("h", 2),
    ("d", -1),
    ("p", -12),
];

/// Words that are written for symbols.
const WORDS: &[(&str, &str)] = &[
    ("meter", "m"),
    ("metre", "m"),
    ("millimeter", "mm"),
    ("centimeter", "cm"),
    ("micron", "um"),
    ("second", "s"),
    ("sec", "s"),
    ("msec", "ms"),
    ("minute", "min"),
    ("hour", "h"),
    ("hr", "h"),
    ("degree", "deg"),
    ("radian", "rad"),
    ("gram", "g"),
    ("kilogram", "kg"),
    ("newton", "N"),
    ("pascal", "Pa"),
    ("hertz", "Hz"),
    ("kph", "km/h"),
    ("fps", "Hz"),
];

/// The unit of a symbol, with or without prefix. An exact symbol wins: `min` is no milli-inch.
pub(super) fn look_up(symbol: &str) -> Option<Unit> {
    let unit = |s: &Symbol, prefix: i32| Unit {
        exponents: s.exponents,
        decimal: s.decimal + prefix,
        numerator: s.numerator,
        denominator: s.denominator,
    };
    if let Some(exact) = SYMBOLS.iter().find(|s| s.name == symbol) {
        return Some(unit(exact, 0));
    }
    PREFIXES.iter().find_map(|&(prefix, power)| {
        let rest = symbol.strip_prefix(prefix)?;
        SYMBOLS.iter().find(|s| s.takes_prefix && s.name == rest).map(|s| unit(s, power))
    })
}

/// What the writer of an unknown symbol probably meant, as text to show; guesses from its letters have to fit.
pub(super) fn suggestion(symbol: &str, fits: impl Fn(&Unit) -> bool) -> Option<String> {
    let lower = symbol.to_lowercase();
    let word = lower.strip_suffix('s').unwrap_or(&lower);
    if let Some((_, unit)) = WORDS.iter().find(|(name, _)| *name == word || *name == lower) {
        return Some(format!("`{unit}`"));
    }
    // m3, cm2: the power sign is missing
    let stem = symbol.trim_end_matches(|c: char| c.is_ascii_digit());
    if stem.len() < symbol.len() && look_up(stem).is_some() {
        return Some(format!("`{stem}^{}`", &symbol[stem.len()..]));
    }
    let spellings = || {
        let prefixed = PREFIXES.iter().flat_map(|(prefix, _)| {
            SYMBOLS.iter().filter(|s| s.takes_prefix).map(move |s| format!("{prefix}{}", s.name))
        });
        let all = SYMBOLS.iter().map(|s| s.name.to_owned()).chain(prefixed);
        all.filter(|name| look_up(name).is_some_and(|unit| fits(&unit)))
    };
    let same_letters: Vec<String> =
        spellings().filter(|name| name.to_lowercase() == lower).map(|name| format!("`{name}`")).collect();
    if !same_letters.is_empty() {
        return Some(same_letters.join(" or "));
    }
    let near = spellings().find(|name| symbol.chars().count() > 2 && edit_distance(symbol, name) == 1);
    near.map(|name| format!("`{name}`"))
}
