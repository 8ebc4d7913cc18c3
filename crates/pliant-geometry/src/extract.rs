//! Parts of a mesh as meshes of their own: a connected part, a group, the surface, all but unused nodes.
//!
//! Nodes and elements keep their order. Groups are kept with what is left of their members, also when that is nothing.

use crate::adjacency::{connected_parts, connected_triangles};
use crate::mesh::{Mesh, MeshParts};
use crate::renumber::{GONE, Renumbering, once_each, packed};
use crate::surface::{FaceNodes, Surface, SurfaceError};
use crate::vector::{Vec3, dot, sub};

/// A mesh taken out of another.
#[derive(Clone, Debug, PartialEq)]
pub struct Extract {
    /// The mesh.
    pub mesh: Mesh,
    /// The number that each of its nodes had before, rising.
    pub node_origin: Vec<u32>,
}

/// Why there is nothing to take out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExtractError {
    /// The part does not exist.
    #[error(
        "there is no part {asked}: the mesh has {count} connected parts, numbered from 0, the largest first"
    )]
    NoPart {
        /// The part asked for.
        asked: usize,
        /// How many there are.
        count: usize,
    },
    /// The group does not exist.
    #[error("there is no group \"{asked}\"; the mesh has {known}")]
    NoGroup {
        /// The name asked for.
        asked: String,
        /// The names there are.
        known: String,
    },
}

/// Which nodes and elements to keep; nodes of kept elements are kept anyway.
struct Selection {
    nodes: Vec<bool>,
    tets: Vec<bool>,
    hexes: Vec<bool>,
    triangles: Vec<bool>,
}

/// Connected part `k` in the order of [`connected_parts`], with the triangles on its nodes. A mesh without cells is
/// divided as [`connected_triangles`] does it.
pub fn part(mesh: &Mesh, k: usize) -> Result<Extract, ExtractError> {
    let of_triangles = mesh.cell_count() == 0;
    let parts = if of_triangles { connected_triangles(mesh) } else { connected_parts(mesh) };
    if k >= parts.count {
        return Err(ExtractError::NoPart { asked: k, count: parts.count });
    }
    let mut selection = Selection::nothing(mesh);
    let chosen: Vec<bool> = parts.of_cell.iter().map(|&part| part as usize == k).collect();
    if of_triangles {
        selection.triangles = chosen;
        return Ok(selection.taken_from(mesh));
    }
    for c in (0..chosen.len()).filter(|&c| chosen[c]) {
        mesh.cell_nodes(c).iter().for_each(|&n| selection.nodes[n as usize] = true);
    }
    let on_part = |nodes: &[u32; 3]| nodes.iter().all(|&n| selection.nodes[n as usize]);
    selection.triangles = mesh.triangles().iter().map(on_part).collect();
    selection.hexes = chosen[mesh.tets().len()..].to_vec();
    selection.tets = chosen[..mesh.tets().len()].to_vec();
    Ok(selection.taken_from(mesh))
}

/// The members of a group.
pub fn group_mesh(mesh: &Mesh, name: &str) -> Result<Extract, ExtractError> {
    let Some(group) = mesh.groups().get(name) else {
        let names: Vec<String> = mesh.groups().keys().map(|name| format!("\"{name}\"")).collect();
        let known = if names.is_empty() { "no groups".to_owned() } else { names.join(", ") };
        return Err(ExtractError::NoGroup { asked: name.to_owned(), known });
    };
    let mut selection = Selection::nothing(mesh);
    let choose = |flags: &mut [bool], members: &[u32]| members.iter().for_each(|&m| flags[m as usize] = true);
    choose(&mut selection.nodes, &group.nodes);
    choose(&mut selection.tets, &group.tets);
    choose(&mut selection.hexes, &group.hexes);
    choose(&mut selection.triangles, &group.triangles);
    Ok(selection.taken_from(mesh))
}

/// All but the nodes that no cell and no triangle uses.
pub fn without_orphans(mesh: &Mesh) -> Extract {
    let mut selection = Selection::nothing(mesh);
    selection.tets.fill(true);
    selection.hexes.fill(true);
    selection.triangles.fill(true);
    selection.taken_from(mesh)
}

/// The boundary of the cells as outward triangles; of a mesh without cells, its triangles as they are.
///
/// Quadrilaterals are cut along the shorter diagonal, equal ones through their lowest node; where triangles of the mesh lie on one
/// they say how. A boundary triangle belongs to the groups of the mesh's own triangle on the same nodes and to those of the
/// cell behind it.
pub fn surface_mesh(mesh: &Mesh) -> Result<Extract, SurfaceError> {
    if mesh.cell_count() == 0 {
        return Ok(without_orphans(mesh));
    }
    let surface = Surface::of(mesh)?;
    let own = OwnTriangles::of(mesh);
    let (mut triangles, mut cells) = (Vec::new(), Vec::new());
    for face in &surface.faces {
        match face.nodes {
            FaceNodes::Triangle(nodes) => triangles.push(nodes),
            FaceNodes::Quad(nodes) => triangles.extend(own.halves(mesh, nodes)),
        }
        cells.resize(triangles.len(), face.cell);
    }
    let mut used = vec![false; mesh.node_count()];
    triangles.iter().flatten().for_each(|&n| used[n as usize] = true);
    let (new_node, node_origin) = packed(&used);
    let renumbering = Renumbering {
        triangles: own.places_in(&triangles, mesh.triangles().len()),
        tets: vec![GONE; mesh.tets().len()],
        hexes: vec![GONE; mesh.hexes().len()],
        nodes: new_node,
    };
    let mut groups = renumbering.groups(mesh.groups());
    for (group, old) in groups.values_mut().zip(mesh.groups().values()) {
        let behind = old.cells(mesh).into_iter().flat_map(|cell| {
            let first = cells.partition_point(|&c| c < cell);
            (first..).take_while(|&t| cells.get(t) == Some(&cell)).map(|t| t as u32).collect::<Vec<_>>()
        });
        group.triangles = once_each(group.triangles.iter().copied().chain(behind));
    }
    triangles.iter_mut().flatten().for_each(|n| *n = renumbering.nodes[*n as usize]);
    let positions = node_origin.iter().map(|&n| mesh.positions()[n as usize]).collect();
    let (tets, hexes) = (Vec::new(), Vec::new());
    let mesh = Mesh::from_sound(MeshParts { positions, tets, hexes, triangles, groups });
    Ok(Extract { mesh, node_origin })
}

/// The triangles that a mesh carries, to be found by their nodes.
struct OwnTriangles(Vec<([u32; 3], u32)>);

fn sorted(mut nodes: [u32; 3]) -> [u32; 3] {
    nodes.sort_unstable();
    nodes
}

impl OwnTriangles {
    fn of(mesh: &Mesh) -> Self {
        let mut all: Vec<_> = mesh.triangles().iter().copied().map(sorted).zip(0_u32..).collect();
        all.sort_unstable();
        Self(all)
    }

    fn contains(&self, nodes: [u32; 3]) -> bool {
        self.0.binary_search_by(|(own, _)| own.cmp(&sorted(nodes))).is_ok()
    }

    /// A quadrilateral cut as the triangles here do it, else along its shorter diagonal.
    fn halves(&self, mesh: &Mesh, [a, b, c, d]: [u32; 4]) -> [[u32; 3]; 2] {
        let (by_ac, by_bd) = ([[a, b, c], [a, c, d]], [[b, c, d], [b, d, a]]);
        let drawn = [by_ac, by_bd].map(|halves| halves.iter().any(|&half| self.contains(half)));
        let square = |m: u32, n: u32| {
            let edge: Vec3 = sub(mesh.positions()[m as usize], mesh.positions()[n as usize]);
            dot(edge, edge)
        };
        let shorter = square(a, c).total_cmp(&square(b, d)).then(a.min(c).cmp(&b.min(d)));
        match (drawn, shorter.is_le()) {
            ([true, false], _) | ([true, true] | [false, false], true) => by_ac,
            ([false, true], _) | ([true, true] | [false, false], false) => by_bd,
        }
    }

    /// For each of these `count` triangles the one in `triangles` on the same nodes, or [`GONE`].
    fn places_in(&self, triangles: &[[u32; 3]], count: usize) -> Vec<u32> {
        let mut places = vec![GONE; count];
        if self.0.is_empty() {
            return places;
        }
        let mut found: Vec<_> = triangles.iter().copied().map(sorted).zip(0_u32..).collect();
        found.sort_unstable();
        for (nodes, own) in &self.0 {
            if let Ok(at) = found.binary_search_by(|(other, _)| other.cmp(nodes)) {
                places[*own as usize] = found[at].1;
            }
        }
        places
    }
}

impl Selection {
    fn nothing(mesh: &Mesh) -> Self {
        Self {
            nodes: vec![false; mesh.node_count()],
            tets: vec![false; mesh.tets().len()],
            hexes: vec![false; mesh.hexes().len()],
            triangles: vec![false; mesh.triangles().len()],
        }
    }

    fn taken_from(mut self, mesh: &Mesh) -> Extract {
        mark(mesh.tets(), &self.tets, &mut self.nodes);
        mark(mesh.hexes(), &self.hexes, &mut self.nodes);
        mark(mesh.triangles(), &self.triangles, &mut self.nodes);
        let (nodes, node_origin) = packed(&self.nodes);
        let positions = node_origin.iter().map(|&n| mesh.positions()[n as usize]).collect();
        let tets = kept(mesh.tets(), &self.tets, &nodes);
        let hexes = kept(mesh.hexes(), &self.hexes, &nodes);
        let triangles = kept(mesh.triangles(), &self.triangles, &nodes);
        let renumbering = Renumbering {
            tets: packed(&self.tets).0,
            hexes: packed(&self.hexes).0,
            triangles: packed(&self.triangles).0,
            nodes,
        };
        let groups = renumbering.groups(mesh.groups());
        Extract {
            mesh: Mesh::from_sound(MeshParts { positions, tets, hexes, triangles, groups }),
            node_origin,
        }
    }
}

fn mark<const N: usize>(elements: &[[u32; N]], chosen: &[bool], nodes: &mut [bool]) {
    for (element, _) in elements.iter().zip(chosen).filter(|(_, chosen)| **chosen) {
        element.iter().for_each(|&n| nodes[n as usize] = true);
    }
}

fn kept<const N: usize>(elements: &[[u32; N]], chosen: &[bool], new_node: &[u32]) -> Vec<[u32; N]> {
    let chosen = elements.iter().zip(chosen).filter(|(_, chosen)| **chosen);
    chosen.map(|(element, _)| element.map(|n| new_node[n as usize])).collect()
}
