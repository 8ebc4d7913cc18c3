//! Where in a parsed file a span lies: from bytes to the keys that lead there.

use std::ops::Range;
use toml::de::{DeArray, DeTable, DeValue};

/// One step into a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Segment {
    Key(String),
    Index(usize),
}

/// The keys that lead to the innermost entry whose key or value contains the span.
pub(super) fn at(table: &DeTable<'_>, span: &Range<usize>) -> Vec<Segment> {
    let mut best = Vec::new();
    search_table(table, span, &mut Vec::new(), &mut best);
    best
}

// a table with a header spans the header alone, so children are searched whether it matches or not
fn search_table(table: &DeTable<'_>, span: &Range<usize>, here: &mut Vec<Segment>, best: &mut Vec<Segment>) {
    for (key, value) in table.iter() {
        here.push(Segment::Key(key.get_ref().to_string()));
        if contains(&key.span(), span) {
            note(here, best);
        }
        search_value(value.get_ref(), value.span(), span, here, best);
        here.pop();
    }
}

fn search_value(
    value: &DeValue<'_>,
    extent: Range<usize>,
    span: &Range<usize>,
    here: &mut Vec<Segment>,
    best: &mut Vec<Segment>,
) {
    if contains(&extent, span) {
        note(here, best);
    }
    match value {
        DeValue::Table(table) => search_table(table, span, here, best),
        DeValue::Array(array) => {
            for (index, item) in array.iter().enumerate() {
                here.push(Segment::Index(index));
                search_value(item.get_ref(), item.span(), span, here, best);
                here.pop();
            }
        }
        _ => {}
    }
}

fn note(here: &[Segment], best: &mut Vec<Segment>) {
    if here.len() > best.len() {
        *best = here.to_vec();
    }
}

fn contains(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The array at a path.
fn array<'a, 'i>(table: &'a mut DeTable<'i>, path: &[Segment]) -> Option<&'a mut DeArray<'i>> {
    let (first, rest) = path.split_first()?;
    let Segment::Key(key) = first else { return None };
    let mut value = table.get_mut(key.as_str())?.get_mut();
    for segment in rest {
        value = match (value, segment) {
            (DeValue::Table(table), Segment::Key(key)) => table.get_mut(key.as_str())?.get_mut(),
            (DeValue::Array(array), Segment::Index(index)) => array.get_mut(*index)?.get_mut(),
            _ => return None,
        };
    }
    if let DeValue::Array(array) = value { Some(array) } else { None }
}

/// The spans of the items of an array of tables; none where there is no such array.
pub(super) fn items(table: &mut DeTable<'_>, path: &[Segment]) -> Vec<Range<usize>> {
    let tables = array(table, path).filter(|array| array.iter().all(|item| item.get_ref().is_table()));
    tables.map_or(Vec::new(), |array| array.iter().map(|item| item.span()).collect())
}

/// Leaves a single item of an array.
pub(super) fn keep_only(table: &mut DeTable<'_>, path: &[Segment], index: usize) {
    if let Some(array) = array(table, path) {
        *array = array.iter().skip(index).take(1).cloned().collect();
    }
}

/// Takes an entry out of a parsed file; false when there is none.
pub(super) fn remove(table: &mut DeTable<'_>, path: &[Segment]) -> bool {
    let Some((Segment::Key(key), rest)) = path.split_first() else { return false };
    if rest.is_empty() {
        return table.remove(key.as_str()).is_some();
    }
    table.get_mut(key.as_str()).is_some_and(|value| remove_inside(value.get_mut(), rest))
}

fn remove_inside(value: &mut DeValue<'_>, path: &[Segment]) -> bool {
    match (value, path) {
        (DeValue::Table(table), _) => remove(table, path),
        (DeValue::Array(array), [Segment::Index(index)]) if *index < array.len() => {
            let kept = array.iter().enumerate().filter(|(at, _)| at != index);
            *array = kept.map(|(_, item)| item.clone()).collect();
            true
        }
        (DeValue::Array(array), [Segment::Index(index), rest @ ..]) if *index < array.len() => {
            array.get_mut(*index).is_some_and(|item| remove_inside(item.get_mut(), rest))
        }
        _ => false,
    }
}

/// `[body.bar.fix]` for messages; item numbers are left out, the line tells them apart.
pub(super) fn bracketed(path: &[Segment]) -> Option<String> {
    let keys: Vec<&str> = path
        .iter()
        .filter_map(|segment| match segment {
            Segment::Key(key) => Some(key.as_str()),
            Segment::Index(_) => None,
        })
        .collect();
    (!keys.is_empty()).then(|| format!("[{}]", keys.join(".")))
}
