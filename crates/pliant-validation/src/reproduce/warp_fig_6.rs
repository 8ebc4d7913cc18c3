//! [Warp Fig. 6]: the volume of a bar that falls, against time, by model.

use super::chart::{Curve, Plot, Scale, Stroke, plots};
use super::warp_bars::{Matter, Run, Setup, run};
use super::{Entry, Figure, Reproduction, per_cent};
use crate::CaseError;
use crate::verify::shown;

/// The id.
pub const FIGURE: Figure =
    Figure { id: "warp-fig-6", title: "volume of a bar of 450 tetrahedra that falls, by model", make };

/// What is drawn, in the order of the legend.
pub const MODELS: [Matter; 4] = [Matter::Linear, Matter::POLAR, Matter::Corotated, Matter::Nonlinear];
/// A bar that Green's strain bears, beside the paper's: ten times as stiff, Pa.
const STIFFER: f64 = 1e6;
/// How much a volume may change and still count as kept.
const KEPT: f64 = 0.05;

/// All models of one bar.
struct Bars {
    setup: Setup,
    runs: Vec<(Matter, Run)>,
}

fn bars(setup: Setup) -> Result<Bars, CaseError> {
    let runs: Result<Vec<_>, CaseError> = MODELS.into_iter().map(|m| Ok((m, run(m, setup)?))).collect();
    Ok(Bars { setup, runs: runs? })
}

/// The largest change of volume on the way, with its sign.
pub fn worst_change(run: &Run) -> f64 {
    let [low, high] = run.volumes();
    if high - 1.0 > 1.0 - low { high - 1.0 } else { low - 1.0 }
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let soft = bars(Setup::default())?;
    let stiff = bars(Setup { young: STIFFER, ..Setup::default() })?;
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Warp 2002, section 4.1, figure 6",
        claim: "The linear model grows under deformation; stiffness warping does not, as the non-linear model does not. The paper draws \
                curves without numbers.",
        setup: format!(
            "4 x 4 x 11 nodes, 450 tetrahedra, cells of 10 cm, E = {} kPa (and {} kPa), nu = 0.33, 1000 kg/m3, steps of {} ms, {} s; linear, \
             warped and corotated by one solution a step, nonlinear by Newton's method",
            shown(1e-3 * soft.setup.young, 3),
            shown(1e-3 * STIFFER, 4),
            shown(1e3 * soft.setup.step, 2),
            soft.setup.duration
        ),
        entries: entries(&soft, &stiff),
        tables: Vec::new(),
        differs: "The paper gives neither size, density nor damping. A bar 1 m long of 100 kPa is too soft for St. Venant-Kirchhoff, which \
                  gives way when it is pressed and lets elements turn inside out (other programs with that law lose 18 and 31 % of the volume \
                  after 3 s); ten times as stiff, all models but the linear one agree. Rotations of nodes are found by polar decomposition; \
                  what the paper's frames of edges do, `warp-variants` shows.",
        svg: plots(&[plot(&soft), plot(&stiff)]),
    })
}

fn entries(soft: &Bars, stiff: &Bars) -> Vec<Entry> {
    let mut all = Vec::new();
    for bars in [soft, stiff] {
        let young = format!("{} kPa", shown(1e-3 * bars.setup.young, 4));
        for (matter, run) in &bars.runs {
            let (change, inverted) = (worst_change(run), run.inverted());
            let quantity = format!("{}, {young}: volume, worst change", matter.name());
            let lost = format!("St. Venant-Kirchhoff gives way: {inverted} cells inside out");
            let (claim, found) = match matter {
                Matter::Linear if change > KEPT => ("grows", Ok("grows")),
                Matter::Linear => ("grows", Err("this bar hardly bends")),
                _ if change.abs() <= KEPT => ("does not grow", Ok("kept")),
                Matter::Nonlinear => ("does not grow", Err(lost.as_str())),
                _ => ("does not grow", Err("it is not kept")),
            };
            all.push(Entry::words(&quantity, claim, change, found));
        }
    }
    let nonlinear = &stiff.runs[3].1;
    for (matter, run) in &stiff.runs[1..3] {
        let pairs = run.course.iter().zip(&nonlinear.course);
        let worst = pairs.map(|(a, b)| a.volume / b.volume).fold(1.0, |worst: f64, ratio| {
            if (ratio - 1.0).abs() > (worst - 1.0).abs() { ratio } else { worst }
        });
        let quantity = format!("{} over nonlinear volume, 1000 kPa", matter.name());
        all.push(Entry::by_theory(&quantity, "as accurate", 1.0, 0.03, worst));
    }
    all
}

fn plot(bars: &Bars) -> Plot {
    let looks = [
        ("#c0392b", Stroke::Solid),
        ("#2a7fb8", Stroke::Solid),
        ("#7d5ba6", Stroke::Dashed),
        ("#2e8b57", Stroke::DashDot),
    ];
    let curve = |((matter, run), (color, stroke)): (&(Matter, Run), (&'static str, Stroke))| Curve {
        name: matter.name().into(),
        color,
        stroke,
        points: run.course.iter().map(|m| [m.time, m.volume]).collect(),
    };
    let grown = per_cent(1.0 + worst_change(&bars.runs[0].1));
    Plot {
        title: format!("volume, {} kPa (linear {grown})", shown(1e-3 * bars.setup.young, 4)),
        across: "s",
        scale: Scale::Linear,
        curves: bars.runs.iter().zip(looks).map(curve).collect(),
    }
}
