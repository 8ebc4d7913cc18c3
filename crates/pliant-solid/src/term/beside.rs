//! Forces of cells whose stress and energy another term of the same body tells.

use std::sync::Arc;

use pliant_numerics::{BlockMatrix, PatternBuilder};

use super::{At, Caps, Coeffs, Deformation, ForceTerm, Report, Scatter, Scratch};

/// A term of cells that leaves the telling about them to another.
pub struct Beside(pub Arc<dyn ForceTerm>);

impl ForceTerm for Beside {
    fn caps(&self) -> Caps {
        Caps { energy: false, ..self.0.caps() }
    }

    fn pattern(&self, out: &mut PatternBuilder) {
        self.0.pattern(out);
    }

    fn new_scratch(&self) -> Scratch {
        self.0.new_scratch()
    }

    fn force_add(&self, at: &At, out: &mut Scatter) -> Report {
        self.0.force_add(at, out)
    }

    fn tangent_apply_add(&self, at: &At, c: Coeffs, direction: &[f64], out: &mut Scatter) {
        self.0.tangent_apply_add(at, c, direction, out);
    }

    fn tangent_add(&self, at: &At, c: Coeffs, out: &mut BlockMatrix, scratch: &mut Scratch) {
        self.0.tangent_add(at, c, out, scratch);
    }

    fn definite_tangent_add(&self, at: &At, c: Coeffs, out: &mut BlockMatrix, scratch: &mut Scratch) {
        self.0.definite_tangent_add(at, c, out, scratch);
    }

    fn deformation(&self, at: &At, scratch: &mut Scratch) -> Deformation {
        self.0.deformation(at, scratch)
    }

    /// Of that body; but its fields are not written here.
    fn cell_body(&self) -> Option<usize> {
        self.0.cell_body()
    }
}
