//! Entries of the factor of tetrahedral meshes, beside those that METIS leaves: pliant-numerics' data/metis_tets.csv.
#![allow(clippy::unwrap_used, missing_docs)]

use pliant_geometry::{Cylinder, Mesh, ShapeElement, Sphere, Tube};
use pliant_numerics::ordering::{Graph, Ordering, Permutation, PointCliques, fill, order};

const COUNTS: &str = include_str!("../../pliant-numerics/data/metis_tets.csv");
const GMSH: &[u8] = include_bytes!("../../pliant-scene/data/reference/SPHERE_tet4.vtk");

/// The meshes of the counts, as `pliant mesh make` makes them; one is Gmsh's.
fn mesh(name: &str) -> Mesh {
    let element = ShapeElement::Tet;
    match name {
        "ball" => Sphere { radius: 1.0, cells: 6, element }.mesh().unwrap(),
        "cylinder" => Cylinder { radius: 0.5, height: 2.0, cells: [6, 16], element }.mesh().unwrap(),
        "tube" => Tube { inner: 0.5, outer: 1.0, height: 3.0, cells: [24, 4, 18], element }.mesh().unwrap(),
        _ => pliant_scene::mesh_file::read_bytes("SPHERE_tet4.vtk", GMSH).unwrap().mesh,
    }
}

/// Points and tetrahedra, maybe with other numbers and turned so that nothing is aligned.
struct Tets {
    points: Vec<[f64; 3]>,
    members: Vec<u32>,
    offsets: Vec<u32>,
}

impl Tets {
    fn of(mesh: &Mesh) -> Self {
        let members: Vec<u32> = mesh.tets().iter().flatten().copied().collect();
        let offsets = (0..=mesh.tets().len() as u32).map(|t| 4 * t).collect();
        Self { points: mesh.positions().to_vec(), members, offsets }
    }

    fn disguised(&self, seed: u64) -> Self {
        let names = Permutation::random(self.points.len(), seed);
        // by (3, 4)/5 about z, then by (5, 12)/13 about x
        let turned = |[x, y, z]: [f64; 3]| {
            let (x, y) = (0.8 * x - 0.6 * y, 0.6 * x + 0.8 * y);
            [x, (5.0 * y - 12.0 * z) / 13.0, (12.0 * y + 5.0 * z) / 13.0]
        };
        let points = names.new_to_old().iter().map(|&old| turned(self.points[old as usize])).collect();
        let members = self.members.iter().map(|&v| names.old_to_new()[v as usize]).collect();
        Self { points, members, offsets: self.offsets.clone() }
    }

    fn view(&self) -> PointCliques<'_> {
        PointCliques::new(&self.points, &self.offsets, &self.members).unwrap()
    }

    fn entries(&self, ordering: Ordering) -> u64 {
        fill::factor_entries(&Graph::from_cliques(&self.view()), &order(&self.view(), ordering))
    }
}

/// Name, points, pairs, METIS's least and median.
fn rows() -> Vec<(&'static str, [u64; 4])> {
    let lines = COUNTS.lines().filter(|line| !line.starts_with('#')).skip(1);
    let row = |line: &'static str| {
        let (name, numbers) = line.split_once(',').unwrap();
        let numbers: Vec<u64> = numbers.split(',').map(|x| x.parse().unwrap()).collect();
        (name, [numbers[0], numbers[1], numbers[2], numbers[3]])
    };
    lines.map(row).collect()
}

#[test]
fn the_counts_are_of_these_meshes() {
    assert_eq!(rows().len(), 4);
    for (name, [points, pairs, ..]) in rows() {
        let tets = Tets::of(&mesh(name));
        let graph = Graph::from_cliques(&tets.view());
        assert_eq!((graph.vertex_count() as u64, graph.edge_count() as u64), (points, pairs), "{name}");
    }
}

#[test]
fn best_and_default_are_below_the_median_of_metis() {
    for (name, [.., median]) in rows() {
        let tets = Tets::of(&mesh(name));
        for ordering in [Ordering::Default, Ordering::Best] {
            let entries = tets.entries(ordering);
            assert!(entries <= median, "{name}, {ordering:?}: {entries} of {median}");
        }
    }
}

#[test]
fn best_is_below_the_median_of_metis_when_nothing_is_aligned_or_in_order() {
    for (name, [.., median]) in rows() {
        let entries = Tets::of(&mesh(name)).disguised(7).entries(Ordering::Best);
        assert!(entries <= median, "{name}: {entries} of {median}");
    }
}

#[test]
fn a_layer_of_elements_as_separator_is_not_enough() {
    // the bar is not met by any dissection: the simple one, whose separators are twice as thick, is far above it
    for (name, [.., least, _]) in rows() {
        let simple = Tets::of(&mesh(name)).entries(Ordering::Simple);
        assert!(simple * 10 > least * 13, "{name}: {simple} of {least}");
    }
}
