//! What acts on bodies from outside, by name: the rows of `forces.csv`.

use std::sync::Arc;

use pliant_geometry::vector::cross;
use pliant_solid::term::ForceTerm;
use pliant_solid::{ColliderId, Resultant, World};

use crate::spec::{self, Scene, collider_name, fix_name, grab_name, load_name};

/// A fix, load, grab or collider with its name.
#[derive(Clone)]
pub struct Acting {
    /// As the scene gives it, or its body and number.
    pub name: String,
    /// What it is.
    pub kind: ActingKind,
}

/// What acts.
#[derive(Clone)]
pub enum ActingKind {
    /// A fix of the model, by its place there.
    Fix(usize),
    /// A load.
    Load(Arc<dyn ForceTerm>),
    /// A grab.
    Grab(Arc<dyn ForceTerm>),
    /// A collider.
    Collider(ColliderId),
}

impl ActingKind {
    /// As the table writes it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Fix(_) => "fix",
            Self::Load(_) => "load",
            Self::Grab(_) => "grab",
            Self::Collider(_) => "collider",
        }
    }
}

/// All that acts in a scene: fixes and loads body by body, then grabs, then colliders; `terms` are those of loads, then of grabs.
pub(super) fn acting(scene: &Scene, terms: &[Arc<dyn ForceTerm>]) -> Vec<Acting> {
    let mut terms = terms.iter().cloned();
    let bodies = || scene.body.iter();
    let numbered = |(body, spec): (&String, &spec::Body)| {
        let name = |(i, fix): (usize, &spec::Fix)| fix_name(body, i, fix);
        spec.fix.iter().enumerate().map(name).collect::<Vec<_>>()
    };
    let fix = |(index, name): (usize, String)| Acting { name, kind: ActingKind::Fix(index) };
    let mut out: Vec<Acting> = bodies().flat_map(numbered).enumerate().map(fix).collect();
    for (body, spec) in bodies() {
        let named = spec.load.iter().enumerate().zip(&mut terms);
        out.extend(named.map(|((i, load), term)| Acting {
            name: load_name(body, i, load),
            kind: ActingKind::Load(term),
        }));
    }
    let grabs = scene.grab.iter().enumerate().zip(&mut terms);
    out.extend(
        grabs.map(|((i, grab), term)| Acting { name: grab_name(i, grab), kind: ActingKind::Grab(term) }),
    );
    let colliders = scene.collider.iter().enumerate();
    out.extend(colliders.map(|(i, collider)| Acting {
        name: collider_name(i, collider),
        kind: ActingKind::Collider(ColliderId(i as u32)),
    }));
    out
}

/// Force and moment of everything that acts on bodies now, in the order of `acting`.
pub fn resultants(acting: &[Acting], world: &World) -> Vec<Resultant> {
    let (model, state) = (world.model(), world.state());
    let held: Vec<Resultant> = model
        .reactions(state)
        .map(|reaction| Resultant { force: reaction.force, moment: reaction.moment })
        .collect();
    let one = |acting: &Acting| match &acting.kind {
        ActingKind::Fix(index) => held[*index],
        ActingKind::Load(term) | ActingKind::Grab(term) => {
            world.integrator().resultant(model, &**term, state)
        }
        ActingKind::Collider(collider) => push_of(*collider, world),
    };
    acting.iter().map(one).collect()
}

/// What a collider exerts on all bodies together.
fn push_of(collider: ColliderId, world: &World) -> Resultant {
    let mut sum = Resultant { force: [0.0; 3], moment: [0.0; 3] };
    for contact in world.contacts().filter(|contact| contact.collider == collider) {
        let force = contact.force();
        let moment = cross(contact.point, force);
        for c in 0..3 {
            sum.force[c] += force[c];
            sum.moment[c] += moment[c];
        }
    }
    sum
}
