//! Whether this processor can run this build.

/// The instruction set level this build was made for.
pub fn simd_level() -> &'static str {
    if cfg!(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "fma")) {
        "x86-64-v3 (AVX2, FMA)"
    } else {
        "portable"
    }
}

/// A plain sentence if the processor lacks what the build needs.
///
/// `is_x86_feature_detected!` is decided at compile time in a build that assumes the features, so the
/// processor itself is asked.
#[cfg(target_arch = "x86_64")]
pub fn check() -> Result<(), String> {
    use std::arch::x86_64::__cpuid_count;
    if !cfg!(target_feature = "avx2") {
        return Ok(());
    }
    let bit = |register: u32, bit: u32| register & (1 << bit) != 0;
    let highest = __cpuid_count(0, 0).eax;
    let one = __cpuid_count(1, 0);
    let seven = if highest >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
    let needed = [
        ("AVX", bit(one.ecx, 28)),
        ("FMA", bit(one.ecx, 12)),
        ("MOVBE", bit(one.ecx, 22)),
        ("AVX2", bit(seven, 5)),
        ("BMI1", bit(seven, 3)),
        ("BMI2", bit(seven, 8)),
    ];
    let missing: Vec<&str> = needed.iter().filter(|(_, there)| !there).map(|(name, _)| *name).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!(
        "this build of Pliant needs a processor of the level x86-64-v3 (about 2015 and later); this one lacks {}. \
         Build without the flags in .cargo/config.toml to run here, slower.",
        missing.join(", ")
    ))
}

/// Other processors: the build decided.
#[cfg(not(target_arch = "x86_64"))]
pub fn check() -> Result<(), String> {
    Ok(())
}
