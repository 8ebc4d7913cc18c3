//! One file per case of the reference suite, and the one list of them.
//!
//! To add one: a file here that ends in `pub const CASE`, and a line in `modules!`.

use crate::verify::Case;

/// Declares the files and lists their cases, in this order.
macro_rules! modules {
    ($($name:ident),* $(,)?) => {
        $(mod $name;)*
        /// Every case, in the order of the reference suite.
        pub static CASES: &[Case] = &[$($name::CASE),*];
    };
}

modules![
    patch_1,
    patch_2,
    rigid_1,
    grad_1,
    svk_uni_1,
    svk_shear_1,
    mms_svk_1,
    svk_twist_1,
    svk_cant_1,
    svk_comp_1,
    nh_comp_2,
    bar450_static,
    cook_1,
    mh_beam_1,
    mh_twist_1,
    le1_1,
    mode_free_1,
    mode_free_2,
    mode_cant_1,
    beam_roots,
    fv32_1,
    sphere_1,
    osc_1,
    order_dt_1,
    newmark_1,
    euler_dt,
    euler_nu,
    bar450_euler,
    volume_1,
    limit_1,
    embed_1,
    momenta_1,
    bone_1,
    bar_1,
    dyn_cant_1,
    dyn_spin_1,
    dyn_column_1,
    spring_1,
    incline_1,
    bounce_1,
    bar_impact_1,
    hertz_1,
];

/// The case of that name; letter case is free.
pub fn case_of(id: &str) -> Option<&'static Case> {
    CASES.iter().find(|case| case.id.eq_ignore_ascii_case(id))
}
