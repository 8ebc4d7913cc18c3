//! Reading a file takes memory in proportion to its length, whatever the file claims.
//!
//! One test, so that nothing else allocates meanwhile.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "support/peak.rs"]
mod peak;
mod support;

use std::fmt::Write as _;
use std::path::Path;

use peak::PeakMemory;
use pliant_geometry::{BoxElement, Group, Mesh, box_mesh};
use pliant_scene::mesh_file::{self, WriteOptions};
use support::python::run_script;

#[global_allocator]
static MEMORY: PeakMemory = PeakMemory::new();

/// A box of 98 304 tetrahedra, all in one group and half of them in another.
fn grouped_box() -> Mesh {
    let block = box_mesh([1.0; 3], [32, 32, 16], BoxElement::Tet6).unwrap();
    let count = block.tets().len() as u32;
    let all = Group { tets: (0..count).collect(), ..Group::default() };
    let half = Group { tets: (0..count / 2).collect(), ..Group::default() };
    let groups = [("all".to_owned(), all), ("half".to_owned(), half)].into();
    Mesh::new(block.positions().to_vec(), block.tets().to_vec(), vec![], vec![], groups).unwrap()
}

/// Gmsh 2.2 as bytes, every tetrahedron in one group and half of them repeated in another, as Gmsh writes it.
fn gmsh_22(mesh: &Mesh) -> Vec<u8> {
    let (nodes, tets) = (mesh.node_count(), mesh.tets().len());
    let mut bytes = b"$MeshFormat\n2.2 1 8\n\x01\0\0\0\n$EndMeshFormat\n".to_vec();
    bytes.extend(format!("$Nodes\n{nodes}\n").bytes());
    for (tag, position) in (1_i32..).zip(mesh.positions()) {
        bytes.extend(tag.to_le_bytes());
        bytes.extend(position.iter().flat_map(|x| x.to_le_bytes()));
    }
    bytes.extend(format!("\n$EndNodes\n$Elements\n{}\n", tets + tets / 2).bytes());
    for (group, count) in [(1_i32, tets), (2, tets / 2)] {
        bytes.extend([4, count as i32, 2].iter().flat_map(|n: &i32| n.to_le_bytes()));
        for (tag, tet) in (1_i32..).zip(&mesh.tets()[..count]) {
            let head = [tag, group, 1];
            let numbers = head.iter().copied().chain(tet.iter().map(|&n| n as i32 + 1));
            bytes.extend(numbers.flat_map(i32::to_le_bytes));
        }
    }
    bytes.extend(b"\n$EndElements\n");
    bytes
}

/// Peak memory over the length of the file, the file's own bytes included.
fn ratio(path: &Path, expected: &Mesh) -> f64 {
    let length = std::fs::metadata(path).unwrap().len();
    let (read, peak) = MEMORY.during(|| mesh_file::read(path).unwrap());
    assert_eq!(read.mesh.tets(), expected.tets(), "{}", path.display());
    assert_eq!(read.mesh.groups().len(), expected.groups().len());
    peak as f64 / length as f64
}

/// Small files that announce much.
fn liars() -> Vec<(&'static str, Vec<u8>)> {
    let mut list: Vec<(&str, Vec<u8>)> = Vec::new();
    let texts = [
        (
            "a.vtk",
            "# vtk DataFile Version 3.0\nx\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4000000000 double\n",
        ),
        (
            "a.vtk",
            "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 0 double\nCELLS 1000000000 5\n",
        ),
        ("a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n99999999999\n"),
        ("a.msh", "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 99999999999 1 9\n"),
        ("a.mesh", "MeshVersionFormatted 2\nDimension 3\nVertices\n4000000000\n0 0 0 1\n"),
        ("a.veg", "*VERTICES\n4000000000 3 0 0\n1 0 0 0\n"),
        ("a.inp", "*NODE\n1, 0, 0, 0\n*NSET, NSET=a, GENERATE\n1, 4000000000, 1\n"),
        (
            "a.ply",
            "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty double x\nproperty double y\nproperty double z\nend_header\n",
        ),
    ];
    list.extend(texts.iter().map(|(name, text)| (*name, text.as_bytes().to_vec())));
    let mut binary = b"$MeshFormat\n4.1 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Nodes\n".to_vec();
    binary.extend([1_u64, u64::MAX / 64, 1, 9].iter().flat_map(|n| n.to_le_bytes()));
    list.push(("a.msh", binary));
    let mut stl = vec![0; 80];
    stl.extend(u32::MAX.to_le_bytes());
    list.push(("a.stl", stl));
    let mut vtu = String::from(
        "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkZLibDataCompressor\"><UnstructuredGrid>",
    );
    // one block of 4 GB, it says
    write!(vtu, "<Piece NumberOfPoints=\"100000000\" NumberOfCells=\"0\"><Points>").unwrap();
    write!(
        vtu,
        "<DataArray type=\"Float64\" format=\"binary\">AQAAAP////8AAAAACAAAAA==eJwDAAAAAAE=</DataArray>"
    )
    .unwrap();
    write!(vtu, "</Points></Piece></UnstructuredGrid></VTKFile>").unwrap();
    list.push(("a.vtu", vtu.into_bytes()));
    list
}

#[test]
fn memory_is_in_proportion_to_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = grouped_box();
    for name in ["a.msh", "a.vtu"] {
        let path = folder.path().join(name);
        mesh_file::write(&path, &mesh, &WriteOptions::default()).unwrap();
        let ratio = ratio(&path, &mesh);
        assert!(ratio < 3.0, "{name}: {ratio:.2} times the file");
    }
    let path = folder.path().join("b.msh");
    std::fs::write(&path, gmsh_22(&mesh)).unwrap();
    let ratio = ratio(&path, &mesh);
    assert!(ratio < 3.0, "Gmsh 2.2: {ratio:.2} times the file");

    for (name, bytes) in liars() {
        let (read, peak) = MEMORY.during(|| mesh_file::read_bytes(name, &bytes));
        let message = read.unwrap_err().to_string();
        assert!(message.contains(name), "{message}");
        // a file of some hundred bytes: tables and messages take some kilobytes
        assert!(peak < 200_000, "{name}: {peak} bytes for {}; {message}", bytes.len());
    }

    // what unpacks is bounded by 256 times the file and the dictionary of xz, whatever the header says
    let path = folder.path().join("bomb.vtu");
    run_script("write_bomb.py", &[&path]);
    let (read, peak) = MEMORY.during(|| mesh_file::read(&path));
    let message = read.unwrap_err().to_string();
    assert!(message.contains("256 times the length of the file"), "{message}");
    assert!(peak < 1 << 20, "{peak} bytes");
}
