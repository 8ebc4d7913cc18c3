//! Every figure moves as theory says when a parameter is changed.
#![allow(clippy::unwrap_used, missing_docs)]

use pliant_validation::reproduce::{
    Entry, FIGURES, Outcome, write, zhuang_fig_2_3, zhuang_fig_2_4, zhuang_timing,
};

#[test]
fn twice_the_stiffness_halves_the_fall_and_quarters_the_growth_under_linear_strain() {
    use zhuang_fig_2_3::{Setup, linear_theory, measure};
    let soft = measure("linear", Setup { young: 5e5 }).unwrap();
    let stiff = measure("linear", Setup { young: 1e6 }).unwrap();
    assert!(soft.restlessness < 1e-6 && stiff.restlessness < 1e-6, "{soft:?} {stiff:?}");
    // linear in 1/E; the length of the axis does not change to first order, the volume with p w'
    assert!((soft.tip[2] / stiff.tip[2] - 2.0).abs() < 1e-3, "{soft:?} {stiff:?}");
    let growth = |ratio: f64| ratio - 1.0;
    let fell = growth(soft.volume_ratio) / growth(stiff.volume_ratio);
    assert!((fell / 4.0 - 1.0).abs() < 0.02, "{fell}");
    // and theory itself does so
    let [a, b] = [5e5, 1e6].map(|young| linear_theory(Setup { young }));
    assert!((a[0] / b[0] - 2.0).abs() < 1e-12 && (growth(a[2]) / growth(b[2]) - 4.0).abs() < 1e-12);
}

#[test]
fn under_quadratic_strain_the_beam_keeps_its_length_at_any_stiffness() {
    use zhuang_fig_2_3::{Setup, measure};
    for young in [5e5, 1e6] {
        let beam = measure("st-venant", Setup { young }).unwrap();
        assert!((beam.length_ratio - 1.0).abs() < 0.03 && (beam.volume_ratio - 1.0).abs() < 0.03, "{beam:?}");
        assert!(beam.tip[0] < -0.05, "its end swings in: {beam:?}");
    }
}

#[test]
fn the_top_swells_with_the_square_of_the_twist_under_linear_strain_only() {
    use zhuang_fig_2_4::{Setup, measure, torsion};
    let [little, much] = [5.5, 11.0].map(|force| measure("linear", Setup { force }).unwrap());
    assert!((much.tangent / little.tangent - 2.0).abs() < 1e-3, "{little:?} {much:?}");
    let swelling = (much.area_ratio - 1.0) / (little.area_ratio - 1.0);
    assert!((swelling / 4.0 - 1.0).abs() < 0.01, "{swelling}");
    assert!((torsion(Setup { force: 11.0 }) / torsion(Setup { force: 5.5 }) - 2.0).abs() < 1e-12);
    let turned = measure("st-venant", Setup { force: 11.0 }).unwrap();
    assert!(turned.area_ratio - 1.0 < 0.2 * (much.area_ratio - 1.0), "{turned:?} {much:?}");
}

#[test]
fn cells_grow_with_the_cube_and_the_stable_step_shrinks_with_the_cell() {
    use zhuang_timing::{Setup, measure};
    let [coarse, fine] = [3, 6].map(|cells| measure(Setup { cells, steps: 20 }).unwrap());
    assert_eq!((coarse.elements, fine.elements), (27, 216));
    assert_eq!((coarse.timed, fine.timed), (20, 20));
    let ratio = coarse.stable_step / fine.stable_step;
    assert!((ratio - 2.0).abs() < 0.1, "{ratio}");
    assert!(fine.step_length <= fine.stable_step && fine.step_time > 0.0);
    assert_eq!(Setup::default().cells.pow(3), 1331);
}

#[test]
fn the_page_has_contents_and_counts_and_no_scale_that_means_nothing() {
    let made: Vec<_> = ["zhuang-fig-4.2", "warp-fig-1", "warp-fig-11"]
        .map(|id| FIGURES.iter().find(|figure| figure.id == id).unwrap().make().unwrap())
        .into();
    let folder = tempfile::tempdir().unwrap();
    write(&made, folder.path()).unwrap();
    let page = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
    for one in &made {
        assert!(page.contains(&format!("<a href=\"#{id}\">{id}</a>", id = one.id)), "{}", one.id);
        assert!(page.contains(&format!("<section id=\"{}\">", one.id)) && page.contains(one.source));
    }
    let total = made.iter().map(|one| one.entries.len()).sum::<usize>();
    let counts = Outcome::counts(made.iter().flat_map(|one| &one.entries));
    assert_eq!(counts.iter().sum::<usize>(), total);
    assert!(page.contains(&format!("Of {total} comparisons {}.", Outcome::counted(counts))));
    // meshes at rest have no change of volume to show
    assert!(!made[2].svg.contains("cell volume"));
    // all that is drawn is inside of the picture
    for one in &made {
        let heights = one.svg.split("viewBox=\"0 0 960 ").skip(1);
        let height: f64 = heights.map(|rest| rest.split('"').next().unwrap().parse::<f64>().unwrap()).sum();
        let drawn = |name: &str| -> Vec<f64> {
            let before = format!(" {name}=\"");
            let values = one.svg.split(before.as_str()).skip(1);
            values.map(|rest| rest.split('"').next().unwrap().parse().unwrap()).collect()
        };
        for (names, most) in [(["x1", "x2", "cx"], 960.0), (["y1", "y2", "cy"], height)] {
            let outside = |v: &f64| *v < 0.0 || *v > most;
            assert!(names.iter().flat_map(|name| drawn(name)).all(|v| !outside(&v)), "{}", one.id);
        }
    }
}

#[test]
fn every_figure_agrees_and_is_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    for figure in FIGURES {
        let made = figure.make().unwrap();
        assert_eq!(made.id, figure.id);
        assert!(
            made.source.contains("page")
                && (made.source.contains("section") || made.source.contains("chapter"))
        );
        assert!(made.svg.starts_with("<svg") && made.svg.ends_with("</svg>\n"));
        // times are of the machine, everything else is of the theory or has its reason
        let timed =
            ["zhuang-timing", "zhuang-table-4.2", "zhuang-fig-4.4", "zhuang-realtime", "warp-timings"]
                .contains(&figure.id);
        let sound = |e: &Entry| e.outcome != Outcome::Differs || e.verdict.starts_with("differs because");
        assert!(timed || made.entries.iter().all(sound), "{:#?}", made.entries);
        for table in &made.tables {
            assert!(table.rows.iter().all(|row| row.len() == table.columns.len()), "{}", table.caption);
        }
        let files = write(&[made], folder.path()).unwrap();
        assert!(files.iter().all(|file| std::fs::metadata(file).unwrap().len() > 100));
    }
}
