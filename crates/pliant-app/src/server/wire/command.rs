//! Messages from a page: JSON, checked before anything acts on them.

use pliant_geometry::vector::norm;
use serde::Deserialize;

/// Slowest and fastest wanted speed.
pub const SPEEDS: (f64, f64) = (1.0 / 16.0, 4.0);

/// No target lies farther away, m.
const FARTHEST: f64 = 1e6;

/// No tool is smaller, m.
const SMALLEST: f64 = 1e-9;

/// The longest name of a scene, in bytes.
const LONGEST_NAME: usize = 256;

/// One message of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// A frame was drawn.
    Ack {
        /// Its number.
        frame: u32,
    },
    /// What to colour by.
    Field(Field),
    /// Whether to mark contacts.
    Contacts {
        /// They are to be seen.
        shown: bool,
    },
    /// Asks for control.
    Take,
    /// For the simulation; only the controller's count.
    Command(Command),
}

/// A scalar to colour by.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Field {
    /// No colours.
    #[default]
    None,
    /// Distance from the rest position, m.
    Displacement,
    /// Von Mises equivalent of the Cauchy stress, Pa.
    VonMises,
    /// Elastic energy per rest volume, J/m^3.
    EnergyDensity,
}

/// What a page wants to see beside the bodies themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The scalar to colour by.
    pub field: Field,
    /// Whether contacts are marked.
    pub contacts: bool,
}

impl From<Field> for Wanted {
    fn from(field: Field) -> Self {
        Self { field, contacts: false }
    }
}

/// An order to the simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// The page's count of its commands, echoed in frames.
    pub sequence: u32,
    /// What to do.
    pub order: Order,
}

/// What the controller may want.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// Shows another scene.
    Open {
        /// Its id in the gallery.
        scene: String,
    },
    /// Lets time run.
    Play,
    /// Stops it.
    Pause,
    /// One step.
    Step,
    /// Back to the beginning.
    Reset,
    /// How fast time should run.
    Speed(f64),
    /// Takes hold of a material point.
    Grab(Hold),
    /// Moves the hand, m.
    Move([f64; 3]),
    /// Lets go.
    Release,
    /// Takes up a tool.
    Tool(Placing),
    /// Leads it.
    Lead {
        /// Where its middle shall be, m.
        target: [f64; 3],
        /// Its radius, m.
        radius: f64,
    },
    /// Puts it away.
    PutAway,
}

/// A ball and where it begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Placing {
    /// Hash of the topology of the scene that it is meant for.
    pub topology: u64,
    /// Its middle, m, if nothing is in its way.
    pub place: [f64; 3],
    /// The way out otherwise, of length 1: towards the eye.
    pub towards: [f64; 3],
    /// Its radius, m.
    pub radius: f64,
}

/// A material point of the surface and where the hand is.
#[derive(Clone, Debug, PartialEq)]
pub struct Hold {
    /// Hash of the topology that the triangle belongs to.
    pub topology: u64,
    /// Its number.
    pub triangle: u32,
    /// Weights of its corners, which sum to one.
    pub weights: [f64; 3],
    /// The hand, m.
    pub target: [f64; 3],
}

/// Why a message is refused.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// It is no message of the protocol.
    #[error("a message that cannot be read: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// A number is out of its range.
    #[error("{what} is {value}, outside its range")]
    Range {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A hash is not 16 hex digits, or a name is too long.
    #[error("{0} is malformed")]
    Malformed(&'static str),
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
enum Spoken {
    Ack { frame: u32 },
    Field { field: Field },
    Contacts { shown: bool },
    Take {},
    Open { sequence: u32, scene: String },
    Play { sequence: u32 },
    Pause { sequence: u32 },
    Step { sequence: u32 },
    Reset { sequence: u32 },
    Speed { sequence: u32, factor: f64 },
    Grab { sequence: u32, topology: String, triangle: u32, weights: [f64; 3], target: [f64; 3] },
    Move { sequence: u32, target: [f64; 3] },
    Release { sequence: u32 },
    Tool { sequence: u32, topology: String, place: [f64; 3], towards: [f64; 3], radius: f64 },
    Lead { sequence: u32, target: [f64; 3], radius: f64 },
    PutAway { sequence: u32 },
}

/// Reads a message; every number in it is finite and in its range.
pub fn parse(text: &str) -> Result<Message, CommandError> {
    let spoken: Spoken = serde_json::from_str(text)?;
    let (sequence, order) = match spoken {
        Spoken::Ack { frame } => return Ok(Message::Ack { frame }),
        Spoken::Field { field } => return Ok(Message::Field(field)),
        Spoken::Contacts { shown } => return Ok(Message::Contacts { shown }),
        Spoken::Take {} => return Ok(Message::Take),
        Spoken::Open { scene, .. } if scene.len() > LONGEST_NAME => {
            return Err(CommandError::Malformed("the name of the scene"));
        }
        Spoken::Open { sequence, scene } => (sequence, Order::Open { scene }),
        Spoken::Play { sequence } => (sequence, Order::Play),
        Spoken::Pause { sequence } => (sequence, Order::Pause),
        Spoken::Step { sequence } => (sequence, Order::Step),
        Spoken::Reset { sequence } => (sequence, Order::Reset),
        Spoken::Speed { sequence, factor } => {
            (sequence, Order::Speed(within("the speed", factor, SPEEDS.0, SPEEDS.1)?))
        }
        Spoken::Grab { sequence, topology, triangle, weights, target } => {
            let topology = hash(&topology)?;
            (
                sequence,
                Order::Grab(Hold { topology, triangle, weights: convex(weights)?, target: place(target)? }),
            )
        }
        Spoken::Move { sequence, target } => (sequence, Order::Move(place(target)?)),
        Spoken::Release { sequence } => (sequence, Order::Release),
        Spoken::Tool { sequence, topology, place: at, towards, radius } => {
            let (topology, place) = (hash(&topology)?, place(at)?);
            let (towards, radius) = (direction(towards)?, of_tool(radius)?);
            (sequence, Order::Tool(Placing { topology, place, towards, radius }))
        }
        Spoken::Lead { sequence, target, radius } => {
            (sequence, Order::Lead { target: place(target)?, radius: of_tool(radius)? })
        }
        Spoken::PutAway { sequence } => (sequence, Order::PutAway),
    };
    Ok(Message::Command(Command { sequence, order }))
}

/// A hash as it is written: 16 hex digits.
pub fn hash(text: &str) -> Result<u64, CommandError> {
    let digits = text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
    let value = digits.then(|| u64::from_str_radix(text, 16).ok()).flatten();
    value.ok_or(CommandError::Malformed("the topology"))
}

fn within(what: &'static str, value: f64, low: f64, high: f64) -> Result<f64, CommandError> {
    // not a number is in no range
    if (low..=high).contains(&value) { Ok(value) } else { Err(CommandError::Range { what, value }) }
}

fn place(target: [f64; 3]) -> Result<[f64; 3], CommandError> {
    target.iter().try_for_each(|&x| within("a target", x, -FARTHEST, FARTHEST).map(|_| ()))?;
    Ok(target)
}

/// The same direction, of length 1.
fn direction(towards: [f64; 3]) -> Result<[f64; 3], CommandError> {
    place(towards)?;
    let length = within("the length of a direction", norm(towards), 1e-6, 2.0 * FARTHEST)?;
    Ok(towards.map(|x| x / length))
}

fn of_tool(radius: f64) -> Result<f64, CommandError> {
    within("the radius of a tool", radius, SMALLEST, FARTHEST)
}

/// Weights between 0 and 1 whose sum, with a page's rounding taken out, is one.
fn convex(weights: [f64; 3]) -> Result<[f64; 3], CommandError> {
    weights.iter().try_for_each(|&w| within("a weight", w, -1e-3, 1.001).map(|_| ()))?;
    let weights = weights.map(|w| w.clamp(0.0, 1.0));
    let sum = within("the sum of the weights", weights.iter().sum(), 0.99, 1.01)?;
    Ok(weights.map(|w| w / sum))
}

#[cfg(test)]
mod tests;
