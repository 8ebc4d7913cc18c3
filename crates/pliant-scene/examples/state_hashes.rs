//! Hashes of the state in which scenes end, to see whether a change of the code moved a bit:
//! `cargo run --example state_hashes -p pliant-scene -- scenes/*.toml bench/*.toml`.
//!
//! Each scene is run on one thread and on two, for at most so many steps as `--steps N` says, and once more for at most 200 with a live hand
//! that comes after ten steps and goes after a hundred, and a pin for a while. A line is printed for each: name, threads, steps, and
//! hashes of positions, velocities, accelerations, reactions and accounts.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use pliant_scene::{CompileOptions, Scene, compile};
use pliant_solid::World;
use pliant_solid::integrator::Inputs;
use pliant_solid::term::{Grab, GrabPath};

/// FNV-1a over the bits of numbers.
fn hash(numbers: &[f64]) -> u64 {
    let bytes = numbers.iter().flat_map(|x| x.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// What a user does in a run.
#[derive(Clone, Copy, PartialEq)]
enum Hands {
    Off,
    On,
}

/// A hand at the surface of the first body, pulled by half of its size.
fn hand(world: &World) -> Option<(Grab, u32)> {
    let (model, state) = (world.model(), world.state());
    let body = &model.layout().bodies()[0];
    let node = *body
        .world
        .iter()
        .max_by(|a, b| model.layout().rest_of(**a)[0].total_cmp(&model.layout().rest_of(**b)[0]))?;
    let mut grab = model.hand(0, &node.into(), &body.world, &state.holding)?;
    let from = model.layout().rest_of(node);
    let to = [from[0], from[1] + 0.2 * body.extent, from[2] + 0.5 * body.extent];
    grab.path = GrabPath::held_at(to);
    Some((grab, body.nodes.start))
}

fn line(path: &str, most: u64, hands: Hands) -> String {
    let loaded = Scene::read(path).unwrap();
    let compiled = compile(&loaded, CompileOptions { force: true, memory: None }).unwrap();
    let mut world = compiled.world().unwrap();
    let held = hand(&world).filter(|_| hands == Hands::On);
    let grabs: Vec<Grab> = held.iter().map(|(grab, _)| grab.clone()).collect();
    let pins: Vec<u32> = held.iter().map(|(_, pin)| *pin).collect();
    let mut ended = "end";
    while world.state().time < compiled.duration {
        let step = world.state().step;
        if step >= most {
            ended = "cut";
            break;
        }
        let inputs = Inputs {
            tools: &[],
            grabs: if (10..100).contains(&step) { &grabs } else { &[] },
            pins: if (30..60).contains(&step) { &pins } else { &[] },
            end: Some(compiled.duration),
        };
        if world.step(&inputs).is_err() {
            ended = "diverged";
            break;
        }
    }
    let (state, free) = (world.state(), 3 * world.model().layout().free_count());
    let accounts = [state.accounts.dissipated, state.accounts.work, state.accounts.passed_through];
    let parts = [&state.x[..free], &state.v[..free], &state.a[..free], &state.reactions, &accounts];
    let hashes = parts.map(|part| format!("{:016x}", hash(part))).join(" ");
    format!("{} {ended} {hashes}", state.step)
}

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let mut most = u64::MAX;
    if let Some(at) = words.iter().position(|word| word == "--steps") {
        most = words[at + 1].parse().unwrap();
        words.drain(at..at + 2);
    }
    for path in words {
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            println!("{path} {threads} {}", pool.install(|| line(&path, most, Hands::Off)));
            println!("{path} {threads} hand {}", pool.install(|| line(&path, most.min(200), Hands::On)));
        }
    }
}
