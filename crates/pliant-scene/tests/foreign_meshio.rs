//! Files that meshio writes in every format it shares with us: the same points to the bit, the same cells in the same
//! order, and groups of the same members. Where meshio prints text it prints as many digits as name a number exactly, but for one format.
#![allow(clippy::unwrap_used)]

use crate::support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use pliant_geometry::{Group, Mesh};
use pliant_scene::mesh_file;
use serde_json::Value;
use support::python::run_script;

/// Writes meshes of every format into a folder; gives what is in them.
fn write_with_meshio(folder: &Path) -> Vec<Value> {
    run_script("write_meshes.py", &[folder]);
    let contents = fs::read_to_string(folder.join("contents.json")).unwrap();
    serde_json::from_str(&contents).unwrap()
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect()
}

fn nodes<const N: usize>(cell: &Value) -> [u32; N] {
    std::array::from_fn(|i| u32::try_from(cell[i].as_u64().unwrap()).unwrap())
}

/// The mesh that a file should give; members of groups are asked for by block and cell.
#[derive(Default)]
struct Expected {
    positions: Vec<[f64; 3]>,
    tets: Vec<[u32; 4]>,
    hexes: Vec<[u32; 8]>,
    triangles: Vec<[u32; 3]>,
    groups: BTreeMap<String, Group>,
    /// What each cell of each block adds to its groups.
    members: Vec<Vec<Group>>,
}

impl Expected {
    fn of(content: &Value) -> Self {
        let mut expected = Self::default();
        let points = content["points"].as_array().unwrap();
        expected.positions = points
            .iter()
            .map(|point| <[u64; 3]>::try_from(numbers(point)).unwrap().map(f64::from_bits))
            .collect();
        for block in content["cells"].as_array().unwrap() {
            let cells = block[1].as_array().unwrap();
            let members = cells.iter().map(|cell| expected.add_cell(block[0].as_str().unwrap(), cell));
            let members = members.collect();
            expected.members.push(members);
        }
        expected
    }

    fn add_cell(&mut self, kind: &str, cell: &Value) -> Group {
        let mut group = Group::default();
        match kind {
            // the corners come first
            "tetra" | "tetra10" => {
                group.tets.push(self.tets.len() as u32);
                self.tets.push(nodes(cell));
            }
            "hexahedron" => {
                group.hexes.push(self.hexes.len() as u32);
                self.hexes.push(nodes(cell));
            }
            "triangle" => {
                group.triangles.push(self.triangles.len() as u32);
                self.triangles.push(nodes(cell));
            }
            "quad" => {
                let first = self.triangles.len() as u32;
                group.triangles.extend([first, first + 1]);
                let [a, b, c, d] = nodes(cell);
                self.triangles.extend([[a, b, c], [a, c, d]]);
            }
            "line" => group.nodes.extend(nodes::<2>(cell)),
            other => panic!("{other}"),
        }
        group
    }

    fn enter(&mut self, name: &str, block: usize, cell: usize) {
        let member = self.members[block][cell].clone();
        let group = self.groups.entry(name.to_owned()).or_default();
        group.tets.extend(member.tets);
        group.hexes.extend(member.hexes);
        group.triangles.extend(member.triangles);
        group.nodes.extend(member.nodes);
    }

    /// Groups named after their dimension and number.
    fn enter_references(&mut self, content: &Value) {
        for (block, references) in content["references"].as_array().unwrap().iter().enumerate() {
            let kind = match content["cells"][block][0].as_str().unwrap() {
                "tetra" | "tetra10" | "hexahedron" => "volume",
                "triangle" | "quad" => "surface",
                _ => "curve",
            };
            for (cell, number) in numbers(references).iter().enumerate() {
                self.enter(&format!("{kind} {number}"), block, cell);
            }
        }
    }

    fn enter_sets(&mut self, content: &Value) {
        for (name, blocks) in content["cell_sets"].as_object().unwrap() {
            for (block, cells) in blocks.as_array().unwrap().iter().enumerate() {
                numbers(cells).iter().for_each(|&cell| self.enter(name, block, cell as usize));
            }
        }
        for (name, points) in content["point_sets"].as_object().unwrap() {
            let group = self.groups.entry(name.clone()).or_default();
            group.nodes.extend(numbers(points).iter().map(|&n| n as u32));
        }
    }

    /// Without the nodes behind the corners.
    fn without_middles(mut self) -> Self {
        let corners = self.tets.as_flattened().iter().max().map_or(0, |n| n + 1);
        // the grid comes first, and some of its points are in no tetrahedron
        let grid = corners.max(27);
        self.positions.truncate(grid as usize);
        self.groups.values_mut().for_each(|group| group.nodes.retain(|&n| n < grid));
        self
    }

    fn mesh(mut self) -> Mesh {
        for group in self.groups.values_mut() {
            for list in [&mut group.nodes, &mut group.tets, &mut group.hexes, &mut group.triangles] {
                list.sort_unstable();
                list.dedup();
            }
        }
        Mesh::new(self.positions, self.tets, self.hexes, self.triangles, self.groups).unwrap()
    }
}

#[test]
fn what_meshio_writes_is_read_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let contents = write_with_meshio(folder.path());
    let (mut formats, mut with_groups) = (Vec::new(), 0);
    for content in contents.iter().filter(|content| content["kind"] != "surface") {
        let name = content["file"].as_str().unwrap();
        let format = content["format"].as_str().unwrap();
        formats.push(format);
        let read = mesh_file::read(&folder.path().join(name)).unwrap_or_else(|error| panic!("{error}"));
        let mut expected = Expected::of(content);
        match format {
            "abaqus" => expected.enter_sets(content),
            "medit" | "tetgen" | "gmsh22-text" | "gmsh22-bytes" | "vtu-text" | "vtu-base64" | "vtu-zlib"
            | "vtu-lzma" => expected.enter_references(content),
            // these have no place for groups, or meshio leaves it empty
            _ => {}
        }
        if format.starts_with("vtu") {
            // lines are passed over
            expected.groups.retain(|name, _| !name.starts_with("curve"));
        }
        let second_order = content["kind"] == "tet10";
        if second_order {
            expected = expected.without_middles();
        }
        if format == "vtu-text" {
            // the one text that meshio shortens, to 12 digits
            let short = |x: f64| format!("{x:.11e}").parse().unwrap();
            expected.positions.iter_mut().for_each(|p| *p = p.map(short));
        }
        with_groups += usize::from(!expected.groups.is_empty());
        assert_eq!(read.mesh, expected.mesh(), "{name}");
        let expected_notes = usize::from(second_order) + usize::from(name == "mixed.abaqus.inp");
        assert_eq!(read.notes.len(), expected_notes, "{name}: {:?}", read.notes);
    }
    formats.sort_unstable();
    formats.dedup();
    assert_eq!((formats.len(), with_groups), (15, 32), "{formats:?}");
}

#[test]
fn surfaces_that_meshio_writes_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let contents = write_with_meshio(folder.path());
    let surfaces: Vec<&Value> = contents.iter().filter(|content| content["kind"] == "surface").collect();
    assert_eq!(surfaces.len(), 5);
    for content in surfaces {
        let name = content["file"].as_str().unwrap();
        let read = mesh_file::read(&folder.path().join(name)).unwrap_or_else(|error| panic!("{error}"));
        let expected = Expected::of(content).mesh();
        let corners = |mesh: &Mesh| -> Vec<[[f64; 3]; 3]> {
            mesh.triangles().iter().map(|t| t.map(|n| mesh.positions()[n as usize])).collect()
        };
        if name.ends_with(".stl") {
            // no nodes, only corners, in single precision
            let single = |p: [f64; 3]| p.map(|x| f64::from(x as f32));
            let rounded: Vec<_> = corners(&expected).iter().map(|t| t.map(single)).collect();
            let ours: Vec<_> = corners(&read.mesh).iter().map(|t| t.map(single)).collect();
            assert_eq!(ours, rounded, "{name}");
        } else {
            assert_eq!(read.mesh, expected, "{name}");
        }
    }
}
