//! Files that suffered on the way: other bytes, other digits, bytes more, cut off.

use proptest::prelude::*;
use proptest::sample::Index;

/// What happened to a file.
#[derive(Clone, Debug)]
pub struct Damage {
    changes: Vec<(Index, u8, u8)>,
    cut: Option<Index>,
}

/// Up to five changes, and perhaps a cut.
pub fn any_damage() -> impl Strategy<Value = Damage> {
    let changes = prop::collection::vec((any::<Index>(), any::<u8>(), 0..3_u8), 1..6);
    (changes, any::<Option<Index>>()).prop_map(|(changes, cut)| Damage { changes, cut })
}

/// The same cases in every run.
pub fn damage_config() -> ProptestConfig {
    ProptestConfig {
        cases: 512,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(450),
        ..ProptestConfig::default()
    }
}

impl Damage {
    /// The file afterwards.
    pub fn applied(&self, file: &[u8]) -> Vec<u8> {
        let mut bytes = file.to_vec();
        for &(place, value, way) in &self.changes {
            let place = place.index(bytes.len());
            match way {
                // any byte, another digit, a byte more that means something somewhere
                0 => bytes[place] = value,
                1 if bytes[place].is_ascii_digit() => bytes[place] = b'0' + value % 10,
                _ => bytes.insert(place, b"0123456789 \n-$./*,#=\""[usize::from(value) % 21]),
            }
        }
        if let Some(cut) = self.cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        bytes
    }
}
