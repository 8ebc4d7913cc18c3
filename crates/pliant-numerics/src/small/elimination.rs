//! Gaussian elimination with row exchanges.

/// Solves for several right sides at once; matrix and right sides row after row. The right sides become the solutions, the matrix is used up.
///
/// # Panics
/// If there are no unknowns, or the right sides are not whole rows.
pub fn eliminate(matrix: &mut [f64], right: &mut [f64], unknowns: usize) {
    let n = unknowns;
    assert!(matrix.len() == n * n && right.len().is_multiple_of(n), "whole rows");
    let sides = right.len() / n;
    for k in 0..n {
        let largest = (k..n).max_by(|a, b| matrix[a * n + k].abs().total_cmp(&matrix[b * n + k].abs()));
        let pivot = largest.unwrap_or(k);
        if pivot != k {
            (k..n).for_each(|j| matrix.swap(k * n + j, pivot * n + j));
            (0..sides).for_each(|side| right.swap(k * sides + side, pivot * sides + side));
        }
        for i in k + 1..n {
            let factor = matrix[i * n + k] / matrix[k * n + k];
            (k..n).for_each(|j| matrix[i * n + j] -= factor * matrix[k * n + j]);
            (0..sides).for_each(|side| right[i * sides + side] -= factor * right[k * sides + side]);
        }
    }
    for k in (0..n).rev() {
        for side in 0..sides {
            let known: f64 = (k + 1..n).map(|j| matrix[k * n + j] * right[j * sides + side]).sum();
            right[k * sides + side] = (right[k * sides + side] - known) / matrix[k * n + k];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_exchanged_where_they_must_be() {
        // by hand: x = (1, -2, 3), and (0, 1, 1)
        let mut matrix = [0.0, 2.0, 1.0, 1.0, 1.0, 0.0, 4.0, 0.0, -1.0];
        let mut right = [-1.0, 3.0, -1.0, 1.0, 1.0, -1.0];
        eliminate(&mut matrix, &mut right, 3);
        let solutions = [1.0, 0.0, -2.0, 1.0, 3.0, 1.0];
        assert!(right.iter().zip(solutions).all(|(a, b)| (a - b).abs() < 1e-14), "{right:?}");
    }
}
