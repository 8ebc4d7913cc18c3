//! Files that Gmsh writes are read as Gmsh knows them, and Gmsh knows those that we write: every coordinate bit, every
//! element, every group.
#![allow(clippy::unwrap_used)]

use crate::sample;
use crate::support;

use std::collections::BTreeMap;
use std::path::Path;

use pliant_geometry::Mesh;
use pliant_scene::mesh_file::{self, MshEncoding, WriteOptions};
use serde_json::Value;
use support::python::{hex_float, run_script};

type Bits = [u64; 3];

/// Elements by the bits of their corners, in an order of their own.
fn cells<const N: usize>(corners: impl Iterator<Item = [Bits; N]>) -> Vec<[Bits; N]> {
    let mut cells: Vec<[Bits; N]> = corners.collect();
    cells.sort_unstable();
    cells
}

struct Expected {
    points: Vec<Bits>,
    json: Value,
}

impl Expected {
    fn read(file: &Path) -> Self {
        let json: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        let point = |p: &Value| std::array::from_fn(|k| hex_float(p[k].as_str().unwrap()).to_bits());
        Self { points: json["points"].as_array().unwrap().iter().map(point).collect(), json }
    }

    fn nodes(&self, list: &Value) -> Vec<Bits> {
        list.as_array().unwrap().iter().map(|n| self.points[n.as_u64().unwrap() as usize]).collect()
    }

    fn cells<const N: usize>(&self, kind: &str) -> Vec<[Bits; N]> {
        let list = self.json[kind].as_array().unwrap();
        cells(list.iter().map(|cell| self.nodes(cell).try_into().unwrap()))
    }

    /// Triangles, and the two halves of quadrilaterals.
    fn triangles(&self) -> Vec<[Bits; 3]> {
        let halves = self.cells::<4>("quads").into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
        cells(self.cells::<3>("triangles").into_iter().chain(halves))
    }
}

fn bits_of<const N: usize>(mesh: &Mesh, list: &[[u32; N]]) -> Vec<[Bits; N]> {
    cells(list.iter().map(|cell| cell.map(|n| mesh.positions()[n as usize].map(f64::to_bits))))
}

fn group_bits(mesh: &Mesh) -> BTreeMap<String, Vec<Bits>> {
    let nodes = |group: &pliant_geometry::Group| {
        let members = group.member_nodes(mesh);
        let mut bits: Vec<Bits> =
            members.iter().map(|&n| mesh.positions()[n as usize].map(f64::to_bits)).collect();
        bits.sort_unstable();
        bits
    };
    mesh.groups().iter().map(|(name, group)| (name.clone(), nodes(group))).collect()
}

#[test]
fn every_version_encoding_and_order_is_read() {
    let folder = tempfile::tempdir().unwrap();
    run_script("write_gmsh.py", &[folder.path()]);
    let mut count = 0;
    for shape in ["tet", "hex"] {
        for kind in ["1_2.2_text", "1_2.2_binary", "1_4.1_text", "1_4.1_binary"] {
            for order in ["1", "2"] {
                let name = format!("{shape}_{order}{}", &kind[1..]);
                let file = folder.path().join(format!("{name}.msh"));
                let read = mesh_file::read(&file).unwrap_or_else(|error| panic!("{error}"));
                let expected = Expected::read(&folder.path().join(format!("{name}.json")));
                let mesh = &read.mesh;
                assert_eq!(
                    mesh.node_count(),
                    expected.points.len(),
                    "{name}: nodes that are no corner are dropped"
                );
                assert_eq!(bits_of(mesh, mesh.tets()), expected.cells::<4>("tets"), "{name}");
                assert_eq!(bits_of(mesh, mesh.hexes()), expected.cells::<8>("hexes"), "{name}");
                assert_eq!(bits_of(mesh, mesh.triangles()), expected.triangles(), "{name}");
                let groups = expected.json["groups"].as_object().unwrap().iter().map(|(name, list)| {
                    let mut nodes = expected.nodes(list);
                    nodes.sort_unstable();
                    (name.clone(), nodes)
                });
                assert_eq!(group_bits(mesh), groups.collect::<BTreeMap<_, _>>(), "{name}");
                assert_eq!(
                    read.notes.is_empty(),
                    order == "1",
                    "{name}: second order is told: {:?}",
                    read.notes
                );
                count += mesh.cell_count();
            }
        }
    }
    assert!(count > 10_000, "the meshes are not empty: {count}");
}

#[test]
fn gmsh_reads_what_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = sample::grouped_mesh();
    for msh in [MshEncoding::Binary, MshEncoding::Text] {
        let path = folder.path().join("a.msh");
        mesh_file::write(&path, &mesh, &WriteOptions { msh }).unwrap();
        let read: Value = serde_json::from_slice(&run_script("read_gmsh.py", &[&path])).unwrap();
        let points: Vec<Bits> = mesh.positions().iter().map(|p| p.map(f64::to_bits)).collect();
        let expected = Expected { points, json: read };
        let bits = |p: &Value| std::array::from_fn(|k| hex_float(p[k].as_str().unwrap()).to_bits());
        let theirs: Vec<Bits> = expected.json["points"].as_array().unwrap().iter().map(bits).collect();
        assert_eq!(theirs, expected.points, "{msh:?}");
        let listed = |name: &str| expected.json["cells"][name].as_array().unwrap().clone();
        let (tets, hexes) = (listed("Tetrahedron 4"), listed("Hexahedron 8"));
        assert_eq!(
            cells(tets.iter().map(|c| expected.nodes(c).try_into().unwrap())),
            bits_of(&mesh, mesh.tets())
        );
        assert_eq!(
            cells(hexes.iter().map(|c| expected.nodes(c).try_into().unwrap())),
            bits_of(&mesh, mesh.hexes())
        );
        let groups = expected.json["groups"].as_object().unwrap().iter().map(|(name, list)| {
            let mut nodes = expected.nodes(list);
            nodes.sort_unstable();
            (name.clone(), nodes)
        });
        // Gmsh forgets groups that are empty
        let mut ours = group_bits(&mesh);
        ours.retain(|_, nodes| !nodes.is_empty());
        assert_eq!(groups.collect::<BTreeMap<_, _>>(), ours, "{msh:?}");
    }
}
