//! Gmsh 4.1 files, as bytes (little-endian) or as text.
//!
//! Nodes have the tags 1, 2, 3, ... in the order of the mesh and sit in one block. Groups become physical groups: an
//! element's label there is its entity, so there is an entity for each set of groups that elements are in, and
//! elements are written in their own order, a new block wherever the set changes. Nodes that a group names are
//! points (type 15). Coordinates keep every bit. In names, quotes become apostrophes and control characters blanks.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use pliant_geometry::{Bounds, Group, Mesh};

use super::group_sets::GroupSets;
use crate::replace::replace_file;

/// How numbers of a .msh file are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MshEncoding {
    /// As bytes: smaller and faster.
    #[default]
    Binary,
    /// As text.
    Text,
}

/// Writes a mesh as Gmsh 4.1, replacing what is there.
pub fn write_msh(path: &Path, mesh: &Mesh, encoding: MshEncoding) -> io::Result<()> {
    let plan = Plan::of(mesh)?;
    replace_file(path, |file| plan.write(&mut Out { file, encoding }))
}

/// Elements of one type and entity, one after the other.
struct Block<'m> {
    dimension: usize,
    /// Place in the list of its dimension; the tag is one more.
    entity: usize,
    gmsh_type: i32,
    corner_count: usize,
    nodes: Cow<'m, [u32]>,
}

/// What the file will hold.
struct Plan<'m> {
    mesh: &'m Mesh,
    /// By dimension: the groups of each entity.
    entities: [Vec<Vec<u32>>; 4],
    blocks: Vec<Block<'m>>,
}

type Members = fn(&Group) -> &[u32];

impl<'m> Plan<'m> {
    fn of(mesh: &'m Mesh) -> io::Result<Self> {
        let mut plan = Self { mesh, entities: Default::default(), blocks: Vec::new() };
        plan.add_points()?;
        plan.add_cells(2, 2, mesh.triangles(), |group| &group.triangles)?;
        plan.add_cells(3, 4, mesh.tets(), |group| &group.tets)?;
        plan.add_cells(3, 5, mesh.hexes(), |group| &group.hexes)?;
        // nodes must sit in some entity
        if plan.entities.iter().all(Vec::is_empty) {
            plan.entities[3].push(Vec::new());
        }
        Ok(plan)
    }

    fn add_cells<const N: usize>(
        &mut self,
        dimension: usize,
        gmsh_type: i32,
        cells: &'m [[u32; N]],
        members: Members,
    ) -> io::Result<()> {
        let sets = GroupSets::of(cells.len(), self.mesh.groups().values().map(members))?;
        let mut entity_of = vec![None; sets.count()];
        for (set, range) in sets.runs() {
            let entity = *entity_of[set].get_or_insert_with(|| self.entity(dimension, sets.groups(set)));
            let nodes = Cow::Borrowed(cells[range].as_flattened());
            self.blocks.push(Block { dimension, entity, gmsh_type, corner_count: N, nodes });
        }
        Ok(())
    }

    fn add_points(&mut self) -> io::Result<()> {
        let groups = self.mesh.groups().values().map(|group| group.nodes.as_slice());
        let sets = GroupSets::of(self.mesh.node_count(), groups)?;
        // the points of a set are one block, whatever lies between them
        let mut block_of = vec![None; sets.count()];
        for (set, range) in sets.runs().filter(|(set, _)| !sets.groups(*set).is_empty()) {
            let block = *block_of[set].get_or_insert_with(|| {
                let entity = self.entity(0, sets.groups(set));
                let nodes = Cow::Owned(Vec::new());
                self.blocks.push(Block { dimension: 0, entity, gmsh_type: 15, corner_count: 1, nodes });
                self.blocks.len() - 1
            });
            self.blocks[block].nodes.to_mut().extend(range.map(|node| node as u32));
        }
        Ok(())
    }

    /// The entity of elements in these groups.
    fn entity(&mut self, dimension: usize, groups: &[u32]) -> usize {
        let list = &mut self.entities[dimension];
        list.iter().position(|set| set == groups).unwrap_or_else(|| {
            list.push(groups.to_vec());
            list.len() - 1
        })
    }

    fn write<W: Write>(&self, out: &mut Out<W>) -> io::Result<()> {
        let kind = u8::from(out.encoding == MshEncoding::Binary);
        write!(out.file, "$MeshFormat\n4.1 {kind} 8\n")?;
        if out.encoding == MshEncoding::Binary {
            // shows the byte order
            out.file.write_all(&1_i32.to_le_bytes())?;
            out.file.write_all(b"\n")?;
        }
        out.file.write_all(b"$EndMeshFormat\n")?;
        self.write_names(out)?;
        self.write_entities(out)?;
        self.write_nodes(out)?;
        self.write_elements(out)
    }

    fn write_names<W: Write>(&self, out: &mut Out<W>) -> io::Result<()> {
        let mut names = Vec::new();
        for (tag, (name, group)) in (1..).zip(self.mesh.groups()) {
            let in_volume = !group.tets.is_empty() || !group.hexes.is_empty();
            let nowhere = !in_volume && group.triangles.is_empty() && group.nodes.is_empty();
            let there = [(0, !group.nodes.is_empty()), (2, !group.triangles.is_empty())];
            // a group of nothing is there all the same
            let there = there.into_iter().chain([(3, in_volume || nowhere)]);
            names.extend(there.filter(|(_, there)| *there).map(|(dimension, _)| (dimension, tag, name)));
        }
        if names.is_empty() {
            return Ok(());
        }
        writeln!(out.file, "$PhysicalNames\n{}", names.len())?;
        for (dimension, tag, name) in names {
            writeln!(out.file, "{dimension} {tag} \"{}\"", quotable(name))?;
        }
        out.file.write_all(b"$EndPhysicalNames\n")
    }

    fn write_entities<W: Write>(&self, out: &mut Out<W>) -> io::Result<()> {
        out.file.write_all(b"$Entities\n")?;
        self.entities.iter().try_for_each(|list| out.size(list.len()))?;
        out.end_line()?;
        let zero = Bounds { min: [0.0; 3], max: [0.0; 3] };
        let bounds = self.mesh.bounds().unwrap_or(zero);
        for (dimension, list) in self.entities.iter().enumerate() {
            for (tag, groups) in (1..).zip(list) {
                out.int(tag)?;
                bounds.min.iter().try_for_each(|&x| out.real(x))?;
                if dimension > 0 {
                    bounds.max.iter().try_for_each(|&x| out.real(x))?;
                }
                out.size(groups.len())?;
                groups.iter().try_for_each(|&group| out.int(group as i32 + 1))?;
                if dimension > 0 {
                    // no bounding entities
                    out.size(0)?;
                }
                out.end_line()?;
            }
        }
        out.end_section("$EndEntities")
    }

    fn write_nodes<W: Write>(&self, out: &mut Out<W>) -> io::Result<()> {
        let count = self.mesh.node_count();
        out.file.write_all(b"$Nodes\n")?;
        let blocks = usize::from(count > 0);
        [blocks, count, blocks, count].into_iter().try_for_each(|n| out.size(n))?;
        out.end_line()?;
        if count > 0 {
            let dimension = (0..4).rfind(|&d| !self.entities[d].is_empty()).unwrap_or(3);
            [dimension as i32, 1, 0].into_iter().try_for_each(|n| out.int(n))?;
            out.size(count)?;
            out.end_line()?;
        }
        for tag in 1..=count {
            out.size(tag)?;
            out.end_line()?;
        }
        for position in self.mesh.positions() {
            position.iter().try_for_each(|&x| out.real(x))?;
            out.end_line()?;
        }
        out.end_section("$EndNodes")
    }

    fn write_elements<W: Write>(&self, out: &mut Out<W>) -> io::Result<()> {
        let count: usize = self.blocks.iter().map(|block| block.nodes.len() / block.corner_count).sum();
        out.file.write_all(b"$Elements\n")?;
        let head = [self.blocks.len(), count, usize::from(count > 0), count];
        head.into_iter().try_for_each(|n| out.size(n))?;
        out.end_line()?;
        let mut tag = 0;
        for block in &self.blocks {
            let head = [block.dimension as i32, block.entity as i32 + 1, block.gmsh_type];
            head.into_iter().try_for_each(|n| out.int(n))?;
            out.size(block.nodes.len() / block.corner_count)?;
            out.end_line()?;
            for nodes in block.nodes.chunks_exact(block.corner_count) {
                tag += 1;
                out.size(tag)?;
                nodes.iter().try_for_each(|&node| out.size(node as usize + 1))?;
                out.end_line()?;
            }
        }
        out.end_section("$EndElements")
    }
}

/// A name between quotes.
fn quotable(name: &str) -> String {
    let one = |c: char| match c {
        '"' => '\'',
        c if c.is_control() => ' ',
        c => c,
    };
    name.chars().map(one).collect()
}

/// Numbers on their way out.
struct Out<W> {
    file: W,
    encoding: MshEncoding,
}

impl<W: Write> Out<W> {
    fn int(&mut self, number: i32) -> io::Result<()> {
        match self.encoding {
            MshEncoding::Binary => self.file.write_all(&number.to_le_bytes()),
            MshEncoding::Text => write!(self.file, "{number} "),
        }
    }

    fn size(&mut self, number: usize) -> io::Result<()> {
        match self.encoding {
            MshEncoding::Binary => self.file.write_all(&(number as u64).to_le_bytes()),
            MshEncoding::Text => write!(self.file, "{number} "),
        }
    }

    fn real(&mut self, number: f64) -> io::Result<()> {
        match self.encoding {
            MshEncoding::Binary => self.file.write_all(&number.to_le_bytes()),
            // the shortest text that reads back to the same bits
            MshEncoding::Text => write!(self.file, "{number:?} "),
        }
    }

    fn end_line(&mut self) -> io::Result<()> {
        match self.encoding {
            MshEncoding::Binary => Ok(()),
            MshEncoding::Text => self.file.write_all(b"\n"),
        }
    }

    fn end_section(&mut self, name: &str) -> io::Result<()> {
        if self.encoding == MshEncoding::Binary {
            self.file.write_all(b"\n")?;
        }
        writeln!(self.file, "{name}")
    }
}
