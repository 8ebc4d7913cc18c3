//! What methods ask of a model before they take it.

use super::Refusal;
use crate::assembly::Precision;
use crate::contact::Response;
use crate::fix::Fix;
use crate::model::Model;
use crate::rigid::Bone;

/// Refuses single precision, whose forces are too coarse for Newton's method.
pub(super) fn needs_doubles(model: &Model, method: &str) -> Result<(), Refusal> {
    match model.precision() {
        Precision::Double => Ok(()),
        Precision::Single => Err(Refusal {
            what: format!("`{method}` solves equations to more digits than precision = \"single\" has"),
            way_out: "use precision = \"double\"".into(),
        }),
    }
}

/// No method with factors of symmetric matrices, or a balance of energy, takes forces that have neither.
pub(super) fn needs_energy(model: &Model, method: &str) -> Result<(), Refusal> {
    let lacks = format!("which has no energy and no symmetric matrix, as `{method}` needs them");
    refuse_warped(model, &lacks, "use law = \"corotated\"")
}

/// No factor takes a matrix that is not symmetric.
pub(super) fn needs_symmetry(model: &Model) -> Result<(), Refusal> {
    let lacks = "whose matrix is not symmetric, as solver = \"direct\" needs it";
    refuse_warped(model, lacks, "use solver = \"gradients\", or law = \"corotated\"")
}

/// Bones that move by themselves are followed by two methods.
pub(super) fn needs_standing_bones(model: &Model, method: &str) -> Result<(), Refusal> {
    let stands = |bone: &Bone| {
        let holds = |fix: &Fix| fix.release.is_none() && fix.nodes.contains(&bone.first);
        model.fixes().iter().any(holds)
    };
    match model.layout().bones().iter().find(|bone| !stands(bone)) {
        None => Ok(()),
        Some(Bone { name, body, .. }) => Err(Refusal {
            what: format!(
                "bone `{name}` of body `{}` moves by itself, which `{method}` does not follow",
                model.layout().bodies()[*body].name
            ),
            way_out: "use method = \"explicit\" or \"implicit-euler\", or hold the bone with a fix".into(),
        }),
    }
}

/// Full matrices are made of cells.
pub(super) fn needs_cells(model: &Model) -> Result<(), Refusal> {
    let bodies = model.layout().bodies().iter().zip(model.matter());
    match bodies.filter(|(_, matter)| matter.network().is_some()).map(|(body, _)| &body.name).next() {
        None => Ok(()),
        Some(name) => Err(Refusal {
            what: format!("body `{name}` is a network of springs, whose particles have masses of their own"),
            way_out: "use lumped mass and leave out damping = \"full\"".into(),
        }),
    }
}

/// Steps that are no central differences answer contacts with springs; restitution is for those that are.
pub(super) fn needs_springs(model: &Model, method: &str) -> Result<(), Refusal> {
    if model.colliders().is_empty() {
        return Ok(());
    }
    let usual = "use method = \"explicit\", or response = \"penalty\"";
    match model.contact_settings().response {
        Some(response @ (Response::Constraint | Response::Smooth)) => Err(Refusal {
            what: format!("contacts of `{method}` are not answered by response = \"{}\"", response.name()),
            way_out: usual.into(),
        }),
        None | Some(Response::Penalty) => needs_no_restitution(model, method),
    }
}

/// A spring gives back what it was given.
pub(super) fn needs_no_restitution(model: &Model, method: &str) -> Result<(), Refusal> {
    match model.colliders().iter().find(|collider| collider.restitution.is_some()) {
        None => Ok(()),
        Some(collider) => Err(Refusal {
            what: format!(
                "collider `{}` has a restitution, which `{method}` with springs does not follow",
                collider.name
            ),
            way_out: "leave the restitution out, or use method = \"explicit\" with response = \"constraint\""
                .into(),
        }),
    }
}

fn refuse_warped(model: &Model, lacks: &str, way_out: &str) -> Result<(), Refusal> {
    let bodies = model.layout().bodies().iter().zip(model.matter());
    match bodies
        .filter(|(_, matter)| !matter.traits().has_energy)
        .map(|(body, m)| (&body.name, m.network().is_some()))
        .next()
    {
        None => Ok(()),
        Some((name, of_springs)) => Err(Refusal {
            what: format!("body `{name}` has the law `warped`, {lacks}"),
            // springs turn by themselves
            way_out: if of_springs { way_out.replace("corotated", "springs") } else { way_out.into() },
        }),
    }
}
