//! The pre-flight look at a mesh: what is wrong with it, where, and what would help.

mod cells;
mod connection;
mod surface;

use pliant_geometry::{Group, Mesh, QualityReport, SurfaceCheck, Tally, quality_report, surface_check};
use serde::Serialize;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It cannot be simulated.
    Error,
    /// It can, but probably it is not meant.
    Warning,
}

/// What kind of thing was found; a fixed word for programs that read the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// Nothing to simulate.
    NoElements,
    /// Elements turned inside out, folded or without volume.
    Inverted,
    /// Hexahedra folded at a corner only.
    Folded,
    /// Elements of poor shape.
    Slivers,
    /// Parts that share no node.
    Disconnected,
    /// Parts that share nodes or edges only.
    WeakJoint,
    /// Nodes of no element.
    Orphans,
    /// Several nodes at one place.
    CoincidentNodes,
    /// Elements that overlap.
    Overlap,
    /// A size that looks wrong by 10^3.
    Units,
    /// A surface with holes.
    OpenSurface,
    /// Edges of more than two triangles.
    ForkedEdges,
    /// Neighbouring triangles that face opposite sides, or a surface that is inside out.
    Winding,
    /// Triangles without area, or there twice.
    BadTriangles,
}

/// Where something is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FindingPlace {
    /// What the number counts: "element", "node" or "triangle", from 0.
    pub what: &'static str,
    /// Its number.
    pub number: u32,
    /// Its middle, m.
    pub position: [f64; 3],
}

/// One thing found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeshFinding {
    /// How bad.
    pub severity: Severity,
    /// What kind.
    pub kind: FindingKind,
    /// How many.
    pub count: usize,
    /// The first of them, or the worst.
    pub place: Option<FindingPlace>,
    /// What and where, in words.
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
    /// Surface triangles that the file brought.
    pub triangles: usize,
    /// Rest volume, m^3.
    pub volume: f64,
    /// Size of the bounding box, m.
    pub size: [f64; 3],
    /// Shapes of the cells; none without cells.
    pub quality: Option<QualityReport>,
    /// The surface of a mesh that is only a surface.
    pub surface: Option<SurfaceCheck>,
    /// Named groups.
    pub groups: Vec<GroupReport>,
    /// What was found.
    pub findings: Vec<MeshFinding>,
}

/// How large a group is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GroupReport {
    /// Its name.
    pub name: String,
    /// Nodes of it and of its elements.
    pub nodes: usize,
    /// Tetrahedra and hexahedra.
    pub elements: usize,
    /// Surface triangles.
    pub triangles: usize,
}

impl MeshReport {
    /// Whether it cannot be simulated.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|f| f.severity == Severity::Error)
    }

    /// Worst cell quality, 0 to 1; none without cells.
    pub fn worst_quality(&self) -> Option<f64> {
        self.quality.as_ref().map(|quality| quality.minimum)
    }
}

/// How many of the worst cells a report lists.
const WORST_CELLS: usize = 10;

/// Examines a mesh.
pub fn inspect(name: &str, mesh: &Mesh) -> MeshReport {
    let mut findings = Vec::new();
    let surface = (mesh.cell_count() == 0 && !mesh.triangles().is_empty()).then(|| surface_check(mesh));
    if mesh.cell_count() == 0 {
        let message = match mesh.triangles().len() {
            0 => "the mesh has no tetrahedra and no hexahedra".into(),
            n => format!("the mesh is a surface of {n} triangles, without tetrahedra or hexahedra"),
        };
        findings.push(MeshFinding::error(FindingKind::NoElements, message, NEEDS_CELLS));
    }
    if let Some(found) = &surface {
        surface::findings(found, &mut findings);
    }
    cells::findings(mesh, &mut findings);
    connection::findings(mesh, &mut findings);
    size_findings(mesh, &mut findings);
    MeshReport {
        name: name.to_string(),
        nodes: mesh.node_count(),
        tets: mesh.tets().len(),
        hexes: mesh.hexes().len(),
        triangles: mesh.triangles().len(),
        volume: mesh.volume(),
        size: mesh.bounds().map_or([0.0; 3], |b| b.size()),
        quality: quality_report(mesh, WORST_CELLS),
        surface,
        groups: mesh.groups().iter().map(|(name, group)| group_report(mesh, name, group)).collect(),
        findings,
    }
}

fn group_report(mesh: &Mesh, name: &str, group: &Group) -> GroupReport {
    GroupReport {
        name: name.to_owned(),
        nodes: group.member_nodes(mesh).len(),
        elements: group.cells(mesh).len(),
        triangles: group.triangles.len(),
    }
}

/// Soft bodies are rarely larger, and organs in millimetres always are, m.
const LARGE: f64 = 10.0;
/// Nor are they smaller than this, m.
const SMALL: f64 = 1e-4;

const NEEDS_CELLS: &str =
    "Pliant simulates volumes: mesh the inside of the surface first, for example with Gmsh";

impl MeshFinding {
    fn error(kind: FindingKind, message: String, way_out: &str) -> Self {
        Self { severity: Severity::Error, kind, count: 1, place: None, message, way_out: way_out.into() }
    }

    fn warning(kind: FindingKind, message: String, way_out: &str) -> Self {
        Self { severity: Severity::Warning, ..Self::error(kind, message, way_out) }
    }

    /// With how many there are and where the first is.
    fn at(self, count: usize, place: FindingPlace) -> Self {
        Self { count, place: Some(place), ..self }
    }
}

impl FindingPlace {
    fn of_cell(mesh: &Mesh, cell: u32) -> Self {
        Self { what: "element", number: cell, position: mesh.cell_centroid(cell as usize) }
    }

    /// The first place of a tally.
    fn first(what: &'static str, tally: &Tally) -> Option<Self> {
        tally.first.map(|place| Self { what, number: place.element, position: place.position })
    }

    /// `element 5 at (0.1, 0.2, 0.3) m`.
    fn text(&self) -> String {
        format!("{} {} at {}", self.what, self.number, crate::shown_place(self.position))
    }
}

fn size_findings(mesh: &Mesh, out: &mut Vec<MeshFinding>) {
    let Some(bounds) = mesh.bounds() else { return };
    let diagonal = bounds.diagonal();
    if !diagonal.is_finite() || !mesh.volume().is_finite() {
        let message = "the mesh is too large for numbers".into();
        out.push(MeshFinding::error(FindingKind::Units, message, "check its coordinates and `scale`"));
    } else if diagonal > LARGE {
        let message = format!("the mesh is {diagonal:.3} m large, which looks wrong by 10^3");
        let way_out = "if the file is in millimetres, say scale = \"1 mm\" in the scene, or --scale \"1 mm\" on the command line";
        out.push(MeshFinding::warning(FindingKind::Units, message, way_out));
    } else if diagonal < SMALL {
        let message = format!("the mesh is {diagonal:.3e} m large, which looks wrong by 10^3");
        out.push(MeshFinding::warning(FindingKind::Units, message, "check `scale`"));
    }
}
