//! A body of particles and springs, and what is asked of it as if it were a solid.
//!
//! Found once with the mesh: hands and limits of the step ask in every step.

use std::sync::Arc;

use pliant_geometry::Mesh;

use crate::law::ElasticModuli;
use crate::network::Network;

/// A network and the solid that it is like.
#[derive(Clone, Debug)]
pub struct Springs {
    network: Arc<Network>,
    density: f64,
    moduli: ElasticModuli,
    mass_damping: f64,
}

impl Springs {
    /// Of particles that are the nodes of a mesh.
    pub fn new(network: Network, mesh: &Mesh) -> Self {
        let volume = network.volume(mesh);
        let light = network.mass.iter().copied().filter(|m| *m > 0.0).fold(f64::INFINITY, f64::min);
        Self {
            density: network.mass.iter().sum::<f64>() / volume,
            moduli: network.moduli(volume),
            mass_damping: network.drag / light,
            network: Arc::new(network),
        }
    }

    /// Particles and springs themselves.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Mass over the volume between the particles, kg/m^3.
    pub fn density(&self) -> f64 {
        self.density
    }

    /// Those of an isotropic solid as stiff.
    pub fn moduli(&self) -> ElasticModuli {
        self.moduli
    }

    /// How fast drag slows the lightest particle, 1/s.
    pub fn mass_damping(&self) -> f64 {
        self.mass_damping
    }
}
