//! A fine surface on coarse cells shows what the cells do.

use std::path::Path;

use pliant_geometry::Mesh;
use pliant_scene::mesh_file;

use super::support::{played, run, text};

fn surface(out: &Path, frame: usize) -> Mesh {
    mesh_file::read(&out.join(format!("surfaces/ring_{frame:06}.vtu"))).unwrap().mesh
}

/// Mean distance of the vertices from the axis of the ring, m.
fn radius(surface: &Mesh) -> f64 {
    surface.positions().iter().map(|p| p[0].hypot(p[1])).sum::<f64>() / surface.node_count() as f64
}

/// Half a ring is held by two sections A against the pull of its matter: P A = rho A w^2 R R (1 + e) at the radius R (1 + e). The spin keeps
/// its momentum, w = w0 / (1 + e)^2, so that e (1 + e)^3 = rho w0^2 R^2 / E.
#[test]
fn the_fine_ring_widens_as_its_hoop_must() {
    let (_keep, out) = played("embedded_ring");
    let pull = 1000.0 * (20.0 * 0.1_f64).powi(2) / 1e5;
    let strain = (0..60).fold(0.0, |e: f64, _| pull / (1.0 + e).powi(3));
    let (first, last) = (surface(&out, 0), surface(&out, 30));
    assert_eq!((last.node_count(), last.triangles().len()), (3072, 6144));
    let wider = radius(&last) / radius(&first) - 1.0;
    // a ring this thick widens by 1.8 % less than a hoop (a spinning disc with a hole), chords of 32 pieces by 0.6 % less than a circle
    assert!((wider / strain - 1.0).abs() < 0.04, "{wider} beside {strain}");
    // it has turned, and its vertices lie on a torus still, thinner by Poisson's ratio: none has been left behind
    let spread = |mesh: &Mesh, scale: f64| {
        let tube = |p: &[f64; 3]| (p[0].hypot(p[1]) / scale - 0.1).hypot(p[2]);
        mesh.positions().iter().map(|p| (tube(p) - 0.02).abs()).fold(0.0, f64::max)
    };
    assert!(spread(&first, 1.0) < 1e-12);
    assert!(spread(&last, 1.0 + wider) < 1.5e-3, "{}", spread(&last, 1.0 + wider));
}

#[test]
fn check_tells_how_the_surface_lies_to_the_cells() {
    let output = run(&["check", "scenes/embedded_ring.toml"]);
    let line = "  surface: 3072 vertices, 6144 triangles, 2944 outside the cells, by 3.060e-3 m at most";
    assert!(text(&output).contains(line), "{}", text(&output));
    let output = run(&["check", "scenes/embedded_ring.toml", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let surface = &report["surfaces"][0];
    assert_eq!([&surface["outside"], &surface["far_outside"], &surface["triangles"]], [2944, 0, 6144]);
    // the middle between two corners of a hexagon, where the chord of two sections is lowest
    let distance = surface["farthest"]["distance_m"].as_f64().unwrap();
    assert!((distance - 3.06e-3).abs() < 1e-5, "{distance}");
}
