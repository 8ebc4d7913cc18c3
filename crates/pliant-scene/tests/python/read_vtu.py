"""Prints a .vtu file as JSON, read by meshio: points, cells by type, fields with their precision."""

import json
import sys

import meshio


def main() -> None:
    mesh = meshio.read(sys.argv[1])
    field = lambda array: {"type": str(array.dtype), "shape": list(array.shape), "values": array.ravel().tolist()}
    print(json.dumps({
        "points": mesh.points.tolist(),
        "cells": {block.type: block.data.tolist() for block in mesh.cells},
        "point_data": {name: field(array) for name, array in mesh.point_data.items()},
        "cell_data": {name: [field(array) for array in blocks] for name, blocks in mesh.cell_data.items()},
    }))


main()
