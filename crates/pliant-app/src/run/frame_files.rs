//! What a frame becomes on disk: a .vtu file for each body with a .pvd series, and series of surfaces.
//!
//! `frames/BODY_000012.vtu` and `SCENE.pvd` for whole bodies; every kind of surface series has a folder of its own
//! (`obj`, `ply`, `pc2`, `gltf`, `pov`). A body with a finer surface is that one there, and beside its .vtu files has
//! `surfaces/BODY_000012.vtu` and `SCENE_surfaces.pvd`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pliant_geometry::{Bounds, Embedding, NodeMeans};
use pliant_scene::mesh_file::series::{
    PovScene, SeriesKind, SeriesPlace, SurfaceFrame, SurfaceSeries, clear_series, is_ours, open_series,
    set_last_frame, write_pov_scene,
};
use pliant_scene::mesh_file::{
    Field, FieldValues, GroupMarks, PvdSeries, TriangleSurface, VtuFrame, write_vtu,
};
use pliant_scene::spec::Format;
use pliant_solid::{Body, BodyFields, FullState, Model, Network};

use super::finer::FinerSurface;

/// Which frames a run writes, and where.
pub struct FramePlan<'a> {
    /// The folder of the run.
    pub folder: &'a Path,
    /// The scene's name.
    pub name: &'a str,
    /// Formats, each once.
    pub formats: &'a [Format],
    /// The finer surface of each body that has one.
    pub surfaces: &'a [Option<Arc<Embedding>>],
    /// Frames of a second of simulated time.
    pub frames_per_second: f64,
    /// Frames of an earlier run that stay, and the time they reach, s.
    pub kept: (u64, f64),
}

/// What the fields of a frame hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameValues {
    /// Numbers.
    Finite,
    /// Somewhere a value that is none, or too large for the file.
    NotFinite,
}

/// The files that frames go to.
pub struct FrameFiles {
    model: Arc<Model>,
    folder: PathBuf,
    pvd: Option<PvdSeries>,
    surfaces_pvd: Option<PvdSeries>,
    /// What stands for a body in surface formats, if not its boundary.
    finer: Vec<Option<FinerSurface>>,
    /// Groups of each body, the same in all frames.
    groups: Vec<GroupMarks>,
    means: Vec<NodeMeans>,
    /// By the number of the body.
    series: Vec<(usize, Box<dyn SurfaceSeries>)>,
    /// The scene with all bodies, where there are several.
    pov_scene: Option<PathBuf>,
    /// Whether that scene still waits for a frame to look at.
    pov_waits: bool,
    /// The number of the last frame that is there.
    last_frame: Option<u64>,
    frames_per_second: f64,
}

impl FrameFiles {
    /// Starts all series, or goes on with those that an earlier run left.
    pub fn open(plan: &FramePlan, model: Arc<Model>) -> io::Result<Self> {
        let vtu = plan.formats.contains(&Format::Vtu);
        let pvd = vtu.then(|| open_pvd(plan, "", "frames")).transpose()?;
        let any_finer = vtu && plan.surfaces.iter().any(Option::is_some);
        let surfaces_pvd = any_finer.then(|| open_pvd(plan, "_surfaces", "surfaces")).transpose()?;
        let kinds: Vec<SeriesKind> = plan.formats.iter().filter_map(|format| format.series()).collect();
        let mut series = Vec::new();
        for (body, part) in model.layout().bodies().iter().enumerate() {
            let finer = plan.surfaces[body].as_deref().map(Embedding::surface);
            let mesh = finer.unwrap_or(&part.mesh);
            // a table of particles has no surface, which the check of the scene says
            let has_surface = mesh.cell_count() > 0 || !mesh.triangles().is_empty();
            for &kind in kinds.iter().filter(|_| has_surface) {
                let surface = match finer {
                    Some(finer) => TriangleSurface::of(finer).map_err(io::Error::other)?,
                    None => TriangleSurface::of_boundary(&part.mesh, part.boundary()),
                };
                series.push((body, open_surface(plan, kind, &part.name, surface)?));
            }
        }
        let bodies = model.layout().bodies();
        let several = kinds.contains(&SeriesKind::Pov) && bodies.len() > 1;
        let names: Vec<&str> = bodies.iter().map(|body| body.name.as_str()).collect();
        let pov_scene = several.then(|| plan.folder.join("pov").join(format!("{}.pov", name_of_all(&names))));
        let frames_per_second = plan.frames_per_second;
        let groups = bodies.iter().map(|body| GroupMarks::of(&body.mesh, MOST_GROUPS)).collect();
        let means = bodies.iter().map(|body| NodeMeans::of_all(&body.mesh)).collect();
        Ok(Self {
            groups,
            means,
            model,
            folder: plan.folder.to_path_buf(),
            pvd,
            surfaces_pvd,
            finer: plan.surfaces.iter().map(|s| s.as_ref().map(FinerSurface::new)).collect(),
            series,
            pov_waits: plan.kept.0 == 0,
            last_frame: plan.kept.0.checked_sub(1),
            pov_scene,
            frames_per_second,
        })
    }

    /// Writes a frame everywhere.
    pub fn push(&mut self, number: u64, full: &FullState) -> io::Result<FrameValues> {
        let fields = self.model.fields(full);
        let values = if fields.iter().all(is_finite) { FrameValues::Finite } else { FrameValues::NotFinite };
        let (mut files, mut surface_files) = (Vec::new(), Vec::new());
        for (index, body) in self.model.layout().bodies().iter().enumerate() {
            let positions: Vec<[f64; 3]> = body.world.iter().map(|w| triple(&full.x, *w)).collect();
            let mut von_mises = Vec::with_capacity(positions.len());
            self.means[index].extend(&fields[index].von_mises, &mut von_mises);
            if self.pvd.is_some() {
                let file = format!("frames/{}_{number:06}.vtu", body.name);
                let shown =
                    Shown { positions: &positions, von_mises: &von_mises, groups: &self.groups[index] };
                let network = self.model.matter()[index].network();
                write_body(&self.folder.join(&file), (body, network), &fields[index], full, &shown)?;
                files.push(file);
            }
            let mut frame =
                SurfaceFrame { number, time: full.time, positions: &positions, von_mises: &von_mises };
            if let Some(finer) = &mut self.finer[index] {
                finer.follow(&frame);
                frame = finer.frame(&frame);
                if self.surfaces_pvd.is_some() {
                    let file = format!("surfaces/{}_{number:06}.vtu", body.name);
                    finer.write_vtu(&self.folder.join(&file))?;
                    surface_files.push(file);
                }
            }
            for (_, series) in self.series.iter_mut().filter(|(body, _)| *body == index) {
                series.push(&frame)?;
            }
        }
        self.last_frame = Some(number);
        if std::mem::take(&mut self.pov_waits) {
            self.write_all_bodies(number, full)?;
        }
        self.tell_last_frame()?;
        if let Some(pvd) = &mut self.surfaces_pvd {
            pvd.push(full.time, surface_files)?;
        }
        if let Some(pvd) = &mut self.pvd {
            pvd.push(full.time, files)?;
        }
        Ok(values)
    }

    /// One scene of POV-Ray with every body.
    fn write_all_bodies(&self, last_frame: u64, full: &FullState) -> io::Result<()> {
        let Some(path) = &self.pov_scene else { return Ok(()) };
        let places = full.x.chunks_exact(3).map(|x| [x[0], x[1], x[2]]);
        let Some(bounds) = Bounds::of(places) else { return Ok(()) };
        // particles without a surface have no frames to show
        let shown = |index: &usize| self.series.iter().any(|(body, _)| body == index);
        let bodies = self.model.layout().bodies();
        let names: Vec<&str> = (0..bodies.len()).filter(shown).map(|b| bodies[b].name.as_str()).collect();
        let frames_per_second = self.frames_per_second;
        write_pov_scene(path, &PovScene { names: &names, bounds, frames_per_second, last_frame })
    }

    /// The scene with all bodies names the frames that are there.
    fn tell_last_frame(&self) -> io::Result<()> {
        match (&self.pov_scene, self.last_frame) {
            (Some(path), Some(last)) => set_last_frame(path, self.frames_per_second, last),
            _ => Ok(()),
        }
    }

    /// Brings everything up to date.
    pub fn finish(&mut self) -> io::Result<()> {
        for (_, series) in &mut self.series {
            series.finish()?;
        }
        self.tell_last_frame()?;
        self.surfaces_pvd.as_mut().map_or(Ok(()), PvdSeries::flush)?;
        self.pvd.as_mut().map_or(Ok(()), PvdSeries::flush)
    }
}

/// The name of the POV-Ray scene that shows all bodies: one of their own names is taken by the scene of that body.
pub fn name_of_all(bodies: &[&str]) -> String {
    let mut name = "all_bodies".to_string();
    while bodies.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// Whether all values can be written: files have them in single precision.
fn is_finite(fields: &BodyFields) -> bool {
    let all = [&fields.von_mises, &fields.energy_density, &fields.volume_ratio];
    all.into_iter().flatten().all(|value| (*value as f32).is_finite())
}

fn incomplete(pvd: &Path, count: u64) -> io::Error {
    let problem = format!(
        "{}: it should list {count} frames and lists fewer; put it back as it was, or run without --resume to start anew",
        pvd.display()
    );
    io::Error::new(io::ErrorKind::InvalidData, problem)
}

/// The time line SCENEending.pvd of files in a folder: a new one, or that of the earlier run as far as it stays.
fn open_pvd(plan: &FramePlan, ending: &str, folder: &str) -> io::Result<PvdSeries> {
    let (count, time) = plan.kept;
    fs::create_dir_all(plan.folder.join(folder))?;
    let path = plan.folder.join(format!("{}{ending}.pvd", plan.name));
    if count == 0 {
        return Ok(PvdSeries::new(&path));
    }
    if !path.exists() {
        return Err(incomplete(&path, count));
    }
    remove_frames_after(&path, plan.folder, time)?;
    let mut series = PvdSeries::reload(&path, time)?;
    if (series.frames().len() as u64) < count {
        return Err(incomplete(&path, count));
    }
    // the last state of a run that diverged is off the beat
    series.truncate(count as usize)?;
    Ok(series)
}

fn open_surface(
    plan: &FramePlan,
    kind: SeriesKind,
    name: &str,
    surface: TriangleSurface,
) -> io::Result<Box<dyn SurfaceSeries>> {
    let folder = plan.folder.join(kind.word());
    fs::create_dir_all(&folder)?;
    let (kept_frames, frames_per_second) = (plan.kept.0, plan.frames_per_second);
    open_series(kind, &SeriesPlace { folder: &folder, name, kept_frames, frames_per_second }, surface)
}

/// Forgets what earlier runs left in a folder, of this scene or another: it would look like part of the new run.
pub fn remove_earlier_frames(folder: &Path) -> io::Result<()> {
    for (word, kind) in SeriesKind::WORDS {
        clear_series(kind, &folder.join(word))?;
    }
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    entries.retain(|path| path.extension().is_some_and(|ending| ending == "pvd"));
    for pvd in entries {
        // a series of somebody else's is left alone
        let old = is_ours(&pvd).then(|| PvdSeries::reload(&pvd, f64::INFINITY).ok()).flatten();
        let ours = |series: PvdSeries| {
            let frames = series.frames();
            !frames.is_empty() && frames.iter().flat_map(|f| &f.files).all(|f| is_frame_file(f))
        };
        if old.is_some_and(ours) {
            remove_frames_after(&pvd, folder, f64::NEG_INFINITY)?;
            fs::remove_file(&pvd)?;
        }
    }
    Ok(())
}

/// Removes the files of all frames after a time.
fn remove_frames_after(pvd: &Path, folder: &Path, time: f64) -> io::Result<()> {
    if !pvd.exists() {
        return Ok(());
    }
    let old = PvdSeries::reload(pvd, f64::INFINITY)?;
    for file in old.frames().iter().filter(|f| f.time > time).flat_map(|f| &f.files) {
        if !is_frame_file(file) || !is_ours(&folder.join(file)) {
            continue;
        }
        match fs::remove_file(folder.join(file)) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
            _ => {}
        }
    }
    Ok(())
}

/// Whether a series names a file that this program could have written there.
fn is_frame_file(name: &str) -> bool {
    let rest = name.strip_prefix("frames/").or_else(|| name.strip_prefix("surfaces/"));
    rest.is_some_and(|rest| rest.ends_with(".vtu") && !rest.contains(['/', '\\']))
}

/// The three numbers of a node.
fn triple(values: &[f64], world: u32) -> [f64; 3] {
    let v = &values[3 * world as usize..][..3];
    [v[0], v[1], v[2]]
}

/// Groups of a body that its frames show.
const MOST_GROUPS: usize = 64;

/// What is known of a body's frame already.
struct Shown<'a> {
    positions: &'a [[f64; 3]],
    /// At the nodes.
    von_mises: &'a [f64],
    groups: &'a GroupMarks,
}

/// One body in the mesh file's order.
fn write_body(
    path: &Path,
    (body, network): (&Body, Option<&Network>),
    fields: &BodyFields,
    full: &FullState,
    shown: &Shown,
) -> io::Result<()> {
    let velocities: Vec<f64> = body.world.iter().flat_map(|w| triple(&full.v, *w)).collect();
    let rest = body.mesh.positions();
    let displacements: Vec<f64> =
        shown.positions.iter().zip(rest).flat_map(|(x, r)| [x[0] - r[0], x[1] - r[1], x[2] - r[2]]).collect();
    let field = |name, components, values| Field { name, components, values: FieldValues::F64AsF32(values) };
    let mut point_fields = vec![
        Field { name: "displacement", components: 3, values: FieldValues::F64(&displacements) },
        Field { name: "velocity", components: 3, values: FieldValues::F64(&velocities) },
        field("von_mises", 1, shown.von_mises),
    ];
    point_fields.extend(shown.groups.point_fields());
    let drawn = drawn_cells(body, network);
    // what is drawn in place of cells has no stress
    let shown_of = |values: &[f64], nothing: f64| {
        let extra = drawn.0.len() + drawn.1.len();
        values.iter().copied().chain(std::iter::repeat_n(nothing, extra)).collect::<Vec<f64>>()
    };
    let stress = shown_of(&fields.von_mises, 0.0);
    let (energy, ratio) = (shown_of(&fields.energy_density, 0.0), shown_of(&fields.volume_ratio, 1.0));
    let mut cell_fields = vec![
        field("von_mises", 1, &stress),
        field("energy_density", 1, &energy),
        field("volume_ratio", 1, &ratio),
    ];
    cell_fields.extend(shown.groups.cell_fields(body.mesh.cell_count()));
    write_vtu(
        path,
        &VtuFrame {
            positions: shown.positions,
            tets: body.mesh.tets(),
            hexes: body.mesh.hexes(),
            triangles: drawn.0,
            lines: &drawn.1,
            point_fields: &point_fields,
            cell_fields: &cell_fields,
        },
    )
}

/// Triangles and lines that show a body without cells: its sheet, else its springs.
fn drawn_cells<'a>(body: &'a Body, network: Option<&Network>) -> (&'a [[u32; 3]], Vec<[u32; 2]>) {
    if body.mesh.cell_count() > 0 {
        return (&[], Vec::new());
    }
    let springs = network.filter(|_| body.mesh.triangles().is_empty()).map(|n| &n.springs);
    let lines = springs.into_iter().flatten().map(|(nodes, _)| *nodes).collect();
    (body.mesh.triangles(), lines)
}
