//! The arrays of VTK XML files: where their numbers are, and how they are packed.
//!
//! ```text
//! text        numbers as words
//! bytes       length | data                     base64 in place, or base64 or raw in the appended part
//! compressed  n | size | last | c1 ... cn | blocks      each block of `size` bytes (the last of `last`, 0 = full)
//! ```
//!
//! Lengths are UInt32 or UInt64 as `header_type` says, in the byte order of the file. In base64 the header of
//! compressed data is padded for itself. What is unpacked and what is kept of it may together be at most
//! [`MOST_UNPACKED`] times as long as the file; xz takes its dictionary on top, up to 64 MB.

use std::borrow::Cow;
use std::io::Read;

use base64::Engine;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};

use super::numbers::ByteOrder;

/// How much longer than the file its unpacked arrays may be, so that a small file cannot fill the memory.
pub(super) const MOST_UNPACKED: usize = 256;

/// What a small file may unpack to in any case, bytes.
const ALWAYS_UNPACKED: usize = 1 << 20;

/// The largest working memory of an xz block: that of the highest preset is 64 MB.
const MOST_DICTIONARY_KB: u32 = 80 << 10;

/// How blocks are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compressor {
    Zlib,
    Lz4,
    Lzma,
}

/// How the bytes of the file's arrays are stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packing {
    pub order: ByteOrder,
    /// Bytes of a length: 4 or 8.
    pub header_size: usize,
    pub compressor: Option<Compressor>,
}

/// Whether bytes are spelled in base64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    Raw,
    Base64,
}

/// How much may still be unpacked.
#[derive(Debug)]
pub(super) struct Budget(usize);

impl Budget {
    pub fn of_file(length: usize) -> Self {
        Self(length.saturating_mul(MOST_UNPACKED).saturating_add(ALWAYS_UNPACKED))
    }

    pub fn take(&mut self, bytes: usize) -> Result<(), String> {
        self.0 = self.0.checked_sub(bytes).ok_or_else(|| {
            format!("arrays unpack to more than {MOST_UNPACKED} times the length of the file")
        })?;
        Ok(())
    }
}

/// The bytes of an array that begins at the start of `stored`; more may follow it.
pub(super) fn unpack<'a>(
    stored: &'a [u8],
    spelling: Spelling,
    packing: &Packing,
    budget: &mut Budget,
) -> Result<Cow<'a, [u8]>, String> {
    match packing.compressor {
        None => plain(stored, spelling, packing, budget),
        Some(compressor) => compressed(stored, spelling, packing, compressor, budget).map(Cow::Owned),
    }
}

fn plain<'a>(
    stored: &'a [u8],
    spelling: Spelling,
    packing: &Packing,
    budget: &mut Budget,
) -> Result<Cow<'a, [u8]>, String> {
    let size = packing.header_size;
    let length = packing.number(&decoded(stored, spelling, size)?, 0)?;
    let total = length.checked_add(size).ok_or("the length of an array is too large")?;
    budget.take(length)?;
    Ok(match decoded(stored, spelling, total)? {
        Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[size..]),
        Cow::Owned(mut bytes) => {
            bytes.drain(..size);
            Cow::Owned(bytes)
        }
    })
}

fn compressed(
    stored: &[u8],
    spelling: Spelling,
    packing: &Packing,
    compressor: Compressor,
    budget: &mut Budget,
) -> Result<Vec<u8>, String> {
    let size = packing.header_size;
    let count = packing.number(&decoded(stored, spelling, size)?, 0)?;
    let header_length = count.checked_add(3).and_then(|n| n.checked_mul(size));
    let header_length = header_length.ok_or("the number of blocks is too large")?;
    let header = decoded(stored, spelling, header_length)?;
    let number = |i: usize| packing.number(&header, i);
    let (block, last) = (number(1)?, number(2)?);
    let lengths = (0..count).map(|i| number(3 + i)).collect::<Result<Vec<_>, _>>()?;
    let total = lengths.iter().try_fold(0_usize, |sum, &n| sum.checked_add(n));
    let total = total.ok_or("the blocks of an array are too long")?;
    let skip = spelled_length(header_length, spelling).filter(|&skip| skip <= stored.len());
    let blocks = decoded(&stored[skip.ok_or(ENDS)?..], spelling, total)?;
    let mut bytes = Vec::new();
    let mut at = 0;
    for (i, &length) in lengths.iter().enumerate() {
        let expected = if i + 1 == count && last > 0 { last } else { block };
        budget.take(expected)?;
        decompress(&blocks[at..at + length], compressor, expected, &mut bytes)?;
        at += length;
    }
    Ok(bytes)
}

const ENDS: &str = "the file ends inside an array";

impl Packing {
    /// The `i`-th length in a header.
    fn number(&self, header: &[u8], i: usize) -> Result<usize, String> {
        let bytes = header.get(i * self.header_size..(i + 1) * self.header_size).ok_or(ENDS)?;
        let fold = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        let number = match self.order {
            ByteOrder::Little => bytes.iter().rev().fold(0, fold),
            ByteOrder::Big => bytes.iter().fold(0, fold),
        };
        usize::try_from(number).map_err(|_| format!("a length of {number} bytes is too large"))
    }
}

/// How many characters or bytes hold `length` bytes.
fn spelled_length(length: usize, spelling: Spelling) -> Option<usize> {
    match spelling {
        Spelling::Raw => Some(length),
        Spelling::Base64 => length.div_ceil(3).checked_mul(4),
    }
}

/// Trailing bits and padding are not looked at: what counts is that the bytes are there.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent),
);

/// The first `length` bytes.
fn decoded(stored: &[u8], spelling: Spelling, length: usize) -> Result<Cow<'_, [u8]>, String> {
    let spelled = spelled_length(length, spelling).ok_or(ENDS)?;
    let text = stored.get(..spelled).ok_or(ENDS)?;
    if spelling == Spelling::Raw {
        return Ok(Cow::Borrowed(text));
    }
    let mut bytes = BASE64.decode(text).map_err(|error| format!("the base64 text is damaged: {error}"))?;
    if bytes.len() < length {
        return Err(ENDS.to_owned());
    }
    bytes.truncate(length);
    Ok(Cow::Owned(bytes))
}

/// Appends `expected` bytes to `out`.
fn decompress(
    block: &[u8],
    compressor: Compressor,
    expected: usize,
    out: &mut Vec<u8>,
) -> Result<(), String> {
    let before = out.len();
    let damaged = |error: &dyn std::fmt::Display| format!("a compressed block is damaged: {error}");
    match compressor {
        Compressor::Zlib => {
            // grows as the data comes, not as the header claims
            let mut reader = flate2::read::ZlibDecoder::new(block).take(expected as u64 + 1);
            reader.read_to_end(out).map_err(|e| damaged(&e))?;
        }
        Compressor::Lz4 => {
            // lz4 never packs tighter than 255 to 1
            if expected > block.len().saturating_mul(255) {
                return Err(damaged(&"it is shorter than it claims"));
            }
            out.resize(before + expected, 0);
            let length = lz4_flex::block::decompress_into(block, &mut out[before..]);
            let length = length.map_err(|e| damaged(&e))?;
            out.truncate(before + length);
        }
        Compressor::Lzma => {
            let xz = lzma_rust2::XzReader::new_mem_limit(block, false, MOST_DICTIONARY_KB);
            xz.take(expected as u64 + 1).read_to_end(out).map_err(|e| damaged(&e))?;
        }
    }
    if out.len() - before != expected {
        return Err(damaged(&format!("{} bytes instead of {expected}", out.len() - before)));
    }
    Ok(())
}
