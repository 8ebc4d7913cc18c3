//! Tells the program which instruction set level it was built for.

fn main() {
    let features = std::env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let has = |name: &str| features.split(',').any(|f| f == name);
    let level = if has("avx2") && has("fma") { "x86-64-v3: AVX2, FMA" } else { "portable" };
    // the channel by which a build script speaks to cargo
    #[allow(clippy::print_stdout)]
    {
        println!("cargo::rustc-env=PLIANT_SIMD={level}");
        println!("cargo::rerun-if-changed=build.rs");
    }
}
