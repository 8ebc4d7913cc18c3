//! STL: triangles by the positions of their corners, as bytes or as text.
//!
//! Bytes are 80 of a title, a count and 50 for each triangle (normal, corners, all Float32, and 2 bytes of no
//! meaning), little-endian. Titles may begin with "solid" as text does, so a file of exactly the length that its
//! count asks for is bytes. Corners with the same bits are one node (-0 is 0); normals are not read. Each named `solid`
//! of a text is a group.

use std::collections::HashMap;

use super::builder::GroupId;
use super::error::{CUT_OFF, Fault, ReadError};
use super::numbers::{ByteOrder, Encoding, Numbers, finite};
use super::scanner::Scanner;
use super::surface_builder::SurfaceBuilder;
use super::{Input, MeshFile};

const HEAD: usize = 84;
const TRIANGLE: usize = 50;

#[derive(Default)]
struct Reader {
    surface: SurfaceBuilder,
    /// Looked up only, never walked through.
    nodes: HashMap<[u64; 3], u32>,
}

pub(super) fn parse(input: &Input) -> Result<MeshFile, ReadError> {
    let mut scanner = Scanner::new(input.bytes);
    let announced = input.bytes.get(HEAD - 4..HEAD).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let needed = announced.map(|count| HEAD as u64 + TRIANGLE as u64 * u64::from(count));
    let mut reader = Reader::default();
    if needed == Some(input.bytes.len() as u64) || !begins_as_text(input.bytes) {
        reader.bytes(&mut scanner)?;
    } else {
        reader.text(&mut scanner)?;
    }
    reader.surface.finish(&scanner)
}

fn begins_as_text(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"solid"))
}

impl Reader {
    fn bytes(&mut self, scanner: &mut Scanner) -> Result<(), Fault> {
        scanner.take_bytes(HEAD - 4, "the title of a binary STL file (80 bytes)")?;
        let mut numbers = Numbers::new(scanner, Encoding::Bytes(ByteOrder::Little));
        let place = numbers.place();
        let count = u64::from(numbers.u32("the number of triangles")?);
        let count = numbers.room_for(count, TRIANGLE, "the number of triangles", place)?;
        for _ in 0..count {
            let place = numbers.place();
            numbers.skip(3, 4, "a normal")?;
            let mut corners = [0; 3];
            for corner in &mut corners {
                let place = numbers.place();
                let mut position = [0.0; 3];
                for x in &mut position {
                    *x = f64::from(numbers.f32("a coordinate")?);
                }
                *corner = self.node(finite(position, place)?);
            }
            numbers.skip(1, 2, "the end of a triangle")?;
            self.surface.add_polygon(&corners, &[], place)?;
        }
        let behind = numbers.scanner.rest().len();
        if behind > 0 {
            self.surface.mesh.note(format!("{behind} bytes behind the last triangle are passed over"));
        }
        Ok(())
    }

    fn text(&mut self, scanner: &mut Scanner) -> Result<(), Fault> {
        while let Some(word) = scanner.next_word() {
            if !word.is("solid") {
                return Err(word.fault("expected solid", CUT_OFF));
            }
            let name = scanner.rest_of_line();
            let name = String::from_utf8_lossy(name.bytes);
            let group = (!name.is_empty()).then(|| self.surface.mesh.group(&name));
            self.solid(scanner, group.as_slice())?;
        }
        Ok(())
    }

    /// Facets as far as `endsolid`.
    fn solid(&mut self, scanner: &mut Scanner, group: &[GroupId]) -> Result<(), Fault> {
        let mut corners = Vec::new();
        loop {
            let word = scanner.word("facet or endsolid")?;
            if word.is("endsolid") {
                scanner.rest_of_line();
                return Ok(());
            }
            if !word.is("facet") {
                return Err(word.fault("expected facet or endsolid", CUT_OFF));
            }
            keywords(scanner, &["normal"])?;
            // some programs write normals that are no numbers
            scanner.skip_words(3, "a normal")?;
            keywords(scanner, &["outer", "loop"])?;
            self.corners(scanner, &mut corners)?;
            keywords(scanner, &["endfacet"])?;
            self.surface.add_polygon(&corners, group, word.place)?;
        }
    }

    /// Corners as far as `endloop`.
    fn corners(&mut self, scanner: &mut Scanner, corners: &mut Vec<u32>) -> Result<(), Fault> {
        corners.clear();
        loop {
            let word = scanner.word("vertex or endloop")?;
            if word.is("endloop") {
                return Ok(());
            }
            if !word.is("vertex") {
                return Err(word.fault("expected vertex or endloop", CUT_OFF));
            }
            let position = scanner.position()?;
            corners.push(self.node(position));
        }
    }

    /// The node at a position, made if it is not there.
    fn node(&mut self, position: [f64; 3]) -> u32 {
        // adding zero makes 0 of -0
        let position = position.map(|x| x + 0.0);
        let positions = &mut self.surface.mesh.positions;
        *self.nodes.entry(position.map(f64::to_bits)).or_insert_with(|| {
            positions.push(position);
            positions.len() as u32 - 1
        })
    }
}

fn keywords(scanner: &mut Scanner, expected: &[&str]) -> Result<(), Fault> {
    for keyword in expected {
        let word = scanner.word(keyword)?;
        if !word.is(keyword) {
            return Err(word.fault(format!("expected {keyword}"), CUT_OFF));
        }
    }
    Ok(())
}
