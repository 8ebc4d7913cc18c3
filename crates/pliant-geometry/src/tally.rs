//! How often something was found, and where first: what checks and repairs report.

/// Where something was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Number of the node, cell or triangle; which of them, the field says that holds the place.
    pub element: u32,
    /// Its middle, m.
    pub position: [f64; 3],
}

/// A count and its first place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// How many.
    pub count: usize,
    /// Where the first is; there is one if `count` is not zero.
    pub first: Option<Place>,
}

impl Tally {
    /// Counts one more; its position is asked for only if it is the first.
    pub(crate) fn note(&mut self, element: u32, position: impl FnOnce() -> [f64; 3]) {
        self.count += 1;
        self.first.get_or_insert_with(|| Place { element, position: position() });
    }
}
