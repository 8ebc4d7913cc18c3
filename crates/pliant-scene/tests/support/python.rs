//! Other people's readers and writers, which speak Python.

use std::path::{Path, PathBuf};
use std::process::Command;

const MISSING: &str = "run `cargo xtask test` once, or: python3 -m venv target/venv && \
                       target/venv/bin/pip install -r xtask/requirements.txt";

/// A Python with meshio and gmsh; a test fails without one, it is never skipped.
fn interpreter() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = match std::env::var_os("PLIANT_PYTHON") {
        Some(path) => PathBuf::from(path),
        None => here.join("../../target/venv/bin/python"),
    };
    assert!(python.exists(), "{MISSING}");
    python
}

/// Runs a script of `tests/python`; gives what it prints.
pub fn run_script(script: &str, arguments: &[&Path]) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python").join(script);
    let output = Command::new(interpreter()).arg(path).args(arguments).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{script} {arguments:?}: {complaint}");
    output.stdout
}

/// A number as Python's `float.hex` spells it, to the bit.
#[allow(dead_code)]
pub fn hex_float(text: &str) -> f64 {
    let (sign, rest) = text.strip_prefix('-').map_or((1.0, text), |rest| (-1.0, rest));
    let (digits, exponent) = rest.strip_prefix("0x").unwrap().split_once('p').unwrap();
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let bits = u64::from_str_radix(&format!("{whole}{fraction}"), 16).unwrap();
    let exponent: i32 = exponent.parse().unwrap();
    // in two steps, so that the smallest numbers do not vanish on the way
    let shift = exponent - 4 * fraction.len() as i32;
    sign * bits as f64 * 2_f64.powi(shift / 2) * 2_f64.powi(shift - shift / 2)
}
