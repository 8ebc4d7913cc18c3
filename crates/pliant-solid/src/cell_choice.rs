//! Fields of some cells only: a viewer colours a surface, not what is inside.

use crate::measure::{BodyFields, FullState, blank_fields};
use crate::model::Model;
use crate::term::{CellFields, Scratch};

/// Cells whose fields are wanted, chosen once for a model by [`Model::choose_cells`]; keeps its memory from call to call.
pub struct CellChoice {
    /// What each term keeps of its chosen cells.
    terms: Vec<Scratch>,
    fields: Vec<BodyFields>,
}

impl Model {
    /// Chooses cells by the number of their body and their own, in the mesh file's order.
    pub fn choose_cells(&self, wanted: impl Fn(usize, u32) -> bool) -> CellChoice {
        let choose = |term: &dyn crate::term::ForceTerm| -> Scratch {
            match term.cell_body() {
                Some(body) => term.choose_cells(&|cell| wanted(body, cell)),
                None => Box::new(()),
            }
        };
        CellChoice {
            terms: self.terms().iter().map(|term| choose(&**term)).collect(),
            fields: blank_fields(self),
        }
    }

    /// As [`Model::fields`] for chosen cells, to the bit and at their cost; others have no stress, no energy and a volume ratio of one.
    /// Runs side by side in the caller's pool and allocates nothing.
    ///
    /// # Panics
    /// If the cells were chosen for another model.
    pub fn chosen_fields<'c>(&self, full: &FullState, chosen: &'c mut CellChoice) -> &'c [BodyFields] {
        assert_eq!(self.terms().len(), chosen.terms.len(), "cells are chosen for one model");
        for ((term, at), own) in self.terms_at(full.at()).zip(&mut chosen.terms) {
            if let Some(body) = term.cell_body() {
                let BodyFields { von_mises, energy_density, volume_ratio } = &mut chosen.fields[body];
                term.chosen_fields(&at, own, &mut CellFields { von_mises, energy_density, volume_ratio });
            }
        }
        &chosen.fields
    }
}
