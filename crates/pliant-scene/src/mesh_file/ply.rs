//! PLY (Stanford): a header that says what is stored, then the vertices and faces, as text or bytes of either order.
//!
//! Any properties may be there in any order and type; of `vertex` x, y and z are read, of `face` the list
//! `vertex_indices` (or `vertex_index`), whose polygons become triangles. Other elements are passed over.

use super::error::{CUT_OFF, Fault, Place, ReadError};
use super::numbers::{ByteOrder, Encoding, Numbers, finite};
use super::scanner::{Scanner, Word};
use super::stored_type::StoredType;
use super::surface_builder::SurfaceBuilder;
use super::{Input, MeshFile};

const EXPORT: &str = "export it again as PLY 1.0 with vertices and faces";

/// Rows of one kind.
struct Element {
    name: String,
    count: u64,
    properties: Vec<Property>,
    place: Place,
}

struct Property {
    name: String,
    stored: Stored,
}

#[derive(Clone, Copy)]
enum Stored {
    One(StoredType),
    List { count: StoredType, item: StoredType },
}

pub(super) fn parse(input: &Input) -> Result<MeshFile, ReadError> {
    let mut scanner = Scanner::new(input.bytes);
    let (encoding, elements) = header(&mut scanner)?;
    let mut surface = SurfaceBuilder::default();
    for element in &elements {
        let mut numbers = Numbers::new(&mut scanner, encoding);
        rows(&mut numbers, element, &mut surface)?;
    }
    surface.finish(&scanner)
}

fn header(scanner: &mut Scanner) -> Result<(Encoding, Vec<Element>), Fault> {
    let first = scanner.rest_of_line();
    if !first.is("ply") {
        return Err(first.fault("expected ply", EXPORT));
    }
    let mut encoding = None;
    let mut elements: Vec<Element> = Vec::new();
    loop {
        let word = scanner.word("end_header")?;
        match word.bytes {
            b"comment" | b"obj_info" => drop(scanner.rest_of_line()),
            b"format" => encoding = Some(format(scanner)?),
            b"element" => {
                let name = scanner.word("the name of an element")?.text();
                let count = scanner.number("a number of elements")?;
                elements.push(Element { name, count, properties: Vec::new(), place: word.place });
            }
            b"property" => match elements.last_mut() {
                Some(element) => element.properties.push(property(scanner)?),
                None => return Err(word.fault("a property comes before the first element", EXPORT)),
            },
            b"end_header" => {
                // bytes begin on the next line
                scanner.rest_of_line();
                let encoding = encoding.ok_or_else(|| word.fault("the format is not told", EXPORT))?;
                return Ok((encoding, elements));
            }
            _ => return Err(word.fault("expected format, element, property or end_header", EXPORT)),
        }
    }
}

fn format(scanner: &mut Scanner) -> Result<Encoding, Fault> {
    let word = scanner.word("the format")?;
    let encoding = match word.bytes {
        b"ascii" => Encoding::Text,
        b"binary_little_endian" => Encoding::Bytes(ByteOrder::Little),
        b"binary_big_endian" => Encoding::Bytes(ByteOrder::Big),
        _ => return Err(word.fault("expected ascii, binary_little_endian or binary_big_endian", EXPORT)),
    };
    let version = scanner.word("the version")?;
    if version.is("1.0") { Ok(encoding) } else { Err(version.fault("only version 1.0 is read", EXPORT)) }
}

fn property(scanner: &mut Scanner) -> Result<Property, Fault> {
    let word = scanner.word("the type of a property")?;
    let stored = if word.is("list") {
        let count = stored_type(scanner.word("the type of a count")?)?;
        Stored::List { count, item: stored_type(scanner.word("the type of a list")?)? }
    } else {
        Stored::One(stored_type(word)?)
    };
    Ok(Property { name: scanner.word("the name of a property")?.text(), stored })
}

fn stored_type(word: Word) -> Result<StoredType, Fault> {
    let known = std::str::from_utf8(word.bytes).ok().and_then(StoredType::of_ply);
    known.ok_or_else(|| word.fault("expected a type (float, double, uchar, int, ...)", EXPORT))
}

fn rows(numbers: &mut Numbers, element: &Element, surface: &mut SurfaceBuilder) -> Result<(), Fault> {
    // rows of nothing take no room, however many
    if element.properties.is_empty() {
        return Ok(());
    }
    let least = match numbers.encoding {
        // a word and a blank each; the last blank may be missing
        Encoding::Text => 2 * element.properties.len() - 1,
        Encoding::Bytes(_) => element.properties.iter().map(|property| property.stored.least_size()).sum(),
    };
    let what = format!("the number of elements \"{}\"", element.name);
    let count = numbers.room_for(element.count, least, &what, element.place)?;
    match element.name.as_str() {
        "vertex" => vertices(numbers, element, count, surface),
        "face" => faces(numbers, element, count, surface),
        _ => (0..count).try_for_each(|_| {
            element.properties.iter().try_for_each(|property| property.stored.skip(numbers))
        }),
    }
}

fn vertices(
    numbers: &mut Numbers,
    element: &Element,
    count: usize,
    surface: &mut SurfaceBuilder,
) -> Result<(), Fault> {
    let axis_of = |property: &Property| match (property.name.as_str(), property.stored) {
        ("x", Stored::One(kind)) => Some((0, kind)),
        ("y", Stored::One(kind)) => Some((1, kind)),
        ("z", Stored::One(kind)) => Some((2, kind)),
        _ => None,
    };
    let axes: Vec<_> = element.properties.iter().map(axis_of).collect();
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        if axes.iter().flatten().filter(|found| found.0 == axis).count() != 1 {
            return Err(element.fault(&format!("a vertex needs one number {name}")));
        }
    }
    surface.mesh.positions.reserve(count);
    for _ in 0..count {
        let place = numbers.place();
        let mut position = [0.0; 3];
        for (property, axis) in element.properties.iter().zip(&axes) {
            match axis {
                Some((axis, kind)) => position[*axis] = numbers.real(*kind, "a coordinate")?,
                None => property.stored.skip(numbers)?,
            }
        }
        surface.mesh.positions.push(finite(position, place)?);
    }
    Ok(())
}

fn faces(
    numbers: &mut Numbers,
    element: &Element,
    count: usize,
    surface: &mut SurfaceBuilder,
) -> Result<(), Fault> {
    let is_corners = |property: &Property| {
        let named = matches!(property.name.as_str(), "vertex_indices" | "vertex_index");
        named && matches!(property.stored, Stored::List { .. })
    };
    let Some(own) = element.properties.iter().position(is_corners) else {
        return Err(element.fault("a face needs a list vertex_indices"));
    };
    let mut corners = Vec::new();
    for _ in 0..count {
        let place = numbers.place();
        for (i, property) in element.properties.iter().enumerate() {
            match property.stored {
                Stored::List { count, item } if i == own => {
                    corner_list(numbers, (count, item), surface.mesh.positions.len(), &mut corners)?;
                }
                other => other.skip(numbers)?,
            }
        }
        surface.add_polygon(&corners, &[], place)?;
    }
    Ok(())
}

/// The corners of a face; there are `node_count` nodes.
fn corner_list(
    numbers: &mut Numbers,
    (count, item): (StoredType, StoredType),
    node_count: usize,
    corners: &mut Vec<u32>,
) -> Result<(), Fault> {
    corners.clear();
    for _ in 0..list_length(numbers, count, item)? {
        let place = numbers.place();
        let number = numbers.integer(item, "the number of a vertex")?;
        match u32::try_from(number) {
            Ok(node) if (node as usize) < node_count => corners.push(node),
            _ => {
                let problem =
                    format!("a face uses a vertex that does not exist (there are {node_count}, from 0)");
                let (found, way_out) = (number.to_string(), CUT_OFF.to_owned());
                return Err(Fault { place, problem, found, way_out });
            }
        }
    }
    Ok(())
}

/// How many items follow; not more than the file can hold.
fn list_length(numbers: &mut Numbers, count: StoredType, item: StoredType) -> Result<usize, Fault> {
    let place = numbers.place();
    let length = numbers.integer(count, "the length of a list")?;
    let bytes = if numbers.encoding == Encoding::Text { 1 } else { item.size() };
    // a negative length is one that no file can hold
    let length = u64::try_from(length).unwrap_or(u64::MAX);
    numbers.room_for(length, bytes, "the length of a list", place)
}

impl Stored {
    /// Bytes that it takes at least.
    fn least_size(self) -> usize {
        match self {
            Self::One(kind) => kind.size(),
            Self::List { count, .. } => count.size(),
        }
    }

    fn skip(self, numbers: &mut Numbers) -> Result<(), Fault> {
        let (count, kind) = match self {
            Self::One(kind) => (1, kind),
            Self::List { count, item } => (list_length(numbers, count, item)?, item),
        };
        numbers.skip(count, kind.size(), "a property")
    }
}

impl Element {
    fn fault(&self, problem: &str) -> Fault {
        Fault {
            place: self.place,
            problem: problem.to_owned(),
            found: format!("element {}", self.name),
            way_out: EXPORT.to_owned(),
        }
    }
}
