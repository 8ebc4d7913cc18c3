//! `mesh = { ... }` of a body: a box made here, or a file.

use super::Located;
use crate::units::{Length, Quantity};
use schemars::JsonSchema;
use serde::Deserialize;

/// Where a body's elements come from.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "MeshTable")]
#[schemars(with = "MeshTable")]
pub enum Mesh {
    /// A box from the origin to `size`, cut into equal cells.
    Box {
        /// Edge lengths along x, y and z.
        size: Located<[Quantity<Length>; 3]>,
        /// Number of cells along x, y and z.
        cells: Located<[u32; 3]>,
        /// How each cell is filled.
        element: Element,
    },
    /// A mesh file.
    File {
        /// Path relative to the scene file.
        file: Located<String>,
        /// Length of one unit of the file.
        scale: Located<Quantity<Length>>,
    },
}

/// How a generated cell is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Element {
    /// The same as "tet5".
    Tet,
    /// Five tetrahedra, mirrored from cell to cell.
    Tet5,
    /// Six tetrahedra around the diagonal (Kuhn).
    Tet6,
    /// One hexahedron.
    Hex,
}

/// Shapes that can be generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Shape {
    /// A box from the origin to `size`.
    Box,
}

/// Either `shape`, `size`, `cells` and `element`, or `file` and `scale`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Mesh")]
struct MeshTable {
    /// A generated mesh: "box".
    shape: Option<Shape>,
    /// Edge lengths of the box along x, y and z.
    size: Option<Located<[Quantity<Length>; 3]>>,
    /// Number of cells of the box along x, y and z.
    cells: Option<Located<[u32; 3]>>,
    /// How each cell of the box is filled; "tet" when absent.
    element: Option<Element>,
    /// Path of a mesh file, relative to the scene file.
    file: Option<Located<String>>,
    /// Length of one unit of the file, such as "1 mm"; "1 m" when absent.
    scale: Option<Located<Quantity<Length>>>,
}

impl TryFrom<MeshTable> for Mesh {
    type Error = String;

    fn try_from(table: MeshTable) -> Result<Self, String> {
        const BOX: &str = "{ shape = \"box\", size = [\"1 m\", \"0.3 m\", \"0.3 m\"], cells = [10, 3, 3] }";
        const FILE: &str = "{ file = \"liver.msh\", scale = \"1 mm\" }";
        match (table.shape, table.file) {
            (Some(_), Some(_)) => Err(format!("has both `shape` and `file`; write either {BOX} or {FILE}")),
            (None, None) => Err(format!("has neither `shape` nor `file`; write {BOX} or {FILE}")),
            (Some(Shape::Box), None) => {
                if table.scale.is_some() {
                    return Err("has `scale`, which belongs to `file`; a box is sized by `size`".into());
                }
                Ok(Self::Box {
                    size: table.size.ok_or_else(|| format!("lacks `size` of the box; write {BOX}"))?,
                    cells: table.cells.ok_or_else(|| format!("lacks `cells` of the box; write {BOX}"))?,
                    element: table.element.unwrap_or(Element::Tet),
                })
            }
            (None, Some(file)) => {
                let of_box = [
                    ("size", table.size.is_some()),
                    ("cells", table.cells.is_some()),
                    ("element", table.element.is_some()),
                ];
                if let Some((key, _)) = of_box.iter().find(|(_, given)| *given) {
                    return Err(format!(
                        "has `{key}`, which belongs to `shape = \"box\"`; a file brings its own elements, write {FILE}"
                    ));
                }
                let scale = table.scale.unwrap_or_else(|| Quantity::of(1.0).into());
                Ok(Self::File { file, scale })
            }
        }
    }
}
