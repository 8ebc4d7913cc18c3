//! [Zhuang 4.1.1.2]: the smallest vertex cover as separator, beside the layer of elements that a plane cuts.
//!
//! ```text
//! |layer| = 2 s^2,   |cover| = s^2   on a grid of s^3 points                                 (1)
//! ```
//!
//! Both of the same plane through the median. The layer is every point of the cut elements; the cover touches every edge
//! that crosses the plane. A matching of the crossing edges pairs the points on both sides, and no cover is smaller
//! than a matching: half of the layer where all are paired, less where some are not.

use std::fmt::Write;

use pliant_geometry::{Cylinder, Mesh, ShapeElement, Sphere, Tube};
use pliant_numerics::ordering::{Bipartite, Graph, PointCliques, Side, simple_sides};

use super::zhuang_grids::Grid;
use super::{Cell, Entry, Figure, Outcome, Reproduction, Table};
use crate::CaseError;

/// The id.
pub const FIGURE: Figure = Figure {
    id: "zhuang-separator",
    title: "a vertex cover separates with about half the points of a layer of elements",
    make,
};

/// What the first dissection of a mesh gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Points of the mesh.
    pub points: usize,
    /// Points of the elements that the plane cuts.
    pub layer: usize,
    /// Points of the smallest vertex cover of the crossing edges.
    pub cover: usize,
    /// Edges that lead from left to right past the layer, and past the cover: none may.
    pub crossings: [usize; 2],
}

/// Dissects a mesh once, in both ways.
pub fn measure(view: &PointCliques) -> Measured {
    let graph = Graph::from_cliques(view);
    let (layer, cover) = (simple_sides(view), cover_sides(view));
    let count = |sides: &[Side]| sides.iter().filter(|s| **s == Side::Separator).count();
    let crossings = |sides: &[Side]| {
        let of = |v: u32| sides[v as usize];
        let left = (0..graph.vertex_count() as u32).filter(|v| of(*v) == Side::Left);
        left.map(|v| graph.neighbors(v).iter().filter(|w| of(**w) == Side::Right).count()).sum()
    };
    Measured {
        points: graph.vertex_count(),
        layer: count(&layer),
        cover: count(&cover),
        crossings: [crossings(&layer), crossings(&cover)],
    }
}

/// The plane of the first dissection, as [`simple_sides`] has it: through the median of the centroids, along the axis that cuts fewest elements.
fn plane(view: &PointCliques) -> (usize, f64) {
    let along = |c: usize, axis: usize| view.clique(c).iter().map(move |v| view.points()[*v as usize][axis]);
    let planes = (0..3).map(|axis| {
        let centroid = |c: usize| along(c, axis).sum::<f64>() / view.clique(c).len() as f64;
        let mut places: Vec<f64> = (0..view.clique_count()).map(centroid).collect();
        let middle = places.len() / 2;
        let (_, &mut place, _) = places.select_nth_unstable_by(middle, f64::total_cmp);
        let is_cut = |c: &usize| along(*c, axis).any(|x| x <= place) && along(*c, axis).any(|x| x >= place);
        ((0..view.clique_count()).filter(is_cut).count(), (axis, place))
    });
    planes.min_by_key(|(count, _)| *count).map_or((0, 0.0), |(_, plane)| plane)
}

/// The sides of that plane, with a smallest vertex cover of the edges that cross it as separator; a point on the plane counts as left.
pub fn cover_sides(view: &PointCliques) -> Vec<Side> {
    let (axis, place) = plane(view);
    let is_left = |v: u32| view.points()[v as usize][axis] <= place;
    let (left, right): (Vec<u32>, Vec<u32>) = (0..view.point_count() as u32).partition(|v| is_left(*v));
    let mut sides = vec![Side::Left; view.point_count()];
    let mut number = vec![0; view.point_count()];
    for (i, v) in (0..).zip(&right) {
        (sides[*v as usize], number[*v as usize]) = (Side::Right, i);
    }
    let graph = Graph::from_cliques(view);
    let mut crossing = Bipartite { start: vec![0], ends: Vec::new(), right_count: right.len() };
    for &v in &left {
        let across = graph.neighbors(v).iter().filter(|w| !is_left(**w));
        crossing.ends.extend(across.map(|w| number[*w as usize]));
        crossing.start.push(crossing.ends.len() as u32);
    }
    let [cover, _] = crossing.smallest_covers();
    let all = left.iter().zip(&cover.left).chain(right.iter().zip(&cover.right));
    all.filter(|(_, covered)| **covered).for_each(|(v, _)| sides[*v as usize] = Side::Separator);
    sides
}

/// The same for the tetrahedra of a mesh.
pub fn measure_tets(mesh: &Mesh) -> Result<Measured, CaseError> {
    let members: Vec<u32> = mesh.tets().iter().flatten().copied().collect();
    let offsets: Vec<u32> = (0..=mesh.tets().len() as u32).map(|t| 4 * t).collect();
    let view = PointCliques::new(mesh.positions(), &offsets, &members);
    let view = view.map_err(|e| CaseError::Data { file: "a mesh".into(), problem: e.to_string() })?;
    Ok(measure(&view))
}

/// Tetrahedral meshes that are dissected, with their names.
fn tets() -> Result<Vec<(&'static str, Mesh)>, CaseError> {
    let element = ShapeElement::Tet;
    Ok(vec![
        ("ball of tetrahedra", Sphere { radius: 1.0, cells: 6, element }.mesh()?),
        ("cylinder of tetrahedra", Cylinder { radius: 0.5, height: 2.0, cells: [6, 16], element }.mesh()?),
        ("ball, made by Gmsh", pliant_scene::mesh_file::read_bytes("SPHERE_tet4.vtk", GMSH)?.mesh),
        (
            "tube of tetrahedra",
            Tube { inner: 0.5, outer: 1.0, height: 3.0, cells: [24, 4, 18], element }.mesh()?,
        ),
    ])
}

/// A ball cut into tetrahedra that nothing aligns.
const GMSH: &[u8] = include_bytes!("../../../pliant-scene/data/reference/SPHERE_tet4.vtk");

/// Layers of points of the grids that are dissected.
const GRIDS: [[usize; 3]; 4] = [[17, 17, 1], [9, 9, 9], [16, 16, 16], [6, 6, 41]];
/// About half, the thesis says.
const HALF: f64 = 0.5;
/// How far a half may be off on meshes that are no grid.
const ABOUT: f64 = 0.15;

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let mut found = Vec::new();
    for layers in GRIDS {
        let [x, y, z] = layers;
        let name = if z == 1 { format!("grid {x} x {y}") } else { format!("grid {x} x {y} x {z}") };
        found.push((name, measure(&Grid::new(layers).view()?), 0.0));
    }
    for (name, mesh) in tets()? {
        found.push((name.to_owned(), measure_tets(&mesh)?, ABOUT));
    }
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Zhuang 2000, section 4.1.1.2, page 66",
        claim: "A smallest vertex cover of the edges that cross the cutting plane is a separator of about half the size of that of the simple \
                algorithm, which takes every node of the elements that the plane cuts.",
        setup: "the first dissection of grids of squares and hexahedra, and of tetrahedral meshes: one plane through the median of the \
                element centroids, along the axis that cuts fewest elements; covers from largest matchings"
            .into(),
        entries: entries(&found),
        tables: vec![table(&found)],
        differs: "The thesis prints no numbers. On grids the ratio is exactly one half: a layer of elements is two layers of points, each of which \
                  covers what crosses, and so it is in meshes that are cut from such layers. In others points of the layer need not be paired across the plane.",
        svg: drawing()?,
    })
}

type Found = [(String, Measured, f64)];

fn entries(found: &Found) -> Vec<Entry> {
    let mut all: Vec<Entry> = found
        .iter()
        .map(|(name, m, within)| {
            let ratio = m.cover as f64 / m.layer as f64;
            let entry =
                Entry::by_theory(&format!("{name}: cover over layer"), "about half", HALF, *within, ratio);
            match entry.outcome {
                Outcome::Differs => entry.but("points of the layer need not be paired across the plane"),
                _ => entry,
            }
        })
        .collect();
    let crossings = found.iter().flat_map(|(_, m, _)| m.crossings).sum::<usize>() as f64;
    all.push(Entry::none("edges from left to right past a separator", "a separator", crossings));
    all
}

fn table(found: &Found) -> Table {
    let row = |(name, m, _): &(String, Measured, f64)| {
        let mut row = vec![Cell::Words(name.clone())];
        row.extend([m.points, m.layer, m.cover].map(|n| Cell::from(n as f64)));
        row.push((m.cover as f64 / m.layer as f64).into());
        row
    };
    Table {
        caption: "points of the first separator",
        columns: vec!["mesh", "points", "layer of elements", "vertex cover", "ratio"],
        rows: found.iter().map(row).collect(),
    }
}

/// A small grid with both separators, after [Zhuang Fig. 4.3].
fn drawing() -> Result<String, CaseError> {
    const SIDE: usize = 9;
    let grid = Grid::new([SIDE, SIDE, 1]);
    let (view, graph) = (grid.view()?, grid.graph()?);
    let pitch = 34.0;
    let mut out = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 400\" font-family=\"system-ui, sans-serif\" font-size=\"14\" \
         fill=\"currentColor\" role=\"img\">\n",
    );
    let both =
        [("layer of cut elements", simple_sides(&view)), ("smallest vertex cover", cover_sides(&view))];
    for (i, (label, sides)) in both.iter().enumerate() {
        let left = 130.0 + 430.0 * i as f64;
        let place = |v: u32| [0, 1].map(|c| [left, 34.0][c] + pitch * grid.points()[v as usize][c]);
        for v in 0..graph.vertex_count() as u32 {
            let [x, y] = place(v);
            for [u, w] in graph.neighbors(v).iter().filter(|w| **w > v).map(|w| place(*w)) {
                let _ = writeln!(
                    out,
                    "<path d=\"M{x:.1} {y:.1}L{u:.1} {w:.1}\" stroke=\"currentColor\" opacity=\"0.22\"/>"
                );
            }
            let (fill, radius) = match sides[v as usize] {
                Side::Separator => ("#c0392b", 7),
                Side::Left => ("#2a7fb8", 4),
                Side::Right => ("#2e8b57", 4),
            };
            let _ = writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\"/>");
        }
        let count = sides.iter().filter(|s| **s == Side::Separator).count();
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"352\" text-anchor=\"middle\" font-weight=\"600\">{label}: {count} points</text>",
            left + 0.5 * pitch * (SIDE - 1) as f64
        );
    }
    out += "<text x=\"480\" y=\"384\" text-anchor=\"middle\" font-size=\"12\" opacity=\"0.75\">red: the separator; blue and green: what it \
            separates; lines: points that share an element</text>\n";
    Ok(out + "</svg>\n")
}
