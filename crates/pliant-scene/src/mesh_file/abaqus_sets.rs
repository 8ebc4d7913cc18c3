//! Sets of an Abaqus file: node sets and element sets by name, capitals apart.
//!
//! Members are labels, ranges (`GENERATE`) or sets that stand before. A range is a question to the labels
//! that exist, so its length costs nothing; what ranges and sets of sets bring together is limited to
//! [`MOST_SETS`] times the nodes and elements.

use std::collections::HashMap;

use super::abaqus_keyword::{Keyword, fields, unquoted};
use super::error::{CUT_OFF, Fault};
use super::lines::Lines;
use super::node_tags::NodeTags;
use super::scanner::Word;

/// How often a node or element may be a member on average, where a set does not list it by its label.
const MOST_SETS: usize = 64;

/// What a set is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Members {
    Nodes,
    Elements,
}

/// A named set; its members are places in the list of nodes or elements.
#[derive(Debug)]
pub(super) struct Set {
    pub name: String,
    pub kind: Members,
    pub members: Vec<u32>,
    /// Labels that nothing has.
    pub unknown: usize,
}

/// Place of a set in the list.
#[derive(Clone, Copy, Debug)]
pub(super) struct SetId(usize);

/// The sets of a file, in the order in which their names come up.
#[derive(Debug, Default)]
pub(super) struct Sets {
    pub list: Vec<Set>,
    ids: HashMap<(Members, String), usize>,
    /// Members that ranges and sets of sets may still bring.
    budget: usize,
}

impl Sets {
    /// To be called when all nodes and elements are known.
    pub fn allow(&mut self, count: usize) {
        self.budget = count.saturating_mul(MOST_SETS);
    }

    /// The set of this name, made if it is not there.
    pub fn id(&mut self, kind: Members, name: &str) -> SetId {
        let list = &mut self.list;
        let id = self.ids.entry((kind, name.to_uppercase())).or_insert_with(|| {
            list.push(Set { name: name.to_owned(), kind, members: Vec::new(), unknown: 0 });
            list.len() - 1
        });
        SetId(*id)
    }

    pub fn add(&mut self, set: SetId, member: u32) {
        self.list[set.0].members.push(member);
    }

    /// Reads the data lines of `*NSET` or `*ELSET`.
    pub fn read(&mut self, keyword: &Keyword, mut data: Lines, labels: &Labels) -> Result<(), Fault> {
        let (kind, parameter) = match keyword.name.as_str() {
            "NSET" => (Members::Nodes, "NSET"),
            _ => (Members::Elements, "ELSET"),
        };
        let name = keyword.label(parameter);
        let name = name.ok_or_else(|| keyword.line.fault(format!("{parameter}= is missing"), CUT_OFF))?;
        // the nodes of a set of elements: its elements as members have them too
        if let (Members::Nodes, Some(elements)) = (kind, keyword.label("ELSET")) {
            let set = self.id(Members::Elements, name);
            return self.add_set(set, Members::Elements, elements, &keyword.line);
        }
        let set = self.id(kind, name);
        while let Some(line) = data.next_data() {
            if keyword.value("GENERATE").is_some() {
                self.add_range(set, &line, labels.of(kind))?;
                continue;
            }
            for field in fields(&line).filter(|field| !field.bytes.is_empty()) {
                self.add_field(set, kind, &field, labels)?;
            }
        }
        Ok(())
    }

    /// A label, the name of a set, or one of them behind the name of an instance and a dot.
    fn add_field(&mut self, set: SetId, kind: Members, field: &Word, labels: &Labels) -> Result<(), Fault> {
        let text = String::from_utf8_lossy(field.bytes);
        let text = unquoted(&text);
        let bare = text.rsplit_once('.').map_or(text, |(_, bare)| bare);
        let Ok(label) = bare.parse::<u64>() else {
            return self.add_set(set, kind, bare, field);
        };
        match labels.of(kind).node(label) {
            Some(member) => self.add(set, member),
            None => self.list[set.0].unknown += 1,
        }
        Ok(())
    }

    /// Enters all members of another set.
    fn add_set(&mut self, set: SetId, kind: Members, name: &str, place: &Word) -> Result<(), Fault> {
        let Some(&from) = self.ids.get(&(kind, unquoted(name).to_uppercase())) else {
            let way_out = "put the set that is used before the one that uses it";
            return Err(place.fault(format!("no set {name} has been defined up to here"), way_out));
        };
        self.spend(self.list[from].members.len(), place)?;
        let members = self.list[from].members.clone();
        self.list[set.0].members.extend(members);
        Ok(())
    }

    /// `first, last, step`: the labels among them that exist.
    fn add_range(&mut self, set: SetId, line: &Word, tags: &NodeTags) -> Result<(), Fault> {
        let mut numbers = fields(line).filter(|field| !field.bytes.is_empty());
        let mut number = |what: &str| numbers.next().map(|field| field.number::<u64>(what)).transpose();
        let first = number("the first label")?;
        let last = number("the last label")?;
        let step = number("the step")?.unwrap_or(1);
        let (Some(first), Some(last), 1..) = (first, last, step) else {
            return Err(line.fault("expected first label, last label and a step from 1", CUT_OFF));
        };
        for (tag, member) in tags.range(first..=last) {
            self.spend(1, line)?;
            if (tag - first).is_multiple_of(step) {
                self.add(set, member);
            }
        }
        Ok(())
    }

    fn spend(&mut self, count: usize, place: &Word) -> Result<(), Fault> {
        let left = self.budget.checked_sub(count).ok_or_else(|| {
            let problem = format!("the sets hold every node and element more than {MOST_SETS} times");
            place.fault(problem, "remove sets that are not needed")
        })?;
        self.budget = left;
        Ok(())
    }
}

/// What nodes and elements are called.
#[derive(Debug, Default)]
pub(super) struct Labels {
    pub nodes: NodeTags,
    pub elements: NodeTags,
}

impl Labels {
    fn of(&self, kind: Members) -> &NodeTags {
        match kind {
            Members::Nodes => &self.nodes,
            Members::Elements => &self.elements,
        }
    }
}
