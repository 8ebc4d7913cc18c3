//! What networks do not go with is refused by name.

use pliant_geometry::BoxElement;
use pliant_solid::NetworkLaw;
use pliant_solid::assembly::BuildError;
use pliant_solid::integrator::{IntegratorKind, Ladder, Lengths, StepChoice};

use super::support::meshes::block;
use super::{of_cells, scene, warped};

#[test]
fn methods_that_need_an_energy_refuse_a_warped_network_and_name_springs() {
    let mesh = block([0.2, 0.1, 0.1], [2, 1, 1], BoxElement::Tet5);
    let refused = scene(&mesh, &warped(&mesh)).newmark(1e-3).try_world();
    let refusal = refused.err().unwrap().to_string();
    assert!(refusal.contains("`first`") && refusal.contains("law = \"springs\""), "{refusal}");
}

#[test]
fn full_matrices_of_mass_refuse_networks() {
    let mesh = block([0.2, 0.1, 0.1], [2, 1, 1], BoxElement::Tet5);
    let ladder =
        IntegratorKind::Ladder(Ladder { step: StepChoice::Fixed(1e-4), lengths: Lengths::default() });
    let model = scene(&mesh, &of_cells(&mesh, NetworkLaw::Springs)).integrator(ladder);
    let refusal = model.try_world().err().unwrap().to_string();
    assert!(refusal.contains("`first` is a network of springs"), "{refusal}");
}

#[test]
fn matrices_at_rest_refuse_springs_that_pull_there_or_are_damped_each_in_its_own_way() {
    let mesh = block([0.2, 0.1, 0.1], [2, 1, 1], BoxElement::Tet5);
    let mut tense = of_cells(&mesh, NetworkLaw::Linear);
    tense.springs[0].1.length *= 0.9;
    assert_eq!(refused(&mesh, tense), Some(BuildError::NetworkTension));
    let mut uneven = warped(&mesh);
    uneven.springs[0].1.damping *= 2.0;
    assert_eq!(refused(&mesh, uneven), Some(BuildError::NetworkDamping));
    assert_eq!(refused(&mesh, warped(&mesh)), None);
}

fn refused(mesh: &pliant_geometry::Mesh, network: pliant_solid::Network) -> Option<BuildError> {
    scene(mesh, &network).try_model().err()
}
