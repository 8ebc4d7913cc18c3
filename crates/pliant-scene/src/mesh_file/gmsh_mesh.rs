//! A mesh of Gmsh in the making: its nodes by their tags, its elements by their kinds, its physical groups.
//!
//! Node tags may be sparse. Physical groups become groups of the mesh: volumes as cells, surfaces as triangles, curves
//! and points as nodes; groups of the same name are joined, one without a name is called after its kind and tag
//! ("surface 3").

use std::collections::HashMap;

use super::builder::{Added, GroupId, MeshBuilder};
use super::cell_kind::CellKind;
use super::error::{CUT_OFF, Fault, Place};
use super::node_tags::NodeTags;

/// A mesh in the making, with the names that Gmsh gives.
#[derive(Default)]
pub(super) struct GmshMesh {
    pub builder: MeshBuilder,
    pub tags: NodeTags,
    names: HashMap<(u32, u64), String>,
    groups: HashMap<(u32, u64), GroupId>,
}

impl GmshMesh {
    /// The group of a physical tag; a minus sign only tells the side, and has been dropped.
    fn group(&mut self, dimension: u32, tag: u64) -> GroupId {
        if let Some(&id) = self.groups.get(&(dimension, tag)) {
            return id;
        }
        let kind = ["point", "curve", "surface", "volume"][dimension as usize];
        let name = self.names.get(&(dimension, tag));
        let name = name.cloned().unwrap_or_else(|| format!("{kind} {tag}"));
        let id = self.builder.group(&name);
        self.groups.insert((dimension, tag), id);
        id
    }

    /// Names a physical group; one without elements is there all the same.
    pub fn name_group(&mut self, dimension: u32, tag: u64, name: String) {
        self.names.insert((dimension, tag), name);
        self.group(dimension, tag);
    }

    /// Enters an element into a physical group.
    pub fn add_member(&mut self, dimension: u32, tag: u64, added: Added) {
        let group = self.group(dimension, tag);
        self.builder.add_member(group, added);
    }

    /// The node with a tag that an element uses.
    pub fn node(&self, tag: u64, place: Place) -> Result<u32, Fault> {
        self.tags.node(tag).ok_or_else(|| Fault {
            place,
            problem: "an element uses a node that is not in $Nodes".to_owned(),
            found: tag.to_string(),
            way_out: CUT_OFF.to_owned(),
        })
    }
}

/// The tag of a node or an element, which is not below zero.
pub(super) fn tag(number: i64, what: &str, place: Place) -> Result<u64, Fault> {
    u64::try_from(number).map_err(|_| Fault {
        place,
        problem: format!("{what} is below zero"),
        found: number.to_string(),
        way_out: "number nodes and elements from 1 on; save the mesh anew with Gmsh, or check its byte order"
            .to_owned(),
    })
}

/// The kind of element with a number of Gmsh.
pub(super) fn kind_of(number: i64, place: Place) -> Result<CellKind, Fault> {
    CellKind::of_gmsh(number.try_into().unwrap_or(0)).map_err(|what| Fault {
        place,
        problem: format!("elements of Gmsh type {number} ({what}) are not read"),
        found: number.to_string(),
        way_out: "use tetrahedra or hexahedra of first or second order (Mesh.ElementOrder = 1)".to_owned(),
    })
}
