//! OBJ surfaces.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = pliant_scene::mesh_file::read_bytes("a.obj", bytes);
});
