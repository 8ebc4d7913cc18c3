//! What holds nodes from a state on: fixes that have not let go, and bodies that stand still because they diverged.
//!
//! Scripts say when fixes let go, but what holds is noted in the state: whatever else releases or stops something (an event, a tear) notes it
//! here, and nobody asks the script again.

use serde::{Deserialize, Serialize};

use crate::fix::Fix;

/// What holds nodes from a state on; the integrators ask it, and no script.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holding {
    /// Which fixes of the model have let go.
    released: Vec<bool>,
    /// Which bodies diverged and stand still since.
    frozen: Vec<bool>,
}

impl Holding {
    /// By scripts alone at a time, in a world of so many bodies.
    pub fn by_script(fixes: &[Fix], bodies: usize, time: f64) -> Self {
        let mut holding = Self { released: vec![false; fixes.len()], frozen: vec![false; bodies] };
        holding.let_go(fixes, time);
        holding
    }

    /// Becomes equal to another one without allocating.
    pub(crate) fn follow(&mut self, other: &Self) {
        self.released.clone_from(&other.released);
        self.frozen.clone_from(&other.frozen);
    }

    /// Lets go what its script releases up to a time.
    pub(crate) fn let_go(&mut self, fixes: &[Fix], time: f64) {
        for (released, fix) in self.released.iter_mut().zip(fixes) {
            *released |= !fix.holds(time);
        }
    }

    /// Whether a fix of the model holds, by its place there.
    pub fn holds(&self, fix: usize) -> bool {
        !self.released[fix]
    }

    /// The fixes that hold, with their places in the model.
    pub(crate) fn fixes<'a>(&'a self, fixes: &'a [Fix]) -> impl Iterator<Item = (usize, &'a Fix)> {
        fixes.iter().enumerate().filter(|(index, _)| self.holds(*index))
    }

    /// Whether a fix that holds here does not any more afterwards.
    pub(crate) fn releases_before(&self, after: &Self) -> bool {
        self.released.iter().zip(&after.released).any(|(before, after)| !before && *after)
    }

    /// Whether a body stands still because it diverged.
    pub fn is_frozen(&self, body: usize) -> bool {
        self.frozen[body]
    }

    /// Whether any body does.
    pub fn is_any_frozen(&self) -> bool {
        self.frozen.contains(&true)
    }

    /// The same for every body.
    pub(crate) fn frozen(&self) -> &[bool] {
        &self.frozen
    }

    /// Stops a body from now on.
    pub(crate) fn freeze(&mut self, body: usize) {
        self.frozen[body] = true;
    }

    /// How many fixes and bodies it knows.
    pub(crate) fn lengths(&self) -> (usize, usize) {
        (self.released.len(), self.frozen.len())
    }
}
