//! How much a page may say: a bucket of tokens that fills steadily and that each message takes one from.

use std::time::Instant;

/// Messages a second in the long run: a screen of 144 Hz acknowledges 125 frames and moves a hand 144 times.
const RATE: f64 = 480.0;

/// Messages at once: two seconds' worth.
const BURST: f64 = 2.0 * RATE;

/// What is left to say.
pub struct Bucket {
    tokens: f64,
    filled: Instant,
}

impl Bucket {
    /// A full one.
    pub fn full(now: Instant) -> Self {
        Self { tokens: BURST, filled: now }
    }

    /// Takes a token; false if there is none.
    pub fn take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.filled).as_secs_f64();
        self.tokens = (self.tokens + RATE * passed).min(BURST);
        self.filled = now;
        let enough = self.tokens >= 1.0;
        if enough {
            self.tokens -= 1.0;
        }
        enough
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_page_that_sends_400_a_second_is_never_refused() {
        let begin = Instant::now();
        let mut bucket = Bucket::full(begin);
        // 400 a second for a minute
        assert!((0..24_000).all(|i| bucket.take(begin + Duration::from_micros(2500) * i)));
    }

    #[test]
    fn a_burst_of_two_seconds_is_taken_and_no_more() {
        let begin = Instant::now();
        let mut bucket = Bucket::full(begin);
        assert_eq!((0..2000).filter(|_| bucket.take(begin)).count(), 960);
        // a second later there is room for a second's worth
        let later = begin + Duration::from_secs(1);
        assert_eq!((0..2000).filter(|_| bucket.take(later)).count(), 480);
    }

    #[test]
    fn twice_the_rate_is_refused_within_four_seconds() {
        let begin = Instant::now();
        let mut bucket = Bucket::full(begin);
        // 960 a second take 480 a second more than comes back: the burst of 960 lasts 2 s
        let refused = (0..).find(|&i| !bucket.take(begin + Duration::from_secs(1) / 960 * i)).unwrap();
        assert!((1800..2000).contains(&refused), "after {refused} messages");
    }
}
