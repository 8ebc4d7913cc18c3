//! A body of finite elements: regions of its mesh, each of one material.
//!
//! Terms, masses and fields are made region by region; regions share the nodes between them, so that they hold together.

use std::borrow::Cow;
use std::sync::Arc;

use pliant_geometry::Mesh;

use super::material::Material;
use crate::assembly::{BuildError, ElementSet, InitialFields, Precision, element_terms, lumped_volumes_of};
use crate::layout::Body;
use crate::term::ForceTerm;

/// Elements and what they are made of.
#[derive(Clone, Debug)]
pub struct Solid {
    /// Together they have every cell once.
    pub regions: Vec<Region>,
    /// Initial strain, stress and relaxed shapes, by cell of the body.
    pub initial: InitialFields,
    /// How its mass is distributed.
    pub mass: MassKind,
}

/// A part of a body that is made of one material.
#[derive(Clone, Debug)]
pub struct Region {
    /// Where it is.
    pub cells: Cells,
    /// What it is made of.
    pub material: Material,
}

/// Cells of a mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cells {
    /// Every one.
    All,
    /// These, each once.
    Listed(Vec<u32>),
}

/// Lumped or consistent mass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MassKind {
    /// Row sums on the diagonal.
    #[default]
    Lumped,
    /// The full matrix.
    Consistent,
}

impl Cells {
    /// Those that are among others, in the order of these.
    pub fn among<'a>(&self, others: &'a [u32], mesh: &Mesh) -> Cow<'a, [u32]> {
        match self {
            Self::All => Cow::Borrowed(others),
            Self::Listed(listed) => {
                let mut here = vec![false; mesh.cell_count()];
                for &cell in listed {
                    // one beyond the mesh is for the model to refuse
                    if let Some(here) = here.get_mut(cell as usize) {
                        *here = true;
                    }
                }
                Cow::Owned(others.iter().copied().filter(|cell| here[*cell as usize]).collect())
            }
        }
    }

    /// Their rest volume, m^3.
    pub fn volume(&self, mesh: &Mesh) -> f64 {
        match self {
            Self::All => mesh.volume(),
            Self::Listed(listed) => {
                let known = listed.iter().map(|cell| *cell as usize).filter(|cell| *cell < mesh.cell_count());
                known.map(|cell| mesh.cell_volume(cell)).sum()
            }
        }
    }
}

impl Solid {
    /// One material throughout, with lumped mass.
    pub fn of(material: Material) -> Self {
        Self {
            regions: vec![Region { cells: Cells::All, material }],
            initial: InitialFields::default(),
            mass: MassKind::Lumped,
        }
    }

    /// The material of each region.
    pub fn materials(&self) -> impl Iterator<Item = &Material> {
        self.regions.iter().map(|region| &region.material)
    }

    /// What of some cells of a mesh is made of which material.
    pub fn split<'a>(&'a self, cells: &'a [u32], mesh: &Mesh) -> Vec<(&'a Material, Cow<'a, [u32]>)> {
        let of = |region: &'a Region| (&region.material, region.cells.among(cells, mesh));
        self.regions.iter().map(of).collect()
    }

    /// What all materials have in common, if they do.
    pub(super) fn uniform(&self, value: impl Fn(&Material) -> f64) -> Option<f64> {
        let mut values = self.materials().map(value);
        let first = values.next()?;
        values.all(|other| other == first).then_some(first)
    }

    /// Lumped mass, kg, and mass-proportional damping, kg/s, that some cells give to each node of a mesh.
    pub(super) fn node_inertia(&self, mesh: &Mesh, cells: &[u32]) -> Vec<[f64; 2]> {
        let mut out = vec![[0.0; 2]; mesh.node_count()];
        for (Material { density, mass_damping, .. }, cells) in self.split(cells, mesh) {
            for ([mass, damping], volume) in out.iter_mut().zip(lumped_volumes_of(mesh, &cells)) {
                *mass += density * volume;
                *damping += mass_damping * density * volume;
            }
        }
        out
    }

    /// The terms of a body in a world with these rest positions.
    pub(super) fn terms(
        &self,
        index: usize,
        body: &Body,
        (rest, precision): (&Arc<Vec<f64>>, Precision),
    ) -> Result<Vec<Arc<dyn ForceTerm>>, BuildError> {
        self.must_cover(body.mesh.cell_count())?;
        self.must_suit_bones(body)?;
        let regions = self.split(&body.soft, &body.mesh);
        let sets = regions.iter().map(|(material, cells)| ElementSet {
            body: index,
            mesh: &body.mesh,
            cells,
            world: &body.world,
            rest: Arc::clone(rest),
            law: material.law,
            limit: material.limit,
            beta: material.stiffness_damping,
            density: material.density,
            precision,
            initial: &self.initial,
        });
        element_terms(&sets.collect::<Vec<_>>())
    }

    /// Refuses regions that leave cells out, overlap, or reach beyond a mesh.
    fn must_cover(&self, cell_count: usize) -> Result<(), BuildError> {
        if let [Region { cells: Cells::All, .. }] = self.regions[..] {
            return Ok(());
        }
        let mut counts = vec![0_u32; cell_count];
        for region in &self.regions {
            match &region.cells {
                Cells::All => counts.iter_mut().for_each(|count| *count += 1),
                Cells::Listed(listed) => {
                    for &cell in listed {
                        *counts.get_mut(cell as usize).ok_or(BuildError::RegionBeyond { cell })? += 1;
                    }
                }
            }
        }
        match counts.iter().position(|count| *count != 1) {
            None => Ok(()),
            Some(cell) => Err(BuildError::Regions { cell: cell as u32, count: counts[cell] }),
        }
    }

    /// A bone's inertia is made for one density around it and one damping of all that moves with it.
    fn must_suit_bones(&self, body: &Body) -> Result<(), BuildError> {
        if body.soft.len() == body.cells.len() {
            return Ok(());
        }
        let alike = self.uniform(|m| m.density).is_some() && self.uniform(|m| m.mass_damping).is_some();
        match self.mass {
            MassKind::Consistent => Err(BuildError::ConsistentBones),
            MassKind::Lumped if !alike => Err(BuildError::BonesInRegions),
            MassKind::Lumped => Ok(()),
        }
    }
}
