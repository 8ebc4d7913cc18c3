//! Tells the program which instruction set level it was built for, and embeds the gallery and the viewer's page.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[path = "build/page/mod.rs"]
mod page;

fn main() {
    let features = std::env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let has = |name: &str| features.split(',').any(|f| f == name);
    let level = if has("avx2") && has("fma") { "x86-64-v3: AVX2, FMA" } else { "portable" };
    say(&format!("rustc-env=PLIANT_SIMD={level}"));
    say("rerun-if-changed=build.rs");
    say("rerun-if-changed=build");
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets OUT_DIR"));
    write_gallery(&out).expect("the gallery cannot be embedded");
    if let Err(failure) = page::write(Path::new("../../web"), &out) {
        for line in failure.lines() {
            say(&format!("error={line}"));
        }
        std::process::exit(1);
    }
}

/// `SCENES`: id and text of every scene of the gallery.
fn write_gallery(out: &Path) -> std::io::Result<()> {
    let folder = Path::new("../../scenes").canonicalize()?;
    say(&format!("rerun-if-changed={}", folder.display()));
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)?.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "toml"));
    files.sort();
    let mut code = String::from("static SCENES: &[(&str, &str)] = &[\n");
    for file in &files {
        let id = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let _ = writeln!(code, "    ({id:?}, include_str!({:?})),", file.display().to_string());
    }
    code.push_str("];\n");
    std::fs::write(out.join("gallery.rs"), code)
}

/// The channel by which a build script speaks to cargo.
#[allow(clippy::print_stdout)]
fn say(line: &str) {
    println!("cargo::{line}");
}
