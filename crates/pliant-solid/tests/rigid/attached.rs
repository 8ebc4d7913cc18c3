//! Nodes tied to other bodies: to bones and to soft matter.

use pliant_geometry::{Mesh, followers};
use pliant_solid::integrator::IntegratorKind;
use pliant_solid::rigid::{Around, BoneShape, Joint};
use pliant_solid::{Attached, World};

use super::support::{Scene, Vec3, run};
use super::{block, corotated, distance, euler, explicit, momenta};

const G: f64 = 9.81;

fn lowered(mesh: Mesh, by: f64) -> Mesh {
    mesh.transformed(|p| [p[0], p[1], p[2] - by]).unwrap()
}

/// The nodes of a mesh at a height, tied to the first body.
fn tied(mesh: &Mesh, to: &Mesh, z: f64) -> Vec<Attached> {
    let at: Vec<u32> = (0..mesh.node_count() as u32)
        .filter(|n| (mesh.positions()[*n as usize][2] - z).abs() < 1e-9)
        .collect();
    let points: Vec<Vec3> = at.iter().map(|n| mesh.positions()[*n as usize]).collect();
    let found = followers(to, &points).unwrap();
    at.into_iter().zip(found).map(|(node, f)| Attached { node, body: 0, to: f.point }).collect()
}

/// A soft cord whose upper end is held, with a finer one tied below it: what the fix carries is the weight of both.
#[test]
fn a_cord_tied_to_a_cord_hangs_with_its_weight() {
    let (upper, lower) = (block([0.1, 0.1, 0.3], [1, 1, 3]), lowered(block([0.1, 0.1, 0.2], [2, 2, 4]), 0.2));
    let ties = tied(&lower, &upper, 0.0);
    assert_eq!(ties.len(), 9);
    for (name, method, steps) in [("explicit", explicit(4e-4), 12000), ("implicit Euler", euler(0.01), 800)] {
        let mut world = Scene::new(upper.clone(), corotated(2e5))
            .matter(|m| m.mass_damping = 6.0)
            .body("lower", lower.clone(), corotated(2e5))
            .matter(|m| m.mass_damping = 6.0)
            .attached(ties.clone())
            .hold(|p| p[2] > 0.3 - 1e-9)
            .gravity([0.0, 0.0, -G])
            .integrator(method)
            .world();
        run(&mut world, steps);
        let up: f64 = world.state().reactions.chunks_exact(3).map(|r| r[2]).sum();
        let weight = 1000.0 * G * 0.01 * 0.5;
        // what rests on the held nodes themselves is theirs too
        assert!((up / weight - 1.0).abs() < 1e-6, "{name}: {up} {weight}");
    }
}

/// The tie itself: nodes of both faces stay together, wherever the upper one goes.
#[test]
fn ties_hold_exactly() {
    let (upper, lower) = (block([0.1, 0.1, 0.3], [1, 1, 3]), lowered(block([0.1, 0.1, 0.2], [2, 2, 4]), 0.2));
    let ties = tied(&lower, &upper, 0.0);
    let mut world = Scene::new(upper, corotated(5e4))
        .body("lower", lower, corotated(5e4))
        .attached(ties.clone())
        .hold(|p| p[2] > 0.3 - 1e-9)
        .gravity([5.0, 2.0, -G])
        .integrator(euler(0.01))
        .world();
    run(&mut world, 60);
    let full = world.model().full_state(world.state());
    let place = |body: usize, n: u32| -> Vec3 {
        let at = 3 * world.model().layout().bodies()[body].world[n as usize] as usize;
        [full.x[at], full.x[at + 1], full.x[at + 2]]
    };
    assert!(distance(place(0, 0), [0.0; 3]) > 0.02, "it swings out");
    for tie in &ties {
        let there: Vec3 =
            std::array::from_fn(|c| tie.to.iter().map(|(n, w)| w * place(tie.body, n)[c]).sum());
        assert!(distance(place(1, tie.node), there) < 1e-15);
    }
}

/// A soft block glued to a rigid one, both free: momenta stay, under both methods, and the nodes tied to the bone count in its inertia.
#[test]
fn a_pair_that_flies_keeps_its_momenta() {
    let (rigid, soft) = (block([0.1, 0.1, 0.1], [1, 1, 1]), lowered(block([0.1, 0.1, 0.2], [2, 2, 4]), 0.2));
    let ties = tied(&soft, &rigid, 0.0);
    let volumes = pliant_solid::assembly::lumped_volumes(&soft);
    let masses: Vec<(Vec3, f64)> = ties
        .iter()
        .map(|tie| tie.node as usize)
        .map(|n| (soft.positions()[n], 1000.0 * volumes[n]))
        .collect();
    let cells = (0..rigid.cell_count() as u32).collect();
    let around = Around { tied: &masses, ..Around::default() };
    let bone = BoneShape::of_cells("b", (&rigid, cells), Joint::Free, 2500.0, around).unwrap();
    let flying = |method: IntegratorKind| -> World {
        let (bone, ties) = (bone.clone(), ties.clone());
        Scene::new(rigid.clone(), corotated(5e4))
            .bones(vec![bone])
            .body("soft", soft.clone(), corotated(5e4))
            .attached(ties)
            .velocity(|p| [0.2 - 3.0 * p[1], 3.0 * p[0] - 2.0 * p[2], 0.1 + 2.0 * p[1]])
            .integrator(method)
            .world()
    };
    for (name, method, steps) in [("explicit", explicit(2e-4), 2000), ("implicit Euler", euler(0.01), 300)] {
        let mut world = flying(method);
        let mass: f64 = world.model().mass().iter().sum();
        assert!((mass - 2.5 - 2.0).abs() < 1e-12, "{mass}");
        let [p, l] = momenta(&world);
        run(&mut world, steps);
        let [p1, l1] = momenta(&world);
        assert!(distance(p, p1) < 1e-10 * distance(p, [0.0; 3]), "{name}: {p:?} {p1:?}");
        assert!(distance(l, l1) < 1e-10 * distance(l, [0.0; 3]), "{name}: {l:?} {l1:?}");
    }
}

/// Statics takes bones that are held, and bodies that are held by what they are tied to.
#[test]
fn statics_sees_what_bones_and_ties_hold() {
    let bar =
        || Scene::new(block([0.1, 0.1, 0.3], [2, 2, 6]), corotated(1e5)).gravity([3.0, 0.0, -G]).statics();
    let grid = |p: Vec3| p.iter().all(|c| (c / 0.05 - (c / 0.05).round()).abs() < 1e-9);
    let mut bone =
        bar().bone(|p| p[2] < 0.1, Joint::Free, 1000.0).hold(move |p| p[2] < 0.2 && !grid(p)).world();
    assert_eq!(bone.model().fixes()[0].nodes.len(), 4);
    let mut held = bar().hold(|p| p[2] < 0.1 + 1e-9).world();
    for world in [&mut bone, &mut held] {
        super::support::run_until(world, 1.0);
    }
    let (a, b) = (super::node(&bone, 62), super::node(&held, 62));
    assert!(distance(a, b) < 1e-9 && distance(a, [0.1, 0.1, 0.3]) > 1e-3, "{a:?} {b:?}");
    let (upper, lower) = (block([0.1, 0.1, 0.3], [1, 1, 3]), lowered(block([0.1, 0.1, 0.2], [2, 2, 4]), 0.2));
    let ties = tied(&lower, &upper, 0.0);
    let pair = Scene::new(upper, corotated(2e5)).body("lower", lower, corotated(2e5)).attached(ties);
    let mut pair = pair.hold(|p| p[2] > 0.3 - 1e-9).gravity([0.0, 0.0, -G]).statics().world();
    let (_, error) = super::support::run_until(&mut pair, 1.0);
    assert!(error.is_none(), "{error:?}");
    let up: f64 = pair.state().reactions.chunks_exact(3).map(|r| r[2]).sum();
    assert!((up / (1000.0 * G * 0.01 * 0.5) - 1.0).abs() < 1e-6, "{up}");
}

/// Nodes tied beside an element, 2 cm above it, have weights below zero; nothing may hang in the air for it.
#[test]
fn what_is_tied_across_a_gap_falls_with_the_rest() {
    let (below, above) =
        (block([0.1, 0.1, 0.1], [4, 4, 4]), lowered(block([0.1, 0.1, 0.1], [4, 4, 4]), -0.12));
    let ties = tied(&above, &below, 0.12);
    assert_eq!(ties.len(), 25);
    for (name, method, steps) in [("explicit", explicit(2e-4), 2500), ("implicit Euler", euler(0.005), 100)] {
        let mut world = Scene::new(below.clone(), corotated(5e4))
            .body("above", above.clone(), corotated(5e4))
            .attached(ties.clone())
            .gravity([0.0, 0.0, -G])
            .integrator(method)
            .world();
        assert!(world.model().mass().iter().all(|m| *m > 0.0));
        run(&mut world, steps);
        let (p, mass) = (momenta(&world)[0], world.model().mass().iter().sum::<f64>());
        assert!((mass - 2.0).abs() < 1e-12 && (p[2] + mass * G * 0.5).abs() < 1e-6 * mass, "{name}: {p:?}");
        let lowest = world.state().x.chunks_exact(3).map(|x| x[2]).fold(f64::NEG_INFINITY, f64::max);
        assert!(lowest < 0.22 - 1.0, "{name}: a node hangs at {lowest}");
    }
}
