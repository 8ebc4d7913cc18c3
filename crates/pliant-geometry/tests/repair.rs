//! Elements turned at random come back; what no turning mends is left and told.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use pliant_geometry::{
    BoxElement, Group, Mesh, ShapeElement, Sphere, Torus, box_mesh, orientation, reoriented, surface_check,
    surface_mesh,
};

fn with(mesh: &Mesh, tets: Vec<[u32; 4]>, hexes: Vec<[u32; 8]>, triangles: Vec<[u32; 3]>) -> Mesh {
    Mesh::new(mesh.positions().to_vec(), tets, hexes, triangles, mesh.groups().clone()).unwrap()
}

fn sheet(positions: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Mesh {
    Mesh::new(positions, vec![], vec![], triangles, BTreeMap::new()).unwrap()
}

fn ball() -> Mesh {
    surface_mesh(&Sphere { radius: 1.0, cells: 3, element: ShapeElement::Hex }.mesh().unwrap()).unwrap().mesh
}

/// Every third triangle turned.
fn muddled(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut triangles = triangles.to_vec();
    triangles.iter_mut().step_by(3).for_each(|t| t.swap(1, 2));
    triangles
}

#[test]
fn reversed_cells_are_turned_and_groups_stay() {
    for element in [BoxElement::Tet5, BoxElement::Tet6, BoxElement::Hex] {
        let mesh = box_mesh([1.0, 2.0, 3.0], [3, 4, 5], element).unwrap();
        let (mut tets, mut hexes) = (mesh.tets().to_vec(), mesh.hexes().to_vec());
        tets.iter_mut().step_by(7).for_each(|tet| tet.swap(0, 1));
        hexes.iter_mut().step_by(7).for_each(|hex| *hex = [1, 0, 3, 2, 5, 4, 7, 6].map(|i| hex[i]));
        let groups = BTreeMap::from([
            ("some".to_owned(), Group { nodes: vec![3, 1], ..Group::default() }),
            ("none".to_owned(), Group::default()),
        ]);
        let wrong = Mesh::new(mesh.positions().to_vec(), tets, hexes, vec![], groups.clone()).unwrap();
        let (right, report) = reoriented(wrong.clone());
        assert_eq!(report.turned(), mesh.cell_count().div_ceil(7), "{element:?}");
        assert_eq!(report.tets > 0, element != BoxElement::Hex);
        assert!(report.is_complete() && orientation(&right).is_empty(), "{element:?}");
        assert!((right.volume() - 6.0).abs() < 1e-13, "{element:?}");
        assert_eq!(right.groups(), &groups);
        assert_eq!(right.positions(), wrong.positions());
        // nothing is left to do
        let (again, nothing) = reoriented(right.clone());
        assert_eq!((again, nothing.turned()), (right, 0));
    }
}

#[test]
fn a_mirrored_mesh_is_turned_whole() {
    let mesh = box_mesh([1.0; 3], [2, 3, 4], BoxElement::Hex).unwrap();
    let mirrored = mesh.transformed(|[x, y, z]| [-x, y, z]).unwrap();
    let (right, report) = reoriented(mirrored);
    assert_eq!((report.hexes, report.is_complete()), (24, true));
    assert!(orientation(&right).is_empty());
}

#[test]
fn folded_and_flat_cells_are_left_with_their_place() {
    let cubes = box_mesh([2.0, 1.0, 1.0], [2, 1, 1], BoxElement::Hex).unwrap();
    let mut hexes = cubes.hexes().to_vec();
    // two corners of the second cube swapped
    hexes[1].swap(0, 1);
    let (left, report) = reoriented(with(&cubes, vec![], hexes.clone(), vec![]));
    assert_eq!((left.hexes(), report.turned(), report.folded_hexes.count), (&hexes[..], 0, 1));
    let place = report.folded_hexes.first.unwrap();
    assert_eq!((place.element, place.position), (1, [1.5, 0.5, 0.5]));

    let corner = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
    let flat = Mesh::new(corner.to_vec(), vec![[0, 1, 2, 3]], vec![], vec![], BTreeMap::new()).unwrap();
    let (_, report) = reoriented(flat);
    assert_eq!((report.flat_tets.count, report.is_complete()), (1, false));
    assert_eq!(report.flat_tets.first.unwrap().position, [0.5, 0.5, 0.0]);
}

#[test]
fn triangles_on_the_boundary_of_cells_are_turned_outward() {
    for element in [ShapeElement::Tet, ShapeElement::Hex] {
        let ball = Sphere { radius: 1.0, cells: 2, element }.mesh().unwrap();
        let skin = surface_mesh(&ball).unwrap();
        let outward: Vec<[u32; 3]> =
            skin.mesh.triangles().iter().map(|t| t.map(|n| skin.node_origin[n as usize])).collect();
        let mut wrong = muddled(&outward);
        // one that lies inside has no outside
        let [a, b, c] = [0, 1, 2].map(|i| ball.cell_nodes(0)[i]);
        wrong.push([a, b, c]);
        let (right, report) =
            reoriented(with(&ball, ball.tets().to_vec(), ball.hexes().to_vec(), wrong.clone()));
        assert_eq!(report.triangles, outward.len().div_ceil(3), "{element:?}");
        assert_eq!(right.triangles().split_last().unwrap(), (&[a, b, c], &outward[..]), "{element:?}");
    }
}

#[test]
fn closed_shells_are_made_to_agree_and_face_outward() {
    let (ball, ring) = (ball(), Torus { radius: 5.0, tube: 1.0, sections: 12, rim: 7 }.mesh().unwrap());
    let ring = surface_mesh(&ring).unwrap().mesh;
    let offset = ball.node_count() as u32;
    let positions: Vec<[f64; 3]> = [ball.positions(), ring.positions()].concat();
    let shifted = ring.triangles().iter().map(|t| t.map(|n| n + offset));
    let outward: Vec<[u32; 3]> = ball.triangles().iter().copied().chain(shifted).collect();
    // the ball is turned inside out, the ring muddled
    let mut wrong = muddled(&outward);
    let inside_out = outward.iter().map(|&[a, b, c]| [a, c, b]).take(ball.triangles().len());
    wrong.splice(..ball.triangles().len(), inside_out);
    let (right, report) = reoriented(sheet(positions, wrong));
    assert!(right.triangles() == outward && report.is_complete());
    assert!(report.triangles > ball.triangles().len(), "{report:?}");
}

fn turned(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    triangles.iter().map(|&[a, b, c]| [a, c, b]).collect()
}

/// Surfaces side by side in one mesh, without shared nodes.
fn together(surfaces: &[Mesh]) -> Mesh {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for surface in surfaces {
        let offset = positions.len() as u32;
        positions.extend_from_slice(surface.positions());
        triangles.extend(surface.triangles().iter().map(|t| t.map(|n| n + offset)));
    }
    sheet(positions, triangles)
}

/// A ball's surface of this radius, facing inward if it is negative.
fn shell(radius: f64) -> Mesh {
    let skin = ball().scaled(radius.abs()).unwrap();
    if radius < 0.0 { with(&skin, vec![], vec![], turned(skin.triangles())) } else { skin }
}

/// A box from `min`, facing outward.
fn cuboid(min: [f64; 3], size: [f64; 3], cells: [usize; 3]) -> Mesh {
    let cells = box_mesh(size, cells, BoxElement::Hex).unwrap();
    let skin = surface_mesh(&cells).unwrap().mesh;
    skin.transformed(|p| std::array::from_fn(|k| p[k] + min[k])).unwrap()
}

/// By the divergence theorem, m^3.
fn enclosed(mesh: &Mesh) -> f64 {
    let cone = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|n| mesh.positions()[n as usize]);
        a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
    };
    mesh.triangles().iter().map(cone).sum::<f64>() / 6.0
}

/// The repair of `wrong` is `right`, which is sound and stays; the number of triangles turned.
fn repaired_into(wrong: &Mesh, right: &Mesh) -> usize {
    let (mesh, report) = reoriented(wrong.clone());
    assert!(mesh == *right && report.is_complete(), "{report:?}");
    assert_eq!(surface_check(&mesh).inside_out_shells.count, 0);
    let (again, nothing) = reoriented(mesh);
    assert_eq!((again == *right, nothing.turned()), (true, 0));
    report.triangles
}

#[test]
fn the_skin_of_a_cavity_faces_inward() {
    let (right, wrong) = (together(&[shell(1.0), shell(-0.5)]), together(&[shell(1.0), shell(0.5)]));
    assert_eq!(repaired_into(&right, &right), 0);
    // exactly the inner one is turned, in whichever order the two come
    assert_eq!(repaired_into(&wrong, &right), ball().triangles().len());
    let swapped = [together(&[shell(0.5), shell(-1.0)]), together(&[shell(-0.5), shell(1.0)])];
    assert_eq!(repaired_into(&swapped[0], &swapped[1]), 2 * ball().triangles().len());
    // V_outer - V_inner, and the inner one is half as wide
    let solid = enclosed(&shell(1.0));
    assert!((enclosed(&reoriented(wrong).0) - solid * (1.0 - 0.125)).abs() < 1e-12 * solid);
}

#[test]
fn a_muddled_hollow_ball_with_a_ball_inside_faces_out_in_out() {
    let right = together(&[shell(-0.6), shell(0.3), shell(1.0)]);
    assert_eq!(repaired_into(&right, &right), 0);
    let wrong = sheet(right.positions().to_vec(), muddled(&turned(right.triangles())));
    // all were turned and then every third back
    assert_eq!(repaired_into(&wrong, &right), 3 * ball().triangles().len() * 2 / 3);
}

#[test]
fn shells_in_the_hole_of_a_ring_or_beside_each_other_face_outward() {
    let ring =
        surface_mesh(&Torus { radius: 2.0, tube: 1.0, sections: 24, rim: 12 }.mesh().unwrap()).unwrap().mesh;
    // the box of the ring holds the ball, the ring does not
    let beside = shell(1.0).transformed(|[x, y, z]| [x + 9.0, y, z]).unwrap();
    let right = together(&[ring.clone(), shell(0.5), beside.clone()]);
    assert_eq!(repaired_into(&right, &right), 0);
    let wrong = together(&[ring, shell(-0.5), beside]);
    assert_eq!(repaired_into(&wrong, &right), ball().triangles().len());
}

#[test]
fn shells_that_touch_are_inside_or_outside_by_their_bulk() {
    // a cavity flush with three walls, with nodes at the same places
    let room = cuboid([0.0; 3], [1.0; 3], [2, 2, 2]);
    let corner = cuboid([0.0; 3], [0.5; 3], [1, 1, 1]);
    let cavity = with(&corner, vec![], vec![], turned(corner.triangles()));
    let (wrong, right) =
        (together(&[room.clone(), corner.clone()]), together(&[room.clone(), cavity.clone()]));
    assert_eq!(repaired_into(&wrong, &right), 12);
    // a node in common: tetrahedra from one corner, the inner one within the other
    let points = |s: f64| [[s, 0.1 * s, 0.1 * s], [0.1 * s, s, 0.1 * s], [0.1 * s, 0.1 * s, s]];
    let positions =
        [vec![[0.0; 3]], points(1.0).to_vec(), points(0.4).map(|p| p.map(|x| x + 0.01)).to_vec()].concat();
    let skin = |[a, b, c]: [u32; 3]| [[0, b, a], [0, c, b], [0, a, c], [a, b, c]];
    let [outer, inner] = [[1, 2, 3], [4, 5, 6]].map(skin);
    let right = sheet(positions.clone(), [outer.to_vec(), turned(&inner)].concat());
    assert_eq!(repaired_into(&sheet(positions, [outer, inner].concat()), &right), 4);
    // a block that fills the notch of an L, flush with two walls, is outside
    let slab = box_mesh([1.0, 1.0, 0.5], [2, 2, 1], BoxElement::Hex).unwrap();
    let notched = with(&slab, vec![], slab.hexes()[..3].to_vec(), vec![]);
    let notched = surface_mesh(&notched).unwrap().mesh;
    let notched = sheet(notched.positions().to_vec(), notched.triangles().to_vec());
    let block = cuboid([0.5, 0.5, 0.0], [0.5; 3], [1, 1, 1]);
    let right = together(&[notched, block]);
    assert_eq!(repaired_into(&right, &right), 0);
    assert!((enclosed(&right) - 0.5).abs() < 1e-15);
    // a surface that is there twice
    let right = together(&[shell(1.0), shell(1.0)]);
    assert_eq!(repaired_into(&right, &right), 0);
}

#[test]
fn a_hundred_shells_alternate_and_beyond_two_thousand_none_is_a_cavity() {
    let nested = |count: u32| {
        let block = cuboid([-0.5; 3], [1.0; 3], [1, 1, 1]);
        let sizes = (1..=count).map(|i| block.clone().scaled(f64::from(i)).unwrap());
        together(&sizes.collect::<Vec<_>>())
    };
    // the outermost of 100 is right, every second turned
    assert_eq!(reoriented(nested(100)).1.triangles, 50 * 12);
    assert_eq!(reoriented(nested(2002)).1.triangles, 0);
}

#[test]
fn shells_that_end_at_a_fork_agree_and_are_told() {
    // two boxes with one wall in common, and its four edges shared by three
    let boxes = box_mesh([2.0, 1.0, 1.0], [2, 1, 1], BoxElement::Hex).unwrap();
    let skin = |h: usize| {
        let one = with(&boxes, vec![], vec![boxes.hexes()[h]], vec![]);
        let skin = surface_mesh(&one).unwrap();
        let nodes = |t: &[u32; 3]| t.map(|n| skin.node_origin[n as usize]);
        skin.mesh.triangles().iter().map(nodes).collect::<Vec<_>>()
    };
    let mut triangles = skin(0);
    let sorted = |mut t: [u32; 3]| {
        t.sort_unstable();
        t
    };
    let known: Vec<[u32; 3]> = triangles.iter().copied().map(sorted).collect();
    triangles.extend(skin(1).into_iter().filter(|&t| !known.contains(&sorted(t))));
    triangles[0].swap(1, 2);
    let (_, report) = reoriented(sheet(boxes.positions().to_vec(), triangles));
    // the five walls of either box and the one between them
    assert_eq!((report.forked_shells.count, report.is_complete()), (3, false));
    assert_eq!((report.forked_shells.first.unwrap().element, report.one_sided_shells.count), (0, 0));
}

#[test]
fn an_open_sheet_keeps_the_side_of_most() {
    // a fan of six around node 0, open
    let rim = (0..7).map(|i| (f64::from(i).cos(), f64::from(i).sin()));
    let positions = std::iter::once([0.0; 3]).chain(rim.map(|(x, y)| [x, y, 0.0])).collect();
    let mut fan: Vec<[u32; 3]> = (1..7).map(|i| [0, i, i + 1]).collect();
    let right = fan.clone();
    // the first too, from which the flood starts
    fan[0].swap(1, 2);
    fan[4].swap(1, 2);
    let (mesh, report) = reoriented(sheet(positions, fan));
    assert_eq!((mesh.triangles(), report.triangles), (&right[..], 2));
}

#[test]
fn a_moebius_strip_is_left_and_told() {
    // n rungs; the last square joins the first rung upside down
    let n = 8_u32;
    let strip = (0..n).flat_map(|i| {
        let (a, b) = (2 * i, 2 * i + 1);
        let (c, d) = if i + 1 < n { (a + 2, b + 2) } else { (1, 0) };
        [[a, c, b], [c, d, b]]
    });
    let positions = (0..2 * n).map(|i| [f64::from(i / 2), f64::from(i % 2), f64::from(i * i)]).collect();
    let mesh = sheet(positions, strip.collect());
    let (same, report) = reoriented(mesh.clone());
    assert_eq!((same, report.triangles, report.one_sided_shells.count), (mesh, 0, 1));
    assert_eq!(report.one_sided_shells.first.unwrap().element, 0);
}

#[test]
fn degenerate_meshes_pass_through() {
    let (mesh, report) = reoriented(Mesh::default());
    assert_eq!((mesh, report.turned(), report.is_complete()), (Mesh::default(), 0, true));
    // all nodes at one place, and one that nothing uses
    let point = Mesh::new(
        vec![[1.0; 3]; 9],
        vec![[0, 1, 2, 3]],
        vec![[0, 1, 2, 3, 4, 5, 6, 7]],
        vec![],
        BTreeMap::new(),
    );
    let (mesh, report) = reoriented(point.clone().unwrap());
    assert_eq!((mesh, report.turned()), (point.unwrap(), 0));
    assert_eq!((report.flat_tets.count, report.folded_hexes.count), (1, 1));
    let (_, report) = reoriented(sheet(vec![[1.0; 3]; 4], vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]));
    assert_eq!((report.turned(), report.is_complete()), (0, true));
}
