//! Networks of springs, grids and tables of particles.

use super::{EVERY_KEY, scene};
use pliant_scene::spec::*;
use pliant_scene::units::si_array;

#[test]
fn networks_have_their_values() {
    let scene = scene(EVERY_KEY);
    let n = &scene.network["n"];
    assert_eq!((n.law, n.stiffness.as_ref().unwrap().si(), n.drag.si()), (NetworkLaw::Warped, 10.0, 0.2));
    assert_eq!((n.damping.as_ref().unwrap().si(), n.mass.as_ref().unwrap().si()), (0.1, 0.05));
    assert_eq!(n.warp.as_ref().unwrap().rotations, Rotations::Body);
    let cloth = &scene.network["cloth"];
    assert_eq!((cloth.law, cloth.angle.si(), cloth.bend.si()), (NetworkLaw::Springs, 2.0, 1.0));
    assert_eq!(cloth.relaxation.as_ref().unwrap().si(), 1e-3);
    let solid = &scene.network["solid"];
    assert_eq!((solid.young.as_ref().unwrap().si(), solid.density.as_ref().unwrap().si()), (1e3, 900.0));
    let Mesh::Particles { particles, springs } = &*scene.body["net"].mesh else { panic!("no particles") };
    assert_eq!((particles.len(), si_array(&particles[1])), (2, [0.01, 0.0, 0.0]));
    let own = &springs[1].0;
    assert_eq!((springs[0].0.between, own.length.as_ref().unwrap().si()), ([0, 1], 3.0));
    assert_eq!((own.stiffness.as_ref().unwrap().si(), own.damping.as_ref().unwrap().si()), (1.0, 2.0));
    let Mesh::Shape(Shape::Grid { size, cells }) = &*scene.body["sheet"].mesh else { panic!("no grid") };
    assert_eq!((si_array(size), **cells), ([1.0, 2.0], [3, 4]));
}
