"""Prints a mesh file as JSON, read by meshio: bits of the points, cells by type, groups by type, data at points and cells."""

import json
import sys

import meshio
import numpy


def main() -> None:
    mesh = meshio.read(sys.argv[1])
    points = numpy.asarray(mesh.points)
    cells, sets, starts = {}, {}, []
    for block in mesh.cells:
        joined = cells.setdefault(block.type, [])
        starts.append(len(joined))
        joined.extend(block.data.tolist())
    for name, blocks in mesh.cell_sets.items():
        if name.startswith("gmsh:"):
            continue
        for block, start, members in zip(mesh.cells, starts, blocks):
            joined = sets.setdefault(name, {}).setdefault(block.type, [])
            joined.extend((numpy.asarray(members, dtype=int) + start).tolist())
    print(json.dumps({
        "point_type": str(points.dtype),
        "point_bits": points.view(f"u{points.itemsize}").tolist(),
        "cells": cells,
        "sets": {name: {kind: m for kind, m in by_type.items() if m} for name, by_type in sets.items()},
        "names": {name: numpy.asarray(pair).tolist() for name, pair in mesh.field_data.items()},
        "point_data": {name: numpy.asarray(a).tolist() for name, a in mesh.point_data.items() if ":" not in name},
        "cell_data": {
            name: [x for a in blocks for x in numpy.asarray(a).tolist()] for name, blocks in mesh.cell_data.items()
        },
    }))


main()
