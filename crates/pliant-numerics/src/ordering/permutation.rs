//! A new numbering of vertices: each number once, both directions at hand.

use std::fmt;

/// Why a list of numbers is not a permutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PermutationError {
    /// A number that is as large as the list is long, or larger.
    OutOfRange {
        /// The offending number.
        number: u32,
        /// Length of the list.
        length: usize,
    },
    /// A number that stands in the list twice.
    Repeated {
        /// The offending number.
        number: u32,
    },
}

impl fmt::Display for PermutationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfRange { number, length } => {
                write!(f, "{number} does not name one of {length} vertices; numbers run from 0")
            }
            Self::Repeated { number } => {
                write!(f, "{number} stands twice in the order; list each vertex once")
            }
        }
    }
}

impl std::error::Error for PermutationError {}

/// Invariant: `old_to_new[new_to_old[k]] == k` for every k.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation {
    new_to_old: Vec<u32>,
    old_to_new: Vec<u32>,
}

impl Permutation {
    /// From the vertices in the order in which they are to be eliminated.
    pub fn from_new_to_old(new_to_old: Vec<u32>) -> Result<Self, PermutationError> {
        let length = new_to_old.len();
        let mut old_to_new = vec![u32::MAX; length];
        for (new, &number) in new_to_old.iter().enumerate() {
            let slot =
                old_to_new.get_mut(number as usize).ok_or(PermutationError::OutOfRange { number, length })?;
            if *slot != u32::MAX {
                return Err(PermutationError::Repeated { number });
            }
            *slot = new as u32;
        }
        Ok(Self { new_to_old, old_to_new })
    }

    /// For orders built here, where anything else is a defect of ours.
    pub(crate) fn of_order(new_to_old: Vec<u32>) -> Self {
        match Self::from_new_to_old(new_to_old) {
            Ok(permutation) => permutation,
            Err(fault) => unreachable!("an ordering lost a vertex: {fault}"),
        }
    }

    /// Keeps every number.
    pub fn identity(length: usize) -> Self {
        let same: Vec<u32> = (0..length as u32).collect();
        Self { new_to_old: same.clone(), old_to_new: same }
    }

    /// Shuffled by a generator of its own (splitmix64, Fisher-Yates): one seed, one order, on any machine.
    pub fn random(length: usize, seed: u64) -> Self {
        let mut order: Vec<u32> = (0..length as u32).collect();
        let mut state = seed;
        for last in (1..length).rev() {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut bits = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            bits ^= bits >> 31;
            order.swap(last, (bits % (last as u64 + 1)) as usize);
        }
        Self::of_order(order)
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.new_to_old.len()
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.new_to_old.is_empty()
    }

    /// The old number of each new one: the order of elimination.
    pub fn new_to_old(&self) -> &[u32] {
        &self.new_to_old
    }

    /// The new number of each old one.
    pub fn old_to_new(&self) -> &[u32] {
        &self.old_to_new
    }
}
