//! Scenes in which bodies meet floors, slopes, plates and tools.

use std::collections::BTreeMap;
use std::path::Path;

use super::support::{played, probes, summary};

const G: f64 = 9.81;

/// Times and forces on bodies, by name.
fn forces(folder: &Path) -> BTreeMap<String, Vec<(f64, [f64; 3])>> {
    let mut out: BTreeMap<String, Vec<(f64, [f64; 3])>> = BTreeMap::new();
    for line in std::fs::read_to_string(folder.join("forces.csv")).unwrap().lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |i: usize| fields[i].parse::<f64>().unwrap();
        out.entry(fields[1].into()).or_default().push((number(0), [3, 4, 5].map(number)));
    }
    out
}

/// The mean vertical force from a time on.
fn mean_lift(rows: &[(f64, [f64; 3])], from: f64) -> f64 {
    let late: Vec<f64> = rows.iter().filter(|(t, _)| *t >= from).map(|(_, f)| f[2]).collect();
    late.iter().sum::<f64>() / late.len() as f64
}

fn weight(folder: &Path, body: &str) -> f64 {
    G * summary(folder)["bodies"][body]["mass_kg"].as_f64().unwrap()
}

/// It falls as everything does, rises lower with every bounce, and lies on the floor at last, which carries its weight.
#[test]
fn a_soft_ball_bounces_lower_each_time_and_comes_to_rest() {
    let (_keep, out) = played("ball_drop");
    let (centre, floor) = (&probes(&out)["centre"], &forces(&out)["floor"]);
    // 30 cm take sqrt(2 h / g), and central differences follow a parabola exactly
    let landing = (2.0 * 0.3 / G).sqrt();
    for (t, u) in centre.iter().filter(|(t, _)| *t < landing) {
        assert!((u[2] + 0.5 * G * t * t).abs() < 1e-9, "{t} {u:?}");
    }
    let first = floor.iter().find(|(_, f)| f[2] > 0.0).unwrap().0;
    assert!(first > landing && first < landing + 0.0105, "touches at {first}, the sample after {landing}");
    let heights: Vec<f64> = centre
        .windows(3)
        .filter(|w| w[1].1[2] > w[0].1[2] && w[1].1[2] >= w[2].1[2])
        .map(|w| 0.3 + w[1].1[2])
        .collect();
    assert!(heights.len() >= 4 && heights[0] < 0.25 && heights[0] > 0.1, "{heights:?}");
    assert!(heights.windows(2).all(|pair| pair[1] < pair[0]), "{heights:?}");
    let carried = mean_lift(floor, 2.2);
    assert!((carried / weight(&out, "ball") - 1.0).abs() < 0.005, "{carried}");
    let s = summary(&out);
    assert!(s["energy"]["kinetic"].as_f64().unwrap() < 1e-6 && s["contacts"]["count"].as_u64().unwrap() > 0);
}

/// A slope of 3 in 4: friction of 0.8 holds, with 0.5 it goes down with g (0.6 - 0.5 * 0.8).
#[test]
fn of_two_blocks_one_holds_and_the_other_slides_as_coulomb_says() {
    let (_keep, out) = played("incline");
    let paths = probes(&out);
    let way = |u: &[f64; 3]| 0.8 * u[0] - 0.6 * u[2];
    // once the blocks have settled: way = a t^2 / 2 by equal times
    let at = |name: &str, time: f64| {
        let row =
            paths[name].iter().min_by(|a, b| (a.0 - time).abs().total_cmp(&(b.0 - time).abs())).unwrap();
        (row.0, way(&row.1))
    };
    let [(t0, s0), (t1, s1), (t2, s2)] = [0.2, 0.4, 0.6].map(|time| at("slides", time));
    let slope = |ta: f64, sa: f64, tb: f64, sb: f64| (sb - sa) / (tb - ta);
    let seen = 2.0 * (slope(t1, s1, t2, s2) - slope(t0, s0, t1, s1)) / (t2 - t0);
    assert!((seen / (G / 5.0) - 1.0).abs() < 0.01, "{seen}");
    let crept = at("holds", 0.6).1 - at("holds", 0.2).1;
    assert!(crept.abs() < 1e-6, "crept by {crept} m");
}

/// Sliding friction acts at the floor: v - w r falls to nothing, and the angular momentum about a point of the floor stays, so that 2/3 of the speed are left.
#[test]
fn a_wheel_thrown_without_spin_ends_up_rolling() {
    let (_keep, out) = played("roll");
    let all = probes(&out);
    let (hub, rim) = (&all["hub"], &all["rim"]);
    let angle = |i: usize| {
        let arm: [f64; 2] = [0, 2].map(|c| rim[i].1[c] - hub[i].1[c] + if c == 0 { 0.09 } else { 0.0 });
        arm[1].atan2(arm[0])
    };
    let tau = std::f64::consts::TAU;
    let mut turned = vec![0.0];
    for i in 1..hub.len() {
        let step = angle(i - 1) - angle(i);
        turned.push(turned[i - 1] + step - tau * (step / tau).round());
    }
    let (start, end) = (hub.iter().position(|row| row.0 > 0.5).unwrap(), hub.len() - 1);
    let time = hub[end].0 - hub[start].0;
    let speed = (hub[end].1[0] - hub[start].1[0]) / time;
    let spin = (turned[end] - turned[start]) / time;
    // flattened by its weight: the hub is that much nearer to the floor
    let heights = hub[start..=end].iter().map(|row| 0.1 + row.1[2]);
    let radius = heights.sum::<f64>() / (end - start + 1) as f64;
    assert!((speed / (spin * radius) - 1.0).abs() < 0.005, "{speed} m/s, {spin} rad/s, {radius} m");
    assert!((speed / (2.0 * 2.0 / 3.0) - 1.0).abs() < 0.05, "{speed} m/s of 2");
}

/// What the tool pushes down the table pushes up, beside the weight; and forces.csv has both.
#[test]
fn a_table_feels_the_tool_through_the_flesh() {
    let (_keep, out) = played("tool_push");
    let (forces, weight) = (forces(&out), weight(&out, "flesh"));
    // the first wobble under its weight is over
    for ((t, tool), (_, table)) in forces["tool"].iter().zip(&forces["table"]).filter(|(row, _)| row.0 > 0.5)
    {
        assert!(
            tool[2] <= 0.0 && (table[2] + tool[2] - weight).abs() < 0.01 * weight,
            "{t}: {tool:?} {table:?}"
        );
    }
    let (deepest, push) =
        forces["tool"].iter().map(|(t, f)| (*t, -f[2])).max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    assert!((deepest - 1.0).abs() < 0.05 && push > 2.0, "{push} N at {deepest} s");
    assert_eq!(forces["tool"].last().unwrap().1, [0.0; 3], "drawn back");
    let inside = summary(&out)["contacts"]["deepest_penetration_m"].as_f64().unwrap();
    assert!(inside > 0.0 && inside < 1e-4, "{inside}");
}

/// Smooth plates: P_3 = mu (l - 1 / l) + lambda ln J / l at l = 0.8, with a width at which the other stresses vanish.
#[test]
fn a_pressed_block_is_as_wide_and_strong_as_uniaxial_compression() {
    let (_keep, out) = played("press");
    let (young, poisson, l) = (1e5_f64, 0.3_f64, 0.8_f64);
    let (mu, lambda) =
        (young / (2.0 * (1.0 + poisson)), young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)));
    // mu (w^2 - 1) + lambda ln(w^2 l) = 0 by bisection
    let (mut low, mut high) = (1.0_f64, 1.5_f64);
    for _ in 0..60 {
        let w = 0.5 * (low + high);
        let across = mu * (w * w - 1.0) + lambda * (w * w * l).ln();
        if across < 0.0 { low = w } else { high = w }
    }
    let stress = mu * (l - 1.0 / l) + lambda * (low * low * l).ln() / l;
    let (all, ends) = (forces(&out), probes(&out));
    let [upper, lower] = ["upper plate", "lower plate"].map(|name| all[name].last().unwrap().1);
    assert!((upper[2] / (stress * 0.01) - 1.0).abs() < 1e-3, "{upper:?}");
    assert!((lower[2] / upper[2] + 1.0).abs() < 1e-3, "{lower:?}");
    let wide = 0.1 + ends["side"].last().unwrap().1[0] - ends["other side"].last().unwrap().1[0];
    assert!((wide / (0.1 * low) - 1.0).abs() < 1e-3, "{wide}");
    // all that the plates did is stored or damped away
    let energy = &summary(&out)["energy"];
    let of = |name: &str| energy[name].as_f64().unwrap();
    assert!((of("elastic") + of("dissipated") + of("contact")).abs() < 1e-3 * of("elastic"), "{energy}");
}

/// [Warp 4.2]: it falls, bounces and comes to lie on one of its ten sides, with its axis at R cos(pi / 10) less what it is flattened.
#[test]
fn the_tube_comes_to_lie_on_the_ground() {
    let (_keep, out) = played("tube_drop");
    let (ends, ground) = (probes(&out), &forces(&out)["ground"]);
    let carried = mean_lift(ground, 2.5);
    assert!((carried / weight(&out, "tube") - 1.0).abs() < 0.02, "{carried}");
    let height = |name: &str, rest: f64| rest + ends[name].last().unwrap().1[2];
    let (lower, upper) =
        (height("lower end", 0.3), height("upper end", 0.3 + 0.5 * 30_f64.to_radians().cos()));
    let side = 0.065 * (std::f64::consts::PI / 10.0).cos();
    assert!((lower - side).abs() < 1e-3 && (upper - side).abs() < 1e-3, "{lower} {upper}, {side}");
    let tube = &summary(&out)["bodies"]["tube"];
    assert!((tube["volume_ratio"].as_f64().unwrap() - 1.0).abs() < 0.01 && tube["inverted_elements"] == 0);
}
