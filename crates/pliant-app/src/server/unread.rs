//! Whoever holds a receiver of the simulation and never reads costs it nothing.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::wire::Field;
use super::{Live, gallery};

/// Long enough for a busy machine; nothing waits that long when all is well.
const PATIENCE: Duration = Duration::from_secs(60);

fn number(live: &Live) -> u32 {
    live.pictures().borrow().number()
}

/// Wall time of 40 published states, s: a third of a second where nothing else runs.
fn wall_time(live: &Live) -> f64 {
    let (begin, first) = (Instant::now(), number(live));
    while number(live) < first + 40 {
        assert!(begin.elapsed() < PATIENCE, "nothing is published any more");
        std::thread::sleep(Duration::from_millis(1));
    }
    begin.elapsed().as_secs_f64()
}

#[test]
fn receivers_that_never_read_do_not_slow_publishing() {
    let (gallery, _) = gallery(None).unwrap_or_else(|_| panic!("the gallery can be read"));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let live = Live::start(gallery, "hello_bar", pool).unwrap();
    let begin = Instant::now();
    while number(&live) == 0 {
        assert!(begin.elapsed() < PATIENCE, "nothing is published");
        std::thread::sleep(Duration::from_millis(1));
    }
    // time begins with the first look
    live.pictures().borrow().bytes(Field::None);
    wall_time(&live);
    let mut ratios = Vec::new();
    // twice the slower time without them, once in three times: others compete for the processor
    while !ratios.iter().any(|ratio| *ratio < 2.0) {
        assert!(
            ratios.len() < 3,
            "beside receivers that do not read a state takes {ratios:.1?} times as long"
        );
        let before = wall_time(&live);
        let receivers: Vec<_> = (0..64).map(|_| (live.pictures(), live.status())).collect();
        let taken: Vec<_> = receivers.iter().map(|(pictures, _)| Arc::clone(&pictures.borrow())).collect();
        let beside = wall_time(&live);
        // whoever looks again sees the newest
        let newest = number(&live);
        assert!(receivers[0].0.borrow().number() >= newest && taken[0].number() < newest);
        drop((receivers, taken));
        ratios.push(beside / before.max(wall_time(&live)));
    }
}
