//! `pliant mesh make`: the mesh of a shape.

use pliant_geometry::{
    BoxElement, Cylinder, GeneratorError, Hemisphere, Mesh, ShapeElement, Sphere, Torus, Tube, box_mesh,
};
use pliant_scene::mesh_file::MshEncoding;

use super::write_and_tell;
use crate::cli::{GridElement, MeshMake, RoundElement, ShapeArguments, Target};
use crate::memory;
use crate::report::Failure;

/// Bytes of a block while a shape is made and written, with the tetrahedra that it is cut into.
const BLOCK: f64 = 300.0;

/// Makes the shape and writes it.
pub fn make(options: &MeshMake) -> Result<(), Failure> {
    let blocks = blocks(&options.shape);
    if let Some(available) = memory::available().filter(|available| BLOCK * blocks > *available as f64) {
        return Err(Failure::Input(format!(
            "a shape of about {blocks:.3e} blocks needs {:.1} GB of memory, and {:.1} GB can be had; use fewer cells",
            1e-9 * BLOCK * blocks,
            1e-9 * available as f64
        )));
    }
    let (mesh, target) = shape(&options.shape);
    let mesh = mesh.map_err(|error| Failure::Input(error.to_string()))?;
    let encoding = if target.ascii { MshEncoding::Text } else { MshEncoding::Binary };
    write_and_tell(&target.output, &mesh, encoding)
}

/// How many blocks a shape has; those of round ones with the layers around their middle.
fn blocks(arguments: &ShapeArguments) -> f64 {
    let product = |counts: &[usize]| counts.iter().fold(1.0, |all, &n| all * n as f64);
    match arguments {
        ShapeArguments::Box { cells, .. } | ShapeArguments::Tube { cells, .. } => product(cells),
        ShapeArguments::Torus { sections, rim, .. } => product(&[*sections, *rim]),
        ShapeArguments::Cylinder { cells, .. } => product(&[3, cells[0], cells[0], cells[1]]),
        ShapeArguments::Sphere { ball, .. } => product(&[4, ball.cells, ball.cells, ball.cells]),
        ShapeArguments::Hemisphere { ball, .. } => product(&[2, ball.cells, ball.cells, ball.cells]),
    }
}

fn shape(arguments: &ShapeArguments) -> (Result<Mesh, GeneratorError>, &Target) {
    match arguments {
        ShapeArguments::Box { size, cells, element, target } => {
            let element = match element {
                GridElement::Tet | GridElement::Tet5 => BoxElement::Tet5,
                GridElement::Tet6 => BoxElement::Tet6,
                GridElement::Hex => BoxElement::Hex,
            };
            (box_mesh(*size, *cells, element), target)
        }
        ShapeArguments::Torus { radius, tube, sections, rim, target } => {
            (Torus { radius: *radius, tube: *tube, sections: *sections, rim: *rim }.mesh(), target)
        }
        ShapeArguments::Tube { inner, outer, height, cells, element, target } => {
            let (cells, element) = (*cells, filled(*element));
            (Tube { inner: *inner, outer: *outer, height: *height, cells, element }.mesh(), target)
        }
        ShapeArguments::Cylinder { radius, height, cells, element, target } => {
            let (cells, element) = (*cells, filled(*element));
            (Cylinder { radius: *radius, height: *height, cells, element }.mesh(), target)
        }
        ShapeArguments::Sphere { ball, target } => {
            let element = filled(ball.element);
            (Sphere { radius: ball.radius, cells: ball.cells, element }.mesh(), target)
        }
        ShapeArguments::Hemisphere { ball, target } => {
            let element = filled(ball.element);
            (Hemisphere { radius: ball.radius, cells: ball.cells, element }.mesh(), target)
        }
    }
}

fn filled(element: RoundElement) -> ShapeElement {
    match element {
        RoundElement::Tet => ShapeElement::Tet,
        RoundElement::Hex => ShapeElement::Hex,
    }
}
