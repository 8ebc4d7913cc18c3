//! A mesh in the making: what every reader adds its nodes, elements and groups to.

use std::collections::{BTreeMap, HashMap};

use pliant_geometry::{Group, Mesh};

use super::MeshFile;
use super::cell_kind::{CellKind, CellShape};
use super::error::{CUT_OFF, Fault, Place, ReadError};
use super::repeats::join_repeated;

/// What an element of the file became.
#[derive(Clone, Copy, Debug)]
pub(super) enum Added {
    Point([u32; 1]),
    Line([u32; 2]),
    Triangle(u32),
    /// A quadrilateral: this triangle and the next.
    TwoTriangles(u32),
    Tet(u32),
    Hex(u32),
}

/// A group of a mesh in the making.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GroupId(usize);

/// Collects a mesh.
#[derive(Debug, Default)]
pub(super) struct MeshBuilder {
    pub positions: Vec<[f64; 3]>,
    tets: Vec<[u32; 4]>,
    hexes: Vec<[u32; 8]>,
    triangles: Vec<[u32; 3]>,
    groups: Vec<(String, Group)>,
    by_name: HashMap<String, GroupId>,
    /// How many elements lost their nodes on edges, by shape.
    reduced: BTreeMap<CellShape, usize>,
    /// Nodes on edges of such elements; empty as long as there are none.
    between: Vec<bool>,
    notes: Vec<String>,
}

impl MeshBuilder {
    /// Adds an element by all its nodes. The nodes it uses must be there already.
    pub fn add_cell(&mut self, kind: CellKind, nodes: &[u32], place: Place) -> Result<Added, Fault> {
        let corner_count = kind.shape.corner_count();
        debug_assert_eq!(nodes.len(), kind.node_count, "the reader gives all nodes");
        self.check_nodes(kind, nodes, place)?;
        if !kind.is_linear() {
            *self.reduced.entry(kind.shape).or_default() += 1;
            self.between.resize(self.positions.len(), false);
            nodes[corner_count..].iter().for_each(|&n| self.between[n as usize] = true);
        }
        let at = |i: usize| nodes[i];
        Ok(match kind.shape {
            CellShape::Point => Added::Point([at(0)]),
            CellShape::Line => Added::Line([at(0), at(1)]),
            CellShape::Triangle => Added::Triangle(pushed(&mut self.triangles, std::array::from_fn(at))),
            CellShape::Quad => {
                let first = pushed(&mut self.triangles, [at(0), at(1), at(2)]);
                self.triangles.push([at(0), at(2), at(3)]);
                Added::TwoTriangles(first)
            }
            CellShape::Tet => Added::Tet(pushed(&mut self.tets, std::array::from_fn(at))),
            CellShape::Hex => Added::Hex(pushed(&mut self.hexes, std::array::from_fn(at))),
        })
    }

    fn check_nodes(&self, kind: CellKind, nodes: &[u32], place: Place) -> Result<(), Fault> {
        let what = kind.shape.name();
        if let Some(node) = nodes.iter().find(|&&n| n as usize >= self.positions.len()) {
            let count = self.positions.len();
            let problem = format!("a {what} uses a node that does not exist (there are {count})");
            return Err(Fault { place, problem, found: node.to_string(), way_out: CUT_OFF.to_owned() });
        }
        let corners = &nodes[..kind.shape.corner_count()];
        match corners.iter().enumerate().find(|(i, node)| corners[..*i].contains(node)) {
            None => Ok(()),
            Some(_) => Err(Fault {
                place,
                problem: format!("a {what} uses the same node twice, so it has no size"),
                found: what.to_owned(),
                way_out: "remove the collapsed elements where the mesh was made".to_owned(),
            }),
        }
    }

    /// Makes room for elements of a shape.
    pub fn reserve(&mut self, shape: CellShape, count: usize) {
        match shape {
            CellShape::Tet => self.tets.reserve(count),
            CellShape::Hex => self.hexes.reserve(count),
            CellShape::Triangle => self.triangles.reserve(count),
            CellShape::Quad => self.triangles.reserve(count.saturating_mul(2)),
            CellShape::Point | CellShape::Line => {}
        }
    }

    /// The group of this name, made if it is not there.
    pub fn group(&mut self, name: &str) -> GroupId {
        if let Some(&id) = self.by_name.get(name) {
            return id;
        }
        let id = GroupId(self.groups.len());
        self.groups.push((name.to_owned(), Group::default()));
        self.by_name.insert(name.to_owned(), id);
        id
    }

    /// Enters an element into a group.
    pub fn add_member(&mut self, group: GroupId, added: Added) {
        let group = &mut self.groups[group.0].1;
        match added {
            Added::Point(nodes) => group.nodes.extend(nodes),
            Added::Line(nodes) => group.nodes.extend(nodes),
            Added::Triangle(t) => group.triangles.push(t),
            Added::TwoTriangles(t) => group.triangles.extend([t, t + 1]),
            Added::Tet(t) => group.tets.push(t),
            Added::Hex(h) => group.hexes.push(h),
        }
    }

    /// Enters a node into a group; it must be there already.
    pub fn add_member_node(&mut self, group: GroupId, node: u32) {
        self.groups[group.0].1.nodes.push(node);
    }

    /// Something the user should know although the file can be used.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Makes one of elements that a file repeats once for each of their groups.
    pub fn join_repeats(&mut self) {
        if self.groups.is_empty() {
            return;
        }
        let groups = &mut self.groups;
        join_repeated(&mut self.tets, groups.iter_mut().map(|(_, group)| &mut group.tets));
        join_repeated(&mut self.hexes, groups.iter_mut().map(|(_, group)| &mut group.hexes));
        join_repeated(&mut self.triangles, groups.iter_mut().map(|(_, group)| &mut group.triangles));
    }

    pub fn finish(mut self) -> Result<MeshFile, ReadError> {
        if !self.reduced.is_empty() {
            let one = |(shape, count): (&CellShape, &usize)| format!("{count} {}", shape.plural());
            let counts: Vec<String> = self.reduced.iter().map(one).collect();
            self.note(format!(
                "second-order elements ({}) are read as their corners: nodes on edges and faces are dropped",
                counts.join(", ")
            ));
        }
        for (_, group) in &mut self.groups {
            for list in [&mut group.nodes, &mut group.tets, &mut group.hexes, &mut group.triangles] {
                list.sort_unstable();
                list.dedup();
                list.shrink_to_fit();
            }
        }
        if self.between.iter().any(|&b| b) {
            self.drop_nodes_between();
        }
        let groups = self.groups.into_iter().collect();
        let mesh = Mesh::new(self.positions, self.tets, self.hexes, self.triangles, groups)?;
        Ok(MeshFile { mesh, notes: self.notes })
    }

    /// Drops nodes on edges, unless they are a corner elsewhere.
    fn drop_nodes_between(&mut self) {
        let mut kept: Vec<bool> = self.between.iter().map(|&between| !between).collect();
        kept.resize(self.positions.len(), true);
        let corners = self.tets.as_flattened().iter().chain(self.hexes.as_flattened());
        corners.chain(self.triangles.as_flattened()).for_each(|&n| kept[n as usize] = true);
        let mut next = 0;
        let number = |&keep: &bool| {
            next += u32::from(keep);
            if keep { next - 1 } else { u32::MAX }
        };
        let renumbered: Vec<u32> = kept.iter().map(number).collect();
        let mut place = 0;
        self.positions.retain(|_| {
            place += 1;
            kept[place - 1]
        });
        let lists = [self.tets.as_flattened_mut(), self.hexes.as_flattened_mut()];
        for list in lists.into_iter().chain([self.triangles.as_flattened_mut()]) {
            list.iter_mut().for_each(|n| *n = renumbered[*n as usize]);
        }
        for (_, group) in &mut self.groups {
            group.nodes.iter_mut().for_each(|n| *n = renumbered[*n as usize]);
            group.nodes.retain(|&n| n != u32::MAX);
        }
    }
}

/// Adds an element; gives its number.
fn pushed<const N: usize>(list: &mut Vec<[u32; N]>, nodes: [u32; N]) -> u32 {
    list.push(nodes);
    list.len() as u32 - 1
}
