//! What the surface readers have in common: polygons become triangles, collapsed ones are left out.

use super::MeshFile;
use super::builder::{GroupId, MeshBuilder};
use super::cell_kind::CellShape;
use super::error::{Fault, Place, ReadError};
use super::scanner::Scanner;

/// At most so many groups for a face: it is entered in each of them.
pub(super) const MOST_GROUPS: usize = 64;

/// Collects a surface.
#[derive(Default)]
pub(super) struct SurfaceBuilder {
    pub mesh: MeshBuilder,
    triangle_count: usize,
    collapsed: usize,
}

impl SurfaceBuilder {
    /// Adds a polygon as a fan of triangles around its first corner. Its nodes must be there already.
    pub fn add_polygon(&mut self, corners: &[u32], groups: &[GroupId], place: Place) -> Result<(), Fault> {
        let [first, others @ ..] = corners else { return Err(too_few_corners(corners.len(), place)) };
        if others.len() < 2 {
            return Err(too_few_corners(corners.len(), place));
        }
        for pair in others.windows(2) {
            let nodes = [*first, pair[0], pair[1]];
            self.triangle_count += 1;
            if nodes[0] == nodes[1] || nodes[1] == nodes[2] || nodes[2] == nodes[0] {
                self.collapsed += 1;
                continue;
            }
            let added = self.mesh.add_cell(CellShape::Triangle.linear(), &nodes, place)?;
            groups.iter().for_each(|&group| self.mesh.add_member(group, added));
        }
        Ok(())
    }

    /// The surface; an error at the place that the scanner has reached if there is not one triangle.
    pub fn finish(mut self, scanner: &Scanner) -> Result<MeshFile, ReadError> {
        if self.collapsed == self.triangle_count {
            return Err(scanner.end_fault("a triangle").into());
        }
        if self.collapsed > 0 {
            let (count, all) = (self.collapsed, self.triangle_count);
            self.mesh
                .note(format!("{count} of {all} triangles have two corners in one place and are left out"));
        }
        self.mesh.finish()
    }
}

fn too_few_corners(count: usize, place: Place) -> Fault {
    Fault {
        place,
        problem: "a face needs at least 3 corners".to_owned(),
        found: count.to_string(),
        way_out: "remove points and lines from the faces where the surface was made".to_owned(),
    }
}
