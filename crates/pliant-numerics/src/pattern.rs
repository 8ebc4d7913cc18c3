//! Which 3x3 blocks of a sparse matrix may differ from zero.

/// Collects cliques: groups of rows that all couple with each other.
#[derive(Clone, Debug)]
pub struct PatternBuilder {
    row_count: usize,
    pairs: Vec<(u32, u32)>,
}

impl PatternBuilder {
    /// For a matrix of `row_count` block rows; the diagonal is always present.
    pub fn new(row_count: usize) -> Self {
        Self { row_count, pairs: Vec::new() }
    }

    /// Couples every row of `rows` with every other.
    pub fn clique(&mut self, rows: &[u32]) {
        for &a in rows {
            for &b in rows {
                self.pairs.push((a, b));
            }
        }
        // bounded memory for meshes with many elements: merge now and then
        if self.pairs.len() > 64 * self.row_count.max(1 << 14) {
            self.merge();
        }
    }

    /// Couples one row with another, both ways.
    pub fn pair(&mut self, a: u32, b: u32) {
        self.pairs.extend([(a, b), (b, a)]);
    }

    fn merge(&mut self) {
        self.pairs.sort_unstable();
        self.pairs.dedup();
    }

    /// The pattern of all cliques so far.
    pub fn build(mut self) -> BlockPattern {
        self.pairs.extend((0..self.row_count as u32).map(|i| (i, i)));
        self.merge();
        let mut row_start = vec![0_usize; self.row_count + 1];
        for (row, _) in &self.pairs {
            row_start[*row as usize + 1] += 1;
        }
        for i in 0..self.row_count {
            row_start[i + 1] += row_start[i];
        }
        BlockPattern { row_start, columns: self.pairs.into_iter().map(|(_, c)| c).collect() }
    }
}

/// Rows of sorted column numbers, with a full diagonal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockPattern {
    row_start: Vec<usize>,
    columns: Vec<u32>,
}

impl BlockPattern {
    /// Number of block rows (and columns).
    pub fn row_count(&self) -> usize {
        self.row_start.len() - 1
    }

    /// Number of stored blocks.
    pub fn block_count(&self) -> usize {
        self.columns.len()
    }

    /// The stored columns of a row, ascending.
    pub fn row(&self, row: usize) -> &[u32] {
        &self.columns[self.row_start[row]..self.row_start[row + 1]]
    }

    /// Where the blocks of a row start among all blocks.
    pub fn row_start(&self, row: usize) -> usize {
        self.row_start[row]
    }

    /// The number of a block among all blocks, if the pattern holds it.
    pub fn find(&self, row: u32, column: u32) -> Option<usize> {
        let columns = self.row(row as usize);
        columns.binary_search(&column).ok().map(|i| self.row_start[row as usize] + i)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cliques_and_the_diagonal_make_the_pattern() {
        let mut builder = PatternBuilder::new(4);
        builder.clique(&[0, 2]);
        builder.clique(&[2, 0]);
        let pattern = builder.build();
        assert_eq!(pattern.row(0), [0, 2]);
        assert_eq!(pattern.row(1), [1]);
        assert_eq!(pattern.row(2), [0, 2]);
        assert_eq!(pattern.block_count(), 6);
        assert_eq!(pattern.find(2, 0), Some(3));
        assert_eq!(pattern.find(1, 0), None);
    }
}
