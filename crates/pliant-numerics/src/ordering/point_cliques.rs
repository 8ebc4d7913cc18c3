//! Points in space, and the groups of them that are mutually coupled.

use std::fmt;

/// Why points and cliques cannot be ordered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PointCliquesError {
    /// A coordinate that is not a finite number.
    NotFinite {
        /// The point it belongs to.
        point: usize,
    },
    /// Offsets that do not start at 0, fall, or do not end at the number of members.
    Offsets,
    /// A clique that names a point that is not there.
    Member {
        /// The clique.
        clique: usize,
        /// The name it uses.
        vertex: u32,
    },
}

impl fmt::Display for PointCliquesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { point } => write!(f, "point {point} is not finite; give every point a place"),
            Self::Offsets => {
                write!(f, "offsets of cliques must start at 0, never fall, and end at the number of members")
            }
            Self::Member { clique, vertex } => {
                write!(f, "clique {clique} names vertex {vertex}, which has no point; vertices run from 0")
            }
        }
    }
}

impl std::error::Error for PointCliquesError {}

/// What is to be ordered: clique `c` couples `members[offsets[c]..offsets[c + 1]]` with each other.
///
/// Invariant: points are finite, offsets ascend and span the members, members name points.
#[derive(Clone, Copy, Debug)]
pub struct PointCliques<'a> {
    points: &'a [[f64; 3]],
    offsets: &'a [u32],
    members: &'a [u32],
}

impl<'a> PointCliques<'a> {
    /// Checks once, so that the orderings need not. No cliques: `offsets` is `[0]` or empty.
    pub fn new(
        points: &'a [[f64; 3]],
        offsets: &'a [u32],
        members: &'a [u32],
    ) -> Result<Self, PointCliquesError> {
        if let Some(point) = points.iter().position(|p| p.iter().any(|x| !x.is_finite())) {
            return Err(PointCliquesError::NotFinite { point });
        }
        let spans = offsets.first().copied().unwrap_or(0) == 0
            && offsets.last().copied().unwrap_or(0) as usize == members.len()
            && offsets.windows(2).all(|w| w[0] <= w[1]);
        if !spans {
            return Err(PointCliquesError::Offsets);
        }
        let this = Self { points, offsets, members };
        for clique in 0..this.clique_count() {
            if let Some(&vertex) = this.clique(clique).iter().find(|&&v| v as usize >= points.len()) {
                return Err(PointCliquesError::Member { clique, vertex });
            }
        }
        Ok(this)
    }

    /// Where the vertices are.
    pub fn points(&self) -> &'a [[f64; 3]] {
        self.points
    }

    /// Number of vertices.
    pub fn point_count(&self) -> usize {
        self.points.len()
    }

    /// Number of cliques.
    pub fn clique_count(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// The vertices of one clique.
    pub fn clique(&self, clique: usize) -> &'a [u32] {
        &self.members[self.offsets[clique] as usize..self.offsets[clique + 1] as usize]
    }

    /// The vertices of all cliques, one after the other.
    pub fn members(&self) -> &'a [u32] {
        self.members
    }
}
