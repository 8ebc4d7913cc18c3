//! Where the element matrices of a term go: found once for a pattern, then refilled part by part.
//!
//! As with forces, every part adds into blocks of its own; the first part that touches a block owns it, writes it and its
//! mirror image into the matrix, and then adds what later parts kept for it, in part order. So the bits do not depend on
//! the number of threads. Element matrices are symmetric: only pairs (i, j) with i <= j are computed and kept.

use std::collections::HashMap;
use std::sync::Arc;

use pliant_numerics::{BlockMatrix, BlockPattern, DisjointMut, Mat3, Pack, parallel};
use rayon::prelude::*;

use super::partition::Part;

/// Set where an element's pair stands in the matrix the other way round.
const TRANSPOSED: u32 = 1 << 31;

/// Upper pairs of an element with `nodes` nodes.
pub const fn pair_count(nodes: usize) -> usize {
    nodes * (nodes + 1) / 2
}

/// The blocks of one part.
pub struct TangentPart<P: Pack> {
    /// Positions of the part's nodes.
    pub x: Vec<P::Row>,
    /// Own block of every pair of every lane, and whether it is transposed there.
    places: Vec<u32>,
    /// The part's own blocks.
    values: Vec<Mat3<f64>>,
    /// Blocks of the matrix that the part owns: own block, place in the matrix, place of the mirror image.
    owned: Vec<[u32; 3]>,
    /// Blocks of later parts that belong here: part, its block, place in the matrix, place of the mirror image.
    incoming: Vec<[u32; 4]>,
}

/// The blocks of all parts of a term.
pub struct TangentParts<P: Pack> {
    pattern: Arc<BlockPattern>,
    parts: Vec<TangentPart<P>>,
}

impl<P: Pack> TangentPart<P> {
    /// Adds an element's pair, `pair` counted over all lanes of the part.
    #[inline(always)]
    pub fn add(&mut self, pair: usize, block: &Mat3<f64>) {
        let place = self.places[pair];
        let value = &mut self.values[(place & !TRANSPOSED) as usize];
        *value = if place & TRANSPOSED == 0 { *value + *block } else { *value + block.transpose() };
    }
}

impl<P: Pack> TangentParts<P> {
    /// For the lanes of a term: world nodes of each, block by block, and whether it holds an element.
    ///
    /// # Panics
    /// If the pattern lacks a pair: the term has announced its cliques to the pattern.
    pub fn new<const N: usize>(
        pattern: &Arc<BlockPattern>,
        parts: &[Part],
        nodes: &[[u32; N]],
        is_element: impl Fn(usize) -> bool,
    ) -> Self {
        // the part that owns a place of the matrix
        let mut owner: HashMap<u32, u32> = HashMap::new();
        let mut out = Vec::with_capacity(parts.len());
        let mut incoming = vec![Vec::new(); parts.len()];
        let find = |row: u32, column: u32| {
            let place = pattern.find(row, column);
            place.unwrap_or_else(|| panic!("block ({row}, {column}) is not in the pattern")) as u32
        };
        for (p, part) in parts.iter().enumerate() {
            let lanes = part.blocks.start * P::WIDTH..part.blocks.end * P::WIDTH;
            let (mut places, mut own) = (Vec::new(), HashMap::<u32, u32>::new());
            let mut owned = Vec::new();
            for lane in lanes {
                for j in 0..N {
                    for i in 0..=j {
                        // a lane that only pads repeats an element and is never added
                        let (a, b) = (nodes[lane][i], nodes[lane][j]);
                        if !is_element(lane) {
                            places.push(0);
                            continue;
                        }
                        let (row, column) = (a.min(b), a.max(b));
                        let place = find(row, column);
                        let next = own.len() as u32;
                        let local = *own.entry(place).or_insert_with(|| {
                            let mirror = find(column, row);
                            match *owner.entry(place).or_insert(p as u32) {
                                o if o == p as u32 => owned.push([next, place, mirror]),
                                o => incoming[o as usize].push([p as u32, next, place, mirror]),
                            }
                            next
                        });
                        places.push(if a <= b { local } else { local | TRANSPOSED });
                    }
                }
            }
            let values = vec![Mat3::zero(); own.len()];
            let x = vec![P::row([0.0; 3]); part.nodes.len()];
            out.push(TangentPart { x, places, values, owned, incoming: Vec::new() });
        }
        out.iter_mut().zip(incoming).for_each(|(part, incoming)| part.incoming = incoming);
        Self { pattern: Arc::clone(pattern), parts: out }
    }

    /// Whether these are the places of a pattern.
    pub fn belong_to(&self, pattern: &Arc<BlockPattern>) -> bool {
        Arc::ptr_eq(&self.pattern, pattern)
    }

    /// Runs `work` on every part, side by side, and adds what it leaves to the matrix.
    pub fn run(
        &mut self,
        parts: &[Part],
        out: &mut BlockMatrix,
        work: &(dyn Fn(&Part, &mut TangentPart<P>) + Sync),
    ) {
        let one = |(part, own): (&Part, &mut TangentPart<P>)| {
            own.values.fill(Mat3::zero());
            work(part, own);
        };
        let matrix = DisjointMut::new(out.blocks_mut());
        let all = &mut self.parts;
        parallel::for_each(parts.par_iter().zip(all.par_iter_mut()), one);
        let all = &*all;
        parallel::for_each(all.par_iter(), |own| hand_over(own, all, &matrix));
    }
}

/// Adds the blocks that a part owns, then those that others kept for it.
fn hand_over<P: Pack>(own: &TangentPart<P>, all: &[TangentPart<P>], matrix: &DisjointMut<Mat3<f64>>) {
    let add = |value: &Mat3<f64>, place: u32, mirror: u32| {
        // SAFETY: a place and its mirror image belong to one part, whose only task this is; both are places of the
        // pattern that the matrix was made for.
        let block = &mut unsafe { matrix.get_mut(place as usize, 1) }[0];
        *block = *block + *value;
        if mirror != place {
            // SAFETY: as above.
            let block = &mut unsafe { matrix.get_mut(mirror as usize, 1) }[0];
            *block = *block + value.transpose();
        }
    };
    for &[local, place, mirror] in &own.owned {
        add(&own.values[local as usize], place, mirror);
    }
    for &[part, local, place, mirror] in &own.incoming {
        add(&all[part as usize].values[local as usize], place, mirror);
    }
}
