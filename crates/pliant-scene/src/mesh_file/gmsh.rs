//! Gmsh files: what versions 2.2 and 4.1 have in common.
//!
//! Sections are read in turn and unknown ones passed over. Node tags may be sparse. Physical groups
//! become groups of the mesh: volumes as cells, surfaces as triangles, curves and points as nodes; groups
//! of the same name are joined, one without a name is called after its kind and tag ("surface 3").

use std::collections::{BTreeMap, HashMap};

use pliant_geometry::{Group, Mesh};

use super::scanner::{CUT_OFF, Fault, Scanner, Word, check_distinct};
use super::{ReadError, gmsh_22, gmsh_41};

/// Elements that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Point,
    Line,
    Triangle,
    Quad,
    Tet,
    Hex,
}

impl Kind {
    /// By the number that stands in the file.
    pub fn of(word: Word) -> Result<Self, Fault> {
        let number: u32 = word.number("an element type")?;
        let refused = match number {
            15 => return Ok(Self::Point),
            1 => return Ok(Self::Line),
            2 => return Ok(Self::Triangle),
            3 => return Ok(Self::Quad),
            4 => return Ok(Self::Tet),
            5 => return Ok(Self::Hex),
            6 => "prism",
            7 => "pyramid",
            _ => "higher order or unknown",
        };
        let problem = format!("elements of Gmsh type {number} ({refused}) are not read");
        Err(word.fault(problem, "use first-order tetrahedra or hexahedra (Mesh.ElementOrder = 1)"))
    }

    pub fn node_count(self) -> usize {
        match self {
            Self::Point => 1,
            Self::Line => 2,
            Self::Triangle => 3,
            Self::Quad | Self::Tet => 4,
            Self::Hex => 8,
        }
    }

    pub fn dimension(self) -> u32 {
        match self {
            Self::Point => 0,
            Self::Line => 1,
            Self::Triangle | Self::Quad => 2,
            Self::Tet | Self::Hex => 3,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Line => "line",
            Self::Triangle => "triangle",
            Self::Quad => "quadrilateral",
            Self::Tet => "tetrahedron",
            Self::Hex => "hexahedron",
        }
    }
}

/// The element of a mesh that an element of the file became.
#[derive(Clone, Copy, Debug)]
enum Member {
    Tet(u32),
    Hex(u32),
    Triangle(u32),
}

/// What the file calls a node, and the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NodeTag {
    tag: u64,
    node: u32,
    line: u32,
}

impl NodeTag {
    pub fn read(scanner: &mut Scanner) -> Result<Self, Fault> {
        let word = scanner.word("a node tag")?;
        Ok(Self { tag: word.number("a node tag")?, node: 0, line: word.line as u32 })
    }
}

/// A mesh in the making.
#[derive(Default)]
pub(super) struct Builder {
    positions: Vec<[f64; 3]>,
    /// Sorted by tag once `close_nodes` has run.
    tags: Vec<NodeTag>,
    tets: Vec<[u32; 4]>,
    hexes: Vec<[u32; 8]>,
    triangles: Vec<[u32; 3]>,
    groups: Vec<(String, Group)>,
    group_of: HashMap<(u32, u64), usize>,
}

impl Builder {
    pub fn add_node(&mut self, tag: NodeTag, position: [f64; 3]) {
        self.tags.push(NodeTag { node: self.positions.len() as u32, ..tag });
        self.positions.push(position);
    }

    /// To be called when all nodes are in; finds tags that are there twice.
    pub fn close_nodes(&mut self) -> Result<(), Fault> {
        self.tags.sort_unstable();
        match self.tags.windows(2).find(|pair| pair[0].tag == pair[1].tag) {
            None => Ok(()),
            Some(pair) => Err(Fault {
                line: pair[1].line as usize,
                problem: format!("the node tag {} is there twice in $Nodes", pair[1].tag),
                found: pair[1].tag.to_string(),
                way_out: CUT_OFF.to_owned(),
            }),
        }
    }

    /// The node with the tag that stands in the file.
    pub fn node(&self, word: Word) -> Result<u32, Fault> {
        let tag: u64 = word.number("a node tag")?;
        // tags without gaps are found at once
        let first = self.tags.first().map_or(0, |entry| entry.tag);
        let guess = tag.checked_sub(first).and_then(|place| self.tags.get(usize::try_from(place).ok()?));
        if let Some(entry) = guess.filter(|entry| entry.tag == tag) {
            return Ok(entry.node);
        }
        match self.tags.binary_search_by_key(&tag, |entry| entry.tag) {
            Ok(place) => Ok(self.tags[place].node),
            Err(_) => Err(word.fault("an element uses a node that is not in $Nodes", CUT_OFF)),
        }
    }

    /// Adds an element to the mesh and to the physical groups with these tags.
    pub fn add_element(
        &mut self,
        kind: Kind,
        nodes: &[u32],
        physical: &[u64],
        line: usize,
    ) -> Result<(), Fault> {
        check_distinct(nodes, line, kind.name())?;
        let mut members: [Option<Member>; 2] = [None; 2];
        match (kind, nodes) {
            (Kind::Tet, &[a, b, c, d]) => {
                members[0] = Some(Member::Tet(self.tets.len() as u32));
                self.tets.push([a, b, c, d]);
            }
            (Kind::Hex, &[a, b, c, d, e, f, g, h]) => {
                members[0] = Some(Member::Hex(self.hexes.len() as u32));
                self.hexes.push([a, b, c, d, e, f, g, h]);
            }
            (Kind::Triangle, &[a, b, c]) => members[0] = Some(self.add_triangle([a, b, c])),
            (Kind::Quad, &[a, b, c, d]) => {
                members = [[a, b, c], [a, c, d]].map(|nodes| Some(self.add_triangle(nodes)));
            }
            _ => {}
        }
        for &tag in physical {
            let group = self.group(kind.dimension(), tag);
            match kind {
                Kind::Point | Kind::Line => group.nodes.extend_from_slice(nodes),
                _ => members.iter().flatten().for_each(|&member| add_member(group, member)),
            }
        }
        Ok(())
    }

    /// Counts of tets, hexes and triangles so far.
    pub fn counts(&self) -> [usize; 3] {
        [self.tets.len(), self.hexes.len(), self.triangles.len()]
    }

    /// Puts what an element of this kind became, when the counts were `first`, into one more physical group.
    pub fn add_again(&mut self, kind: Kind, first: [usize; 3], tag: u64) {
        let [tet, hex, triangle] = first.map(|n| n as u32);
        let group = self.group(kind.dimension(), tag);
        match kind {
            Kind::Tet => group.tets.push(tet),
            Kind::Hex => group.hexes.push(hex),
            Kind::Triangle => group.triangles.push(triangle),
            Kind::Quad => group.triangles.extend([triangle, triangle + 1]),
            Kind::Point | Kind::Line => {}
        }
    }

    fn add_triangle(&mut self, nodes: [u32; 3]) -> Member {
        self.triangles.push(nodes);
        Member::Triangle(self.triangles.len() as u32 - 1)
    }

    fn group(&mut self, dimension: u32, tag: u64) -> &mut Group {
        let next = self.groups.len();
        let place = *self.group_of.entry((dimension, tag)).or_insert(next);
        if place == next {
            let kind = ["point", "curve", "surface", "volume"][dimension as usize];
            self.groups.push((format!("{kind} {tag}"), Group::default()));
        }
        &mut self.groups[place].1
    }

    fn finish(self) -> Result<Mesh, ReadError> {
        let mut groups: BTreeMap<String, Group> = BTreeMap::new();
        for (name, group) in self.groups {
            let joined = groups.entry(name).or_default();
            joined.nodes.extend(group.nodes);
            joined.tets.extend(group.tets);
            joined.hexes.extend(group.hexes);
            joined.triangles.extend(group.triangles);
        }
        for group in groups.values_mut() {
            for list in [&mut group.nodes, &mut group.tets, &mut group.hexes, &mut group.triangles] {
                list.sort_unstable();
                list.dedup();
            }
        }
        Ok(Mesh::new(self.positions, self.tets, self.hexes, self.triangles, groups)?)
    }
}

fn add_member(group: &mut Group, member: Member) {
    match member {
        Member::Tet(tet) => group.tets.push(tet),
        Member::Hex(hex) => group.hexes.push(hex),
        Member::Triangle(triangle) => group.triangles.push(triangle),
    }
}

const SAVE_41: &str = "save it as version 4.1 ASCII (gmsh in.msh -save -format msh41 -o out.msh)";

pub(super) fn parse(bytes: &[u8]) -> Result<Mesh, ReadError> {
    let mut scanner = Scanner::new(bytes);
    let opening = scanner.word("$MeshFormat")?;
    if !opening.is("$MeshFormat") {
        return Err(opening.fault("expected $MeshFormat", SAVE_41).into());
    }
    let version = scanner.word("the format version")?;
    let number: f64 = version.number("the format version")?;
    let binary = scanner.word("0 for ASCII")?;
    if !binary.is("0") {
        return Err(binary.fault("only ASCII files are read", SAVE_41).into());
    }
    scanner.word("the size of a number")?;
    expect(&mut scanner, "$EndMeshFormat")?;
    let mut builder = Builder::default();
    if (2.0..3.0).contains(&number) {
        gmsh_22::sections(&mut scanner, &mut builder)?;
    } else if number == 4.1 {
        gmsh_41::sections(&mut scanner, &mut builder)?;
    } else {
        return Err(version.fault("only versions 2.0 to 2.2 and 4.1 are read", SAVE_41).into());
    }
    builder.finish()
}

pub(super) fn expect(scanner: &mut Scanner, what: &str) -> Result<(), Fault> {
    let word = scanner.word(what)?;
    if word.is(what) { Ok(()) } else { Err(word.fault(format!("expected {what}"), CUT_OFF)) }
}

/// `$PhysicalNames`: dimension, tag, "name".
pub(super) fn physical_names(scanner: &mut Scanner, builder: &mut Builder) -> Result<(), Fault> {
    let count = scanner.count("the number of physical names", 3)?;
    for _ in 0..count {
        let word = scanner.word("the dimension of a group")?;
        let dimension: u32 = word.number("the dimension of a group")?;
        if dimension > 3 {
            return Err(word.fault("the dimension of a group is 0, 1, 2 or 3", CUT_OFF));
        }
        let tag: u64 = scanner.number("the tag of a group")?;
        let name = String::from_utf8_lossy(scanner.rest_of_line().bytes).trim_matches('"').to_owned();
        builder.group(dimension, tag);
        if let Some(&place) = builder.group_of.get(&(dimension, tag)) {
            builder.groups[place].0 = name;
        }
    }
    expect(scanner, "$EndPhysicalNames")
}

/// Passes over a section that is not used here.
pub(super) fn skip_section(scanner: &mut Scanner, opening: Word) -> Result<(), Fault> {
    let Some(name) = opening.bytes.strip_prefix(b"$") else {
        return Err(opening.fault("expected a section ($Nodes, $Elements, ...)", CUT_OFF));
    };
    let end = [b"$End", name].concat();
    loop {
        let word = scanner.word(&String::from_utf8_lossy(&end))?;
        if word.bytes == end {
            return Ok(());
        }
    }
}
