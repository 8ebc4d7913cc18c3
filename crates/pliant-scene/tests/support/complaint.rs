//! A scene without fault, and what is said about one with faults.

use pliant_scene::Scene;

/// Nine lines; tests replace or add some.
pub const GOOD: &str = r#"duration = "1 s"
[material.rubber]
law = "st-venant"
young = "100 kPa"
poisson = 0.33
density = 1000
[body.bar]
material = "rubber"
mesh = { shape = "box", size = [1, 1, 1], cells = [1, 1, 1] }
"#;

/// What is said about a scene that is refused.
pub fn message(text: &str) -> String {
    Scene::parse(text, "x.toml").err().unwrap_or_else(|| panic!("accepted:\n{text}")).to_string()
}
