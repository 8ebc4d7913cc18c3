//! The keys of `mesh = { ... }` as they stand in the file, and what they make.
//!
//! Each shape has its own keys. One that belongs to another shape, or is missing, is told with a whole table that would do.

use super::{Element, Mesh, Shape};
use crate::spec::cell_counts::CellCounts;
use crate::spec::{Located, SpringRow};
use crate::units::{Length, Quantity};
use pliant_geometry::ShapeElement;
use schemars::JsonSchema;
use serde::Deserialize;

/// Shapes that can be generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Shape")]
enum ShapeWord {
    /// From the origin to `size`.
    Box,
    /// A flat sheet from the origin to `size`, of networks only.
    Grid,
    /// About the z axis: `radius`, `tube`, `sections`, `rim`.
    Torus,
    /// Hollow, along z: `inner`, `outer`, `height`.
    Tube,
    /// Solid, along z: `radius`, `height`.
    Cylinder,
    /// A ball about the origin: `radius`.
    Sphere,
    /// The half of a ball with z >= 0: `radius`.
    Hemisphere,
}

/// Either `shape` with its measures, `cells` and `element`, or `file` and `scale`, or `particles` and `springs`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Mesh")]
pub(super) struct MeshTable {
    /// A generated mesh: "box", "grid", "torus", "tube", "cylinder", "sphere" or "hemisphere".
    shape: Option<ShapeWord>,
    /// Edge lengths of the box along x, y and z; of the grid along x and y.
    size: Option<Located<Vec<Quantity<Length>>>>,
    /// Radius of the cylinder, sphere or hemisphere; of a torus, of the circle through its sections.
    radius: Option<Located<Quantity<Length>>>,
    /// Radius of the torus's tube, below `radius`.
    tube: Option<Located<Quantity<Length>>>,
    /// Radius of the tube's bore.
    inner: Option<Located<Quantity<Length>>>,
    /// Outer radius of the tube, above `inner`.
    outer: Option<Located<Quantity<Length>>>,
    /// Length of the tube or cylinder along z.
    height: Option<Located<Quantity<Length>>>,
    /// Sections of the torus around its axis, 3 or more.
    sections: Option<Located<u32>>,
    /// Nodes on the rim of each section of the torus, 3 or more.
    rim: Option<Located<u32>>,
    /// Number of cells: [x, y, z] of a box, [x, y] of a grid, [around, radial, axial] of a tube, [across, axial] of a cylinder, one
    /// number across a sphere or hemisphere. `across` counts those of the inner square or cube; a diameter has about twice as many.
    cells: Option<Located<CellCounts>>,
    /// How each cell is filled; "tet" when absent. Round shapes take "tet" or "hex".
    element: Option<Element>,
    /// Path of a mesh file, relative to the scene file.
    file: Option<Located<String>>,
    /// Length of one unit of the file, such as "1 mm"; "1 m" when absent.
    scale: Option<Located<Quantity<Length>>>,
    /// Places of particles, [[x, y, z], ...]; of networks only.
    particles: Option<Located<Vec<[Quantity<Length>; 3]>>>,
    /// Springs between particles: [[0, 1], { between = [1, 2], length = "5 cm" }].
    springs: Option<Located<Vec<SpringRow>>>,
}

const FILE: &str = "{ file = \"liver.msh\", scale = \"1 mm\" }";
const PARTICLES: &str = "{ particles = [[0, 0, 0], [1, 0, 0]], springs = [[0, 1]] }";

impl ShapeWord {
    /// Its name, the keys it takes beside `shape`, and a table that would do.
    fn facts(self) -> (&'static str, &'static [&'static str], &'static str) {
        match self {
            Self::Box => (
                "box",
                &["size", "cells", "element"],
                "{ shape = \"box\", size = [\"1 m\", \"0.3 m\", \"0.3 m\"], cells = [10, 3, 3] }",
            ),
            Self::Grid => (
                "grid",
                &["size", "cells"],
                "{ shape = \"grid\", size = [\"1 m\", \"1 m\"], cells = [40, 40] }",
            ),
            Self::Torus => (
                "torus",
                &["radius", "tube", "sections", "rim"],
                "{ shape = \"torus\", radius = \"10 cm\", tube = \"3 cm\", sections = 20, rim = 8 }",
            ),
            Self::Tube => (
                "tube",
                &["inner", "outer", "height", "cells", "element"],
                "{ shape = \"tube\", inner = \"1 cm\", outer = \"2 cm\", height = \"5 cm\", cells = [16, 2, 8] }",
            ),
            Self::Cylinder => (
                "cylinder",
                &["radius", "height", "cells", "element"],
                "{ shape = \"cylinder\", radius = \"2 cm\", height = \"5 cm\", cells = [4, 10] }",
            ),
            Self::Sphere => (
                "sphere",
                &["radius", "cells", "element"],
                "{ shape = \"sphere\", radius = \"5 cm\", cells = 4 }",
            ),
            Self::Hemisphere => (
                "hemisphere",
                &["radius", "cells", "element"],
                "{ shape = \"hemisphere\", radius = \"5 cm\", cells = 4 }",
            ),
        }
    }
}

impl TryFrom<MeshTable> for Mesh {
    type Error = String;

    fn try_from(table: MeshTable) -> Result<Self, String> {
        let of_box = ShapeWord::Box.facts().2;
        if table.particles.is_some() || table.springs.is_some() {
            return table.particles();
        }
        match (table.shape, &table.file) {
            (Some(_), Some(_)) => {
                Err(format!("has both `shape` and `file`; write either {of_box} or {FILE}"))
            }
            (None, None) => Err(format!("has neither `shape` nor `file`; write {of_box} or {FILE}")),
            (Some(word), None) => Measures { word, table }.shape().map(Self::Shape),
            (None, Some(_)) => table.file(),
        }
    }
}

impl MeshTable {
    /// The keys of shapes that are there.
    fn of_shapes(&self) -> impl Iterator<Item = &'static str> {
        let given = [
            ("size", self.size.is_some()),
            ("radius", self.radius.is_some()),
            ("tube", self.tube.is_some()),
            ("inner", self.inner.is_some()),
            ("outer", self.outer.is_some()),
            ("height", self.height.is_some()),
            ("sections", self.sections.is_some()),
            ("rim", self.rim.is_some()),
            ("cells", self.cells.is_some()),
            ("element", self.element.is_some()),
        ];
        given.into_iter().filter(|(_, given)| *given).map(|(key, _)| key)
    }

    fn particles(self) -> Result<Mesh, String> {
        let others =
            [("shape", self.shape.is_some()), ("file", self.file.is_some()), ("scale", self.scale.is_some())];
        let other =
            others.into_iter().filter(|(_, given)| *given).map(|(key, _)| key).chain(self.of_shapes()).next();
        if let Some(key) = other {
            return Err(format!("has `{key}` beside `particles`; write {PARTICLES}"));
        }
        let particles = self.particles.ok_or(format!("lacks `particles`; write {PARTICLES}"))?;
        Ok(Mesh::Particles { particles, springs: self.springs.unwrap_or_else(|| Vec::new().into()) })
    }

    fn file(self) -> Result<Mesh, String> {
        if let Some(key) = self.of_shapes().next() {
            return Err(format!(
                "has `{key}`, which belongs to `shape`; a file brings its own elements, write {FILE}"
            ));
        }
        let file = self.file.ok_or("lacks `file`")?;
        Ok(Mesh::File { file, scale: self.scale.unwrap_or_else(|| Quantity::of(1.0).into()) })
    }
}

/// A table with `shape`.
struct Measures {
    word: ShapeWord,
    table: MeshTable,
}

impl Measures {
    fn shape(self) -> Result<Shape, String> {
        self.check_keys()?;
        let table = &self.table;
        Ok(match self.word {
            ShapeWord::Box => Shape::Box {
                size: self.size()?,
                cells: self.cells()?,
                element: table.element.unwrap_or(Element::Tet),
            },
            ShapeWord::Grid => Shape::Grid { size: self.size()?, cells: self.cells()? },
            ShapeWord::Torus => Shape::Torus {
                radius: self.needed("radius", &table.radius)?,
                tube: self.needed("tube", &table.tube)?,
                sections: self.needed("sections", &table.sections)?,
                rim: self.needed("rim", &table.rim)?,
            },
            ShapeWord::Tube => Shape::Tube {
                inner: self.needed("inner", &table.inner)?,
                outer: self.needed("outer", &table.outer)?,
                height: self.needed("height", &table.height)?,
                cells: self.cells()?,
                element: self.round_element()?,
            },
            ShapeWord::Cylinder => Shape::Cylinder {
                radius: self.needed("radius", &table.radius)?,
                height: self.needed("height", &table.height)?,
                cells: self.cells()?,
                element: self.round_element()?,
            },
            ShapeWord::Sphere | ShapeWord::Hemisphere => self.ball()?,
        })
    }

    fn ball(&self) -> Result<Shape, String> {
        let radius = self.needed("radius", &self.table.radius)?;
        let cells = self.cells::<1>()?;
        let (cells, element) = (Located::at(cells[0], cells.span()), self.round_element()?);
        Ok(match self.word {
            ShapeWord::Sphere => Shape::Sphere { radius, cells, element },
            _ => Shape::Hemisphere { radius, cells, element },
        })
    }

    /// No key of a file or of another shape.
    fn check_keys(&self) -> Result<(), String> {
        let (name, keys, example) = self.word.facts();
        if self.table.scale.is_some() {
            return Err(format!(
                "has `scale`, which belongs to `file`; a {name} has lengths of its own, write {example}"
            ));
        }
        match self.table.of_shapes().find(|key| !keys.contains(key)) {
            Some(key) => Err(format!("has `{key}`, which a {name} does not take; write {example}")),
            None => Ok(()),
        }
    }

    /// The value of a key that must be there.
    fn needed<T: Clone>(&self, key: &str, value: &Option<Located<T>>) -> Result<Located<T>, String> {
        let (name, _, example) = self.word.facts();
        value.clone().ok_or_else(|| format!("lacks `{key}` of the {name}; write {example}"))
    }

    /// As many lengths as the shape has.
    fn size<const N: usize>(&self) -> Result<Located<[Quantity<Length>; N]>, String> {
        let (name, _, example) = self.word.facts();
        let given = self.needed("size", &self.table.size)?;
        let lengths = given.as_slice().try_into().map_err(|_| {
            format!("has {} numbers in `size`, but a {name} has {N}; write {example}", given.len())
        })?;
        Ok(Located::at(lengths, given.span()))
    }

    /// As many numbers of cells as the shape has.
    fn cells<const N: usize>(&self) -> Result<Located<[u32; N]>, String> {
        let (name, _, example) = self.word.facts();
        let counts = self.needed("cells", &self.table.cells)?;
        let numbers: [u32; N] = counts.0.as_slice().try_into().map_err(|_| {
            let given = counts.0.len();
            format!("has {given} numbers in `cells`, but a {name} is cut by {N}; write {example}")
        })?;
        Ok(Located::at(numbers, counts.span()))
    }

    fn round_element(&self) -> Result<ShapeElement, String> {
        match self.table.element {
            None | Some(Element::Tet) => Ok(ShapeElement::Tet),
            Some(Element::Hex) => Ok(ShapeElement::Hex),
            Some(Element::Tet5 | Element::Tet6) => {
                let name = self.word.facts().0;
                Err(format!("has an `element` of boxes; a {name} takes \"tet\" or \"hex\""))
            }
        }
    }
}
