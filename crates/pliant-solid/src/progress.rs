//! Whether steps still lead to the end of a run.
//!
//! A body that is crushed to nothing, or equations that are solved for ever shorter steps only, keep a run busy without an end. Steps may become short for a while:
//! what counts is how short, compared with the longest of the run, and for how many steps on end.

/// By what factor steps are shorter than the longest one, and how many such steps in a row are borne.
const SLOW: [(f64, u32); 2] = [(1e8, 100), (1e5, 20_000)];
/// No run that ends after so many steps more is given up.
const BEARABLE: f64 = 1e7;
/// Nobody was told beforehand how many automatic implicit steps there would be: with so many left at each of so many in a row the run is given up.
const UNTOLD: (f64, u32) = (1e8, 20_000);

/// Watches the lengths of steps; no part of the state, which it does not change.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress {
    longest: f64,
    slow: [u32; SLOW.len()],
    untold: u32,
}

impl Progress {
    /// As [`Self::note`], of a step whose length nobody could tell before the run.
    pub fn note_untold(&mut self, dt: f64, left: Option<f64>) -> Option<f64> {
        let (most, in_a_row) = UNTOLD;
        let steps = left? / dt;
        self.untold = if steps > most { self.untold + 1 } else { 0 };
        self.note(dt, left).or((self.untold > in_a_row).then_some(steps))
    }

    /// Takes a step into account; gives how many more of it there would be up to `left`, where that is no progress.
    pub fn note(&mut self, dt: f64, left: Option<f64>) -> Option<f64> {
        self.longest = self.longest.max(dt);
        let steps = left? / dt;
        let mut stuck = false;
        for ((factor, most), slow) in SLOW.into_iter().zip(&mut self.slow) {
            let is_slow = dt > 0.0 && self.longest > factor * dt && steps > BEARABLE;
            *slow = if is_slow || dt <= 0.0 { *slow + 1 } else { 0 };
            stuck |= *slow > most;
        }
        stuck.then_some(steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps until progress is denied, at most `most`.
    fn given_up_after(lengths: impl Fn(u32) -> f64, most: u32) -> Option<u32> {
        let (mut progress, mut time) = (Progress::default(), 0.0);
        (0..most).find(|step| {
            let dt = lengths(*step);
            time += dt;
            progress.note(dt, Some(1.0 - time)).is_some()
        })
    }

    #[test]
    fn steps_that_shrink_without_end_are_noticed_and_short_spells_are_not() {
        // halving: a hundred-millionth is reached after 27 steps
        let halving = |step: u32| 1e-3 * 0.5_f64.powi(step.min(1000) as i32);
        let found = given_up_after(halving, 1000).expect("it never ends");
        assert!((100..200).contains(&found), "{found}");
        assert_eq!(given_up_after(|step| if step < 100 { 1e-3 } else { 1e-9 }, 30_000), Some(20_100));
        // a spell of steps a million times shorter, and a run whose steps are short from the start
        assert_eq!(
            given_up_after(|step| if (10..15_000).contains(&step) { 1e-9 } else { 1e-4 }, 20_000),
            None
        );
        assert_eq!(given_up_after(|_| 1e-12, 30_000), None);
        // steps that nobody knew of
        let mut progress = Progress::default();
        let told = (0..30_000).find(|_| progress.note_untold(1e-9, Some(1.0)).is_some());
        assert_eq!(told, Some(20_000));
        let mut progress = Progress::default();
        assert!((0..30_000).all(|_| progress.note_untold(1e-7, Some(1.0)).is_none()));
        // without an end there is nothing to come to
        assert_eq!(Progress::default().note(1e-20, None), None);
    }
}
