//! Bones and attachments in scene files: what they become, and what is refused.
#![allow(clippy::unwrap_used, missing_docs)]

use pliant_scene::{CompileOptions, Compiled, LoadedScene, Scene, compile};
use pliant_solid::rigid::Joint;

const HEAD: &str = r#"
duration = "1 s"
[material.skin]
law = "corotated"
young = "20 kPa"
poisson = 0.33
density = 1000
[body.head]
material = "skin"
mesh = { shape = "box", size = [0.2, 0.2, 0.2], cells = [4, 4, 4], element = "hex" }
"#;
const BONE: &str = r#"
[[body.head.bone]]
name = "skull"
where = { deeper = "4 cm" }
density = 2000
"#;
const HAT: &str = r#"
[body.hat]
material = "skin"
mesh = { shape = "box", size = [0.1, 0.1, 0.05], cells = [3, 3, 1] }
position = [0.05, 0.05, 0.2]
[[body.hat.attach]]
where = { plane = { point = [0, 0, 0], normal = [0, 0, 1] } }
to = "head"
"#;

fn tried(text: &str) -> Result<Compiled, String> {
    let (scene, source) = Scene::parse(text, "x.toml").map_err(|e| e.to_string())?;
    let loaded = LoadedScene { scene, source, folder: ".".into() };
    compile(&loaded, CompileOptions::default()).map_err(|e| e.to_string())
}

fn refused(text: &str) -> String {
    tried(text).err().unwrap_or_else(|| panic!("accepted:\n{text}"))
}

#[test]
fn a_core_is_found_by_its_depth_and_has_its_mass() {
    let made = tried(&format!("{HEAD}{BONE}")).unwrap();
    let bone = &made.model.layout().bones()[0];
    assert_eq!((bone.name.as_str(), bone.elements, bone.joint), ("skull", 8, Joint::Free));
    // 8 of 64 cells at twice the density
    let mass: f64 = made.model.mass().iter().sum();
    assert!((mass - 8.0 * (1.0 + 8.0 / 64.0)).abs() < 1e-12, "{mass}");
    // all but 27 nodes of the core, and four masters
    assert_eq!(made.model.layout().free_count(), 125 - 27 + 4);
}

#[test]
fn a_second_surface_makes_the_same_core() {
    let inside = r#"
[[body.head.bone]]
inside = { shape = "box", size = [0.16, 0.16, 0.16], cells = [1, 1, 1] }
hinge = { point = [0.1, 0.1, 0], axis = [0, 3, 0] }
"#;
    let made = tried(&format!("{HEAD}{inside}")).unwrap();
    let bone = &made.model.layout().bones()[0];
    // centroids at 2.5, 7.5 and 12.5 cm; the box begins at the origin
    assert_eq!((bone.name.as_str(), bone.elements), ("head", 27));
    assert_eq!(bone.joint, Joint::Hinge { point: [0.1, 0.1, 0.0], axis: [0.0, 1.0, 0.0] });
}

#[test]
fn a_hat_follows_the_head() {
    let made = tried(&format!("{HEAD}{HAT}")).unwrap();
    let layout = made.model.layout();
    assert_eq!(layout.clusters(), [vec![0, 1]]);
    assert_eq!(layout.free_count(), 125 + 16, "half of 32 nodes are tied");
    assert!(made.warnings.is_empty(), "{:?}", made.warnings);
    let far = tried(&format!("{HEAD}{}", HAT.replace("0.05, 0.2]", "0.05, 0.3]"))).unwrap();
    assert!(far.warnings.iter().any(|w| w.message.contains("gap of up to 0.1000 m")), "{:?}", far.warnings);
}

#[test]
fn a_fix_holds_a_bone_by_name_or_by_all_of_its_nodes() {
    for region in ["{ bone = \"skull\" }", "\"all\""] {
        let fix = format!("[[body.head.fix]]\nwhere = {region}\n");
        let made = tried(&format!("{HEAD}{BONE}{fix}")).unwrap();
        let held = &made.model.fixes()[0].nodes;
        let masters = made.model.layout().bones()[0].masters();
        assert!(masters.clone().all(|m| held.contains(&m)), "{region}");
    }
}

#[test]
fn what_cannot_be_is_said() {
    let half = "[[body.head.fix]]\nwhere = { box = { min = [-1, -1, -1], max = [1, 1, 0.11] } }\n";
    let message = refused(&format!("{HEAD}{BONE}{half}"));
    assert!(message.contains("18 of the 27 nodes of bone `skull`"), "{message}");
    let unknown = "[[body.head.fix]]\nwhere = { bone = \"jaw\" }\n";
    assert!(refused(&format!("{HEAD}{BONE}{unknown}")).contains("no bone `jaw`"));
    let two = BONE.replace("deeper = \"4 cm\"", "sphere = { center = [0.05, 0.1, 0.1], radius = 0.06 }");
    assert!(refused(&format!("{HEAD}{BONE}{two}")).contains("two bones named `skull`"));
    assert!(refused(&format!("{HEAD}{BONE}{}", two.replace("skull", "jaw"))).contains("share nodes"));
    let nothing = BONE.replace("4 cm", "40 cm");
    assert!(refused(&format!("{HEAD}{nothing}")).contains("bone has no element"));
    let neither = "[[body.head.bone]]\ndensity = 1\n";
    assert!(refused(&format!("{HEAD}{neither}")).contains("says not which elements"));
    let newmark = "[integrator]\nmethod = \"newmark\"\nstep = \"1 ms\"\n";
    assert!(refused(&format!("{HEAD}{BONE}{newmark}")).contains("moves by itself"));
    let consistent = HEAD.replace("material = \"skin\"", "material = \"skin\"\nmass = \"consistent\"");
    let full = "[integrator]\nmethod = \"newmark\"\nstep = \"1 ms\"\n";
    assert!(refused(&format!("{consistent}{BONE}{full}")).contains("lumped"));
    let ring = format!("{HAT}[[body.head.attach]]\nwhere = {{ nodes = [0] }}\nto = \"hat\"\n");
    assert!(refused(&format!("{HEAD}{ring}")).contains("is tied to itself"));
    let stranger = HAT.replace("to = \"head\"", "to = \"heda\"");
    assert!(refused(&format!("{HEAD}{stranger}")).contains("heda"));
    let held = "[[body.hat.fix]]\nwhere = \"all\"\n";
    assert!(refused(&format!("{HEAD}{HAT}{held}")).contains("tied to another body"));
    let place = "[[body.head.load]]\nwhere = { bone = \"skull\" }\nforce = [0, 0, 1]\n";
    assert!(refused(&format!("{HEAD}{BONE}{place}")).contains("only a fix takes one"));
}
