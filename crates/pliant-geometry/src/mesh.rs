//! A mesh: nodes, tetrahedra, hexahedra, surface triangles and named groups of them.
//!
//! Everything is checked once by [`Mesh::new`] and then held by privacy, so the rest of the program
//! may index without asking. Cells are numbered tetrahedra first, then hexahedra. Whether a cell
//! is turned inside out is a finding (`quality`), not an error here.

use std::collections::BTreeMap;
use std::fmt;

use crate::bounds::Bounds;
use crate::vector::{Vec3, add, scale};
use crate::{hexahedron, tetrahedron};

/// Nodes (m), cells and groups.
///
/// Invariant: indices are in range, no element repeats a node, positions are finite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    positions: Vec<[f64; 3]>,
    tets: Vec<[u32; 4]>,
    hexes: Vec<[u32; 8]>,
    triangles: Vec<[u32; 3]>,
    groups: BTreeMap<String, Group>,
}

/// The fields of a mesh, open to the tools of this crate that rebuild it.
pub(crate) struct MeshParts {
    pub positions: Vec<[f64; 3]>,
    pub tets: Vec<[u32; 4]>,
    pub hexes: Vec<[u32; 8]>,
    pub triangles: Vec<[u32; 3]>,
    pub groups: BTreeMap<String, Group>,
}

/// Members of a named group, by their numbers in the mesh.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Nodes named directly (points and curves of a mesh file).
    pub nodes: Vec<u32>,
    /// Tetrahedra.
    pub tets: Vec<u32>,
    /// Hexahedra, numbered from zero among the hexahedra.
    pub hexes: Vec<u32>,
    /// Surface triangles.
    pub triangles: Vec<u32>,
}

/// What an element number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementKind {
    /// A node.
    Node,
    /// A tetrahedron.
    Tet,
    /// A hexahedron.
    Hex,
    /// A surface triangle.
    Triangle,
}

impl fmt::Display for ElementKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Node => "node",
            Self::Tet => "tetrahedron",
            Self::Hex => "hexahedron",
            Self::Triangle => "triangle",
        })
    }
}

/// Why numbers do not make a mesh. Elements and nodes are numbered from zero.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// An element names a node that does not exist.
    #[error("{kind} {element} uses node {node}, but the mesh has {node_count} nodes (numbered from 0)")]
    NodeOutOfRange {
        /// Kind of the element.
        kind: ElementKind,
        /// Its number.
        element: usize,
        /// The node it asks for.
        node: u32,
        /// How many there are.
        node_count: usize,
    },
    /// An element uses a node twice, so it has no volume or area.
    #[error("{kind} {element} uses node {node} twice; remove the collapsed element or split it")]
    RepeatedNode {
        /// Kind of the element.
        kind: ElementKind,
        /// Its number.
        element: usize,
        /// The node.
        node: u32,
    },
    /// A coordinate is infinite or not a number.
    #[error("node {node} has the position {position:?}; coordinates must be finite")]
    PositionNotFinite {
        /// The node.
        node: usize,
        /// Where it claims to be, m.
        position: [f64; 3],
    },
    /// A group names something that does not exist.
    #[error("group \"{group}\" names {kind} {member}, but the mesh has {count} of them (numbered from 0)")]
    GroupMember {
        /// Name of the group.
        group: String,
        /// Kind of the member.
        kind: ElementKind,
        /// Its number.
        member: u32,
        /// How many there are.
        count: usize,
    },
    /// More than 2^32 - 1 nodes or cells.
    #[error("{0} nodes or cells are more than a mesh can number (4294967295); split the mesh")]
    TooLarge(usize),
}

impl Group {
    /// Every node that belongs to the group or to one of its elements, sorted, each once.
    ///
    /// The group must be one of `mesh`.
    pub fn member_nodes(&self, mesh: &Mesh) -> Vec<u32> {
        let mut nodes = self.nodes.clone();
        nodes.extend(self.tets.iter().flat_map(|&t| mesh.tets[t as usize]));
        nodes.extend(self.hexes.iter().flat_map(|&h| mesh.hexes[h as usize]));
        nodes.extend(self.triangles.iter().flat_map(|&t| mesh.triangles[t as usize]));
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// Numbers of the group's cells in the mesh: tetrahedra first, then hexahedra.
    pub fn cells(&self, mesh: &Mesh) -> Vec<u32> {
        let first_hex = mesh.tets.len() as u32;
        self.tets.iter().copied().chain(self.hexes.iter().map(|&h| first_hex + h)).collect()
    }
}

impl Mesh {
    /// Checks the parts and makes them a mesh. Positions in m.
    pub fn new(
        positions: Vec<[f64; 3]>,
        tets: Vec<[u32; 4]>,
        hexes: Vec<[u32; 8]>,
        triangles: Vec<[u32; 3]>,
        groups: BTreeMap<String, Group>,
    ) -> Result<Self, MeshError> {
        let largest = positions.len().max(tets.len() + hexes.len()).max(triangles.len());
        if largest > u32::MAX as usize {
            return Err(MeshError::TooLarge(largest));
        }
        check_positions(&positions)?;
        check_elements(ElementKind::Tet, &tets, positions.len())?;
        check_elements(ElementKind::Hex, &hexes, positions.len())?;
        check_elements(ElementKind::Triangle, &triangles, positions.len())?;
        for (name, group) in &groups {
            check_members(name, ElementKind::Node, &group.nodes, positions.len())?;
            check_members(name, ElementKind::Tet, &group.tets, tets.len())?;
            check_members(name, ElementKind::Hex, &group.hexes, hexes.len())?;
            check_members(name, ElementKind::Triangle, &group.triangles, triangles.len())?;
        }
        Ok(Self { positions, tets, hexes, triangles, groups })
    }

    /// Node positions, m.
    pub fn positions(&self) -> &[[f64; 3]] {
        &self.positions
    }

    /// Tetrahedra: four nodes each.
    pub fn tets(&self) -> &[[u32; 4]] {
        &self.tets
    }

    /// Hexahedra: eight nodes each, in the order of VTK type 12.
    pub fn hexes(&self) -> &[[u32; 8]] {
        &self.hexes
    }

    /// Surface triangles that a file carried; they need not be the boundary of the cells.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Named groups.
    pub fn groups(&self) -> &BTreeMap<String, Group> {
        &self.groups
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.positions.len()
    }

    /// Number of cells: tetrahedra and hexahedra.
    pub fn cell_count(&self) -> usize {
        self.tets.len() + self.hexes.len()
    }

    /// The nodes of cell `c < cell_count()`.
    pub fn cell_nodes(&self, c: usize) -> &[u32] {
        match self.tets.get(c) {
            Some(tet) => tet,
            None => &self.hexes[c - self.tets.len()],
        }
    }

    /// Mean of the corners of cell `c`, m.
    pub fn cell_centroid(&self, c: usize) -> [f64; 3] {
        self.mean_position(self.cell_nodes(c))
    }

    /// Signed volume of cell `c`, m^3; negative if it is turned inside out.
    pub fn cell_volume(&self, c: usize) -> f64 {
        match self.tets.get(c) {
            Some(tet) => tetrahedron::volume(&self.corners(tet)),
            None => hexahedron::volume(&self.corners(&self.hexes[c - self.tets.len()])),
        }
    }

    /// Sum of the signed volumes of the cells, m^3.
    pub fn volume(&self) -> f64 {
        (0..self.cell_count()).map(|c| self.cell_volume(c)).sum()
    }

    /// The box around all nodes; `None` without nodes.
    pub fn bounds(&self) -> Option<Bounds> {
        Bounds::of(self.positions.iter().copied())
    }

    /// The same mesh with every position mapped; an error if a mapped position is not finite.
    pub fn transformed(mut self, map: impl Fn([f64; 3]) -> [f64; 3]) -> Result<Self, MeshError> {
        for position in &mut self.positions {
            *position = map(*position);
        }
        check_positions(&self.positions)?;
        Ok(self)
    }

    /// The same mesh with every coordinate times `s`; an error if a position is then not finite.
    pub fn scaled(self, s: f64) -> Result<Self, MeshError> {
        self.transformed(|p| scale(p, s))
    }

    /// A mesh of parts that come from a mesh: indices are in range and no element repeats a node.
    pub(crate) fn from_sound(parts: MeshParts) -> Self {
        let MeshParts { positions, tets, hexes, triangles, groups } = parts;
        Self { positions, tets, hexes, triangles, groups }
    }

    /// What the mesh is made of, to be changed and given to [`Mesh::from_sound`].
    pub(crate) fn into_parts(self) -> MeshParts {
        let Self { positions, tets, hexes, triangles, groups } = self;
        MeshParts { positions, tets, hexes, triangles, groups }
    }

    /// Mean of the positions of these nodes, m.
    pub(crate) fn mean_position(&self, nodes: &[u32]) -> Vec3 {
        let sum = nodes.iter().fold([0.0; 3], |sum, &n| add(sum, self.positions[n as usize]));
        scale(sum, 1.0 / nodes.len() as f64)
    }

    /// Positions of the corners of an element of this mesh.
    pub(crate) fn corners<const N: usize>(&self, nodes: &[u32; N]) -> [Vec3; N] {
        nodes.map(|n| self.positions[n as usize])
    }
}

fn check_positions(positions: &[[f64; 3]]) -> Result<(), MeshError> {
    match positions.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        Some(node) => Err(MeshError::PositionNotFinite { node, position: positions[node] }),
        None => Ok(()),
    }
}

fn check_elements<const N: usize>(
    kind: ElementKind,
    elements: &[[u32; N]],
    node_count: usize,
) -> Result<(), MeshError> {
    for (element, nodes) in elements.iter().enumerate() {
        for (i, &node) in nodes.iter().enumerate() {
            if node as usize >= node_count {
                return Err(MeshError::NodeOutOfRange { kind, element, node, node_count });
            }
            if nodes[..i].contains(&node) {
                return Err(MeshError::RepeatedNode { kind, element, node });
            }
        }
    }
    Ok(())
}

fn check_members(group: &str, kind: ElementKind, members: &[u32], count: usize) -> Result<(), MeshError> {
    match members.iter().find(|&&m| m as usize >= count) {
        Some(&member) => Err(MeshError::GroupMember { group: group.to_owned(), kind, member, count }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner() -> Vec<[f64; 3]> {
        vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    }

    #[test]
    fn bad_numbers_are_refused_with_their_place() {
        let make = |tet| Mesh::new(corner(), vec![tet], vec![], vec![], BTreeMap::new());
        assert!(make([0, 1, 2, 3]).is_ok());
        assert!(matches!(make([0, 1, 2, 4]), Err(MeshError::NodeOutOfRange { node: 4, .. })));
        assert!(matches!(make([0, 1, 1, 3]), Err(MeshError::RepeatedNode { node: 1, .. })));
        let mesh = make([0, 1, 2, 3]).unwrap();
        assert!(matches!(mesh.scaled(f64::NAN), Err(MeshError::PositionNotFinite { node: 0, .. })));
    }

    #[test]
    fn groups_list_the_nodes_of_their_members_once() {
        let group = Group { nodes: vec![3], triangles: vec![0], ..Group::default() };
        let groups = BTreeMap::from([("skin".to_owned(), group)]);
        let mesh = Mesh::new(corner(), vec![[0, 1, 2, 3]], vec![], vec![[3, 1, 0]], groups).unwrap();
        assert_eq!(mesh.groups()["skin"].member_nodes(&mesh), [0, 1, 3]);
        let groups = BTreeMap::from([("x".to_owned(), Group { tets: vec![1], ..Group::default() })]);
        let wrong = Mesh::new(corner(), vec![[0, 1, 2, 3]], vec![], vec![], groups);
        assert!(matches!(wrong, Err(MeshError::GroupMember { member: 1, count: 1, .. })));
    }
}
