//! ORDER-DT-1 and DYN-COLUMN-1: whole motions against an eighth-order integrator on the same meshes.

use pliant_solid::World;

use super::support::{Vec3, node_at, order, run, triple};
use super::{cantilever, column, spinning_block};

/// Rest position and final displacement of every node.
fn reference(csv: &str) -> Vec<(Vec3, Vec3)> {
    let row = |line: &str| {
        let values: Vec<f64> = line.split(',').map(|field| field.parse().unwrap()).collect();
        ([values[1], values[2], values[3]], [values[4], values[5], values[6]])
    };
    csv.lines().skip(1).map(row).collect()
}

/// Displacements of the mesh's nodes, in the mesh's order.
fn displacements(world: &World) -> Vec<Vec3> {
    let (layout, x) = (world.model().layout(), &world.state().x);
    let one = |&n: &u32| {
        let (now, rest) = (triple(x, n), layout.rest_of(n));
        std::array::from_fn(|c| now[c] - rest[c])
    };
    layout.bodies()[0].world.iter().map(one).collect()
}

/// The largest difference over all nodes and components.
fn largest_error(ours: &[Vec3], reference: &[(Vec3, Vec3)]) -> f64 {
    assert_eq!(ours.len(), reference.len());
    let pairs = ours.iter().zip(reference);
    pairs.flat_map(|(a, (_, b))| (0..3).map(move |c| (a[c] - b[c]).abs())).fold(0.0, f64::max)
}

fn error_after(steps: usize, world: impl Fn(usize) -> World, csv: &str) -> f64 {
    let (mut world, reference) = (world(steps), reference(csv));
    for (place, (rest, _)) in world.model().layout().bodies()[0].mesh.positions().iter().zip(&reference) {
        assert!((0..3).all(|c| (place[c] - rest[c]).abs() < 1e-9), "the reference has the same nodes");
    }
    run(&mut world, steps);
    largest_error(&displacements(&world), &reference)
}

const CANTILEVER: &str = include_str!("../../data/DYN-CANT-1_final.csv");
const SPIN: &str = include_str!("../../data/DYN-SPIN-1_final.csv");
const COLUMN: &str = include_str!("../../data/DYN-COLUMN-1_final.csv");

/// Errors of a table of step counts, each within 1 % of what an independent stepper measured.
fn assert_errors(
    name: &str,
    world: impl Fn(usize) -> World + Copy,
    csv: &str,
    table: [(usize, f64); 4],
) -> [f64; 4] {
    table.map(|(steps, expected)| {
        let error = error_after(steps, world, csv);
        println!("{name} n = {steps}: {error:.4e} m (reference {expected:.4e})");
        assert!((error - expected).abs() < 0.01 * expected, "{name} n = {steps}: {error:e} {expected:e}");
        error
    })
}

#[test]
fn the_automatic_step_is_within_five_per_cent_below_the_tabulated_one() {
    // ORDER-DT-1: dt_crit at u = 0
    use pliant_solid::Workspace;
    use pliant_solid::integrator::{Inputs, stable_step};
    for (name, world, critical) in
        [("DYN-CANT-1", cantilever(1000), 2.879963e-3), ("DYN-SPIN-1", spinning_block(1000), 4.114788e-3)]
    {
        let (model, state) = (world.model(), world.state());
        let mut mode = vec![0.0; state.x.len()];
        let found = stable_step(model, state, &mut Workspace::new(model), &mut mode, &Inputs::default()).dt;
        println!("{name}: {found:.6e} s of {critical:.6e} s");
        assert!(found <= critical && 0.96 * found > 0.95 * critical, "{name}: {found} {critical}");
    }
}

#[test]
fn swinging_cantilever_converges_with_order_two() {
    let table = [(261, 1.0606e-4), (522, 2.8572e-5), (1044, 7.0944e-6), (2088, 1.7777e-6)];
    let errors = assert_errors("DYN-CANT-1", cantilever, CANTILEVER, table);
    assert!((order(errors[2], errors[3]) - 2.0).abs() < 0.02, "{errors:?}");
}

#[test]
fn spinning_block_converges_with_order_two() {
    let table = [(152, 4.9743e-4), (304, 1.4876e-4), (608, 6.2644e-5), (1216, 1.5308e-5)];
    let errors = assert_errors("DYN-SPIN-1", spinning_block, SPIN, table);
    assert!((order(errors[2], errors[3]) - 2.0).abs() < 0.05, "{errors:?}");
}

#[test]
fn swinging_cantilever_ends_at_the_reference_state() {
    // DYN-CANT-1 at 0.6 s: node (0.4, 0.1, 0.1), strain and kinetic energy; total = 0
    let mut world = cantilever(20_880);
    run(&mut world, 20_880);
    let node = node_at(world.model().layout(), [0.4, 0.1, 0.1]);
    let u = displacements(&world)[80];
    let v = triple(&world.state().v, node);
    // the error at n = 2088, 1.8e-6 m, falls a hundredfold; velocities by the highest frequencies more slowly
    let (u_end, v_end) =
        ([2.76645516e-3, 4.79057e-6, -2.25343636e-2], [-0.150729426, -7.98061e-3, 0.924451439]);
    assert!((0..3).all(|c| (u[c] - u_end[c]).abs() < 3e-8), "{u:?}");
    assert!((0..3).all(|c| (v[c] - v_end[c]).abs() < 1e-4), "{v:?}");
    let energy = world.energy();
    assert!((energy.elastic - 2.54393665e-2).abs() < 1e-6, "{energy:?}");
    assert!((energy.kinetic - 0.345089400).abs() < 1e-6, "{energy:?}");
    assert!(energy.total().abs() < 1e-7, "{energy:?}");
}

#[test]
fn spinning_block_ends_at_the_reference_state() {
    // DYN-SPIN-1 at 0.5 s, node (0.1, 0.2, 0.3)
    let mut world = spinning_block(12_160);
    run(&mut world, 12_160);
    let u = displacements(&world)[104];
    let v = triple(&world.state().v, node_at(world.model().layout(), [0.1, 0.2, 0.3]));
    let (u_end, v_end) =
        ([0.131125418, 0.0516281922, 0.266559746], [-0.555617118, -0.134215200, 1.458551176]);
    assert!((0..3).all(|c| (u[c] - u_end[c]).abs() < 2e-7), "{u:?}");
    assert!((0..3).all(|c| (v[c] - v_end[c]).abs() < 2e-4), "{v:?}");
}

#[test]
fn twisting_column_converges_to_the_reference_with_order_two() {
    // DYN-COLUMN-1 at 0.1 s, node (1, 1, 6): u = (-1.20754073, -0.543303138, 6.13598367e-3) m,
    // W = 652318.250 J, T = 7681.74956 J, together 660000 J
    let reference = reference(COLUMN);
    let runs = [2000, 4000, 8000].map(|steps| {
        let mut world = column(steps);
        run(&mut world, steps);
        (displacements(&world), world.energy())
    });
    let errors = [0, 1, 2].map(|k| largest_error(&runs[k].0, &reference));
    println!("DYN-COLUMN-1 n = 2000, 4000, 8000: {errors:?} m, {:?}", runs[2].1);
    assert!((order(errors[0], errors[1]) - 2.0).abs() < 0.05, "{errors:?}");
    assert!((order(errors[1], errors[2]) - 2.0).abs() < 0.02, "{errors:?}");
    // the error's h^2 term removed
    let extrapolated: Vec<Vec3> = runs[1]
        .0
        .iter()
        .zip(&runs[2].0)
        .map(|(coarse, fine)| std::array::from_fn(|c| (4.0 * fine[c] - coarse[c]) / 3.0))
        .collect();
    let left = largest_error(&extrapolated, &reference);
    println!("extrapolated: {left:.3e} m");
    assert!(left < 1e-2 * errors[2], "{left:e}");
    let u = extrapolated[116];
    assert!((u[0] + 1.20754073).abs() < 1e-6 && (u[1] + 0.543303138).abs() < 1e-6, "{u:?}");
    let both = |f: fn(&pliant_solid::Energy) -> f64| (4.0 * f(&runs[2].1) - f(&runs[1].1)) / 3.0;
    assert!((both(|e| e.elastic) - 652318.250).abs() < 1e-6 * 652318.250);
    assert!((both(|e| e.kinetic) - 7681.74956).abs() < 1e-6 * 652318.250);
    assert!((runs[2].1.total() - 660000.0).abs() < 1e-4 * 660000.0);
}
