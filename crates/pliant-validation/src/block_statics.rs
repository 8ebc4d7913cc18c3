//! Blocks brought to equilibrium in stages: carried by their ends, or hanging under their weight.

use pliant_geometry::BoxElement;
use pliant_solid::element::{Element, Hex8, Tet4};
use pliant_solid::{FullState, Model};

use crate::CaseError;
use crate::measure::{
    Vec3, add, cross, displacements, forces, largest_difference, nodes_in, peak, stored, sub, sum_over,
    triple,
};
use crate::newton::Equilibrium;
use crate::reference::reference_displacements;
use crate::verify::{Expected, Origin, Row, vector_rows};

/// Both elements, as the reference suite names them.
pub const ELEMENTS: [(&str, BoxElement); 2] = [("hex8", BoxElement::Hex), ("tet4", BoxElement::Tet6)];

/// Discrete references: the band of the suite, and their origin.
pub const DISCRETE: (f64, Origin) = (1e-6, Origin::IndependentCode);

/// Nodes at z = 0 held, nodes at the top carried to `carry(fraction, rest)` in stages.
pub fn carried(
    model: &Model,
    height: f64,
    stages: usize,
    carry: impl Fn(f64, Vec3) -> Vec3,
) -> Result<FullState, CaseError> {
    let mut state = Equilibrium::new(model, |p, _| p[2] > 1e-9 && p[2] < height - 1e-9);
    let top = nodes_in(model.layout(), |p| p[2] > height - 1e-9);
    for stage in 1..=stages {
        for &n in &top {
            let place = carry(stage as f64 / stages as f64, model.layout().rest_of(n));
            state.full.x[3 * n as usize..][..3].copy_from_slice(&place);
        }
        state.settle()?;
    }
    Ok(state.full)
}

/// rho b int N_i dV: the consistent load of a body force per volume, N/m^3, in world order.
pub fn body_load(model: &Model, density: Vec3) -> Vec<f64> {
    let body = &model.layout().bodies()[0];
    let mut load = vec![0.0; 3 * model.layout().node_count()];
    let mut spread = |nodes: &[u32], volumes: &[f64]| {
        for (node, volume) in nodes.iter().zip(volumes) {
            let first = 3 * body.world[*node as usize] as usize;
            (0..3).for_each(|c| load[first + c] += density[c] * volume);
        }
    };
    let corners = |n: u32| body.mesh.positions()[n as usize];
    body.mesh.tets().iter().for_each(|t| spread(t, &Tet4::lumped_weights(&t.map(corners))));
    body.mesh.hexes().iter().for_each(|h| spread(h, &Hex8::lumped_weights(&h.map(corners))));
    load
}

/// Equilibrium under weight, reached in ten stages; `weight` in N/m^3.
pub fn hanging(model: &Model, clamped: impl Fn(Vec3) -> bool, weight: Vec3) -> Result<FullState, CaseError> {
    const STAGES: usize = 10;
    let mut state = Equilibrium::new(model, |p, _| !clamped(p));
    for stage in 1..=STAGES {
        let part = stage as f64 / STAGES as f64;
        state.load = body_load(model, weight.map(|w| part * w));
        state.settle()?;
    }
    Ok(state.full)
}

/// The force that holds the top, and its moment about the line along z through the middle of the top.
pub fn grip_on_top(model: &Model, full: &FullState, height: f64) -> (Vec3, f64) {
    let held: Vec<f64> = forces(model, full).iter().map(|f| -f).collect();
    let top = nodes_in(model.layout(), |p| p[2] > height - 1e-9);
    let middle = sum_over(&top, model.layout().rest()).map(|c| c / top.len() as f64);
    let moment = top
        .iter()
        .fold([0.0; 3], |sum, &n| add(sum, cross(sub(triple(&full.x, n), middle), triple(&held, n))));
    (sum_over(&top, &held), moment[2])
}

/// The displacement of every node against a table; the error is a part of the largest displacement.
pub fn all_nodes(model: &Model, full: &FullState, table: &str) -> Result<Row, CaseError> {
    let reference = reference_displacements(table)?;
    let ours = displacements(model.layout(), &full.x);
    let largest = reference.iter().fold(0.0, |most: f64, u| most.max(peak(u)));
    let expected = Expected::scaled(0.0, largest, DISCRETE.0, DISCRETE.1);
    let element = table.rsplit('_').next().unwrap_or_default();
    let name = format!("{element}: largest difference, {} nodes", reference.len());
    Ok(Row::new(name, "m", expected, largest_difference(&ours, &reference)))
}

/// What the suite prints of a block whose top is carried.
pub struct Printed {
    /// J.
    pub energy: f64,
    /// N.
    pub force: Vec3,
}

/// Energy, force on the top and all nodes of a carried block.
pub fn carried_rows(
    id: &str,
    element: &str,
    (model, full): (&Model, &FullState),
    height: f64,
    printed: &Printed,
) -> Result<Vec<Row>, CaseError> {
    let expected = Expected::relative(printed.energy, DISCRETE.0, DISCRETE.1);
    let mut rows = vec![Row::new(format!("{element}: energy"), "J", expected, stored(model, full))];
    let (force, _) = grip_on_top(model, full, height);
    rows.extend(vector_rows(&format!("{element}: force on top"), "N", printed.force, DISCRETE, force));
    rows.push(all_nodes(model, full, &format!("{id}_{element}"))?);
    Ok(rows)
}
