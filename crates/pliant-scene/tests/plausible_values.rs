//! Values that are allowed but few mean: warned of, with their place and the way out.
#![allow(clippy::unwrap_used)]

use crate::complaint;

use complaint::GOOD;
use pliant_scene::Scene;

fn warned(text: &str) -> Vec<String> {
    let (scene, source) = Scene::parse(text, "x.toml").unwrap();
    pliant_scene::spec::warnings(&scene, &source).iter().map(|warning| warning.line(&source)).collect()
}

#[test]
fn poissons_ratios_at_which_elements_lock_are_warned_of() {
    assert!(warned(&GOOD.replace("0.33", "0.45")).is_empty());
    let lines = warned(&GOOD.replace("0.33", "0.49"));
    assert_eq!(lines.len(), 1, "{lines:#?}");
    assert!(
        lines[0].starts_with(
            "x.toml:5:11: warning: poisson of material \"rubber\" is 0.49: above 0.45 these elements lock"
        ),
        "{lines:#?}"
    );
    assert!(lines[0].ends_with("use 0.45 or less"), "{lines:#?}");
}

#[test]
fn bare_angles_of_more_than_a_turn_are_warned_of() {
    let turned = |angle: &str| {
        warned(&GOOD.replace(
            "[body.bar]",
            &format!("[body.bar]\nrotation = {{ axis = [0, 0, 1], angle = {angle} }}"),
        ))
    };
    let lines = turned("90");
    assert_eq!(lines.len(), 1, "{lines:#?}");
    assert!(
        lines[0].contains(
            ": warning: angle is 90 rad, 14.3 turns: a bare number is in rad; write \"90 deg\" for degrees"
        ),
        "{lines:#?}"
    );
    for fine in ["6.2", "-6.2", "\"720 deg\"", "\"90 rad\""] {
        assert!(turned(fine).is_empty(), "{fine}");
    }
    let carried = warned(&format!(
        "{GOOD}\n[[body.bar.fix]]\nwhere = \"all\"\nturn = {{ axis = [0, 0, 1], angle = -45, center = [0, 0, 0] }}\nover = 1\n"
    ));
    assert!(carried.len() == 1 && carried[0].contains("angle is -45 rad, 7.2 turns"), "{carried:#?}");
}

#[test]
fn densities_of_bones_are_held_against_those_of_matter() {
    let bone = |density: &str| {
        warned(&format!("{GOOD}\n[[body.bar.bone]]\nname = \"core\"\nwhere = \"all\"\ndensity = {density}\n"))
    };
    let light = bone("1.5");
    assert!(
        light.len() == 1
            && light[0]
                .contains("density of bone \"core\" of body \"bar\" is 1.5 kg/m^3: it looks wrong by 10^3"),
        "{light:#?}"
    );
    let heavy = bone("2e6");
    assert!(heavy.len() == 1 && heavy[0].contains("is 2000000 kg/m^3, heavier than any metal"), "{heavy:#?}");
    assert!(bone("1500").is_empty());
}
