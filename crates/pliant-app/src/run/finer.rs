//! The finer surface of a body in the frames of a run.

use std::io;
use std::path::Path;
use std::sync::Arc;

use pliant_geometry::Embedding;
use pliant_scene::mesh_file::series::SurfaceFrame;
use pliant_scene::mesh_file::{Field, FieldValues, VtuFrame, write_vtu};

/// A surface and where it is in the last frame.
pub struct FinerSurface {
    embedding: Arc<Embedding>,
    positions: Vec<[f64; 3]>,
    von_mises: Vec<f64>,
}

impl FinerSurface {
    /// Before the first frame.
    pub fn new(embedding: &Arc<Embedding>) -> Self {
        Self { embedding: Arc::clone(embedding), positions: Vec::new(), von_mises: Vec::new() }
    }

    /// Goes where the nodes of the mesh are in a frame.
    pub fn follow(&mut self, nodes: &SurfaceFrame) {
        self.embedding.positions_into(nodes.positions, &mut self.positions);
        self.embedding.values_into(nodes.von_mises, &mut self.von_mises);
        // weights of vertices outside the cells may be negative, a stress of von Mises may not
        self.von_mises.iter_mut().for_each(|stress| *stress = stress.max(0.0));
    }

    /// The last frame, in place of that of the nodes.
    pub fn frame(&self, nodes: &SurfaceFrame) -> SurfaceFrame<'_> {
        let (number, time) = (nodes.number, nodes.time);
        SurfaceFrame { number, time, positions: &self.positions, von_mises: &self.von_mises }
    }

    /// Writes the last frame as triangles.
    pub fn write_vtu(&self, path: &Path) -> io::Result<()> {
        let surface = self.embedding.surface();
        let ways = self.positions.iter().zip(surface.positions());
        let displacements: Vec<f64> =
            ways.flat_map(|(x, rest)| [x[0] - rest[0], x[1] - rest[1], x[2] - rest[2]]).collect();
        let point_fields = [
            Field { name: "displacement", components: 3, values: FieldValues::F64(&displacements) },
            Field { name: "von_mises", components: 1, values: FieldValues::F64AsF32(&self.von_mises) },
        ];
        let (positions, triangles) = (&self.positions[..], surface.triangles());
        write_vtu(
            path,
            &VtuFrame { positions, triangles, point_fields: &point_fields, ..VtuFrame::default() },
        )
    }
}
