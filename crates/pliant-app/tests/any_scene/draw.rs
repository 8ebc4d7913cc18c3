//! A scene drawn from a seed, and the same scene by a second method.
//!
//! Most values are those of sane bodies; a few in each scene come from all of the documented range. Times go with the
//! body's own, that of a wave along it, and durations are short: what two methods make of chaos is no test.

use std::fmt::Write;

/// How steps are taken; [`Method::second`] is what must agree with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    Explicit { safety: f64 },
    Newmark { step: Option<f64> },
    Euler { step: Option<f64>, newton: bool, solver: &'static str, tolerance: f64 },
    Static,
    Quasistatic,
}

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct Scene {
    pub method: Method,
    /// Of the body, m: errors of automatic steps are a part of it.
    pub size: f64,
    /// The largest coordinate, m.
    pub far: f64,
    /// Of a wave along the body, s.
    time: f64,
    /// Whether the tangent is: no factor serves where it is not.
    symmetric: bool,
    head: String,
    rest: String,
}

impl Scene {
    /// The file.
    pub fn text(&self) -> String {
        format!("{}[integrator]\n{}{}", self.head, self.method.lines(), self.rest)
    }

    /// The same by methods whose numbers must be the same, the first that finds an end counts.
    pub fn seconds(&self) -> Vec<Scene> {
        let with = |method: Method| Scene { method, ..self.clone() };
        let fine = 0.004 * self.time;
        match self.method {
            Method::Explicit { safety } => vec![
                with(Method::Newmark { step: Some(fine) }),
                with(Method::Explicit { safety: 0.5 * safety }),
            ],
            Method::Newmark { .. } => vec![
                with(Method::Explicit { safety: 0.05 }),
                with(Method::Newmark { step: Some(0.5 * fine) }),
            ],
            Method::Euler { step, newton, .. } => {
                let tight = if newton { 1e-9 } else { 1e-10 };
                let solver = if self.symmetric { "direct" } else { "gradients" };
                vec![with(Method::Euler { step, newton, solver, tolerance: tight })]
            }
            Method::Static => vec![with(Method::Quasistatic)],
            Method::Quasistatic => vec![with(Method::Static)],
        }
    }
}

impl Method {
    fn lines(self) -> String {
        let step = |step: Option<f64>| step.map_or("\"auto\"".into(), |s| format!("{s:e}"));
        match self {
            Self::Explicit { safety } => format!("method = \"explicit\"\nsafety = {safety}\n"),
            Self::Newmark { step: s } => format!("method = \"newmark\"\nstep = {}\n", step(s)),
            Self::Euler { step: s, newton, solver, tolerance } => format!(
                "method = \"implicit-euler\"\nstep = {}\nsolve = \"{}\"\nsolver = \"{solver}\"\ntolerance = {tolerance:e}\n",
                step(s),
                if newton { "newton" } else { "once" }
            ),
            Self::Static => "method = \"static\"\n".into(),
            Self::Quasistatic => "method = \"quasistatic\"\nstep = \"auto\"\n".into(),
        }
    }

    /// Whether bodies have inertia.
    pub fn moves(self) -> bool {
        !matches!(self, Self::Static | Self::Quasistatic)
    }

    /// Whether the length of a step is most of what it says.
    pub fn is_first_order(self) -> bool {
        matches!(self, Self::Euler { .. })
    }

    /// Whether its steps follow an error that is a part of the body.
    pub fn is_automatic(self) -> bool {
        matches!(self, Self::Newmark { step: None } | Self::Euler { step: None, .. })
    }
}

/// The scene of a seed.
pub fn scene(seed: u64) -> Scene {
    let mut d = Draw::new(seed);
    let wild = d.chance(0.35);
    let body = Body::new(&mut d, wild);
    let method = method(&mut d, &body);
    // what starts at once excites all modes, and steps near the stable one follow only the slow ones
    let smooth = matches!(method, Method::Explicit { safety } if safety > 0.5);
    let slowly = if smooth { 4.0 } else { 1.0 };
    let end = if method.moves() { slowly * body.time * d.log(1.0, 4.0) } else { 1.0 };
    let mut head = format!("title = \"drawn from {seed}\"\nduration = {end:e}\n");
    if !smooth && d.chance(0.7) {
        let g = if wild && d.chance(0.3) { d.log(1e-3, 1e7) } else { 9.81 };
        writeln!(head, "gravity = [0, 0, {:e}]", -g).unwrap();
    }
    let mut rest = body.tables();
    held(&mut d, &mut rest, &body, (method, end, smooth));
    loaded(&mut d, &mut rest, &body, (end, smooth, wild));
    started(&mut d, &mut rest, &body, (method, smooth, wild));
    grabbed(&mut d, &mut rest, &body, (method, end));
    let [x, y, z] = body.extent;
    writeln!(rest, "[[probe]]\nname = \"tip\"\nbody = \"b\"\nat = [{x:e}, {:e}, {:e}]", 0.5 * y, 0.5 * z)
        .unwrap();
    writeln!(rest, "[[probe]]\nname = \"side\"\nbody = \"b\"\nat = [{:e}, {:e}, {z:e}]", 0.5 * x, 0.5 * y)
        .unwrap();
    writeln!(rest, "[output]\nframes_per_second = {:e}", 4.0 / end).unwrap();
    let symmetric = body.law != "warped" && !rest.contains("\npressure");
    Scene { method, size: x, far: x + body.place, time: body.time, symmetric, head, rest }
}

fn method(d: &mut Draw, body: &Body) -> Method {
    let step = |d: &mut Draw, from: f64, to: f64| (!d.chance(0.25)).then(|| body.time * d.log(from, to));
    let euler = |d: &mut Draw| Method::Euler {
        step: step(d, 0.02, 2.0),
        newton: d.chance(0.3),
        solver: d.pick(&["auto", "auto", "gradients"]),
        tolerance: 1e-6,
    };
    match d.below(if body.law == "warped" { 4 } else { 10 }) {
        0..4 => euler(d),
        4..6 => Method::Explicit { safety: d.pick(&[0.05, 0.1, 0.96]) },
        6..8 => Method::Newmark { step: Some(0.004 * body.time) },
        8 => Method::Static,
        _ => Method::Quasistatic,
    }
}

/// Matter and mesh.
struct Body {
    law: &'static str,
    extent: [f64; 3],
    young: f64,
    time: f64,
    /// Along x, m.
    place: f64,
    text: String,
}

impl Body {
    fn new(d: &mut Draw, wild: bool) -> Self {
        let law = d.pick(&["linear", "st-venant", "neo-hookean", "corotated", "warped"]);
        let young = if wild && d.chance(0.5) { d.log(1e-2, 1e13) } else { d.log(1e4, 1e8) };
        let poisson = match wild && d.chance(0.5) {
            true => d.pick(&[-0.9, -0.3, 0.48, 0.49, 0.499, 0.4999, 0.49999]),
            false => d.between(0.0, 0.45),
        };
        let density = if wild && d.chance(0.5) { d.log(1e-2, 1e6) } else { d.log(300.0, 8000.0) };
        let size = if wild && d.chance(0.5) { d.log(1e-6, 1e6) } else { d.log(0.02, 2.0) };
        let extent = [size, size * d.log(0.1, 1.0), size * d.log(0.1, 1.0)];
        let time = size / (young / density).sqrt();
        let mut text = format!(
            "[material.m]\nlaw = \"{law}\"\nyoung = {young:e}\npoisson = {poisson}\ndensity = {density:e}\n"
        );
        match d.below(5) {
            0 => writeln!(text, "damping = {{ mass = {:e} }}", d.log(0.01, 1.0) / time).unwrap(),
            1 if law != "warped" => {
                writeln!(text, "damping = {{ stiffness = {:e} }}", d.log(1e-4, 1e-2) * time).unwrap();
            }
            _ => {}
        }
        if matches!(law, "linear" | "corotated") && d.chance(0.1) {
            writeln!(text, "stretch_limit = {{ strain = {:e}, factor = 5 }}", d.log(0.02, 0.5)).unwrap();
        }
        let cells = [2 + d.below(3), 1 + d.below(3), 1 + d.below(3)];
        let element = d.pick(&["tet5", "tet6", "hex"]);
        let mass = if d.chance(0.15) { "mass = \"consistent\"\n" } else { "" };
        let place = if wild && d.chance(0.2) { size * d.log(1.0, 1e12) } else { 0.0 };
        write!(
            text,
            "[body.b]\nmaterial = \"m\"\n{mass}position = [{place:e}, 0, 0]\nmesh = {{ shape = \"box\", size = [{:e}, {:e}, {:e}], cells = {cells:?}, element = \"{element}\" }}\n",
            extent[0], extent[1], extent[2]
        )
        .unwrap();
        Self { law, extent, young, time, place, text }
    }

    fn tables(&self) -> String {
        self.text.clone()
    }
}

/// A clamp at x = 0, at rest or carried.
fn held(d: &mut Draw, out: &mut String, body: &Body, (method, end, smooth): (Method, f64, bool)) {
    if method.moves() && d.chance(0.15) {
        return;
    }
    // velocities and places of other tables come before those of a fix
    let mut fix =
        "[[body.b.fix]]\nwhere = { plane = { point = [0, 0, 0], normal = [1, 0, 0] } }\n".to_string();
    let way = body.extent[0] * d.log(1e-4, 0.1);
    match d.below(6) {
        0 => writeln!(fix, "move = [0, 0, {way:e}]\nover = {end:e}").unwrap(),
        1 => writeln!(
            fix,
            "turn = {{ axis = [1, 0, 0], angle = \"{} deg\", center = [0, 0, 0] }}\nover = {end:e}",
            d.between(1.0, 40.0)
        )
        .unwrap(),
        2 if method.moves() && !smooth => {
            writeln!(fix, "sine = {{ amplitude = [0, {way:e}, 0], frequency = {:e} }}", 0.5 / end).unwrap();
        }
        3 if method.moves() => {
            writeln!(
                fix,
                "table = [[0, [0, 0, 0]], [{:e}, [0, {way:e}, 0]], [{end:e}, [0, 0, 0]]]",
                0.5 * end
            )
            .unwrap();
        }
        _ => {}
    }
    out.push_str(&fix);
}

/// A load on the far end, or on all of the body.
fn loaded(d: &mut Draw, out: &mut String, body: &Body, (end, smooth, wild): (f64, bool, bool)) {
    let strain = if wild && d.chance(0.3) { d.log(0.1, 1e4) } else { d.log(1e-5, 3e-2) };
    let (pressure, [x, y, z]) = (body.young * strain, body.extent);
    let end_face = format!("where = {{ plane = {{ point = [{x:e}, 0, 0], normal = [1, 0, 0] }} }}");
    let load = match d.below(6) {
        0 => format!("{end_face}\ntraction = [0, {pressure:e}, {:e}]", 0.5 * pressure),
        1 => format!("{end_face}\nforce = [{:e}, 0, 0]", pressure * y * z),
        2 => format!("{end_face}\npressure = {pressure:e}"),
        3 => format!("where = \"all\"\nbody_force = [0, 0, {:e}]", -pressure / x),
        _ => return,
    };
    writeln!(out, "[[body.b.load]]\n{load}").unwrap();
    if smooth || d.chance(0.5) {
        writeln!(out, "over = {end:e}").unwrap();
    }
}

/// Strain, stress or another shape at the start.
fn started(d: &mut Draw, out: &mut String, body: &Body, (method, smooth, wild): (Method, bool, bool)) {
    if smooth || !d.chance(0.12) {
        return;
    }
    let strain = if wild && d.chance(0.3) { d.log(0.1, 1e6) } else { d.log(1e-4, 3e-2) };
    if matches!(body.law, "linear" | "st-venant") {
        writeln!(out, "[[body.b.initial]]\nstress = [{:e}, 0, 0, 0, 0, 0]", body.young * strain).unwrap();
    } else if body.law != "warped" && method.moves() {
        let stretch = 1.0 + strain.min(1e3);
        writeln!(out, "[[body.b.initial]]\nrelaxed = [[{stretch:e}, 0, 0], [0, 1, 0], [0, 0, 1]]").unwrap();
    }
}

/// A hand at the far end.
fn grabbed(d: &mut Draw, out: &mut String, body: &Body, (method, end): (Method, f64)) {
    if !method.moves() || !d.chance(0.12) {
        return;
    }
    let [x, y, z] = body.extent;
    let (y, z) = (0.5 * y, 0.5 * z);
    let way = x * d.log(1e-3, 0.2);
    writeln!(
        out,
        "[[grab]]\nbody = \"b\"\nat = [{x:e}, {y:e}, {z:e}]\npath = [[0, [{x:e}, {y:e}, {z:e}]], [{end:e}, [{x:e}, {y:e}, {:e}]]]",
        z + way
    )
    .unwrap();
}

/// Numbers from a seed (SplitMix64).
struct Draw(u64);

impl Draw {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5151)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn chance(&mut self, part: f64) -> bool {
        self.unit() < part
    }

    fn below(&mut self, count: usize) -> usize {
        (self.unit() * count as f64) as usize
    }

    fn between(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.unit()
    }

    fn log(&mut self, from: f64, to: f64) -> f64 {
        from * (to / from).powf(self.unit())
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}
