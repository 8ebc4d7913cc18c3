//! What it costs to find the pairs of boxes that overlap: by surface triangles, method and threads; found
//! anew in every step, kept, and found for the first time. Exponents are slopes of log time over log
//! triangles.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::f64::consts::PI;
use std::time::Instant;

use pliant_geometry::{Bounds, BroadPhase, Groups, PairCache, Renewal};

/// Triangles and their corners at a time, m; elements have about a unit size.
struct Skin {
    triangles: Vec<[u32; 3]>,
    place: Box<dyn Fn(u32, f64) -> [f64; 3]>,
    vertices: u32,
}

impl Skin {
    fn boxes(&self, time: f64) -> Vec<Bounds> {
        let places: Vec<[f64; 3]> = (0..self.vertices).map(|v| (self.place)(v, time)).collect();
        let corners = |t: &[u32; 3]| t.map(|v| places[v as usize]);
        self.triangles.iter().map(|t| Bounds::of(corners(t)).unwrap()).collect()
    }
}

/// The triangles of a lattice of n x m squares.
fn lattice(n: u32, m: u32) -> Vec<[u32; 3]> {
    let square = |s: u32| {
        let a = s / m * (m + 1) + s % m;
        [[a, a + m + 1, a + m + 2], [a, a + m + 2, a + 1]]
    };
    (0..n * m).flat_map(square).collect()
}

/// Round a circle of two elements, a third of one in a step, so that every step leaves a margin of a fifth.
fn round(way: f64, time: f64) -> [f64; 2] {
    let angle = 0.175 * time;
    [2.0 * way * angle.cos(), 2.0 * way * angle.sin()]
}

/// A wavy sheet that goes round, this way or the other.
fn sheet(triangles: usize, height: f64, way: f64) -> Skin {
    let n = (triangles as f64 / 2.0).sqrt().round() as u32;
    let wave = 6.0 / f64::from(n);
    let place = move |v: u32, time: f64| {
        let (x, y) = (f64::from(v / (n + 1)), f64::from(v % (n + 1)));
        let [dx, dy] = round(way, time);
        let bump = (wave * x + 0.02 * time).sin() * (wave * y).cos();
        [x + dx, y + dy, height + 0.05 * f64::from(n) * bump]
    };
    Skin { triangles: lattice(n, n), place: Box::new(place), vertices: (n + 1) * (n + 1) }
}

/// A bumpy ball that does so; its triangles have about a unit size at its equator.
fn ball(triangles: usize, middle: f64, way: f64) -> Skin {
    let n = (triangles as f64 / 4.0).sqrt().round() as u32;
    let radius = f64::from(n) / PI;
    let place = move |v: u32, time: f64| {
        let up = PI * f64::from(v / (2 * n + 1)) / f64::from(n);
        let about = PI * f64::from(v % (2 * n + 1)) / f64::from(n);
        let r = radius * (1.0 + 0.05 * (7.0 * up).sin() * (5.0 * about).cos());
        let [dx, dy] = round(way, time);
        [middle * radius + r * up.sin() * about.cos() + dx, r * up.sin() * about.sin() + dy, r * up.cos()]
    };
    Skin { triangles: lattice(n, 2 * n), place: Box::new(place), vertices: (n + 1) * (2 * n + 1) }
}

/// The boxes of a step.
type Step = [Vec<Bounds>; 2];

/// Steps of a scene with so many triangles; whether it is one group with itself; the first group's triangles.
fn steps(scene: &str, triangles: usize, count: usize) -> (Vec<Step>, bool, Vec<[u32; 3]>) {
    let half = triangles / 2;
    let skins = match scene {
        "sheets" => vec![sheet(half, 0.0, 1.0), sheet(half, 0.5, -1.0)],
        "balls" => vec![ball(half, 0.0, 1.0), ball(half, 1.8, -1.0)],
        _ => vec![sheet(triangles, 0.0, 1.0)],
    };
    let at = |i: usize| {
        let mut boxes = skins.iter().map(|skin| skin.boxes(i as f64));
        [boxes.next().unwrap_or_default(), boxes.next().unwrap_or_default()]
    };
    ((0..count).map(at).collect(), skins.len() == 1, skins[0].triangles.clone())
}

/// Milliseconds: the median, and the shortest.
type Time = [f64; 2];

fn time_of(mut times: Vec<f64>) -> Time {
    times.sort_by(f64::total_cmp);
    [times[times.len() / 2], times[0]]
}

/// Times: found anew, kept, found first; and the last number of pairs and of boxes compared.
fn measured(method: BroadPhase, scene: &str, triangles: usize, count: usize) -> ([Time; 3], usize, u64) {
    let (steps, one, corners) = steps(scene, triangles, count);
    let shares = |a: u32, b: u32| corners[a as usize].iter().any(|v| corners[b as usize].contains(v));
    let keep = |a: u32, b: u32| !one || !shares(a, b);
    let mut cache = PairCache::new(method);
    let mut times = [const { Vec::new() }; 3];
    for (i, [first, second]) in steps.iter().enumerate() {
        let groups = if one { Groups::One(first) } else { Groups::Two(first, second) };
        let mut update = |expected| {
            let start = Instant::now();
            assert_eq!(cache.update(groups, 0.2, keep), expected);
            1e3 * start.elapsed().as_secs_f64()
        };
        times[if i == 0 { 2 } else { 0 }].push(update(Renewal::Found));
        times[1].push(update(Renewal::Kept));
    }
    (times.map(time_of), cache.pairs().len(), cache.compared())
}

/// Slope of log time over log triangles.
fn exponent(sizes: &[usize], times: &[f64]) -> f64 {
    let points: Vec<[f64; 2]> = sizes.iter().zip(times).map(|(n, t)| [(*n as f64).ln(), t.ln()]).collect();
    let count = points.len() as f64;
    let mean = [0, 1].map(|k| points.iter().map(|p| p[k]).sum::<f64>() / count);
    let product = |k: usize| points.iter().map(|p| (p[0] - mean[0]) * (p[k] - mean[k])).sum::<f64>();
    product(1) / product(0)
}

fn main() {
    let whole = std::env::args().any(|a| a == "--bench");
    let sizes: &[usize] = if whole { &[1000, 3000, 10_000, 30_000, 100_000] } else { &[1000, 2000] };
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let scenes = ["sheets", "balls", "sheet with itself"];
    let cases = scenes.into_iter().flat_map(|scene| [(scene, BroadPhase::Tree), (scene, BroadPhase::Sweep)]);
    for (threads, (scene, method)) in
        [1, 2].into_iter().flat_map(|n| cases.clone().map(move |case| (n, case)))
    {
        let name = format!("broad_phase/{scene}, {method:?}, {threads} threads");
        if !wanted.iter().all(|word| name.contains(word)) {
            continue;
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut all = Vec::new();
        for &size in sizes {
            let count = if whole { (1_000_000 / size).clamp(12, 101) } else { 3 };
            let ([anew, kept, first], pairs, compared) =
                pool.install(|| measured(method, scene, size, count));
            println!(
                "{name}, {size} triangles: anew {:.3} ms (shortest {:.3}), kept {:.4} ms, first {:.2} ms; \
                 {pairs} pairs, {compared} compared",
                anew[0], anew[1], kept[0], first[0],
            );
            all.push(anew);
        }
        let [median, shortest] =
            [0, 1].map(|k| exponent(sizes, &all.iter().map(|t: &Time| t[k]).collect::<Vec<_>>()));
        println!("{name}: exponent {median:.2} (shortest {shortest:.2})");
    }
}
