//! Steps of Pliant and of rapier3d on the same meshes, in one process and on one thread, in turn. See `README.md`.

mod bar;
mod contender;
mod measure;
mod ours;
mod rapier;

use anyhow::{Context, Result, bail};

use bar::{BARS, Bar, REFERENCE_TIP};
use measure::{Figures, Row, row};
use ours::{WORDS, Words};

const USAGE: &str =
    "bar450 | bar765 | bar12k | bar97k ... [--method M] [--law L] [--integrator LINES] [--json]";

/// What the command line asks for.
struct Options {
    bars: Vec<Bar>,
    method: String,
    law: String,
    more: String,
    json: bool,
}

fn main() -> Result<()> {
    let options = options(std::env::args().skip(1))?;
    rayon::ThreadPoolBuilder::new().num_threads(1).build()?.install(|| compare(&options))
}

fn options(mut arguments: impl Iterator<Item = String>) -> Result<Options> {
    let [method, law, more] = [WORDS.method, WORDS.law, WORDS.more].map(str::to_owned);
    let mut out = Options { bars: Vec::new(), method, law, more, json: false };
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().with_context(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--json" => out.json = true,
            "--method" => out.method = value()?,
            "--law" => out.law = value()?,
            "--integrator" => out.more = value()?,
            name => match BARS.iter().find(|bar| bar.name == name) {
                Some(bar) => out.bars.push(*bar),
                None => bail!("`{name}` is neither a bar nor an option: {USAGE}"),
            },
        }
    }
    if out.bars.is_empty() {
        out.bars = BARS.to_vec();
    }
    Ok(out)
}

fn compare(options: &Options) -> Result<()> {
    let words = Words { method: &options.method, law: &options.law, more: &options.more };
    let mut rows = Vec::new();
    if !options.json {
        println!("pliant: {}, {}; ms a step, one thread each; tips after 0.3 s, m", words.method, words.law);
        println!("{}", heading());
    }
    for bar in &options.bars {
        for &young in bar.youngs {
            let row = row(bar, young, words)?;
            if !options.json {
                print(bar, &row);
            }
            rows.push(row);
        }
    }
    if options.json {
        let report = serde_json::json!({ "method": words.method, "law": words.law, "bars": rows });
        println!("{}", serde_json::to_string_pretty(&report)?);
    }
    Ok(())
}

fn heading() -> String {
    format!(
        "{:>7} {:>6} | {:>9} {:>5} {:>9} | {:>9} {:>6} {:>9} | {:>13} {:>6} {:>9}",
        "bar", "E", "pliant", "iter", "tip", "rapier", "ratio", "tip", "as it comes", "ratio", "tip"
    )
}

fn print(bar: &Bar, row: &Row) {
    let [ours, converged, default] = &row.contenders[..] else { return };
    println!(
        "{:>7} {:>6.0e} | {} {} {} | {} {} {} | {} {} {}",
        row.bar,
        row.young_pa,
        number(ours.ms_a_step, 9, 3),
        number(ours.iterations_a_step, 5, 2),
        number(ours.tip_m, 9, 5),
        number(converged.ms_a_step, 9, 3),
        number(ratio(ours, converged), 6, 2),
        number(converged.tip_m, 9, 5),
        number(default.ms_a_step, 13, 3),
        number(ratio(ours, default), 6, 2),
        number(default.tip_m, 9, 5),
    );
    for figures in &row.contenders {
        if let Some(failure) = &figures.failure {
            println!("        {} failed at {failure}", figures.contender);
        }
        if let Some(tip) = figures.tip_m.filter(|_| bar.has_reference(row.young_pa)) {
            let off = 100.0 * (tip / REFERENCE_TIP - 1.0);
            println!("        tip of {}: {off:+.3} % of {REFERENCE_TIP} m", figures.contender);
        }
    }
}

/// How many times as long ours takes.
fn ratio(ours: &Figures, other: &Figures) -> Option<f64> {
    Some(ours.ms_a_step? / other.ms_a_step?)
}

fn number(value: Option<f64>, width: usize, digits: usize) -> String {
    value.map_or_else(|| format!("{:>width$}", "-"), |value| format!("{value:width$.digits$}"))
}
