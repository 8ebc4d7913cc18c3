//! Findings about a mesh that is only a surface.

use pliant_geometry::{SurfaceCheck, Tally};

use super::{FindingKind, FindingPlace, MeshFinding};

pub(super) fn findings(found: &SurfaceCheck, out: &mut Vec<MeshFinding>) {
    let holes = format!("open edges around {} holes", found.holes);
    let repair = "`pliant mesh convert IN --repair -o OUT` turns them";
    let merge =
        "`pliant mesh convert IN --merge 1e-6 -o OUT` joins nodes at one place and removes such triangles";
    let close = format!("close them before meshing the inside; if they only look closed: {merge}");
    let list: [(&Tally, FindingKind, &str, &str); 6] = [
        (&found.free_edges, FindingKind::OpenSurface, &holes, &close),
        (
            &found.forked_edges,
            FindingKind::ForkedEdges,
            "edges with more than two triangles",
            "a surface of a solid has none: remove inner walls",
        ),
        (
            &found.disagreeing_edges,
            FindingKind::Winding,
            "edges whose two triangles face opposite sides",
            repair,
        ),
        (&found.inside_out_shells, FindingKind::Winding, "closed shells face into the solid", repair),
        (&found.flat_triangles, FindingKind::BadTriangles, "triangles without area", merge),
        (&found.repeated_triangles, FindingKind::BadTriangles, "triangles that are there twice", merge),
    ];
    for (tally, kind, what, way_out) in list {
        let Some(place) = FindingPlace::first("triangle", tally) else { continue };
        let message = format!("{} {what}; the first is {}", tally.count, place.text());
        out.push(MeshFinding::warning(kind, message, way_out).at(tally.count, place));
    }
}
