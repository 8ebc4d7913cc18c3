//! A body where it stands: its mesh in its own coordinates and in the world.

use std::sync::Arc;

use pliant_geometry::{Mesh, MeshError, Surface};
use pliant_numerics::Mat3;

use crate::inspect::MeshReport;
use crate::spec;
use crate::units::si_array;

/// A body's mesh in its own coordinates and in the world.
pub(super) struct PlacedBody<'a> {
    pub name: String,
    pub spec: &'a spec::Body,
    /// As the file has it, after `scale`.
    pub own: Mesh,
    /// Turned and moved into the world.
    pub placed: Arc<Mesh>,
    pub surface: Arc<Surface>,
    pub report: MeshReport,
    rotation: Mat3<f64>,
    position: [f64; 3],
}

impl<'a> PlacedBody<'a> {
    /// Places a mesh that has been examined.
    pub fn new(name: &str, spec: &'a spec::Body, own: Mesh, report: MeshReport) -> Result<Self, MeshError> {
        let rotation = spec
            .rotation
            .as_ref()
            .map_or(Mat3::identity(), |r| Mat3::rotation(si_array(&r.axis), r.angle.si()));
        let position = si_array(&spec.position);
        let place = |p: [f64; 3]| {
            let turned = rotation.mul_vec(p);
            std::array::from_fn(|c| turned[c] + position[c])
        };
        let placed = own.clone().transformed(place)?;
        let surface = Arc::new(Surface::of(&own).unwrap_or_default());
        let name = name.to_string();
        Ok(Self { name, spec, own, placed: Arc::new(placed), surface, report, rotation, position })
    }

    /// A point of the mesh's coordinates in the world.
    pub fn to_world(&self, point: [f64; 3]) -> [f64; 3] {
        let turned = self.rotation.mul_vec(point);
        std::array::from_fn(|c| turned[c] + self.position[c])
    }

    /// A tensor along the mesh's axes, along the world's.
    pub fn turned(&self, tensor: &Mat3<f64>) -> Mat3<f64> {
        (self.rotation * *tensor).mul_transpose(&self.rotation)
    }

    /// A typical distance in the mesh, m.
    pub fn extent(&self) -> f64 {
        self.own.bounds().map_or(0.0, |b| b.diagonal())
    }
}
