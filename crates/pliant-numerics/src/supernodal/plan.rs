//! What factoring a matrix in dense parts needs to know beforehand: who changes whom, and where.
//!
//! A part is a range of columns of L that differ from zero in the same rows. It is changed by the parts below it in the
//! elimination tree that have rows among its columns (its sources). The rows of a part are all among the columns and rows of
//! its parent.

use faer::sparse::SymbolicSparseColMat;
use faer::sparse::linalg::cholesky::supernodal::SymbolicSupernodalCholesky;

/// The dense parts as faer finds them.
pub(crate) type Parts = SymbolicSupernodalCholesky<usize>;

/// A part's columns and rows.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    /// The first column.
    pub(crate) start: usize,
    pub(crate) width: usize,
    /// Below the triangle of the columns themselves, ascending.
    pub(crate) rows: &'a [usize],
    /// Where its numbers start among those of the factor.
    pub(crate) place: usize,
}

impl<'a> Part<'a> {
    /// Part `s`.
    pub(crate) fn of(parts: &'a Parts, s: usize) -> Self {
        let start = parts.supernode_begin()[s];
        let width = parts.supernode_end()[s] - start;
        Self { start, width, rows: parts.supernode(s).pattern(), place: parts.col_ptr_for_val()[s] }
    }

    /// Rows of the triangle and below.
    pub(crate) fn height(&self) -> usize {
        self.width + self.rows.len()
    }

    /// Where a row of the matrix is among its own.
    fn place_of(&self, row: usize) -> usize {
        if row < self.start + self.width {
            row - self.start
        } else {
            self.width + self.rows.partition_point(|&r| r < row)
        }
    }

    /// How many numbers it stores.
    pub(crate) fn length(&self) -> usize {
        self.width * self.height()
    }
}

/// A part that changes another one.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    pub(crate) part: u32,
    /// The first of its rows among the other's columns.
    pub(crate) first: u32,
}

/// Which number of the matrix goes where in a part.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) value: u32,
    pub(crate) place: u32,
}

/// A list for each part, all in one piece.
pub(crate) struct Lists<T> {
    starts: Vec<usize>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    fn new(lists: Vec<Vec<T>>) -> Self {
        let mut starts = vec![0];
        for list in &lists {
            starts.push(starts[starts.len() - 1] + list.len());
        }
        Self { starts, items: lists.into_iter().flatten().collect() }
    }

    /// The list of part `s`.
    pub(crate) fn of(&self, s: usize) -> &[T] {
        &self.items[self.starts[s]..self.starts[s + 1]]
    }
}

/// Who changes whom, and where.
pub(crate) struct Plan {
    /// The parts that change a part, ascending.
    pub(crate) sources: Lists<Source>,
    /// The numbers of the matrix in a part.
    pub(crate) entries: Lists<Entry>,
    /// The parts right below a part, ascending.
    pub(crate) children: Lists<usize>,
    /// Where the rows of a part below its triangle are in its parent.
    pub(crate) raised: Lists<u32>,
    pub(crate) parents: Vec<Option<usize>>,
    /// Heights of all parts before, and at last of all.
    pub(crate) heights: Vec<usize>,
}

impl Plan {
    /// For a matrix with this lower triangle; `new` is the place of each row in the order of elimination. None if a part is
    /// too large for the numbers of its places.
    pub(crate) fn new(parts: &Parts, lower: &SymbolicSparseColMat<usize>, new: &[usize]) -> Option<Self> {
        let longest = (0..parts.n_supernodes()).map(|s| Part::of(parts, s).length()).max().unwrap_or(0);
        if longest.max(lower.compute_nnz()) > u32::MAX as usize {
            return None;
        }
        let all = || (0..parts.n_supernodes()).map(|s| Part::of(parts, s));
        let part_of: Vec<usize> = all().enumerate().flat_map(|(s, part)| vec![s; part.width]).collect();
        let (mut sources, mut children) = (vec![Vec::new(); all().len()], vec![Vec::new(); all().len()]);
        let (mut parents, mut raised, mut heights) = (Vec::new(), Vec::new(), vec![0]);
        for (d, part) in all().enumerate() {
            let rows = part.rows;
            let firsts = (0..rows.len()).filter(|&i| i == 0 || part_of[rows[i]] != part_of[rows[i - 1]]);
            firsts.for_each(|i| sources[part_of[rows[i]]].push(Source { part: d as u32, first: i as u32 }));
            let parent = rows.first().map(|&row| part_of[row]);
            let place = |row, p| Part::of(parts, p).place_of(row) as u32;
            raised.push(rows.iter().zip(parent.into_iter().cycle()).map(|(&row, p)| place(row, p)).collect());
            parent.into_iter().for_each(|p| children[p].push(d));
            parents.push(parent);
            heights.push(heights[d] + part.height());
        }
        let entries = Lists::new(entries(parts, lower, new, &part_of));
        let (sources, children, raised) = (Lists::new(sources), Lists::new(children), Lists::new(raised));
        Some(Self { sources, entries, children, raised, parents, heights })
    }
}

/// The numbers of the matrix that each part starts from.
fn entries(
    parts: &Parts,
    lower: &SymbolicSparseColMat<usize>,
    new: &[usize],
    part_of: &[usize],
) -> Vec<Vec<Entry>> {
    let mut entries = vec![Vec::new(); parts.n_supernodes()];
    let pairs = (0..lower.ncols()).flat_map(|j| lower.row_idx_of_col_raw(j).iter().map(move |&i| (i, j)));
    for (value, (i, j)) in pairs.enumerate() {
        let (column, row) = (new[i].min(new[j]), new[i].max(new[j]));
        let part = Part::of(parts, part_of[column]);
        let place = (column - part.start) * part.height() + part.place_of(row);
        entries[part_of[column]].push(Entry { value: value as u32, place: place as u32 });
    }
    entries
}
