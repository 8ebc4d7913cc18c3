//! All eigenvalues of a small symmetric matrix, by cyclic Jacobi rotations.

/// Turns the leading `size` rows and columns of `a` into a diagonal matrix; gives the eigenvectors as columns.
pub fn diagonalise<const N: usize>(a: &mut [[f64; N]; N], size: usize) -> [[f64; N]; N] {
    let mut v = [[0.0; N]; N];
    (0..N).for_each(|i| v[i][i] = 1.0);
    for _sweep in 0..30 {
        for p in 0..size {
            for q in p + 1..size {
                rotate(a, &mut v, p, q);
            }
        }
    }
    v
}

/// The rotation in the plane (p, q) that makes `a[p][q]` zero.
fn rotate<const N: usize>(a: &mut [[f64; N]; N], v: &mut [[f64; N]; N], p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for row in a.iter_mut() {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
    let (upper, lower) = a.split_at_mut(q);
    for (x, y) in upper[p].iter_mut().zip(&mut lower[0]) {
        (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
    }
    for row in v.iter_mut() {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
}

#[cfg(test)]
mod tests {
    use super::diagonalise;

    #[test]
    fn the_second_difference_has_the_eigenvalues_it_should() {
        // 2 - 2 cos(k pi / 4) for three points: 2 - sqrt 2, 2, 2 + sqrt 2
        let given = [[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 2.0]];
        let mut a = given;
        let v = diagonalise(&mut a, 3);
        let mut values = [a[0][0], a[1][1], a[2][2]];
        values.sort_by(f64::total_cmp);
        let root = 2_f64.sqrt();
        assert!(values.iter().zip([2.0 - root, 2.0, 2.0 + root]).all(|(a, b)| (a - b).abs() < 1e-14));
        for k in 0..3 {
            for i in 0..3 {
                let product: f64 = (0..3).map(|j| given[i][j] * v[j][k]).sum();
                assert!((product - a[k][k] * v[i][k]).abs() < 1e-14);
            }
        }
    }
}
