//! What bodies are made of.

use std::sync::Arc;

use pliant_geometry::Mesh;

use crate::assembly::InitialFields;
use crate::law::{LawKind, StretchLimit};
use crate::network::{Network, NetworkLaw};

/// What a body is made of.
#[derive(Clone, Debug)]
pub struct BodyMatter {
    /// Mass per rest volume, kg/m^3.
    pub density: f64,
    /// The law.
    pub law: LawKind,
    /// A limit of stretch; only for `linear`, `warped` and `corotated`.
    pub limit: Option<StretchLimit>,
    /// Mass-proportional damping, 1/s.
    pub mass_damping: f64,
    /// Stiffness-proportional damping, s.
    pub stiffness_damping: f64,
    /// Initial strain, stress and relaxed shapes.
    pub initial: InitialFields,
    /// How its mass is distributed.
    pub mass: MassKind,
    /// Springs between its nodes, in place of elements; see [`BodyMatter::of_network`].
    pub network: Option<Arc<Network>>,
}

impl BodyMatter {
    /// The matter of a body that is a network; its law is that of the solid it resembles.
    pub fn of_network(network: Network, mesh: &Mesh) -> Self {
        let volume = network.volume(mesh);
        let moduli = network.moduli(volume);
        let light = network.mass.iter().copied().filter(|m| *m > 0.0).fold(f64::INFINITY, f64::min);
        Self {
            density: network.mass.iter().sum::<f64>() / volume,
            law: match network.law {
                NetworkLaw::Springs => LawKind::Corotated(moduli),
                NetworkLaw::Linear => LawKind::Linear(moduli),
                NetworkLaw::Warped(warp) => LawKind::Warped(moduli, warp),
            },
            limit: None,
            mass_damping: network.drag / light,
            stiffness_damping: 0.0,
            initial: InitialFields::default(),
            mass: MassKind::Lumped,
            network: Some(Arc::new(network)),
        }
    }

    /// The volume that the matter fills at rest, m^3; that of a network is an estimate.
    pub fn volume(&self, mesh: &Mesh) -> f64 {
        self.network.as_ref().map_or_else(|| mesh.volume(), |network| network.volume(mesh))
    }
}

/// Lumped or consistent mass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MassKind {
    /// Row sums on the diagonal.
    #[default]
    Lumped,
    /// The full matrix.
    Consistent,
}
