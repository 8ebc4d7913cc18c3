//! Abaqus input files `.inp`: nodes, elements and sets of one body.
//!
//! Nodes are read first, then elements, then sets, in whatever order they stand in. Node sets and element
//! sets become groups; those of the same name are one group. Which elements are read is told in
//! `abaqus_element`. Everything that is not the mesh is passed over (materials, steps, `*SURFACE`), but what
//! would change it is refused: `*INCLUDE`, `*SYSTEM`, nodes or elements that the solver would generate,
//! several parts, and instances that are moved. Nodes, elements and sets of the assembly itself (reference
//! points) are not part of the body and not read; its sets of an instance's members are. A file does not say
//! how much it holds: one that is cut off between two lines cannot be told from a whole one.
//!
//! Format: Abaqus 2017, Keywords Reference Guide and "Input syntax rules".

use super::abaqus_element::{ElementKind, MOST_LOOSE_NODES, kind_of};
use super::abaqus_keyword::{Keyword, fields};
use super::abaqus_sets::{Labels, Members, Sets};
use super::builder::{Added, MeshBuilder};
use super::cell_kind::MOST_NODES;
use super::error::{CUT_OFF, Fault, ReadError};
use super::lines::{Comments, Lines, open_end};
use super::scanner::Word;
use super::{Input, MeshFile};

pub(super) const OPENINGS: &[&[u8]] =
    &[b"*HEADING", b"*Heading", b"*heading", b"*NODE", b"*Node", b"*node", b"*PART", b"*Part"];

const FLATTEN: &str = "export a flattened input file, without parts and instances (Abaqus/CAE: Edit Attributes, \
                       do not use parts and assemblies in input files)";

/// Keywords that change nodes or elements, and the way out.
const REFUSED: [(&str, &str); 10] = [
    ("INCLUDE", "put the text of that file in its place"),
    ("SYSTEM", "write the nodes in the global system"),
    ("NGEN", "write all nodes out"),
    ("NFILL", "write all nodes out"),
    ("NCOPY", "write all nodes out"),
    ("NMAP", "write all nodes out"),
    ("ELGEN", "write all elements out"),
    ("ELCOPY", "write all elements out"),
    ("IMPORT", "write the mesh out"),
    ("SUBSTRUCTURE", "write the mesh out"),
];

/// A keyword whose data lines are read later.
struct Block<'a> {
    keyword: Keyword<'a>,
    data: Lines<'a>,
}

/// What an element became.
#[derive(Clone, Copy)]
enum Element {
    Cell(Added),
    /// Nodes of a truss or the like, the last one repeated.
    Nodes([u32; MOST_LOOSE_NODES]),
}

/// Whose nodes and elements follow.
#[derive(Clone, Copy, Default, PartialEq)]
enum Scope {
    #[default]
    Body,
    Assembly,
}

/// A mesh in the making.
#[derive(Default)]
struct Abaqus<'a> {
    builder: MeshBuilder,
    labels: Labels,
    elements: Vec<Element>,
    sets: Sets,
    element_blocks: Vec<Block<'a>>,
    set_blocks: Vec<Block<'a>>,
    scope: Scope,
    have_part: bool,
    have_instance: bool,
    assembly_skipped: bool,
    loose_elements: usize,
}

pub(super) fn parse(input: &Input) -> Result<MeshFile, ReadError> {
    let mut lines = Lines::new(input.bytes, Comments::TwoStars);
    let mut file = Abaqus::default();
    while let Some(line) = lines.next() {
        if !line.bytes.starts_with(b"*") {
            let way_out = "is this Abaqus input? AVS uses .inp too: save it as another format";
            return Err(line.fault("expected a keyword (*NODE, *ELEMENT, ...)", way_out).into());
        }
        let keyword = Keyword::read(line, &mut lines);
        file.keyword(keyword, &mut lines)?;
        while lines.next_data().is_some() {}
    }
    if file.labels.nodes.len() == 0 {
        return Err(lines.end_fault("*NODE").into());
    }
    if file.element_blocks.is_empty() {
        return Err(lines.end_fault("*ELEMENT").into());
    }
    file.assemble()?;
    open_end(input.bytes).into_iter().for_each(|note| file.builder.note(note));
    file.builder.finish()
}

impl<'a> Abaqus<'a> {
    fn keyword(&mut self, keyword: Keyword<'a>, lines: &mut Lines<'a>) -> Result<(), Fault> {
        let in_assembly = self.scope == Scope::Assembly;
        match keyword.name.as_str() {
            "NODE" | "ELEMENT" if in_assembly => self.assembly_skipped = true,
            "NSET" | "ELSET" if in_assembly && keyword.value("INSTANCE").is_none() => {
                self.assembly_skipped = true
            }
            "NODE" => self.read_nodes(&keyword, lines)?,
            "ELEMENT" => self.element_blocks.push(Block { keyword, data: *lines }),
            "NSET" | "ELSET" => self.set_blocks.push(Block { keyword, data: *lines }),
            "PART" if self.have_part => {
                return Err(keyword.line.fault("a file of several parts is not read", FLATTEN));
            }
            "PART" => self.have_part = true,
            "INSTANCE" => self.instance(&keyword, lines)?,
            "ASSEMBLY" | "ENDINSTANCE" | "ENDASSEMBLY" => self.scope = Scope::Assembly,
            name => {
                if let Some((_, way_out)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
                    return Err(keyword.line.fault(format!("*{name} is not read"), *way_out));
                }
            }
        }
        Ok(())
    }

    /// Its data lines move and turn the part.
    fn instance(&mut self, keyword: &Keyword, lines: &mut Lines<'a>) -> Result<(), Fault> {
        if self.have_instance {
            return Err(keyword.line.fault("a file of several instances is not read", FLATTEN));
        }
        while let Some(line) = lines.next_data() {
            let moves = |field: Word| field.coordinate().map_or(true, |x| x != 0.0);
            if fields(&line).filter(|field| !field.bytes.is_empty()).any(moves) {
                return Err(line.fault("an instance that is moved or turned is not read", FLATTEN));
            }
        }
        self.have_instance = true;
        self.scope = Scope::Body;
        Ok(())
    }

    /// `label, x, y, z`; a coordinate that is left out is zero.
    fn read_nodes(&mut self, keyword: &Keyword, lines: &mut Lines) -> Result<(), Fault> {
        let system = keyword.value("SYSTEM").unwrap_or_default();
        if system.starts_with(['C', 'c', 'S', 's']) {
            let problem = "cylindrical and spherical coordinates are not read";
            return Err(keyword.line.fault(problem, "write the nodes in Cartesian coordinates"));
        }
        let set = keyword.label("NSET").map(|name| self.sets.id(Members::Nodes, name));
        while let Some(line) = lines.next_data() {
            let mut fields = fields(&line);
            let label = fields.next().unwrap_or(line).number("the label of a node")?;
            let mut position = [0.0; 3];
            let mut given = 0;
            // direction cosines may follow
            for (x, field) in position.iter_mut().zip(fields) {
                *x = if field.bytes.is_empty() { 0.0 } else { field.coordinate()? };
                given += 1;
            }
            if given < 2 {
                return Err(line.fault("a node has two or three coordinates", CUT_OFF));
            }
            let node = self.labels.nodes.len() as u32;
            self.labels.nodes.add(label, line.place);
            self.builder.positions.push(position);
            if let Some(set) = set {
                self.sets.add(set, node);
            }
        }
        Ok(())
    }

    /// Elements, then sets, now that all nodes are known.
    fn assemble(&mut self) -> Result<(), Fault> {
        self.labels.nodes.close()?;
        for block in std::mem::take(&mut self.element_blocks) {
            self.read_elements(&block.keyword, block.data)?;
        }
        self.labels.elements.close_as("element")?;
        self.sets.allow(self.labels.nodes.len() + self.labels.elements.len());
        for block in std::mem::take(&mut self.set_blocks) {
            self.sets.read(&block.keyword, block.data, &self.labels)?;
        }
        self.enter_groups();
        if self.loose_elements > 0 {
            let count = self.loose_elements;
            let note =
                format!("{count} trusses, beams, springs and the like: only groups of their nodes are kept");
            self.builder.note(note);
        }
        if self.assembly_skipped {
            self.builder
                .note("nodes, elements and sets of the assembly itself (reference points) are not read");
        }
        Ok(())
    }

    fn read_elements(&mut self, keyword: &Keyword, mut data: Lines) -> Result<(), Fault> {
        let name = keyword.label("TYPE");
        let name = name.ok_or_else(|| keyword.line.fault("TYPE= is missing", CUT_OFF))?;
        let kind = kind_of(name).map_err(|what| {
            let way_out = "use C3D4, C3D10, C3D8 or C3D20 (any formulation), or triangles and quadrilaterals";
            keyword.line.fault(format!("elements of type {name} ({what}) are not read"), way_out)
        })?;
        let set = keyword.label("ELSET").map(|name| self.sets.id(Members::Elements, name));
        while let Some(line) = data.next_data() {
            self.read_element(line, &mut data, kind)?;
            if let Some(set) = set {
                self.sets.add(set, self.elements.len() as u32 - 1);
            }
        }
        Ok(())
    }

    fn read_element(&mut self, line: Word, data: &mut Lines, kind: ElementKind) -> Result<(), Fault> {
        let count = match kind {
            ElementKind::Cell(cell) => cell.node_count,
            ElementKind::Nodes(count) => count,
        };
        let mut numbers = [0; MOST_NODES + 1];
        read_record(line, data, &mut numbers[..=count])?;
        let mut nodes = [0; MOST_NODES];
        for (node, &label) in nodes.iter_mut().zip(&numbers[1..=count]) {
            *node = self.labels.nodes.node(label).ok_or_else(|| Fault {
                place: line.place,
                problem: "an element uses a node that is not in *NODE".to_owned(),
                found: label.to_string(),
                way_out: CUT_OFF.to_owned(),
            })?;
        }
        let element = match kind {
            ElementKind::Cell(cell) => {
                Element::Cell(self.builder.add_cell(cell, &nodes[..count], line.place)?)
            }
            ElementKind::Nodes(_) => {
                self.loose_elements += 1;
                Element::Nodes(std::array::from_fn(|i| nodes[i.min(count - 1)]))
            }
        };
        self.elements.push(element);
        self.labels.elements.add(numbers[0], line.place);
        Ok(())
    }

    fn enter_groups(&mut self) {
        // node sets and element sets of one name are one group, whatever their capitals
        let mut names = std::collections::HashMap::<String, String>::new();
        for set in std::mem::take(&mut self.sets.list) {
            let name = names.entry(set.name.to_uppercase()).or_insert(set.name);
            let group = self.builder.group(name);
            for member in set.members {
                match (set.kind, member as usize) {
                    (Members::Nodes, _) => self.builder.add_member_node(group, member),
                    (Members::Elements, place) => match self.elements[place] {
                        Element::Cell(added) => self.builder.add_member(group, added),
                        Element::Nodes(nodes) => {
                            nodes.iter().for_each(|&n| self.builder.add_member_node(group, n));
                        }
                    },
                }
            }
            if set.unknown > 0 {
                let note = format!("the set {name} names {} labels that do not exist", set.unknown);
                self.builder.note(note);
            }
        }
    }
}

/// Numbers of one element: its label and its nodes, over as many lines as it takes.
fn read_record(first: Word, data: &mut Lines, numbers: &mut [u64]) -> Result<(), Fault> {
    let (mut line, mut read) = (first, 0);
    loop {
        for field in fields(&line).filter(|field| !field.bytes.is_empty()) {
            let number = field.number("a label")?;
            let Some(place) = numbers.get_mut(read) else {
                let problem =
                    format!("an element of this type has {} nodes, but here are more", numbers.len() - 1);
                return Err(field.fault(problem, CUT_OFF));
            };
            *place = number;
            read += 1;
        }
        if read == numbers.len() {
            return Ok(());
        }
        line = data.next_data().ok_or_else(|| {
            let problem =
                format!("an element of this type has {} nodes, but here are fewer", numbers.len() - 1);
            first.fault(problem, CUT_OFF)
        })?;
    }
}
