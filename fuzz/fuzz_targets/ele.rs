//! TetGen files: what stands before the first zero byte is the .node file, what follows the .ele file.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let cut = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let (nodes, elements) = bytes.split_at(cut);
    let elements = elements.get(1..).unwrap_or_default();
    let _ = pliant_scene::mesh_file::read_bytes_beside("a.ele", elements, &[("a.node", nodes)]);
});
