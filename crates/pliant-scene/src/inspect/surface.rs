//! Findings about a mesh that is only a surface.

use pliant_geometry::{SurfaceCheck, Tally};

use crate::counted::counted;

use super::{FindingKind, FindingPlace, MeshFinding};

pub(super) fn findings(found: &SurfaceCheck, out: &mut Vec<MeshFinding>) {
    let holes = counted(found.holes, "hole", "holes");
    let open = [format!("open edge around {holes}"), format!("open edges around {holes}")];
    let repair = "`pliant mesh convert IN --repair -o OUT` turns them";
    let merge =
        "`pliant mesh convert IN --merge 1e-6 -o OUT` joins nodes at one place and removes such triangles";
    let close = format!("close them before meshing the inside; if they only look closed: {merge}");
    let list: [(&Tally, FindingKind, [&str; 2], &str); 6] = [
        (&found.free_edges, FindingKind::OpenSurface, [&open[0], &open[1]], &close),
        (
            &found.forked_edges,
            FindingKind::ForkedEdges,
            ["edge with more than two triangles", "edges with more than two triangles"],
            "a surface of a solid has none: remove inner walls",
        ),
        (
            &found.disagreeing_edges,
            FindingKind::Winding,
            ["edge whose two triangles face opposite sides", "edges whose two triangles face opposite sides"],
            repair,
        ),
        (
            &found.inside_out_shells,
            FindingKind::Winding,
            ["closed shell faces into the solid", "closed shells face into the solid"],
            repair,
        ),
        (
            &found.flat_triangles,
            FindingKind::BadTriangles,
            ["triangle without area", "triangles without area"],
            merge,
        ),
        (
            &found.repeated_triangles,
            FindingKind::BadTriangles,
            ["triangle that is there twice", "triangles that are there twice"],
            merge,
        ),
    ];
    for (tally, kind, [one, many], way_out) in list {
        let Some(place) = FindingPlace::first("triangle", tally) else { continue };
        let message = format!("{}; the first is {}", counted(tally.count, one, many), place.text());
        out.push(MeshFinding::warning(kind, message, way_out).at(tally.count, place));
    }
}
