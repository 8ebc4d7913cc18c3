//! Units against values worked out by hand.

use super::*;
use std::f64::consts::PI;

fn si<D: Dimension>(text: &str) -> f64 {
    text.parse::<Quantity<D>>().unwrap_or_else(|e| panic!("{text}: {e}")).si()
}

fn error<D: Dimension>(text: &str) -> String {
    text.parse::<Quantity<D>>().map(Quantity::si).expect_err(text).to_string()
}

#[test]
fn decimal_units_are_the_double_of_the_written_decimal() {
    assert_eq!(si::<Length>("3 mm"), 0.003);
    assert_eq!(si::<Length>("2 cm"), 0.02);
    assert_eq!(si::<Length>("-1.1e1 um"), -11e-6);
    assert_eq!(si::<Length>("7 µm"), 7e-6);
    assert_eq!(si::<Length>("7 μm"), 7e-6);
    assert_eq!(si::<Pressure>("100 kPa"), 1e5);
    assert_eq!(si::<Pressure>("2.5MPa"), 2.5e6);
    assert_eq!(si::<Pressure>("5 N/cm^2"), 5e4);
    assert_eq!(si::<Pressure>("10 dyn/cm²"), 1.0);
    assert_eq!(si::<Pressure>("1 bar"), 1e5);
    assert_eq!(si::<Density>("1000 kg/m^3"), 1000.0);
    assert_eq!(si::<Density>("1 g/cm^3"), 1000.0);
    assert_eq!(si::<Density>("1.2 t/m³"), 1200.0);
    assert_eq!(si::<Density>("1 kg/l"), 1000.0);
    assert_eq!(si::<Time>("1 ms"), 1e-3);
    assert_eq!(si::<Time>("2 min"), 120.0);
    assert_eq!(si::<Force>("3 kg m/s^2"), 3.0);
    assert_eq!(si::<Stiffness>("500 N/m"), 500.0);
    assert_eq!(si::<Stiffness>("0.5 N/mm"), 500.0);
    assert_eq!(si::<LineDamping>("0.5 N s/m"), 0.5);
    assert_eq!(si::<LineDamping>("0.5 N/(m/s)"), 0.5);
    assert_eq!(si::<Frequency>("2 Hz"), 2.0);
    assert_eq!(si::<Rate>("0.5 1/s"), 0.5);
    assert_eq!(si::<Rate>("1/s"), 1.0);
    assert_eq!(si::<Rate>("3 s^-1"), 3.0);
    assert_eq!(si::<ForceDensity>("2 kN/m^3"), 2000.0);
    assert_eq!(si::<Dimensionless>("50 %"), 0.5);
    assert_eq!(si::<Dimensionless>("0.25"), 0.25);
}

#[test]
fn products_may_be_written_in_three_ways() {
    for text in ["10 Pa s", "10 Pa*s", "10 Pa·s", "10 kg/(m s)", "10 kg/m/s", "10 N s m^-2"] {
        assert_eq!(si::<Viscosity>(text), 10.0, "{text}");
    }
}

#[test]
fn other_factors_are_right_to_the_last_bits() {
    assert_eq!(si::<Velocity>("36 km/h"), 10.0);
    assert_eq!(si::<Acceleration>("-9.81 m/s^2"), -9.81);
    assert!((si::<Angle>("30 deg") - PI / 6.0).abs() < 1e-15);
    assert!((si::<Angle>("90°") - PI / 2.0).abs() < 1e-15);
    assert!((si::<AngularVelocity>("60 rpm") - 2.0 * PI).abs() < 1e-15);
    assert!((si::<AngularVelocity>("180 deg/s") - PI).abs() < 1e-15);
    // the torr and the millimetre of mercury differ by 2e-7
    assert!((si::<Pressure>("760 mmHg") - 101_325.0).abs() < 0.02);
}

#[test]
fn wrong_dimensions_are_named() {
    assert_eq!(error::<Pressure>("100 kg"), "`100 kg` is a mass");
    assert_eq!(error::<Length>("30 deg"), "`30 deg` is an angle");
    assert_eq!(error::<AngularVelocity>("2 Hz"), "`2 Hz` is a rate");
    assert_eq!(error::<Length>("2 kg^2 m"), "`2 kg^2 m` is in m kg^2");
    assert_eq!(
        error::<Pressure>("100"),
        "`100` has no unit; write the bare number for Pa, without quotes, or add a unit"
    );
    assert_eq!(error::<Length>("50 %"), "`50 %` is a plain number");
}

#[test]
fn unknown_units_suggest_what_was_meant() {
    for (text, meant) in [
        ("100 kpa", "`kPa`"),
        ("1 mpa", "`mPa` or `MPa`"),
        ("3 sec", "`s`"),
        ("3 seconds", "`s`"),
        ("90 degrees", "`deg`"),
        ("1000 kg/m3", "`m^3`"),
        ("1 kPaa", "`kPa`"),
    ] {
        let message = text.parse::<Quantity<Pressure>>().expect_err(text).to_string();
        assert!(message.ends_with(&format!(" (did you mean {meant}?)")), "{text}: {message}");
    }
    // `ps` is near, but no pressure
    assert_eq!(error::<Pressure>("100 psi"), "unknown unit `psi` in `100 psi`");
    assert_eq!(error::<Length>("3 furlong"), "unknown unit `furlong` in `3 furlong`");
}

#[test]
fn unreadable_texts_are_errors() {
    for text in ["", "mm", "N/m^3", "e3 m", "-", ".", "nan", "inf m"] {
        assert!(error::<Length>(text).contains("does not start with a number"), "{text}");
    }
    for text in ["1 m^", "1 m^0", "1 m^99", "1 (m", "1 m)", "1 m/", "1 *m", "1 m//s", "1 ()", "1 &"] {
        assert!(error::<Length>(text).contains("cannot read the unit"), "{text}");
    }
    assert!(error::<Length>(&format!("1 {}m{}", "(".repeat(50), ")".repeat(50))).contains("cannot read"));
    assert!(error::<Length>(&format!("1 {}m{}", "(".repeat(9), ")^9".repeat(9))).contains("cannot read"));
    assert!(error::<LineDamping>("1 N/m s").contains("read in two ways"));
    assert_eq!(error::<Length>("1,5 m"), "`1,5 m` has a decimal comma; write `1.5 m`");
    assert_eq!(error::<Length>("1e999 m"), "`1e999 m` is not a finite number");
    assert!(Quantity::<Length>::from_si(f64::NAN).is_err());
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config {
        rng_seed: proptest::test_runner::RngSeed::Fixed(1),
        failure_persistence: None,
        ..Default::default()
    })]

    #[test]
    fn no_text_panics(text in ".{0,40}", unit in "[0-9a-zA-Z/^*() .,µ°%²-]{0,30}") {
        let _ = text.parse::<Quantity<Length>>();
        let _ = format!("1 {unit}").parse::<Quantity<Length>>();
        let _ = unit.parse::<Quantity<Length>>();
    }
}
