//! How long something takes. Only this file of the crate reads a clock.

use std::time::Instant;

use crate::CaseError;

/// The median time of some repetitions, s.
pub fn median_seconds(
    repetitions: usize,
    mut work: impl FnMut() -> Result<(), CaseError>,
) -> Result<f64, CaseError> {
    Ok(medians_in_turn(repetitions, &mut [()], |()| work())?[0])
}

/// The same for several things, one after the other in each round: what else the machine does hits them alike.
pub fn medians_in_turn<T>(
    repetitions: usize,
    things: &mut [T],
    mut work: impl FnMut(&mut T) -> Result<(), CaseError>,
) -> Result<Vec<f64>, CaseError> {
    let mut times = vec![Vec::with_capacity(repetitions); things.len()];
    for _ in 0..repetitions.max(1) {
        for (thing, times) in things.iter_mut().zip(&mut times) {
            let start = Instant::now();
            work(thing)?;
            times.push(start.elapsed().as_secs_f64());
        }
    }
    times.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
    Ok(times.iter().map(|times| times[times.len() / 2]).collect())
}
