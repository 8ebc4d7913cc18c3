//! Where colliders and live tools are at both ends of a step.

use pliant_geometry::vector::{cross, norm, sub};

use crate::contact::{Carrier, Collider, Pose, Round, Tool};
use crate::ids::{BodyId, ColliderId, VertexId};
use crate::integrator::Inputs;
use crate::model::Model;
use crate::rigid::{bone_motion, bone_turn};
use crate::state::State;

/// Where springs are asked.
#[derive(Clone, Copy)]
pub(crate) struct SpringsAt<'a> {
    pub model: &'a Model,
    pub inputs: &'a Inputs<'a>,
    /// The time that scripts see, s, and the part of their motion that has been made.
    pub time: f64,
    pub part: f64,
    /// Whether nothing moves, tools neither: statics.
    pub still: bool,
    /// Free nodes, m and m/s.
    pub x: &'a [f64],
    pub v: &'a [f64],
}

/// A collider or a tool in a step.
pub(crate) struct Met<'a> {
    pub id: ColliderId,
    pub shape: Round<'a>,
    pub friction: f64,
    pub restitution: Option<f64>,
    /// Pressure per depth, Pa/m, where it has its own.
    pub stiffness: Option<f64>,
    /// The bone that carries it.
    pub bone: Option<usize>,
    /// At the start and the end of the step.
    pub ends: [Pose; 2],
}

impl<'a> Met<'a> {
    /// A collider of the model between two poses, as the first of all.
    pub fn of(collider: &'a Collider, ends: [Pose; 2]) -> Self {
        Self {
            id: ColliderId(0),
            shape: Round { shape: &collider.shape, radius: collider.thickness },
            friction: collider.friction,
            restitution: collider.restitution,
            stiffness: collider.stiffness,
            bone: match collider.carrier {
                Carrier::Bone(bone) => Some(bone),
                Carrier::Script(_) => None,
            },
            ends,
        }
    }

    /// A tool in a step.
    fn of_tool(tool: &'a Tool, dt: f64) -> Self {
        Self {
            id: ColliderId(0),
            shape: Round { shape: &tool.shape, radius: tool.thickness },
            friction: tool.friction,
            restitution: None,
            stiffness: None,
            bone: None,
            ends: [tool.after(0.0), tool.after(dt)],
        }
    }

    /// The same as a body with a skin meets it.
    pub fn beside(&self, model: &Model, body: BodyId) -> Round<'_> {
        Round { radius: self.shape.radius + model.skin_thickness(body), ..self.shape }
    }

    /// Whether a vertex is a part of the bone that carries the collider.
    pub fn is_part_of(&self, model: &Model, vertex: VertexId) -> bool {
        let Some(bone) = self.bone else { return false };
        let masters = model.layout().bones()[bone].masters();
        model.surface().vertex(vertex).free.nodes().all(|node| masters.contains(&node))
    }

    /// A bound on how far any place within a reach moves in its axes during the step because it moves itself, m.
    pub fn stir(&self, reach: f64) -> f64 {
        apart([&self.ends[0], &self.ends[1]], reach)
    }
}

/// A bound on how far places within a reach of the origin are apart in two poses, m.
pub(crate) fn apart([from, to]: [&Pose; 2], reach: f64) -> f64 {
    // a rotation moves a place by no more than its arm times |R - 1|
    let turned = (from.axes - to.axes).norm();
    norm(sub(to.origin, from.origin)) + turned * reach
}

/// All that a model and its tools may meet in a step from s0 to the time of s1, by their numbers.
pub(crate) fn met<'a>(
    model: &'a Model,
    [s0, s1]: [&'a State; 2],
    inputs: &'a Inputs<'a>,
) -> impl Iterator<Item = Met<'a>> {
    let colliders = model.colliders().iter().map(move |collider| {
        let ends = [s0, s1].map(|state| pose(model, state, collider));
        Met::of(collider, ends)
    });
    let dt = s1.time - s0.time;
    let tools = inputs.tools.iter().map(move |tool| Met::of_tool(tool, dt));
    (0_u32..).zip(colliders.chain(tools)).map(|(id, met)| Met { id: ColliderId(id), ..met })
}

/// The same for springs, from the start of a step (its time and places) to where they are asked.
pub(super) fn met_at<'a>(
    at: &SpringsAt<'a>,
    (start, from): (f64, &'a [f64]),
) -> impl Iterator<Item = Met<'a>> {
    let SpringsAt { model, inputs, time, part, still, x, v } = *at;
    let colliders = model.colliders().iter().map(move |collider| {
        let ends = match &collider.carrier {
            Carrier::Script(motion) if part < 1.0 => [collider.partly(motion, part, time); 2],
            Carrier::Script(motion) => [start, time].map(|time| collider.scripted(motion, time)),
            Carrier::Bone(bone) => [from, x].map(|x| carried(model, (x, v), (*bone, collider))),
        };
        Met::of(collider, ends)
    });
    let tools =
        inputs.tools.iter().map(move |tool| Met::of_tool(tool, if still { 0.0 } else { time - start }));
    (0_u32..).zip(colliders.chain(tools)).map(|(id, met)| Met { id: ColliderId(id), ..met })
}

/// Where a collider of the model is in a state.
pub(crate) fn pose(model: &Model, state: &State, collider: &Collider) -> Pose {
    match &collider.carrier {
        Carrier::Script(motion) => collider.scripted(motion, state.time),
        Carrier::Bone(bone) => carried(model, (&state.x, &state.v), (*bone, collider)),
    }
}

/// What moves with a bone.
fn carried(model: &Model, (x, v): (&[f64], &[f64]), (bone, collider): (usize, &Collider)) -> Pose {
    let (bone, start) = (&model.layout().bones()[bone], collider.at_start());
    let (turned, [from, to]) = bone_turn(bone, model.layout().rest(), x);
    let arm = turned.mul_vec(sub(start.origin, from));
    let (mean, spin) = bone_motion(bone, x, v);
    let turning = cross(spin, arm);
    Pose {
        axes: turned * start.axes,
        origin: std::array::from_fn(|c| to[c] + arm[c]),
        velocity: std::array::from_fn(|c| mean[c] + turning[c]),
        spin,
    }
}
