//! Colliders, the rules of contact, and what of bodies touches.

use super::{EVERY_KEY, EXAMPLE, scene};
use pliant_scene::spec::*;
use pliant_scene::units::si_array;

#[test]
fn colliders_and_contact_have_their_values() {
    let scene = scene(EVERY_KEY);
    let [floor, ball, rod, plate, tool] = &scene.collider[..] else { panic!("five colliders") };
    let ColliderShape::Plane { point, normal } = &floor.shape else { panic!("no plane") };
    assert_eq!((si_array(point)[2], si_array(normal)[2], floor.friction.si()), (-1.0, 2.0, 0.5));
    assert_eq!((&floor.restitution, &floor.stiffness), (&None, &None));
    assert_eq!(floor.carrier, Carrier::Script(Motion::Still));
    let ColliderShape::Sphere { center, radius } = &ball.shape else { panic!("no sphere") };
    assert_eq!((si_array(center)[2], radius.si(), ball.thickness.si()), (-0.6, 0.05, 1e-3));
    let Carrier::Script(Motion::Carry { displacement, turn: Some(_), over }) = &ball.carrier else {
        panic!()
    };
    assert_eq!((displacement[2].si(), over.si()), (0.01, 1.0));
    let ColliderShape::Capsule { from, to, radius } = &rod.shape else { panic!("no capsule") };
    assert_eq!((si_array(from), si_array(to), radius.si()), ([0.0, 0.0, -1.0], [0.0, 0.1, -1.0], 0.01));
    assert!(matches!(&rod.carrier, Carrier::Script(Motion::Sine(sine)) if sine.frequency.si() == 3.0));
    let ColliderShape::Box { size, rotation: Some(_), .. } = &plate.shape else { panic!("no box") };
    assert_eq!((si_array(size), plate.stiffness.as_ref().unwrap().si()), ([1.0, 2.0, 0.3], 2e8));
    assert!(matches!(&plate.carrier, Carrier::Script(Motion::Table(table)) if table.len() == 2));
    let ColliderShape::Mesh { file, scale, position, rotation: Some(_) } = &tool.shape else { panic!() };
    assert_eq!((file.as_str(), scale.si(), si_array(position)[2]), ("tool.stl", 1e-3, -3.0));
    let Carrier::Bone(CarriedBy { body, bone: Some(bone) }) = &tool.carrier else { panic!("no bone") };
    assert_eq!((body.as_str(), bone.as_str()), ("dome", "core"));
    let names: Vec<String> =
        scene.collider.iter().enumerate().map(|(i, own)| collider_name(i, own)).collect();
    assert_eq!(names, ["floor", "collider 2", "collider 3", "collider 4", "collider 5"]);
    // springs have no restitution
    let bouncing =
        "[[collider]]\nshape = \"plane\"\npoint = [0, 0, -1]\nnormal = [0, 0, 1]\nrestitution = \"50 %\"\n";
    let bouncing = super::scene(&format!("{EXAMPLE}{bouncing}"));
    assert_eq!(bouncing.collider[0].restitution.as_ref().unwrap().si(), 0.5);
    let rules = &scene.contact;
    assert_eq!((scene.response(), rules.allow_overlap), (Response::Penalty, true));
    assert!((rules.stiffness.as_ref().unwrap().si() - 1e8).abs() < 1e-6);
    let ring = &scene.body["ring"].contact;
    assert_eq!((ring.thickness.si(), ring.surface.as_deref()), (1e-3, Some(&ContactSurface::Mesh)));
    assert_eq!(scene.body["two"].contact, BodyContact::default());
}
