//! `pliant mesh make`: the mesh of a shape.

use pliant_geometry::{
    BoxElement, Cylinder, GeneratorError, Hemisphere, Mesh, ShapeElement, Sphere, Torus, Tube, box_mesh,
};
use pliant_scene::mesh_file::MshEncoding;

use super::write_and_tell;
use crate::cli::{GridElement, MeshMake, RoundElement, ShapeArguments, Target};
use crate::report::Failure;

/// Makes the shape and writes it.
pub fn make(options: &MeshMake) -> Result<(), Failure> {
    let (mesh, target) = shape(&options.shape);
    let mesh = mesh.map_err(|error| Failure::Input(error.to_string()))?;
    let encoding = if target.ascii { MshEncoding::Text } else { MshEncoding::Binary };
    write_and_tell(&target.output, &mesh, encoding)
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
