//! Bodies of several regions: the same body where they are of one material, and both materials where they are not.

use pliant_geometry::{BoxElement, Mesh};
use pliant_solid::assembly::{BuildError, InitialFields};
use pliant_solid::integrator::{IntegratorKind, Ladder, Lengths, Newmark, StepChoice};
use pliant_solid::law::{LawKind, StretchLimit, Warp};
use pliant_solid::rigid::Joint;
use pliant_solid::term::{Coeffs, LoadHistory, NodalForce};
use pliant_solid::{Cells, FullState, MassKind, Material, Matter, Model, Region, Solid, World};

use super::meshes;
use super::support::meshes::{block, distorted};
use super::support::{Noise, Scene, forces, laws, moduli, nodes_in, peak, placed, run_until, stored};

/// Cells whose centre is in the first half of a mesh along x are of the first material, all others of the second.
fn halves(mesh: &Mesh, [low, high]: [Material; 2]) -> Vec<Region> {
    let (min, max) = (mesh.bounds().unwrap().min[0], mesh.bounds().unwrap().max[0]);
    let is_low = |c: &u32| mesh.cell_centroid(*c as usize)[0] < 0.5 * (min + max);
    let (first, second): (Vec<u32>, Vec<u32>) = (0..mesh.cell_count() as u32).partition(is_low);
    assert!(!first.is_empty() && !second.is_empty());
    [(first, low), (second, high)]
        .map(|(cells, material)| Region { cells: Cells::Listed(cells), material })
        .into()
}

fn scene(mesh: &Mesh, regions: Vec<Region>, mass: MassKind) -> Scene {
    let solid = Solid { regions, initial: InitialFields::default(), mass };
    let any = solid.regions[0].material.law;
    let matter = Matter::Elements(solid);
    Scene::new(mesh.clone(), any).matter(move |m| m.finished = Some(matter.clone()))
}

fn whole(material: Material) -> Vec<Region> {
    vec![Region { cells: Cells::All, material }]
}

fn damped(law: LawKind) -> Material {
    Material { mass_damping: 2.0, stiffness_damping: 1e-3, ..Material::new(1200.0, law) }
}

fn near(name: &str, ours: &[f64], others: &[f64]) {
    let apart: Vec<f64> = ours.iter().zip(others).map(|(a, b)| a - b).collect();
    assert_eq!(ours.len(), others.len(), "{name}");
    assert!(peak(&apart) <= 1e-12 * peak(others), "{name}: {} of {}", peak(&apart), peak(others));
}

/// A shape in motion in which nothing is zero.
fn shaken(model: &Model) -> FullState {
    let mut noise = Noise::new(7);
    let mut full = placed(model, |p| std::array::from_fn(|c| p[c] + 2e-3 * noise.next()));
    full.v.iter_mut().for_each(|v| *v = noise.next());
    full
}

#[test]
fn two_regions_of_one_material_are_one_body() {
    let m = moduli(1e5, 0.3);
    let warped = [("warped", LawKind::Warped(m, Warp::default()))];
    for (shape, mesh) in meshes() {
        for (name, law) in laws(1e5, 0.3).into_iter().chain(warped) {
            let name = format!("{shape}, {name}");
            let model = |regions: Vec<Region>| scene(&mesh, regions, MassKind::Lumped).model();
            let limit = Some(StretchLimit { strain: 0.01, stiffness: 5e5, factor: 6.0 });
            let limit = limit.filter(|_| !matches!(law, LawKind::StVenant(_) | LawKind::NeoHookean(_)));
            let material = Material { limit, ..damped(law) };
            let [one, two] = [whole(material), halves(&mesh, [material; 2])].map(model);
            let full = shaken(&one);
            near(&name, &forces(&two, &full), &forces(&one, &full));
            near(&name, &[stored(&two, &full)], &[stored(&one, &full)]);
            near(&name, two.mass(), one.mass());
            near(&name, two.damping(), one.damping());
            let coeffs = Coeffs { k: 1.0, d: 0.1 };
            let [mut ours, mut theirs] = [&two, &one].map(|model| {
                let matrix = model.tangent(&full, coeffs);
                let mut product = vec![0.0; full.x.len()];
                matrix.multiply_into(&full.v, &mut product);
                product
            });
            near(&name, &ours, &theirs);
            let fields = |model: &Model| model.fields(&full).remove(0);
            (ours, theirs) = (fields(&two).von_mises, fields(&one).von_mises);
            near(&name, &ours, &theirs);
            assert_eq!(two.worst_element(&full, Some(0)), one.worst_element(&full, Some(0)), "{name}");
        }
    }
}

#[test]
fn two_regions_of_one_material_have_one_matrix_of_mass() {
    let law = LawKind::StVenant(moduli(1e5, 0.3));
    for (shape, mesh) in meshes() {
        let model = |regions: Vec<Region>| scene(&mesh, regions, MassKind::Consistent).model();
        let [one, two] = [whole(damped(law)), halves(&mesh, [damped(law); 2])].map(model);
        let [ours, theirs] = [&two, &one].map(|model| {
            let inertia = model.inertia().unwrap();
            [&inertia.mass, &inertia.damping].map(|matrix| matrix.values().to_vec())
        });
        near(shape, &ours[0], &theirs[0]);
        near(shape, &ours[1], &theirs[1]);
    }
}

/// A bar of two halves along x, pulled at its end by a force.
fn pulled(element: BoxElement, regions: impl Fn(&Mesh) -> Vec<Region>, force: f64) -> World {
    let mesh = block([0.4, 0.1, 0.1], [8, 1, 1], element);
    let at_end = move |p: [f64; 3]| p[0] > 0.4 - 1e-9;
    let pull = move |layout: &pliant_solid::Layout| {
        let end = nodes_in(layout, &at_end);
        let share = force / end.len() as f64;
        NodalForce {
            forces: end.into_iter().map(|n| (n, [share, 0.0, 0.0])).collect(),
            history: LoadHistory::default(),
        }
    };
    let made = regions(&mesh);
    scene(&mesh, made, MassKind::Lumped).hold(|p| p[0] < 1e-9).term(pull).statics().world()
}

#[test]
fn two_materials_in_series_stretch_by_the_sum_of_both() {
    // without Poisson's effect u = F / A (L_1 / E_1 + L_2 / E_2): for the linear law, and for the corotated one at any stretch,
    // since its P is E times the engineering strain
    let (soft, stiff, force): (f64, f64, f64) = (1e5, 4e5, 300.0);
    let expected = force / 0.01 * (0.2 / soft + 0.2 / stiff);
    for make in [LawKind::Linear, LawKind::Corotated] {
        let materials = [soft, stiff].map(|young| Material::new(1000.0, make(moduli(young, 0.0))));
        let mut world = pulled(BoxElement::Hex, |mesh| halves(mesh, materials), force);
        let (_, error) = run_until(&mut world, 1.0);
        assert_eq!(error.map(|e| e.to_string()), None);
        let layout = world.model().layout();
        let moved = |x: f64| {
            let node = nodes_in(layout, &move |p| (p[0] - x).abs() < 1e-9)[0] as usize;
            world.state().x[3 * node] - x
        };
        assert!((moved(0.4) - expected).abs() < 1e-9 * expected, "{} of {expected} m", moved(0.4));
        let half = force / 0.01 * 0.2 / soft;
        assert!((moved(0.2) - half).abs() < 1e-9 * half, "{} of {half} m", moved(0.2));
        // stress is F / A in both, energy density sigma^2 / 2 E in each
        let fields = world.model().fields(&world.model().full_state(world.state())).remove(0);
        let sigma = force / 0.01;
        let centre = |cell: usize| layout.bodies()[0].mesh.cell_centroid(cell)[0];
        for (cell, density) in fields.energy_density.iter().enumerate() {
            let young = if centre(cell) < 0.2 { soft } else { stiff };
            let exact = 0.5 * sigma * sigma / young;
            assert!((density - exact).abs() < 1e-8 * exact, "{density} of {exact} J/m^3 in {cell}");
        }
    }
}

#[test]
fn warped_regions_are_as_stiff_as_linear_ones() {
    let mesh = distorted([0.2, 0.1, 0.1], [4, 2, 2], BoxElement::Tet6, 0.1);
    let materials = |make: fn(pliant_solid::law::ElasticModuli) -> LawKind| {
        [(1e5, 900.0), (5e5, 1500.0)].map(|(young, density)| Material::new(density, make(moduli(young, 0.3))))
    };
    let warped = |m| LawKind::Warped(m, Warp::default());
    let of = |materials| scene(&mesh, halves(&mesh, materials), MassKind::Lumped).model();
    let (linear, warped) = (of(materials(LawKind::Linear)), of(materials(warped)));
    // a strain so small that its turns do not count
    let full = placed(&linear, |[x, y, z]| [x + 1e-7 * x * z, y - 2e-7 * x * y, z + 1e-7 * y * y]);
    let (ours, theirs) = (forces(&warped, &full), forces(&linear, &full));
    let apart: Vec<f64> = ours.iter().zip(&theirs).map(|(a, b)| a - b).collect();
    assert!(peak(&apart) < 1e-5 * peak(&theirs), "{} of {} N", peak(&apart), peak(&theirs));
}

#[test]
fn every_region_has_its_own_mass_and_damping() {
    let mesh = block([0.4, 0.1, 0.1], [8, 1, 1], BoxElement::Hex);
    let law = LawKind::Corotated(moduli(1e5, 0.3));
    let light = Material { mass_damping: 3.0, ..Material::new(500.0, law) };
    let heavy = Material { mass_damping: 0.5, ..Material::new(2000.0, law) };
    let model = scene(&mesh, halves(&mesh, [light, heavy]), MassKind::Lumped).model();
    let volume = 0.2 * 0.1 * 0.1;
    near("mass", &[model.mass().iter().sum()], &[2500.0 * volume]);
    near("damping", &[model.damping().iter().sum()], &[(3.0 * 500.0 + 0.5 * 2000.0) * volume]);
    assert_eq!(model.matter()[0].uniform_density(), None);
    assert_eq!(model.matter()[0].mass_damping(), 3.0);
    assert_eq!(model.resolution(0.0), 0.25 / 3.0);
    // beside a body whose matrices are full, those of this one are what its nodes say
    let other = block([0.1; 3], [1; 3], BoxElement::Hex);
    let both = scene(&mesh, halves(&mesh, [light, heavy]), MassKind::Lumped).body("full", other, law);
    let model = both.matter(|m| m.mass = MassKind::Consistent).model();
    let ones = vec![1.0; 3 * model.layout().free_count()];
    for node in model.layout().bodies()[0].nodes.clone() {
        let inertia = model.inertia().unwrap();
        let [mass, damping] = [&inertia.mass, &inertia.damping].map(|m| m.row_times(node as usize, &ones)[0]);
        assert_eq!((mass, damping), (model.mass()[node as usize], model.damping()[node as usize]));
    }
}

#[test]
fn methods_agree_on_the_swing_of_two_materials() {
    let law = |young| LawKind::Corotated(moduli(young, 0.3));
    let swung = |mass: MassKind, integrator: IntegratorKind| {
        let mesh = block([0.4, 0.1, 0.1], [8, 2, 2], BoxElement::Hex);
        let light = Material { mass_damping: 3.0, ..Material::new(500.0, law(5e5)) };
        let heavy =
            Material { mass_damping: 0.5, stiffness_damping: 1e-4, ..Material::new(2000.0, law(1e5)) };
        let scene = scene(&mesh, halves(&mesh, [light, heavy]), mass);
        let scene = scene.hold(|p| p[0] < 1e-9).velocity(|p| [0.0, 0.0, 0.5 * p[0]]);
        let mut world = scene.integrator(integrator).world();
        let (_, error) = run_until(&mut world, 0.05);
        assert_eq!(error.map(|e| e.to_string()), None);
        let rest = world.model().layout().rest();
        world.state().x.iter().zip(rest.iter()).map(|(x, rest)| x - rest).collect::<Vec<f64>>()
    };
    let step = StepChoice::Fixed(1e-4);
    let newmark = IntegratorKind::Newmark(Newmark { step, ..Newmark::default() });
    let ladder = IntegratorKind::Ladder(Ladder { step, lengths: Lengths::default() });
    let explicit = IntegratorKind::Explicit(pliant_solid::integrator::Explicit { step });
    for (mass, other) in [(MassKind::Lumped, explicit), (MassKind::Consistent, ladder)] {
        let (ours, theirs) = (swung(mass, newmark.clone()), swung(mass, other));
        let apart: Vec<f64> = ours.iter().zip(&theirs).map(|(a, b)| a - b).collect();
        assert!(peak(&theirs) > 1e-3);
        assert!(peak(&apart) < 3e-3 * peak(&theirs), "{mass:?}: {} of {} m", peak(&apart), peak(&theirs));
    }
}

#[test]
fn a_hand_is_as_soft_as_the_softest_region() {
    let mesh = block([0.4, 0.1, 0.1], [8, 1, 1], BoxElement::Hex);
    let law = |young| LawKind::Corotated(moduli(young, 0.3));
    let hand = |materials: [Material; 2]| {
        let model = scene(&mesh, halves(&mesh, materials), MassKind::Lumped).model();
        let holding = model.holding_by_script(0.0);
        let world = &model.layout().bodies()[0].world;
        model.hand(0, &world[0].into(), world, &holding).unwrap()
    };
    let soft = Material::new(1000.0, law(1e4));
    let uniform = hand([soft; 2]);
    let mixed = hand([soft, Material { density: 3000.0, law: law(1e6), ..soft }]);
    near("stiffness", &[mixed.stiffness, mixed.max_force], &[uniform.stiffness, uniform.max_force]);
}

#[test]
fn regions_that_do_not_make_a_body_are_refused() {
    let mesh = block([0.4, 0.1, 0.1], [4, 1, 1], BoxElement::Hex);
    let m = moduli(1e5, 0.3);
    let (corotated, linear) =
        (Material::new(1000.0, LawKind::Corotated(m)), Material::new(1000.0, LawKind::Linear(m)));
    let listed = |lists: [&[u32]; 2]| -> Vec<Region> {
        lists.map(|cells| Region { cells: Cells::Listed(cells.to_vec()), material: corotated }).into()
    };
    let refused = |regions: Vec<Region>| scene(&mesh, regions, MassKind::Lumped).try_model().err();
    assert_eq!(refused(listed([&[0, 1], &[2, 3]])), None);
    assert_eq!(refused(listed([&[0, 1], &[3]])), Some(BuildError::Regions { cell: 2, count: 0 }));
    assert_eq!(refused(listed([&[0, 1, 2], &[2, 3]])), Some(BuildError::Regions { cell: 2, count: 2 }));
    assert_eq!(refused(listed([&[0, 1, 2, 3], &[4]])), Some(BuildError::RegionBeyond { cell: 4 }));
    assert_eq!(
        refused([whole(corotated), whole(corotated)].concat()),
        Some(BuildError::Regions { cell: 0, count: 2 })
    );
    assert_eq!(refused(halves(&mesh, [corotated, linear])), Some(BuildError::MixedRegions));
    let warped = Material { law: LawKind::Warped(m, Warp::default()), ..corotated };
    assert_eq!(refused(halves(&mesh, [corotated, warped])), Some(BuildError::MixedRegions));
    let viscous = Material { stiffness_damping: 1e-3, ..warped };
    assert_eq!(refused(halves(&mesh, [viscous, warped])), Some(BuildError::MixedRegions));
    let heavy = Material { density: 2000.0, ..corotated };
    let bones = |materials| {
        let regions = halves(&mesh, materials);
        scene(&mesh, regions, MassKind::Lumped).bone(|p| p[0] > 0.3, Joint::Free, 1000.0).try_model().err()
    };
    assert_eq!(bones([corotated; 2]), None);
    assert_eq!(bones([corotated, heavy]), Some(BuildError::BonesInRegions));
}

#[test]
fn a_body_of_two_laws_bears_what_both_bear() {
    let mesh = block([0.4, 0.1, 0.1], [4, 1, 1], BoxElement::Hex);
    let m = moduli(1e5, 0.3);
    let of = |laws: [LawKind; 2]| {
        let regions = halves(&mesh, laws.map(|law| Material::new(1000.0, law)));
        let matter = Matter::Elements(Solid { regions, ..Solid::of(Material::new(1000.0, laws[0])) });
        matter.traits()
    };
    let [stays, recovers, forbidden] = [LawKind::StVenant(m), LawKind::Corotated(m), LawKind::NeoHookean(m)];
    assert_eq!(of([recovers, recovers]), recovers.traits());
    assert_eq!(of([recovers, forbidden]).inside_out, forbidden.traits().inside_out);
    assert_eq!(of([forbidden, stays]).inside_out, stays.traits().inside_out);
    assert!(stays.traits().adds_prestress && !of([stays, recovers]).adds_prestress);
    assert!(!of([recovers, LawKind::Warped(m, Warp::default())]).has_energy);
}
