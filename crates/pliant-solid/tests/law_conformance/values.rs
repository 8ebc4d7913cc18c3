//! Laws against closed forms: uniaxial stress, simple shear, an affine patch, rotations.

use pliant_numerics::Mat3;
use pliant_solid::law::LawKind;

use super::support::{Noise, moduli};
use super::{Tested, all};

fn law(kind: LawKind) -> Tested {
    Tested { name: "law", kind, prestress: None }
}

fn assert_close(p: Mat3<f64>, expected: [[f64; 3]; 3], tolerance: f64) {
    for r in 0..3 {
        for c in 0..3 {
            let (ours, theirs) = (p.0[r][c], expected[r][c]);
            assert!((ours - theirs).abs() <= tolerance, "P[{r}][{c}] = {ours}, expected {theirs}");
        }
    }
}

#[test]
fn uniaxial_stress_of_st_venant() {
    // SVK-UNI-1: P11 = (E/2) l (l^2 - 1) with lateral stretch sqrt(1 - nu (l^2 - 1)); E = 1e5, nu = 0.3
    let tested = law(LawKind::StVenant(moduli(1e5, 0.3)));
    let cases = [
        (0.7, -17850.0, 1.073778),
        (0.9, -8550.0, 1.028105),
        (1.2, 26400.0, 0.931665),
        (1.5, 93750.0, 0.790569),
    ];
    for (stretch, stress, lateral) in cases {
        let across = (1.0_f64 - 0.3 * (stretch * stretch - 1.0)).sqrt();
        assert!((across - lateral).abs() < 5e-7, "the table's lateral stretch, printed to 6 digits");
        let h = Mat3([[stretch - 1.0, 0.0, 0.0], [0.0, across - 1.0, 0.0], [0.0, 0.0, across - 1.0]]);
        assert_close(tested.piola(&h), [[stress, 0.0, 0.0], [0.0; 3], [0.0; 3]], 1e-9 * 1e5);
    }
}

#[test]
fn compression_of_st_venant_peaks_at_one_over_root_three() {
    // SVK-UNI-1: |P| is largest at l = 3^-1/2, P = -19245.0090 Pa (E = 1e5, nu = 0.3)
    let tested = law(LawKind::StVenant(moduli(1e5, 0.3)));
    let stress = |stretch: f64| {
        let across = (1.0 - 0.3 * (stretch * stretch - 1.0)).sqrt() - 1.0;
        tested.piola(&Mat3([[stretch - 1.0, 0.0, 0.0], [0.0, across, 0.0], [0.0, 0.0, across]])).0[0][0]
    };
    let peak = 3_f64.sqrt().recip();
    assert!((stress(peak) + 19245.0090).abs() < 1e-4);
    assert!(stress(peak + 1e-3) > stress(peak) && stress(peak - 1e-3) > stress(peak));
}

#[test]
fn simple_shear_of_st_venant() {
    // SVK-SHEAR-1: F = I + g e1 x e2, E = 1e5, nu = 0.3, g = 0.5, closed form
    let tested = law(LawKind::StVenant(moduli(1e5, 0.3)));
    let (lambda, mu) = moduli(1e5, 0.3).lame();
    let g = 0.5_f64;
    let h = Mat3([[0.0, g, 0.0], [0.0; 3], [0.0; 3]]);
    let p = tested.piola(&h);
    assert!((p.0[0][1] - (mu * g + (0.5 * lambda + mu) * g.powi(3))).abs() < 1e-10 * 1e5);
    let expected = [[16826.9231, 27644.2308, 0.0], [19230.7692, 16826.9231, 0.0], [0.0, 0.0, 7211.5385]];
    assert_close(p, expected, 5e-5); // printed to 4 decimals
    assert!((tested.energy(&h) - 5859.375).abs() < 1e-10 * 5859.375);
}

/// F of PATCH-2, as a displacement gradient.
const PATCH: Mat3<f64> = Mat3([[0.2, 0.3, 0.0], [0.0, -0.1, 0.1], [0.2, 0.0, 0.1]]);

#[test]
fn patch_deformation_under_st_venant() {
    // PATCH-2, E = 1e6, nu = 0.25 (lambda = mu = 4e5): rational numbers, exact
    let tested = law(LawKind::StVenant(moduli(1e6, 0.25)));
    let expected = [
        [417_600.0, 196_800.0, 116_400.0],
        [138_400.0, 75_600.0, 53_200.0],
        [159_200.0, 68_400.0, 246_400.0],
    ];
    assert_close(tested.piola(&PATCH), expected, 1e-10 * 417_600.0);
    assert!((tested.energy(&PATCH) - 84_100.0).abs() < 1e-10 * 84_100.0);
}

#[test]
fn patch_deformation_under_neo_hookean() {
    // PATCH-2, closed form with det F = 1.194, printed to 4 decimals
    let tested = law(LawKind::NeoHookean(moduli(1e6, 0.25)));
    let expected = [
        [207_147.713_5, 114_487.832_6, 49_609.506_6],
        [90_950.762_2, -3_803.048_7, 23_463.497_8],
        [71_731.748_9, 33_073.004_4, 142_342.960_2],
    ];
    assert_close(tested.piola(&PATCH), expected, 5e-5 + 1e-9 * 207_147.0);
    assert!((tested.energy(&PATCH) - 55_364.091_4).abs() < 5e-5 + 1e-9 * 55_364.0);
}

#[test]
fn rotation_shows_as_strain_under_linear_strain_only() {
    // [Zhuang 2.14]: eps_x = r11 - 1, gamma_xy = r12 + r21, and so on, for any rotation R;
    // quadratic strain gives none, so no stress to 1e-12 E
    let young = 1e5;
    let (lambda, mu) = moduli(young, 0.3).lame();
    let mut noise = Noise::new(8);
    for k in 1..=12 {
        let axis = [noise.next(), noise.next(), noise.next() + 1.5];
        let r = Mat3::rotation(axis, 0.26 * f64::from(k));
        let h = r.add_diagonal(-1.0);
        let strain =
            Mat3::from_fn(|i, j| if i == j { r.0[i][i] - 1.0 } else { 0.5 * (r.0[i][j] + r.0[j][i]) });
        let expected = strain.scale(2.0 * mu).add_diagonal(lambda * strain.trace());
        let p = law(LawKind::Linear(moduli(young, 0.3))).piola(&h);
        assert!((p - expected).norm() < 1e-14 * young);
        assert!(p.norm() > 1e-2 * young * f64::from(k * k) / 144.0, "a turn by {k} x 15 degrees is not free");
        for nonlinear in all().into_iter().filter(|l| !l.is_linear() && l.prestress.is_none()) {
            let stress = nonlinear.piola(&h).norm();
            assert!(stress < 1e-12 * young, "{}: {stress}", nonlinear.name);
        }
    }
}
