//! Deformed bodies side by side, drawn with the painter's algorithm as plain SVG polygons.
//!
//! Parallel projection; faces far away first. The tint of a face is the volume of the cell behind it, over that at
//! rest. Text takes the colour of its surroundings, so that a page may be light or dark.

use std::collections::BTreeMap;
use std::fmt::Write;

use pliant_geometry::{Mesh, Surface};

use crate::measure::{Vec3, cross, dot};

/// One body.
pub struct Panel<'a> {
    /// First line under it.
    pub label: String,
    /// Second line under it.
    pub note: String,
    /// The mesh at rest; its edges are outlined.
    pub mesh: &'a Mesh,
    /// Where its nodes are.
    pub positions: &'a [Vec3],
    /// Volume over volume at rest, per cell.
    pub ratios: &'a [f64],
}

/// Where the eye is, rad: turned about z from the front, raised above the ground.
#[derive(Clone, Copy)]
pub struct View {
    /// About z.
    pub azimuth: f64,
    /// Above the ground.
    pub elevation: f64,
}

const WIDTH: f64 = 960.0;
const GAP: f64 = 36.0;
const LEGEND: f64 = 64.0;
/// Of a row of bodies.
const TALLEST: f64 = 400.0;
/// A change of volume that a tint shows; where all are smaller there is no scale of tints.
const SEEN: f64 = 0.005;

/// Axes of the picture: right, up, and into it.
struct Axes([Vec3; 3]);

impl Axes {
    fn of(view: View) -> Self {
        let ((sa, ca), (se, ce)) = (view.azimuth.sin_cos(), view.elevation.sin_cos());
        let (right, inward) = ([ca, sa, 0.0], [-sa * ce, ca * ce, -se]);
        Self([right, cross(right, inward), inward])
    }

    fn flat(&self, p: Vec3) -> [f64; 2] {
        [dot(p, self.0[0]), -dot(p, self.0[1])]
    }
}

/// Lowest and highest coordinates of flat points.
fn extent(points: impl Iterator<Item = [f64; 2]>) -> [[f64; 2]; 2] {
    points.fold([[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]], |[low, high], p| {
        [[0, 1].map(|c| low[c].min(p[c])), [0, 1].map(|c| high[c].max(p[c]))]
    })
}

/// The picture of all panels, one scale for all.
pub fn panels(all: &[Panel], view: View) -> String {
    stacked(&[("", all)], view)
}

/// Rows of panels below their titles; one scale for each row, one of tints for all.
pub fn stacked(rows: &[(&str, &[Panel])], view: View) -> String {
    let axes = Axes::of(view);
    let (mut inner, mut top) = (String::new(), 0.0);
    for (title, all) in rows {
        if !title.is_empty() {
            top += 24.0;
            let _ = writeln!(inner, "<text x=\"{GAP}\" y=\"{top:.1}\" font-weight=\"600\">{title}</text>");
        }
        let _ = writeln!(inner, "<g transform=\"translate(0 {top:.1})\">");
        top += row(&mut inner, all, &axes);
        inner += "</g>\n";
    }
    let seen = |p: &Panel| p.ratios.iter().take(p.mesh.cell_count()).any(|r| (r - 1.0).abs() > SEEN);
    if rows.iter().flat_map(|(_, all)| *all).any(seen) {
        legend(&mut inner, top + 24.0);
        top += LEGEND;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {top:.0}\" font-family=\"system-ui, sans-serif\" \
         font-size=\"15\" fill=\"currentColor\" role=\"img\">\n{inner}</svg>\n"
    )
}

/// Panels side by side; gives their height with the words below.
fn row(out: &mut String, all: &[Panel], axes: &Axes) -> f64 {
    let extents: Vec<[[f64; 2]; 2]> = all
        .iter()
        .map(|p| extent(p.positions.iter().chain(p.mesh.positions()).map(|x| axes.flat(*x))))
        .collect();
    let wide: f64 = extents.iter().map(|[low, high]| high[0] - low[0]).sum();
    let low = extents.iter().fold(f64::INFINITY, |low, e| low.min(e[0][1]));
    let high = extents.iter().fold(f64::NEG_INFINITY, |high, e| high.max(e[1][1]));
    let scale = ((WIDTH - GAP * (all.len() + 1) as f64) / wide).min(TALLEST / (high - low));
    let body_height = scale * (high - low);
    let spare = (WIDTH - scale * wide) / (all.len() + 1) as f64;
    let mut left = spare;
    for (panel, [from, to]) in all.iter().zip(&extents) {
        let shift = [left - scale * from[0], GAP - scale * low];
        body(out, panel, axes, |p: [f64; 2]| [0, 1].map(|c| shift[c] + scale * p[c]));
        let middle = left + 0.5 * scale * (to[0] - from[0]);
        let base = body_height + 2.0 * GAP;
        let _ = writeln!(
            out,
            "<text x=\"{middle:.1}\" y=\"{base:.1}\" text-anchor=\"middle\" font-weight=\"600\">{}</text>\
             <text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"13\" opacity=\"0.75\">{}</text>",
            panel.label,
            base + 20.0,
            panel.note
        );
        left += scale * (to[0] - from[0]) + spare;
    }
    body_height + 2.0 * GAP + 44.0
}

/// Faces from far to near, and the outline of the rest shape over them.
fn body(out: &mut String, panel: &Panel, axes: &Axes, to_page: impl Fn([f64; 2]) -> [f64; 2]) {
    let mut faces = Surface::of(panel.mesh).map(|s| s.faces).unwrap_or_default();
    let depth = |nodes: &[u32]| {
        let sum: f64 = nodes.iter().map(|n| dot(panel.positions[*n as usize], axes.0[2])).sum();
        sum / nodes.len() as f64
    };
    // faces that look away are behind others of a closed surface
    faces.retain(|f| dot(f.area_vector(panel.positions), axes.0[2]) < 0.0);
    faces.sort_by(|a, b| depth(b.nodes()).total_cmp(&depth(a.nodes())));
    for face in &faces {
        let normal = face.area_vector(panel.positions);
        let length = dot(normal, normal).sqrt();
        // lit from above the left shoulder
        let light = [-0.35, 0.75, -0.56];
        let facing: f64 = (0..3).map(|k| light[k] * dot(normal, axes.0[k]) / length).sum();
        // little shade, so that the tints stay those of the scale
        let brightness = 0.82 + 0.18 * facing.max(0.0);
        let points: Vec<String> = face
            .nodes()
            .iter()
            .map(|n| {
                let [x, y] = to_page(axes.flat(panel.positions[*n as usize]));
                format!("{x:.1},{y:.1}")
            })
            .collect();
        let [r, g, b] =
            tint(panel.ratios[face.cell as usize]).map(|c| (255.0 * c * brightness).round() as u8);
        let _ = writeln!(
            out,
            "<polygon points=\"{}\" fill=\"rgb({r},{g},{b})\" stroke=\"#1b2733\" stroke-width=\"0.6\" \
             stroke-linejoin=\"round\"/>",
            points.join(" ")
        );
    }
    if panel.positions != panel.mesh.positions() {
        outline(out, panel.mesh, axes, &to_page);
    }
}

/// The edges of the shape at rest: where its surface is sharp, and where it turns away from the eye.
fn outline(out: &mut String, mesh: &Mesh, axes: &Axes, to_page: impl Fn([f64; 2]) -> [f64; 2]) {
    let faces = Surface::of(mesh).map(|s| s.faces).unwrap_or_default();
    let mut normals: BTreeMap<[u32; 2], Vec<Vec3>> = BTreeMap::new();
    for face in &faces {
        let area = face.area_vector(mesh.positions());
        let normal = area.map(|c| c / dot(area, area).sqrt());
        let nodes = face.nodes();
        for (i, &a) in nodes.iter().enumerate() {
            let b = nodes[(i + 1) % nodes.len()];
            normals.entry([a.min(b), a.max(b)]).or_default().push(normal);
        }
    }
    let drawn = |sides: &[Vec3]| match sides {
        [a, b] => dot(*a, *b) < SHARP || dot(*a, axes.0[2]) * dot(*b, axes.0[2]) < -1e-9,
        _ => true,
    };
    for ([a, b], _) in normals.iter().filter(|(_, sides)| drawn(sides)) {
        let [a, b] = [a, b].map(|n| to_page(axes.flat(mesh.positions()[*n as usize])));
        let _ = writeln!(
            out,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"currentColor\" stroke-width=\"1\" \
             stroke-dasharray=\"4 4\" opacity=\"0.45\"/>",
            a[0], a[1], b[0], b[1]
        );
    }
}

/// The cosine between two faces that meet in an edge.
const SHARP: f64 = 0.7;

/// Pale blue for a kept volume, red for twice it, blue for half of it.
fn tint(ratio: f64) -> [f64; 3] {
    // neither warm nor cold where the volume is kept
    let kept = [0.93, 0.93, 0.91];
    let (end, part) = if ratio >= 1.0 {
        ([0.86, 0.24, 0.16], (ratio - 1.0).min(1.0))
    } else {
        ([0.10, 0.30, 0.72], (2.0 * (1.0 - ratio)).min(1.0))
    };
    std::array::from_fn(|c| kept[c] + part.powf(0.7) * (end[c] - kept[c]))
}

/// The scale of tints.
fn legend(out: &mut String, top: f64) {
    let (steps, width) = (30, 8.0);
    let left = 0.5 * (WIDTH - width * f64::from(steps));
    for i in 0..steps {
        let ratio = 0.5 + 1.5 * (f64::from(i) + 0.5) / f64::from(steps);
        let [r, g, b] = tint(ratio).map(|c| (255.0 * c).round() as u8);
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"10\" fill=\"rgb({r},{g},{b})\"/>",
            left + width * f64::from(i),
            width + 0.3
        );
    }
    for (ratio, label) in [(0.5, "0.5"), (1.0, "1"), (1.5, "1.5"), (2.0, "2")] {
        let x = left + width * f64::from(steps) * (ratio - 0.5) / 1.5;
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"11\">{label}</text>",
            top + 24.0
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"12\">cell volume / at rest</text>",
        left - 14.0,
        top + 9.0
    );
}
