//! The inverse of a tensor of inertia, wherever matter lies.

use pliant_numerics::Mat3;

/// Below this part of tr(I)^3 the determinant of I counts as zero: all matter on a line.
const ON_A_LINE: f64 = 1e-14;

/// I^-1; where all matter lies on a line, about which no torque can act, of a little more than I.
pub(crate) fn inverse_inertia(inertia: &Mat3<f64>) -> Mat3<f64> {
    let trace = inertia.trace();
    if trace <= 0.0 {
        return Mat3::zero(); // all matter at one point
    }
    if inertia.determinant() > ON_A_LINE * trace * trace * trace {
        inertia.inverse()
    } else {
        inertia.add_diagonal(1e-9 * trace).inverse()
    }
}
