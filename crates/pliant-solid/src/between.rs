//! Places between two states, to be shown and recorded: output never changes a step.

use crate::layout::Layout;
use crate::rigid::straighten;
use crate::state::State;

impl Layout {
    /// Positions and velocities at a time between two states: x is the cubic with x and v of both ends, v the line.
    pub fn between(&self, before: &State, after: &State, time: f64) -> (Vec<f64>, Vec<f64>) {
        let cubic = Cubic::of(before, after, time);
        let mut x: Vec<f64> = (0..before.x.len()).map(|i| cubic.position(before, after, i)).collect();
        self.bones().iter().for_each(|bone| straighten(bone, self.rest(), &mut x));
        let v = before.v.iter().zip(&after.v).map(|(v0, v1)| v0 + cubic.s * (v1 - v0)).collect();
        (x, v)
    }

    /// Positions of some nodes at a time between two states, m; those of the later one from its time on.
    pub fn places_between(
        &self,
        [before, after]: [&State; 2],
        time: f64,
        nodes: &[u32],
        out: &mut Vec<[f64; 3]>,
    ) {
        let within = before.time < after.time && time < after.time;
        if within && !self.bones().is_empty() {
            let (x, _) = self.between(before, after, time);
            let whole = State { x, ..State::default() };
            return self.places_between([&whole, &whole], time, nodes, out);
        }
        let cubic = Cubic::of(before, after, time);
        let entry = |i: usize| if within { cubic.position(before, after, i) } else { after.x[i] };
        let free = |node: u32| -> [f64; 3] { std::array::from_fn(|c| entry(3 * node as usize + c)) };
        out.clear();
        out.extend(nodes.iter().map(|&node| match (node as usize).checked_sub(self.free_count()) {
            None => free(node),
            Some(_) => {
                let masters = self.dependents().stands_for(node, self.free_count());
                masters.iter().fold([0.0; 3], |sum, (m, w)| {
                    let x = free(m);
                    std::array::from_fn(|c| sum[c] + w * x[c])
                })
            }
        }));
    }
}

/// Hermite's cubic through two states.
struct Cubic {
    s: f64,
    rise: f64,
    start: f64,
    end: f64,
}

impl Cubic {
    fn of(before: &State, after: &State, time: f64) -> Self {
        let dt = after.time - before.time;
        let s = (time - before.time) / dt;
        let b = s * (1.0 - s);
        Self { s, rise: s * s * (3.0 - 2.0 * s), start: b * (1.0 - s) * dt, end: -b * s * dt }
    }

    #[inline(always)]
    fn position(&self, before: &State, after: &State, i: usize) -> f64 {
        let (x0, x1) = (before.x[i], after.x[i]);
        x0 + self.rise * (x1 - x0) + self.start * before.v[i] + self.end * after.v[i]
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant_geometry::MaterialPoint;

    use super::*;
    use crate::layout::BodyShape;

    #[test]
    fn a_cubic_path_is_reproduced_between_states() {
        let path = |t: f64| (t * t * t - t, 3.0 * t * t - 1.0);
        let state = |t: f64| State { time: t, x: vec![path(t).0], v: vec![path(t).1], ..State::default() };
        let (x, _) = Layout::new(vec![]).between(&state(0.2), &state(0.5), 0.3);
        assert!((x[0] - path(0.3).0).abs() < 1e-15);
    }

    #[test]
    fn chosen_places_are_those_of_all_nodes() {
        let mesh = pliant_geometry::box_mesh([1.0; 3], [2, 1, 1], pliant_geometry::BoxElement::Hex).unwrap();
        let hanging = vec![(0, MaterialPoint::from([(1, 0.25), (2, 0.75)]))];
        let layout = Layout::new(vec![BodyShape { hanging, ..BodyShape::new("b", Arc::new(mesh)) }]);
        let free = 3 * layout.free_count();
        let state = |t: f64| State {
            time: t,
            x: (0..free).map(|i| (i as f64 + t).sin()).collect(),
            v: (0..free).map(|i| (i as f64 + t).cos()).collect(),
            ..State::default()
        };
        let (before, after) = (state(0.2), state(0.5));
        let nodes: Vec<u32> = (0..layout.node_count() as u32).rev().step_by(2).collect();
        for time in [0.2, 0.3, 0.5, 0.6] {
            let x = if time < 0.5 { layout.between(&before, &after, time).0 } else { after.x.clone() };
            let mut full = vec![0.0; 3 * layout.node_count()];
            layout.dependents().fill(&x, &mut full);
            let mut places = Vec::new();
            layout.places_between([&before, &after], time, &nodes, &mut places);
            for (node, place) in nodes.iter().zip(&places) {
                let there = &full[3 * *node as usize..][..3];
                assert!((0..3).all(|c| (place[c] - there[c]).abs() < 1e-15), "{time}: {place:?} {there:?}");
            }
        }
    }
}
