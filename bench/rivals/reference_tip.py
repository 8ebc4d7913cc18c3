"""Where the tip of bar450 with E = 1 MPa is after 0.3 s: implicit Euler at 10 ms, lumped mass, dense matrices, double precision.

    python3 bench/rivals/reference_tip.py

Needs numpy. Shares nothing with Pliant, rapier or MuJoCo but the mesh. Prints m along y, for each law solved to the end by Newton's
method and taken at the first iterate from the old positions (linearly implicit Euler, which is what rapier does):

    st-venant  converged -0.253537   linearly implicit -0.253239
    corotated  converged -0.253189   linearly implicit -0.253624
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


def hooke(strain):
    """2 mu strain + lambda tr(strain) 1."""
    return 2 * MU * strain + LAMBDA * np.einsum("eii->e", strain)[:, None, None] * ONE


def outer(a, b):
    return np.einsum("eai,ebj->eabij", a, b)


def st_venant(f):
    """First Piola stress and element stiffness a volume, exact."""
    stress = hooke((f.transpose(0, 2, 1) @ f - ONE) / 2)
    turned = SHAPE @ f.transpose(0, 2, 1)
    geometric = np.einsum("eai,eij,ebj->eab", SHAPE, stress, SHAPE)[..., None, None] * ONE
    spin = MU * (SHAPE_PRODUCTS * (f @ f.transpose(0, 2, 1))[:, None, None] + outer(turned, turned).transpose(0, 2, 1, 3, 4))
    return f @ stress, geometric + LAMBDA * outer(turned, turned) + spin


def corotated(f):
    """The same for linear elasticity in the frame of the polar rotation; the stiffness leaves out how that turns."""
    left, _, right = np.linalg.svd(f)
    left[:, :, 2] *= np.linalg.det(left @ right)[:, None]
    rotation = left @ right
    stretch = rotation.transpose(0, 2, 1) @ f
    turned = SHAPE @ rotation.transpose(0, 2, 1)
    spin = MU * (SHAPE_PRODUCTS * ONE + outer(turned, turned).transpose(0, 2, 1, 3, 4))
    stress = hooke((stretch + stretch.transpose(0, 2, 1)) / 2 - ONE)
    return rotation @ stress, LAMBDA * outer(turned, turned) + spin


def forces(law, x):
    """Elastic forces and the stiffness matrix."""
    stress, stiffness = law(np.einsum("eai,eaj->eij", x[TETS], SHAPE))
    force, matrix = np.zeros_like(x), np.zeros((x.size, x.size))
    np.add.at(force, TETS, -np.einsum("eij,eaj,e->eai", stress, SHAPE, VOLUMES))
    stiffness = stiffness * VOLUMES[:, None, None, None, None]
    unknowns = 3 * TETS[:, :, None] + np.arange(3)
    for a in range(4):
        for b in range(4):
            np.add.at(matrix, (unknowns[:, a, :, None], unknowns[:, b, None, :]), stiffness[:, a, b])
    return force, matrix


def step(law, x, v, iterations):
    """M (x1 - x - h v) = h^2 (f(x1) + M g), from the old positions."""
    free = np.flatnonzero(np.repeat(NODES[:, 2] > 1e-9, 3))
    x1 = x.copy()
    for _ in range(iterations):
        force, matrix = forces(law, x1)
        left_over = STEP**2 * (force + MASSES[:, None] * GRAVITY) - MASSES[:, None] * (x1 - x - STEP * v)
        matrix = STEP**2 * matrix + np.diag(np.repeat(MASSES, 3))
        change = np.linalg.solve(matrix[np.ix_(free, free)], left_over.ravel()[free])
        x1.reshape(-1)[free] += change
        if np.abs(change).max() < 1e-12:
            break
    return x1, (x1 - x) / STEP


def tip(law, iterations):
    x, v = NODES.copy(), np.zeros_like(NODES)
    for _ in range(STEPS):
        x, v = step(law, x, v, iterations)
    node = np.abs(NODES - (0.1, 0.1, 1.0)).sum(1).argmin()
    return (x - NODES)[node, 1]


for law in (st_venant, corotated):
    print(f"{law.__name__:<10} converged {tip(law, 200):.6f}   linearly implicit {tip(law, 1):.6f}")
