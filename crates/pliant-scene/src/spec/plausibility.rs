//! Values that are allowed but look like a slip of units. They give warnings, never errors.

use super::{Material, Mesh, Motion, Scene};
use crate::diagnostic::{Problem, Source};
use std::ops::Range;

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

/// Values of a scene that look like a slip of units.
pub fn warnings(scene: &Scene) -> Vec<Warning> {
    let mut found = Vec::new();
    for (name, value) in &scene.material {
        material(name, value, &mut found);
    }
    gravity(scene, &mut found);
    for (name, body) in &scene.body {
        if let Mesh::Shape(shape) = &*body.mesh {
            let (extent, span) = shape.extent();
            found.extend(size_warning(name, extent, span));
        }
    }
    scripts(scene, &mut found);
    found.sort_by_key(|warning| warning.span.start);
    found
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
    // aerogel aside, foams have 10 kg/m^3 and osmium 22600 kg/m^3
    let density = material.density.si();
    if density < 10.0 {
        let message = format!(
            "density of material \"{name}\" is {density} kg/m^3: it looks wrong by 10^3; \
             density {density} looks like g/cm^3: write \"{density} g/cm^3\""
        );
        warn(message, material.density.span());
    } else if density > 30_000.0 {
        let message = format!(
            "density of material \"{name}\" is {density} kg/m^3, heavier than any metal: it looks wrong by 10^3"
        );
        warn(message, material.density.span());
    }
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
    let longest = extent.into_iter().fold(0.0, f64::max);
    let shortest = extent.into_iter().fold(f64::INFINITY, f64::min);
    let message = if longest > 100.0 {
        format!(
            "body \"{body}\" is {longest} m long: it looks wrong by 10^3; \
             bare numbers are metres, and {longest} mm are {} m",
            longest * 1e-3
        )
    } else if shortest < 10e-6 {
        format!("body \"{body}\" is only {shortest:e} m thick: it looks wrong by 10^3")
    } else {
        return None;
    };
    Some(Warning { message, span })
}
