//! What bodies are made of, and what others ask of it.
//!
//! Matter is elements by regions or a network of springs. Who needs a stiffness, a density or what a body bears asks here and
//! need not know which it is; of several regions the answer is the one that is safe for all. To add a kind of matter: a file here, a variant of
//! [`Matter`], and its answers.

mod material;
mod solid;
mod springs;

pub use material::Material;
pub use solid::{Cells, MassKind, Region, Solid};
pub use springs::Springs;

use std::sync::Arc;

use pliant_geometry::Mesh;

use crate::assembly::{BuildError, Precision};
use crate::law::{ElasticModuli, LawTraits};
use crate::layout::Body;
use crate::network::Network;
use crate::term::ForceTerm;

/// What a body is made of.
#[derive(Clone, Debug)]
pub enum Matter {
    /// Finite elements.
    Elements(Solid),
    /// Particles joined by springs.
    Springs(Springs),
}

impl From<Material> for Matter {
    fn from(material: Material) -> Self {
        Self::Elements(Solid::of(material))
    }
}

impl Matter {
    /// Springs between the nodes of a mesh.
    pub fn of_network(network: Network, mesh: &Mesh) -> Self {
        Self::Springs(Springs::new(network, mesh))
    }

    /// Its elements, if it is made of them.
    pub fn solid(&self) -> Option<&Solid> {
        match self {
            Self::Elements(solid) => Some(solid),
            Self::Springs(_) => None,
        }
    }

    /// Its springs, if it is made of them.
    pub fn network(&self) -> Option<&Network> {
        self.springs().map(Springs::network)
    }

    fn springs(&self) -> Option<&Springs> {
        match self {
            Self::Elements(_) => None,
            Self::Springs(springs) => Some(springs),
        }
    }

    /// The material of each region; none of springs.
    pub fn materials(&self) -> impl Iterator<Item = &Material> {
        self.solid().into_iter().flat_map(Solid::materials)
    }

    /// What its laws bear; of several, what all of them do.
    pub fn traits(&self) -> LawTraits {
        let of_springs = self.network().map(|network| network.law.traits());
        let all = self.materials().map(|material| material.law.traits()).chain(of_springs);
        all.reduce(LawTraits::and).unwrap_or(LawTraits::OF_NOTHING)
    }

    /// Moduli at rest of each region; those of a solid as stiff where springs are joined.
    pub fn moduli(&self) -> impl Iterator<Item = ElasticModuli> {
        self.materials().map(|material| material.law.moduli()).chain(self.springs().map(Springs::moduli))
    }

    /// The lowest Young's modulus, Pa: what bears it does no harm anywhere.
    pub fn softest_young(&self) -> f64 {
        self.moduli().map(|moduli| moduli.young()).fold(f64::INFINITY, f64::min)
    }

    /// The highest Young's modulus, Pa.
    pub fn stiffest_young(&self) -> f64 {
        self.moduli().map(|moduli| moduli.young()).fold(0.0, f64::max)
    }

    /// Young's modulus times volume, J: twice the energy of a strain of 1 everywhere.
    pub fn stretch_energy(&self, mesh: &Mesh) -> f64 {
        let region = |region: &Region| region.material.law.moduli().young() * region.cells.volume(mesh);
        match self {
            Self::Elements(solid) => solid.regions.iter().map(region).sum(),
            Self::Springs(springs) => springs.moduli().young() * springs.network().volume(mesh),
        }
    }

    /// The volume that it fills at rest, m^3; that of a network is an estimate.
    pub fn volume(&self, mesh: &Mesh) -> f64 {
        self.network().map_or_else(|| mesh.volume(), |network| network.volume(mesh))
    }

    /// The density, kg/m^3, where it is the same in all regions; that of a network is a mean.
    pub fn uniform_density(&self) -> Option<f64> {
        match self {
            Self::Elements(solid) => solid.uniform(|material| material.density),
            Self::Springs(springs) => Some(springs.density()),
        }
    }

    /// Mass-proportional damping of each region, 1/s; of springs that of the lightest particle.
    pub fn mass_dampings(&self) -> impl Iterator<Item = f64> {
        let of_springs = self.springs().map(Springs::mass_damping);
        self.materials().map(|material| material.mass_damping).chain(of_springs)
    }

    /// The strongest mass-proportional damping, 1/s.
    pub fn mass_damping(&self) -> f64 {
        self.mass_dampings().fold(0.0, f64::max)
    }

    /// How its mass is distributed.
    pub fn mass_kind(&self) -> MassKind {
        self.solid().map_or(MassKind::Lumped, |solid| solid.mass)
    }

    /// Whether it has an initial strain or stress, or wants another shape.
    pub fn is_prestressed(&self) -> bool {
        let stressed = |solid: &Solid| !solid.initial.stress.is_empty() || !solid.initial.relaxed.is_empty();
        self.solid().is_some_and(stressed)
    }

    /// Lumped mass, kg, that some cells give to each node of a mesh; particles have their own.
    pub fn node_masses(&self, mesh: &Mesh, cells: &[u32]) -> Vec<f64> {
        self.node_inertia(mesh, cells).into_iter().map(|[mass, _]| mass).collect()
    }

    /// The same with damping in proportion to it, or drag, kg/s.
    pub(crate) fn node_inertia(&self, mesh: &Mesh, cells: &[u32]) -> Vec<[f64; 2]> {
        match self {
            Self::Elements(solid) => solid.node_inertia(mesh, cells),
            Self::Springs(springs) => {
                let Network { mass, drag, .. } = springs.network();
                mass.iter().map(|mass| [*mass, *drag]).collect()
            }
        }
    }

    /// The terms of a body in a world with these rest positions.
    pub(crate) fn terms(
        &self,
        index: usize,
        body: &Body,
        (rest, precision): (&Arc<Vec<f64>>, Precision),
    ) -> Result<Vec<Arc<dyn ForceTerm>>, BuildError> {
        match self {
            Self::Elements(solid) => solid.terms(index, body, (rest, precision)),
            Self::Springs(springs) => springs.network().terms(index, body, rest),
        }
    }
}
