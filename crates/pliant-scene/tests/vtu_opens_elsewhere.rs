//! Frames that Pliant writes, read back by meshio: the same points, cells and fields.
#![allow(clippy::unwrap_used)]

use crate::support;

use std::path::Path;

use pliant_scene::mesh_file::{Field, FieldValues, VtuFrame, write_vtu};
use serde_json::{Value, json};
use support::python::run_script;

fn read_with_meshio(file: &Path) -> Value {
    serde_json::from_slice(&run_script("read_vtu.py", &[file])).unwrap()
}

#[test]
fn meshio_reads_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("frame.vtu");
    // a hexahedron with a tetrahedron on top; a third has no short binary form
    let positions = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0 / 3.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 1.0],
        [1.0, 1.0, 1.0],
        [0.0, 1.0, 1.0],
        [0.5, -0.25, 1e-300],
    ];
    let velocity: Vec<f64> = (0..27).map(|i| f64::from(i) / 7.0).collect();
    let height: Vec<f32> = (0..9).map(|i| i as f32 / 3.0).collect();
    let stress = [1.0 / 3.0, -2e5, 7.0];
    let frame = VtuFrame {
        positions: &positions,
        tets: &[[4, 5, 6, 8]],
        hexes: &[[0, 1, 2, 3, 4, 5, 6, 7]],
        triangles: &[[0, 2, 1]],
        lines: &[],
        point_fields: &[
            Field { name: "velocity", components: 3, values: FieldValues::F64(&velocity) },
            Field { name: "a < b & \"c\"", components: 1, values: FieldValues::F32(&height) },
        ],
        cell_fields: &[Field { name: "von_mises", components: 1, values: FieldValues::F64AsF32(&stress) }],
    };
    write_vtu(&file, &frame).unwrap();
    let read = read_with_meshio(&file);
    assert_eq!(read["points"], json!(positions));
    assert_eq!(
        read["cells"],
        json!({ "tetra": frame.tets, "hexahedron": frame.hexes, "triangle": frame.triangles })
    );
    let vectors = json!({ "type": "float64", "shape": [9, 3], "values": velocity });
    assert_eq!(read["point_data"]["velocity"], vectors);
    let widened: Vec<f64> = height.iter().map(|&x| f64::from(x)).collect();
    let numbers = json!({ "type": "float32", "shape": [9], "values": widened });
    assert_eq!(read["point_data"]["a < b & \"c\""], numbers);
    let rounded = stress.map(|x| f64::from(x as f32));
    assert_eq!(read["cell_data"]["von_mises"][0]["values"], json!([rounded[0]]));
    assert_eq!(read["cell_data"]["von_mises"][1]["values"], json!([rounded[1]]));
    assert_eq!(read["cell_data"]["von_mises"][2]["values"], json!([rounded[2]]));
}
