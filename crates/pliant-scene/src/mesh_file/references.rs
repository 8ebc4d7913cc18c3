//! Groups of formats that number them: "volume 3", "surface 3", "curve 3". The number 0 stands for none.

use std::collections::HashMap;

use super::builder::{Added, GroupId, MeshBuilder};
use super::cell_kind::CellShape;

/// Groups by the dimension of their elements and their number.
#[derive(Debug, Default)]
pub(super) struct References {
    groups: HashMap<(u32, i64), GroupId>,
    /// Elements of one group mostly follow each other.
    last: Option<((u32, i64), GroupId)>,
}

impl References {
    /// Enters an element into the group of its number.
    pub fn add_member(&mut self, builder: &mut MeshBuilder, shape: CellShape, number: i64, added: Added) {
        if number == 0 {
            return;
        }
        let key = (shape.dimension(), number);
        let group = match self.last {
            Some((last, group)) if last == key => group,
            _ => *self.groups.entry(key).or_insert_with(|| {
                let kind = ["point", "curve", "surface", "volume"][key.0 as usize];
                builder.group(&format!("{kind} {number}"))
            }),
        };
        self.last = Some((key, group));
        builder.add_member(group, added);
    }
}
