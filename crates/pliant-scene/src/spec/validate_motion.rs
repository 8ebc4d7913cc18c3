//! Checks of scripted motion, of whatever it moves.

use super::found::Found;
use super::{Method, Motion, TimedVector};
use std::ops::Range;

/// What a motion moves, in words.
pub(super) struct Mover {
    /// Such as "`fix` in [body.bar]".
    pub name: String,
    /// Where the scene says it.
    pub place: Range<usize>,
    /// Where it is before it moves, as a sentence.
    pub starts: &'static str,
}

pub(super) fn motion(motion: &Motion, mover: &Mover, method: Method, found: &mut Found) {
    match motion {
        Motion::Still => {}
        Motion::Carry { turn, over, .. } => {
            if !over.span().is_empty() {
                found.positive("over", over);
            } else if method != Method::Static {
                let key = if turn.is_some() { "turn" } else { "move" };
                let text = format!("{} has `{key}` without `over`, the time it takes", mover.name);
                found.add(mover.place.clone(), text, "add over = \"1 s\"");
            }
            if let Some(turn) = turn {
                found.direction("turn.axis", turn.axis.span(), &turn.axis);
            }
        }
        Motion::Sine(sine) => found.positive("frequency", &sine.frequency),
        Motion::Table(table) => {
            found.increasing("table", table);
            let moved = |entry: &TimedVector| entry.vector.iter().any(|c| c.si() != 0.0);
            if table.first().is_some_and(|entry| moved(entry) || entry.time.si() < 0.0) {
                let help = format!("{}: begin with [\"0 s\", [0, 0, 0]]", mover.starts);
                found.add(table.span(), "`table` does not begin at rest", help);
            }
        }
    }
}
