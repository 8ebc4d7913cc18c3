"""Entries of the Cholesky factor of tetrahedral meshes in the order of METIS: the median of five relabelings.

Usage:  pip install pymetis meshio numpy
        python3 bench/ordering/metis_counts.py MESH...
Prints the rows of crates/pliant-numerics/data/metis_tets.csv, which says how its meshes were made. MESH is any file that
meshio reads. Points are the vertices, the corners of a cell are coupled. Entries count the diagonal, one for each pair.
"""

import contextlib
import pathlib
import statistics
import sys

import meshio
import numpy
import pymetis

RELABELINGS = 5


def neighbours(mesh: meshio.Mesh) -> list[set[int]]:
    rows = [set() for _ in range(len(mesh.points))]
    for block in mesh.cells:
        if block.type in ("tetra", "hexahedron"):
            for cell in block.data.tolist():
                for corner in cell:
                    rows[corner].update(cell)
    for vertex, row in enumerate(rows):
        row.discard(vertex)
    return rows


def relabelled(rows: list[set[int]], names: numpy.ndarray) -> list[list[int]]:
    out: list[list[int]] = [[] for _ in rows]
    for vertex, row in enumerate(rows):
        out[names[vertex]] = sorted(int(names[other]) for other in row)
    return out


def factor_entries(rows: list[list[int]], order: list[int]) -> int:
    """Walks the paths of Liu's elimination tree: row k of L is the union of those from its earlier neighbours."""
    place = [0] * len(rows)
    for new, old in enumerate(order):
        place[old] = new
    parent, mark, entries = [-1] * len(rows), [-1] * len(rows), len(rows)
    for row, vertex in enumerate(order):
        mark[row] = row
        for other in rows[vertex]:
            column = place[other]
            while column < row and mark[column] != row:
                mark[column] = row
                entries += 1
                if parent[column] < 0:
                    parent[column] = row
                column = parent[column]
    return entries


def metis_entries(rows: list[set[int]], seed: int) -> int:
    names = numpy.random.default_rng(seed).permutation(len(rows)) if seed else numpy.arange(len(rows))
    graph = relabelled(rows, names)
    order, _ = pymetis.nested_dissection(adjacency=graph)
    return factor_entries(graph, list(order))


def main() -> None:
    print("mesh,points,pairs,metis_min,metis_median,metis_max")
    for file in map(pathlib.Path, sys.argv[1:]):
        # some of its readers print
        with contextlib.redirect_stdout(sys.stderr):
            rows = neighbours(meshio.read(file))
        counts = sorted(metis_entries(rows, seed) for seed in range(RELABELINGS))
        pairs = sum(map(len, rows)) // 2
        print(f"{file.stem},{len(rows)},{pairs},{counts[0]},{int(statistics.median(counts))},{counts[-1]}", flush=True)


if __name__ == "__main__":
    main()
