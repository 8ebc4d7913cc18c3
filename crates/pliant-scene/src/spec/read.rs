//! From a file to a checked scene, finding as many faults in one go as can be told apart.

use super::path::{self, Segment};
use super::translate::{Complaint, Kind, complaint};
use super::{Scene, validate, wall};
use crate::diagnostic::{Problem, SceneError, Source};
use crate::input_file::read_at_most;
use crate::mesh_file;
use crate::nearest::nearest;
use serde::Deserialize;
use serde_spanned::Spanned;
use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::de::{DeTable, DeValue, Deserializer};

/// No more than this many faults are shown at once.
const MOST_PROBLEMS: usize = 20;

/// A scene is text that people write; a larger file is something else.
const MOST_BYTES: u64 = 64 << 20;

/// A scene, the text it came from, and where its relative paths start.
#[derive(Clone, Debug)]
pub struct LoadedScene {
    /// What the file says.
    pub scene: Scene,
    /// The file's text, for complaints of later stages.
    pub source: Arc<Source>,
    /// Folder of the scene file.
    pub folder: PathBuf,
}

impl Scene {
    /// Reads and checks a scene file.
    pub fn read(path: impl AsRef<Path>) -> Result<LoadedScene, SceneError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let bytes = read_at_most(path, MOST_BYTES).map_err(|error| cannot_read(path, &error))?;
        if mesh_file::begins_like_a_mesh(&bytes) {
            let problem = Problem::of_file("this is a mesh, not a scene").help(
                "a scene is a TOML file that names it: mesh = { file = ... }; `pliant check` examines meshes",
            );
            return Err(SceneError::new(&Source::new(&name, ""), vec![problem]));
        }
        let text = String::from_utf8(bytes).map_err(|error| not_utf8(&name, &error))?;
        let (scene, source) = Self::parse(&text, &name)?;
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        Ok(LoadedScene { scene, source, folder })
    }

    /// Checks a scene given as text; `name` stands for the file in messages.
    pub fn parse(text: &str, name: &str) -> Result<(Self, Arc<Source>), SceneError> {
        let source = Source::new(name, text);
        match faults(text) {
            Ok(scene) => Ok((scene, source)),
            Err(problems) => Err(SceneError::new(&source, problems)),
        }
    }
}

fn faults(text: &str) -> Result<Scene, Vec<Problem>> {
    let (mut table, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Err(errors.iter().take(MOST_PROBLEMS).map(|error| syntax(error, text)).collect());
    }
    if table.get_ref().is_empty() {
        let help = "a scene needs `duration`, a [material.NAME] and a [body.NAME]";
        return Err(vec![Problem::of_file("the scene is empty").help(help)]);
    }
    let mut problems = Vec::new();
    // faults leave keys out, and those are then missed by their tables
    let mut left_out: Vec<(Vec<Segment>, String)> = Vec::new();
    problems.extend(wall::refusals(table.get_ref(), text));
    table.get_mut().remove("wall");
    let strays = stray_bodies(table.get_ref());
    let mut complete = strays.is_empty();
    for (name, problem) in strays {
        problems.push(problem);
        path::remove(table.get_mut(), &[Segment::Key("body".into()), Segment::Key(name)]);
    }
    while problems.len() < MOST_PROBLEMS {
        let error = match Scene::deserialize(Deserializer::from(table.clone())) {
            Ok(scene) => {
                if complete {
                    problems.extend(validate::problems(&scene));
                }
                return if problems.is_empty() { Ok(scene) } else { Err(problems) };
            }
            Err(error) => error,
        };
        let Complaint { problem, remove, kind } = complaint(&error, place(&error, &table));
        let follows = match &kind {
            // an array of unknown tables complains once of the tables and once of the array
            Kind::UnknownKey { .. } => problems.iter().any(|p| p.span == problem.span),
            Kind::MissingKey { table, key } => {
                left_out.iter().any(|(owner, name)| owner == table && name == key)
            }
            Kind::BadValue { path } => left_out.iter().any(|(owner, _)| owner == path),
        };
        if !follows {
            problems.push(problem);
        }
        if !path::remove(table.get_mut(), &remove) {
            break;
        }
        complete &= matches!(kind, Kind::UnknownKey { .. });
        if let Some((Segment::Key(key), owner)) = remove.split_last() {
            let missed = match kind {
                Kind::UnknownKey { meant } => meant.unwrap_or_default(),
                _ => key.clone(),
            };
            left_out.push((owner.to_vec(), missed));
        }
    }
    Err(problems)
}

/// Bodies that are only held or loaded, and are nowhere made: the name of another one, misspelt.
fn stray_bodies(table: &DeTable<'_>) -> Vec<(String, Problem)> {
    let Some(DeValue::Table(bodies)) = table.get("body").map(Spanned::get_ref) else { return Vec::new() };
    let parts = ["fix", "load", "initial", "bone", "attach"];
    let is_stray = |body: &DeValue<'_>| match body {
        DeValue::Table(body) => {
            !body.is_empty() && body.keys().all(|key| parts.contains(&key.get_ref().as_ref()))
        }
        _ => false,
    };
    let (strays, made): (Vec<_>, Vec<_>) = bodies.iter().partition(|(_, body)| is_stray(body.get_ref()));
    let names: Vec<&str> = made.iter().map(|(name, _)| name.get_ref().as_ref()).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let said = |(name, _): (&Spanned<Cow<'_, str>>, _)| {
        let (stray, span) = (name.get_ref().to_string(), name.span());
        let help = match nearest(&stray, names.iter().copied()) {
            Some(near) => {
                format!("did you mean `{near}`? Otherwise add [body.{stray}] with `mesh` and `material`")
            }
            None => {
                format!("bodies are `{}`; add [body.{stray}] with `mesh` and `material`", names.join("`, `"))
            }
        };
        let message = format!("there is no body `{stray}`: nothing says what it is made of");
        (stray, Problem::new(span, message).help(help))
    };
    strays.into_iter().map(said).collect()
}

/// Where the parser met an error: its span, and the keys that lead there.
///
/// A fault of a whole item of an array (`[[body.NAME.fix]]`) is reported at the first item, whichever it is in; reading the
/// file with one item at a time tells.
fn place(error: &toml::de::Error, table: &Spanned<DeTable<'_>>) -> (Range<usize>, Vec<Segment>) {
    let span = error.span().unwrap_or(0..0);
    // a fault of the whole file has the empty span, which lies in whatever stands first
    if span.is_empty() {
        return (span, Vec::new());
    }
    let path = path::at(table.get_ref(), &span);
    let list = if let [list @ .., Segment::Index(_)] = &path[..] { list } else { &path[..] };
    let items = path::items(table.clone().get_mut(), list);
    let faulty = |index: &usize| {
        let mut alone = table.clone();
        path::keep_only(alone.get_mut(), list, *index);
        let other = Scene::deserialize(Deserializer::from(alone.clone())).err();
        other.is_some_and(|other| {
            let there = path::at(alone.get_ref(), &other.span().unwrap_or(0..0));
            other.message() == error.message() && there.starts_with(list)
        })
    };
    match (0..items.len()).find(faulty) {
        Some(index) if items.len() > 1 && path.len() <= list.len() + 1 => {
            (items[index].clone(), [list, &[Segment::Index(index)]].concat())
        }
        _ => (span, path),
    }
}

/// A fault of the TOML itself.
fn syntax(error: &toml::de::Error, text: &str) -> Problem {
    let span = error.span().unwrap_or(0..0);
    let before = text.get(..span.start).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = text[line_start..].lines().next().unwrap_or_default();
    let help = match line.split_once('=') {
        Some((_, value)) if unquoted_unit(value.trim()) => {
            "a value with a unit stands in quotes, such as \"100 kPa\""
        }
        _ if error.message().contains("duplicate key") => "remove one of the two, or rename it",
        _ => "",
    };
    let what = match text.get(span.clone()).filter(|word| !word.is_empty() && !word.contains('\n')) {
        Some(word) => format!("{} at `{word}`", error.message()),
        None => error.message().to_owned(),
    };
    Problem { span: Some(span), message: what, help: None }.help(help)
}

/// Whether a value looks like `100 kPa` without quotes.
fn unquoted_unit(value: &str) -> bool {
    let rest = value.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | '_'));
    rest.len() < value.len() && rest.trim_start().starts_with(char::is_alphabetic)
}

fn not_utf8(name: &str, error: &std::string::FromUtf8Error) -> SceneError {
    let at = error.utf8_error().valid_up_to();
    let source = Source::new(name, String::from_utf8_lossy(error.as_bytes()));
    let problem = Problem {
        span: Some(at..at + 1),
        message: format!("byte {at} is not UTF-8 text"),
        help: Some("save the file as UTF-8; a scene is a text file in TOML".to_owned()),
    };
    SceneError::new(&source, vec![problem])
}

fn cannot_read(path: &Path, error: &std::io::Error) -> SceneError {
    let source = Source::new(path.display().to_string(), "");
    let help = if path.is_dir() {
        "it is a folder: name a scene file in it, ending in .toml".to_owned()
    } else if path == Path::new("-") || path.starts_with("/dev") {
        "standard input is not read, since a scene's meshes stand beside its file: save it as a .toml file"
            .to_owned()
    } else if error.kind() == std::io::ErrorKind::FileTooLarge {
        "a scene is a TOML file that names its meshes: mesh = { file = ... }".to_owned()
    } else if error.kind() == std::io::ErrorKind::NotFound {
        similar_file(path).unwrap_or_else(|| "check the path".to_owned())
    } else {
        "check the path and its permissions".to_owned()
    };
    SceneError::new(&source, vec![Problem::of_file(format!("cannot read the scene: {error}")).help(help)])
}

/// A file in the same folder with nearly the name asked for.
fn similar_file(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    // what all scenes end in makes no name near another
    let stem = |name: &str| name.strip_suffix(".toml").unwrap_or(name).to_owned();
    let stems: Vec<String> = names.iter().map(|name| stem(name)).collect();
    let near = nearest(&stem(path.file_name()?.to_str()?), stems.iter().map(String::as_str))?;
    let name = names.iter().find(|name| stem(name) == near)?;
    Some(format!("did you mean `{}`?", path.with_file_name(name).display()))
}
