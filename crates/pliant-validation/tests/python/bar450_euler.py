"""Where the bar of BAR450-EULER and VOLUME-1 is after 0.3 s: implicit Euler at 10 ms, lumped mass, dense matrices, double precision.

    python3 bar450_euler.py

Needs numpy. Shares nothing with Pliant but the mesh and the formulas. Prints the tip's way along y (m), the volume over that at rest
and the smallest det F. `linear`, `st-venant` and `corotated` are solved to the end by Newton's method; `warped` (rotations of the nodes by
polar decomposition, ghost forces removed) once a step, with the rotations of the step's start.

    linear     tip -0.2621839824   volume 1.0708639664   smallest det F 0.892204
    st-venant  tip -0.2535372397   volume 0.9970724045   smallest det F 0.881261
    corotated  tip -0.2531894956   volume 0.9988761192   smallest det F 0.890855
    warped     tip -0.2518783399   volume 0.9992372602   smallest det F 0.891394
"""

import numpy as np

CELLS, SIDE, STEP, STEPS = (3, 3, 10), 0.1, 0.01, 30
YOUNG, POISSON, DENSITY, GRAVITY = 1e6, 0.33, 1000.0, np.array([0, -9.81, 0])
MU = YOUNG / (2 * (1 + POISSON))
LAMBDA = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
EVEN = ((0, 1, 3, 4), (2, 3, 1, 6), (5, 1, 4, 6), (7, 4, 3, 6), (1, 3, 4, 6))
ODD = ((1, 0, 5, 2), (3, 0, 2, 7), (4, 0, 7, 5), (6, 2, 5, 7), (0, 5, 2, 7))
ONE = np.eye(3)


def bar_mesh():
    """Nodes x fastest, and five tetrahedra a cell, mirrored in every second one."""
    nx, ny, nz = CELLS
    nodes = np.array([(i, j, k) for k in range(nz + 1) for j in range(ny + 1) for i in range(nx + 1)]) * SIDE
    row, layer = nx + 1, (nx + 1) * (ny + 1)
    corners = (0, 1, row + 1, row, layer, layer + 1, layer + row + 1, layer + row)
    places = [(i, j, k) for k in range(nz) for j in range(ny) for i in range(nx)]
    tets = [
        [i + row * j + layer * k + corners[c] for c in tet] for i, j, k in places for tet in (ODD if (i + j + k) % 2 else EVEN)
    ]
    return nodes, np.array(tets)


NODES, TETS = bar_mesh()
EDGES = np.stack([NODES[TETS[:, k]] - NODES[TETS[:, 0]] for k in (1, 2, 3)], 2)
VOLUMES = np.linalg.det(EDGES) / 6
INVERSE = np.linalg.inv(EDGES)
# gradients of the shape functions: element, node, axis
SHAPE = np.concatenate([-INVERSE.sum(1, keepdims=True), INVERSE], 1)
SHAPE_PRODUCTS = np.einsum("eai,ebi->eab", SHAPE, SHAPE)[..., None, None]
MASSES = np.zeros(len(NODES))
np.add.at(MASSES, TETS, np.repeat(DENSITY * VOLUMES[:, None] / 4, 4, 1))
FREE = np.flatnonzero(np.repeat(NODES[:, 2] > 1e-9, 3))


def hooke(strain):
    """2 mu strain + lambda tr(strain) 1."""
    return 2 * MU * strain + LAMBDA * np.einsum("eii->e", strain)[:, None, None] * ONE


def outer(a, b):
    return np.einsum("eai,ebj->eabij", a, b)


def linear(f):
    """First Piola stress and element stiffness a volume."""
    stiffness = LAMBDA * outer(SHAPE, SHAPE) + MU * (SHAPE_PRODUCTS * ONE + outer(SHAPE, SHAPE).transpose(0, 2, 1, 3, 4))
    return hooke((f + f.transpose(0, 2, 1)) / 2 - ONE), stiffness


def st_venant(f):
    """The same for Green's strain, exact."""
    stress = hooke((f.transpose(0, 2, 1) @ f - ONE) / 2)
    turned = SHAPE @ f.transpose(0, 2, 1)
    geometric = np.einsum("eai,eij,ebj->eab", SHAPE, stress, SHAPE)[..., None, None] * ONE
    spin = MU * (SHAPE_PRODUCTS * (f @ f.transpose(0, 2, 1))[:, None, None] + outer(turned, turned).transpose(0, 2, 1, 3, 4))
    return f @ stress, geometric + LAMBDA * outer(turned, turned) + spin


def rotations(matrices):
    left, _, right = np.linalg.svd(matrices)
    left[:, :, 2] *= np.linalg.det(left @ right)[:, None]
    return left @ right


def corotated(f):
    """Linear elasticity in the frame of the polar rotation; the stiffness leaves out how that turns."""
    rotation = rotations(f)
    stretch = rotation.transpose(0, 2, 1) @ f
    turned = SHAPE @ rotation.transpose(0, 2, 1)
    spin = MU * (SHAPE_PRODUCTS * ONE + outer(turned, turned).transpose(0, 2, 1, 3, 4))
    stress = hooke((stretch + stretch.transpose(0, 2, 1)) / 2 - ONE)
    return rotation @ stress, LAMBDA * outer(turned, turned) + spin


def gradients(x):
    return np.einsum("eai,eaj->eij", x[TETS], SHAPE)


def elastic(law, x):
    """Elastic forces and the stiffness matrix, by node and axis twice."""
    stress, stiffness = law(gradients(x))
    force, matrix = np.zeros_like(x), np.zeros((len(x), len(x), 3, 3))
    np.add.at(force, TETS, -np.einsum("eij,eaj,e->eai", stress, SHAPE, VOLUMES))
    stiffness = stiffness * VOLUMES[:, None, None, None, None]
    for a in range(4):
        for b in range(4):
            np.add.at(matrix, (TETS[:, a], TETS[:, b]), stiffness[:, a, b])
    return force, matrix


REST_STIFFNESS = elastic(linear, NODES)[1]
NEIGHBOURS = np.zeros((len(NODES), len(NODES)))
for a in range(4):
    for b in range(4):
        NEIGHBOURS[TETS[:, a], TETS[:, b]] = 1


def warped(x):
    """Forces with one rotation a node, and their matrix, which is not symmetric."""
    rest_edges, edges = (p[None] - p[:, None] for p in (NODES, x))
    turn = rotations(np.einsum("ij,ijr,ijc->irc", NEIGHBOURS, edges, rest_edges))
    change = np.einsum("irc,ijr->ijc", turn, edges) - rest_edges
    force = -np.einsum("irs,ijsc,ijc->ir", turn, REST_STIFFNESS, change)
    centre = MASSES @ x / MASSES.sum()
    arm = x - centre
    inertia = np.einsum("i,ik,ik->", MASSES, arm, arm) * ONE - np.einsum("i,ir,ic->rc", MASSES, arm, arm)
    spin = np.linalg.solve(inertia, np.cross(arm, force).sum(0))
    ghost = MASSES[:, None] * (force.sum(0) / MASSES.sum() + np.cross(spin, arm))
    return force - ghost, np.einsum("irs,ijst,ict->ijrc", turn, REST_STIFFNESS, turn)


def step(forces, x, v, iterations):
    """M (x1 - x - h v) = h^2 (f(x1) + M g), from the old positions."""
    x1 = x.copy()
    for _ in range(iterations):
        force, matrix = forces(x1)
        left_over = STEP**2 * (force + MASSES[:, None] * GRAVITY) - MASSES[:, None] * (x1 - x - STEP * v)
        matrix = STEP**2 * matrix.transpose(0, 2, 1, 3).reshape(x.size, x.size) + np.diag(np.repeat(MASSES, 3))
        change = np.linalg.solve(matrix[np.ix_(FREE, FREE)], left_over.ravel()[FREE])
        x1.reshape(-1)[FREE] += change
        if np.abs(change).max() < 1e-13:
            break
    return x1, (x1 - x) / STEP


def report(name, forces, iterations):
    x, v = NODES.copy(), np.zeros_like(NODES)
    for _ in range(STEPS):
        x, v = step(forces, x, v, iterations)
    node = np.abs(NODES - (0.1, 0.1, 1.0)).sum(1).argmin()
    ratios = np.linalg.det(gradients(x))
    volume = (ratios * VOLUMES).sum() / VOLUMES.sum()
    print(f"{name:<10} tip {(x - NODES)[node, 1]:.10f}   volume {volume:.10f}   smallest det F {ratios.min():.6f}")


for law in (linear, st_venant, corotated):
    report(law.__name__.replace("_", "-"), lambda x: elastic(law, x), 200)
report("warped", warped, 1)
