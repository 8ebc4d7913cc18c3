//! Bones and skin, and tubes that are bent and picked up.

use super::support::{played, probes, summary};

/// The hinge is 2.5 cm above the ground, the watched top of the skull 14.5 cm above it.
#[test]
fn the_skull_turns_about_its_hinge_and_the_skin_comes_along() {
    let (_keep, out) = played("bone_and_skin");
    let probes = probes(&out);
    for (time, [x, y, z]) in &probes["neck"] {
        assert!(x.hypot(*y).hypot(*z) < 1e-12, "the hinge moved at {time} s");
    }
    for (time, [x, y, z]) in &probes["skull"] {
        assert!((x.hypot(0.145 + z) - 0.145).abs() < 1e-12 && y.abs() < 1e-12, "at {time} s");
    }
    let (skull, cheek) = (&probes["skull"].last().unwrap().1, &probes["cheek"].last().unwrap().1);
    assert!(skull[0] < -0.05, "pulled to the left: {skull:?}");
    // where a rigid head would have it, but for the weight of the skin: rho g h^2 / (2 G) is 3 mm
    let (sin, cos) = (skull[0] / 0.145, 1.0 + skull[2] / 0.145);
    let rigid = [(cos - 1.0) * 0.073 + sin * 0.075, (cos - 1.0) * 0.075 - sin * 0.073];
    assert!((cheek[0] - rigid[0]).hypot(cheek[2] - rigid[1]) < 5e-3, "{cheek:?} {rigid:?}");
    let bone = &summary(&out)["bodies"]["head"]["bones"]["skull"];
    assert_eq!(bone["elements"], 288);
}

/// The skin swings in shear: its crest comes 2 h / sqrt(G / rho) after the jerk, 65 ms for skin 2 cm thick with G = 376 Pa; the jerk takes 40 ms itself.
#[test]
fn floppy_skin_lags_behind_the_skull() {
    let (_keep, out) = played("floppy_creature");
    let probes = probes(&out);
    let aside = |probe: &str, time: f64| {
        let course = &probes[probe];
        course.iter().find(|(t, _)| *t >= time).unwrap().1[1]
    };
    assert!((aside("skull", 0.045) - 0.02).abs() < 1e-3, "the skull is there");
    let crest =
        probes["skin"].iter().take_while(|(t, _)| *t < 0.2).max_by(|a, b| a.1[1].total_cmp(&b.1[1])).unwrap();
    let lag = crest.0 - 0.02;
    assert!((lag / 0.065 - 1.0).abs() < 0.5, "crest at {} s", crest.0);
    // it swings beyond the skull, and comes to rest with it
    assert!(crest.1[1] > 0.025, "{crest:?}");
    let end = probes["skin"].last().unwrap().1;
    assert!(end[1].abs() < 5e-4 && probes["skull"].last().unwrap().1[1].abs() < 1e-12, "{end:?}");
}

/// The bent tube stands again, lower by what its weight takes, rho g L^2 / (2 E) = 3.6 mm for the 38 cm that are free; the other one lies on the ground.
#[test]
fn the_bent_tube_stands_again_and_the_other_ends_on_the_ground() {
    let (_keep, out) = played("tube_grab");
    let probes = probes(&out);
    let most = probes["rim"].iter().map(|(_, u)| u[0]).fold(0.0, f64::max);
    assert!(most > 0.15, "it was bent by {most} m");
    let [x, y, z] = probes["rim"].last().unwrap().1;
    assert!(x.hypot(y) < 2e-3 && (z + 3.55e-3).abs() < 5e-4, "{x} {y} {z}");
    // lifted, then let go; the picked node began 63 cm above the ground
    let lifted = probes["picked"].iter().map(|(_, u)| u[2]).fold(f64::NEG_INFINITY, f64::max);
    let end = probes["picked"].last().unwrap().1[2];
    assert!(lifted > 0.05 && end < -0.45, "{lifted} {end}");
    let tube = &summary(&out)["bodies"]["free"];
    assert!((tube["volume_ratio"].as_f64().unwrap() - 1.0).abs() < 0.01 && tube["inverted_elements"] == 0);
}
