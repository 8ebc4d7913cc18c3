//! What the command line understands, and what it says when it does not.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support;

use std::path::Path;
use std::process::Output;

use support::{errors, pliant, summary, text};

/// Runs the program in a folder that is not the repository.
fn run_in(folder: &Path, arguments: &[&str]) -> Output {
    pliant().current_dir(folder).args(arguments).output().unwrap()
}

#[test]
fn scenes_of_the_gallery_are_known_by_name_wherever_one_is() {
    let folder = tempfile::tempdir().unwrap();
    let output = run_in(folder.path(), &["run", "hello_bar", "-o", "out", "-q"]);
    assert!(output.status.success(), "{}", errors(&output));
    assert_eq!(summary(&folder.path().join("out"))["scene"], "hello_bar");
    assert!(folder.path().join("out/hello_bar.pvd").exists());
    let checked = run_in(folder.path(), &["check", "jelly"]);
    assert!(text(&checked).contains("jelly: no problem found"), "{}", text(&checked));
    assert!(text(&checked).contains("gravity 9.81 m/s^2 along -z"), "{}", text(&checked));
    let measured = run_in(folder.path(), &["bench", "hello_bar", "--steps", "5", "--threads", "1"]);
    assert!(text(&measured).contains(", 1 thread, "), "{}{}", text(&measured), errors(&measured));
}

#[test]
fn what_exists_under_a_name_wins_over_the_gallery() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("jelly"), "title = 3\n").unwrap();
    let output = run_in(folder.path(), &["run", "jelly", "-o", "out"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("jelly:1:9: `title`"), "{}", errors(&output));
}

#[test]
fn names_behind_which_there_is_nothing_get_the_nearest_one() {
    let folder = tempfile::tempdir().unwrap();
    let said = |arguments: &[&str]| {
        let output = run_in(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        errors(&output)
    };
    let text = said(&["run", "jely", "-o", "out"]);
    assert!(
        text.contains("neither a file nor a scene of the gallery `jely`; did you mean `jelly`?"),
        "{text}"
    );
    let text = said(&["run", "jelly.toml", "-o", "out"]);
    assert!(text.contains("there is no such file; the scene of the gallery is called `jelly`"), "{text}");
    let text = said(&["view", "helo_bar", "--no-open"]);
    assert!(text.contains("did you mean `hello_bar`?"), "{text}");
    let text = said(&["chek"]);
    assert!(text.contains("did you mean `pliant check`?"), "{text}");
}

#[test]
fn a_misspelt_command_beside_a_file_gets_the_line_that_was_meant() {
    let folder = tempfile::tempdir().unwrap();
    let output = run_in(folder.path(), &["rnu", "scene.toml", "-o", "out"]);
    assert_eq!(output.status.code(), Some(2));
    let text = errors(&output);
    assert!(
        text.contains("there is no command `rnu`; did you mean `pliant run scene.toml -o out`?"),
        "{text}"
    );
    // words that clap knows better are left to it
    let help = run_in(folder.path(), &["run", "--help"]);
    assert!(help.status.success());
}

#[test]
fn results_want_a_folder_and_meshes_a_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.txt"), "keep me").unwrap();
    std::fs::create_dir(folder.path().join("meshes")).unwrap();
    let output = run_in(folder.path(), &["run", "jelly", "-o", "notes.txt"]);
    assert_eq!(output.status.code(), Some(2));
    let said = errors(&output);
    assert!(
        said.contains(
            "notes.txt: -o names the folder that results go into, and this is a file; use another name, such as -o notes"
        ),
        "{said}"
    );
    assert_eq!(std::fs::read_to_string(folder.path().join("notes.txt")).unwrap(), "keep me");
    let make = ["mesh", "make", "box", "--size", "1,1,1", "--cells", "1,1,1", "-o"];
    let output = run_in(folder.path(), &[&make[..], &["meshes"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(
        errors(&output).contains("meshes: this is a folder; name the file to write in it"),
        "{}",
        errors(&output)
    );
}

#[test]
fn convert_takes_the_file_to_write_as_a_second_word_or_by_its_option() {
    let folder = tempfile::tempdir().unwrap();
    let make =
        ["mesh", "make", "box", "--size", "1,1,1", "--cells", "1,1,1", "--element", "hex", "-o", "a.msh"];
    let made = run_in(folder.path(), &make);
    assert!(text(&made).contains("a.msh: 8 nodes, 1 hexahedron, "), "{}", text(&made));
    for (arguments, file) in [(vec!["a.msh", "b.vtu"], "b.vtu"), (vec!["a.msh", "-o", "c.vtu"], "c.vtu")] {
        let output = run_in(folder.path(), &[&["mesh", "convert"], &arguments[..]].concat());
        assert!(output.status.success(), "{}", errors(&output));
        assert!(folder.path().join(file).exists());
    }
    let both = run_in(folder.path(), &["mesh", "convert", "a.msh", "d.vtu", "-o", "e.vtu"]);
    assert_eq!(both.status.code(), Some(2));
    let neither = run_in(folder.path(), &["mesh", "convert", "a.msh"]);
    assert_eq!(neither.status.code(), Some(2));
    let surface = run_in(folder.path(), &["mesh", "convert", "a.msh", "s.stl"]);
    assert!(surface.status.success(), "{}", errors(&surface));
    let seen = run_in(folder.path(), &["mesh", "inspect", "s.stl"]);
    assert!(text(&seen).contains("12 triangles, 1 closed shell: the boundary of a solid"), "{}", text(&seen));
}
