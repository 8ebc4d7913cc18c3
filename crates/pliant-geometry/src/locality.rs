//! Cells in the order of a space-filling curve, so that cells near in memory are near in space.
//!
//! Centroids are put on a cubic grid of 2^21 cells a side and sorted by their place along Hilbert's
//! curve: successive grid cells share a face. The place is found level by level, from the highest bit:
//! which octant, and in which turned or mirrored frame the curve runs inside it (Skilling 2004).

use crate::bounds::Bounds;
use crate::mesh::Mesh;

const BITS: u32 = 21;

/// Numbers of all cells in the order of the curve; equal places in rising order.
pub fn cell_order(mesh: &Mesh) -> Vec<u32> {
    let centroids: Vec<[f64; 3]> = (0..mesh.cell_count()).map(|c| mesh.cell_centroid(c)).collect();
    let Some(bounds) = Bounds::of(centroids.iter().copied()) else { return Vec::new() };
    let widest = bounds.size().into_iter().fold(0.0, f64::max);
    let last = (1_u32 << BITS) - 1;
    let to_grid = if widest > 0.0 { f64::from(last) / widest } else { 0.0 };
    let mut places: Vec<(u64, u32)> = (0_u32..)
        .zip(&centroids)
        .map(|(c, p)| {
            // the cast saturates, so rounding at the far side is harmless
            let grid = std::array::from_fn(|k| (((p[k] - bounds.min[k]) * to_grid) as u32).min(last));
            (hilbert_place(grid), c)
        })
        .collect();
    places.sort_unstable();
    places.into_iter().map(|(_, c)| c).collect()
}

/// Place of a grid cell along the curve, 63 bits.
fn hilbert_place(mut grid: [u32; 3]) -> u64 {
    // undo the turns that the curve takes on the way down to each level
    for level in (1..BITS).rev() {
        let bit = 1_u32 << level;
        let below = bit - 1;
        for axis in 0..3 {
            if grid[axis] & bit != 0 {
                grid[0] ^= below;
            } else {
                let differ = (grid[0] ^ grid[axis]) & below;
                grid[0] ^= differ;
                grid[axis] ^= differ;
            }
        }
    }
    // gray code: the octant's place in its level, carried from level to level
    grid[1] ^= grid[0];
    grid[2] ^= grid[1];
    let mut flips = 0;
    for level in 1..BITS {
        if grid[2] & (1 << level) != 0 {
            flips ^= (1_u32 << level) - 1;
        }
    }
    // interleave the bits, first axis highest
    let mut place = 0_u64;
    for level in (0..BITS).rev() {
        for coordinate in grid {
            place = place << 1 | u64::from(((coordinate ^ flips) >> level) & 1);
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn successive_places_share_a_face() {
        // the 16^3 corner block of the grid is one stretch of the curve
        let n = 16_u32;
        let mut cells: Vec<[u32; 3]> = (0..n * n * n).map(|i| [i % n, i / n % n, i / n / n]).collect();
        cells.sort_by_key(|&cell| hilbert_place(cell));
        for pair in cells.windows(2) {
            let apart: u32 = (0..3).map(|k| pair[0][k].abs_diff(pair[1][k])).sum();
            assert_eq!(apart, 1, "{pair:?}");
        }
    }
}
