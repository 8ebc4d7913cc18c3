//! Whether a scene fits into memory: an estimate before a mesh is made, and for those of files as soon as they are read.
//!
//! The figures are what `pliant run` took at most of boxes of 60^3 to 100^3 cells, rounded up by a tenth.

use std::ops::Range;
use std::path::Path;

use pliant_geometry::{Mesh, ShapeElement};
use pliant_solid::integrator::LinearSolver;
use pliant_solid::{Model, Scheme};

use super::CompileOptions;
use super::read_mesh::read_mesh;
use crate::diagnostic::Problem;
use crate::mesh_file::MeshFile;
use crate::spec::{self, Element, Located, Method, Scene, Shape, Solver};

/// Bytes of a node: states, vectors of a step and of the search for the stable one, its place in the mesh.
const NODE: f64 = 1100.0;
/// Bytes of a tetrahedron.
const TET: f64 = 250.0;
/// Bytes of a hexahedron that is a parallelepiped, and what another shape adds: the Jacobian of every point.
const HEX: f64 = 320.0;
const JACOBIANS: f64 = 600.0;
/// Bytes of a pair of nodes that couple, where equations are solved by gradients.
const PAIR: f64 = 250.0;
/// The same with a factor, which comes on top.
const PAIR_WITH_FACTOR: f64 = 450.0;
/// Nodes that a node of tetrahedra couples with, and one of hexahedra.
const NEIGHBOURS: [f64; 2] = [15.0, 27.0];

/// Memory as a scene's bodies take it up.
pub(super) struct Room<'a> {
    scene: &'a Scene,
    /// Bytes that can be had; none if that is not known, or not to be asked.
    available: Option<u64>,
    taken: f64,
}

/// How large a mesh is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Counts {
    nodes: f64,
    tets: f64,
    hexes: f64,
    /// Whether any of them may be no parallelepiped: then all are kept as such.
    distorted: bool,
}

impl<'a> Room<'a> {
    pub fn new(scene: &'a Scene, options: CompileOptions) -> Self {
        Self { scene, available: options.memory, taken: 0.0 }
    }

    /// Reads or makes a body's mesh, if there is room for it: that of a shape is known before it is made.
    pub fn read_mesh(
        &mut self,
        name: &str,
        mesh: &Located<spec::Mesh>,
        folder: &Path,
    ) -> Result<MeshFile, Problem> {
        if let spec::Mesh::Shape(shape) = &**mesh {
            self.admit(name, Counts::of_shape(shape), mesh.span())?;
            return read_mesh(mesh, folder);
        }
        let file = read_mesh(mesh, folder)?;
        self.admit(name, Counts::of_mesh(&file.mesh), mesh.span())?;
        Ok(file)
    }

    fn admit(&mut self, name: &str, counts: Counts, place: Range<usize>) -> Result<(), Problem> {
        self.taken += counts.bytes(self.scene);
        match self.available {
            Some(available) if self.taken > available as f64 => {
                let message = format!(
                    "with the {:.0} cells of body `{name}` the scene needs about {}, and {} of memory can be had",
                    counts.tets + counts.hexes,
                    size(self.taken),
                    size(available as f64)
                );
                let implicit = if *self.scene.integrator.method == Method::Explicit {
                    ""
                } else {
                    ", method = \"explicit\", which has no matrix"
                };
                Err(Problem::new(place, message).help(format!(
                    "use fewer cells{implicit}, or a machine with more memory; `pliant run --force` tries it all the same"
                )))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a factor that does not fit beside everything else.
    pub fn admit_factor(&self, model: &Model, scheme: &Scheme) -> Result<(), Problem> {
        let Some(available) = self.available.filter(|_| scheme.kind().traits().solves_tangent()) else {
            return Ok(());
        };
        if scheme.linear_solver(model) != LinearSolver::Direct {
            return Ok(());
        }
        // dense parts store some per cent more, and so does the work on them
        let factor = 1.2 * 8.0 * model.elimination().factor_numbers as f64;
        if self.taken + factor <= available as f64 {
            return Ok(());
        }
        let method = self.scene.integrator.method.word();
        let message = format!(
            "method = \"{method}\" needs about {} for the factor of its equations beside {} for everything else, and {} of memory can be had",
            size(factor),
            size(self.taken),
            size(available as f64)
        );
        Err(Problem::new(self.scene.integrator.method.span(), message).help(
            "use a coarser mesh, method = \"implicit-euler\" with solver = \"gradients\", or method = \"explicit\"; \
             `pliant run --force` tries it all the same",
        ))
    }
}

impl Counts {
    fn of_mesh(mesh: &Mesh) -> Self {
        let [nodes, tets, hexes] =
            [mesh.node_count(), mesh.tets().len(), mesh.hexes().len()].map(|n| n as f64);
        Self { nodes, tets, hexes, distorted: true }
    }

    /// The same for every element that a shape may be cut into; round shapes are about as large as their blocks are many.
    fn of_shape(shape: &Shape) -> Self {
        let product = |counts: &[u32]| counts.iter().fold(1.0, |all, &n| all * f64::from(n));
        let blocks = |blocks: f64, nodes: f64, tets: f64| match tets {
            0.0 => Self { nodes, tets, hexes: blocks, distorted: false },
            _ => Self { nodes, tets: tets * blocks, ..Self::default() },
        };
        let round = |count: f64, element: &ShapeElement| {
            let tets = if *element == ShapeElement::Tet { 6.0 } else { 0.0 };
            Self { distorted: true, ..blocks(count, 1.1 * count, tets) }
        };
        match shape {
            Shape::Box { cells, element, .. } => {
                let tets = match element {
                    Element::Tet | Element::Tet5 => 5.0,
                    Element::Tet6 => 6.0,
                    Element::Hex => 0.0,
                };
                blocks(product(&**cells), cells.iter().map(|&n| f64::from(n) + 1.0).product(), tets)
            }
            // particles with some ten springs each
            Shape::Grid { cells, .. } => Self { nodes: 4.0 * product(&**cells), ..Self::default() },
            Shape::Torus { sections, rim, .. } => {
                let nodes = product(&[**sections, **rim]);
                Self { nodes, tets: 3.0 * nodes, ..Self::default() }
            }
            Shape::Tube { cells, element, .. } => round(product(&**cells), element),
            Shape::Cylinder { cells, element, .. } => {
                round(product(&[3, cells[0], cells[0], cells[1]]), element)
            }
            Shape::Sphere { cells, element, .. } => round(product(&[4, **cells, **cells, **cells]), element),
            Shape::Hemisphere { cells, element, .. } => {
                round(product(&[2, **cells, **cells, **cells]), element)
            }
        }
    }

    /// What a run of the scene takes for a body of this size, bytes.
    fn bytes(self, scene: &Scene) -> f64 {
        let neighbours = if self.hexes > 0.0 { NEIGHBOURS[1] } else { NEIGHBOURS[0] };
        let warped = scene.material.values().any(|material| material.law == spec::Law::Warped);
        let matrix = match (*scene.integrator.method, scene.integrator.solver.as_deref()) {
            (Method::Explicit, _) if warped => PAIR,
            (Method::Explicit, _) => 0.0,
            (Method::ImplicitEuler, None | Some(Solver::Auto | Solver::Gradients)) => PAIR,
            _ => PAIR_WITH_FACTOR,
        };
        let hex = if self.distorted { HEX + JACOBIANS } else { HEX };
        self.nodes * (NODE + neighbours * matrix) + self.tets * TET + self.hexes * hex
    }
}

/// `1.2 GB`.
fn size(bytes: f64) -> String {
    match bytes {
        b if b < 1e9 => format!("{:.0} MB", (1e-6 * b).max(1.0)),
        b => format!("{:.1} GB", 1e-9 * b),
    }
}
