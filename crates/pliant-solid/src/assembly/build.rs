//! The one place that chooses element, law and lane.

use std::sync::Arc;

use pliant_geometry::Mesh;
use pliant_numerics::{BlockMatrix, F32x8, F64x4, Mat3, Pack, PatternBuilder};

use super::build_error::BuildError;
use super::elements::{ElementRest, Elements, PackLocal, PickLocal, RestElements};
use super::mass::{lumped_volumes, lumped_volumes_of};
use crate::element::{Element, Hex8, Tet4};

use crate::law::{
    Corotated, ElasticModuli, Law, LawKind, Limited, Linear, NeoHookean, Prestressed, Slack, StVenant,
    StretchLimit, Warp,
};
use crate::term::warped::{WarpParts, Warped};
use crate::term::{At, Beside, Coeffs, ForceTerm};

/// The numbers element blocks are computed in; state and sums are f64 always.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// Four f64 lanes.
    #[default]
    Double,
    /// Eight f32 lanes, on displacements.
    Single,
}

/// Initial fields per mesh cell; empty vectors where there are none.
#[derive(Clone, Debug, Default)]
pub struct InitialFields {
    /// s0 = sigma0 - Lambda eps0 of each cell, Pa; only for laws linear in their strain.
    pub stress: Vec<Mat3<f64>>,
    /// Relaxed shape F0 of each cell, relative to the mesh.
    pub relaxed: Vec<Mat3<f64>>,
}

/// Cells of one body and one material as terms see them.
pub struct ElementSet<'a> {
    /// The body's number.
    pub body: usize,
    /// The mesh, placed in the world.
    pub mesh: &'a Mesh,
    /// The cells in storage order.
    pub cells: &'a [u32],
    /// World number of each mesh node.
    pub world: &'a [u32],
    /// Rest positions of all nodes of the world, dependent ones last.
    pub rest: Arc<Vec<f64>>,
    /// The law.
    pub law: LawKind,
    /// A limit of stretch; only for `linear`, `warped` and `corotated`.
    pub limit: Option<StretchLimit>,
    /// Stiffness-proportional damping, s.
    pub beta: f64,
    /// Mass per rest volume, kg/m^3.
    pub density: f64,
    /// Lanes.
    pub precision: Precision,
    /// Initial fields.
    pub initial: &'a InitialFields,
}

/// The terms of a body, region by region: one for the tets, one for the hexes of each; one for all where stiffness is warped.
pub fn element_terms(regions: &[ElementSet]) -> Result<Vec<Arc<dyn ForceTerm>>, BuildError> {
    if regions.iter().any(|set| set.precision == Precision::Single && !set.initial.relaxed.is_empty()) {
        return Err(BuildError::RelaxedSingle);
    }
    let filled: Vec<&ElementSet> = regions.iter().filter(|set| !set.cells.is_empty()).collect();
    let Some((first, others)) = filled.split_first() else { return Ok(Vec::new()) };
    if others.iter().any(|other| !go_together(first, other)) {
        return Err(BuildError::MixedRegions);
    }
    if let LawKind::Warped(_, warp) = first.law {
        return warped_term(&filled, warp);
    }
    let mut terms = Vec::new();
    for region in filled {
        terms.extend(each_kind(region, |tets, set, mine| match tets {
            true => with_law::<Tet4, 4, 1>(set, mine),
            false => with_law::<Hex8, 8, 8>(set, mine),
        })?);
    }
    Ok(terms)
}

/// Whether two regions can be one body: arms of moments are those at rest or those of now, and a warped matrix is the body's.
fn go_together(a: &ElementSet, b: &ElementSet) -> bool {
    match (a.law, b.law) {
        (LawKind::Warped(_, one), LawKind::Warped(_, other)) => one == other && a.beta == b.beta,
        (LawKind::Warped(..), _) | (_, LawKind::Warped(..)) => false,
        (one, other) => one.traits().small_strain == other.traits().small_strain,
    }
}

fn with_law<E: Element<N, Q>, const N: usize, const Q: usize>(
    set: &ElementSet,
    mine: &dyn Fn(u32) -> bool,
) -> Result<Arc<dyn ForceTerm>, BuildError> {
    let prestressed = !set.initial.stress.is_empty();
    if let Some(limit) = set.limit {
        return match (set.law, prestressed) {
            (LawKind::Linear(m), false) => {
                Ok(plain::<E, _, N, Q>(set, Limited { law: Linear::new(m), limit }, mine))
            }
            (LawKind::Corotated(m), false) => {
                Ok(plain::<E, _, N, Q>(set, Limited { law: Corotated::new(m), limit }, mine))
            }
            _ => Err(BuildError::Limit),
        };
    }
    match (set.law, prestressed) {
        (LawKind::Linear(m), false) => Ok(plain::<E, _, N, Q>(set, Linear::new(m), mine)),
        (LawKind::StVenant(m), false) => Ok(plain::<E, _, N, Q>(set, StVenant::new(m), mine)),
        (LawKind::NeoHookean(m), false) => Ok(plain::<E, _, N, Q>(set, NeoHookean::new(m), mine)),
        (LawKind::Corotated(m), false) => Ok(plain::<E, _, N, Q>(set, Corotated::new(m), mine)),
        (LawKind::Linear(m), true) => Ok(stressed::<E, _, N, Q>(set, Linear::new(m), mine)),
        (LawKind::StVenant(m), true) => Ok(stressed::<E, _, N, Q>(set, StVenant::new(m), mine)),
        (LawKind::NeoHookean(_) | LawKind::Corotated(_), true) => Err(BuildError::PrestressLaw),
        // its matrix is made of the linear law's, cells and all
        (LawKind::Warped(..), _) => Err(BuildError::WarpedInitial),
    }
}

/// The term of a warped body, on the matrix of the law `linear`; the law `corotated` tells of its cells.
fn warped_term(regions: &[&ElementSet], warp: Warp) -> Result<Vec<Arc<dyn ForceTerm>>, BuildError> {
    // what regions of a body have in common
    let set = regions[0];
    if set.precision == Precision::Single {
        return Err(BuildError::WarpedSingle);
    }
    if !set.initial.stress.is_empty() || !set.initial.relaxed.is_empty() {
        return Err(BuildError::WarpedInitial);
    }
    let terms = |law: fn(ElasticModuli) -> LawKind, limited: bool| {
        let others = regions.iter().map(|set| ElementSet {
            law: law(set.law.moduli()),
            limit: set.limit.filter(|_| limited),
            rest: Arc::clone(&set.rest),
            ..**set
        });
        element_terms(&others.collect::<Vec<_>>())
    };
    let linear = terms(LawKind::Linear, false)?;
    let mut pattern = PatternBuilder::new(set.rest.len() / 3);
    linear.iter().for_each(|term| term.pattern(&mut pattern));
    let mut stiffness = BlockMatrix::zero(Arc::new(pattern.build()));
    let at = At { time: 0.0, load: 1.0, still: true, x: &set.rest, v: &set.rest, history: &[], since: 0.0 };
    for term in &linear {
        term.tangent_add(&at, Coeffs { k: 1.0, d: 0.0 }, &mut stiffness, &mut term.new_scratch());
    }
    // nodes in no element couple with nobody
    let in_cells = |node: u32| stiffness.pattern().row(node as usize).len() > 1;
    let of_nodes = set.world.iter().copied().zip(relative_masses(regions));
    let mut masses: Vec<(u32, f64)> = of_nodes.filter(|(node, _)| in_cells(*node)).collect();
    masses.sort_unstable_by_key(|(node, _)| *node);
    let (nodes, mass) = masses.into_iter().unzip();
    let warped = Warped::new(WarpParts {
        warp,
        beta: set.beta,
        body: set.body,
        nodes,
        mass,
        stiffness: &stiffness,
        rest: &set.rest,
        cells: terms(LawKind::Corotated, true)?,
    });
    let mut all: Vec<Arc<dyn ForceTerm>> = vec![Arc::new(warped)];
    for (region, limit) in regions.iter().filter_map(|set| Some((set, set.limit?))) {
        all.extend(
            each_kind(region, |tets, set, mine| {
                let law = Limited { law: Slack, limit };
                match tets {
                    true => Ok(plain::<Tet4, _, 4, 1>(set, law, mine)),
                    false => Ok(plain::<Hex8, _, 8, 8>(set, law, mine)),
                }
            })?
            .into_iter()
            .map(|term| Arc::new(Beside(term)) as Arc<dyn ForceTerm>),
        );
    }
    Ok(all)
}

/// Lumped masses of a body's mesh nodes, over the density of its first region.
fn relative_masses(regions: &[&ElementSet]) -> Vec<f64> {
    let (mesh, density) = (regions[0].mesh, regions[0].density);
    if regions.iter().all(|set| set.density == density) {
        return lumped_volumes(mesh);
    }
    let mut out = vec![0.0; mesh.node_count()];
    for set in regions {
        let volumes = lumped_volumes_of(mesh, set.cells);
        out.iter_mut().zip(volumes).for_each(|(mass, volume)| *mass += set.density / density * volume);
    }
    out
}

/// What `make` makes of the tets of a body and of its hexes, where it has any.
fn each_kind(
    set: &ElementSet,
    make: impl Fn(bool, &ElementSet, &dyn Fn(u32) -> bool) -> Result<Arc<dyn ForceTerm>, BuildError>,
) -> Result<Vec<Arc<dyn ForceTerm>>, BuildError> {
    let is_tet = |cell: u32| (cell as usize) < set.mesh.tets().len();
    let mut terms = Vec::new();
    if set.cells.iter().any(|cell| is_tet(*cell)) {
        terms.push(make(true, set, &is_tet)?);
    }
    if set.cells.iter().any(|cell| !is_tet(*cell)) {
        terms.push(make(false, set, &|cell| !is_tet(cell))?);
    }
    Ok(terms)
}

fn plain<E, M, const N: usize, const Q: usize>(
    set: &ElementSet,
    law: M,
    mine: &dyn Fn(u32) -> bool,
) -> Arc<dyn ForceTerm>
where
    E: Element<N, Q>,
    M: Law<F64x4, Local = ()> + Law<F32x8, Local = ()>,
{
    let elements = rest_elements::<E, (), N, Q>(set, mine, |_, _| ());
    match set.precision {
        Precision::Double => term::<E, M, F64x4, _, N, Q>(set, law, &elements, (|_| (), |_| ())),
        Precision::Single => term::<E, M, F32x8, _, N, Q>(set, law, &elements, (|_| (), |_| ())),
    }
}

fn stressed<E, M, const N: usize, const Q: usize>(
    set: &ElementSet,
    law: M,
    mine: &dyn Fn(u32) -> bool,
) -> Arc<dyn ForceTerm>
where
    E: Element<N, Q>,
    M: Copy,
    Prestressed<M>: Law<F64x4, Local = Mat3<F64x4>> + Law<F32x8, Local = Mat3<F32x8>>,
{
    let elements = rest_elements::<E, Mat3<f64>, N, Q>(set, mine, |set, cell| set.initial.stress[cell]);
    let law = Prestressed(law);
    match set.precision {
        Precision::Double => term::<E, _, F64x4, _, N, Q>(set, law, &elements, (pack_matrix, pick_matrix)),
        Precision::Single => term::<E, _, F32x8, _, N, Q>(set, law, &elements, (pack_matrix, pick_matrix)),
    }
}

fn term<E, M, P, Rest, const N: usize, const Q: usize>(
    set: &ElementSet,
    law: M,
    elements: &RestElements<Rest, N, Q>,
    locals: (PackLocal<Rest, M::Local, Q>, PickLocal<M::Local>),
) -> Arc<dyn ForceTerm>
where
    E: Element<N, Q>,
    M: Law<P>,
    P: Pack,
{
    let rest = Arc::clone(&set.rest);
    if are_affine(elements) {
        let head = (Box::new(law) as _, set.beta, set.body);
        Arc::new(Elements::<E, P, M::Local, N, Q, 1>::new(head, rest, elements, locals))
    } else {
        let head = (Box::new(law) as _, set.beta, set.body);
        Arc::new(Elements::<E, P, M::Local, N, Q, Q>::new(head, rest, elements, locals))
    }
}

fn are_affine<Rest, const N: usize, const Q: usize>(elements: &RestElements<Rest, N, Q>) -> bool {
    elements.cells.iter().all(|cell| is_affine(&(elements.rest)(*cell)))
}

/// Whether all points of an element share one Jacobian, but for rounding: parallelepipeds do, and a
/// tenth of the memory then serves them.
fn is_affine<Local, const Q: usize>(element: &ElementRest<Local, Q>) -> bool {
    let (first, weight) = &element.points[0];
    let same = |(inverse, w): &(Mat3<f64>, f64)| {
        (*inverse - *first).norm() <= 1e-13 * first.norm() && (w - weight).abs() <= 1e-13 * weight.abs()
    };
    element.points.iter().all(same)
}

/// One matrix per lane.
fn pack_matrix<P: Pack, const Q: usize>(elements: &[ElementRest<Mat3<f64>, Q>]) -> Mat3<P> {
    Mat3::from_fn(|r, c| P::from_fn(|lane| elements[lane].local.0[r][c]))
}

/// The matrices of a lane of each of some blocks.
fn pick_matrix<P: Pack>(from: &[(&Mat3<P>, usize)]) -> Mat3<P> {
    Mat3::from_fn(|r, c| P::from_fn(|lane| from[lane].0.0[r][c].lane(from[lane].1)))
}

/// Rest data of the cells in storage order, relaxed shapes folded in.
fn rest_elements<'a, E: Element<N, Q>, Local: 'a, const N: usize, const Q: usize>(
    set: &'a ElementSet,
    mine: &dyn Fn(u32) -> bool,
    local: fn(&ElementSet, usize) -> Local,
) -> RestElements<'a, Local, N, Q> {
    let rest = move |cell: u32| {
        let nodes = set.mesh.cell_nodes(cell as usize);
        let positions: [[f64; 3]; N] = std::array::from_fn(|i| set.mesh.positions()[nodes[i] as usize]);
        let mut points = E::rest_points(&positions);
        if let Some(relaxed) = set.initial.relaxed.get(cell as usize) {
            for (inverse, weight) in &mut points {
                *inverse = *inverse * relaxed.inverse();
                *weight *= relaxed.determinant();
            }
        }
        ElementRest { points, local: local(set, cell as usize) }
    };
    let cells: Vec<u32> = set.cells.iter().copied().filter(|&cell| mine(cell)).collect();
    let world = |cell: &u32| {
        let nodes = set.mesh.cell_nodes(*cell as usize);
        std::array::from_fn(|i| set.world[nodes[i] as usize])
    };
    RestElements { nodes: cells.iter().map(world).collect(), cells, rest: Box::new(rest) }
}
