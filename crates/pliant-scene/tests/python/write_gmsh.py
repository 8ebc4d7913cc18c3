"""Meshes made and saved by Gmsh itself: versions 2.2 and 4.1, text and binary, first and second order.

Usage: write_gmsh.py FOLDER. Writes FOLDER/NAME.msh and FOLDER/NAME.json for each of them; the JSON tells, from
Gmsh's own model and not from the file, what the reader must find: `points` (as hexadecimal floats, in the order of the
tags), `tets`, `hexes`, `triangles`, `quads` by their corners, and `groups` of corner nodes by name, all by rank of tag.

Two blocks that share a face carry physical groups: both volumes, one of them again under a second name, the shared
face, an outer face, an edge, a point. Hexahedra are the same blocks made transfinite.
"""
import json
import sys

import gmsh

folder = sys.argv[1]
CORNERS = {1: 2, 8: 2, 2: 3, 9: 3, 3: 4, 10: 4, 16: 4, 4: 4, 11: 4, 5: 8, 12: 8, 17: 8, 15: 1}
KIND = {2: "triangles", 9: "triangles", 3: "quads", 10: "quads", 4: "tets", 11: "tets", 5: "hexes", 12: "hexes"}


def build(hexes, order):
    gmsh.clear()
    gmsh.model.add("two blocks")
    occ = gmsh.model.occ
    a, b = occ.addBox(0, 0, 0, 1, 1, 1), occ.addBox(1, 0, 0, 1 / 3, 1, 1)
    occ.fragment([(3, a)], [(3, b)])
    occ.synchronize()
    volumes = [tag for _, tag in gmsh.model.getEntities(3)]
    faces = [tag for _, tag in gmsh.model.getEntities(2)]

    def at(tag, x):
        low, high = gmsh.model.getBoundingBox(2, tag)[0], gmsh.model.getBoundingBox(2, tag)[3]
        return abs(low - x) < 1e-3 and abs(high - x) < 1e-3

    model = gmsh.model
    model.addPhysicalGroup(3, volumes, 1, "all of it")
    model.addPhysicalGroup(3, volumes[:1], 2, "left half")
    model.addPhysicalGroup(2, [tag for tag in faces if at(tag, 0.0)], 3, "clamped")
    model.addPhysicalGroup(2, [tag for tag in faces if at(tag, 1.0)], 9)
    model.addPhysicalGroup(1, [gmsh.model.getEntities(1)[0][1]], 4, "an edge")
    model.addPhysicalGroup(0, [gmsh.model.getEntities(0)[0][1]], 5, "a point")
    if hexes:
        for _, tag in gmsh.model.getEntities(1):
            model.mesh.setTransfiniteCurve(tag, 3)
        for tag in faces:
            model.mesh.setTransfiniteSurface(tag)
            model.mesh.setRecombine(2, tag)
        for tag in volumes:
            model.mesh.setTransfiniteVolume(tag)
    else:
        gmsh.option.setNumber("Mesh.MeshSizeMax", 0.5)
    model.mesh.generate(3)
    model.mesh.setOrder(order)


def contents(order):
    tags, coordinates, _ = gmsh.model.mesh.getNodes()
    place = {int(tag): i for i, tag in enumerate(tags)}
    out = {"tets": [], "hexes": [], "triangles": [], "quads": [], "groups": {}}
    corner = set()
    for dim, entity in gmsh.model.getEntities():
        groups = gmsh.model.getPhysicalGroupsForEntity(dim, entity)
        if not len(groups):
            continue  # gmsh saves only what is in a group
        for kind, _, nodes in zip(*gmsh.model.mesh.getElements(dim, entity)):
            total = gmsh.model.mesh.getElementProperties(kind)[3]
            for start in range(0, len(nodes), total):
                own = [int(n) for n in nodes[start:start + CORNERS[kind]]]
                corner.update(own)
                if kind in KIND:
                    out[KIND[kind]].append(own)
                for group in groups:
                    name = gmsh.model.getPhysicalName(dim, group) or ["point", "curve", "surface", "volume"][dim] + f" {group}"
                    out["groups"].setdefault(name, set()).update(own)
    kept = sorted(corner)
    rank = {tag: i for i, tag in enumerate(kept)}
    out["points"] = [[float(coordinates[3 * place[tag] + k]).hex() for k in range(3)] for tag in kept]
    for kind in ["tets", "hexes", "triangles", "quads"]:
        out[kind] = [[rank[tag] for tag in cell] for cell in out[kind]]
    out["groups"] = {name: sorted(rank[tag] for tag in nodes) for name, nodes in out["groups"].items()}
    return out


gmsh.initialize(interruptible=False)
gmsh.option.setNumber("General.Terminal", 0)
for shape in ["tet", "hex"]:
    for order in [1, 2]:
        build(shape == "hex", order)
        expected = contents(order)
        for version in [2.2, 4.1]:
            for binary in [0, 1]:
                gmsh.option.setNumber("Mesh.MshFileVersion", version)
                gmsh.option.setNumber("Mesh.Binary", binary)
                name = f"{folder}/{shape}_{order}_{version}_{'binary' if binary else 'text'}"
                gmsh.write(f"{name}.msh")
                points = expected["points"]
                if not binary:
                    # text has 16 digits, one less than it takes to keep every bit
                    points = [[float(f"{float.fromhex(x):.16g}").hex() for x in point] for point in points]
                with open(f"{name}.json", "w") as file:
                    json.dump(expected | {"points": points}, file)
gmsh.finalize()
