//! Generated meshes: the words of a scene to the generators of pliant-geometry.

use pliant_geometry::{
    BoxElement, Cylinder, GeneratorError, Grid, Hemisphere, Mesh, Sphere, Torus, Tube, box_mesh,
};

use crate::spec::{Element, Located, Shape};
use crate::units::si_array;

/// The mesh of a shape.
pub(super) fn made(shape: &Shape) -> Result<Mesh, GeneratorError> {
    let count = |n: &Located<u32>| **n as usize;
    match shape {
        Shape::Box { size, cells, element } => {
            let element = match element {
                Element::Tet | Element::Tet5 => BoxElement::Tet5,
                Element::Tet6 => BoxElement::Tet6,
                Element::Hex => BoxElement::Hex,
            };
            box_mesh(si_array(size), cells.map(|n| n as usize), element)
        }
        Shape::Grid { size, cells } => Grid { size: si_array(size), cells: cells.map(|n| n as usize) }.mesh(),
        Shape::Torus { radius, tube, sections, rim } => {
            let (sections, rim) = (count(sections), count(rim));
            Torus { radius: radius.si(), tube: tube.si(), sections, rim }.mesh()
        }
        Shape::Tube { inner, outer, height, cells, element } => {
            let (inner, outer, height) = (inner.si(), outer.si(), height.si());
            Tube { inner, outer, height, cells: cells.map(|n| n as usize), element: *element }.mesh()
        }
        Shape::Cylinder { radius, height, cells, element } => {
            let (radius, height) = (radius.si(), height.si());
            Cylinder { radius, height, cells: cells.map(|n| n as usize), element: *element }.mesh()
        }
        Shape::Sphere { radius, cells, element } => {
            Sphere { radius: radius.si(), cells: count(cells), element: *element }.mesh()
        }
        Shape::Hemisphere { radius, cells, element } => {
            Hemisphere { radius: radius.si(), cells: count(cells), element: *element }.mesh()
        }
    }
}
