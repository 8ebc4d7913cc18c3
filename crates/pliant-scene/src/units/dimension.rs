//! The physical dimensions a scene value can have, each a zero-sized type.

/// Powers of metre, kilogram, second and radian.
///
/// The radian is kept apart although it is a pure number, so that `"30 deg"` is no length
/// and `"2 Hz"` no angular velocity.
pub type Exponents = [i32; 4];

/// What a [`Quantity`](super::Quantity) measures.
pub trait Dimension: Copy + 'static {
    /// With its article, for messages: `a pressure`.
    const NAME: &'static str;
    /// Name of the type in the JSON schema.
    const SCHEMA: &'static str;
    /// The SI unit that a bare number has.
    const SI: &'static str;
    /// Powers of metre, kilogram, second and radian.
    const EXPONENTS: Exponents;
    /// Strings that a scene may contain; the first one is shown in messages.
    const EXAMPLES: &'static [&'static str];
}

macro_rules! dimensions {
    ($($type:ident, $name:literal, $si:literal, $exponents:expr, $examples:expr;)*) => {
        $(
            #[doc = concat!("Dimension of ", $name, ", in ", $si, ".")]
            #[derive(Clone, Copy, Debug, PartialEq)]
            pub struct $type;

            impl Dimension for $type {
                const NAME: &'static str = $name;
                const SCHEMA: &'static str = stringify!($type);
                const SI: &'static str = $si;
                const EXPONENTS: Exponents = $exponents;
                const EXAMPLES: &'static [&'static str] = &$examples;
            }
        )*

        /// Every dimension a scene can ask for.
        const KNOWN: &[(Exponents, &str)] = &[$(($exponents, $name)),*];
    };
}

dimensions! {
    Dimensionless, "a plain number", "1", [0, 0, 0, 0], ["0.5", "50 %"];
    Length, "a length", "m", [1, 0, 0, 0], ["1 mm", "2 cm", "0.3 m"];
    Time, "a time", "s", [0, 0, 1, 0], ["1 ms", "2 s"];
    Rate, "a rate", "1/s", [0, 0, -1, 0], ["0.5 1/s", "2 /s"];
    Frequency, "a frequency", "Hz", [0, 0, -1, 0], ["2 Hz", "1 kHz"];
    Angle, "an angle", "rad", [0, 0, 0, 1], ["30 deg", "0.5 rad"];
    Velocity, "a velocity", "m/s", [1, 0, -1, 0], ["0.5 m/s", "36 km/h"];
    AngularVelocity, "an angular velocity", "rad/s", [0, 0, -1, 1], ["2 rad/s", "90 deg/s"];
    Acceleration, "an acceleration", "m/s^2", [1, 0, -2, 0], ["-9.81 m/s^2"];
    Force, "a force", "N", [1, 1, -2, 0], ["5 N", "20 mN"];
    Pressure, "a pressure", "Pa", [-1, 1, -2, 0], ["100 kPa", "1 MPa", "5 N/cm^2"];
    Density, "a density", "kg/m^3", [-3, 1, 0, 0], ["1000 kg/m^3", "1 g/cm^3"];
    Stiffness, "a stiffness", "N/m", [0, 1, -2, 0], ["500 N/m", "0.5 N/mm"];
    LineDamping, "a damping", "N s/m", [0, 1, -1, 0], ["0.5 N s/m"];
    Viscosity, "a viscosity", "Pa s", [-1, 1, -1, 0], ["10 Pa s"];
    Mass, "a mass", "kg", [0, 1, 0, 0], ["0.2 kg", "50 g"];
    Torque, "a torque per angle", "N m/rad", [2, 1, -2, -1], ["1e-4 N m/rad"];
    ForceDensity, "a force per volume", "N/m^3", [-2, 1, -2, 0], ["9810 N/m^3", "1 kN/m^3"];
    ContactStiffness, "a pressure per depth", "Pa/m", [-2, 1, -2, 0], ["1e8 Pa/m", "100 kPa/mm"];
}

/// Dimensions that no key asks for but a mistaken value may have.
const OTHERS: &[(Exponents, &str)] = &[
    ([2, 0, 0, 0], "an area"),
    ([3, 0, 0, 0], "a volume"),
    ([2, 1, -2, 0], "an energy"),
    ([2, 1, -3, 0], "a power"),
    ([1, 1, -1, 0], "a momentum"),
    ([0, 0, -2, 1], "an angular acceleration"),
];

/// The dimension in words, or in SI base units when it has no name here.
pub(crate) fn in_words(exponents: Exponents) -> String {
    if let Some((_, name)) = KNOWN.iter().chain(OTHERS).find(|(known, _)| *known == exponents) {
        return (*name).to_owned();
    }
    let base: Vec<String> = ["m", "kg", "s", "rad"]
        .iter()
        .zip(exponents)
        .filter(|&(_, power)| power != 0)
        .map(|(unit, power)| if power == 1 { (*unit).to_owned() } else { format!("{unit}^{power}") })
        .collect();
    format!("in {}", base.join(" "))
}
