//! The scene that shows frames in POV-Ray: camera, lights, background and the frame that is asked for.
//!
//! The camera looks at the middle of the bounds from the front, the right and above, from 2.4 times their diagonal: half
//! an angle of 15 degrees (40 across, in a picture of 4:3) would show a ball of that diameter from 1.9 times. POV-Ray's own
//! axes are left-handed; the camera's mirrored `right` makes them right-handed, and `sky` turns z up.

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
}

/// Writes the scene, replacing what is there.
pub fn write_pov_scene(path: &Path, scene: &PovScene) -> io::Result<()> {
    replace_file(path, |out| write(out, path, scene))
}

fn write(out: &mut impl Write, path: &Path, scene: &PovScene) -> io::Result<()> {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
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
        "// written by Pliant; in this folder: povray {file} +KFI0 +KFF30   renders the frames 0 to 30, of {} a second.\n\
         #version 3.7;\n\
         global_settings {{ assumed_gamma 1.0 }}\n\
         background {{ color rgb <0.85, 0.89, 0.94> }}\n\
         camera {{\n  location {camera}\n  sky z\n  right -x*image_width/image_height\n  angle 40\n  \
         look_at <{x:?}, {y:?}, {z:?}>\n}}\n\
         light_source {{ {sun} color rgb 0.9 }}\n\
         light_source {{ {fill} color rgb 0.25 shadowless }}\n",
        scene.frames_per_second
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
