//! How bodies answer contact, and what of them touches.

use pliant_geometry::MaterialPoint;

/// How steps answer a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Response {
    /// The normal velocity at the end of the step is the collider's: half-step energy is kept, forces alternate.
    Constraint,
    /// The place after the next step is on the surface: forces are smooth.
    Smooth,
    /// A spring pushes back in proportion to the depth.
    Penalty,
}

impl Response {
    /// As scenes say it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Constraint => "constraint",
            Self::Smooth => "constraint-smooth",
            Self::Penalty => "penalty",
        }
    }
}

/// What holds for all contacts of a world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactSettings {
    /// How steps answer; where it is not given, the method's own way: `constraint` in explicit steps, `penalty` in all others.
    pub response: Option<Response>,
    /// Pressure of `penalty` per depth, Pa/m; where it is not given, ten times Young's modulus over the size of a cell.
    pub stiffness: Option<f64>,
    /// Whether bodies may begin inside colliders, and are pushed out gently.
    pub allow_overlap: bool,
}

/// What of a body touches others; by default its mesh's boundary, without thickness.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// Distance from the surface at which contact begins, m.
    pub thickness: f64,
    /// A surface that touches in place of the mesh's boundary.
    pub fine: Option<FineSkin>,
}

/// A surface on the nodes of a body's mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FineSkin {
    /// Its vertices, by mesh nodes.
    pub vertices: Vec<MaterialPoint>,
    /// Its triangles, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}
