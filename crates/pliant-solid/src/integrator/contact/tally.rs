//! What contacts exchanged in a step.

/// Energies of a step, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ContactTally {
    /// Work of contact forces on bodies.
    pub work: f64,
    /// What friction took.
    pub friction: f64,
    /// What bounces took.
    pub restitution: f64,
    /// What moving colliders did on bodies.
    pub pushed: f64,
}

impl ContactTally {
    /// Adds another one.
    pub fn add(&mut self, other: Self) {
        self.work += other.work;
        self.friction += other.friction;
        self.restitution += other.restitution;
        self.pushed += other.pushed;
    }
}
