//! The parser's complaints in the words of a scene: key, table, value and the way out.

use super::path::{self, Segment};
use crate::diagnostic::Problem;
use crate::nearest::nearest;
use std::ops::Range;
use toml::de::Error;

/// What to write for a key that is missing.
const EXAMPLES: &[(&str, &str)] = &[
    ("duration", "duration = \"2 s\""),
    ("law", "law = \"st-venant\""),
    ("young", "young = \"100 kPa\""),
    ("poisson", "poisson = 0.33"),
    ("density", "density = \"1000 kg/m^3\""),
    ("material", "material = \"NAME\" with a [material.NAME]"),
    ("mesh", "mesh = { shape = \"box\", size = [1, 0.3, 0.3], cells = [10, 3, 3] }"),
    ("where", "where = \"all\" or where = { box = { min = [...], max = [...] } }"),
    ("body", "body = \"NAME\" of a [body.NAME]"),
    ("at", "at = [x, y, z]"),
    ("name", "name = \"tip\""),
    ("path", "path = [[\"0 s\", [x, y, z]], [\"1 s\", [x, y, z]]]"),
    ("axis", "axis = [0, 0, 1]"),
    ("angle", "angle = \"90 deg\""),
    ("center", "center = [x, y, z]"),
    ("frequency", "frequency = \"2 Hz\""),
    ("amplitude", "amplitude = [0, 0, \"1 cm\"]"),
    ("shape", "shape = \"plane\" with `point` and `normal`, or \"sphere\", \"capsule\", \"box\", \"mesh\""),
    ("normal", "normal = [0, 0, 1]"),
    ("point", "point = [x, y, z]"),
    ("radius", "radius = \"1 cm\""),
    ("min", "min = [x, y, z]"),
    ("max", "max = [x, y, z]"),
];

/// Tables of which there may be many.
const LISTS: [&str; 8] = ["probe", "grab", "collider", "fix", "load", "initial", "bone", "attach"];

/// A complaint, and what to leave out so that reading can go on to find more.
pub(super) struct Complaint {
    pub problem: Problem,
    /// Entry without which the file may be read further.
    pub remove: Vec<Segment>,
    pub kind: Kind,
}

/// What sort of complaint it is.
pub(super) enum Kind {
    /// A key that does not exist, and the known one that was probably meant.
    UnknownKey {
        meant: Option<String>,
    },
    MissingKey {
        table: Vec<Segment>,
        key: String,
    },
    BadValue {
        path: Vec<Segment>,
    },
}

/// Puts an error of the deserializer into words, given where it is.
pub(super) fn complaint(error: &Error, (span, path): (Range<usize>, Vec<Segment>)) -> Complaint {
    let message = error.message().trim();
    let (kind, text, help) = if let Some((key, known)) = quoted_after(message, "unknown field ") {
        unknown_key(&key, &known, &path)
    } else if let Some((value, known)) = quoted_after(message, "unknown variant ") {
        let text = format!("{} is \"{value}\", which is not known", place(&path));
        (Kind::BadValue { path: path.clone() }, text, suggest(&value, &known, "known are"))
    } else if let Some((key, _)) = quoted_after(message, "missing field ") {
        missing_key(key, &path)
    } else {
        let key = last_key(&path).map_or_else(|| "the scene".to_owned(), |key| format!("`{key}`"));
        let message = message.replace("; this needs ", &format!("; {key} needs "));
        // what types are called here is nobody's business
        let message = message
            .replace("expected struct MeshTable", "expected a table")
            .replace("expected struct Damping", "expected a table");
        let text = format!("{}: {message}", place(&path));
        (Kind::BadValue { path: path.clone() }, text, other_form(error.message().trim(), &path))
    };
    let remove = match kind {
        Kind::UnknownKey { .. } => path,
        Kind::MissingKey { .. } => entity(&path).to_vec(),
        Kind::BadValue { .. } => {
            let up_to_key =
                path.iter().rposition(|segment| matches!(segment, Segment::Key(_))).map_or(0, |at| at + 1);
            path[..up_to_key.max(entity(&path).len())].to_vec()
        }
    };
    Complaint { problem: Problem::new(span, text).help(help), remove, kind }
}

fn unknown_key(key: &str, known: &[String], path: &[Segment]) -> (Kind, String, String) {
    let table = path.split_last().and_then(|(_, table)| path::bracketed(table));
    let text = match table {
        Some(table) => format!("unknown key `{key}` in {table}"),
        None => format!("unknown key `{key}` at the top level"),
    };
    let meant = nearest(key, known.iter().map(String::as_str)).map(str::to_owned);
    (Kind::UnknownKey { meant }, text, suggest(key, known, "known keys are"))
}

fn missing_key(key: String, path: &[Segment]) -> (Kind, String, String) {
    let text = match path::bracketed(path) {
        Some(table) => format!("missing key `{key}` in {table}"),
        None => format!("missing key `{key}` at the top level"),
    };
    let example = EXAMPLES.iter().find(|(name, _)| *name == key);
    let help = example.map(|(_, example)| format!("add {example}")).unwrap_or_default();
    (Kind::MissingKey { table: path.to_vec(), key }, text, help)
}

/// How to write a value that has another form.
fn other_form(message: &str, path: &[Segment]) -> String {
    let key = last_key(path).unwrap_or_default();
    let one_table = message.starts_with("invalid type: map, expected a sequence");
    if one_table && matches!(path.last(), Some(Segment::Key(_))) && LISTS.contains(&key) {
        let table = path::bracketed(path).unwrap_or_default();
        return format!("there may be many: write [{table}], in double brackets");
    }
    if key == "mesh" && message.contains("MeshTable") {
        return "write mesh = { file = \"body.msh\" }, or mesh = { shape = \"box\", ... }".to_owned();
    }
    if ["force", "traction", "move", "velocity"].contains(&key) && message.contains("array of length 3") {
        return format!("write three numbers, one along each axis: {key} = [0, 0, -1]");
    }
    if key == "damping" && message.contains("Damping") {
        return "write damping = { mass = \"0.5 1/s\" } or damping = { stiffness = \"1 ms\" }".to_owned();
    }
    String::new()
}

fn suggest(word: &str, known: &[String], introduction: &str) -> String {
    match nearest(word, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "remove it".to_owned(),
        None => {
            let list: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
            format!("{introduction} {}", list.join(", "))
        }
    }
}

/// `` `young` in [material.rubber] ``, with the item of an array.
fn place(path: &[Segment]) -> String {
    let keys = path.iter().rposition(|segment| matches!(segment, Segment::Key(_)));
    let Some((at, Segment::Key(key))) = keys.map(|at| (at, &path[at])) else { return "the scene".to_owned() };
    // the line tells which fix, load, ... is meant
    let items: Vec<String> = path[(at + 1).max(entity(path).len())..]
        .iter()
        .filter_map(|segment| match segment {
            Segment::Index(index) => Some(format!(" item {}", index + 1)),
            Segment::Key(_) => None,
        })
        .collect();
    let items = items.join(",");
    match path::bracketed(&path[..at]) {
        Some(table) => format!("`{key}`{items} in {table}"),
        None => format!("`{key}`{items}"),
    }
}

fn last_key(path: &[Segment]) -> Option<&str> {
    path.iter().rev().find_map(|segment| match segment {
        Segment::Key(key) => Some(key.as_str()),
        Segment::Index(_) => None,
    })
}

/// The material, body, fix, ... around a path: what can be left out without leaving a hole.
fn entity(path: &[Segment]) -> &[Segment] {
    let length = match path {
        [Segment::Key(top), Segment::Key(_), Segment::Key(list), Segment::Index(_), ..]
            if top == "body" && matches!(list.as_str(), "fix" | "load" | "initial") =>
        {
            4
        }
        [Segment::Key(top), Segment::Key(_), ..] if top == "material" || top == "body" => 2,
        [Segment::Key(top), Segment::Index(_), ..]
            if ["grab", "probe", "collider"].contains(&top.as_str()) =>
        {
            2
        }
        _ => 1,
    };
    &path[..length.min(path.len())]
}

/// The first word in backticks after `start`, and all later ones.
fn quoted_after(message: &str, start: &str) -> Option<(String, Vec<String>)> {
    let mut words = message.strip_prefix(start)?.split('`').skip(1).step_by(2).map(str::to_owned);
    Some((words.next()?, words.collect()))
}
