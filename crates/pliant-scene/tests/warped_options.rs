//! The options of the law `warped`, and what it does not go with.
#![allow(clippy::unwrap_used, clippy::panic)] // a failing helper is a failing test

use crate::complaint;

use complaint::{GOOD, message};
use pliant_scene::Scene;

#[test]
fn options_of_warped_stiffness_go_with_it_alone() {
    let other = message(&GOOD.replace("poisson = 0.33", "poisson = 0.33\nwarp = { rotations = \"node\" }"));
    assert_eq!(
        other,
        "x.toml:6:8: `warp` of material \"rubber\" has no meaning with law = \"st-venant\"; \
         leave it out, or use law = \"warped\""
    );
    let warped = GOOD.replace("st-venant", "warped");
    assert!(Scene::parse(&warped, "x.toml").is_ok());
    let with = |keys: &str| warped.replace("density = 1000", &format!("density = 1000\nwarp = {{ {keys} }}"));
    assert!(Scene::parse(&with("field = \"frames\", rotations = \"mixed\""), "x.toml").is_ok());
    let body = message(&with("field = \"polar\", rotations = \"body\""));
    assert!(
        body.contains("`warp.field` of material \"rubber\" has no meaning with rotations = \"body\""),
        "{body}"
    );
    let unknown = message(&with("field = \"pole\""));
    assert!(unknown.contains("\"pole\", which is not known"), "{unknown}");
    let relaxed = "[[body.bar.initial]]\nrelaxed = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n";
    let relaxed = message(&format!("{warped}{relaxed}"));
    assert!(
        relaxed.contains(
            "body \"bar\" has the law \"warped\", which takes no relaxed shape; use the law \"corotated\""
        ),
        "{relaxed}"
    );
    let strain = message(&format!("{warped}[[body.bar.initial]]\nstrain = [0, 0, 0, 0, 0, 0]\n"));
    assert!(
        strain.contains("body \"bar\" has the law \"warped\", which takes no initial strain"),
        "{strain}"
    );
}
