//! Triangles of the part of a face that edges enclose.
//!
//! Edges that run both ways cancel; what is left is walked into loops, at a crossing by the sharpest turn to
//! the left, so that parts that meet in a point stay apart. Of each loop the smallest ear is cut off until
//! nothing is left; an ear with another corner in it or on it is none, so that no triangle is flat where
//! corners are in line.

/// A node and where it lies on the face: (s, t) of the unit square or triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    pub node: u32,
    pub place: [f64; 2],
}

/// From the first to the second, what is enclosed on the left.
pub(super) type Edge = [Corner; 2];

/// An area in (s, t) that counts as none.
pub(super) const NO_AREA: f64 = 1e-9;

/// The triangles inside the edges, counter-clockwise; `None` where a loop is a hole in another.
pub(super) fn triangulated(edges: Vec<Edge>) -> Option<Vec<[u32; 3]>> {
    let mut left = uncancelled(edges);
    let mut triangles = Vec::new();
    while let Some(first) = left.pop() {
        let corners = walked(first, &mut left)?;
        let places: Vec<[f64; 2]> = corners.iter().map(|c| c.place).collect();
        if area(&places) <= NO_AREA {
            return None;
        }
        cut_ears(corners, &mut triangles)?;
    }
    Some(triangles)
}

/// Signed area of a polygon, positive counter-clockwise.
pub(super) fn area(places: &[[f64; 2]]) -> f64 {
    let next = |i: usize| places[(i + 1) % places.len()];
    let twice: f64 = (0..places.len()).map(|i| places[i][0] * next(i)[1] - places[i][1] * next(i)[0]).sum();
    0.5 * twice
}

fn uncancelled(edges: Vec<Edge>) -> Vec<Edge> {
    let mut left: Vec<Edge> = Vec::with_capacity(edges.len());
    for edge in edges {
        let is_opposite = |other: &Edge| other[0].node == edge[1].node && other[1].node == edge[0].node;
        match left.iter().position(is_opposite) {
            Some(place) => drop(left.remove(place)),
            None => left.push(edge),
        }
    }
    left
}

/// The loop that begins with an edge, taken out of the others; `None` if it does not close.
fn walked(first: Edge, left: &mut Vec<Edge>) -> Option<Vec<Corner>> {
    let mut corners = vec![first[0]];
    let mut last = first;
    while last[1].node != first[0].node {
        corners.push(last[1]);
        let turn = |edge: &Edge| {
            let [from, to] = [last, *edge].map(|[a, b]| minus(b.place, a.place));
            wedge(from, to).atan2(from[0] * to[0] + from[1] * to[1])
        };
        let onward = (0..left.len()).filter(|&i| left[i][0].node == last[1].node);
        let sharpest = onward.max_by(|&i, &j| turn(&left[i]).total_cmp(&turn(&left[j])))?;
        last = left.remove(sharpest);
    }
    Some(corners)
}

fn cut_ears(mut corners: Vec<Corner>, triangles: &mut Vec<[u32; 3]>) -> Option<()> {
    while corners.len() > 3 {
        let count = corners.len();
        let ear = |i: usize| [(i + count - 1) % count, i, (i + 1) % count].map(|j| corners[j]);
        let size = |i: usize| area(&ear(i).map(|c| c.place));
        let is_free = |i: usize| {
            let ear = ear(i);
            let own = |c: &Corner| ear.iter().any(|e| e.node == c.node);
            size(i) > NO_AREA && !corners.iter().any(|c| !own(c) && holds(&ear, c.place))
        };
        let smallest = (0..count).filter(|&i| is_free(i)).min_by(|&i, &j| size(i).total_cmp(&size(j)))?;
        triangles.push(ear(smallest).map(|c| c.node));
        corners.remove(smallest);
    }
    triangles.push([corners[0].node, corners.get(1)?.node, corners.get(2)?.node]);
    Some(())
}

/// Whether a place is in a triangle or on its rim.
fn holds(triangle: &[Corner; 3], place: [f64; 2]) -> bool {
    (0..3).all(|i| area(&[triangle[i].place, triangle[(i + 1) % 3].place, place]) > -NO_AREA)
}

fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

fn wedge(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The loop through places of a 3 x 3 lattice, by their numbers.
    fn round(nodes: &[u32]) -> Vec<Edge> {
        let corner =
            |node: u32| Corner { node, place: [0.5 * f64::from(node % 3), 0.5 * f64::from(node / 3)] };
        (0..nodes.len()).map(|i| [corner(nodes[i]), corner(nodes[(i + 1) % nodes.len()])]).collect()
    }

    fn areas(triangles: &[[u32; 3]]) -> Vec<f64> {
        let place = |n: u32| [0.5 * f64::from(n % 3), 0.5 * f64::from(n / 3)];
        triangles.iter().map(|t| area(&t.map(place))).collect()
    }

    #[test]
    fn loops_are_filled_without_flat_triangles() {
        let square = round(&[0, 2, 8, 6]);
        // a corner in the middle of a side; all sides; an L; two quarters that meet in the middle
        let quarters = |list: &[[u32; 4]]| list.iter().flat_map(|q| round(q)).collect::<Vec<_>>();
        let cases = [
            (square.clone(), 2, 1.0),
            (round(&[0, 2, 5, 8, 6]), 3, 1.0),
            (round(&[0, 1, 2, 5, 8, 7, 6, 3]), 6, 1.0),
            (round(&[0, 2, 5, 4, 7, 6]), 4, 0.75),
            (quarters(&[[0, 1, 4, 3], [4, 5, 8, 7]]), 4, 0.5),
        ];
        for (edges, count, whole) in cases {
            let areas = areas(&triangulated(edges).unwrap());
            assert_eq!(areas.len(), count);
            assert!(areas.iter().all(|a| *a > 0.1), "{areas:?}");
            assert_eq!(areas.iter().sum::<f64>(), whole);
        }
        let both = square.iter().chain(&round(&[6, 8, 2, 0])).copied().collect();
        assert_eq!(triangulated(both), Some(vec![]));
        assert_eq!(triangulated(round(&[6, 8, 2, 0])), None);
    }
}
