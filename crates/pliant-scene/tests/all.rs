//! The tests of this crate that need no allocator of their own, in one program: every further one would be linked with
//! everything again.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "support/complaint.rs"]
mod complaint;
#[path = "support/damage.rs"]
mod damage;
mod sample;
mod support;

mod bar450_at_rest;
mod binary_damage;
mod bones;
mod colliders;
mod embedded_surfaces;
mod foreign_gmsh;
mod foreign_meshio;
mod load_scripts;
mod mesh_files;
mod methods;
mod networks;
mod patch_mesh;
mod plausible_values;
mod preflight;
mod reference_meshes;
mod scene_errors;
mod scene_garbled;
mod scene_item_errors;
mod scene_keys;
mod scene_shapes;
mod series;
mod surface_formats;
#[path = "text_formats/main.rs"]
mod text_formats;
mod unfollowed_scripts;
mod violent_motion;
mod vtu_opens_elsewhere;
mod vtu_packings;
mod warped_options;
mod writers;
mod writers_open_elsewhere;
