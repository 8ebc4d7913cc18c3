//! Curves over a common axis, in plain SVG: plots side by side, one legend below.
//!
//! Text and axes take the colour of their surroundings, so that a page may be light or dark.

use std::fmt::Write;

use crate::verify::shown;

/// How a curve is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stroke {
    /// A line.
    Solid,
    /// A broken line.
    Dashed,
    /// Dashes and dots in turn.
    DashDot,
    /// A mark at each point, no line.
    Marks,
}

/// One curve.
pub struct Curve {
    /// Its name in the legend.
    pub name: String,
    /// CSS colour.
    pub color: &'static str,
    /// How it is drawn.
    pub stroke: Stroke,
    /// From left to right.
    pub points: Vec<[f64; 2]>,
}

/// How values become places.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Evenly.
    Linear,
    /// By their logarithms.
    Logarithmic,
}

/// Curves in one frame.
pub struct Plot {
    /// What is shown, above the frame.
    pub title: String,
    /// Below the horizontal axis.
    pub across: &'static str,
    /// Of both axes.
    pub scale: Scale,
    /// What is drawn.
    pub curves: Vec<Curve>,
}

const WIDTH: f64 = 960.0;
const TOP: f64 = 40.0;
const FRAME: f64 = 300.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 26.0;

/// The frame of one plot on the page and the values at its edges.
struct Frame {
    left: f64,
    width: f64,
    scale: Scale,
    /// Lowest and highest, across and up, in the measure of the scale.
    range: [[f64; 2]; 2],
}

impl Frame {
    fn of(plot: &Plot, left: f64, width: f64) -> Self {
        let points = || plot.curves.iter().flat_map(|curve| &curve.points);
        let range = [0, 1].map(|c| {
            let low = points().map(|p| p[c]).fold(f64::INFINITY, f64::min);
            let high = points().map(|p| p[c]).fold(f64::NEG_INFINITY, f64::max);
            match plot.scale {
                Scale::Linear => [0.0, if high > 0.0 { 1.04 * high } else { 1.0 }],
                Scale::Logarithmic => {
                    [low.log10().floor(), high.log10().ceil().max(low.log10().floor() + 1.0)]
                }
            }
        });
        Self { left, width, scale: plot.scale, range }
    }

    fn part(&self, c: usize, value: f64) -> f64 {
        let value = if self.scale == Scale::Linear { value } else { value.log10() };
        (value - self.range[c][0]) / (self.range[c][1] - self.range[c][0])
    }

    fn x(&self, value: f64) -> f64 {
        self.left + self.width * self.part(0, value)
    }

    fn y(&self, value: f64) -> f64 {
        TOP + FRAME * (1.0 - self.part(1, value))
    }

    /// Values that get a line and a number.
    fn ticks(&self, c: usize) -> Vec<f64> {
        let [low, high] = self.range[c];
        if self.scale == Scale::Logarithmic {
            return (low as i32..=high as i32).map(|power| 10_f64.powi(power)).collect();
        }
        let rough = (high - low) / 5.0;
        let power = 10_f64.powf(rough.log10().floor());
        let step =
            [1.0, 2.0, 5.0, 10.0].map(|k| k * power).into_iter().find(|s| *s >= rough).unwrap_or(rough);
        (0..=(high / step) as usize).map(|k| k as f64 * step).collect()
    }
}

/// The picture; curves of equal name share a line of the legend.
pub fn plots(all: &[Plot]) -> String {
    let mut named: Vec<&Curve> = Vec::new();
    for curve in all.iter().flat_map(|plot| &plot.curves) {
        if named.iter().all(|known| known.name != curve.name) {
            named.push(curve);
        }
    }
    let legend = TOP + FRAME + 62.0;
    let height = legend + 22.0 * named.len().div_ceil(4) as f64;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" font-family=\"system-ui, sans-serif\" \
         font-size=\"13\" fill=\"currentColor\" role=\"img\">\n"
    );
    let share = WIDTH / all.len().max(1) as f64;
    for (i, plot) in all.iter().enumerate() {
        let frame = Frame::of(plot, share * i as f64 + LEFT, share - LEFT - RIGHT);
        axes(&mut out, plot, &frame);
        plot.curves.iter().for_each(|curve| draw(&mut out, curve, &frame));
    }
    for (i, curve) in named.iter().enumerate() {
        let (x, y) = (LEFT + 220.0 * (i % 4) as f64, legend + 22.0 * (i / 4) as f64);
        line(&mut out, curve, &format!("M{x:.1} {y:.1}h26"));
        if curve.stroke == Stroke::Marks {
            mark(&mut out, curve, x + 13.0, y);
        }
        let _ = writeln!(out, "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>", x + 34.0, y + 4.5, curve.name);
    }
    out + "</svg>\n"
}

fn axes(out: &mut String, plot: &Plot, frame: &Frame) {
    let (bottom, right) = (TOP + FRAME, frame.left + frame.width);
    for value in frame.ticks(0) {
        let x = frame.x(value);
        let _ = writeln!(
            out,
            "<path d=\"M{x:.1} {TOP}V{bottom}\" stroke=\"currentColor\" opacity=\"0.15\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"11\">{}</text>",
            bottom + 16.0,
            shown(value, 3)
        );
    }
    for value in frame.ticks(1) {
        let y = frame.y(value);
        let _ = writeln!(
            out,
            "<path d=\"M{:.1} {y:.1}H{right:.1}\" stroke=\"currentColor\" opacity=\"0.15\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"11\">{}</text>",
            frame.left,
            frame.left - 6.0,
            y + 4.0,
            shown(value, 3)
        );
    }
    let middle = 0.5 * (frame.left + right);
    let _ = writeln!(
        out,
        "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-weight=\"600\">{}</text>\
         <text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"12\">{}</text>",
        TOP - 14.0,
        plot.title,
        bottom + 36.0,
        plot.across
    );
}

fn draw(out: &mut String, curve: &Curve, frame: &Frame) {
    let places = curve.points.iter().map(|p| [frame.x(p[0]), frame.y(p[1])]);
    if curve.stroke == Stroke::Marks {
        return places.for_each(|[x, y]| mark(out, curve, x, y));
    }
    let steps: Vec<String> = places
        .enumerate()
        .map(|(i, [x, y])| format!("{}{x:.1} {y:.1}", if i == 0 { 'M' } else { 'L' }))
        .collect();
    line(out, curve, &steps.concat());
}

fn mark(out: &mut String, curve: &Curve, x: f64, y: f64) {
    let _ = writeln!(
        out,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>",
        curve.color
    );
}

fn line(out: &mut String, curve: &Curve, path: &str) {
    let dashes = match curve.stroke {
        Stroke::Solid => "",
        Stroke::Dashed => " stroke-dasharray=\"7 4\"",
        Stroke::DashDot => " stroke-dasharray=\"8 3 2 3\"",
        Stroke::Marks => return,
    };
    let _ = writeln!(
        out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" stroke-linejoin=\"round\"{dashes}/>",
        curve.color
    );
}
