//! `[[wall]]`, which is a collider: refused with the lines to write in its place.

use crate::diagnostic::Problem;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// One for every wall; `text` is the file, whose values are kept as they were written.
pub(super) fn refusals(table: &DeTable<'_>, text: &str) -> Vec<Problem> {
    let Some(walls) = table.get("wall") else { return Vec::new() };
    let one = |value: &DeValue<'_>, span: Range<usize>| {
        let written = |key: &str, absent: &str| match value {
            DeValue::Table(wall) => {
                let given = wall.get(key).and_then(|value| text.get(value.span()));
                given.unwrap_or(absent).to_owned()
            }
            _ => absent.to_owned(),
        };
        let (point, normal) = (written("point", "[0, 0, 0]"), written("normal", "[0, 0, 1]"));
        let restitution = written("restitution", "1");
        Problem::new(span, "a wall is a collider of shape \"plane\"").help(format!(
            "write in its place\n[[collider]]\nshape = \"plane\"\npoint = {point}\nnormal = {normal}\nrestitution = {restitution}"
        ))
    };
    match walls.get_ref() {
        DeValue::Array(items) => items.iter().map(|item| one(item.get_ref(), item.span())).collect(),
        single => vec![one(single, walls.span())],
    }
}
