"""Writes small meshes with meshio in every format that it shares with Pliant: write_meshes.py FOLDER [FORMAT...]

For each format and kind of mesh there is one file FOLDER/KIND.FORMAT.ENDING, and FOLDER/contents.json says what is in
them: a list of {format, kind, file, points, cells, references, cell_sets, point_sets}. Points are the bits of their
coordinates as whole numbers (JSON readers may round decimals). Cells are a list of [type, nodes of each cell], in the
order of the file; references are one list for each of these, as the file has them.

To add a format: a line in FORMATS with its ending, the kinds it can hold and the arguments of meshio's writer.

What is peculiar to meshio 5.3.5:
- Medit: references come from the first array of whole numbers, whatever its name ("medit:ref" when read); without one
  every vertex and every cell gets the reference 1. Cells that Medit lacks in meshio (tetra10, triangle6) are left out
  with a warning. Coordinates have 17 digits.
- TetGen: only tetrahedra are written, others are left out with a warning; several blocks of tetrahedra give several
  headers in one .ele file, which TetGen itself cannot read. Numbers begin with 0. Attributes are written with the first
  name that contains ":ref" in front. A .face file is never written. Coordinates have 17 digits.
- Gmsh: physical groups have numbers and no names in version 2.2, and are lost in 4.1, where several types of cells
  cannot be written at all.
- STL has no nodes: corners of triangles are compared instead; bytes are in single precision.
- Abaqus: the names of types are those that come last in its table: tetra is C3D4, hexahedron C3D8RH, tetra10 C3D10MH,
  triangle R3D3, quad CAX4P, line B31H. A set of cells is written once for each block it touches, under the same name.
  line3 is written as B33H, an element that has two nodes in Abaqus. Coordinates have 17 digits.
"""

import json
import pathlib
import struct
import sys

import meshio
import numpy as np

VOLUMES = ["tet", "hex", "mixed"]

# format of meshio, ending, kinds, arguments of the writer
FORMATS = {
    "medit": ("medit", "mesh", VOLUMES, {}),
    "tetgen": ("tetgen", "node", ["tet"], {}),
    "abaqus": ("abaqus", "inp", VOLUMES + ["tet10"], {}),
    "vtk42-text": ("vtk42", "vtk", VOLUMES + ["tet10"], {"binary": False}),
    "vtk42-bytes": ("vtk42", "vtk", VOLUMES + ["tet10"], {"binary": True}),
    "vtk51-text": ("vtk51", "vtk", VOLUMES + ["tet10"], {"binary": False}),
    "vtk51-bytes": ("vtk51", "vtk", VOLUMES + ["tet10"], {"binary": True}),
    "vtu-text": ("vtu", "vtu", VOLUMES + ["tet10"], {"binary": False}),
    "vtu-base64": ("vtu", "vtu", VOLUMES + ["tet10"], {"binary": True, "compression": None}),
    "vtu-zlib": ("vtu", "vtu", VOLUMES + ["tet10"], {"binary": True, "compression": "zlib"}),
    "vtu-lzma": ("vtu", "vtu", VOLUMES + ["tet10"], {"binary": True, "compression": "lzma"}),
    "gmsh22-text": ("gmsh22", "msh", VOLUMES + ["tet10"], {"binary": False}),
    "gmsh22-bytes": ("gmsh22", "msh", VOLUMES + ["tet10"], {"binary": True}),
    "gmsh41-text": ("gmsh", "msh", ["tet", "hex", "tet10"], {"binary": False}),
    "gmsh41-bytes": ("gmsh", "msh", ["tet", "hex", "tet10"], {"binary": True}),
    "obj": ("obj", "obj", ["surface"], {}),
    "ply-text": ("ply", "ply", ["surface"], {"binary": False}),
    "ply-bytes": ("ply", "ply", ["surface"], {"binary": True}),
    "stl-text": ("stl", "stl", ["surface"], {"binary": False}),
    "stl-bytes": ("stl", "stl", ["surface"], {"binary": True}),
}


def grid(n):
    """Points of a bent grid of n x n x n cubes whose coordinates have no short binary form, and its cubes."""
    line = np.arange(n + 1) / 3.0
    x, y, z = (a.ravel() for a in np.meshgrid(line, line, line, indexing="ij"))
    points = np.stack([x + 0.1 * y * y, y - 1e-3 * z, z * 1.7 + 1e-17], axis=1)
    at = lambda i, j, k: (i * (n + 1) + j) * (n + 1) + k
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    cubes = [
        [at(i + a, j + b, k + c) for a, b, c in corners]
        for i in range(n)
        for j in range(n)
        for k in range(n)
    ]
    return points, np.array(cubes)


def five_tets(cube):
    a, b, c, d, e, f, g, h = cube
    return [[a, b, d, e], [c, d, b, g], [f, e, g, b], [h, g, e, d], [b, d, e, g]]


def meshes():
    points, cubes = grid(2)
    tets = np.array([tet for cube in cubes for tet in five_tets(cube)])
    faces = np.array([[cube[0], cube[3], cube[2]] for cube in cubes])
    numbers = lambda cells, count: np.arange(len(cells)) % count + 1
    yield "tet", points, [("tetra", tets)], [numbers(tets, 3)]
    yield "hex", points, [("hexahedron", cubes)], [numbers(cubes, 2)]
    blocks = [
        ("tetra", tets[:15]),
        ("hexahedron", cubes[3:]),
        ("triangle", faces),
        ("quad", cubes[:2, 4:]),
        ("line", cubes[:3, :2]),
    ]
    yield "mixed", points, blocks, [numbers(cells, 2) for _, cells in blocks]
    yield "surface", points, [("triangle", faces)], [numbers(faces, 2)]
    # corners and the middles of their edges in the order of VTK; middles of neighbours are not joined
    edges = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]
    middles = np.array([[(points[t[a]] + points[t[b]]) / 2 for a, b in edges] for t in tets[:5]])
    numbers_of_middles = len(points) + np.arange(30).reshape(5, 6)
    more = np.concatenate([points, middles.reshape(-1, 3)])
    yield "tet10", more, [("tetra10", np.hstack([tets[:5], numbers_of_middles]))], [numbers(tets[:5], 2)]


def bits(points):
    return [[struct.unpack("<Q", struct.pack("<d", x))[0] for x in point] for point in points.tolist()]


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    contents = []
    for kind, points, cells, references in meshes():
        count = len(cells)
        every_third = [np.arange(0, len(block), 3) for _, block in cells]
        last_block = [np.array([], dtype=int)] * (count - 1) + [np.arange(len(cells[-1][1]))]
        mesh = meshio.Mesh(
            points,
            cells,
            cell_data={"a:ref": references, "gmsh:physical": references, "gmsh:geometrical": references},
            cell_sets={"every third": every_third, "last block": last_block},
            point_sets={"some points": np.arange(0, len(points), 4), "last block": np.array([0])},
        )
        for name in sys.argv[2:] or FORMATS:
            known_as, ending, kinds, arguments = FORMATS[name]
            if kind not in kinds:
                continue
            file = f"{kind}.{name}.{ending}"
            if kind == "surface":
                # these formats have no data, and complain of it
                meshio.Mesh(points, cells).write(folder / file, file_format=known_as, **arguments)
            else:
                meshio.write(folder / file, mesh, file_format=known_as, **arguments)
            contents.append({
                "format": name,
                "kind": kind,
                "file": file,
                "points": bits(points),
                "cells": [[block, nodes.tolist()] for block, nodes in cells],
                "references": [numbers.tolist() for numbers in references],
                "cell_sets": {name: [m.tolist() for m in blocks] for name, blocks in mesh.cell_sets.items()},
                "point_sets": {name: m.tolist() for name, m in mesh.point_sets.items()},
            })
    (folder / "contents.json").write_text(json.dumps(contents))


main()
