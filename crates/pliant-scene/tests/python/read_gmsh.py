"""Opens a file with Gmsh and prints what Gmsh knows of it: read_gmsh.py FILE

JSON with `points` (hexadecimal floats, by rising tag), `cells` by Gmsh's name of their type, as ranks of tags, in
Gmsh's order, and `groups`: the nodes of each physical group by its name, as ranks of tags.
"""
import json
import sys

import gmsh

gmsh.initialize(interruptible=False)
gmsh.option.setNumber("General.Terminal", 0)
gmsh.open(sys.argv[1])
mesh = gmsh.model.mesh
tags, coordinates, _ = mesh.getNodes()
order = sorted(range(len(tags)), key=lambda i: tags[i])
rank = {int(tags[i]): r for r, i in enumerate(order)}
points = [[float(coordinates[3 * i + k]).hex() for k in range(3)] for i in order]
cells = {}
for kind, _, nodes in zip(*mesh.getElements()):
    name, _, _, count, _, _ = mesh.getElementProperties(kind)
    ranks = [rank[int(n)] for n in nodes]
    cells[name] = [ranks[i:i + count] for i in range(0, len(ranks), count)]
groups = {}
for dim, tag in gmsh.model.getPhysicalGroups():
    nodes = groups.setdefault(gmsh.model.getPhysicalName(dim, tag), set())
    for entity in gmsh.model.getEntitiesForPhysicalGroup(dim, tag):
        for _, _, members in zip(*mesh.getElements(dim, entity)):
            nodes.update(rank[int(n)] for n in members)
print(json.dumps({
    "points": points,
    "cells": cells,
    "groups": {name: sorted(nodes) for name, nodes in groups.items()},
}))
gmsh.finalize()
