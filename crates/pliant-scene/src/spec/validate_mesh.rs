//! Checks of `mesh = { ... }` that need no mesh: measures, counts, and that the cells fit into memory.

use super::found::Found;
use super::validate_network;
use super::{Located, Mesh, Shape};
use crate::units::{Length, Quantity, si_array};
use std::ops::Range;

/// Cells of a generated shape; beyond this a slip of the keyboard is likelier than 20 GB of memory for a run.
const MOST_CELLS: u64 = 10_000_000;

pub(super) fn mesh(mesh: &Located<Mesh>, found: &mut Found) {
    match &**mesh {
        Mesh::Shape(value) => shape(value, found),
        Mesh::File { file, scale } => {
            if file.is_empty() {
                found.add(
                    file.span(),
                    "`file` is empty",
                    "give the path of a mesh, relative to the scene file",
                );
            }
            found.positive("scale", scale);
        }
        Mesh::Particles { .. } => validate_network::particles(mesh, found),
    }
}

fn shape(shape: &Shape, found: &mut Found) {
    match shape {
        Shape::Box { size, cells, .. } => {
            let lengths = si_array(size);
            if lengths.iter().any(|&length| length <= 0.0) {
                let text = format!("`size` of the box is {lengths:?} m");
                found.add(size.span(), text, "each edge must be above 0");
            }
            counts("box", &**cells, cells.span(), product(&**cells), found);
        }
        Shape::Grid { size, cells } => {
            let lengths = si_array(size);
            if lengths.iter().any(|&length| length <= 0.0) {
                let text = format!("`size` of the grid is {lengths:?} m");
                found.add(size.span(), text, "each edge must be above 0");
            }
            counts("grid", &**cells, cells.span(), product(&**cells), found);
        }
        Shape::Torus { radius, tube, sections, rim } => {
            fits(("tube", tube), ("radius", radius), found);
            torus_counts(sections, rim, found);
        }
        Shape::Tube { inner, outer, height, cells, .. } => {
            fits(("inner", inner), ("outer", outer), found);
            found.positive("height", height);
            if (1..3).contains(&cells[0]) {
                let text = format!("`cells` of the tube is {:?}", **cells);
                found.add(cells.span(), text, "the first number, around the axis, must be 3 or more");
            }
            counts("tube", &**cells, cells.span(), product(&**cells), found);
        }
        // with the layers around the inner square or cube
        Shape::Cylinder { radius, height, cells, .. } => {
            found.positive("radius", radius);
            found.positive("height", height);
            counts("cylinder", &**cells, cells.span(), product(&[3, cells[0], cells[0], cells[1]]), found);
        }
        Shape::Sphere { radius, cells, .. } => {
            found.positive("radius", radius);
            counts("sphere", &[**cells], cells.span(), product(&[4, **cells, **cells, **cells]), found);
        }
        Shape::Hemisphere { radius, cells, .. } => {
            found.positive("radius", radius);
            counts("hemisphere", &[**cells], cells.span(), product(&[2, **cells, **cells, **cells]), found);
        }
    }
}

/// The product, or the largest number where it overflows.
fn product(counts: &[u32]) -> u64 {
    counts.iter().fold(1, |all, &n| all.saturating_mul(n.into()))
}

/// `all` cells come of the numbers in `cells`.
fn counts(shape: &str, cells: &[u32], span: Range<usize>, all: u64, found: &mut Found) {
    let given = match cells {
        [one] => one.to_string(),
        many => format!("{many:?}"),
    };
    if cells.contains(&0) {
        let help = if cells.len() > 1 { "each number must be 1 or more" } else { "it must be 1 or more" };
        found.add(span, format!("`cells` of the {shape} is {given}"), help);
    } else if all > MOST_CELLS {
        let text = format!("`cells` of the {shape} is {given}, more than {MOST_CELLS} cells");
        found.add(span, text, "use fewer cells");
    }
}

fn torus_counts(sections: &Located<u32>, rim: &Located<u32>, found: &mut Found) {
    for (key, count) in [("sections", sections), ("rim", rim)] {
        if **count < 3 {
            found.add(count.span(), format!("`{key}` of the torus is {}", **count), "it must be 3 or more");
        }
    }
    if product(&[**sections, **rim]) > MOST_CELLS {
        let text = format!("`sections` times `rim` of the torus is more than {MOST_CELLS}");
        found.add(sections.span(), text, "use fewer");
    }
}

/// A key and its length.
type Named<'a> = (&'a str, &'a Located<Quantity<Length>>);

/// Two lengths above 0, the first below the second.
fn fits((small, inner): Named, (large, outer): Named, found: &mut Found) {
    found.positive(small, inner);
    found.positive(large, outer);
    if inner.si() > 0.0 && outer.si() > 0.0 && inner.si() >= outer.si() {
        let text = format!("`{small}` is {} and `{large}` is {}", **inner, **outer);
        found.add(inner.span(), text, format!("`{small}` must be below `{large}`"));
    }
}
