//! The tests of this crate that need no allocator of their own, in one program: every further one would be linked with
//! everything again.
#![allow(clippy::unwrap_used, missing_docs)]

mod support;

#[path = "any_scene/main.rs"]
mod any_scene;
mod command_line;
mod contacts;
mod doubtful;
mod expectations;
mod files;
mod forces;
mod frame_formats;
mod gallery;
mod memory;
mod mesh_command;
mod program;
mod run_folder;
mod spring_scenes;
mod statics;
mod verify_reproduce;
#[path = "viewer/main.rs"]
mod viewer;
