//! A closed surface of triangles as a solid: how far a place is from it, and on which side.
//!
//! The closest triangle is found by a tree of boxes; the side by the normal of the face, edge or vertex in
//! which the closest point lies (`pseudo_normals.rs`), which unlike a face's own is right everywhere.
//! Distances at the middles of the cells of a grid, found once, bound all others, since a distance changes no
//! faster than its place: they tell most places that are out of reach by one number, and the search where to
//! stop.
//!
//! Shells inside each other are cavities where they face inward. Where closed shells overlap the nearest one
//! counts. Own code, on the tree that pairs need too, because parry3d-f64 0.31 is no faster: 33 000 triangles
//! of a bumpy ball, one thread, places near it 0.90 us for its 1.14, all over its box 4.8 for 5.4; which of
//! them are within 0.02 is told in 0.69, a question that it has not.

mod closest;
mod distance_grid;
mod pseudo_normals;

use crate::bounds::Bounds;
use crate::broad_phase::BoxTree;
use crate::vector::{Vec3, cross, det, dot, norm, scale, sub};
use closest::{Closest, Feature, closest};
use distance_grid::DistanceGrid;
use pseudo_normals::PseudoNormals;

/// Twice the area over the square of the longest edge of a flat triangle.
const FLAT: f64 = 1e-9;
/// Distances that rounding may make, of the largest coordinate.
const ROUNDING: f64 = 1e-13;

/// See the [module](self). Lengths in m.
///
/// Invariant: closed, not empty, with a volume above zero; no triangle is flat.
///
/// ```
/// use pliant_geometry::TriangleSolid;
///
/// let corners = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let solid = TriangleSolid::new(corners, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap();
/// assert_eq!(solid.distance([0.2, 0.2, -0.5]), (0.5, [0.0, 0.0, -1.0]));
/// assert_eq!(solid.distance_within([0.2, 0.2, -0.5], 0.4), None);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleSolid {
    positions: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    bounds: Bounds,
    tree: BoxTree,
    /// Corners of the triangles in the order of the tree.
    corners: Vec<[Vec3; 3]>,
    /// Their normals, in the same order.
    face_normals: Vec<Vec3>,
    normals: PseudoNormals,
    grid: DistanceGrid,
    /// A distance that counts as none.
    touching: f64,
}

/// Why triangles do not make a solid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TriangleSolidError {
    /// No triangle, or none with three different vertices.
    #[error("a solid needs triangles, and there are none")]
    Empty,
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} uses vertex {vertex}, but there are {count} (numbered from 0)")]
    VertexOutOfRange {
        /// Its number.
        triangle: usize,
        /// The vertex it asks for.
        vertex: u32,
        /// How many there are.
        count: usize,
    },
    /// A coordinate is infinite or not a number.
    #[error("vertex {vertex} has the position {position:?}; coordinates must be finite")]
    NotFinite {
        /// The vertex.
        vertex: usize,
        /// Where it claims to be, m.
        position: [f64; 3],
    },
    /// Triangles without area: they have no normal, and their edges none on that side.
    #[error("{count} triangles are flat, the first at {place:?} m; collapse or split their edges")]
    Flat {
        /// How many.
        count: usize,
        /// The middle of the first, m.
        place: [f64; 3],
    },
    /// Edges along which not as many triangles run one way as the other.
    #[error(
        "{count} edges are open or their triangles disagree, the first at {place:?} m; close the surface"
    )]
    NotClosed {
        /// How many.
        count: usize,
        /// The middle of the one with the lowest vertices, m.
        place: [f64; 3],
    },
    /// The triangles face inward.
    #[error("the surface encloses {volume} m^3: it is inside out; turn its triangles round")]
    InsideOut {
        /// The volume, not above zero, m^3.
        volume: f64,
    },
}

impl TriangleSolid {
    /// The solid inside a closed surface whose triangles are counter-clockwise seen from outside.
    ///
    /// Triangles that name a vertex twice are left out: two of their edges cancel, so that the surface stays
    /// closed.
    pub fn new(positions: Vec<[f64; 3]>, mut triangles: Vec<[u32; 3]>) -> Result<Self, TriangleSolidError> {
        check_numbers(&positions, &triangles)?;
        triangles.retain(|[a, b, c]| a != b && b != c && c != a);
        if triangles.is_empty() {
            return Err(TriangleSolidError::Empty);
        }
        let all: Vec<[Vec3; 3]> = triangles.iter().map(|t| t.map(|n| positions[n as usize])).collect();
        check_areas(&all)?;
        let normals = PseudoNormals::of(&positions, &triangles)?;
        check_volume(&all)?;
        let tree = BoxTree::new(&all.iter().map(bounds_of).collect::<Vec<_>>());
        let in_order = |t: &u32| (all[*t as usize], normals.faces[*t as usize]);
        let (corners, face_normals) = tree.items().iter().map(in_order).unzip();
        let bounds = tree.bounds().unwrap_or(Bounds::NOTHING);
        let touching =
            ROUNDING * bounds.min.iter().chain(&bounds.max).fold(0.0, |most: f64, x| most.max(x.abs()));
        let grid = DistanceGrid::empty(bounds);
        let mut solid =
            Self { positions, triangles, bounds, tree, corners, face_normals, normals, grid, touching };
        solid.grid = DistanceGrid::of(bounds, solid.triangles.len(), |place, most| {
            solid.signed(place, solid.nearest(place, most)).0
        });
        Ok(solid)
    }

    /// The vertices, m.
    pub fn positions(&self) -> &[[f64; 3]] {
        &self.positions
    }

    /// The triangles, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The box around all triangles, m.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// The distance of a place from the surface, m, negative inside, and the unit vector along which it
    /// grows.
    ///
    /// On the surface itself that is a normal there. Allocates nothing; no number if the place has none.
    pub fn distance(&self, place: [f64; 3]) -> (f64, [f64; 3]) {
        self.signed(place, self.nearest(place, self.grid.most(place)))
    }

    /// The same; `None` for a place that is farther than `reach` (m) outside, which takes less time to tell.
    pub fn distance_within(&self, place: [f64; 3], reach: f64) -> Option<(f64, [f64; 3])> {
        let beyond = self.bounds.square_outside(place) > reach.max(0.0).powi(2);
        if beyond || self.grid.least(place) > reach {
            return None;
        }
        let found = self.distance(place);
        (found.0 <= reach).then_some(found)
    }

    /// The closest point and its place in the tree, searched for up to so far.
    fn nearest(&self, place: Vec3, most: f64) -> Option<(Closest, usize)> {
        let mut best = None;
        let mut square = most * most;
        self.tree.near(place, square, |t| {
            if let Some(found) = closest(&self.corners[t], self.face_normals[t], place, square) {
                square = found.square;
                best = Some((found, t));
            }
            square
        });
        best
    }

    /// The distance with its sign, and the way along which it grows; no numbers for a place that has none.
    fn signed(&self, place: Vec3, nearest: Option<(Closest, usize)>) -> (f64, Vec3) {
        let nearest = nearest.or_else(|| self.nearest(place, f64::INFINITY));
        let Some((found, t)) = nearest else { return (f64::NAN, [0.0, 0.0, 1.0]) };
        let triangle = self.tree.items()[t] as usize;
        let normal = match found.feature {
            Feature::Face => return (dot(found.offset, self.face_normals[t]), self.face_normals[t]),
            Feature::Edge(i) => self.normals.edges[triangle][i],
            Feature::Corner(i) => self.normals.vertices[self.triangles[triangle][i] as usize],
        };
        let away = found.square.sqrt();
        let side = if dot(found.offset, normal) < 0.0 { -1.0 } else { 1.0 };
        if away <= self.touching {
            return (side * away, normal);
        }
        (side * away, scale(found.offset, side / away))
    }
}

fn check_numbers(positions: &[Vec3], triangles: &[[u32; 3]]) -> Result<(), TriangleSolidError> {
    if let Some(vertex) = positions.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        return Err(TriangleSolidError::NotFinite { vertex, position: positions[vertex] });
    }
    let count = positions.len();
    for (triangle, nodes) in triangles.iter().enumerate() {
        if let Some(&vertex) = nodes.iter().find(|n| **n as usize >= count) {
            return Err(TriangleSolidError::VertexOutOfRange { triangle, vertex, count });
        }
    }
    Ok(())
}

fn check_areas(triangles: &[[Vec3; 3]]) -> Result<(), TriangleSolidError> {
    let has_area = |[a, b, c]: &[Vec3; 3]| {
        let edges = [sub(*b, *a), sub(*c, *b), sub(*a, *c)];
        let longest = edges.iter().map(|e| dot(*e, *e)).fold(0.0, f64::max);
        // false too where squares of the lengths are too large or too small for numbers
        norm(cross(edges[0], edges[2])) > FLAT * longest
    };
    let mut flat = triangles.iter().filter(|corners| !has_area(corners));
    match flat.next() {
        None => Ok(()),
        Some([a, b, c]) => {
            let place = std::array::from_fn(|k| (a[k] + b[k] + c[k]) / 3.0);
            Err(TriangleSolidError::Flat { count: 1 + flat.count(), place })
        }
    }
}

fn check_volume(triangles: &[[Vec3; 3]]) -> Result<(), TriangleSolidError> {
    let origin = triangles[0][0];
    let six = |corners: &[Vec3; 3]| {
        let [a, b, c] = corners.map(|p| sub(p, origin));
        det(a, b, c)
    };
    let volume = triangles.iter().map(six).sum::<f64>() / 6.0;
    if volume > 0.0 { Ok(()) } else { Err(TriangleSolidError::InsideOut { volume }) }
}

fn bounds_of(corners: &[Vec3; 3]) -> Bounds {
    corners.iter().fold(Bounds::NOTHING, |joined, &p| joined.joined(&Bounds { min: p, max: p }))
}
