//! The state that a resumed run goes on from.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let path = std::env::temp_dir().join(format!("pliant-fuzz-{}.pliant", std::process::id()));
    std::fs::write(&path, bytes).expect("the temporary folder can be written");
    let _ = pliant_scene::snapshot::load(&path, 0);
});
