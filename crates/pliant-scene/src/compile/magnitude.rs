//! Sizes, places and speeds that doubles do not bear: refused with their line before anything is computed with them.
//!
//! Strains come from differences of positions, which are rounded by 1.1e-16 of their distance from the origin. At 1e9 times a body's
//! size that is 1e-7 of the body, and strains of soft matter just survive; beyond, they do not.

use pliant_geometry::{Bounds, Mesh};

use super::placed_body::PlacedBody;
use crate::diagnostic::Problem;
use crate::spec::{self, Warning};
use crate::units::si_array;

/// How far from the origin a body may be, in its own size.
const FARTHEST: f64 = 1e9;
/// How far it may be without a word: the digits that are left tell strains of 1e-8.
const FAR: f64 = 1e7;
/// Lengths of bodies, m: within, volumes and stiffnesses stay far from what doubles and the files' floats can hold.
const LENGTHS: std::ops::RangeInclusive<f64> = 1e-12..=1e12;
/// The speed of light, m/s.
const LIGHT: f64 = 299_792_458.0;

/// Refuses a mesh that is too large or too small for any number that follows from it.
pub(super) fn size(
    name: &str,
    mesh: &Mesh,
    spec: &spec::Mesh,
    span: std::ops::Range<usize>,
) -> Option<Problem> {
    let extent = mesh.bounds().map_or(0.0, |bounds| bounds.diagonal());
    let span = match spec {
        spec::Mesh::Shape(shape) => shape.extent().1,
        _ => span,
    };
    // a single particle has no size; what overflows is told by the inspection of the mesh
    (extent > 0.0 && extent.is_finite() && !LENGTHS.contains(&extent)).then(|| {
        Problem::new(span, format!("body `{name}` is {extent:.3e} m large")).help(format!(
            "sizes from {:e} to {:e} m can be computed with; bare numbers are metres",
            LENGTHS.start(),
            LENGTHS.end()
        ))
    })
}

/// Refuses or warns of a body so far from the origin that rounding spoils its strains.
pub(super) fn place(body: &PlacedBody, problems: &mut Vec<Problem>, warnings: &mut Vec<Warning>) {
    let (extent, position) = (body.extent(), si_array(&body.spec.position));
    let largest =
        |places: [[f64; 3]; 2]| places.into_iter().flatten().fold(0.0_f64, |most, c| most.max(c.abs()));
    let of_mesh = body.own.bounds().map_or(0.0, |Bounds { min, max }| largest([min, max]));
    let moved = largest([position, position]);
    // where the mesh itself is far away, its own digits are lost already
    let (far, span) = match moved > of_mesh {
        true => (moved, body.spec.position.span()),
        false => (of_mesh, body.spec.mesh.span()),
    };
    if extent <= 0.0 || far <= FAR * extent {
        return;
    }
    let (name, rounding) = (&body.name, f64::EPSILON * far);
    let message = format!(
        "body `{name}` is {far:.1e} m from the origin, {:.0e} times its size: positions there are rounded to {rounding:.1e} m",
        far / extent
    );
    let way_out = "move the scene nearer to the origin; only places relative to each other matter";
    if far > FARTHEST * extent {
        problems.push(Problem::new(span, message).help(format!("{way_out} (at most {FARTHEST:e} sizes)")));
    } else {
        warnings.push(Warning { message: format!("{message}; {way_out}"), span });
    }
}

/// Refuses velocities beyond that of light.
pub(super) fn speed(body: &PlacedBody, problems: &mut Vec<Problem>) {
    let size = |v: [f64; 3]| v.into_iter().fold(0.0_f64, |most, c| most.max(c.abs()));
    let velocity = size(si_array(&body.spec.velocity));
    let rim = size(si_array(&body.spec.angular_velocity)) * body.extent();
    let help = "nothing is faster than light, 3.0e8 m/s; bare numbers are m/s and rad/s";
    if velocity > LIGHT {
        let text = format!("`velocity` of body `{}` is {velocity:.3e} m/s", body.name);
        problems.push(Problem::new(body.spec.velocity.span(), text).help(help));
    }
    if rim > LIGHT {
        let text = format!("`angular_velocity` of body `{}` moves its rim by {rim:.3e} m/s", body.name);
        problems.push(Problem::new(body.spec.angular_velocity.span(), text).help(help));
    }
}
