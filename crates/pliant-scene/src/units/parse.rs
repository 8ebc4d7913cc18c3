//! Text to number and unit: `"0.5 N s/m"`, `"1 g/cm^3"`, `"10 Pa·s"`, `"2 kg/(m s)"`.
//!
//! ```text
//! quantity := number unit        unit    := ["1"] { product | "/" operand }
//! operand  := (symbol | "1" | "(" unit ")") [power]
//! product  := [" " | "*" | "·"] operand      power := "^" ["-"] digits | superscripts
//! ```
//!
//! A product after a quotient (`N/m s`) is refused, since readers disagree on what it means.

use super::UnitError;
use super::symbol::{self, Unit};

/// Nesting and powers beyond these are no units.
const DEEPEST: u32 = 8;
const HIGHEST_POWER: i32 = 9;

/// The value in SI units and its unit.
pub(super) fn quantity(text: &str) -> Result<(f64, Unit), UnitError> {
    let trimmed = text.trim();
    let (number, rest) = trimmed.split_at(number_length(trimmed));
    if number.is_empty() {
        return Err(UnitError::NoNumber { text: text.to_owned() });
    }
    if let Some(decimals) = rest.strip_prefix(',').filter(|r| r.starts_with(|c: char| c.is_ascii_digit())) {
        return Err(UnitError::Comma { text: text.to_owned(), better: format!("{number}.{decimals}") });
    }
    let unit = unit(rest, text)?;
    let value = scaled(number, unit.decimal).ok_or_else(|| UnitError::NoNumber { text: text.to_owned() })?;
    let value = value * unit.numerator / unit.denominator;
    if !value.is_finite() {
        return Err(UnitError::NotFinite { text: text.to_owned() });
    }
    Ok((value, unit))
}

/// Length of the number that the text starts with. An `e` belongs to it only before digits.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut end = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let whole = digits(end);
    end += whole;
    let mut fraction = 0;
    if bytes.get(end) == Some(&b'.') {
        fraction = digits(end + 1);
        end += 1 + fraction;
    }
    if whole + fraction == 0 {
        return 0;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits((end + 1 + sign).min(bytes.len()));
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    end
}

/// `number * 10^decimal`, rounded once: the same double as the decimal written out.
fn scaled(number: &str, decimal: i32) -> Option<f64> {
    let (mantissa, exponent) = match number.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (number, 0),
    };
    format!("{mantissa}e{}", exponent.checked_add(decimal)?).parse().ok()
}

fn unit(text: &str, whole: &str) -> Result<Unit, UnitError> {
    let mut reader = Reader { rest: text, whole };
    reader.skip_spaces();
    if reader.rest.is_empty() {
        return Ok(Unit::ONE);
    }
    let unit = reader.expression(0)?;
    if reader.rest.is_empty() { Ok(unit) } else { Err(reader.garbled()) }
}

struct Reader<'a> {
    rest: &'a str,
    whole: &'a str,
}

impl<'a> Reader<'a> {
    fn expression(&mut self, depth: u32) -> Result<Unit, UnitError> {
        if depth > DEEPEST {
            return Err(self.garbled());
        }
        let mut unit = Unit::ONE;
        let (mut operands, mut divided) = (0, false);
        loop {
            self.skip_spaces();
            let Some(next) = self.rest.chars().next().filter(|&c| c != ')') else { break };
            let divides = next == '/';
            if divides || (operands > 0 && matches!(next, '*' | '·' | '⋅')) {
                self.rest = &self.rest[next.len_utf8()..];
                self.skip_spaces();
            }
            if divided && !divides {
                return Err(UnitError::Ambiguous { text: self.whole.to_owned() });
            }
            let operand = self.operand(depth)?;
            let factor = if divides { operand.power(-1) } else { Some(operand) };
            unit = factor.and_then(|f| unit.times(f)).ok_or_else(|| self.garbled())?;
            divided |= divides;
            operands += 1;
        }
        if operands == 0 { Err(self.garbled()) } else { Ok(unit) }
    }

    fn operand(&mut self, depth: u32) -> Result<Unit, UnitError> {
        let unit = if let Some(inside) = self.rest.strip_prefix('(') {
            self.rest = inside;
            let unit = self.expression(depth + 1)?;
            self.rest = self.rest.strip_prefix(')').ok_or_else(|| self.garbled())?;
            unit
        } else if let Some(rest) = self.rest.strip_prefix('1') {
            self.rest = rest;
            Unit::ONE
        } else {
            let symbol = self.take_while(|c| c.is_alphabetic() || c.is_ascii_digit() || c == '°' || c == '%');
            if symbol.is_empty() {
                return Err(self.garbled());
            }
            symbol::look_up(symbol).ok_or_else(|| UnitError::Unknown {
                text: self.whole.to_owned(),
                unit: symbol.to_owned(),
                suggestion: symbol::suggestion(symbol, |_| true),
            })?
        };
        match self.power()? {
            Some(power) => unit.power(power).ok_or_else(|| self.garbled()),
            None => Ok(unit),
        }
    }

    fn power(&mut self) -> Result<Option<i32>, UnitError> {
        let digits: String = if let Some(rest) = self.rest.strip_prefix('^') {
            self.rest = rest;
            self.take_while(|c| c.is_ascii_digit() || c == '-').to_owned()
        } else {
            let raised = self.take_while(|c| plain_digit(c).is_some());
            if raised.is_empty() {
                return Ok(None);
            }
            raised.chars().filter_map(plain_digit).collect()
        };
        match digits.parse::<i32>() {
            Ok(power) if power != 0 && power.abs() <= HIGHEST_POWER => Ok(Some(power)),
            _ => Err(self.garbled()),
        }
    }

    fn take_while(&mut self, keep: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !keep(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn garbled(&self) -> UnitError {
        UnitError::Garbled { text: self.whole.to_owned() }
    }
}

/// The digit or sign that a superscript stands for.
fn plain_digit(raised: char) -> Option<char> {
    const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻";
    let index = RAISED.chars().position(|c| c == raised)?;
    "0123456789-".chars().nth(index)
}
