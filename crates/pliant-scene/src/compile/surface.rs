//! `surface` of a body: read, bound to the cells that hold it, and placed with them.

use std::path::Path;
use std::sync::Arc;

use pliant_geometry::{Embedding, Tally, surface_check};

use super::placed_body::PlacedBody;
use super::read_mesh::read_mesh;
use crate::counted::counted;
use crate::diagnostic::Problem;
use crate::mesh_file::MeshFile;
use crate::spec::{self, Located, Warning};

/// The surface of each body that has one.
pub(super) fn embedded(
    bodies: &[PlacedBody],
    folder: &Path,
    problems: &mut Vec<Problem>,
    warnings: &mut Vec<Warning>,
) -> Vec<Option<Arc<Embedding>>> {
    let mut one = |body: &PlacedBody| {
        let bound = bound(body, body.spec.surface.as_ref()?, folder, warnings);
        bound.map_err(|problem| problems.push(problem)).ok().map(Arc::new)
    };
    bodies.iter().map(&mut one).collect()
}

fn bound(
    body: &PlacedBody,
    surface: &Located<spec::Mesh>,
    folder: &Path,
    warnings: &mut Vec<Warning>,
) -> Result<Embedding, Problem> {
    let MeshFile { mesh, notes } = read_mesh(surface, folder)?;
    let fault = |message: String| {
        let message = format!("the surface of body `{}`: {message}", body.name);
        Problem::new(surface.span(), message)
    };
    // in the mesh's own coordinates, so that a body far from the origin loses no digits
    let embedding = Embedding::bind(&body.own, &mesh).map_err(|e| fault(e.to_string()))?;
    let messages = notes.into_iter().chain(winding(&embedding)).chain(far(&embedding));
    warnings.extend(messages.map(|message| Warning {
        message: format!("the surface of body `{}`: {message}", body.name),
        span: surface.span(),
    }));
    embedding.placed(|point| body.to_world(point)).map_err(|e| fault(e.to_string()))
}

/// Triangles that face the wrong side: they would be drawn dark.
fn winding(embedding: &Embedding) -> Vec<String> {
    let found = surface_check(embedding.surface());
    let repair = "`pliant mesh convert IN --repair -o OUT` turns them";
    let told = |(tally, one, many): (&Tally, &str, &str)| {
        let place = tally.first?.position;
        Some(format!("{}, the first at {}; {repair}", counted(tally.count, one, many), place_text(place)))
    };
    let disagreeing = (
        &found.disagreeing_edges,
        "edge whose two triangles face opposite sides",
        "edges whose two triangles face opposite sides",
    );
    let inside_out =
        (&found.inside_out_shells, "closed shell that faces inward", "closed shells that face inward");
    [disagreeing, inside_out].into_iter().filter_map(told).collect()
}

/// Vertices that hardly belong to the cell that moves them.
fn far(embedding: &Embedding) -> Option<String> {
    let outside = embedding.outside();
    let worst = outside.worst.filter(|_| outside.far > 0)?;
    Some(format!(
        "{} of {} vertices lie far outside the cells that move them, the farthest {:.4} m, at {} beside a cell \
         {:.4} m across; such vertices exaggerate its motion: check `scale` and the surface's coordinates, which are those of `mesh`, \
         or make the mesh larger",
        outside.far,
        embedding.vertex_count(),
        worst.distance,
        place_text(worst.position),
        worst.cell_size
    ))
}

fn place_text([x, y, z]: [f64; 3]) -> String {
    format!("({x:.4}, {y:.4}, {z:.4}) m")
}
