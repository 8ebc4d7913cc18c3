//! Regions to nodes: which nodes of a mesh a `where` selects.

use std::cell::OnceCell;

use pliant_geometry::{Mesh, SurfaceQuery, orphan_nodes};

use crate::diagnostic::Problem;
use crate::nearest::nearest;
use crate::spec::{Located, Region};
use crate::units::si_array;

/// Distances below this fraction of the mesh's extent count as zero: generated coordinates are
/// rounded, and a face at 0.3 m should be found at 0.3.
const ROUNDING: f64 = 1e-9;
/// Default tolerance of a plane, as a fraction of the extent.
const PLANE_TOLERANCE: f64 = 1e-6;

/// The surface of a mesh, found when it is first asked for.
struct Surface<'a> {
    mesh: &'a Mesh,
    found: OnceCell<SurfaceQuery>,
}

impl<'a> Surface<'a> {
    fn of(mesh: &'a Mesh) -> Self {
        Self { mesh, found: OnceCell::new() }
    }

    fn get(&self) -> &SurfaceQuery {
        self.found.get_or_init(|| SurfaceQuery::of(self.mesh))
    }
}

/// Whether a point lies in a region given by its shape; `None` for groups and node lists.
fn holds(region: &Region, (extent, surface): (f64, &Surface), p: [f64; 3]) -> Option<bool> {
    let slack = ROUNDING * extent;
    match region {
        Region::All => Some(true),
        Region::Box(shape) => {
            let (min, max) = (si_array(&shape.min), si_array(&shape.max));
            Some((0..3).all(|c| p[c] >= min[c] - slack && p[c] <= max[c] + slack))
        }
        Region::Sphere(shape) => {
            let center = si_array(&shape.center);
            let distance = (0..3).map(|c| (p[c] - center[c]).powi(2)).sum::<f64>().sqrt();
            Some(distance <= shape.radius.si() + slack)
        }
        Region::Plane(shape) => {
            let (point, normal) = (si_array(&shape.point), si_array(&shape.normal));
            let length = normal.iter().map(|n| n * n).sum::<f64>().sqrt();
            let distance = (0..3).map(|c| (p[c] - point[c]) * normal[c]).sum::<f64>() / length;
            let tolerance = shape.tolerance.map_or(PLANE_TOLERANCE * extent, |t| t.si());
            Some(distance.abs() <= tolerance + slack)
        }
        Region::Deeper(depth) => Some(surface.get().distance(p) > depth.si() - slack),
        Region::Bone(_) | Region::Group(_) | Region::Nodes(_) => None,
    }
}

/// The nodes of a mesh in a region, ascending; those in no element have nothing to hold or load.
pub(super) fn nodes(mesh: &Mesh, region: &Located<Region>) -> Result<Vec<u32>, Problem> {
    let mut nodes = named_nodes(mesh, region)?;
    if mesh.cell_count() == 0 {
        return Ok(nodes); // particles need no element
    }
    let orphans = orphan_nodes(mesh);
    nodes.retain(|n| orphans.binary_search(n).is_err());
    Ok(nodes)
}

fn named_nodes(mesh: &Mesh, region: &Located<Region>) -> Result<Vec<u32>, Problem> {
    let extent = mesh.bounds().map_or(0.0, |b| b.diagonal());
    match &**region {
        Region::Bone(name) => {
            let message = format!("the bone `{name}` is no place here: only a fix takes one");
            Err(Problem::new(region.span(), message).help("select by box, sphere, plane or group instead"))
        }
        Region::Group(name) => group_nodes(mesh, name, region),
        Region::Nodes(list) => {
            let count = mesh.node_count();
            if let Some(bad) = list.iter().find(|n| **n as usize >= count) {
                let message = format!("there is no node {bad}: the mesh has nodes 0 to {}", count.max(1) - 1);
                return Err(Problem::new(region.span(), message));
            }
            let mut nodes = list.clone();
            nodes.sort_unstable();
            nodes.dedup();
            Ok(nodes)
        }
        shape => {
            let surface = Surface::of(mesh);
            let inside =
                |n: &u32| holds(shape, (extent, &surface), mesh.positions()[*n as usize]).unwrap_or(false);
            Ok((0..mesh.node_count() as u32).filter(inside).collect())
        }
    }
}

fn group_nodes(mesh: &Mesh, name: &str, region: &Located<Region>) -> Result<Vec<u32>, Problem> {
    if let Some(group) = mesh.groups().get(name) {
        return Ok(group.member_nodes(mesh));
    }
    let problem = Problem::new(region.span(), format!("the mesh has no group `{name}`"));
    Err(match nearest(name, mesh.groups().keys().map(String::as_str)) {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None if mesh.groups().is_empty() => {
            problem.help("it has no groups at all; select by box or plane instead")
        }
        None => {
            let names: Vec<&str> = mesh.groups().keys().map(String::as_str).collect();
            problem.help(format!("it has {}", names.join(", ")))
        }
    })
}

/// The cells whose centroid lies in a region; for groups and node lists, cells wholly made of them.
pub(super) fn cells(mesh: &Mesh, region: &Located<Region>) -> Result<Vec<usize>, Problem> {
    let extent = mesh.bounds().map_or(0.0, |b| b.diagonal());
    if !matches!(**region, Region::Bone(_) | Region::Group(_) | Region::Nodes(_)) {
        let surface = Surface::of(mesh);
        let inside = |c: &usize| holds(region, (extent, &surface), mesh.cell_centroid(*c)).unwrap_or(false);
        return Ok((0..mesh.cell_count()).filter(inside).collect());
    }
    if let Region::Group(name) = &**region
        && let Some(group) = mesh.groups().get(name)
        && !group.cells(mesh).is_empty()
    {
        return Ok(group.cells(mesh).into_iter().map(|c| c as usize).collect());
    }
    let nodes = nodes(mesh, region)?;
    let inside = |c: &usize| mesh.cell_nodes(*c).iter().all(|n| nodes.binary_search(n).is_ok());
    Ok((0..mesh.cell_count()).filter(inside).collect())
}

/// Where the nearest node to a shape is, to say why nothing was selected.
pub(super) fn nothing_selected(mesh: &Mesh, what: &str, region: &Located<Region>) -> Problem {
    let problem = Problem::new(region.span(), format!("this {what}"));
    match mesh.bounds() {
        Some(b) => problem.help(format!(
            "the mesh spans ({:.4}, {:.4}, {:.4}) to ({:.4}, {:.4}, {:.4}) m in its own coordinates, before position and rotation",
            b.min[0], b.min[1], b.min[2], b.max[0], b.max[1], b.max[2]
        )),
        None => problem,
    }
}
