//! A body that is frozen takes motion out of the world; the accounts say how much, also of what is tied to it.

use pliant_geometry::{Mesh, followers};
use pliant_solid::integrator::{Inputs, IntegratorKind, Ladder, Lengths, StepChoice};
use pliant_solid::rigid::{Around, BoneShape, Joint};
use pliant_solid::{Attached, MassKind, World};

use super::support::{Scene, Vec3, run};
use super::{block, corotated, explicit};

/// The nodes of a mesh at z = 0, tied to the first body.
fn tied(mesh: &Mesh, to: &Mesh) -> Vec<Attached> {
    let at: Vec<u32> =
        (0..mesh.node_count() as u32).filter(|n| mesh.positions()[*n as usize][2].abs() < 1e-9).collect();
    let points: Vec<Vec3> = at.iter().map(|n| mesh.positions()[*n as usize]).collect();
    let found = followers(to, &points).unwrap();
    at.into_iter().zip(found).map(|(node, f)| Attached { node, body: 0, to: f.point }).collect()
}

fn below() -> Mesh {
    block([0.1, 0.1, 0.2], [2, 2, 4]).transformed(|p| [p[0], p[1], p[2] - 0.2]).unwrap()
}

/// One step in which body 0 is frozen, and a hundred more: the total stays, within `tolerance` J.
fn assert_closed(name: &str, mut world: World, tolerance: f64) {
    let before = world.energy();
    world.step(&Inputs::default()).unwrap();
    assert!(
        world.state().holding.is_frozen(0) && !world.state().holding.is_frozen(1),
        "{name}: body 0 is frozen"
    );
    let after = world.energy();
    assert!(after.kinetic < 0.01 * before.kinetic, "{name}: {before:?} {after:?}");
    let jump = after.total() - before.total();
    assert!(jump.abs() < tolerance, "{name}: a jump of {jump:e} J; {before:?} {after:?}");
    run(&mut world, 100);
    let drift = world.energy().total() - before.total();
    assert!(drift.abs() < tolerance, "{name}: {drift:e} J after a hundred steps");
}

/// A bone that spins too fast for the step, with a soft block tied to it that stands still: all motion ends, and all of it is booked.
#[test]
fn a_frozen_bone_books_its_motion_and_that_of_what_is_tied_to_it() {
    let (rigid, soft) = (block([0.1, 0.1, 0.1], [1, 1, 1]), below());
    let ties = tied(&soft, &rigid);
    let volumes = pliant_solid::assembly::lumped_volumes(&soft);
    let masses: Vec<(Vec3, f64)> = ties
        .iter()
        .map(|tie| tie.node as usize)
        .map(|n| (soft.positions()[n], 1000.0 * volumes[n]))
        .collect();
    let cells = (0..rigid.cell_count() as u32).collect();
    let around = Around { tied: &masses, ..Around::default() };
    let bone = BoneShape::of_cells("b", (&rigid, cells), Joint::Free, 2500.0, around).unwrap();
    let spinning = |method: IntegratorKind| {
        Scene::new(rigid.clone(), corotated(5e4))
            .bones(vec![bone.clone()])
            .body("soft", soft.clone(), corotated(5e4))
            .attached(ties.clone())
            .velocity(|p| if p[2] < -1e-9 { [0.0; 3] } else { [-900.0 * p[1], 900.0 * p[0], 0.0] })
            .integrator(method)
            .freeze_on_divergence()
            .world()
    };
    assert_closed("explicit", spinning(explicit(2e-3)), 1e-9);
}

/// A soft block a node of which leaps away, with another tied below it that flies slowly; full mass couples both across the tie.
#[test]
fn a_frozen_block_books_what_full_mass_shares_across_a_tie() {
    let (upper, lower) = (block([0.1, 0.1, 0.1], [1, 1, 1]), below());
    let ties = tied(&lower, &upper);
    let full = Ladder { step: StepChoice::Fixed(5e-4), lengths: Lengths::Halved };
    for (mass, method) in
        [(MassKind::Lumped, explicit(5e-4)), (MassKind::Consistent, IntegratorKind::Ladder(full))]
    {
        let leap = |p: Vec3| p[2] > 0.1 - 1e-9 && p[0] < 1e-9 && p[1] < 1e-9;
        let world = Scene::new(upper.clone(), corotated(5e4))
            .matter(move |m| m.mass = mass)
            .body("lower", lower.clone(), corotated(5e4))
            .matter(move |m| m.mass = mass)
            .attached(ties.clone())
            .velocity(move |p| if leap(p) { [2e4, 0.0, 0.0] } else { [0.3, 0.0, 0.2] })
            .integrator(method)
            .freeze_on_divergence()
            .world();
        assert_closed(&format!("{mass:?}"), world, 0.02);
    }
}
