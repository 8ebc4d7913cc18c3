//! Questions to a model and a state that cases share: forces, energies, places, momenta.

use pliant_numerics::Mat3;
use pliant_solid::term::Scatter;
use pliant_solid::{FullState, Layout, Model, World};

/// Three numbers along x, y, z.
pub type Vec3 = [f64; 3];

/// Inner and outer forces of all terms on all nodes, N.
pub fn forces(model: &Model, full: &FullState) -> Vec<f64> {
    let mut force = vec![0.0; 3 * model.layout().node_count()];
    for term in model.terms() {
        let mut scratch = term.new_scratch();
        term.force_add(&full.at(), &mut Scatter::new(&mut force, &mut scratch));
    }
    force
}

/// Stored energy of all terms, J.
pub fn stored(model: &Model, full: &FullState) -> f64 {
    model.terms().iter().map(|t| t.energy(&full.at())).sum()
}

/// A state at rest with every node at `place(rest)`.
pub fn placed(model: &Model, place: impl Fn(Vec3) -> Vec3) -> FullState {
    let rest = model.layout().rest();
    let x: Vec<f64> = rest.chunks_exact(3).flat_map(|p| place([p[0], p[1], p[2]])).collect();
    FullState { time: 0.0, v: vec![0.0; x.len()], x, ..FullState::default() }
}

/// The mean of P over the body, from nodal forces: sum f_i (x) X_i = - int P dV.
pub fn mean_piola(model: &Model, full: &FullState) -> Mat3<f64> {
    let (force, rest) = (forces(model, full), model.layout().rest());
    let volume: f64 = model.layout().bodies().iter().map(|b| b.mesh.volume()).sum();
    let pairs = force.chunks_exact(3).zip(rest.chunks_exact(3));
    let sum =
        pairs.fold(Mat3::zero(), |sum, (f, x)| sum - Mat3::dyad([f[0], f[1], f[2]], [x[0], x[1], x[2]]));
    sum.scale(1.0 / volume)
}

/// Nodes whose rest position lies in a region.
pub fn nodes_in(layout: &Layout, region: impl Fn(Vec3) -> bool) -> Vec<u32> {
    (0..layout.node_count() as u32).filter(|&n| region(layout.rest_of(n))).collect()
}

/// The node that rests nearest to a place.
pub fn node_at(layout: &Layout, place: Vec3) -> u32 {
    let distance = |n: u32| {
        let rest = layout.rest_of(n);
        (0..3).map(|c| (rest[c] - place[c]).powi(2)).sum::<f64>()
    };
    let nodes = 0..layout.node_count() as u32;
    nodes.min_by(|a, b| distance(*a).total_cmp(&distance(*b))).unwrap_or_default()
}

/// The displacement of the node at a place.
pub fn displacement_at(layout: &Layout, x: &[f64], place: Vec3) -> Vec3 {
    let node = node_at(layout, place);
    sub(triple(x, node), layout.rest_of(node))
}

/// Displacements of the nodes of the first body, in the mesh's order.
pub fn displacements(layout: &Layout, x: &[f64]) -> Vec<Vec3> {
    layout.bodies()[0].world.iter().map(|&n| sub(triple(x, n), layout.rest_of(n))).collect()
}

/// The largest difference over all nodes and components.
pub fn largest_difference(a: &[Vec3], b: &[Vec3]) -> f64 {
    if a.len() != b.len() {
        return f64::INFINITY;
    }
    a.iter().zip(b).fold(0.0, |most: f64, (a, b)| most.max(peak(&sub(*a, *b))))
}

/// Steps without inputs.
pub fn advance(world: &mut World, steps: usize) -> Result<(), pliant_solid::integrator::StepError> {
    for _ in 0..steps {
        world.step(&pliant_solid::integrator::Inputs::default())?;
    }
    Ok(())
}

/// How far the middle of mass has come along an axis, m, and how fast it goes, m/s.
pub fn middle_along(world: &World, axis: Vec3) -> [f64; 2] {
    let (state, layout, mass) = (world.state(), world.model().layout(), world.model().mass());
    let whole: f64 = mass.iter().sum();
    let mut sums = [0.0; 2];
    for (node, m) in mass.iter().enumerate() {
        let node = node as u32;
        sums[0] += m * dot(axis, sub(triple(&state.x, node), layout.rest_of(node)));
        sums[1] += m * dot(axis, triple(&state.v, node));
    }
    sums.map(|sum| sum / whole)
}

/// Largest absolute entry.
pub fn peak(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, v| most.max(v.abs()))
}

/// The three numbers of a node.
pub fn triple(values: &[f64], node: u32) -> Vec3 {
    let first = 3 * node as usize;
    [values[first], values[first + 1], values[first + 2]]
}

/// a + b.
pub fn add(a: Vec3, b: Vec3) -> Vec3 {
    std::array::from_fn(|c| a[c] + b[c])
}

/// a - b.
pub fn sub(a: Vec3, b: Vec3) -> Vec3 {
    std::array::from_fn(|c| a[c] - b[c])
}

/// a . b.
pub fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a x b.
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// p = log2(e(h) / e(h/2)): the order of a method as seen from two errors.
pub fn order(coarse: f64, fine: f64) -> f64 {
    (coarse / fine).log2()
}

/// theta of a swing sampled at every step, from q_{n+1} + q_{n-1} = 2 cos(theta) q_n, summed against noise.
pub fn angle_of_a_step(q: &[f64]) -> f64 {
    let sums =
        |(above, below): (f64, f64), w: &[f64]| (above + (w[0] + w[2]) * w[1], below + 2.0 * w[1] * w[1]);
    let (above, below) = q.windows(3).fold((0.0, 0.0), sums);
    (above / below).acos()
}
