//! Separators of a region: a plane or a level parts its vertices, the smallest vertex cover of the crossing
//! edges separates the two sides.
//!
//! ```text
//! l(p) = left vertices with a neighbour on the right when p vertices are left; r(p) likewise    (1)
//! cover(p) <= min(l(p), r(p))                                                                    (2)
//! cost = s²/2 + s h + E(n₁, h₁) + E(n₂, h₂),   E(n, h) = a n^(4/3) + b n^(2/3) h                 (3)
//! ```
//!
//! (1) for every place of a plane takes one pass over the edges. (2) chooses the places, (3) the cut: s is the
//! separator, nᵢ and hᵢ the vertices and rims of the sides; E has the growth of nested dissection in space,
//! a and b are rough. [Zhuang 4.1.1] takes the median of the clique centroids and the axis that cuts fewest cliques;
//! here the median of the vertices and (3). Sweeping the plane and smoothing the separator (by matchings, as Liu
//! did) go beyond it.

use super::cover::{Bipartite, Cover};
use super::level::levels;
use super::region::Region;

/// Which planes to try.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sweep {
    /// Planes kept for each axis, the most promising first.
    pub planes: usize,
    /// The smaller side has at least this share of the vertices.
    pub balance: f64,
    /// What is tried beside the coordinate axes.
    pub beside: Beside,
    /// How many of the cheapest cuts are smoothed.
    pub smoothed: usize,
}

/// Other ways to sweep a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    Nothing,
    /// The principal axis of the points.
    Principal,
    /// The levels of the graph, unless the points are a grid.
    Levels,
}

/// A way to separate a region.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    pub sides: Vec<Side>,
    pub cost: f64,
}

/// Where a vertex is; no left one is coupled with a right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Before the plane.
    Left,
    /// Behind the plane.
    Right,
    /// In between.
    Separator,
}

/// The vertices of a region along a normal.
struct Ranked {
    /// Coordinate and number, ascending.
    vertices: Vec<(f64, u32)>,
    /// By rank: the highest rank of a neighbour (or its own).
    highest: Vec<u32>,
    /// min(l(p), r(p)) for every p, (1) and (2).
    borders: Vec<u32>,
}

/// Cuts of a region with at least two vertices, cheapest by (3) first.
pub(super) fn cuts(region: &Region, points: &[[f64; 3]], sweep: Sweep) -> Vec<Cut> {
    let mut found: Vec<Cut> = Vec::new();
    let along = |normal: [f64; 3]| -> Vec<f64> {
        let place = |p: [f64; 3]| (0..3).map(|c| normal[c] * p[c]).sum();
        region.vertices.iter().map(|&v| place(points[v as usize])).collect()
    };
    let mut lattice = 1.0;
    for normal in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
        lattice *= sweep_along(region, along(normal), sweep, &mut found) as f64;
    }
    match sweep.beside {
        Beside::Nothing => {}
        Beside::Principal => {
            if let Some(normal) = principal_axis(region, points) {
                sweep_along(region, along(normal), sweep, &mut found);
            }
        }
        // points of a grid fill the lattice of their coordinates: no level is better than a layer there
        Beside::Levels => {
            if lattice > 2.0 * region.inner() as f64 {
                found.extend(smaller_level_cuts(region, sweep, &found));
            }
        }
    }
    // stable: equal ones stay in the order of the axes
    found.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    let few = if region.inner() > ROUGH { sweep.smoothed.min(found.len()) } else { 0 };
    let rest = found.split_off(few);
    let mut found: Vec<Cut> = found.into_iter().map(|cut| smoothed(region, cut)).collect();
    found.extend(rest);
    found.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    found.dedup_by(|a, b| a.sides == b.sides);
    found
}

/// Cuts by levels whose separator is smaller by a fifth than that of the cheapest plane: (3) flatters fronts that
/// bend, and what they leave is harder to cut.
fn smaller_level_cuts(region: &Region, sweep: Sweep, planes: &[Cut]) -> Vec<Cut> {
    let size = |cut: &Cut| cut.sides.iter().filter(|&&s| s == Side::Separator).count();
    let cheapest = planes.iter().min_by(|a, b| a.cost.total_cmp(&b.cost)).map_or(usize::MAX / 5, size);
    let mut found = Vec::new();
    sweep_along(region, levels(region), sweep, &mut found);
    found.retain(|cut| 5 * size(cut) <= 4 * cheapest);
    found
}

/// Adds the cuts between low and high values of the vertices; gives the number of different values.
fn sweep_along(region: &Region, values: Vec<f64>, sweep: Sweep, found: &mut Vec<Cut>) -> usize {
    let mut vertices: Vec<(f64, u32)> = values.into_iter().zip(0..).collect();
    vertices.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let ranked = ranked(region, vertices);
    for place in places(&ranked, sweep) {
        for cut in covers(region, &ranked, place) {
            if !found.iter().any(|c| c.sides == cut.sides) {
                found.push(cut);
            }
        }
    }
    ranked.vertices.chunk_by(|a, b| a.0 == b.0).count()
}

/// Numbers of left vertices at which a plane promises a small separator.
fn places(ranked: &Ranked, sweep: Sweep) -> Vec<usize> {
    let (borders, ranked) = (&ranked.borders, &ranked.vertices);
    let count = ranked.len();
    let low = ((sweep.balance * count as f64) as usize).clamp(1, count / 2);
    let mut window: Vec<usize> = (low..=count - low).collect();
    // planes between layers of points, if there are any
    let apart = 1e-9 * (ranked[count - 1].0 - ranked[0].0);
    let gaps: Vec<usize> = (1..count).filter(|&p| ranked[p].0 - ranked[p - 1].0 > apart).collect();
    let inside: Vec<usize> = gaps.iter().copied().filter(|p| (low..=count - low).contains(p)).collect();
    if !inside.is_empty() {
        window = inside;
    } else if let Some(&p) = gaps.iter().min_by_key(|p| p.abs_diff(count / 2)) {
        window = vec![p];
    }
    let promise = |p: usize| {
        let uneven = (2.0 * p as f64 / count as f64 - 1.0).abs();
        f64::from(borders[p]) * (1.0 + uneven * uneven)
    };
    let mut promises: Vec<(f64, usize)> = window.into_iter().map(|p| (promise(p), p)).collect();
    promises.sort_by(|a, b| {
        a.0.total_cmp(&b.0).then(a.1.abs_diff(count / 2).cmp(&b.1.abs_diff(count / 2))).then(a.1.cmp(&b.1))
    });
    let mut chosen: Vec<usize> = Vec::new();
    for (_, p) in promises {
        // neighbours of a chosen plane would show the same cut again
        if chosen.len() < sweep.planes && chosen.iter().all(|c| c.abs_diff(p) * 16 >= count) {
            chosen.push(p);
        }
    }
    chosen
}

/// One pass over the edges for every place of a plane.
fn ranked(region: &Region, vertices: Vec<(f64, u32)>) -> Ranked {
    let count = vertices.len();
    let mut rank = vec![0_u32; count];
    for (r, &(_, k)) in vertices.iter().enumerate() {
        rank[k as usize] = r as u32;
    }
    let mut reach = vec![0; count];
    let mut left = vec![0_i32; count + 2];
    let mut right = vec![0_i32; count + 2];
    for (k, &own) in rank.iter().enumerate() {
        let (mut lowest, mut highest) = (own, own);
        for &other in region.inner_links(k) {
            let r = rank[other as usize];
            lowest = lowest.min(r);
            highest = highest.max(r);
        }
        reach[own as usize] = highest;
        // on the left border for p in own+1..=highest, on the right one for p in lowest+1..=own
        left[own as usize + 1] += 1;
        left[highest as usize + 1] -= 1;
        right[lowest as usize + 1] += 1;
        right[own as usize + 1] -= 1;
    }
    let (mut l, mut r) = (0, 0);
    let mut borders = Vec::with_capacity(count + 1);
    for p in 0..=count {
        l += left[p];
        r += right[p];
        borders.push(l.min(r) as u32);
    }
    Ranked { vertices, highest: reach, borders }
}

/// The two extreme smallest covers of the edges that cross a plane.
fn covers(region: &Region, ranked: &Ranked, place: usize) -> Vec<Cut> {
    let mut sides = vec![Side::Right; region.inner()];
    for &(_, k) in &ranked.vertices[..place] {
        sides[k as usize] = Side::Left;
    }
    let before = ranked.vertices[..place].iter().zip(&ranked.highest);
    let border = before.filter(|(_, highest)| **highest as usize >= place).map(|(&(_, k), _)| k).collect();
    covers_between(region, sides, border)
}

/// The same for any two sides; `border` holds the left vertices with a neighbour on the right.
fn covers_between(region: &Region, sides: Vec<Side>, border: Vec<u32>) -> Vec<Cut> {
    let mut graph = Bipartite { start: vec![0], ..Bipartite::default() };
    let mut rights = Vec::new();
    let mut name = vec![u32::MAX; region.inner()];
    for &k in &border {
        for &other in region.inner_links(k as usize) {
            if sides[other as usize] == Side::Right {
                if name[other as usize] == u32::MAX {
                    name[other as usize] = rights.len() as u32;
                    rights.push(other);
                }
                graph.ends.push(name[other as usize]);
            }
        }
        graph.start.push(graph.ends.len() as u32);
    }
    graph.right_count = rights.len();
    let with = |cover: &Cover| {
        let mut sides = sides.clone();
        for (names, inside) in [(&border, &cover.left), (&rights, &cover.right)] {
            for (&k, _) in names.iter().zip(inside).filter(|(_, inside)| **inside) {
                sides[k as usize] = Side::Separator;
            }
        }
        Cut { cost: cost(region, &sides), sides }
    };
    let [one, other] = graph.smallest_covers();
    if one == other { vec![with(&one)] } else { vec![with(&one), with(&other)] }
}

/// Moves the separator while (3) falls: it covers the edges to its left, and those to its right; a smaller
/// or better placed cover of either is a separator too.
fn smoothed(region: &Region, mut cut: Cut) -> Cut {
    for _ in 0..MOVES {
        let members: Vec<u32> =
            (0..region.inner() as u32).filter(|&k| cut.sides[k as usize] == Side::Separator).collect();
        let given_to = |side: Side| {
            let mut sides = cut.sides.clone();
            members.iter().for_each(|&k| sides[k as usize] = side);
            sides
        };
        let mut near: Vec<u32> =
            members.iter().flat_map(|&k| region.inner_links(k as usize)).copied().collect();
        near.retain(|&k| cut.sides[k as usize] == Side::Left);
        near.sort_unstable();
        near.dedup();
        let mut moves = covers_between(region, given_to(Side::Right), near);
        moves.extend(covers_between(region, given_to(Side::Left), members));
        // an empty side would separate nothing
        let share = |cut: &Cut, side: Side| cut.sides.iter().filter(|&&s| s == side).count() * 5;
        moves.retain(|cut| share(cut, Side::Left).min(share(cut, Side::Right)) >= region.inner());
        match moves.into_iter().min_by(|a, b| a.cost.total_cmp(&b.cost)) {
            Some(better) if better.cost < cut.cost * (1.0 - 1e-9) => cut = better,
            _ => return cut,
        }
    }
    cut
}

/// (3)
fn cost(region: &Region, sides: &[Side]) -> f64 {
    let mut touched = vec![0_u8; region.rim];
    let mut sizes = [0.0_f64; 3];
    for (k, &side) in sides.iter().enumerate() {
        sizes[side as usize] += 1.0;
        for &other in region.rim_links(k) {
            touched[other as usize - region.inner()] |= 1 << side as u8;
        }
    }
    // a vertex of a smallest cover touches both sides
    let mut rims = [sizes[2]; 2];
    for by in touched {
        rims[0] += f64::from(by & 1);
        rims[1] += f64::from((by >> 1) & 1);
    }
    let later = |n: f64, h: f64| COST_INNER * n.powf(4.0 / 3.0) + COST_RIM * n.powf(2.0 / 3.0) * h;
    let s = sizes[2];
    0.5 * s * s + s * region.rim as f64 + later(sizes[0], rims[0]) + later(sizes[1], rims[1])
}

/// Up to this size cuts are left as they are: smoothing them too changed the entries by less than 0.3 %.
const ROUGH: usize = 40;

/// Smoothing ends after so many moves, lest a large region creep along layer by layer.
const MOVES: usize = 32;

/// a and b of (3).
const COST_INNER: f64 = 2.0;
const COST_RIM: f64 = 1.5;

/// The direction in which the points spread most, by power iteration; none if they are one point.
fn principal_axis(region: &Region, points: &[[f64; 3]]) -> Option<[f64; 3]> {
    let place = |&v: &u32| points[v as usize];
    let share = 1.0 / region.inner() as f64;
    let mut mean = [0.0; 3];
    for p in region.vertices.iter().map(place) {
        (0..3).for_each(|c| mean[c] += share * p[c]);
    }
    let mut spread = [[0.0; 3]; 3];
    for p in region.vertices.iter().map(place) {
        for a in 0..3 {
            for b in 0..3 {
                spread[a][b] += share * (p[a] - mean[a]) * (p[b] - mean[b]);
            }
        }
    }
    let mut axis = [0.61, 0.57, 0.55];
    for _ in 0..30 {
        let image: [f64; 3] = std::array::from_fn(|a| (0..3).map(|b| spread[a][b] * axis[b]).sum());
        let length = image.iter().map(|x| x * x).sum::<f64>().sqrt();
        if !(length > 0.0 && length.is_finite()) {
            return None;
        }
        axis = image.map(|x| x / length);
    }
    Some(axis)
}
