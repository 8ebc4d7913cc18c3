//! Whether a straight path meets a shape, in the collider's own axes.
//!
//! ```text
//! convex:   g(s) = gap(x(s)) is convex: its least value is where g' = n . (x_1 - x_0) turns, the entry is g = 0 before that      (1)
//! others:   s <- s + g(s) / |x_1 - x_0|,   until the gap is nothing or s is past 1                                             (2)
//! ```
//!
//! (1) is exact, however thin the shape and however flat the path. A signed distance grows by no more than the way, so that no step
//! of (2) passes through anything: conservative advancement.

use super::shape::ColliderShape;

type Vec3 = [f64; 3];

/// Halvings of (1): a path is known to its last bit.
const HALVINGS: usize = 54;
/// Steps of (2): a path that grazes a surface shortens them without end.
const MOST_STEPS: usize = 500;
/// A gap below this part of the way is none.
const NOTHING: f64 = 1e-9;

/// A shape with the distance from its surface at which contact begins, m.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round<'a> {
    pub shape: &'a ColliderShape,
    pub radius: f64,
}

impl Round<'_> {
    /// The gap between a place and the shape, m, and the normal towards the place; both in the axes of the shape.
    pub fn gap(&self, own: Vec3) -> (f64, Vec3) {
        let (distance, normal) = self.shape.distance(own);
        (distance - self.radius, normal)
    }

    /// Where a path from outside first goes inside, as a part of the way, and the normal there; in the axes of the shape.
    pub fn entry(&self, from: Vec3, to: Vec3) -> Option<(f64, Vec3)> {
        let path = Path { from, way: std::array::from_fn(|c| to[c] - from[c]) };
        let length = path.way.iter().map(|c| c * c).sum::<f64>().sqrt();
        let end = self.gap(to);
        // it cannot have come so far
        if end.0 > length {
            return None;
        }
        let start = self.gap(from);
        if start.0 <= NOTHING * length {
            // a place on the surface that leaves it has not come in
            return (path.rise(start.1) < 0.0 || end.0 < 0.0).then_some((0.0, start.1));
        }
        match self.shape.is_convex() {
            true => self.enter_convex(&path, end),
            false => self.advance(&path, length, end),
        }
    }

    /// (1) from outside.
    fn enter_convex(&self, path: &Path, end: (f64, Vec3)) -> Option<(f64, Vec3)> {
        let mut inside = 1.0;
        if end.0 >= 0.0 {
            // on the way back out, or not there yet
            if path.rise(end.1) <= 0.0 {
                return None;
            }
            let mut around = [0.0, 1.0];
            inside = loop {
                let middle = 0.5 * (around[0] + around[1]);
                if middle <= around[0] || middle >= around[1] {
                    return None;
                }
                let (gap, normal) = self.gap(path.at(middle));
                match () {
                    () if gap < 0.0 => break middle,
                    () if path.rise(normal) < 0.0 => around[0] = middle,
                    () => around[1] = middle,
                }
            };
        }
        let mut around = [0.0, inside];
        for _ in 0..HALVINGS {
            let middle = 0.5 * (around[0] + around[1]);
            around[usize::from(self.gap(path.at(middle)).0 < 0.0)] = middle;
        }
        Some((around[0], self.gap(path.at(around[0])).1))
    }

    /// (2) from outside.
    fn advance(&self, path: &Path, length: f64, end: (f64, Vec3)) -> Option<(f64, Vec3)> {
        let mut s = 0.0;
        for _ in 0..MOST_STEPS {
            let (gap, normal) = self.gap(path.at(s));
            if gap <= NOTHING * length && (path.rise(normal) < 0.0 || end.0 < 0.0) {
                return Some((s, normal));
            }
            s += gap.max(NOTHING * length) / length.max(f64::MIN_POSITIVE);
            if s >= 1.0 {
                break;
            }
        }
        (end.0 < 0.0).then_some((1.0, end.1))
    }
}

/// A straight path.
struct Path {
    from: Vec3,
    way: Vec3,
}

impl Path {
    fn at(&self, s: f64) -> Vec3 {
        std::array::from_fn(|c| self.from[c] + s * self.way[c])
    }

    /// How fast a gap with a normal grows along it.
    fn rise(&self, normal: Vec3) -> f64 {
        (0..3).map(|c| self.way[c] * normal[c]).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_through_a_thin_plate_meets_it_at_its_face() {
        let shape = ColliderShape::Box { half: [1.0, 1.0, 1e-3] };
        let plate = Round { shape: &shape, radius: 0.0 };
        let (s, normal) = plate.entry([0.1, 0.2, 3.0], [0.3, 0.1, -5.0]).unwrap();
        assert!((3.0 - 8.0 * s - 1e-3).abs() < 1e-7 && normal == [0.0, 0.0, 1.0], "{s} {normal:?}");
        assert_eq!(plate.entry([0.0, 0.0, 2.0], [0.0, 0.0, 0.5]), None);
        assert_eq!(plate.entry([1.5, 0.0, 2.0], [1.5, 0.0, -2.0]), None, "beside it");
        assert_eq!(plate.entry([0.0, 0.0, 1e-3], [0.0, 0.0, 0.5]), None, "leaves its surface");
        assert!(plate.entry([0.0, 0.0, 1e-3], [0.0, 0.0, 0.9e-3]).is_some(), "enters from its surface");
        let (s, _) = plate.entry([-0.9, 0.0, 1.1e-3], [0.9, 0.0, -1.1e-3]).unwrap();
        assert!((1.1e-3 - 2.2e-3 * s - 1e-3).abs() < 1e-15, "as flat as can be: {s}");
    }
}
