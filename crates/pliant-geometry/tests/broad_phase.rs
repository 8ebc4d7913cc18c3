//! Pairs of overlapping boxes: both methods find what a look at all pairs does, and look again when they must
//! only.
#![allow(clippy::unwrap_used)]

use pliant_geometry::{Bounds, BroadPhase, Groups, PairCache, Renewal};

const METHODS: [BroadPhase; 2] = [BroadPhase::Tree, BroadPhase::Sweep];

/// Boxes that fly about in a unit cube and bounce from its walls, the same in every run.
struct Swarm {
    places: Vec<[f64; 3]>,
    speeds: Vec<[f64; 3]>,
    sizes: Vec<[f64; 3]>,
}

impl Swarm {
    fn new(count: usize, size: f64, seed: u64) -> Self {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut list = |low: f64, high: f64| -> Vec<[f64; 3]> {
            (0..count).map(|_| [0, 1, 2].map(|_| low + (high - low) * next())).collect()
        };
        Self { places: list(0.0, 1.0), speeds: list(-0.004, 0.004), sizes: list(0.0, size) }
    }

    fn step(&mut self) {
        for (place, speed) in self.places.iter_mut().zip(&mut self.speeds) {
            for k in 0..3 {
                place[k] += speed[k];
                if !(0.0..1.0).contains(&place[k]) {
                    speed[k] = -speed[k];
                }
            }
        }
    }

    fn boxes(&self) -> Vec<Bounds> {
        let corner = |(p, s): (&[f64; 3], &[f64; 3])| Bounds { min: *p, max: [0, 1, 2].map(|k| p[k] + s[k]) };
        self.places.iter().zip(&self.sizes).map(corner).collect()
    }
}

/// All pairs, sorted.
fn all_pairs(groups: Groups<'_>, keep: impl Fn(u32, u32) -> bool) -> Vec<[u32; 2]> {
    let (first, second, one) = match groups {
        Groups::One(all) => (all, all, true),
        Groups::Two(first, second) => (first, second, false),
    };
    let mut pairs = Vec::new();
    for (i, a) in (0_u32..).zip(first) {
        for (j, b) in (0_u32..).zip(second) {
            if (!one || i < j) && a.overlaps(b) && keep(i, j) {
                pairs.push([i, j]);
            }
        }
    }
    pairs
}

fn keeps_most(a: u32, b: u32) -> bool {
    !(a + 2 * b).is_multiple_of(7)
}

fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn pairs_of_moving_boxes_are_those_of_a_look_at_all() {
    for method in METHODS {
        for (counts, margin) in [([300, 500], 0.02), ([700, 3], 0.0), ([1, 1], 0.01), ([5, 0], 0.1)] {
            let mut swarms = [Swarm::new(counts[0], 0.1, 5), Swarm::new(counts[1], 0.2, 6)];
            let mut caches = [(); 2].map(|_| PairCache::new(method));
            let mut found = 0;
            for step in 0..60 {
                swarms.iter_mut().for_each(Swarm::step);
                let [first, second] = swarms.each_ref().map(Swarm::boxes);
                let cases = [Groups::One(&first), Groups::Two(&first, &second)];
                for (cache, groups) in caches.iter_mut().zip(cases) {
                    let renewal = cache.update(groups, margin, keeps_most);
                    // all that overlap, and exactly the fat boxes that do
                    let real = all_pairs(groups, keeps_most);
                    let known = |pair| cache.pairs().binary_search(pair).is_ok();
                    assert!(real.iter().all(known), "{method:?} step {step}");
                    assert_eq!(cache.pairs(), all_pairs(cache.fat_boxes(), keeps_most), "{method:?} {step}");
                    found += usize::from(renewal == Renewal::Found);
                }
            }
            let most = if margin == 0.0 { 120 } else { 60 };
            assert!((2..=most).contains(&found), "{method:?}: {counts:?} found anew {found} times");
        }
    }
}

#[test]
fn pairs_are_kept_until_a_box_leaves_its_margin() {
    for method in METHODS {
        let swarm = Swarm::new(200, 0.1, 9);
        let mut boxes = swarm.boxes();
        let mut cache = PairCache::new(method);
        let mut update = |boxes: &[Bounds]| cache.update(Groups::One(boxes), 0.01, |_, _| true);
        assert_eq!(update(&boxes), Renewal::Found);
        assert_eq!(update(&boxes), Renewal::Kept);
        // up to the margin, and a little beyond
        boxes[17].min[1] -= 0.0099;
        boxes[17].max[1] -= 0.0099;
        boxes[30].max[2] += 0.0099;
        assert_eq!(update(&boxes), Renewal::Kept);
        boxes[17].min[1] -= 0.0002;
        assert_eq!(update(&boxes), Renewal::Found);
        // now it is in the middle of a new one
        boxes[17].min[1] -= 0.0099;
        assert_eq!(update(&boxes), Renewal::Kept);
        boxes.pop();
        assert_eq!(update(&boxes), Renewal::Found);
        cache.invalidate();
        assert_eq!(cache.update(Groups::One(&boxes), 0.01, |_, _| true), Renewal::Found);
    }
}

#[test]
fn boxes_that_touch_are_a_pair_and_a_zero_has_no_sign() {
    let cube = |x: f64| Bounds { min: [x, 0.0, 0.0], max: [x + 1.0, 1.0, 1.0] };
    for method in METHODS {
        let mut cache = PairCache::new(method);
        // from the left up to the other, which it touches at zero of either sign
        for zero in [0.0, -0.0] {
            for (gap, pairs) in [(0.5, &[][..]), (1e-300, &[]), (0.0, &[[0, 1]]), (0.25, &[])] {
                let mut left = cube(-1.0 - gap);
                left.max[0] = zero - gap;
                cache.update(Groups::One(&[left, cube(0.0)]), 0.0, |_, _| true);
                assert_eq!(cache.pairs(), pairs, "{method:?} {gap}");
            }
        }
    }
}

#[test]
fn boxes_that_jump_or_lie_upon_each_other_are_found_too() {
    for method in METHODS {
        let mut cache = PairCache::new(method);
        for seed in 0..6 {
            let swarm = Swarm::new(3000, 0.05, seed);
            let mut boxes = swarm.boxes();
            // every other time half of them in one place, and all in a plane
            if seed % 2 == 1 {
                let same = boxes[0];
                boxes[..200].fill(same);
                boxes.iter_mut().for_each(|bounds| (bounds.min[2], bounds.max[2]) = (0.5, 0.5));
            }
            cache.update(Groups::One(&boxes), 0.0, |_, _| true);
            assert_eq!(cache.pairs(), all_pairs(Groups::One(&boxes), |_, _| true), "{method:?} {seed}");
        }
    }
}

#[test]
fn boxes_that_are_no_numbers_disturb_no_others() {
    for method in METHODS {
        let mut swarm = Swarm::new(300, 0.2, 4);
        let mut cache = PairCache::new(method);
        for step in 0..10 {
            swarm.step();
            let mut boxes = swarm.boxes();
            // more of them from step to step, in one coordinate or in all
            for i in 0..step {
                boxes[17 * i].min[i % 3] = f64::NAN;
                boxes[11 * i + 5] = Bounds { min: [f64::NAN; 3], max: [f64::NAN; 3] };
            }
            cache.update(Groups::One(&boxes), 0.0, |_, _| true);
            assert_eq!(cache.pairs(), all_pairs(Groups::One(&boxes), |_, _| true), "{method:?} {step}");
        }
    }
}

#[test]
fn threads_do_not_change_a_pair() {
    for method in METHODS {
        let run = || {
            let mut swarms = [Swarm::new(6000, 0.03, 1), Swarm::new(4000, 0.03, 2)];
            let mut cache = PairCache::new(method);
            let mut all = Vec::new();
            for _ in 0..5 {
                swarms.iter_mut().for_each(Swarm::step);
                let [first, second] = swarms.each_ref().map(Swarm::boxes);
                cache.update(Groups::Two(&first, &second), 0.003, keeps_most);
                all.push((cache.pairs().to_vec(), cache.compared()));
            }
            all
        };
        let alone = run();
        for threads in [1, 2, 5] {
            assert_eq!(in_pool(threads, run), alone, "{method:?} {threads}");
        }
    }
}

/// Boxes of the triangles of a wavy sheet of n x n squares, at a height of its own.
fn sheet(n: usize, height: f64, time: f64) -> Vec<Bounds> {
    let side = 1.0 / n as f64;
    let place = |i: usize, j: usize| {
        let (x, y) = (i as f64 * side, j as f64 * side);
        [x, y, height + 0.1 * (6.0 * x + time).sin() * (5.0 * y).cos()]
    };
    let square = |s: usize| {
        let (i, j) = (s / n, s % n);
        let corners = [place(i, j), place(i + 1, j), place(i + 1, j + 1), place(i, j + 1)];
        [[0, 1, 2], [0, 2, 3]].map(|t| Bounds::of(t.map(|c: usize| corners[c])).unwrap())
    };
    (0..n * n).flat_map(square).collect()
}

#[test]
fn work_of_the_tree_grows_with_the_number_of_boxes() {
    // boxes compared for two sheets half an element apart; a count, so that no machine makes it fail
    let compared = |n: usize| {
        let mut cache = PairCache::new(BroadPhase::Tree);
        let mut last = 0;
        for time in [0.0, 0.01, 0.02] {
            let (lower, upper) = (sheet(n, 0.0, time), sheet(n, 0.5 / n as f64, -time));
            cache.update(Groups::Two(&lower, &upper), 0.1 / n as f64, |_, _| true);
            last = cache.compared();
        }
        last as f64
    };
    let (small, large) = (compared(20), compared(160));
    let exponent = (large / small).ln() / 64.0_f64.ln();
    assert!(exponent < 1.1, "exponent {exponent}");
}

#[test]
fn a_tree_whose_boxes_have_mixed_is_built_anew() {
    let swarm = Swarm::new(4000, 0.02, 3);
    let mut cache = PairCache::new(BroadPhase::Tree);
    let mut update = |boxes: &[Bounds]| {
        cache.update(Groups::One(boxes), 0.0, |_, _| true);
        cache.compared()
    };
    let boxes = swarm.boxes();
    let fresh = update(&boxes);
    // the same boxes with their numbers shuffled: the old tree fits badly once, then it is a new one
    let shuffled: Vec<Bounds> = (0..4000).map(|i| boxes[i * 1663 % 4000]).collect();
    let (old, new) = (update(&shuffled), update(&boxes[..].iter().rev().copied().collect::<Vec<_>>()));
    assert!(old > 10 * fresh, "{old} for {fresh}");
    assert!(new < 2 * fresh, "{new} for {fresh}");
}
