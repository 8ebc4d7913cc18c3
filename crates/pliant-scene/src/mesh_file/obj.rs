//! Wavefront OBJ: positions and polygons of a surface, as text.
//!
//! `v` gives a position (numbers behind the third, weights or colours, are passed over), `f` a polygon by the numbers
//! of its corners, from 1 or, if negative, back from the last position given; `7/3/2` is corner 7. `o` and `g` name
//! groups for the triangles that follow, `g` several at once; a bare `g` ends them. A line may go on after a
//! backslash. Keywords of normals, textures, materials and curves are passed over, others too but with a note. Nothing announces how much follows, so a file that was cut
//! between two lines cannot be told from a whole one.

use std::collections::BTreeSet;

use super::builder::GroupId;
use super::error::{CUT_OFF, Fault, Place, ReadError};
use super::numbers::finite;
use super::scanner::{Scanner, Word};
use super::surface_builder::{MOST_GROUPS, SurfaceBuilder};
use super::{Input, MeshFile};

#[derive(Default)]
struct Reader {
    surface: SurfaceBuilder,
    object: Option<GroupId>,
    /// Of the last `g`.
    named: Vec<GroupId>,
    /// The object's and the named ones: where faces go.
    groups: Vec<GroupId>,
    /// Corners of the polygon at hand.
    corners: Vec<u32>,
    /// The first few keywords that are not known.
    unknown: BTreeSet<String>,
    unknown_lines: usize,
}

/// Keywords that do not change the surface.
const PASSED_OVER: &[&[u8]] = &[
    b"vt",
    b"vn",
    b"vp",
    b"l",
    b"p",
    b"s",
    b"mg",
    b"mtllib",
    b"usemtl",
    b"maplib",
    b"usemap",
    b"bevel",
    b"c_interp",
    b"d_interp",
    b"lod",
    b"shadow_obj",
    b"trace_obj",
    b"cstype",
    b"deg",
    b"bmat",
    b"step",
    b"curv",
    b"curv2",
    b"surf",
    b"parm",
    b"trim",
    b"hole",
    b"scrv",
    b"sp",
    b"end",
    b"con",
    b"ctech",
    b"stech",
];

pub(super) fn parse(input: &Input) -> Result<MeshFile, ReadError> {
    let mut scanner = Scanner::new(input.bytes);
    let mut reader = Reader::default();
    let mut line = Vec::new();
    while let Some(place) = next_line(&mut scanner, &mut line) {
        reader.line(&line, place)?;
    }
    if reader.unknown_lines > 0 {
        let words: Vec<String> = reader.unknown.iter().map(|word| format!("{word:?}")).collect();
        let note = format!(
            "{} lines begin with words that OBJ does not have ({}) and are left out: is the file damaged?",
            reader.unknown_lines,
            words.join(", ")
        );
        reader.surface.mesh.note(note);
    }
    reader.surface.finish(&scanner)
}

/// The next line with those it goes on in; `None` at the end of the file.
fn next_line(scanner: &mut Scanner, line: &mut Vec<u8>) -> Option<Place> {
    if scanner.rest().is_empty() {
        return None;
    }
    line.clear();
    let mut part = scanner.rest_of_line();
    let place = part.place;
    // a comment may end in a folder's name
    while let Some(start) = part.bytes.strip_suffix(b"\\").filter(|start| !start.starts_with(b"#")) {
        line.extend_from_slice(start);
        line.push(b' ');
        part = scanner.rest_of_line();
    }
    line.extend_from_slice(part.bytes);
    Some(place)
}

impl Reader {
    fn line(&mut self, line: &[u8], place: Place) -> Result<(), Fault> {
        let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let mut words = words.take_while(|word| !word.starts_with(b"#")).map(|bytes| Word { bytes, place });
        let Some(keyword) = words.next() else { return Ok(()) };
        match keyword.bytes {
            b"v" => self.position(words, keyword),
            b"f" => self.face(words, keyword),
            b"g" => self.named_groups(words, keyword),
            b"o" => {
                let name = String::from_utf8_lossy(line[1..].trim_ascii()).into_owned();
                self.object = (!name.is_empty()).then(|| self.surface.mesh.group(&name));
                self.collect_groups();
                Ok(())
            }
            word if PASSED_OVER.contains(&word) => Ok(()),
            word => {
                // kept few: a file of another kind would have one a line
                if self.unknown.len() < 5 {
                    self.unknown.insert(String::from_utf8_lossy(word).chars().take(20).collect());
                }
                self.unknown_lines += 1;
                Ok(())
            }
        }
    }

    fn position<'a>(&mut self, mut words: impl Iterator<Item = Word<'a>>, line: Word) -> Result<(), Fault> {
        let mut position = [0.0; 3];
        for x in &mut position {
            let word =
                words.next().ok_or_else(|| line.fault("a position needs three coordinates", CUT_OFF))?;
            *x = word.number("a coordinate")?;
        }
        self.surface.mesh.positions.push(finite(position, line.place)?);
        Ok(())
    }

    fn face<'a>(&mut self, words: impl Iterator<Item = Word<'a>>, line: Word) -> Result<(), Fault> {
        self.corners.clear();
        let count = self.surface.mesh.positions.len();
        for word in words {
            self.corners.push(corner(word, count)?);
        }
        self.surface.add_polygon(&self.corners, &self.groups, line.place)
    }

    fn named_groups<'a>(&mut self, words: impl Iterator<Item = Word<'a>>, line: Word) -> Result<(), Fault> {
        self.named.clear();
        for word in words {
            if self.named.len() == MOST_GROUPS - 1 {
                let problem = format!("more than {} groups for the same faces", MOST_GROUPS - 1);
                return Err(line.fault(problem, "use fewer groups at once"));
            }
            self.named.push(self.surface.mesh.group(&String::from_utf8_lossy(word.bytes)));
        }
        self.collect_groups();
        Ok(())
    }

    fn collect_groups(&mut self) {
        self.groups.clear();
        self.groups.extend(self.object);
        self.groups.extend(&self.named);
    }
}

/// The node of `7`, `7/3`, `7//2`, `7/3/2` or of a negative number, if `count` are there.
fn corner(word: Word, count: usize) -> Result<u32, Fault> {
    let end = word.bytes.iter().position(|&byte| byte == b'/').unwrap_or(word.bytes.len());
    let number: i64 = Word { bytes: &word.bytes[..end], ..word }.number("the number of a position")?;
    let node = if number < 0 { number.saturating_add(count as i64) } else { number - 1 };
    match u32::try_from(node) {
        Ok(node) if (node as usize) < count => Ok(node),
        _ => Err(word.fault(
            format!("a face uses a position that does not exist ({count} have been given so far, from 1)"),
            CUT_OFF,
        )),
    }
}
