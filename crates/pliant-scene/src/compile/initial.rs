//! Initial strain, stress and relaxed shapes of a body's cells.
//!
//! ```text
//! s0 = sigma0 - Lambda eps0      [Zhuang 2.16]                                           (1)
//! ```
//!
//! Components are along the mesh's own axes and turn with the body: R s0 R^T, R F0 R^T.

use pliant_numerics::Mat3;
use pliant_solid::assembly::InitialFields;
use pliant_solid::law::LawKind;

use super::placed_body::PlacedBody;
use super::region;
use crate::diagnostic::Problem;
use crate::spec::InitialKind;
use crate::units::si_array;

/// (xx, yy, zz, yz, zx, xy) to a matrix; `shear` is 1/2 for engineering shear strains, 1 for stress.
fn symmetric([xx, yy, zz, yz, zx, xy]: [f64; 6], shear: f64) -> Mat3<f64> {
    let (yz, zx, xy) = (shear * yz, shear * zx, shear * xy);
    Mat3([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]])
}

/// The fields of all `initial` entries; later ones replace earlier ones where they overlap.
pub(super) fn initial_fields(body: &PlacedBody, law: LawKind, problems: &mut Vec<Problem>) -> InitialFields {
    let mut out = InitialFields::default();
    let count = body.own.cell_count();
    for initial in &body.spec.initial {
        let cells = match region::cells(&body.own, &initial.region) {
            Ok(cells) if cells.is_empty() => {
                problems.push(region::nothing_selected(
                    &body.own,
                    "initial state covers no element",
                    &initial.region,
                ));
                continue;
            }
            Ok(cells) => cells,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        match &initial.kind {
            InitialKind::Additive { strain, stress, place } => {
                if !law.traits().adds_prestress {
                    let message = "initial strain and stress need the law `linear` or `st-venant`";
                    problems.push(
                        Problem::new(place.span(), message).help("give `relaxed`, a relaxed shape, instead"),
                    );
                }
                let (lambda, mu) = law.moduli().lame();
                let eps0 = symmetric(si_array(strain), 0.5);
                let hooke = eps0.scale(2.0 * mu).add_diagonal(lambda * eps0.trace());
                let s0 = body.turned(&(symmetric(si_array(stress), 1.0) - hooke)); // (1)
                out.stress.resize(count, Mat3::zero());
                cells.iter().for_each(|c| out.stress[*c] = s0);
            }
            InitialKind::Relaxed(shape) => {
                let f0 = body.turned(&Mat3(shape.each_ref().map(si_array)));
                out.relaxed.resize(count, Mat3::identity());
                cells.iter().for_each(|c| out.relaxed[*c] = f0);
            }
        }
    }
    out
}
