//! Loads and hands: resultants, work, tangents, histories.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support;

use std::sync::Arc;

use pliant_geometry::{BoxElement, FaceNodes, Surface};
use pliant_numerics::{BlockMatrix, PatternBuilder};
use pliant_solid::integrator::{ImplicitEuler, IntegratorKind, Newmark, StepChoice};
use pliant_solid::law::LawKind;
use pliant_solid::term::{Coeffs, ForceTerm, Grab, GrabPath, LoadHistory, NodalForce, Pressure, Scatter};
use pliant_solid::{FullState, Layout, Model};
use support::meshes::{distorted, patch_hexes, patch_tets};
use support::{Noise, Scene, Vec3, add, cross, moduli, peak, peak_difference, placed, run_until, triple};

const P: f64 = 700.0;

fn model(mesh: pliant_geometry::Mesh) -> Arc<Model> {
    Scene::new(mesh, LawKind::StVenant(moduli(1e5, 0.3))).model()
}

/// Pressure on the whole surface of the first body.
fn pressure_all_round(layout: &Layout, history: LoadHistory) -> Pressure {
    let body = &layout.bodies()[0];
    let world = |nodes: &FaceNodes| match nodes {
        FaceNodes::Triangle(n) => FaceNodes::Triangle(n.map(|n| body.world[n as usize])),
        FaceNodes::Quad(n) => FaceNodes::Quad(n.map(|n| body.world[n as usize])),
    };
    let faces = Surface::of(&body.mesh).unwrap().faces.iter().map(|f| world(&f.nodes)).collect();
    Pressure { faces, pressure: P, history }
}

const ALWAYS: LoadHistory = LoadHistory::growing(0.0);

fn force_of(term: &dyn ForceTerm, full: &FullState) -> Vec<f64> {
    let mut force = vec![0.0; full.x.len()];
    let mut scratch = term.new_scratch();
    term.force_add(&full.at(), &mut Scatter::new(&mut force, &mut scratch));
    force
}

fn deformed(model: &Model, size: f64) -> FullState {
    let mut noise = Noise::new(71);
    placed(model, |p| p.map(|c| c + size * noise.next()))
}

#[test]
fn pressure_on_a_closed_surface_has_neither_resultant_nor_moment() {
    for mesh in [patch_hexes(), patch_tets(), distorted([0.3, 0.2, 0.1], [3, 2, 2], BoxElement::Hex, 0.2)] {
        let model = model(mesh);
        let full = deformed(&model, 0.02);
        let force = force_of(&pressure_all_round(model.layout(), ALWAYS), &full);
        let (mut sum, mut moment) = ([0.0; 3], [0.0; 3]);
        for node in 0..model.layout().node_count() as u32 {
            sum = add(sum, triple(&force, node));
            moment = add(moment, cross(triple(&full.x, node), triple(&force, node)));
        }
        assert!(peak(&sum) < 1e-13 * P && peak(&moment) < 1e-13 * P, "{sum:?} {moment:?}");
        assert!(peak(&force) > 1.0);
    }
}

#[test]
fn a_load_that_is_released_leaves_its_whole_impulse() {
    // m v = F t: steps end where the load does, and a load that ends there has acted all along them
    let (force, mesh) = (40.0, patch_hexes);
    for release in [0.001, 0.003, 0.02] {
        let history = LoadHistory { release: Some(release), ..ALWAYS };
        let scene = |integrator| {
            let (law, history) = (LawKind::Corotated(moduli(1e5, 0.0)), history.clone());
            Scene::new(mesh(), law).integrator(integrator).term(move |layout: &Layout| NodalForce {
                forces: (0..layout.free_count() as u32).map(|n| (n, [force, 0.0, 0.0])).collect(),
                history: history.clone(),
            })
        };
        for step in [StepChoice::Fixed(0.01), StepChoice::Auto { safety: 1.0 }] {
            let newmark = IntegratorKind::Newmark(Newmark { step, ..Newmark::default() });
            let euler = IntegratorKind::ImplicitEuler(ImplicitEuler { step, ..ImplicitEuler::default() });
            for integrator in [newmark, euler] {
                let name = format!("{integrator:?} {release}");
                let mut world = scene(integrator).world();
                assert!(run_until(&mut world, 0.05).1.is_none(), "{name}");
                let (model, state) = (world.model(), world.state());
                let momentum: f64 = model.mass().iter().zip(state.v.chunks(3)).map(|(m, v)| m * v[0]).sum();
                let impulse = force * model.layout().free_count() as f64 * release;
                assert!((momentum - impulse).abs() < 1e-6 * impulse, "{name}: {momentum} {impulse}");
                // what the load did is what the body has, but for what implicit Euler takes: half of it in a single step from rest
                let energy = world.energy();
                let taken = -energy.total() / energy.work;
                let most = if name.contains("Euler") { 0.51 } else { 0.01 };
                assert!((-0.01..most).contains(&taken), "{name}: {energy:?}");
            }
        }
    }
}

#[test]
fn pressure_works_against_the_volume() {
    // virtual work: - p dV/dx . u; a uniform stretch of the cube, x = s X, has dV = 3 s^2 ds
    for mesh in [patch_hexes(), patch_tets()] {
        let model = model(mesh);
        let s = 1.1;
        let full = placed(&model, |p| p.map(|c| s * c));
        let force = force_of(&pressure_all_round(model.layout(), ALWAYS), &full);
        let power = support::dot(&force, model.layout().rest());
        assert!((power + P * 3.0 * s * s).abs() < 1e-12 * P, "{power}");
    }
}

#[test]
fn the_power_of_forces_from_outside_is_the_rate_of_their_work() {
    let model = model(patch_hexes());
    let (from, mut noise) = (deformed(&model, 0.02), Noise::new(5));
    let v: Vec<f64> = from.x.iter().map(|_| noise.next()).collect();
    let from = FullState { time: 0.5, v: v.clone(), ..from };
    let nodal = NodalForce { forces: vec![(0, [1.0, 2.0, 3.0]), (2, [0.0, -1.0, 0.5])], history: ALWAYS };
    let path = GrabPath::held_at([0.3, 0.2, 0.9]);
    let point = [(1, 0.25), (3, 0.75)].into();
    let grab = Grab { point, path, stiffness: 50.0, damping: 0.0, max_force: f64::INFINITY };
    let terms: [&dyn ForceTerm; 3] = [&nodal, &pressure_all_round(model.layout(), ALWAYS), &grab];
    for (index, term) in terms.into_iter().enumerate() {
        let dt = 1e-6;
        let x = from.x.iter().zip(&v).map(|(x, v)| x + dt * v).collect();
        let to = FullState { time: 0.5 + dt, x, v: v.clone(), ..FullState::default() };
        let (mut force, mut scratch) = (vec![0.0; v.len()], term.new_scratch());
        let power = term.force_add(&from.at(), &mut Scatter::new(&mut force, &mut scratch)).external_power;
        let rate = term.exchange(&from.at(), &to.at()).work / dt;
        assert!((power - rate).abs() < 1e-4 * power.abs(), "term {index}: {power} {rate} W");
    }
}

#[test]
fn pressure_follows_the_surface() {
    // the face x = 1 of a cube turned by a quarter about z looks along y: force (0, -p, 0)
    let model = model(support::meshes::block([1.0; 3], [2; 3], BoxElement::Hex));
    let body = &model.layout().bodies()[0];
    let all = pressure_all_round(model.layout(), ALWAYS);
    let on_side = |f: &FaceNodes| f.nodes().iter().all(|&n| model.layout().rest_of(n)[0] > 1.0 - 1e-9);
    let side = Pressure { faces: all.faces.iter().copied().filter(on_side).collect(), ..all };
    assert_eq!(side.faces.len(), 4);
    let full = placed(&model, |[x, y, z]| [-y, x, z]);
    let force = force_of(&side, &full);
    let sum = (0..body.nodes.end).fold([0.0; 3], |sum, n| add(sum, triple(&force, n)));
    assert!(
        (sum[1] + P).abs() < 1e-12 * P && sum[0].abs() < 1e-12 * P && sum[2].abs() < 1e-12 * P,
        "{sum:?}"
    );
}

/// What the application of a tangent gives beside its matrix.
enum Applied {
    TheSame,
    More,
}

/// The tangent of a term against differences of its forces, and against its own application.
fn tangent_agrees(term: &dyn ForceTerm, full: &FullState, symmetric: bool, apply: Applied) {
    let length = full.x.len();
    let mut builder = PatternBuilder::new(length / 3);
    term.pattern(&mut builder);
    let mut tangent = BlockMatrix::zero(Arc::new(builder.build()));
    let c = Coeffs { k: 1.0, d: 0.5 };
    term.tangent_add(&full.at(), c, &mut tangent, &mut term.new_scratch());
    let direction = Noise::new(72).vector(length, 1.0);
    let mut product = vec![0.0; length];
    tangent.multiply_into(&direction, &mut product);
    let mut applied = vec![0.0; length];
    let mut scratch = term.new_scratch();
    term.tangent_apply_add(&full.at(), c, &direction, &mut Scatter::new(&mut applied, &mut scratch));
    match apply {
        Applied::TheSame => assert!(peak_difference(&applied, &product) < 1e-12 * peak(&product)),
        // what stability is judged by never softens the tangent
        Applied::More => assert!(support::dot(&applied, &direction) > support::dot(&product, &direction)),
    }
    // K = -df/dx and D = -df/dv together: step both
    let step = 1e-6;
    let shifted = |sign: f64| {
        let move_by = |values: &[f64], amount: f64| -> Vec<f64> {
            values.iter().zip(&direction).map(|(v, d)| v + sign * amount * d).collect()
        };
        force_of(
            term,
            &FullState {
                time: full.time,
                x: move_by(&full.x, step),
                v: move_by(&full.v, 0.5 * step),
                ..FullState::default()
            },
        )
    };
    let (high, low) = (shifted(1.0), shifted(-1.0));
    let slope: Vec<f64> = high.iter().zip(&low).map(|(h, l)| -(h - l) / (2.0 * step)).collect();
    assert!(
        peak_difference(&slope, &product) < 1e-7 * peak(&product),
        "{:e}",
        peak_difference(&slope, &product)
    );
    let other = Noise::new(73).vector(length, 1.0);
    let mut other_product = vec![0.0; length];
    tangent.multiply_into(&other, &mut other_product);
    let skew = support::dot(&other, &product) - support::dot(&direction, &other_product);
    assert_eq!(skew.abs() < 1e-11 * peak(&product) * length as f64, symmetric, "{skew:e}");
}

#[test]
fn tangents_of_loads_and_hands_agree_with_differences() {
    for mesh in [patch_hexes(), patch_tets()] {
        let model = model(mesh);
        let full = deformed(&model, 0.02);
        let all = pressure_all_round(model.layout(), ALWAYS);
        // a closed surface under uniform pressure has an energy p V and a symmetric tangent; a part has none
        let part = Pressure { faces: all.faces[..1].to_vec(), ..all.clone() };
        tangent_agrees(&all, &full, true, Applied::TheSame);
        tangent_agrees(&part, &full, false, Applied::TheSame);
        let hand = Grab {
            point: [(0, 0.2), (3, 0.5), (5, 0.3)].into(),
            path: GrabPath::held_at([0.3; 3]),
            stiffness: 40.0,
            damping: 3.0,
            max_force: f64::INFINITY,
        };
        tangent_agrees(&hand, &full, true, Applied::TheSame);
        let tired = Grab { max_force: 2.0, ..hand };
        tangent_agrees(&tired, &full, true, Applied::More);
    }
}

#[test]
fn loads_come_and_go_as_they_are_told() {
    // 10 s^3 - 15 s^4 + 6 s^5 with s = t / over; half way it is 1/2, nothing before 0, nothing after release
    let history = LoadHistory { release: Some(3.0), ..LoadHistory::growing(2.0) };
    let cases = [(-1.0, 0.0), (0.0, 0.0), (1.0, 0.5), (2.0, 1.0), (2.9, 1.0), (3.0, 0.0)];
    for (time, factor) in cases {
        assert_eq!(history.factor(time), factor, "at {time} s");
    }
    assert_eq!(LoadHistory::growing(0.0).factor(0.0), 1.0);
    let model = model(patch_hexes());
    let load = NodalForce { forces: vec![(2, [4.0, 0.0, -2.0])], history };
    let full = FullState { time: 1.0, ..placed(&model, |p| p) };
    assert_eq!(triple(&force_of(&load, &full), 2), [2.0, 0.0, -1.0]);
}

#[test]
fn a_hand_follows_straight_lines_between_its_points() {
    let path = GrabPath {
        points: vec![(1.0, [0.0; 3]), (3.0, [2.0, 0.0, -4.0]), (4.0, [2.0, 1.0, -4.0])],
        release: Some(5.0),
    };
    let at = |time: f64| path.target(time);
    assert_eq!(at(0.9), None);
    assert_eq!(at(1.0), Some(([0.0; 3], [1.0, 0.0, -2.0])));
    assert_eq!(at(2.0), Some(([1.0, 0.0, -2.0], [1.0, 0.0, -2.0])));
    assert_eq!(at(3.5), Some(([2.0, 0.5, -4.0], [0.0, 1.0, 0.0])));
    assert_eq!(at(4.5), Some(([2.0, 1.0, -4.0], [0.0; 3])));
    assert_eq!(at(5.0), None);
    let standing = GrabPath::held_at([1.0, 2.0, 3.0]);
    let place: Option<(Vec3, Vec3)> = standing.target(7.0);
    assert_eq!(place, Some(([1.0, 2.0, 3.0], [0.0; 3])));
}
