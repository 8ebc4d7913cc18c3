//! Types of numbers that files name, and how to read a number of each.

use super::error::Fault;
use super::numbers::{Encoding, Numbers};

/// A type of number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StoredType {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl StoredType {
    /// By the word of a legacy VTK file.
    pub fn of_vtk(word: &str) -> Option<Self> {
        Some(match word.to_ascii_lowercase().as_str() {
            "char" | "signed_char" | "vtktypeint8" => Self::I8,
            "unsigned_char" | "vtktypeuint8" => Self::U8,
            "short" | "vtktypeint16" => Self::I16,
            "unsigned_short" | "vtktypeuint16" => Self::U16,
            // numbers of things are stored in 4 bytes whatever VTK was built with
            "int" | "vtkidtype" | "vtktypeint32" => Self::I32,
            "unsigned_int" | "vtktypeuint32" => Self::U32,
            "long" | "vtktypeint64" => Self::I64,
            "unsigned_long" | "vtktypeuint64" => Self::U64,
            "float" => Self::F32,
            "double" => Self::F64,
            _ => return None,
        })
    }

    /// By the word of a VTK XML file.
    pub fn of_vtu(word: &str) -> Option<Self> {
        Some(match word {
            "Int8" => Self::I8,
            "UInt8" => Self::U8,
            "Int16" => Self::I16,
            "UInt16" => Self::U16,
            "Int32" => Self::I32,
            "UInt32" => Self::U32,
            "Int64" => Self::I64,
            "UInt64" => Self::U64,
            "Float32" => Self::F32,
            "Float64" => Self::F64,
            _ => return None,
        })
    }

    /// By the word of a PLY file: the old names and the ones with bits.
    pub fn of_ply(word: &str) -> Option<Self> {
        Some(match word {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "int64" => Self::I64,
            "uint64" => Self::U64,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }

    /// Bytes of a number.
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }
}

impl Numbers<'_, '_> {
    /// A number of this type as a real one.
    pub fn real(&mut self, kind: StoredType, what: &str) -> Result<f64, Fault> {
        match kind {
            _ if self.encoding == Encoding::Text => self.f64(what),
            StoredType::F32 => self.f32(what).map(f64::from),
            StoredType::F64 => self.f64(what),
            _ => self.integer(kind, what).map(|n| n as f64),
        }
    }

    /// A number of this type as a whole one; numbers above i64::MAX and parts of real ones are refused.
    pub fn integer(&mut self, kind: StoredType, what: &str) -> Result<i64, Fault> {
        if self.encoding == Encoding::Text {
            return self.i64(what);
        }
        let place = self.place();
        let refused = |found: String| Fault {
            place,
            problem: format!("expected {what}, a whole number"),
            found,
            way_out: super::error::CUT_OFF.to_owned(),
        };
        Ok(match kind {
            StoredType::I8 => i64::from(self.u8(what)? as i8),
            StoredType::U8 => i64::from(self.u8(what)?),
            StoredType::I16 => i64::from(self.u16(what)? as i16),
            StoredType::U16 => i64::from(self.u16(what)?),
            StoredType::I32 => i64::from(self.i32(what)?),
            StoredType::U32 => i64::from(self.u32(what)?),
            StoredType::I64 => self.i64(what)?,
            StoredType::U64 => {
                let n = self.u64(what)?;
                n.try_into().map_err(|_| refused(n.to_string()))?
            }
            StoredType::F32 | StoredType::F64 => {
                let x = self.real(kind, what)?;
                let n = x as i64;
                if n as f64 != x {
                    return Err(refused(x.to_string()));
                }
                n
            }
        })
    }
}
