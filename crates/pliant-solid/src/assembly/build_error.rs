//! Why the terms of a body cannot be built.

/// What is wrong with a body's matter, and the way out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// Initial strain or stress with a law that is not linear in its strain.
    #[error("initial strain and stress need the law `linear` or `st-venant`; give a relaxed shape instead")]
    PrestressLaw,
    /// Relaxed shapes in short lanes.
    #[error("relaxed shapes need `precision = \"double\"`")]
    RelaxedSingle,
    /// A limit of stretch with a law that has none, or with initial stress.
    #[error(
        "a stretch limit needs the law `linear`, `warped` or `corotated`, without initial strain or stress; leave it out"
    )]
    Limit,
    /// Full mass matrices of bodies with bones.
    #[error("a body with bones needs `mass = \"lumped\"`: bones have their exact inertia with it")]
    ConsistentBones,
    /// Regions that leave a cell out, or share it.
    #[error(
        "the regions of a body must have each of its elements once; element {cell} is in {count} of them"
    )]
    Regions {
        /// The cell.
        cell: u32,
        /// Regions that have it.
        count: u32,
    },
    /// A region with a cell that is none of the mesh.
    #[error("a region has element {cell}, which the mesh of its body has not")]
    RegionBeyond {
        /// The cell.
        cell: u32,
    },
    /// Regions whose forces do not go together.
    #[error(
        "all regions of a body need the law `linear` or none of them, and all the law `warped`, with the same rotations and stiffness damping, or none; make them bodies of their own"
    )]
    MixedRegions,
    /// Bones among several densities or dampings.
    #[error(
        "a body with bones needs one density and one mass damping in all of its regions; make them bodies of their own"
    )]
    BonesInRegions,
    /// Warped stiffness in short lanes.
    #[error("the law `warped` needs `precision = \"double\"`; or use the law `corotated`")]
    WarpedSingle,
    /// Warped stiffness of a body that wants another shape.
    #[error(
        "the law `warped` knows no initial strain, stress or relaxed shape; use the law `corotated` with a relaxed shape"
    )]
    WarpedInitial,
    /// Springs whose matrix is turned, damped each in its own way.
    #[error(
        "a network with the law `warped` needs springs whose damping is the same part of their stiffness; give `relaxation`, or use the law `springs`"
    )]
    NetworkDamping,
    /// Springs that pull at rest where only their matrix is used.
    #[error(
        "a network with the law `linear` or `warped` needs springs as long as the particles are apart at rest; use the law `springs`"
    )]
    NetworkTension,
}
