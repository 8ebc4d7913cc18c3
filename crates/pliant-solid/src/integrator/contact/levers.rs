//! How points in contact move free nodes and bones.

use pliant_geometry::vector::Vec3;
use pliant_numerics::Mat3;

use super::meet::Meet;
use crate::model::Model;
use crate::rigid::{Bone, BoneLevers};

/// Free nodes and bones as rows of contact see them: bones by `rigid::levers`, where there are any.
#[derive(Clone, Copy)]
pub(super) struct Levers<'a> {
    pub model: &'a Model,
    /// All bones, or none where they all stand.
    pub bones: &'a [BoneLevers],
    /// Above zero where unknowns are led.
    pub held: &'a [f64],
    /// Half a step, s.
    pub half: f64,
}

impl Levers<'_> {
    fn is_active(&self, bone: &Bone) -> bool {
        self.held[bone.dofs()].iter().all(|held| *held == 0.0)
    }

    /// Bones that nothing holds.
    fn active(&self) -> impl Iterator<Item = (&Bone, &BoneLevers)> {
        self.model.layout().bones().iter().zip(self.bones).filter(|(bone, _)| self.is_active(bone))
    }

    /// Turns accelerations of masters into those that rows know.
    pub fn compress(&self, field: &mut [f64]) {
        self.active().for_each(|(bone, levers)| levers.compress(bone, field));
    }

    /// The opposite.
    pub fn expand(&self, field: &mut [f64]) {
        self.active().for_each(|(bone, levers)| levers.expand(bone, field));
    }

    /// 1 / inertia of an unknown as rows number them; zero where it is held.
    pub fn inverse(&self, dof: usize) -> f64 {
        let node = dof / 3;
        let inverse = self.model.inverse_mass()[node];
        let damped = 1.0 + self.half * self.model.damping()[node] * inverse;
        match self.active().find(|(_, levers)| levers.has(node as u32)) {
            Some((_, levers)) => levers.inverse(dof) / damped,
            None if self.held[dof] > 0.0 => 0.0,
            None => inverse / damped,
        }
    }

    /// Calls `add` with the levers of rows along directions (the rows of a matrix) at a meeting: of the point, and of the bone that carries
    /// the collider the other way.
    pub fn of(&self, meet: &Meet, directions: &Mat3<f64>, add: &mut dyn FnMut(u32, Mat3<f64>)) {
        for (node, weight) in &self.model.surface().vertex(meet.touch.vertex).free {
            let weighted = directions.scale(weight);
            match self.active().find(|(_, levers)| levers.has(node)) {
                Some((_, levers)) => {
                    levers.of_master(node, &weighted).into_iter().for_each(|(n, lever)| add(n, lever));
                }
                None => add(node, weighted),
            }
        }
        let carrier = meet.bone.map(|bone| (&self.model.layout().bones()[bone], self.bones.get(bone)));
        if let Some((_, Some(levers))) = carrier.filter(|(bone, _)| self.is_active(bone)) {
            let away = directions.scale(-1.0);
            levers.of_place(meet.place, &away).into_iter().for_each(|(n, lever)| add(n, lever));
        }
    }

    /// Of a field in the unknowns that rows know: how the point moves against what carries the collider.
    pub fn motion(&self, meet: &Meet, field: &[f64]) -> Vec3 {
        let mut sum = [0.0; 3];
        self.of(meet, &Mat3::identity(), &mut |node, lever| {
            let at: Vec3 = std::array::from_fn(|c| field[3 * node as usize + c]);
            let moved = lever.mul_vec(at);
            (0..3).for_each(|c| sum[c] += moved[c]);
        });
        sum
    }

    /// What a force of 1 N accelerates a point by, about.
    pub fn give(&self, meet: &Meet) -> f64 {
        let point = &self.model.surface().vertex(meet.touch.vertex).free;
        point.iter().map(|(node, w)| w * w * self.model.inverse_mass()[node as usize]).sum()
    }

    /// Whether a force along the normal moves a point at all, beyond rounding.
    pub fn gives_along(&self, meet: &Meet) -> bool {
        // levers on one node add up, and may cancel
        let mut sums: [(u32, Vec3); 24] = [(u32::MAX, [0.0; 3]); 24];
        let direction = Mat3([meet.normal, [0.0; 3], [0.0; 3]]);
        self.of(meet, &direction, &mut |node, lever| {
            let place = sums.iter_mut().find(|(known, _)| *known == node || *known == u32::MAX);
            if let Some((known, sum)) = place {
                *known = node;
                (0..3).for_each(|c| sum[c] += lever.0[0][c]);
            }
        });
        let known = sums.iter().filter(|(node, _)| *node != u32::MAX);
        let one = |(node, sum): &(u32, Vec3)| -> f64 {
            (0..3).map(|c| sum[c].powi(2) * self.inverse(3 * *node as usize + c)).sum()
        };
        known.map(one).sum::<f64>() > 1e-12 * self.give(meet)
    }
}
