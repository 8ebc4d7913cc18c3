//! Contacts that move each other: points that share nodes, of bones, ties and fine surfaces, nodes between two colliders, and all of them
//! where mass is full. Groups in the list of rows.
//!
//! ```text
//! J a = wanted . n, with forces that push                                                                 (1)
//! J_t a = wanted_t, |f_t| <= mu mean(lambda)                                                              (2)
//! ```
//!
//! Normals first, then friction with the normal forces as they are. Over lumped mass (2) is solved within disks: what slides is resisted against its way.
//! Over a factor it is solved between bounds along two directions; a point whose force comes out as large as friction allows slides, and (2) is solved
//! once more with its force along what is left of its motion alone, so that it ends on the cone.

use pliant_geometry::vector::{Vec3, cross, dot};
use pliant_numerics::Mat3;

use super::answered::Answered;
use super::levers::Levers;
use super::meet::Meet;
use crate::rigid::BoneLevers;
use crate::rows::{HardRows, Inverse, LumpedRows, RowGroup, Rows};
use crate::state::State;

/// A row that is left by more than this part of what it was asked for has let go.
const LEFT: f64 = 1e-6;
/// What is this much of a force or a motion is rounding.
const ROUNDING: f64 = 1e-9;

/// Memory of coupled contacts.
#[derive(Default)]
pub(super) struct CoupledRows {
    rows: Rows,
    lumped: LumpedRows,
    hard: HardRows,
    /// The meetings of this step that are coupled.
    chosen: Vec<usize>,
    sliding: Vec<Sliding>,
    /// Accelerations before contact, and before friction.
    before: [Vec<f64>; 2],
    radii: Vec<f64>,
    bones: Vec<BoneLevers>,
}

/// Friction of a meeting.
#[derive(Clone, Copy, Debug, Default)]
struct Sliding {
    /// Its largest value, N.
    most: f64,
    /// The acceleration that would stop the point, m/s^2.
    wanted: Vec3,
    directions: [Vec3; 2],
    /// Whether the second direction is given up.
    on_cone: bool,
    force: Vec3,
}

/// What imposes rows on accelerations: lumped mass here, a factor where mass is full.
pub(super) trait Imposes {
    /// Changes accelerations so that rows are met; gives their forces, row after row.
    fn impose(&mut self, rows: &Rows, a: &mut [f64]) -> &[f64];

    /// The same with forces of each group within a disk of a radius; `None` where it knows bounds alone.
    fn rub(&mut self, _rows: &Rows, _a: &mut [f64], _radii: &[f64]) -> Option<&[f64]> {
        None
    }
}

/// Rows over lumped mass, and bones.
struct ByMass<'a, 'b> {
    levers: &'a Levers<'b>,
    lumped: &'a mut LumpedRows,
}

impl Imposes for ByMass<'_, '_> {
    fn impose(&mut self, rows: &Rows, a: &mut [f64]) -> &[f64] {
        let levers = self.levers;
        self.lumped.relax(rows, |dof| levers.inverse(dof), a, None);
        self.lumped.forces()
    }

    fn rub(&mut self, rows: &Rows, a: &mut [f64], radii: &[f64]) -> Option<&[f64]> {
        let levers = self.levers;
        self.lumped.relax(rows, |dof| levers.inverse(dof), a, Some(radii));
        Some(self.lumped.forces())
    }
}

/// Answers the chosen ones of some meetings with lumped mass.
pub(super) fn answer(
    step: &Answered,
    (meets, chosen): (&mut [Meet], impl Fn(&Meet) -> bool),
    memory: &mut CoupledRows,
    s1: &mut State,
) {
    if !meets.iter().any(&chosen) {
        return;
    }
    let mut lumped = std::mem::take(&mut memory.lumped);
    let mut bones = std::mem::take(&mut memory.bones);
    bones.clear();
    bones.extend(step.model.layout().bones().iter().map(|bone| BoneLevers::of(bone, &s1.x)));
    let levers = Levers { model: step.model, bones: &bones, held: step.held, half: 0.5 * step.dt };
    let mut by = ByMass { levers: &levers, lumped: &mut lumped };
    answer_by(step, (meets, chosen), memory, (&levers, &mut by), s1);
    (memory.lumped, memory.bones) = (lumped, bones);
}

/// Rows over an inverse that is known by its solutions.
struct ByInverse<'a> {
    inverse: &'a mut dyn Inverse,
    held: &'a [bool],
    hard: &'a mut HardRows,
}

impl Imposes for ByInverse<'_> {
    fn impose(&mut self, rows: &Rows, a: &mut [f64]) -> &[f64] {
        // rows of contact act along themselves, so that there are never too many
        let _ = self.hard.impose(rows, self.inverse, self.held, a);
        self.hard.forces()
    }
}

/// Answers all meetings by an inverse.
pub(super) fn answer_by_inverse(
    step: &Answered,
    meets: &mut [Meet],
    memory: &mut CoupledRows,
    (inverse, held): (&mut dyn Inverse, &[bool]),
    s1: &mut State,
) {
    if meets.is_empty() {
        return;
    }
    let mut hard = std::mem::take(&mut memory.hard);
    let levers = Levers { model: step.model, bones: &[], held: step.held, half: 0.5 * step.dt };
    let mut by = ByInverse { inverse, held, hard: &mut hard };
    answer_by(step, (meets, |_: &Meet| true), memory, (&levers, &mut by), s1);
    memory.hard = hard;
}

/// The same with anything that imposes rows.
pub(super) fn answer_by(
    step: &Answered,
    (meets, chosen): (&mut [Meet], impl Fn(&Meet) -> bool),
    memory: &mut CoupledRows,
    (levers, by): (&Levers, &mut dyn Imposes),
    s1: &mut State,
) {
    let CoupledRows { rows, chosen: list, sliding, before, radii, .. } = memory;
    list.clear();
    list.extend(meets.iter().enumerate().filter(|(_, meet)| chosen(meet)).map(|(index, _)| index));
    before[0].clone_from(&s1.a);
    levers.compress(&mut s1.a);
    push_out(levers, (meets, list), rows, by, &mut s1.a);
    before[1].clone_from(&s1.a);
    take_directions(levers, (meets, list), sliding, (&s1.a, step.dt));
    radii.clear();
    radii.extend(sliding.iter().map(|own| own.most).filter(|most| *most > 0.0));
    if !radii.is_empty() {
        rub(levers, (meets, list), (rows, sliding, radii), by, &mut s1.a);
        if sliding.iter().any(|own| own.on_cone) {
            s1.a.copy_from_slice(&before[1]);
            rub(levers, (meets, list), (rows, sliding, radii), by, &mut s1.a);
        }
    }
    for (&index, own) in list.iter().zip(&*sliding) {
        let touch = &mut meets[index].touch;
        (0..3).for_each(|c| touch.force[c] += own.force[c]);
    }
    levers.expand(&mut s1.a);
    let half = 0.5 * step.dt;
    for (v, (a, before)) in s1.v.iter_mut().zip(s1.a.iter().zip(&before[0])) {
        *v += half * (a - before);
    }
}

/// (1).
fn push_out(
    levers: &Levers,
    (meets, list): (&mut [Meet], &[usize]),
    rows: &mut Rows,
    by: &mut dyn Imposes,
    a: &mut [f64],
) {
    rows.clear();
    for &index in list {
        // what nothing can move has no row: a point on the line of a hinge
        if meets[index].wanted.is_some() && !levers.gives_along(&meets[index]) {
            meets[index].wanted = None;
        }
        let meet = &meets[index];
        if let Some(wanted) = meet.wanted {
            let group = RowGroup::exact(1, [wanted, 0.0, 0.0]).one_sided();
            rows.add(group, |add| levers.of(meet, &as_rows([meet.normal, [0.0; 3]]), add));
        }
    }
    let forces = if rows.is_empty() { &[] } else { by.impose(rows, a) };
    let mut row = 0;
    for &index in list {
        let meet = &mut meets[index];
        let mut push = meet.bounced;
        if let Some(wanted) = meet.wanted {
            push = forces.get(row).copied().unwrap_or(0.0).max(0.0);
            let found = rows.motion(row, 0, |dof| a[dof]);
            // rows that others imply push with nothing and yet hold
            meet.touch.held &= push > 0.0 || found - wanted <= LEFT * (wanted.abs() + found.abs());
            row += 1;
        }
        meet.touch.push(push);
        meet.touch.force = meet.normal.map(|c| push * c);
    }
}

/// What friction may do at each meeting, and along which directions it is asked for.
fn take_directions(
    levers: &Levers,
    (meets, list): (&mut [Meet], &[usize]),
    sliding: &mut Vec<Sliding>,
    (a, dt): (&[f64], f64),
) {
    sliding.clear();
    for &index in list {
        let meet = &mut meets[index];
        let mut own = Sliding { most: meet.most_friction(), ..Sliding::default() };
        if own.most > 0.0 {
            own.wanted = meet.wanted_along(own.most, levers.give(meet), dt);
            let free = levers.motion(meet, a);
            let stop = meet.along(std::array::from_fn(|c| own.wanted[c] - free[c]));
            own.directions = directions(meet.normal, stop);
        } else {
            meet.touch.anchor = meet.own;
        }
        sliding.push(own);
    }
}

/// (2) once; those that slide get the direction of what is left of their motion.
fn rub(
    levers: &Levers,
    (meets, list): (&[Meet], &[usize]),
    (rows, sliding, radii): (&mut Rows, &mut [Sliding], &[f64]),
    by: &mut dyn Imposes,
    a: &mut [f64],
) {
    rows.clear();
    for (&index, own) in list.iter().zip(&*sliding).filter(|(_, own)| own.most > 0.0) {
        let along = |k: usize| dot(own.directions[k], own.wanted);
        let across = if own.on_cone { 0.0 } else { own.most };
        let bounds = [[-own.most, own.most], [-across, across], [0.0; 2]];
        let group = RowGroup { bounds, ..RowGroup::exact(2, [along(0), along(1), 0.0]) };
        rows.add(group, |add| levers.of(&meets[index], &as_rows(own.directions), add));
    }
    if let Some(forces) = by.rub(rows, a, radii) {
        let rubbed = sliding.iter_mut().filter(|own| own.most > 0.0);
        for (own, force) in rubbed.zip(forces.chunks_exact(2)) {
            let [along, across] = own.directions;
            own.force = std::array::from_fn(|c| force[0] * along[c] + force[1] * across[c]);
        }
        return;
    }
    let mut forces = by.impose(rows, a).chunks_exact(2);
    for (&index, own) in list.iter().zip(sliding).filter(|(_, own)| own.most > 0.0) {
        let Some(force) = forces.next() else { return };
        let [along, across] = own.directions;
        own.force = std::array::from_fn(|c| force[0] * along[c] + force[1] * across[c]);
        let size = dot(own.force, own.force).sqrt();
        if size >= own.most * (1.0 - ROUNDING) && !own.on_cone {
            let moves = levers.motion(&meets[index], a);
            let left = meets[index].along(std::array::from_fn(|c| own.wanted[c] - moves[c]));
            let slides = dot(left, left) > ROUNDING * dot(own.wanted, own.wanted);
            own.directions = directions(meets[index].normal, if slides { left } else { own.force });
            own.on_cone = true;
        }
    }
}

fn as_rows(directions: [Vec3; 2]) -> Mat3<f64> {
    Mat3([directions[0], directions[1], [0.0; 3]])
}

/// The unit vector along a vector of the surface, or any, and the one across it.
fn directions(normal: Vec3, along: Vec3) -> [Vec3; 2] {
    let size = dot(along, along).sqrt();
    let first = if size > 0.0 {
        along.map(|c| c / size)
    } else {
        let other = if normal[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        let across = cross(normal, other);
        let size = dot(across, across).sqrt();
        across.map(|c| c / size)
    };
    [first, cross(normal, first)]
}
