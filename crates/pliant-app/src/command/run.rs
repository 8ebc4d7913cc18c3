//! `pliant run`: a scene, headless.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use pliant_scene::{
    CompileOptions, Compiled, LoadedScene, compile, counted, read_text, replace_file, shown_length,
};
use pliant_solid::integrator::StepError;

use super::scene_word::read_scene;
use super::{json_text, thread_pool};
use crate::cli::Run;
use crate::memory;
use crate::report::{self, Failure};
use crate::run::{Ending, Expectation, FolderUse, Outcome, RunLoop, Summary, help};

/// Runs a scene to its end.
pub fn run(options: &Run) -> Result<(), Failure> {
    let pool = thread_pool(&options.machine)?;
    pool.install(|| run_in_pool(options))
}

fn run_in_pool(options: &Run) -> Result<(), Failure> {
    let loaded = read_scene(&options.scene)?;
    let memory = if options.force { None } else { memory::available() };
    let compiled = compile(&loaded, CompileOptions { force: options.force, memory })?;
    let warnings: Vec<String> = compiled.warnings.iter().map(|w| w.line(&loaded.source)).collect();
    if !options.machine.quiet {
        warnings.iter().for_each(|w| report::warning(w));
    }
    let expectation = Expectation::of(&loaded, &compiled);
    if !options.force {
        expectation.bearable(&loaded)?;
    }
    let world = compiled.world().map_err(|refusal| Failure::Input(refusal.to_string()))?;
    let name = scene_name(&options.scene);
    let onto = FolderUse { resume: options.resume, overwrite: options.overwrite };
    let mut run_loop =
        RunLoop::open(&compiled, world, &options.output, &name, onto).map_err(Failure::Input)?;
    if let Some(replaced) = run_loop.replaced.as_ref().filter(|_| !options.machine.quiet) {
        report::note(replaced);
    }
    if options.resume && run_loop.is_finished() {
        return already_finished(options, &run_loop);
    }
    if !options.machine.quiet && !options.machine.json {
        expectation.line().iter().for_each(|line| report::line(line));
    }
    let stop = stop_on_interrupt()?;
    let bar = progress_bar(options.machine.quiet || options.machine.json, &compiled);
    let begin = run_loop.world().state().time;
    let outcome = run_loop.run(&stop, |time| show(&bar, time, &rate(&bar, time, begin)));
    bar.finish_and_clear();
    let outcome = outcome.map_err(Failure::Ran)?;
    let (mut warnings, mut doubts) = (warnings, Vec::new());
    if matches!(outcome, Outcome::Done | Outcome::Stopped) {
        doubts = run_loop.doubts();
        // what cannot be trusted anyway need not be run again
        if matches!(outcome, Outcome::Done) && doubts.is_empty() {
            if !options.machine.quiet && run_loop.may_lose_motion(&loaded) {
                report::note(
                    "the step may be too long for the motion: the run is repeated with others, to compare their ends (Ctrl-C skips that)",
                );
            }
            doubts.extend(run_loop.lost_motion(&loaded, &stop));
        }
        let remarks = run_loop.remarks().into_iter().map(|remark| format!("warning: {remark}"));
        let first = warnings.len();
        warnings.extend(remarks);
        if !options.machine.quiet {
            warnings[first..].iter().for_each(|w| report::warning(w));
        }
    }
    let fails = !doubts.is_empty() && !options.force && matches!(outcome, Outcome::Done);
    if !fails && !options.machine.quiet {
        doubts
            .iter()
            .for_each(|doubt| report::warning(&format!("warning: do not trust this result: {doubt}")));
    }
    let scene = options.scene.display().to_string();
    let ending = Ending { outcome: &outcome, warnings, doubts: doubts.clone() };
    let summary = Summary::of(&scene, &loaded.scene.title, &compiled, &run_loop, ending);
    let text = json_text(&summary)?;
    let file = options.output.join("summary.json");
    replace_file(&file, |out| std::io::Write::write_all(out, format!("{text}\n").as_bytes()))
        .map_err(|e| Failure::Ran(e.to_string()))?;
    if options.machine.json {
        report::line(&text);
    } else {
        closing_lines(options, &loaded, &run_loop, &summary, &outcome);
    }
    match outcome {
        Outcome::Done if fails => Err(Failure::Ran(doubtful(&doubts))),
        Outcome::Done => Ok(()),
        Outcome::Stopped => Err(Failure::Stopped),
        Outcome::Diverged(error) => Err(Failure::Ran(failure(&error, &compiled))),
        Outcome::NotFinite(what) => Err(Failure::Ran(format!(
            "{what}: the run ends here, and nothing of that state was written\nhelp: values of the scene are far too large or too small (a \
             size, velocity, load, stress or stiffness); `pliant check` names some that look wrong"
        ))),
    }
}

/// Why a result is not to be trusted, and how to get it all the same.
fn doubtful(doubts: &[String]) -> String {
    let reasons: String = doubts.iter().map(|doubt| format!("\n  - {doubt}")).collect();
    format!(
        "the run came to its end, but do not trust its result:{reasons}\nhelp: the files are complete and summary.json has the status `doubtful`; \
         --force ends such a run with exit code 0"
    )
}

/// Says so, and leaves everything as it is.
fn already_finished(options: &Run, run_loop: &RunLoop) -> Result<(), Failure> {
    let time = run_loop.world().state().time;
    let file = options.output.join("summary.json");
    let text = read_text(&file);
    let told: serde_json::Value =
        text.as_ref().ok().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    if options.machine.json {
        let text = text.map_err(|e| {
            Failure::Input(format!("{}: {e}; run without --resume to start anew", file.display()))
        })?;
        report::line(text.trim_end());
    } else {
        let more = match run_loop.world().integrator().traits().is_static() {
            true => "",
            false => "; with step = \"auto\" a longer `duration` lets it go on",
        };
        report::line(&format!("{}: this run is finished (t = {time} s){more}", options.output.display()));
    }
    if told["status"] == "doubtful" && !options.force {
        let doubts = told["doubts"].as_array().into_iter().flatten().filter_map(|d| d.as_str());
        return Err(Failure::Ran(doubtful(&doubts.map(str::to_string).collect::<Vec<_>>())));
    }
    Ok(())
}

/// The scene file's name without its ending.
fn scene_name(path: &Path) -> String {
    path.file_stem().map_or("scene".into(), |stem| stem.to_string_lossy().into_owned())
}

/// Ctrl-C asks the loop to end after the step.
fn stop_on_interrupt() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))
        .map_err(|e| Failure::Ran(format!("Ctrl-C cannot be caught: {e}")))?;
    Ok(stop)
}

/// Micro-units of simulated time, so that the bar moves smoothly.
const TICKS: f64 = 1e6;

fn progress_bar(hidden: bool, compiled: &Compiled) -> ProgressBar {
    if hidden {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new((compiled.duration * TICKS) as u64);
    let style = ProgressStyle::with_template("{bar:32} {percent:>3} %  {msg}  {eta} left");
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar
}

/// How fast simulated time has run since this program began.
fn rate(bar: &ProgressBar, time: f64, begin: f64) -> String {
    format!("t = {time:.3} s, {:.2} x real time", (time - begin) / bar.elapsed().as_secs_f64().max(1e-9))
}

fn show(bar: &ProgressBar, time: f64, message: &str) {
    bar.set_position((time * TICKS) as u64);
    bar.set_message(message.to_string());
}

fn closing_lines(
    options: &Run,
    loaded: &LoadedScene,
    run_loop: &RunLoop,
    summary: &Summary,
    outcome: &Outcome,
) {
    let energy = run_loop.world().energy();
    let title =
        if loaded.scene.title.is_empty() { scene_name(&options.scene) } else { loaded.scene.title.clone() };
    // a terminal must not take a title for a command
    let title: String = title.chars().filter(|c| !c.is_control()).collect();
    report::line(&format!("{title}: {}", summary.status));
    report::line(&pace_line(run_loop, summary));
    effort_line(run_loop).into_iter().chain(run_loop.rungs.line()).for_each(|line| report::line(&line));
    report::line(&match run_loop.is_static() {
        // work along load steps is as coarse as they are: no balance to be judged
        true => format!("  energy: elastic {:.4e}, gravity {:.4e} J", energy.elastic, energy.gravity),
        false => format!(
            "  energy: kinetic {:.4e}, elastic {:.4e}, gravity {:.4e}, dissipated {:.4e}, work {:.4e}; drift of the total {:.1e} J",
            energy.kinetic,
            energy.elastic,
            energy.gravity,
            energy.dissipated,
            energy.work,
            run_loop.drift()
        ),
    });
    contact_line(run_loop).iter().for_each(|line| report::line(line));
    inside_out_lines(run_loop).iter().for_each(|line| report::line(line));
    for reason in run_loop.frozen_because() {
        report::line(&format!("  frozen: {reason}"));
    }
    report::line(&format!("  results in {}", options.output.display()));
    if matches!(outcome, Outcome::Stopped) {
        report::line("  stopped; the same command with --resume goes on from here");
    }
}

/// What touches at the end, and how deep anything ever was.
fn contact_line(run_loop: &RunLoop) -> Option<String> {
    let world = run_loop.world();
    (!world.model().colliders().is_empty()).then(|| {
        format!(
            "  contact: {} at the end; deepest penetration {}; energy given or lost {:.4e} J",
            counted(world.contacts().count(), "point touches", "points touch"),
            shown_length(world.deepest_penetration()),
            world.energy().contact
        )
    })
}

/// The most elements that were inside out at once, body by body.
fn inside_out_lines(run_loop: &RunLoop) -> Vec<String> {
    let bodies = run_loop.world().model().layout().bodies().iter().enumerate();
    let line = |(index, body): (usize, &pliant_solid::Body)| {
        let (most, at) = run_loop.trust().most_inverted(index);
        let (name, all) = (&body.name, body.mesh.cell_count());
        (most > 0)
            .then(|| format!("  inside out: at most {most} of {all} elements of `{name}`, at t = {at:.4} s"))
    };
    bodies.filter_map(line).collect()
}

/// How far the run came, and how fast.
fn pace_line(run_loop: &RunLoop, summary: &Summary) -> String {
    let (state, wall) = (run_loop.world().state(), run_loop.wall().as_secs_f64());
    match run_loop.effort.load_factor {
        Some(load) if run_loop.is_static() => {
            format!(
                "  {:.2} % of the load in {}, {wall:.2} s",
                100.0 * load,
                counted(state.step as usize, "load step", "load steps")
            )
        }
        _ => format!(
            "  {:.4} s simulated in {wall:.2} s ({:.2} x real time), {}, last step {:.4} ms",
            state.time,
            summary.real_time_factor,
            counted(state.step as usize, "step", "steps"),
            1e3 * state.solver.dt
        ),
    }
}

/// What the solution of equations cost, if any were solved.
fn effort_line(run_loop: &RunLoop) -> Option<String> {
    let effort = run_loop.effort;
    // one factor a step is no iteration
    let once_by_factor = !effort.by_gradients && !effort.by_newton;
    if effort.steps > 0 && once_by_factor {
        return Some(format!("  one solution a step, by a factor; {}", halvings(effort.halvings)));
    }
    (effort.steps > 0).then(|| {
        let solver = if effort.by_gradients { "gradients" } else { "Newton" };
        format!(
            "  {solver}: {:.2} iterations a step, at most {}; largest relative residual {:.1e}; {}",
            effort.iterations as f64 / effort.steps as f64,
            effort.most_iterations,
            effort.worst_residual,
            halvings(effort.halvings)
        )
    })
}

fn halvings(count: u64) -> String {
    counted(count as usize, "halving", "halvings")
}

/// What exploded, where, when, and what to change.
fn failure(error: &StepError, compiled: &Compiled) -> String {
    let help = help(error, &compiled.model, compiled.integrator());
    let kept = if error.load.is_some() { "sound equilibrium" } else { "finite state" };
    format!(
        "{error}\nhelp: {help}\nThe last {kept} is in the output folder: the last frame, the last rows of the tables, the snapshot."
    )
}
