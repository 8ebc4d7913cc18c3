//! Prisms and hexahedra cut into tetrahedra that match their neighbours'.
//!
//! A cell becomes the cone from its node of the lowest number over those of its faces that do not have this node; a
//! quadrilateral is cut by the diagonal through its own lowest node. So a face is cut by a rule that asks for its own
//! node numbers only: inside the cone's base this is the rule itself, and a face with the apex is cut by the cone along the
//! diagonal through the apex, which is the face's lowest node. Both neighbours of a face hence cut it alike, and no
//! pattern has to be carried from cell to cell. A prism gives 3 tetrahedra, a hexahedron 6. They have a positive volume if
//! the apex sees each triangle of the base from inside, as in every convex cell.

use crate::hexahedron;
use crate::surface::FaceNodes;

/// Six tetrahedra of each hexahedron, in the order of the hexahedra; neighbours match face to face. Nodes as in VTK type 12.
pub fn hexes_in_tets(hexes: &[[u32; 8]]) -> Vec<[u32; 4]> {
    let mut tets = Vec::with_capacity(6 * hexes.len());
    for hex in hexes {
        let faces = hexahedron::FACES.map(|face| FaceNodes::Quad(face.map(|i| hex[i])));
        cone(hex, &faces, &mut tets);
    }
    tets
}

/// Three tetrahedra of a prism; nodes 0, 1, 2 run counter-clockwise seen from 3, 4, 5, which lie above them.
pub(super) fn prism(nodes: &[u32; 6], tets: &mut Vec<[u32; 4]>) {
    let triangle = |face: [usize; 3]| FaceNodes::Triangle(face.map(|i| nodes[i]));
    let quad = |face: [usize; 4]| FaceNodes::Quad(face.map(|i| nodes[i]));
    let faces = [
        triangle([0, 2, 1]),
        triangle([3, 4, 5]),
        quad([0, 1, 4, 3]),
        quad([1, 2, 5, 4]),
        quad([2, 0, 3, 5]),
    ];
    cone(nodes, &faces, tets);
}

/// The cone from the lowest node over the faces, all outward, that do not have it.
fn cone(nodes: &[u32], faces: &[FaceNodes], tets: &mut Vec<[u32; 4]>) {
    let apex = nodes.iter().copied().min().unwrap_or(0);
    for face in faces.iter().filter(|face| !face.nodes().contains(&apex)) {
        match *face {
            FaceNodes::Triangle([a, b, c]) => tets.push([a, c, b, apex]),
            FaceNodes::Quad(mut corners) => {
                let lowest = (0..4).min_by_key(|&i| corners[i]).unwrap_or(0);
                corners.rotate_left(lowest);
                let [a, b, c, d] = corners;
                tets.extend([[a, c, b, apex], [a, d, c, apex]]);
            }
        }
    }
}
