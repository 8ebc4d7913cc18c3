//! The force term of the angle springs of a body: forces by stars of them, energies and matrices one by one.

use std::collections::BTreeMap;

use pliant_numerics::{BlockMatrix, F64x4, Pack, PatternBuilder};

use super::Links;
use super::partition::{Part, PartView, Partition, Rows, load_rows};
use crate::link::{Angle, AngleSpring, AngleStar, Points, STAR, stars};
use crate::term::{At, Caps, Coeffs, ForceTerm, Report, Scatter, Scratch};

type Row = <F64x4 as Pack>::Row;

/// What a star costs, in tetrahedra.
const WEIGHT: usize = 4;

/// Four stars: the rows of their particles and which of the kinds they are.
struct Block {
    rows: [[u16; 4]; STAR],
    kind: u32,
}

impl Block {
    #[inline(always)]
    fn gather(&self, rows: &[Row]) -> Points<F64x4, STAR> {
        // SAFETY: row numbers were made by `Partition::new` for exactly these rows and are private.
        std::array::from_fn(|i| unsafe { F64x4::gather(rows, &self.rows[i]) })
    }

    #[inline(always)]
    fn scatter_add(&self, rows: &mut [Row], values: &Points<F64x4, STAR>) {
        for (index, value) in self.rows.iter().zip(values) {
            // SAFETY: as in `gather`.
            unsafe { F64x4::scatter_add(rows, index, *value) };
        }
    }
}

/// All angle springs of a body.
pub struct AngleSprings {
    each: Links<AngleSpring<f64>, 3>,
    /// Fours of stars that differ: most of a regular weave are alike, and stay in the nearest cache.
    kinds: Vec<AngleStar<F64x4>>,
    blocks: Vec<Block>,
    parts: Vec<Part>,
}

impl AngleSprings {
    /// Angle springs of a body by their world nodes; the world has `node_count` of them.
    pub fn new(body: usize, node_count: usize, angles: Vec<Angle>) -> Self {
        let stars = stars(&angles);
        let elements: Vec<[u32; STAR]> = stars.iter().map(|(nodes, _)| *nodes).collect();
        let partition = Partition::new(&elements, node_count, F64x4::WIDTH, WEIGHT);
        let (mut blocks, mut kinds) = (Vec::new(), Vec::new());
        let mut kind_of = BTreeMap::new();
        for lanes in &partition.lanes {
            let first = lanes.iter().flatten().next().copied().unwrap_or(0);
            let rows = |lane: usize| partition.rows[lanes[lane].unwrap_or(first) as usize];
            let four: [AngleStar<f64>; 4] = std::array::from_fn(|lane| {
                lanes[lane].map_or(AngleStar::IDLE, |star| stars[star as usize].1)
            });
            let kind = *kind_of.entry(four.map(|star| star.bits())).or_insert_with(|| {
                kinds.push(AngleStar::four(four.each_ref()));
                kinds.len() as u32 - 1
            });
            let rows = std::array::from_fn(|i| std::array::from_fn(|lane| rows(lane)[i]));
            blocks.push(Block { rows, kind });
        }
        Self { each: Links::new(body, node_count, angles), kinds, blocks, parts: partition.parts }
    }

    /// The blocks of a part, with what they are.
    #[inline(always)]
    fn stars_of(&self, part: &Part) -> impl Iterator<Item = (&Block, &AngleStar<F64x4>)> {
        self.blocks[part.blocks.clone()].iter().map(|block| (block, &self.kinds[block.kind as usize]))
    }
}

impl ForceTerm for AngleSprings {
    fn caps(&self) -> Caps {
        self.each.caps()
    }

    fn pattern(&self, out: &mut PatternBuilder) {
        self.each.pattern(out);
    }

    fn new_scratch(&self) -> Scratch {
        Box::new(AngleScratch { rows: Rows::new(&self.parts), each: self.each.new_scratch() })
    }

    fn force_add(&self, at: &At, out: &mut Scatter) -> Report {
        let rows = &mut scratch_of(out.scratch).rows;
        rows.run(&self.parts, out.force, &|part, PartView { x, f, .. }: &mut PartView<F64x4>| {
            load_rows::<F64x4>(x, &part.nodes, at.x, None);
            f.fill(F64x4::row([0.0; 3]));
            for (block, star) in self.stars_of(part) {
                block.scatter_add(f, &star.force(&block.gather(x)));
            }
            0.0
        });
        Report::default()
    }

    fn tangent_apply_add(&self, at: &At, c: Coeffs, direction: &[f64], out: &mut Scatter) {
        let k = F64x4::splat(c.k);
        let rows = &mut scratch_of(out.scratch).rows;
        rows.run(&self.parts, out.force, &|part, PartView { x, v, f }: &mut PartView<F64x4>| {
            load_rows::<F64x4>(x, &part.nodes, at.x, None);
            load_rows::<F64x4>(v, &part.nodes, direction, None);
            f.fill(F64x4::row([0.0; 3]));
            for (block, star) in self.stars_of(part) {
                block.scatter_add(f, &star.stiffest(&block.gather(x), k, &block.gather(v)));
            }
            0.0
        });
    }

    fn tangent_add(&self, at: &At, c: Coeffs, out: &mut BlockMatrix, scratch: &mut Scratch) {
        self.each.tangent_add(at, c, out, &mut scratch_of(scratch).each);
    }

    fn definite_tangent_add(&self, at: &At, c: Coeffs, out: &mut BlockMatrix, scratch: &mut Scratch) {
        self.each.definite_tangent_add(at, c, out, &mut scratch_of(scratch).each);
    }

    fn energy(&self, at: &At) -> f64 {
        self.each.energy(at)
    }

    fn cell_body(&self) -> Option<usize> {
        self.each.cell_body()
    }
}

/// What a term of angle springs writes while it is evaluated.
struct AngleScratch {
    rows: Rows<F64x4>,
    each: Scratch,
}

/// This term's scratch, whose type no other term makes.
fn scratch_of(scratch: &mut Scratch) -> &mut AngleScratch {
    scratch.downcast_mut().expect("a term is given the scratch it made")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in (-1, 1) that anyone may make again.
    fn noise(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }
    }

    /// Particles with one angle, with all of four arms, with those of seven, some of them twice; straight, right and any.
    fn tangle() -> (Vec<f64>, Vec<Angle>) {
        let mut noise = noise(7);
        let count = 600_u32;
        let mut angles = Vec::new();
        for middle in 0..count {
            let arms = 2 + middle % 6;
            for (i, j) in (1..=arms).flat_map(|j| (1..j).map(move |i| (i, j))) {
                let rest = match (i + j) % 3 {
                    0 => [[1.0, 0.0, 0.0], [0.0; 3], [-1.0, 0.0, 0.0]],
                    1 => [[1.0, 0.0, 0.0], [0.0; 3], [0.0, 1.0, 0.0]],
                    _ => [[1.0, 0.0, 0.0], [0.0; 3], [noise(), noise(), noise()]],
                };
                let nodes = [(middle + i) % count, middle, (middle + 7 * j) % count];
                let spring = AngleSpring::resting(1.0 + 0.5 * noise(), &rest);
                angles.extend(std::iter::repeat_n((nodes, spring), 1 + (middle % 7 == 0) as usize));
            }
        }
        ((0..3 * count).map(|_| noise()).collect(), angles)
    }

    /// Forces of a term and its products with a direction.
    fn forces(term: &dyn ForceTerm, x: &[f64]) -> [Vec<f64>; 2] {
        let at = At { time: 0.0, load: 1.0, still: true, x, v: x, history: &[], since: 0.0 };
        let mut scratch = term.new_scratch();
        let mut out = [vec![0.0; x.len()], vec![0.0; x.len()]];
        term.force_add(&at, &mut Scatter::new(&mut out[0], &mut scratch));
        let mut direction = noise(3);
        let along: Vec<f64> = x.iter().map(|_| direction()).collect();
        let c = Coeffs { k: 0.7, d: 0.0 };
        term.tangent_apply_add(&at, c, &along, &mut Scatter::new(&mut out[1], &mut scratch));
        out
    }

    #[test]
    fn together_they_pull_as_one_by_one() {
        let (x, angles) = tangle();
        let term = AngleSprings::new(0, x.len() / 3, angles);
        assert!(term.parts.len() > 1);
        for (ours, expected) in forces(&term, &x).iter().zip(&forces(&term.each, &x)) {
            for (f, e) in ours.iter().zip(expected) {
                assert!((f - e).abs() <= 1e-12 * e.abs().max(1.0), "{f:e} is not {e:e}");
            }
        }
    }

    #[test]
    fn together_they_pull_down_their_energy() {
        let (x, angles) = tangle();
        let term = AngleSprings::new(0, x.len() / 3, angles);
        let [force, _] = forces(&term, &x);
        let mut direction = noise(11);
        let along: Vec<f64> = x.iter().map(|_| direction()).collect();
        let energy = |s: f64| {
            let x: Vec<f64> = x.iter().zip(&along).map(|(x, d)| x + s * d).collect();
            term.energy(&At { time: 0.0, load: 1.0, still: true, x: &x, v: &x, history: &[], since: 0.0 })
        };
        let slope = (energy(1e-6) - energy(-1e-6)) / 2e-6;
        let power: f64 = force.iter().zip(&along).map(|(f, d)| f * d).sum();
        // central differences: 1e-12 of the third derivative, and rounding of the energy over 1e-6
        assert!((slope + power).abs() < 1e-8 * force.iter().map(|f| f.abs()).sum::<f64>());
    }

    #[test]
    fn an_arm_makes_no_angle_with_itself() {
        let spring = AngleSpring::resting(1.0, &[[1.0; 3], [0.0; 3], [1.0; 3]]);
        let x = [0.0, 0.0, 0.0, 1.0, 2.0, 3.0];
        let term = AngleSprings::new(0, 2, vec![([1, 0, 1], spring)]);
        assert_eq!(forces(&term, &x), [vec![0.0; 6], vec![0.0; 6]]);
    }

    #[test]
    fn stars_of_a_regular_weave_are_of_one_kind() {
        let grid = pliant_geometry::Grid { size: [0.3, 0.7], cells: [30, 40] };
        let mesh = grid.mesh().expect("a grid");
        let kept = |stiffness: f64, nodes: [u32; 3]| {
            (nodes, AngleSpring::resting(stiffness, &nodes.map(|n| mesh.positions()[n as usize])))
        };
        let corners = grid.corners().into_iter().map(|nodes| kept(1.0, nodes));
        let angles = corners.chain(grid.lines().into_iter().map(|nodes| kept(0.1, nodes))).collect();
        let term = AngleSprings::new(0, mesh.node_count(), angles);
        // a star a particle; blocks that hold one of the border, or a lane that nobody needs, are others
        let stars: usize = term.parts.iter().map(|part| part.blocks.len()).sum::<usize>() * 4;
        assert!(stars < mesh.node_count() + 4 * term.parts.len(), "{stars}");
        assert!(term.kinds.len() < 60, "{}", term.kinds.len());
    }
}
