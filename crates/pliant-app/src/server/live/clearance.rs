//! Room for a ball: the first place on the way to the eye that is clear of all surfaces.

use pliant_geometry::vector::{cross, dot};

use crate::server::wire::command::Placing;

type Vec3 = [f64; 3];

/// The place of a page, moved towards the eye past all triangles that it crosses and until it is so far away from all vertices.
pub fn clear_place(
    Placing { place, towards, .. }: &Placing,
    (vertices, triangles): (&[Vec3], &[[u32; 3]]),
    distance: f64,
) -> Vec3 {
    // a body that has come between it and the eye since the page's picture is in its way too, and it may be inside
    let corners = triangles.iter().map(|triangle| triangle.map(|v| vertices[v as usize]));
    let crossed = corners.filter_map(|corners| crossing(*place, *towards, corners));
    let past = crossed.fold(0.0_f64, |past, way| past.max(way + distance));
    // of each vertex the part of the way on which it is too near
    let near = |vertex: &Vec3| {
        let away = minus(*vertex, *place);
        let along = dot(away, *towards);
        let half = (distance * distance - (dot(away, away) - along * along)).max(0.0).sqrt();
        (half > 0.0 && along + half > past).then_some((along - half, along + half))
    };
    let mut blocked: Vec<(f64, f64)> = vertices.iter().filter_map(near).collect();
    blocked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let way = blocked.iter().fold(past, |way, (from, to)| if *from < way { way.max(*to) } else { way });
    std::array::from_fn(|c| place[c] + way * towards[c])
}

/// How far before `origin` its ray crosses a triangle, by Cramer's rule; never where the two are parallel.
fn crossing(origin: Vec3, direction: Vec3, [a, b, c]: [Vec3; 3]) -> Option<f64> {
    let (u, v, s) = (minus(b, a), minus(c, a), minus(origin, a));
    let (p, q) = (cross(direction, v), cross(s, u));
    let determinant = dot(u, p);
    let (first, second) = (dot(s, p) / determinant, dot(direction, q) / determinant);
    let inside = first >= 0.0 && second >= 0.0 && first + second <= 1.0;
    let way = dot(v, q) / determinant;
    (inside && way > 0.0).then_some(way)
}

fn minus(a: Vec3, b: Vec3) -> Vec3 {
    std::array::from_fn(|c| a[c] - b[c])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begins(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Vec3 {
        let placing = Placing { topology: 0, place: [0.0; 3], towards: [0.0, 0.0, 1.0], radius: 0.1 };
        clear_place(&placing, (vertices, triangles), 0.1)
    }

    #[test]
    fn vertices_that_are_near_are_left_behind() {
        assert_eq!(begins(&[], &[]), [0.0; 3]);
        // beside it, behind it, and far before it
        assert_eq!(begins(&[[0.2, 0.0, 0.0], [0.0, 0.0, -0.2], [0.0, 0.0, 0.5]], &[]), [0.0; 3]);
        // a vertex at its middle
        assert_eq!(begins(&[[0.0; 3]], &[]), [0.0, 0.0, 0.1]);
        // where it is clear of the first it is too near to the second, and after that there is room
        let [x, y, z] = begins(&[[0.0; 3], [0.0, 0.0, 0.15], [0.0, 0.0, 0.6]], &[]);
        assert!((z - 0.25).abs() < 1e-15 && [x, y] == [0.0; 2], "{z}");
    }

    #[test]
    fn it_comes_out_of_bodies() {
        // a triangle far larger than the ball, 0.3 m before it; and one behind it
        let large = |z: f64| [[-9.0, -9.0, z], [9.0, -9.0, z], [0.0, 9.0, z]];
        let [_, _, z] = begins(&large(0.3), &[[0, 1, 2]]);
        assert!((z - 0.4).abs() < 1e-12, "{z}");
        assert_eq!(begins(&large(-0.3), &[[0, 1, 2]]), [0.0; 3]);
        // one that is seen from its edge is not crossed
        assert_eq!(begins(&[[0.0, -9.0, 0.3], [0.0, 9.0, 0.3], [0.0, 0.0, 9.0]], &[[0, 1, 2]]), [0.0; 3]);
    }
}
