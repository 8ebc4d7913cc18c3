//! What is asked of every contender.

use anyhow::Result;

/// A bar in some program, at rest at first and clamped at z = 0.
pub trait Contender {
    /// One step of [`crate::bar::STEP`].
    fn step(&mut self) -> Result<()>;
    /// Displacement of the tip along y, m.
    fn tip(&self) -> f64;
    /// What the program says of its iterations so far, where it does.
    fn iterations(&self) -> Option<u32> {
        None
    }
}
