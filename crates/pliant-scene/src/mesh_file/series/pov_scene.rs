//! The scene that shows frames in POV-Ray: camera, lights, background and the frame that is asked for.
//!
//! The camera looks at the middle of the bounds from the front, the right and above, from 2.4 times their diagonal: half
//! an angle of 15 degrees (40 across, in a picture of 4:3) would show a ball of that diameter from 1.9 times. POV-Ray's own
//! axes are left-handed; the camera's mirrored `right` makes them right-handed, and `sky` turns z up.
//!
//! The first line tells how to render all frames that are there; every frame brings it up to date, and it alone.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use pliant_geometry::Bounds;

use crate::replace::replace_file;

/// What a scene shows.
#[derive(Clone, Copy, Debug)]
pub struct PovScene<'a> {
    /// Series of frames in the folder of the scene.
    pub names: &'a [&'a str],
    /// What the camera looks at, m.
    pub bounds: Bounds,
    /// Frames of a second of simulated time.
    pub frames_per_second: f64,
    /// The number of the last frame that is there.
    pub last_frame: u64,
}

/// Writes the scene, replacing what is there.
pub fn write_pov_scene(path: &Path, scene: &PovScene) -> io::Result<()> {
    replace_file(path, |out| write(out, path, scene))
}

/// How every first line of ours begins.
const FIRST: &str = "// written by Pliant; in this folder: povray ";

/// The first line: how to render the frames up to the last one.
fn first_line(path: &Path, frames_per_second: f64, last: u64) -> String {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let frames = match last {
        0 => "frame 0, the only one".into(),
        _ => format!("the frames 0 to {last}, of {frames_per_second} a second"),
    };
    format!("{FIRST}{file} +KFI0 +KFF{last}   renders {frames}.")
}

/// Brings the first line up to date; what follows stays as it is, and so does a first line that is not ours.
pub fn set_last_frame(path: &Path, frames_per_second: f64, last: u64) -> io::Result<()> {
    let text = match fs::read_to_string(path) {
        // gone, or rewritten by somebody in another encoding: not ours to mend
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidData) => {
            return Ok(());
        }
        text => text.map_err(super::at(path))?,
    };
    let (line, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let now = first_line(path, frames_per_second, last);
    if !line.starts_with(FIRST) || line == now {
        return Ok(());
    }
    replace_file(path, |out| write!(out, "{now}\n{rest}"))
}

fn write(out: &mut impl Write, path: &Path, scene: &PovScene) -> io::Result<()> {
    let diagonal = scene.bounds.diagonal();
    // a single point has no size
    let diagonal = if diagonal > 0.0 { diagonal } else { 1.0 };
    let [x, y, z] = scene.bounds.center();
    let from_center = |direction: [f64; 3], distance: f64| {
        let length = direction.iter().map(|d| d * d).sum::<f64>().sqrt();
        let at = |k: usize| [x, y, z][k] + direction[k] * (distance * diagonal / length);
        format!("<{:?}, {:?}, {:?}>", at(0), at(1), at(2))
    };
    let (camera, sun, fill) = (
        from_center([1.0, -2.0, 1.0], 2.4),
        from_center([3.0, -2.0, 5.0], 20.0),
        from_center([-3.0, -2.0, 1.0], 20.0),
    );
    write!(
        out,
        "{}\n\
         #version 3.7;\n\
         global_settings {{ assumed_gamma 1.0 }}\n\
         background {{ color rgb <0.85, 0.89, 0.94> }}\n\
         camera {{\n  location {camera}\n  sky z\n  right -x*image_width/image_height\n  angle 40\n  \
         look_at <{x:?}, {y:?}, {z:?}>\n}}\n\
         light_source {{ {sun} color rgb 0.9 }}\n\
         light_source {{ {fill} color rgb 0.25 shadowless }}\n",
        first_line(path, scene.frames_per_second, scene.last_frame)
    )?;
    for (i, name) in scene.names.iter().enumerate() {
        let name = name.replace('\\', "\\\\").replace('"', "\\\"");
        write!(
            out,
            "object {{\n  #include concat(\"{name}_\", str(frame_number, -6, 0), \".inc\")\n  \
             texture {{ pigment {{ color rgb {} }} finish {{ ambient 0.1 diffuse 0.8 specular 0.2 }} }}\n}}\n",
            COLORS[i % COLORS.len()]
        )?;
    }
    Ok(())
}

/// For the bodies in turn.
const COLORS: [&str; 4] =
    ["<0.80, 0.30, 0.22>", "<0.20, 0.45, 0.75>", "<0.35, 0.65, 0.30>", "<0.85, 0.65, 0.20>"];
