//! The pre-flight look at a mesh: what is wrong with it, where, and what would help.

use pliant_geometry::{
    Mesh, connected_parts, folded_hexes, orientation, orphan_nodes, overshared_faces, quality, slivers,
};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// It cannot be simulated.
    Error,
    /// It can, but probably it is not meant.
    Warning,
}

/// One thing found.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshFinding {
    /// How bad.
    pub severity: Severity,
    /// What and where.
    pub message: String,
    /// What would help.
    pub way_out: String,
}

/// What is known of a mesh.
#[derive(Clone, Debug)]
pub struct MeshReport {
    /// The body's name, or the file's.
    pub name: String,
    /// Node count.
    pub nodes: usize,
    /// Tetrahedra.
    pub tets: usize,
    /// Hexahedra.
    pub hexes: usize,
    /// Rest volume, m^3.
    pub volume: f64,
    /// Size of the bounding box, m.
    pub size: [f64; 3],
    /// Worst cell quality, 0 to 1.
    pub worst_quality: f64,
    /// What was found.
    pub findings: Vec<MeshFinding>,
}

impl MeshReport {
    /// Whether it cannot be simulated.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|f| f.severity == Severity::Error)
    }
}

/// Below this quality a cell is flat: its stable step is useless and its inverse has no digits.
const FLAT: f64 = 1e-4;
/// Below this quality a cell is worth a warning.
const SLIVER: f64 = 0.1;

/// Examines a mesh.
pub fn inspect(name: &str, mesh: &Mesh) -> MeshReport {
    let mut findings = Vec::new();
    if mesh.cell_count() == 0 {
        findings.push(error("the mesh has no tetrahedra and no hexahedra".into(), NEEDS_CELLS));
    }
    orientation_findings(mesh, &mut findings);
    // flat cells are judged only where orientation is sound
    if !findings.iter().any(|f| f.severity == Severity::Error) {
        sliver_findings(mesh, &mut findings);
    }
    connection_findings(mesh, &mut findings);
    size_findings(mesh, &mut findings);
    let worst_quality = (0..mesh.cell_count()).map(|c| quality(mesh, c)).fold(1.0, f64::min);
    MeshReport {
        name: name.to_string(),
        nodes: mesh.node_count(),
        tets: mesh.tets().len(),
        hexes: mesh.hexes().len(),
        volume: mesh.volume(),
        size: mesh.bounds().map_or([0.0; 3], |b| b.size()),
        worst_quality,
        findings,
    }
}

const NEEDS_CELLS: &str =
    "Pliant simulates volumes: mesh the inside of the surface first, for example with Gmsh";

fn error(message: String, way_out: &str) -> MeshFinding {
    MeshFinding { severity: Severity::Error, message, way_out: way_out.into() }
}

fn warning(message: String, way_out: &str) -> MeshFinding {
    MeshFinding { severity: Severity::Warning, message, way_out: way_out.into() }
}

/// `element 5 at (0.1, 0.2, 0.3) m`.
fn place(mesh: &Mesh, cell: u32) -> String {
    let [x, y, z] = mesh.cell_centroid(cell as usize);
    format!("element {cell} at ({x:.4}, {y:.4}, {z:.4}) m")
}

fn orientation_findings(mesh: &Mesh, out: &mut Vec<MeshFinding>) {
    let folded = folded_hexes(mesh);
    let bad: Vec<u32> = orientation(mesh).into_iter().filter(|c| !folded.contains(c)).collect();
    let flat = bad.iter().filter(|c| mesh.cell_volume(**c as usize) == 0.0).count();
    if let Some(first) = bad.first() {
        let (first_place, count, all) = (place(mesh, *first), bad.len(), mesh.cell_count());
        let volume = mesh.cell_volume(*first as usize);
        out.push(match (flat == count, count == all) {
            (true, _) => error(
                format!("{count} of {all} elements have no volume; the first is {first_place}"),
                "remove them, or move one of their nodes off the plane of the others",
            ),
            (false, true) => error(
                format!("all {all} elements are reversed (negative volume); the first is {first_place}"),
                "swap two nodes of every element, or mirror nothing when exporting: node 3 of a tetrahedron lies where the right-hand normal of nodes 0, 1, 2 points",
            ),
            (false, false) => error(
                format!("{count} of {all} elements are inverted or reversed; the first is {first_place}, volume {volume:.3e} m^3"),
                "swap two nodes of these elements; if their shape is folded, mesh again",
            ),
        });
    }
    if let Some(first) = folded.first() {
        out.push(warning(
            format!(
                "{} hexahedra are folded at a corner; the first is {}",
                folded.len(),
                place(mesh, *first)
            ),
            "they can be simulated, but move a node if you can",
        ));
    }
}

fn sliver_findings(mesh: &Mesh, out: &mut Vec<MeshFinding>) {
    let thin = slivers(mesh, SLIVER);
    let worst = thin.iter().min_by(|a, b| a.quality.total_cmp(&b.quality));
    if let Some(worst) = worst {
        let count = thin.len();
        let message = format!(
            "{count} slivers; the worst is {}, quality {:.1e} (1 is best)",
            place(mesh, worst.cell),
            worst.quality
        );
        out.push(if worst.quality < FLAT {
            error(message, "such an element has no usable stiffness or step: improve the mesh")
        } else {
            warning(message, "they shorten the stable step and spoil accuracy: improve the mesh")
        });
    }
}

fn connection_findings(mesh: &Mesh, out: &mut Vec<MeshFinding>) {
    let parts = connected_parts(mesh);
    if parts.count > 1 {
        let counts = parts.cell_counts();
        let second = parts.of_cell.iter().position(|p| *p == 1).unwrap_or(0) as u32;
        out.push(warning(
            format!(
                "the mesh has {} parts that are not connected ({} and {} elements are the largest); the second holds {}",
                parts.count,
                counts[0],
                counts[1],
                place(mesh, second)
            ),
            "they will fall apart: merge duplicate nodes, or make them bodies of their own",
        ));
    }
    let orphans = orphan_nodes(mesh);
    if let Some(first) = orphans.first() {
        out.push(warning(
            format!("{} nodes are in no element, the first is node {first}", orphans.len()),
            "they stay where they are",
        ));
    }
    let overshared = overshared_faces(mesh);
    if let Some(first) = overshared.first() {
        let [x, y, z] = first.center;
        out.push(error(
            format!(
                "elements overlap at {} faces, the first at ({x:.4}, {y:.4}, {z:.4}) m between elements {:?}",
                overshared.len(),
                first.cells
            ),
            "remove the elements that are there twice, or mesh again",
        ));
    }
}

fn size_findings(mesh: &Mesh, out: &mut Vec<MeshFinding>) {
    let Some(bounds) = mesh.bounds() else { return };
    let diagonal = bounds.diagonal();
    if !diagonal.is_finite() || !mesh.volume().is_finite() {
        out.push(error("the mesh is too large for numbers".into(), "check its coordinates and `scale`"));
    } else if diagonal > 100.0 {
        out.push(warning(
            format!("the mesh is {diagonal:.3} m large, which looks wrong by 10^3"),
            "if the file is in millimetres, say scale = \"1 mm\"",
        ));
    } else if diagonal < 1e-4 {
        out.push(warning(
            format!("the mesh is {diagonal:.3e} m large, which looks wrong by 10^3"),
            "check `scale`",
        ));
    }
}
