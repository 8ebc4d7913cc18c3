//! `pliant verify` and `pliant reproduce` from outside: exit codes, JSON, files.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support;

use support::{errors, run, text};

fn json(output: &std::process::Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_verified_case_is_exit_code_0_and_prints_every_column() {
    let output = run(&["verify", "patch-1", "SVK-SHEAR-1"]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    let text = text(&output);
    for word in
        ["PATCH-1", "sigma_xx", "2000", "published", "SVK-SHEAR-1", "27644.231", "closed form", "pass"]
    {
        assert!(text.contains(word), "{word} is missing in\n{text}");
    }
    assert!(text.contains("2 cases, 28 rows: 28 in their bands, 0 out"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
}

#[test]
fn verify_speaks_json() {
    let output = run(&["verify", "SVK-SHEAR-1", "--json"]);
    let value = json(&output);
    assert_eq!(value["count"]["failed"], 0);
    let case = &value["cases"][0];
    assert_eq!(case["id"], "SVK-SHEAR-1");
    assert!(case["error"].is_null() && case["source"].as_str().unwrap().contains("closed form"));
    let row = &case["rows"][0];
    assert_eq!((row["quantity"].as_str(), row["unit"].as_str()), (Some("hex8: P12"), Some("Pa")));
    assert_eq!((row["origin"].as_str(), row["error_kind"].as_str()), (Some("closed-form"), Some("relative")));
    assert!((row["reference"].as_f64().unwrap() - 27_644.230_8).abs() < 1e-4);
    assert!(row["ours"].is_f64() && row["error"].is_number() && row["band"] == 1e-10);
    assert_eq!(row["verdict"], "pass");
}

#[test]
fn verify_lists_what_it_knows_and_runs_nothing() {
    let output = run(&["verify", "--list"]);
    let text = text(&output);
    assert!(output.status.success() && text.lines().count() >= 25, "{text}");
    assert!(text.lines().any(|line| line.starts_with("BAR450-STATIC ")), "{text}");
}

#[test]
fn an_unknown_id_is_exit_code_2_with_the_nearest() {
    let output = run(&["verify", "SVK-TWSIT-1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("did you mean `SVK-TWIST-1`?"), "{}", errors(&output));
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let output = run(&["reproduce", "zhuang-fig-2.33", "-o", out.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("did you mean `zhuang-fig-2.3`?"), "{}", errors(&output));
    assert!(!out.exists(), "nothing is written");
}

#[test]
fn a_figure_is_written_as_json_svg_and_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let output = run(&["reproduce", "zhuang-fig-2.4", "-o", out.to_str().unwrap(), "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    let printed = json(&output);
    let mut names: Vec<String> =
        std::fs::read_dir(&out).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["index.html", "zhuang-fig-2.4.json", "zhuang-fig-2.4.svg"]);
    let file: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(out.join("zhuang-fig-2.4.json")).unwrap()).unwrap();
    assert_eq!(printed[0], file);
    let entry = &file["entries"][0];
    for key in ["quantity", "paper", "claim", "theory", "ours", "ratio", "outcome", "verdict"] {
        assert!(entry.get(key).is_some(), "{key} is missing");
    }
    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("What differs, and why"));
    assert!(!page.contains("src=") && !page.contains("<link"), "self-contained");
}

#[test]
fn ids_are_listed_and_an_earlier_figure_stays_linked() {
    let listed = text(&run(&["reproduce", "--list"]));
    let known = pliant_validation::reproduce::FIGURES.len();
    assert!(listed.starts_with("zhuang-fig-2.3") && listed.lines().count() == known, "{listed}");
    let cases: serde_json::Value =
        serde_json::from_slice(&run(&["verify", "--list", "--json"]).stdout).unwrap();
    let known = pliant_validation::case::CASES.len();
    assert_eq!((cases.as_array().unwrap().len(), &cases[0]["id"]), (known, &"PATCH-1".into()));
    // a case that is named twice is run once
    let once: serde_json::Value =
        serde_json::from_slice(&run(&["verify", "osc-1", "OSC-1", "--json"]).stdout).unwrap();
    assert_eq!(once["cases"].as_array().unwrap().len(), 1);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("zhuang-fig-2.3.svg"), "<svg/>").unwrap();
    let output = run(&["reproduce", "zhuang-timing", "-o", folder.path().to_str().unwrap()]);
    assert!(output.status.success());
    let page = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
    assert!(page.contains("href=\"zhuang-fig-2.3.svg\"") && !page.contains("zhuang-fig-2.4"), "{page}");
}
