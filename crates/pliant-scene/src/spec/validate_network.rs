//! Checks of networks of springs and of what they are strung on, that need no mesh.

use super::found::Found;
use super::{Body, Located, Mass, Mesh, Network, NetworkLaw, Rotations, Scene, Shape};
use std::ops::Range;

/// Particles of a table; beyond this a mesh file is the better place.
const MOST_PARTICLES: usize = 100_000;

pub(super) fn network(name: &str, network: &Network, found: &mut Found) {
    let table = format!(" of network \"{name}\"");
    for (key, given) in [("young", network.young.as_ref().map(Located::span))] {
        if let (Some(span), Some(_)) = (given, &network.stiffness) {
            let text = format!("`{key}`{table} beside `stiffness`");
            found.add(span, text, "both say how stiff springs are: leave one out");
        }
    }
    if let Some(stiffness) = &network.stiffness {
        found.positive(&format!("stiffness`{table}"), stiffness);
    }
    if let Some(young) = &network.young {
        found.positive(&format!("young`{table}"), young);
    }
    if let Some(damping) = &network.damping {
        found.not_negative("damping", damping);
    }
    if let Some(relaxation) = &network.relaxation {
        found.not_negative("relaxation", relaxation);
        if network.damping.is_some() {
            let text = format!("`relaxation`{table} beside `damping`");
            found.add(relaxation.span(), text, "both say how springs are damped: leave one out");
        }
    }
    found.not_negative("drag", &network.drag);
    found.not_negative("angle", &network.angle);
    found.not_negative("bend", &network.bend);
    if let Some(mass) = &network.mass {
        found.positive(&format!("mass`{table}"), mass);
    }
    if let Some(density) = &network.density {
        found.positive(&format!("density`{table}"), density);
        if network.mass.is_some() {
            let text = format!("`density`{table} beside `mass`");
            found.add(density.span(), text, "both say what it weighs: leave one out");
        }
    }
    warp(&table, network, found);
}

fn warp(table: &str, network: &Network, found: &mut Found) {
    let Some(warp) = &network.warp else { return };
    if network.law != NetworkLaw::Warped {
        let text = format!("`warp`{table} has no meaning with law = \"{}\"", network.law.word());
        found.add(warp.span(), text, "leave it out, or use law = \"warped\"");
    } else if warp.field.is_some() && warp.rotations == Rotations::Body {
        let text = format!("`warp.field`{table} has no meaning with rotations = \"body\"");
        found.add(warp.span(), text, "leave it out: the whole body has one rotation, from all its nodes");
    }
}

/// Whether a body has a material or a network, and a mesh that goes with it.
pub(super) fn made_of(name: &str, body: &Body, scene: &Scene, found: &mut Found) {
    match (&body.material, &body.network) {
        (None, None) => {
            let text = format!("missing key `material` in [body.{name}]");
            let help =
                "add material = \"NAME\" with a [material.NAME], or network = \"NAME\" with a [network.NAME]";
            found.add(body.mesh.span(), text, help);
        }
        (Some(_), Some(network)) => {
            let text = format!("body \"{name}\" has both `material` and `network`");
            found.add(network.span(), text, "a body has elements or springs: leave one out");
        }
        (Some(material), None) => {
            found.reference("material", material, scene.material.keys());
            if let Some(what) = without_cells(&body.mesh) {
                let text =
                    format!("body \"{name}\" has a material, but {what} has no volume to fill with it");
                found.add(body.mesh.span(), text, "use `network`, or a solid mesh");
            }
        }
        (None, Some(name_of)) => {
            found.reference("network", name_of, scene.network.keys());
            if let Some(network) = scene.network.get(name_of.as_str()) {
                strung(name, body, network, found);
            }
        }
    }
}

/// What a body without cells is, in words.
fn without_cells(mesh: &Mesh) -> Option<&'static str> {
    match mesh {
        Mesh::Shape(Shape::Grid { .. }) => Some("a grid"),
        Mesh::Particles { .. } => Some("a table of particles"),
        _ => None,
    }
}

/// A network on the mesh of a body.
fn strung(name: &str, body: &Body, network: &Network, found: &mut Found) {
    let flat = without_cells(&body.mesh);
    let no_volume = |key: &str, span: Range<usize>, help: &str, found: &mut Found| {
        if let Some(what) = flat {
            let text = format!("`{key}` asks for a volume, but body \"{name}\" is {what}");
            found.add(span, text, help);
        }
    };
    if let Some(young) = &network.young {
        no_volume("young", young.span(), "give `stiffness`, in N/m", found);
    }
    if let Some(density) = &network.density {
        no_volume("density", density.span(), "give `mass`, in kg", found);
    }
    let grid = matches!(&*body.mesh, Mesh::Shape(Shape::Grid { .. }));
    for (key, value) in [("angle", &network.angle), ("bend", &network.bend)] {
        if value.si() > 0.0 && !grid {
            let text = format!("`{key}` is for grids, and body \"{name}\" has no cells in a plane");
            found.add(value.span(), text, "leave it out, or use mesh = { shape = \"grid\", ... }");
        }
    }
    let place = body.mesh.span();
    if network.mass.is_none() && network.density.is_none() {
        let help = if flat.is_some() {
            "add mass = \"0.2 kg\""
        } else {
            "add mass = \"0.2 kg\" or density = \"1000 kg/m^3\""
        };
        found.add(place.clone(), format!("the network of body \"{name}\" has no mass"), help);
    }
    let all_given = |mesh: &Mesh| match mesh {
        Mesh::Particles { springs, .. } => springs.iter().all(|row| row.0.stiffness.is_some()),
        _ => false,
    };
    if network.stiffness.is_none() && network.young.is_none() && !all_given(&body.mesh) {
        let text = format!("the network of body \"{name}\" does not say how stiff its springs are");
        found.add(place, text, "add stiffness = \"50 N/m\"");
    }
    if *body.mass == Mass::Consistent {
        let text = format!("body \"{name}\" is a network, whose particles have masses of their own");
        found.add(body.mass.span(), text, "leave `mass` out");
    }
    if let Some(initial) = body.initial.first() {
        let text = format!("body \"{name}\" is a network and takes no initial strain or stress");
        found.add(
            initial.region.span(),
            text,
            "give springs a `length` of their own in a table of particles",
        );
    }
}

/// A table of particles and springs.
pub(super) fn particles(mesh: &Mesh, found: &mut Found) {
    let Mesh::Particles { particles, springs } = mesh else { return };
    let count = particles.len();
    if !(1..=MOST_PARTICLES).contains(&count) {
        let text = format!("`particles` has {count} entries");
        found.add(particles.span(), text, format!("give 1 to {MOST_PARTICLES} places [x, y, z]"));
    }
    for row in springs.iter() {
        let [a, b] = row.0.between;
        if a.max(b) as usize >= count || a == b {
            let text = format!("a spring joins particles {a} and {b}");
            let help = match a == b {
                true => "a spring needs two of them".into(),
                false => format!("they are numbered 0 to {}", count.max(1) - 1),
            };
            found.add(springs.span(), text, help);
        }
        if let Some(stiffness) = &row.0.stiffness {
            found.not_negative("stiffness", stiffness);
        }
        if let Some(damping) = &row.0.damping {
            found.not_negative("damping", damping);
        }
        if let Some(length) = &row.0.length {
            found.not_negative("length", length);
        }
    }
}
