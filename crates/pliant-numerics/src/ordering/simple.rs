//! Simple modified nested dissection: a layer of cliques, cut by an axis plane, is the separator.
//!
//! Source: [Zhuang 4.1.1.1]. The plane goes through a median of the clique centroids; of the three axes
//! the one that cuts fewest cliques. Numbers are given from the last downwards: first the cut cliques, by the
//! same recursion, then the two sides. Read with the errata: a vertex is numbered only while it has no
//! number, and when a plane cuts every clique the rest is a leaf. A leaf's vertices are numbered as they come.

use super::{Permutation, PointCliques, Side};

/// The extent of a clique along the three axes, and its centroid.
struct Extent {
    low: [f64; 3],
    high: [f64; 3],
    centroid: [f64; 3],
}

/// Orders the vertices; those in no clique come first.
pub fn simple(cliques: &PointCliques) -> Permutation {
    let extents: Vec<Extent> = (0..cliques.clique_count()).map(|c| extent(cliques, c)).collect();
    let mut all: Vec<u32> = (0..cliques.clique_count() as u32).collect();
    all.retain(|&c| !cliques.clique(c as usize).is_empty());
    let mut backward = Numbering { numbered: vec![false; cliques.point_count()], order: Vec::new() };
    // a stack of its own: degenerate input may nest deeply
    let mut stack = vec![all];
    while let Some(group) = stack.pop() {
        match dissector(&extents, &group) {
            None => backward.number(cliques, &group),
            Some(plane) => {
                let [left, right, cut] = dissected(&extents, &group, plane);
                stack.extend([right, left, cut]);
            }
        }
    }
    let lone = (0..cliques.point_count() as u32).filter(|&v| !backward.numbered[v as usize]);
    let lone: Vec<u32> = lone.collect();
    backward.order.extend(lone);
    backward.order.reverse();
    Permutation::of_order(backward.order)
}

/// The first dissection of [`simple`]: the side of each vertex; those of cut cliques separate.
pub fn simple_sides(cliques: &PointCliques) -> Vec<Side> {
    let extents: Vec<Extent> = (0..cliques.clique_count()).map(|c| extent(cliques, c)).collect();
    let mut all: Vec<u32> = (0..cliques.clique_count() as u32).collect();
    all.retain(|&c| !cliques.clique(c as usize).is_empty());
    let mut sides = vec![Side::Left; cliques.point_count()];
    let Some(plane) = dissector(&extents, &all) else { return sides };
    // the cut comes last, so that its vertices stay its own
    for (group, side) in
        dissected(&extents, &all, plane).iter().zip([Side::Left, Side::Right, Side::Separator])
    {
        for &vertex in group.iter().flat_map(|&clique| cliques.clique(clique as usize)) {
            sides[vertex as usize] = side;
        }
    }
    sides
}

/// The cliques left and right of a plane, and those that it cuts.
fn dissected(extents: &[Extent], group: &[u32], (axis, place): (usize, f64)) -> [Vec<u32>; 3] {
    let of = |c: &u32| &extents[*c as usize];
    let (cut, rest): (Vec<u32>, Vec<u32>) =
        group.iter().partition(|c| of(c).low[axis] <= place && place <= of(c).high[axis]);
    let (left, right): (Vec<u32>, Vec<u32>) = rest.iter().partition(|c| of(c).high[axis] < place);
    [left, right, cut]
}

/// Vertices from the last to the first.
struct Numbering {
    numbered: Vec<bool>,
    order: Vec<u32>,
}

impl Numbering {
    fn number(&mut self, cliques: &PointCliques, group: &[u32]) {
        for &clique in group {
            for &vertex in cliques.clique(clique as usize) {
                if !self.numbered[vertex as usize] {
                    self.numbered[vertex as usize] = true;
                    self.order.push(vertex);
                }
            }
        }
    }
}

fn extent(cliques: &PointCliques, clique: usize) -> Extent {
    let members = cliques.clique(clique);
    let share = 1.0 / members.len() as f64;
    let mut extent = Extent { low: [f64::INFINITY; 3], high: [-f64::INFINITY; 3], centroid: [0.0; 3] };
    for &vertex in members {
        let point = cliques.points()[vertex as usize];
        for c in 0..3 {
            extent.low[c] = extent.low[c].min(point[c]);
            extent.high[c] = extent.high[c].max(point[c]);
            extent.centroid[c] += share * point[c];
        }
    }
    extent
}

/// Axis and place of the plane; none for a leaf.
fn dissector(extents: &[Extent], group: &[u32]) -> Option<(usize, f64)> {
    if group.len() < 2 {
        return None;
    }
    let planes = (0..3).map(|axis| {
        let mut places: Vec<f64> = group.iter().map(|&c| extents[c as usize].centroid[axis]).collect();
        let middle = places.len() / 2;
        let (_, &mut place, _) = places.select_nth_unstable_by(middle, f64::total_cmp);
        let cut = |c: &&u32| {
            let e = &extents[**c as usize];
            e.low[axis] <= place && place <= e.high[axis]
        };
        (group.iter().filter(cut).count(), axis, place)
    });
    let (count, axis, place) = planes.min_by_key(|plane| plane.0)?;
    (count > 0 && count < group.len()).then_some((axis, place))
}
