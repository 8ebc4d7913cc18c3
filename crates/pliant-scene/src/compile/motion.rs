//! Scripted motion of held nodes and of colliders.

use pliant_solid::{Motion, Spline, Turn};

use crate::spec;
use crate::units::si_array;

/// A motion as it is followed; `to_world` brings the centre of a turn into the world.
pub(super) fn compiled_motion(motion: &spec::Motion, to_world: impl Fn([f64; 3]) -> [f64; 3]) -> Motion {
    match motion {
        spec::Motion::Still => Motion::Still,
        spec::Motion::Carry { displacement, turn, over } => Motion::Carry {
            shift: si_array(displacement),
            turn: turn.as_ref().map(|turn| Turn {
                axis: si_array(&turn.axis),
                angle: turn.angle.si(),
                center: to_world(si_array(&turn.center)),
            }),
            over: over.si(),
        },
        spec::Motion::Sine(sine) => Motion::Sine {
            amplitude: si_array(&sine.amplitude),
            omega: std::f64::consts::TAU * sine.frequency.si(),
            phase: sine.phase.si(),
        },
        spec::Motion::Table(table) => {
            let times = table.iter().map(|row| row.time.si()).collect();
            let points = table.iter().map(|row| si_array(&row.vector)).collect();
            // the spec has checked that times increase
            Spline::through(times, points).map_or(Motion::Still, Motion::Table)
        }
    }
}
