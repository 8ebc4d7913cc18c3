//! Messages of a page to the viewer: JSON from whoever reaches the stream.
#![no_main]

// the program is no library
#[allow(dead_code)]
#[path = "../../crates/pliant-app/src/server/wire"]
mod wire {
    pub mod command;
}

use wire::command::{Message, Order, SPEEDS, parse};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(Message::Command(command)) = parse(text) else { return };
    // what gets through is safe to act on
    let near = |target: [f64; 3]| target.iter().all(|x| x.abs() <= 1e6);
    match command.order {
        Order::Speed(speed) => assert!((SPEEDS.0..=SPEEDS.1).contains(&speed)),
        Order::Move(target) => assert!(near(target)),
        Order::Grab(hold) => {
            assert!(near(hold.target) && hold.weights.iter().all(|weight| (0.0..=1.0).contains(weight)));
            assert!((hold.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
        _ => {}
    }
});
