//! Vega FEM `.veg` files as text: vertices, then tetrahedra or cubes, then sets of elements.
//!
//! ```text
//! *VERTICES   count 3 0 0,  then  number x y z
//! *ELEMENTS   TET or CUBIC, count nodes 0,  then  number node node ...
//! *SET name   numbers of elements
//! ```
//!
//! Vertices and elements are numbered from 0 or from 1, as the first of each tells. Sets become groups of
//! cells; materials and regions are not read. `*INCLUDE name` stands for the lines of a file in the same
//! folder, such as TetGen's.
//!
//! Cubes have the node order of a VTK hexahedron: around the lower z face (0, x, xy, y), then the same above.
//! This is the drawing in Vega's cubicMesh.h (version 4.0) and agrees with the coordinates of its model
//! beam3.veg.

use std::path::{Path, PathBuf};

use super::builder::{Added, MeshBuilder};
use super::cell_kind::{CellKind, CellShape};
use super::error::{CUT_OFF, Fault, ReadError};
use super::lines::{Comments, Fields, Lines, open_end};
use super::numbering::Numbering;
use super::scanner::Word;
use super::{Input, MeshFile};

/// The files that are included, in the order of their `*INCLUDE` lines.
type Included = Vec<(PathBuf, Vec<u8>)>;

/// Lines of a file and of those it includes.
#[derive(Clone, Copy)]
struct Source<'a> {
    main: Lines<'a>,
    included: &'a [(PathBuf, Vec<u8>)],
    /// The next file to include.
    next: usize,
    /// The included file that is being read, and its lines.
    inside: Option<(&'a Path, Lines<'a>)>,
}

/// A mesh in the making.
struct Vega {
    builder: MeshBuilder,
    vertices: Numbering,
    elements: Numbering,
    cells: Vec<Added>,
    have_elements: bool,
    have_materials: bool,
}

pub(super) fn parse(input: &Input) -> Result<MeshFile, ReadError> {
    let included = included(input)?;
    let main = Lines::new(input.bytes, Comments::Hash);
    let mut source = Source { main, included: &included, next: 0, inside: None };
    let mut mesh = Vega {
        builder: MeshBuilder::default(),
        vertices: Numbering::of("node"),
        elements: Numbering::of("element"),
        cells: Vec::new(),
        have_elements: false,
        have_materials: false,
    };
    mesh.read(&mut source).map_err(|fault| source.locate(fault))?;
    open_end(input.bytes).into_iter().for_each(|note| mesh.builder.note(note));
    if mesh.have_materials {
        mesh.builder.note("materials of a Vega file are not read: the scene says them");
    }
    mesh.builder.finish()
}

/// Reads the files that the lines `*INCLUDE name` name; each may be named once.
fn included(input: &Input) -> Result<Included, ReadError> {
    let mut files = Included::new();
    for line in Lines::new(input.bytes, Comments::Hash) {
        let Some(name) = include_name(&line) else { continue };
        let name = String::from_utf8_lossy(name);
        let way_out = "put the file beside this one, or its text into it";
        if name.is_empty() || name.contains(['/', '\\']) || name.starts_with("..") {
            return Err(line.fault("only files in the same folder are included", way_out).into());
        }
        if files.iter().any(|(path, _)| path.file_name() == Some(name.as_ref().as_ref())) {
            return Err(line.fault("the same file is included twice", way_out).into());
        }
        files.push(input.beside(Path::new(name.as_ref()))?);
    }
    Ok(files)
}

fn include_name<'a>(line: &Word<'a>) -> Option<&'a [u8]> {
    let keyword = b"*INCLUDE";
    let (start, rest) = line.bytes.split_at_checked(keyword.len())?;
    start.eq_ignore_ascii_case(keyword).then(|| rest.trim_ascii())
}

impl<'a> Source<'a> {
    fn next(&mut self) -> Result<Option<Word<'a>>, Fault> {
        loop {
            if let Some((_, lines)) = &mut self.inside {
                if let Some(line) = lines.next() {
                    return match include_name(&line) {
                        None => Ok(Some(line)),
                        Some(_) => Err(line.fault("an included file includes another", "put its text here")),
                    };
                }
                self.inside = None;
            }
            let Some(line) = self.main.next() else { return Ok(None) };
            if include_name(&line).is_none() {
                return Ok(Some(line));
            }
            let (path, bytes) = &self.included[self.next];
            self.next += 1;
            self.inside = Some((path, Lines::new(bytes, Comments::Hash)));
        }
    }

    /// The next line, which must be there.
    fn line(&mut self, what: &str) -> Result<Word<'a>, Fault> {
        self.next()?.ok_or_else(|| self.main.end_fault(what))
    }

    /// The next line unless it is a keyword.
    fn next_data(&mut self) -> Result<Option<Word<'a>>, Fault> {
        let before = *self;
        let line = self.next()?.filter(|line| !line.bytes.starts_with(b"*"));
        if line.is_none() {
            *self = before;
        }
        Ok(line)
    }

    /// Bytes that a count may stand for.
    fn left(&self) -> usize {
        let to_come = &self.included[self.next..];
        let inside = self.inside.map_or(0, |(_, lines)| lines.left());
        self.main.left() + inside + to_come.iter().map(|(_, bytes)| bytes.len()).sum::<usize>()
    }

    /// Says in which file a fault is.
    fn locate(&self, fault: Fault) -> ReadError {
        match self.inside {
            None => fault.into(),
            Some((path, _)) => ReadError::Beside(path.to_owned(), fault),
        }
    }
}

impl Vega {
    fn read(&mut self, source: &mut Source) -> Result<(), Fault> {
        while let Some(line) = source.next()? {
            let keyword = Fields::of(line).word("a keyword")?;
            if !line.bytes.starts_with(b"*") {
                return Err(line.fault("expected a keyword (*VERTICES, *ELEMENTS, *SET, ...)", CUT_OFF));
            }
            if keyword.is("*VERTICES") {
                self.read_vertices(keyword, source)?;
            } else if keyword.is("*ELEMENTS") {
                self.read_elements(keyword, source)?;
            } else if keyword.is("*SET") {
                self.read_set(line, source)?;
            } else if keyword.is("*MATERIAL") || keyword.is("*REGION") {
                self.have_materials = true;
                while source.next_data()?.is_some() {}
            } else {
                return Err(keyword.fault("this keyword is not known", "remove it if the mesh does without"));
            }
        }
        if self.have_elements { Ok(()) } else { Err(source.main.end_fault("*VERTICES or *ELEMENTS")) }
    }

    fn read_vertices(&mut self, keyword: Word, source: &mut Source) -> Result<(), Fault> {
        if !self.builder.positions.is_empty() {
            return Err(keyword.fault("*VERTICES and *ELEMENTS must be there once, in this order", CUT_OFF));
        }
        let mut header = Fields::of(source.line("the number of vertices")?);
        let count =
            header.word("the number of vertices")?.count("the number of vertices", 4, source.left())?;
        if let Some(word) = header.next().filter(|word| !word.is("3")) {
            return Err(word.fault("only vertices in 3 dimensions are read", CUT_OFF));
        }
        self.builder.positions.reserve(count);
        for _ in 0..count {
            let mut fields = Fields::of(source.line("a vertex")?);
            self.vertices.push(&fields.word("the number of a vertex")?)?;
            self.builder.positions.push(fields.position()?);
        }
        Ok(())
    }

    fn read_elements(&mut self, keyword: Word, source: &mut Source) -> Result<(), Fault> {
        if self.builder.positions.is_empty() || self.have_elements {
            return Err(keyword.fault("*VERTICES and *ELEMENTS must be there once, in this order", CUT_OFF));
        }
        let kind = kind_of(source.line("TET or CUBIC")?)?;
        let mut header = Fields::of(source.line("the number of elements")?);
        let words = kind.node_count + 1;
        let count =
            header.word("the number of elements")?.count("the number of elements", words, source.left())?;
        self.builder.reserve(kind.shape, count);
        for _ in 0..count {
            let line = source.line("an element")?;
            let mut fields = Fields::of(line);
            self.elements.push(&fields.word("the number of an element")?)?;
            let mut nodes = [0; 8];
            let nodes = &mut nodes[..kind.node_count];
            for node in nodes.iter_mut() {
                *node = self.vertices.index(&fields.word("the number of a node")?)?;
            }
            let added = self.builder.add_cell(kind, nodes, line.place)?;
            self.cells.push(added);
        }
        self.have_elements = true;
        Ok(())
    }

    /// Numbers of elements with commas between them, on any number of lines.
    fn read_set(&mut self, line: Word, source: &mut Source) -> Result<(), Fault> {
        let name = String::from_utf8_lossy(&line.bytes[b"*SET".len()..]).trim().to_owned();
        if name.is_empty() || !self.have_elements {
            return Err(line.fault("a *SET has a name, and stands behind the *ELEMENTS", CUT_OFF));
        }
        let group = self.builder.group(&name);
        while let Some(line) = source.next_data()? {
            for word in Fields::of(line) {
                let index = self.elements.index(&word)?;
                self.builder.add_member(group, self.cells[index as usize]);
            }
        }
        Ok(())
    }
}

/// TET, TETS and the like, or CUBIC.
fn kind_of(line: Word) -> Result<CellKind, Fault> {
    let begins =
        |text: &[u8]| line.bytes.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text));
    match () {
        () if begins(b"TET") => Ok(CellShape::Tet.linear()),
        () if begins(b"CUBIC") => Ok(CellShape::Hex.linear()),
        () => Err(line.fault("expected TET or CUBIC", CUT_OFF)),
    }
}
