//! `pliant mesh convert`: read, mend or cut, write.

use pliant_geometry::{Mesh, group_mesh, merged, part, reoriented, surface_mesh, without_orphans};
use pliant_scene::mesh_file::{self, MshEncoding};

use super::{contents, write_and_tell};
use crate::cli::MeshConvert;
use crate::report::{self, Failure};

/// Converts a file; what was changed on the way is told.
pub fn convert(options: &MeshConvert) -> Result<(), Failure> {
    let say = |text: String| {
        if !options.quiet {
            report::line(&text);
        }
    };
    let read = mesh_file::read(&options.file).map_err(input)?;
    say(format!("{}: {}", options.file.display(), contents(&read.mesh)));
    read.notes.iter().for_each(|note| say(format!("  note: {note}")));
    let mesh = mended(read.mesh, options, &say)?;
    let mesh = cut(mesh, options)?;
    let encoding = if options.ascii { MshEncoding::Text } else { MshEncoding::Binary };
    write_and_tell(options.target(), &mesh, encoding)
}

fn input(error: impl std::fmt::Display) -> Failure {
    Failure::Input(error.to_string())
}

/// Scaled, joined and turned as asked for.
fn mended(mut mesh: Mesh, options: &MeshConvert, say: &impl Fn(String)) -> Result<Mesh, Failure> {
    if let Some(scale) = options.scale {
        mesh = mesh.scaled(scale).map_err(input)?;
    }
    if let Some(tolerance) = options.merge {
        let before = mesh.cell_count() + mesh.triangles().len();
        let (joined, report) = merged(mesh, tolerance).map_err(input)?;
        mesh = joined;
        if before > 0 && mesh.cell_count() + mesh.triangles().len() == 0 {
            let message = format!(
                "--merge {tolerance} m leaves no element; use a distance well below the shortest edge"
            );
            return Err(input(message));
        }
        let collapsed = report.collapsed_cells.count + report.collapsed_triangles.count;
        let repeated = report.repeated_cells.count + report.repeated_triangles.count;
        say(format!(
            "  {} nodes joined; {collapsed} elements that collapsed and {repeated} that were there twice removed",
            report.nodes.count
        ));
    }
    if options.repair {
        let (turned, report) = reoriented(mesh);
        mesh = turned;
        say(format!(
            "  {} tetrahedra, {} hexahedra and {} triangles turned",
            report.tets, report.hexes, report.triangles
        ));
        let left = [
            (report.flat_tets, "flat tetrahedra"),
            (report.folded_hexes, "folded hexahedra"),
            (report.one_sided_shells, "one-sided surfaces"),
            (report.forked_shells, "surfaces that end at an edge of more than two triangles"),
        ];
        for (tally, what) in left.iter().filter(|(tally, _)| tally.count > 0) {
            let first = tally.first.map_or([f64::NAN; 3], |place| place.position);
            let (count, first) = (tally.count, pliant_scene::shown_place(first));
            say(format!("  {count} {what} cannot be mended by turning, the first at {first}"));
        }
    }
    Ok(mesh)
}

/// The part, group or surface asked for.
fn cut(mut mesh: Mesh, options: &MeshConvert) -> Result<Mesh, Failure> {
    if let Some(k) = options.part {
        mesh = part(&mesh, k).map_err(input)?.mesh;
    }
    if let Some(name) = &options.group {
        mesh = group_mesh(&mesh, name).map_err(input)?.mesh;
    }
    if options.surface {
        mesh = surface_mesh(&mesh).map_err(input)?.mesh;
    }
    if options.drop_unused {
        mesh = without_orphans(&mesh).mesh;
    }
    Ok(mesh)
}
