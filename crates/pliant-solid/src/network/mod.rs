//! A body of particles joined by springs, and the force terms that it becomes.
//!
//! ```text
//! lambda = mu = sum k l^2 / (15 V),   E = 5/2 mu = sum k l^2 / (6 V),   nu = 1/4           (1)
//! ```
//!
//! Source of the parts: [Schoner 3.1-3.3]. (1) are the moduli of an isotropic solid of volume V with springs in all directions, from the energy of a uniform
//! strain averaged over directions: what a network is as stiff as, for hands and for what counts as rounding.

mod weave;

pub use weave::{Cloth, SpringDamping, SpringStiffness, Weave};

use std::sync::Arc;

use pliant_geometry::Mesh;
use pliant_numerics::{BlockMatrix, PatternBuilder};

use crate::assembly::{AngleSprings, BuildError, Links};
use crate::law::{ElasticModuli, InsideOut, LawTraits, Warp};
use crate::layout::Body;
use crate::link::{AngleSpring, Linearised, LinkKind, Points, Spring};
use crate::term::warped::{WarpParts, Warped};
use crate::term::{At, Coeffs, ForceTerm};

/// What springs do when the body turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NetworkLaw {
    /// They turn with it.
    Springs,
    /// They are linearised at rest.
    Linear,
    /// Their matrix at rest is turned along rotations of the particles.
    Warped(Warp),
}

impl NetworkLaw {
    /// What it says of itself.
    pub fn traits(&self) -> LawTraits {
        let usual = LawTraits {
            small_strain: false,
            has_energy: true,
            adds_prestress: false,
            inside_out: InsideOut::Recovers,
        };
        match self {
            Self::Springs => usual,
            Self::Linear => LawTraits { small_strain: true, inside_out: InsideOut::Unseen, ..usual },
            Self::Warped(_) => LawTraits { has_energy: false, ..usual },
        }
    }
}

/// Particles and what joins them; particles are the nodes of a mesh.
#[derive(Clone, Debug)]
pub struct Network {
    /// What springs do when the body turns.
    pub law: NetworkLaw,
    /// Springs and dampers, between nodes.
    pub springs: Vec<([u32; 2], Spring<f64>)>,
    /// Angle springs; the middle node is where the springs meet.
    pub angles: Vec<([u32; 3], AngleSpring<f64>)>,
    /// Mass of each node, kg.
    pub mass: Vec<f64>,
    /// Resistance to the velocity of every particle, N s/m.
    pub drag: f64,
}

impl Network {
    /// (1), for a volume in m^3.
    pub fn moduli(&self, volume: f64) -> ElasticModuli {
        let stiffness: f64 = self.springs.iter().map(|(_, s)| s.stiffness * s.length * s.length).sum();
        let young = stiffness / (6.0 * volume);
        let usable = if young > 0.0 && young.is_finite() { young } else { 1.0 };
        // one pascal for what has no springs: a hand may hold it all the same
        ElasticModuli::new(usable, 0.25).expect("a positive modulus and 1/4 are in range")
    }

    /// The volume of the cells, m^3, or of cubes as long as a spring around the particles where there are none.
    pub fn volume(&self, mesh: &Mesh) -> f64 {
        let cells = mesh.volume();
        let count = self.springs.len().max(1) as f64;
        let mean = self.springs.iter().map(|(_, s)| s.length).sum::<f64>() / count;
        let cubes = mesh.node_count() as f64 * mean.powi(3);
        [cells, cubes].into_iter().find(|v| *v > 0.0).unwrap_or(1.0)
    }

    /// The terms of a body in a world with these rest positions.
    pub(crate) fn terms(
        &self,
        index: usize,
        body: &Body,
        rest: &[f64],
    ) -> Result<Vec<Arc<dyn ForceTerm>>, BuildError> {
        let place = Place { index, world: &body.world, rest };
        match self.law {
            NetworkLaw::Springs => Ok(self.links(&place)),
            NetworkLaw::Linear => {
                self.must_rest(&place)?;
                let springs = place.term(self.springs.iter().map(|l| place.linearised(l)).collect());
                let angles = place.term(self.angles.iter().map(|l| place.linearised(l)).collect());
                Ok(springs.into_iter().chain(angles).collect())
            }
            NetworkLaw::Warped(warp) => {
                self.must_rest(&place)?;
                Ok(vec![Arc::new(self.warped(&place, warp)?)])
            }
        }
    }

    /// Terms of the springs as they are.
    fn links(&self, place: &Place) -> Vec<Arc<dyn ForceTerm>> {
        let springs = place.term(self.springs.iter().map(|(n, link)| (place.nodes(n), *link)).collect());
        let angles = self.angles.iter().map(|(n, link)| (place.nodes(n), *link)).collect::<Vec<_>>();
        let angles = (!angles.is_empty()).then(|| place.angles(angles));
        springs.into_iter().chain(angles).collect()
    }

    /// The matrix at rest, turned; the springs as they are tell of the energy.
    fn warped(&self, place: &Place, warp: Warp) -> Result<Warped, BuildError> {
        let cells = self.links(place);
        let mut pattern = PatternBuilder::new(place.rest.len() / 3);
        cells.iter().for_each(|term| term.pattern(&mut pattern));
        let mut stiffness = BlockMatrix::zero(Arc::new(pattern.build()));
        let rest = place.rest;
        let at = At { time: 0.0, load: 1.0, still: true, x: rest, v: rest, history: &[], since: 0.0 };
        for term in &cells {
            let k = Coeffs { k: 1.0, d: 0.0 };
            term.definite_tangent_add(&at, k, &mut stiffness, &mut term.new_scratch());
        }
        // particles without springs couple with nobody
        let joined = |node: u32| stiffness.pattern().row(node as usize).len() > 1;
        let of_nodes = place.world.iter().copied().zip(self.mass.iter().copied());
        let mut masses: Vec<(u32, f64)> = of_nodes.filter(|(node, _)| joined(*node)).collect();
        masses.sort_unstable_by_key(|(node, _)| *node);
        let (nodes, mass) = masses.into_iter().unzip();
        let (beta, body) = (self.relaxation().ok_or(BuildError::NetworkDamping)?, place.index);
        Ok(Warped::new(WarpParts { warp, beta, body, nodes, mass, stiffness: &stiffness, rest, cells }))
    }

    /// Damping over stiffness, s, where all springs have the same.
    pub fn relaxation(&self) -> Option<f64> {
        let mut ratios = self.springs.iter().map(|(_, s)| s.damping / s.stiffness);
        let first = ratios.next().unwrap_or(0.0);
        ratios.all(|ratio| (ratio - first).abs() <= 1e-12 * first).then_some(first)
    }

    /// Refuses springs that pull at rest: matrices alone do not know of it.
    fn must_rest(&self, place: &Place) -> Result<(), BuildError> {
        let pulls = |(nodes, spring): &([u32; 2], Spring<f64>)| {
            let [a, b] = place.points(&place.nodes(nodes));
            let now = (0..3).map(|c| (a[c] - b[c]).powi(2)).sum::<f64>().sqrt();
            (now - spring.length).abs() > 1e-9 * now
        };
        if self.springs.iter().any(pulls) { Err(BuildError::NetworkTension) } else { Ok(()) }
    }
}

/// Where a network stands in the world.
struct Place<'a> {
    index: usize,
    world: &'a [u32],
    rest: &'a [f64],
}

impl Place<'_> {
    fn nodes<const N: usize>(&self, mesh_nodes: &[u32; N]) -> [u32; N] {
        mesh_nodes.map(|n| self.world[n as usize])
    }

    fn points<const N: usize>(&self, nodes: &[u32; N]) -> Points<f64, N> {
        nodes.map(|n| std::array::from_fn(|c| self.rest[3 * n as usize + c]))
    }

    fn linearised<K: LinkKind<N>, const N: usize>(
        &self,
        (nodes, link): &([u32; N], K),
    ) -> ([u32; N], Linearised<f64, N>) {
        let nodes = self.nodes(nodes);
        (nodes, Linearised::at_rest(link, &self.points(&nodes)))
    }

    /// The term of angle springs by world nodes.
    fn angles(&self, angles: Vec<([u32; 3], AngleSpring<f64>)>) -> Arc<dyn ForceTerm> {
        Arc::new(AngleSprings::new(self.index, self.rest.len() / 3, angles))
    }

    /// The term of links by world nodes, if there are any.
    fn term<K: LinkKind<N>, const N: usize>(&self, links: Vec<([u32; N], K)>) -> Option<Arc<dyn ForceTerm>> {
        if links.is_empty() {
            return None;
        }
        Some(Arc::new(Links::new(self.index, self.rest.len() / 3, links)))
    }
}
