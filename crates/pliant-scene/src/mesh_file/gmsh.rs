//! Gmsh files of versions 2.2 and 4.1, as text and as bytes: how they begin, and who reads the rest.

use super::error::{CUT_OFF, Fault, ReadError};
use super::gmsh_mesh::GmshMesh;
use super::gmsh_sections::{expect, sections};
use super::numbers::{ByteOrder, Encoding};
use super::scanner::Scanner;
use super::{Input, MeshFile, gmsh_22, gmsh_41};

const SAVE_41: &str = "save it as version 4.1 (gmsh in.msh -save -format msh41 -o out.msh)";

pub(super) fn parse(input: &Input) -> Result<MeshFile, ReadError> {
    let mut scanner = Scanner::new(input.bytes);
    let opening = scanner.word("$MeshFormat")?;
    if opening.bytes.starts_with(b"(") {
        let problem = "this .msh looks like a mesh of ANSYS Fluent, not of Gmsh";
        return Err(opening.fault(problem, "save it as Gmsh 4.1 (meshio: file_format=\"gmsh\")").into());
    }
    if !opening.is("$MeshFormat") {
        return Err(opening.fault("expected $MeshFormat", SAVE_41).into());
    }
    let version = scanner.word("the format version")?;
    let number: f64 = version.number("the format version")?;
    let encoding = encoding(&mut scanner)?;
    expect(&mut scanner, "$EndMeshFormat")?;
    let mut mesh = GmshMesh::default();
    if (2.0..3.0).contains(&number) {
        sections(&mut scanner, encoding, &mut mesh, gmsh_22::section)?;
    } else if number == 4.1 {
        gmsh_41::sections(&mut scanner, encoding, &mut mesh)?;
    } else {
        return Err(version.fault("only versions 2.0 to 2.2 and 4.1 are read", SAVE_41).into());
    }
    mesh.builder.finish()
}

/// The rest of `$MeshFormat`: text or bytes, the size of a number, and a one that shows the byte order.
fn encoding(scanner: &mut Scanner) -> Result<Encoding, Fault> {
    let kind = scanner.word("0 for text or 1 for binary")?;
    let size = scanner.word("the size of a number")?;
    if !size.is("8") {
        return Err(size.fault("only numbers of 8 bytes are read", SAVE_41));
    }
    if kind.is("0") {
        return Ok(Encoding::Text);
    }
    if !kind.is("1") {
        return Err(kind.fault("expected 0 for text or 1 for binary", SAVE_41));
    }
    scanner.rest_of_line();
    let place = scanner.place();
    match scanner.take_bytes(4, "the number one, which shows the byte order")? {
        [1, 0, 0, 0] => Ok(Encoding::Bytes(ByteOrder::Little)),
        [0, 0, 0, 1] => Ok(Encoding::Bytes(ByteOrder::Big)),
        other => Err(Fault {
            place,
            problem: "expected the number one in 4 bytes, which shows the byte order".to_owned(),
            found: format!("{other:?}"),
            way_out: CUT_OFF.to_owned(),
        }),
    }
}
