//! Colliders: where their shapes stand, what carries them, and what of bodies meets them.

use std::path::Path;
use std::sync::Arc;

use pliant_geometry::vector::{cross, norm};
use pliant_geometry::{
    Embedding, Mesh, Tally, TriangleSolid, TriangleSolidError, surface_check, surface_mesh,
};
use pliant_numerics::Mat3;
use pliant_solid::Layout;
use pliant_solid::contact::{Carrier, Collider, ColliderShape, ContactSettings, FineSkin, Response, Skin};

use super::motion::compiled_motion;
use super::placed_body::PlacedBody;
use super::read_mesh::read_mesh;
use crate::counted::counted;
use crate::diagnostic::Problem;
use crate::mesh_file::MeshFile;
use crate::significant::shown_place;
use crate::spec::{self, ContactSurface, Located, Scene, Warning, collider_name, collider_size_warning};
use crate::units::{Length, Quantity, si_array};

type Vec3 = [f64; 3];

/// The colliders of a scene, in its order; surfaces of files are read here.
pub(super) fn colliders(
    scene: &Scene,
    layout: &Layout,
    folder: &Path,
    (problems, warnings): (&mut Vec<Problem>, &mut Vec<Warning>),
) -> Vec<Collider> {
    let mut out = Vec::new();
    for (index, spec) in scene.collider.iter().enumerate() {
        let name = collider_name(index, spec);
        match placed_shape(&name, &spec.shape, (folder, warnings)) {
            Err(problem) => problems.push(problem),
            Ok((shape, axes, origin)) => out.push(Collider {
                name,
                shape,
                axes,
                origin,
                carrier: carrier(&spec.carrier, layout),
                friction: spec.friction.si(),
                thickness: spec.thickness.si(),
                restitution: spec.restitution.as_ref().map(|part| part.si()),
                stiffness: spec.stiffness.as_ref().map(|stiffness| stiffness.si()),
            }),
        }
    }
    out
}

/// How bodies answer them.
pub(super) fn settings(scene: &Scene) -> ContactSettings {
    let rules = &scene.contact;
    ContactSettings {
        response: rules.response.as_ref().map(|response| match **response {
            spec::Response::Constraint => Response::Constraint,
            spec::Response::ConstraintSmooth => Response::Smooth,
            spec::Response::Penalty => Response::Penalty,
        }),
        stiffness: rules.stiffness.as_ref().map(|stiffness| stiffness.si()),
        allow_overlap: rules.allow_overlap,
    }
}

/// What of each body touches: what is seen of it, unless its scene says otherwise.
pub(super) fn skins(bodies: &[PlacedBody], surfaces: &[Option<Arc<Embedding>>]) -> Vec<Skin> {
    let one = |(body, surface): (&PlacedBody, &Option<Arc<Embedding>>)| {
        let by_mesh = body.spec.contact.surface.as_deref() == Some(&ContactSurface::Mesh);
        Skin {
            thickness: body.spec.contact.thickness.si(),
            fine: surface.as_deref().filter(|_| !by_mesh).map(|embedding| FineSkin {
                vertices: (0..embedding.vertex_count() as u32).map(|v| embedding.point(v)).collect(),
                triangles: embedding.surface().triangles().to_vec(),
            }),
        }
    };
    let skins: Vec<Skin> = bodies.iter().zip(surfaces).map(one).collect();
    if skins.iter().all(|skin| *skin == Skin::default()) { Vec::new() } else { skins }
}

fn carrier(spec: &spec::Carrier, layout: &Layout) -> Carrier {
    match spec {
        spec::Carrier::Script(motion) => Carrier::Script(compiled_motion(motion, |center| center)),
        spec::Carrier::Bone(by) => {
            let carries = |bone: &pliant_solid::rigid::Bone| {
                layout.bodies()[bone.body].name == **by.body
                    && by.bone.as_ref().is_none_or(|name| bone.name == name.as_str())
            };
            // the spec has checked that there is one
            Carrier::Bone(layout.bones().iter().position(carries).unwrap_or_default())
        }
    }
}

/// A shape with its axes, column by column, and its origin in the world.
fn placed_shape(
    name: &str,
    spec: &spec::ColliderShape,
    (folder, warnings): (&Path, &mut Vec<Warning>),
) -> Result<(ColliderShape, Mat3<f64>, Vec3), Problem> {
    let turned = |rotation: &Option<spec::Rotation>| {
        rotation.as_ref().map_or(Mat3::identity(), |r| Mat3::rotation(si_array(&r.axis), r.angle.si()))
    };
    Ok(match spec {
        spec::ColliderShape::Plane { point, normal } => {
            (ColliderShape::Plane, axes_along(si_array(normal)), si_array(point))
        }
        spec::ColliderShape::Sphere { center, radius } => {
            (ColliderShape::Sphere { radius: radius.si() }, Mat3::identity(), si_array(center))
        }
        spec::ColliderShape::Capsule { from, to, radius } => {
            let (from, to) = (si_array(from), si_array(to));
            let along: Vec3 = std::array::from_fn(|c| to[c] - from[c]);
            let shape = ColliderShape::Capsule { radius: radius.si(), half: 0.5 * norm(along) };
            (shape, axes_along(along), std::array::from_fn(|c| 0.5 * (from[c] + to[c])))
        }
        spec::ColliderShape::Box { center, size, rotation } => {
            let half = si_array(size).map(|edge| 0.5 * edge);
            (ColliderShape::Box { half }, turned(rotation), si_array(center))
        }
        spec::ColliderShape::Mesh { file, scale, position, rotation } => {
            let surface = closed_surface(name, (file, scale), (folder, warnings))?;
            (solid_of(&surface, file)?, turned(rotation), si_array(position))
        }
    })
}

/// Three axes at right angles, the last of them along a direction: the world's own where that is z.
fn axes_along(direction: Vec3) -> Mat3<f64> {
    let length = norm(direction);
    let z = direction.map(|c| c / length);
    // what is left of the world's axis that is farthest from it
    let far = (0..3).min_by(|a, b| z[*a].abs().total_cmp(&z[*b].abs())).unwrap_or(0);
    let x: Vec3 = std::array::from_fn(|c| f64::from(u8::from(c == far)) - z[far] * z[c]);
    let length = norm(x);
    let x = x.map(|c| c / length);
    Mat3::from_columns([x, cross(z, x), z])
}

/// The surface of a file, if it is closed: else nobody knows what is inside.
fn closed_surface(
    name: &str,
    (file, scale): (&Located<String>, &Located<Quantity<Length>>),
    (folder, warnings): (&Path, &mut Vec<Warning>),
) -> Result<Mesh, Problem> {
    let mesh = spec::Mesh::File { file: file.clone(), scale: scale.clone() };
    let MeshFile { mesh, notes } = read_mesh(&mesh, folder)?;
    let fault = |message: String| Problem::new(file.span(), message);
    let surface = surface_mesh(&mesh).map_err(|e| fault(e.to_string()))?.mesh;
    let noted = notes
        .into_iter()
        .map(|note| Warning { message: format!("collider `{name}`: {note}"), span: file.span() });
    let size = surface.bounds().map(|bounds| std::array::from_fn(|c| bounds.max[c] - bounds.min[c]));
    warnings.extend(noted.chain(size.and_then(|size| collider_size_warning(name, size, file.span()))));
    let found = surface_check(&surface);
    if found.triangles == 0 {
        return Err(
            fault(format!("`{}` has no triangles", **file)).help("give a closed surface of triangles")
        );
    }
    let open: [(&Tally, &str, &str); 2] = [
        (
            &found.free_edges,
            "edge with a triangle on one side only",
            "edges with a triangle on one side only",
        ),
        (&found.forked_edges, "edge of three triangles or more", "edges of three triangles or more"),
    ];
    let first =
        open.into_iter().find_map(|(tally, one, many)| Some((tally.first?, counted(tally.count, one, many))));
    if let Some((place, edges)) = first {
        let message = format!(
            "the surface of `{}` is not closed: it has {edges}, the first at {}",
            **file,
            shown_place(place.position)
        );
        let help = "close its holes, or use a box, sphere or capsule; `pliant check` examines the file";
        return Err(fault(message).help(help));
    }
    if found.disagreeing_edges.count + found.inside_out_shells.count > 0 {
        let message = format!("triangles of `{}` face inward", **file);
        return Err(fault(message).help("`pliant mesh convert IN --repair -o OUT` turns them"));
    }
    Ok(surface)
}

/// What a closed surface surrounds.
fn solid_of(surface: &Mesh, file: &Located<String>) -> Result<ColliderShape, Problem> {
    let solid = TriangleSolid::new(surface.positions().to_vec(), surface.triangles().to_vec());
    let fault = |e: TriangleSolidError| {
        Problem::new(file.span(), format!("the surface of `{}`: {e}", **file)).help(
            "`pliant check` examines the file, and `pliant mesh convert IN --repair -o OUT` repairs some",
        )
    };
    solid.map(|solid| ColliderShape::Mesh(Arc::new(solid))).map_err(fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_at_right_angles_and_the_worlds_where_they_can_be() {
        assert_eq!(axes_along([0.0, 0.0, 2.0]), Mat3::identity());
        for direction in [[0.0, 0.0, -1.0], [1.0, 0.0, 0.0], [0.3, -0.5, 0.2], [1.0, 1.0, 1.0]] {
            let axes = axes_along(direction);
            let product = axes.transpose() * axes;
            assert!((0..9).all(|i| {
                let (r, c) = (i / 3, i % 3);
                (product.0[r][c] - f64::from(u8::from(r == c))).abs() < 1e-15
            }));
            assert!((axes.determinant() - 1.0).abs() < 1e-15, "right-handed");
            let length = norm(direction);
            assert!((0..3).all(|c| (axes.column(2)[c] - direction[c] / length).abs() < 1e-15));
        }
    }
}
