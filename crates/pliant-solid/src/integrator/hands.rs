//! Live hands in implicit steps: groups of three rows with the stiffness of their tangent.
//!
//! A hand's lever on a free node is its weight there (those of dependent nodes are handed to their masters), on the motions of a bone a 3x3 one. With
//! such rows A' = A + J^T S J is definite where A is, so that Newton's method goes downhill as without hands. Where A has no factor, `rows::held_matrix` asks whether
//! A' is definite all the same. Stiffening and the search for the weakest motion of a failed step look at A alone.

use pliant_geometry::MaterialPoint;
use pliant_numerics::Mat3;

use crate::model::Model;
use crate::rigid::RigidRows;
use crate::rows::{RowGroup, Rows};
use crate::term::{At, Coeffs, Grab};

/// Notes the rows of hands at a state with its dependent nodes filled in; a hand that waits has a stiffness of zero.
pub(super) fn take_hands(
    rows: &mut Rows,
    (model, rigid): (&Model, &RigidRows),
    (at, c): (&At, Coeffs),
    grabs: &[Grab],
) {
    rows.clear();
    for grab in grabs {
        let stiffness = grab.tangent(at, c).unwrap_or_else(Mat3::zero);
        add_point(rows, (model, rigid), RowGroup::stiff(stiffness), &grab.point);
    }
}

/// Adds the rows of a point, its nodes as the equations know them.
pub(super) fn add_point(
    rows: &mut Rows,
    (model, rigid): (&Model, &RigidRows),
    group: RowGroup,
    point: &MaterialPoint,
) {
    let (dependents, free) = (model.layout().dependents(), model.layout().free_count());
    rows.add(group, |add| {
        dependents.for_each_free(point, free, |node, weight| {
            rigid.for_each_lever(node, |row, lever| add(row, lever.scale(weight)));
        });
    });
}
