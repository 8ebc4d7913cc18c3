//! Numbers of a file that exists as text and as bytes: one reader for both.
//!
//! Text is read word by word, bytes in the order of the machine that wrote them. Counts are held against what is left
//! of the file, so that a reader may reserve what a count says.

use super::error::{CUT_OFF, Fault, Place};
use super::scanner::Scanner;

/// Which end of a number comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

/// How numbers are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    Bytes(ByteOrder),
}

macro_rules! from_bytes {
    ($name:ident, $type:ty) => {
        /// A number stored in the size of its type, or a word.
        pub fn $name(&mut self, what: &str) -> Result<$type, Fault> {
            match self.encoding {
                Encoding::Text => self.scanner.number(what),
                Encoding::Bytes(order) => {
                    let bytes = self.scanner.take_bytes(size_of::<$type>(), what)?;
                    let mut array = [0; size_of::<$type>()];
                    array.copy_from_slice(bytes);
                    Ok(match order {
                        ByteOrder::Little => <$type>::from_le_bytes(array),
                        ByteOrder::Big => <$type>::from_be_bytes(array),
                    })
                }
            }
        }
    };
}

/// Reads numbers from where a scanner stands.
pub(super) struct Numbers<'s, 'a> {
    pub scanner: &'s mut Scanner<'a>,
    pub encoding: Encoding,
}

impl<'s, 'a> Numbers<'s, 'a> {
    pub fn new(scanner: &'s mut Scanner<'a>, encoding: Encoding) -> Self {
        Self { scanner, encoding }
    }

    from_bytes!(u8, u8);
    from_bytes!(u16, u16);
    from_bytes!(i32, i32);
    from_bytes!(u32, u32);
    from_bytes!(i64, i64);
    from_bytes!(u64, u64);
    from_bytes!(f32, f32);
    from_bytes!(f64, f64);

    /// The place of the next number.
    pub fn place(&self) -> Place {
        match self.encoding {
            Encoding::Text => self.scanner.peek().map_or(self.scanner.place(), |word| word.place),
            Encoding::Bytes(_) => Place::Byte(self.scanner.offset()),
        }
    }

    /// A 64-bit count of things that take at least `words` words or `bytes` bytes each.
    pub fn count(&mut self, what: &str, words: usize, bytes: usize) -> Result<usize, Fault> {
        match self.encoding {
            Encoding::Text => self.scanner.count(what, words),
            Encoding::Bytes(_) => {
                let place = self.place();
                let count = self.u64(what)?;
                self.room_for(count, bytes, what, place)
            }
        }
    }

    /// Refuses a count of things of `bytes` bytes that the rest of the file cannot hold.
    pub fn room_for(&self, count: u64, bytes: usize, what: &str, place: Place) -> Result<usize, Fault> {
        let room = self.scanner.rest().len() as u64;
        if count.checked_mul(bytes.max(1) as u64).is_none_or(|needed| needed > room) {
            let problem = format!("{what} is more than the rest of the file can hold");
            let way_out = format!("{CUT_OFF} (or its byte order is not the one it announces)");
            return Err(Fault { place, problem, found: count.to_string(), way_out });
        }
        Ok(count as usize)
    }

    /// Passes over numbers of `bytes` bytes.
    pub fn skip(&mut self, count: usize, bytes: usize, what: &str) -> Result<(), Fault> {
        match self.encoding {
            Encoding::Text => self.scanner.skip_words(count, what),
            Encoding::Bytes(_) => {
                let length = count.checked_mul(bytes);
                let length = length.ok_or_else(|| self.scanner.end_fault(what))?;
                self.scanner.take_bytes(length, what).map(drop)
            }
        }
    }

    /// Three finite coordinates.
    pub fn position(&mut self) -> Result<[f64; 3], Fault> {
        if self.encoding == Encoding::Text {
            return self.scanner.position();
        }
        let place = self.place();
        let mut position = [0.0; 3];
        for x in &mut position {
            *x = self.f64("a coordinate")?;
        }
        finite(position, place)
    }
}

/// The position, if it is one.
pub(super) fn finite(position: [f64; 3], place: Place) -> Result<[f64; 3], Fault> {
    if position.iter().all(|x| x.is_finite()) {
        return Ok(position);
    }
    Err(Fault {
        place,
        problem: "a coordinate is not finite".to_owned(),
        found: format!("{position:?}"),
        way_out: "repair the mesh where it was made, or check its byte order".to_owned(),
    })
}
