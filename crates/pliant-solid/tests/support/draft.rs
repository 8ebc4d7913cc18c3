//! What a body of a test is made of.

use pliant_solid::assembly::InitialFields;
use pliant_solid::law::LawKind;
use pliant_solid::{MassKind, Material, Matter, Solid};

/// A body of one material in the making, or finished matter in its place.
#[derive(Clone)]
pub struct Draft {
    pub density: f64,
    pub law: LawKind,
    pub mass_damping: f64,
    pub stiffness_damping: f64,
    pub initial: InitialFields,
    pub mass: MassKind,
    pub finished: Option<Matter>,
}

impl Draft {
    /// 1000 kg/m^3, undamped, with lumped mass.
    pub fn of(law: LawKind) -> Self {
        Self {
            density: 1000.0,
            law,
            mass_damping: 0.0,
            stiffness_damping: 0.0,
            initial: InitialFields::default(),
            mass: MassKind::Lumped,
            finished: None,
        }
    }

    pub fn material(&self) -> Material {
        let (mass_damping, stiffness_damping) = (self.mass_damping, self.stiffness_damping);
        Material { mass_damping, stiffness_damping, ..Material::new(self.density, self.law) }
    }

    pub fn matter(&self) -> Matter {
        let solid = Solid { initial: self.initial.clone(), mass: self.mass, ..Solid::of(self.material()) };
        self.finished.clone().unwrap_or(Matter::Elements(solid))
    }
}
