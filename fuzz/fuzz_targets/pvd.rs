//! The list of frames that a resumed run goes on with.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let path = std::env::temp_dir().join(format!("pliant-fuzz-{}.pvd", std::process::id()));
    std::fs::write(&path, bytes).expect("the temporary folder can be written");
    let _ = pliant_scene::mesh_file::PvdSeries::reload(&path, f64::INFINITY);
});
