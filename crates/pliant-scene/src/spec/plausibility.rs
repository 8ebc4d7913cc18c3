//! Values that are allowed but look like a slip of units, or give results that few expect. They give warnings, never errors.

use super::{Carrier, Located, Material, Mesh, Motion, Scene, collider_name};
use crate::diagnostic::{Problem, Source};
use crate::units::{Angle, Density, Dimensionless, Quantity};
use std::ops::Range;

/// Poisson's ratio above which plain elements lock.
pub(super) const LOCKING_POISSON: f64 = 0.45;

/// Something that looks wrong but may be meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// What looks wrong, and what was perhaps meant.
    pub message: String,
    /// Bytes of the file; empty at 0 when the value came from no file.
    pub span: Range<usize>,
}

impl Warning {
    /// `file:line:column: warning: message`.
    pub fn line(&self, source: &Source) -> String {
        Problem::new(self.span.clone(), format!("warning: {}", self.message)).line(source)
    }
}

/// Values of a scene that look like a slip of units, or that elements do not bear; `source` is what it was read from.
pub fn warnings(scene: &Scene, source: &Source) -> Vec<Warning> {
    let mut found = Vec::new();
    for (name, value) in &scene.material {
        material(name, value, &mut found);
        let used = |body: &&super::Body| body.material.as_ref().is_some_and(|m| **m == *name);
        if scene.body.values().any(|body| used(&body)) {
            found.extend(locking(name, value));
        }
    }
    gravity(scene, &mut found);
    for (name, body) in &scene.body {
        if let Mesh::Shape(shape) = &*body.mesh {
            let (extent, span) = shape.extent();
            found.extend(size_warning(name, extent, span));
        }
        for bone in &body.bone {
            let which = bone.name.as_ref().map_or(format!("a bone of body \"{name}\""), |bone| {
                format!("bone \"{}\" of body \"{name}\"", **bone)
            });
            found.extend(bone.density.as_ref().and_then(|density| density_warning(&which, density)));
        }
        let turns = body.fix.iter().filter_map(|fix| match &fix.motion {
            Motion::Carry { turn, .. } => turn.as_ref().map(|turn| &turn.angle),
            _ => None,
        });
        let angles = turns.chain(body.rotation.as_ref().map(|rotation| &rotation.angle));
        found.extend(angles.filter_map(|angle| angle_warning(angle, source)));
    }
    for (index, collider) in scene.collider.iter().enumerate() {
        let name = collider_name(index, collider);
        let angles =
            turn_angle(&collider.carrier).into_iter().chain(collider.shape.rotation().map(|r| &r.angle));
        found.extend(angles.filter_map(|angle| angle_warning(angle, source)));
        found.extend(
            collider.shape.extent().and_then(|(extent, span)| collider_size_warning(&name, extent, span)),
        );
        found.extend(friction_warning(&name, &collider.friction));
    }
    scripts(scene, &mut found);
    found.sort_by_key(|warning| warning.span.start);
    found
}

/// The angle that a script turns a collider by.
fn turn_angle(carrier: &Carrier) -> Option<&Located<Quantity<Angle>>> {
    match carrier {
        Carrier::Script(Motion::Carry { turn, .. }) => turn.as_ref().map(|turn| &turn.angle),
        _ => None,
    }
}

/// Rubber on dry ground has 1, the stickiest pairs some more.
fn friction_warning(collider: &str, friction: &Located<Quantity<Dimensionless>>) -> Option<Warning> {
    let value = friction.si();
    (value > 5.0).then(|| Warning {
        message: format!(
            "friction of collider \"{collider}\" is {value}, more than of any pair: it looks like per cent; write \"{value} %\""
        ),
        span: friction.span(),
    })
}

/// Scripts that end before they have begun, or begin when the run has ended.
fn scripts(scene: &Scene, found: &mut Vec<Warning>) {
    let duration = scene.duration.si();
    for grab in &scene.grab {
        let Some(start) = grab.path.first().map(|entry| entry.time.si()) else { continue };
        let end = grab.release.as_ref().map_or(duration, |release| release.si().min(duration));
        if start >= end {
            let message =
                format!("this grab never acts: its path begins at {start} s and it ends at {end} s");
            found.push(Warning { message, span: grab.path.span() });
        }
    }
    for body in scene.body.values() {
        let carried = body.fix.iter().filter_map(|fix| match &fix.motion {
            Motion::Carry { over, .. } => Some((over, fix.release.as_ref()?)),
            _ => None,
        });
        let grown = body.load.iter().filter_map(|load| Some((load.over.as_ref()?, load.release.as_ref()?)));
        for (over, release) in carried.chain(grown) {
            if release.si() < over.si() {
                let message = format!(
                    "`release` at {} s comes before the end of `over`, {} s",
                    release.si(),
                    over.si()
                );
                found.push(Warning { message, span: release.span() });
            }
        }
    }
}

fn material(name: &str, material: &Material, found: &mut Vec<Warning>) {
    let mut warn = |message: String, span| found.push(Warning { message, span });
    // the softest gels have about 10 Pa, diamond 1.1e12 Pa
    let young = material.young.si();
    if young < 10.0 {
        let message = format!(
            "young of material \"{name}\" is {young} Pa, softer than any gel: it looks wrong by 10^3 or more; \
             write the unit, such as \"{young} kPa\" or \"{young} MPa\""
        );
        warn(message, material.young.span());
    } else if young > 1e12 {
        let message = format!(
            "young of material \"{name}\" is {young:e} Pa, stiffer than diamond: it looks wrong by 10^3 or more"
        );
        warn(message, material.young.span());
    }
    found.extend(density_warning(&format!("material \"{name}\""), &material.density));
}

/// Aerogel aside, foams have 10 kg/m^3 and osmium 22600 kg/m^3.
fn density_warning(of: &str, density: &Located<Quantity<Density>>) -> Option<Warning> {
    let value = density.si();
    let message = if value < 10.0 {
        format!(
            "density of {of} is {value} kg/m^3: it looks wrong by 10^3; \
             density {value} looks like g/cm^3: write \"{value} g/cm^3\""
        )
    } else if value > 30_000.0 {
        format!("density of {of} is {value} kg/m^3, heavier than any metal: it looks wrong by 10^3")
    } else {
        return None;
    };
    Some(Warning { message, span: density.span() })
}

/// Elements that cannot bend without a change of volume.
fn locking(name: &str, material: &Material) -> Option<Warning> {
    let poisson = material.poisson.si();
    (poisson > LOCKING_POISSON).then(|| Warning {
        message: format!(
            "poisson of material \"{name}\" is {poisson}: above {LOCKING_POISSON} these elements lock and are far too stiff (a beam of 10 x 2 x 2 \
             hexahedra bends 0.51, 0.26 and 0.10 of what it should at 0.49, 0.499 and 0.4999); use {LOCKING_POISSON} or less"
        ),
        span: material.poisson.span(),
    })
}

/// Degrees that were written as a bare number.
fn angle_warning(angle: &Located<Quantity<Angle>>, source: &Source) -> Option<Warning> {
    let value = angle.si();
    let written = source.text.get(angle.span()).unwrap_or_default().trim();
    let bare = !written.is_empty() && !written.starts_with(['"', '\'']);
    (bare && value.abs() > std::f64::consts::TAU).then(|| Warning {
        message: format!(
            "angle is {value} rad, {:.1} turns: a bare number is in rad; write \"{value} deg\" for degrees, or \"{value} rad\" if that is meant",
            value.abs() / std::f64::consts::TAU
        ),
        span: angle.span(),
    })
}

fn gravity(scene: &Scene, found: &mut Vec<Warning>) {
    let Some(gravity) = &scene.gravity else { return };
    let size = scene.gravity_si().iter().map(|g| g * g).sum::<f64>().sqrt();
    let message = if (9000.0..=10_000.0).contains(&size) {
        format!("gravity is {size} m/s^2: it looks wrong by 10^3, like mm/s^2; a bare number is m/s^2")
    } else if size > 1000.0 {
        format!("gravity is {size} m/s^2, a hundred times that of the earth or more")
    } else {
        return;
    };
    found.push(Warning { message, span: gravity.span() });
}

/// A body whose extent along x, y and z, in m, looks like a slip of units; for meshes from files too.
pub fn size_warning(body: &str, extent: [f64; 3], span: Range<usize>) -> Option<Warning> {
    extent_warning(&format!("body \"{body}\""), extent, span)
}

/// The same of a collider.
pub fn collider_size_warning(collider: &str, extent: [f64; 3], span: Range<usize>) -> Option<Warning> {
    extent_warning(&format!("collider \"{collider}\""), extent, span)
}

fn extent_warning(what: &str, extent: [f64; 3], span: Range<usize>) -> Option<Warning> {
    let longest = extent.into_iter().fold(0.0, f64::max);
    let shortest = extent.into_iter().fold(f64::INFINITY, f64::min);
    let message = if longest > 100.0 {
        format!(
            "{what} is {longest} m long: it looks wrong by 10^3; \
             bare numbers are metres, and {longest} mm are {} m",
            longest * 1e-3
        )
    } else if shortest < 10e-6 {
        format!("{what} is only {shortest:e} m thick: it looks wrong by 10^3")
    } else {
        return None;
    };
    Some(Warning { message, span })
}
