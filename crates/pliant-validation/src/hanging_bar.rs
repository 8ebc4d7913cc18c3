//! The bar that other programs were measured on: 3 x 3 x 10 cells of 10 cm, each cut into five tetrahedra, held at z = 0, under a weight along -y.

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::integrator::ImplicitEuler;
use pliant_solid::law::{LawKind, Warp};
use pliant_solid::{FullState, World};

use crate::CaseError;
use crate::measure::{Vec3, advance, displacement_at};
use crate::specimen::Specimen;

/// The node that is looked at, m.
pub const TIP: Vec3 = [0.1, 0.1, 1.0];
/// The step, s, and how many make 0.3 s.
pub const STEP: f64 = 0.01;
/// See [`STEP`].
pub const STEPS: usize = 30;

/// The law `warped` as it comes.
pub fn warped(moduli: pliant_solid::law::ElasticModuli) -> LawKind {
    LawKind::Warped(moduli, Warp::default())
}

/// The bar after 0.3 s.
pub struct Fallen {
    world: World,
    full: FullState,
}

impl Fallen {
    /// Runs it.
    pub fn by(integrator: ImplicitEuler, law: LawKind) -> Result<Self, CaseError> {
        let mesh = box_mesh([0.3, 0.3, 1.0], [3, 3, 10], BoxElement::Tet5)?;
        let bar = Specimen::new(mesh, law).gravity([0.0, -9.81, 0.0]).hold(|p| p[2] < 1e-9, [true; 3]);
        let mut world = bar.euler(integrator)?;
        advance(&mut world, STEPS)?;
        let full = world.model().full_state(world.state());
        Ok(Self { world, full })
    }

    /// How far the tip went along y, m.
    pub fn tip(&self) -> f64 {
        displacement_at(self.world.model().layout(), &self.full.x, TIP)[1]
    }

    /// det F of every cell.
    fn ratios(&self) -> Vec<f64> {
        self.world.model().fields(&self.full).swap_remove(0).volume_ratio
    }

    /// Volume over that at rest.
    pub fn volume_ratio(&self) -> f64 {
        let mesh = &self.world.model().layout().bodies()[0].mesh;
        let cells = self.ratios().into_iter().enumerate();
        cells.map(|(cell, ratio)| ratio * mesh.cell_volume(cell)).sum::<f64>() / mesh.volume()
    }

    /// The smallest det F.
    pub fn smallest_ratio(&self) -> f64 {
        self.ratios().into_iter().fold(f64::INFINITY, f64::min)
    }
}
