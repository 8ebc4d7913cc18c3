//! One fault per test: the message names the place, the key, the value and the way out.
#![allow(clippy::unwrap_used, clippy::panic)] // a failing helper is a failing test

use crate::complaint;

use complaint::{GOOD, message};
use miette::Diagnostic;
use pliant_scene::Scene;

/// The message after one replacement in a good scene.
fn changed(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    message(&GOOD.replace(from, to))
}

/// The message after lines added to a good scene, which has nine.
fn added(lines: &str) -> String {
    message(&format!("{GOOD}{lines}\n"))
}

#[test]
fn the_good_scene_is_good() {
    assert!(Scene::parse(GOOD, "x.toml").is_ok());
}

#[test]
fn unknown_keys_suggest_the_nearest() {
    assert_eq!(
        changed("young =", "yung ="),
        "x.toml:4:1: unknown key `yung` in [material.rubber]; did you mean `young`?"
    );
    assert_eq!(
        changed("poisson = 0.33", "poisson = 0.33\ncolour = 3"),
        "x.toml:6:1: unknown key `colour` in [material.rubber]; \
         known keys are `law`, `young`, `poisson`, `density`, `stretch_limit`, `damping`, `warp`"
    );
    assert_eq!(
        changed("cells = [1", "cell = [1"),
        "x.toml:9:43: unknown key `cell` in [body.bar.mesh]; did you mean `cells`?"
    );
    let far = message(&format!("haptics = 1\n{GOOD}"));
    assert!(
        far.starts_with("x.toml:1:1: unknown key `haptics` at the top level; known keys are `title`"),
        "{far}"
    );
    let fix = added("[[body.bar.fix]]\nwhere = { bocks = { min = [0,0,0], max = [1,1,1] } }");
    assert_eq!(
        fix,
        "x.toml:11:11: unknown key `bocks` in [body.bar.fix.where]; \
         known keys are `box`, `sphere`, `plane`, `deeper`, `bone`, `group`, `nodes`, `all`"
    );
}

#[test]
fn unknown_words_name_what_exists() {
    assert_eq!(
        added("[integrator]\nmethod = \"leapfrog\""),
        "x.toml:11:10: `method` in [integrator] is \"leapfrog\", which is not known; known are `explicit`, `newmark`, `implicit-euler`, `static`, `quasistatic`"
    );
    assert_eq!(
        changed("st-venant", "st-venat"),
        "x.toml:3:7: `law` in [material.rubber] is \"st-venat\", which is not known; did you mean `st-venant`?"
    );
}

#[test]
fn missing_keys_name_the_table_and_an_example() {
    assert_eq!(
        changed("young = \"100 kPa\"\n", ""),
        "x.toml:2:1: missing key `young` in [material.rubber]; add young = \"100 kPa\""
    );
    assert_eq!(
        changed("duration = \"1 s\"\n", ""),
        "x.toml: missing key `duration` at the top level; add duration = \"2 s\""
    );
    assert_eq!(
        added("[[probe]]\nname = \"a\"\nbody = \"bar\""),
        "x.toml:10:1: missing key `at` in [probe]; add at = [x, y, z]"
    );
}

#[test]
fn wrong_units_name_the_dimension_needed() {
    assert_eq!(
        changed("100 kPa", "100 kg"),
        "x.toml:4:9: `young` in [material.rubber]: `100 kg` is a mass; `young` needs a pressure such as \"100 kPa\""
    );
    assert_eq!(
        changed("100 kPa", "100 kpa"),
        "x.toml:4:9: `young` in [material.rubber]: unknown unit `kpa` in `100 kpa` (did you mean `kPa`?); \
         `young` needs a pressure such as \"100 kPa\""
    );
    assert_eq!(
        changed("size = [1, 1, 1]", "size = [1, \"2 s\", 1]"),
        "x.toml:9:36: `size` item 2 in [body.bar.mesh]: `2 s` is a time; `size` needs a length such as \"1 mm\""
    );
    assert_eq!(
        changed("density = 1000", "density = nan"),
        "x.toml:6:11: `density` in [material.rubber]: `NaN` is not a finite number; \
         `density` needs a density such as \"1000 kg/m^3\""
    );
    let step = added("[integrator]\nstep = \"fast\"");
    assert!(
        step.ends_with(
            "`fast` does not start with a number; `step` needs \"auto\" or a time such as \"1 ms\""
        )
    );
}

#[test]
fn wrong_types_say_what_is_expected() {
    assert_eq!(
        changed("poisson = 0.33", "poisson = [1]"),
        "x.toml:5:11: `poisson` in [material.rubber]: invalid type: sequence, \
         expected a plain number such as 0.5"
    );
    assert!(
        changed("size = [1, 1, 1]", "size = [1, 1]").contains("has 2 numbers in `size`, but a box has 3")
    );
    assert!(
        changed("cells = [1, 1, 1]", "cells = [1, 1, -1]")
            .contains("`cells` item 3 in [body.bar.mesh]: invalid value")
    );
}

#[test]
fn files_that_are_no_toml_point_at_the_place() {
    assert_eq!(
        changed("\"100 kPa\"", "100 kPa").lines().next().unwrap().split("; ").last().unwrap(),
        "a value with a unit stands in quotes, such as \"100 kPa\""
    );
    assert!(changed("poisson = 0.33", "young = 1").starts_with("x.toml:5:1: duplicate key"), "duplicates");
    assert!(message("duration = \"1 s\n").starts_with("x.toml:1:"), "an open string");
    assert!(message("[material.rubber\n").starts_with("x.toml:1:"), "an open header");
    let help = "the scene is empty; a scene needs `duration`, a [material.NAME] and a [body.NAME]";
    assert_eq!(message(""), format!("x.toml: {help}"));
    assert_eq!(message("# nothing\n"), format!("x.toml: {help}"));
}

#[test]
fn files_that_cannot_be_read_say_why() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bar.toml"), GOOD).unwrap();
    let error = |name: &str| Scene::read(folder.path().join(name)).unwrap_err().to_string();
    assert!(error("barr.toml").contains("bar.toml`?"), "{}", error("barr.toml"));
    assert!(error("elsewhere.toml").ends_with("; check the path"));
    assert!(error(".").ends_with("it is a folder: name a scene file in it, ending in .toml"));
    std::fs::write(folder.path().join("bytes.toml"), b"title = \"a\"\nx = \"\xff\"").unwrap();
    assert!(
        error("bytes.toml").contains("bytes.toml:2:6: byte 17 is not UTF-8 text; save the file as UTF-8")
    );
    assert_eq!(Scene::read(folder.path().join("bar.toml")).unwrap().folder, folder.path());
}

#[test]
fn meshes_are_a_box_or_a_file() {
    let mesh = |table: &str| changed("{ shape = \"box\", size = [1, 1, 1], cells = [1, 1, 1] }", table);
    let start = "x.toml:9:8: `mesh` in [body.bar]: ";
    for (table, rest) in [
        ("{ shape = \"box\", file = \"a.msh\" }", "has both `shape` and `file`; write either"),
        ("{ scale = 1 }", "has neither `shape` nor `file`; write"),
        ("{ shape = \"box\", cells = [1, 1, 1] }", "lacks `size` of the box; write"),
        ("{ shape = \"box\", size = [1, 1, 1] }", "lacks `cells` of the box; write"),
        ("{ shape = \"box\", scale = 1 }", "has `scale`, which belongs to `file`"),
        ("{ file = \"a.msh\", cells = [1, 1, 1] }", "has `cells`, which belongs to `shape`"),
    ] {
        let message = mesh(table);
        assert!(message.starts_with(&format!("{start}{rest}")), "{table}: {message}");
    }
    assert!(mesh("{ file = \"\" }").contains("`file` is empty"));
    assert!(mesh("{ file = \"a\", scale = 0 }").contains("`scale` is 0 m; it must be above 0"));
}

#[test]
fn fixes_are_checked() {
    let fix = |keys: &str| added(&format!("[[body.bar.fix]]\nwhere = \"all\"\n{keys}"));
    for (keys, part) in [
        ("axes = \"\"", "holds no axis"),
        ("axes = \"xyw\"", "`xyw` contains `w`; write letters of \"xyz\""),
        ("axes = \"xx\"", "contains `x` twice"),
        ("over = 1", "has `over` without `move` or `turn`"),
        ("move = [1, 0, 0]", "has `move` without `over`, the time it takes; add over = \"1 s\""),
        ("move = [1, 0, 0]\nover = 0", "`over` is 0 s; it must be above 0"),
        (
            "move = [1, 0, 0]\nover = 1\naxes = \"y\"",
            "`move` moves along x, which `axes` leaves free; add x to `axes`",
        ),
        ("move = [1, 0, 0]\nover = 1\ntable = []", "has both `move` and `table`"),
        ("table = []", "`table` is empty"),
        ("table = [[1, [0, 0, 0]], [1, [0, 0, 0]]]", "`table` goes from 1 s to 1 s; times must increase"),
        ("sine = { amplitude = [1, 0, 0], frequency = 0 }", "`frequency` is 0 Hz; it must be above 0"),
        ("turn = { axis = [0, 0, 0], angle = 1, center = [0, 0, 0] }\nover = 1", "`turn.axis` is [0, 0, 0]"),
        (
            "turn = { axis = [0, 0, 1], angle = 1, center = [0, 0, 0] }\nover = 1\naxes = \"x\"",
            "`turn` with `axes`",
        ),
        ("release = 0", "`release` is 0 s; it must be above 0"),
    ] {
        let message = fix(keys);
        assert!(message.contains(part), "{keys}: {message}");
    }
}

#[test]
fn regions_are_checked() {
    let region = |table: &str| added(&format!("[[body.bar.fix]]\nwhere = {table}"));
    for (table, part) in [
        ("\"base\"", "`base` is no region; write \"all\", { group = \"base\" }"),
        ("{}", "`where` in [body.bar.fix]: is empty; write one of `box`"),
        ("{ all = false }", "selects nothing"),
        ("{ all = true, group = \"a\" }", "has both `group` and `all`"),
        (
            "{ box = { min = [0, 0, 0], max = [1, 0, 1] } }",
            "the box goes from 0 m to 0 m in y; `min` must be below `max`",
        ),
        ("{ sphere = { center = [0, 0, 0], radius = -1 } }", "`radius` is -1 m"),
        ("{ plane = { point = [0, 0, 0], normal = [0, 0, 0] } }", "`normal` is [0, 0, 0]"),
        ("{ plane = { point = [0, 0, 0], normal = [0, 0, 1], tolerance = -1 } }", "`tolerance` is -1 m"),
        ("{ group = \"\" }", "`group` is empty"),
        ("{ nodes = [] }", "`nodes` is empty"),
        (
            "{ box = { min = [0, 0, 0] } }",
            "missing key `max` in [body.bar.fix.where.box]; add max = [x, y, z]",
        ),
    ] {
        let message = region(table);
        assert!(message.contains(part), "{table}: {message}");
        assert!(message.starts_with("x.toml:11:"), "{message}");
    }
}

#[test]
fn loads_and_initial_states_are_checked() {
    let load = |keys: &str| added(&format!("[[body.bar.load]]\nwhere = \"all\"\n{keys}"));
    assert!(load("").contains("says where but not what; add one of `traction`"), "{}", load(""));
    assert!(load("pressure = 1\nforce = [0, 0, 0]").contains("has both `force` and `pressure`"));
    assert!(load("pressure = 1\nover = -1").contains("`over` is -1 s"));
    let initial = |keys: &str| added(&format!("[[body.bar.initial]]\n{keys}"));
    assert!(initial("").contains("gives nothing; add `strain`"), "{}", initial(""));
    let relaxed = "relaxed = [[1, 0, 0], [0, 1, 0], [0, 0, -1]]";
    assert!(initial(relaxed).contains("`relaxed` has the determinant -1"));
    assert!(initial(&format!("{relaxed}\nstress = [0, 0, 0, 0, 0, 0]")).contains("`relaxed` together with"));
    let neo = GOOD.replace("st-venant", "neo-hookean");
    let neo = message(&format!("{neo}[[body.bar.initial]]\nstrain = [0, 0, 0, 0, 0, 0]\n"));
    assert!(
        neo.contains("x.toml:11:10: body \"bar\" has the law \"neo-hookean\", which takes no initial strain")
    );
}

#[test]
fn values_out_of_range_are_refused() {
    for (from, to, expected) in [
        ("\"1 s\"", "0", "x.toml:1:12: `duration` is 0 s; it must be above 0, such as \"1 ms\""),
        (
            "\"100 kPa\"",
            "-1",
            "x.toml:4:9: `young` of material \"rubber\" is -1 Pa; it must be above 0, such as \"100 kPa\"",
        ),
        (
            "0.33",
            "0.5",
            "x.toml:5:11: `poisson` of material \"rubber\" is 0.5; it must be below 0.5; for nearly incompressible matter write 0.45: nearer to 0.5 elements lock and are too stiff",
        ),
        (
            "0.33",
            "-1",
            "x.toml:5:11: `poisson` of material \"rubber\" is -1; it must be above -1 and below 0.5",
        ),
        (
            "density = 1000",
            "density = 0",
            "x.toml:6:11: `density` of material \"rubber\" is 0 kg/m^3; it must be above 0, such as \"1000 kg/m^3\"",
        ),
        (
            "size = [1, 1, 1]",
            "size = [1, 0, 1]",
            "x.toml:9:32: `size` of the box is [1.0, 0.0, 1.0] m; each edge must be above 0",
        ),
        (
            "cells = [1, 1, 1]",
            "cells = [1, 0, 1]",
            "x.toml:9:51: `cells` of the box is [1, 0, 1]; each number must be 1 or more",
        ),
    ] {
        assert_eq!(changed(from, to), expected);
    }
    assert!(
        changed("cells = [1, 1, 1]", "cells = [4000000000, 4000000000, 4000000000]")
            .contains("use fewer cells")
    );
    assert!(added("[integrator]\nsafety = 2").contains("`safety` is 2; it must be above 0 and at most 1"));
    assert!(added("[integrator]\nstep = 0").contains("`step` is 0 s; it must be above 0"));
    assert!(added("[integrator]\nstep = 2").contains("`step` is 2 s, longer than `duration`, 1 s"));
    assert!(added("[output]\nframes_per_second = -1").contains("`frames_per_second` is -1"));
    assert!(added("rotation = { axis = [0, 0, 0], angle = 1 }").contains("`rotation.axis` is [0, 0, 0]"));
    assert!(
        changed("[body.bar]", "damping = { mass = -1 }\n[body.bar]").contains("`damping.mass` is -1 1/s")
    );
}

#[test]
fn references_suggest_the_nearest_name() {
    assert_eq!(
        changed("material = \"rubber\"", "material = \"ruber\""),
        "x.toml:8:12: `material` is \"ruber\", which this scene does not define; did you mean \"rubber\"?"
    );
    let probe = "[[probe]]\nname = \"a\"\nbody = \"wheel\"\nat = [0, 0, 0]";
    assert!(added(probe).ends_with("known are \"bar\", or add [body.wheel]"), "{}", added(probe));
    let grab = "[[grab]]\nbody = \"baar\"\nat = [0, 0, 0]\npath = [[0, [0, 0, 0]]]";
    assert!(added(grab).ends_with("did you mean \"bar\"?"));
    assert!(
        message("duration = 1\n")
            .ends_with("x.toml: the scene has no body; add [body.NAME] with `material` and `mesh`")
    );
}

#[test]
fn grabs_and_probes_are_checked() {
    let grab = |keys: &str| added(&format!("[[grab]]\nbody = \"bar\"\nat = [0, 0, 0]\n{keys}"));
    assert!(grab("path = []").contains("`path` is empty"));
    assert!(grab("path = [[1, [0, 0, 0]], [0, [0, 0, 0]]]").contains("`path` goes from 1 s to 0 s"));
    assert!(grab("path = [[0, [0, 0, 0]]]\nstiffness = 0").contains("`stiffness` is 0 N/m"));
    assert!(grab("path = [[0, [0, 0, 0]]]\nmax_force = 0").contains("`max_force` is 0 N"));
    let probe = |name: &str| format!("[[probe]]\nname = \"{name}\"\nbody = \"bar\"\nat = [0, 0, 0]\n");
    assert!(added(&probe("a,b")).contains("`name` of a probe is \"a,b\""));
    assert!(
        added(&format!("{}{}", probe("a"), probe("a")))
            .contains("x.toml:15:8: a second probe is named \"a\"")
    );
}

#[test]
fn several_faults_are_reported_together() {
    let text = GOOD
        .replace("young =", "yung =")
        .replace("density = 1000", "density = \"1 kPa\"")
        .replace("size = [1, 1, 1]", "sizes = [1, 1, 1]")
        .replace("duration = \"1 s\"", "duration = \"1 kg\"");
    let lines = message(&text);
    let places: Vec<&str> = lines.lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(places, ["x.toml:1:12", "x.toml:4:1", "x.toml:6:11", "x.toml:9:25"], "{lines}");
    let ranges = GOOD.replace("0.33", "0.7").replace("\"1 s\"", "-1").replace("\"rubber\"", "\"steel\"");
    assert_eq!(message(&ranges).lines().count(), 3);
}

#[test]
fn the_report_marks_the_place_in_the_text() {
    let text = GOOD.replace("young =", "yung =");
    let error = Scene::parse(&text, "x.toml").unwrap_err();
    let labels: Vec<_> = error.labels().unwrap().collect();
    assert_eq!(&text[labels[0].offset()..labels[0].offset() + labels[0].len()], "yung");
    assert_eq!(error.help().unwrap().to_string(), "did you mean `young`?");
    assert!(error.source_code().is_some());
}

#[test]
fn slips_of_units_are_warned_of() {
    let text = GOOD
        .replace("\"100 kPa\"", "1")
        .replace("density = 1000", "density = 1")
        .replace("size = [1,", "size = [300,");
    let (scene, source) = Scene::parse(&format!("gravity = [0, 0, -9810]\n{text}"), "x.toml").unwrap();
    let lines: Vec<String> =
        pliant_scene::spec::warnings(&scene, &source).iter().map(|warning| warning.line(&source)).collect();
    assert_eq!(lines.len(), 4, "{lines:#?}");
    assert!(lines[0].starts_with("x.toml:1:11: warning: gravity is 9810 m/s^2: it looks wrong by 10^3"));
    assert!(lines[1].starts_with("x.toml:5:9: warning: young of material \"rubber\" is 1 Pa"));
    assert!(lines[2].ends_with("density 1 looks like g/cm^3: write \"1 g/cm^3\""));
    assert!(lines[3].contains("body \"bar\" is 300 m long: it looks wrong by 10^3"));
}

#[test]
fn parts_of_a_body_that_does_not_exist_name_those_that_do() {
    let fix = |body: &str| {
        added(&format!(
            "[[body.{body}.fix]]\nwhere = \"all\"\n[[body.{body}.load]]\nwhere = \"all\"\nforce = [1, 0, 0]"
        ))
    };
    let text = fix("bat");
    assert!(text.contains("there is no body `bat`: nothing says what it is made of"), "{text}");
    assert!(text.contains("did you mean `bar`?") && !text.contains("missing key"), "{text}");
    assert!(fix("cushion").contains("bodies are `bar`; add [body.cushion] with `mesh` and `material`"));
}

#[test]
fn tables_of_another_form_are_told_how_to_be_written() {
    let text = added("[probe]\nname = \"tip\"\nbody = \"bar\"\nat = [0, 0, 0]");
    assert!(text.contains("there may be many: write [[probe]], in double brackets"), "{text}");
    let text = added("[body.bar.fix]\nwhere = \"all\"");
    assert!(text.contains("write [[body.bar.fix]], in double brackets"), "{text}");
    let text = changed("[body.bar]", "damping = 5\n[body.bar]");
    assert!(text.contains("write damping = { mass = \"0.5 1/s\" }"), "{text}");
}
