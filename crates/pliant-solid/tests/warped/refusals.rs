//! What warped stiffness does not go with, and what is said then.

use pliant_geometry::BoxElement;
use pliant_numerics::Mat3;
use pliant_solid::MassKind;
use pliant_solid::assembly::{BuildError, ElementSet, InitialFields, Precision, element_terms};
use pliant_solid::integrator::{IntegratorKind, Ladder, Lengths, Refusal, StepChoice};
use pliant_solid::law::Warp;

use super::support::Scene;
use super::support::meshes::block;
use super::{model, warped};

fn cube() -> Scene {
    Scene::new(block([0.1; 3], [1; 3], BoxElement::Hex), warped(Warp::default())).hold(|p| p[2] < 1e-9)
}

fn refusal(scene: Scene) -> Option<Refusal> {
    scene.scheme().kind().accepts(&scene.model()).err()
}

#[test]
fn methods_that_need_an_energy_name_the_body_and_the_way_out() {
    let ladder = Ladder { step: StepChoice::Fixed(1e-4), lengths: Lengths::Any };
    let full = cube().matter(|m| m.mass = MassKind::Consistent).integrator(IntegratorKind::Ladder(ladder));
    for (method, scene) in
        [("newmark", cube().newmark(1e-3)), ("static", cube().statics()), ("full matrices", full)]
    {
        let refusal = refusal(scene).unwrap();
        assert!(refusal.what.contains("body `first` has the law `warped`"), "{refusal}");
        assert!(refusal.what.contains(method), "{refusal}");
        assert_eq!(refusal.way_out, "use law = \"corotated\"");
    }
    assert_eq!(refusal(cube().auto(0.9)), None);
}

#[test]
fn short_lanes_and_initial_states_are_refused_with_a_way_out() {
    let mesh = block([0.1; 3], [1; 3], BoxElement::Hex);
    let plain = model(&mesh, warped(Warp::default()));
    let body = &plain.layout().bodies()[0];
    let built = |precision: Precision, initial: &InitialFields| {
        let set = ElementSet {
            limit: None,
            body: 0,
            mesh: &mesh,
            cells: &body.cells,
            world: &body.world,
            rest: plain.layout().rest().clone(),
            law: warped(Warp::default()),
            beta: 0.0,
            density: 1000.0,
            precision,
            initial,
        };
        element_terms(&[set]).err()
    };
    let stressed = InitialFields { stress: vec![Mat3::identity()], ..InitialFields::default() };
    let relaxed = InitialFields { relaxed: vec![Mat3::identity()], ..InitialFields::default() };
    assert_eq!(built(Precision::Double, &InitialFields::default()), None);
    assert_eq!(built(Precision::Single, &InitialFields::default()), Some(BuildError::WarpedSingle));
    assert_eq!(built(Precision::Double, &stressed), Some(BuildError::WarpedInitial));
    assert_eq!(built(Precision::Double, &relaxed), Some(BuildError::WarpedInitial));
    for error in [BuildError::WarpedSingle, BuildError::WarpedInitial] {
        assert!(error.to_string().contains("use the law `corotated`"), "{error}");
    }
}
