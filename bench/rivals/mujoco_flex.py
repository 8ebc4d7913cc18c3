"""The bars of this folder in MuJoCo, one thread; prints JSON with the same keys as `pliant-rivals --json`.

    python3 bench/rivals/mujoco_flex.py [bar450 | bar765 | bar12k | bar97k ...] [--rounds N]

Needs `pip install mujoco` (measured with 4.0.0), which nothing else in the project does. A bar is a flex of tetrahedra with the
St. Venant-Kirchhoff law (the documentation of `flex/elasticity` says so), moved by the integrator `discrete`, which is implicit in
positions: one solve with M + h^2 K a step, by conjugate gradients, since there are no constraints (the solvers `CG` and `Newton` give
the same bits here). Masses are lumped as ours are, contacts and damping are off: at rest bar450 hangs where ours does.
"""

import argparse
import json
import statistics
import time

import mujoco
import numpy as np

POISSON, DENSITY, STEP, TIP_STEPS = 0.33, 1000.0, 0.01, 30
# cells, side of a cell (m), moduli (Pa), steps, rounds
BARS = {
    "bar450": ((3, 3, 10), 0.1, (1e5, 3e5, 1e6), 100, 9),
    "bar765": ((3, 3, 17), 0.1, (1e5, 3e5, 1e6), 100, 9),
    "bar12k": ((9, 9, 30), 0.1 / 3, (3e5, 1e6), 30, 3),
    "bar97k": ((18, 18, 60), 0.1 / 6, (3e5, 1e6), 30, 1),
}
# five tetrahedra of a cell, by the parity of its place; corners as in VTK's hexahedron
EVEN = ((0, 1, 3, 4), (2, 3, 1, 6), (5, 1, 4, 6), (7, 4, 3, 6), (1, 3, 4, 6))
ODD = ((1, 0, 5, 2), (3, 0, 2, 7), (4, 0, 7, 5), (6, 2, 5, 7), (0, 5, 2, 7))
# relative residual and most iterations: the tolerance that the documentation recommends for flexes, and the default
TUNINGS = {"mujoco": (1e-5, 5000), "mujoco, as it comes": (1e-8, 100)}


def bar_mesh(cells, side):
    """Nodes and tetrahedra of a box, the same and in the same order as `element = "tet5"` of a scene gives."""
    nx, ny, nz = cells
    nodes = np.array([(i, j, k) for k in range(nz + 1) for j in range(ny + 1) for i in range(nx + 1)]) * side
    row, layer = nx + 1, (nx + 1) * (ny + 1)
    corners = (0, 1, row + 1, row, layer, layer + 1, layer + row + 1, layer + row)
    tets = [
        [i + row * j + layer * k + corners[c] for c in tet]
        for k in range(nz)
        for j in range(ny)
        for i in range(nx)
        for tet in (ODD if (i + j + k) % 2 else EVEN)
    ]
    return nodes, np.array(tets)


def lumped_masses(nodes, tets):
    """A quarter of every tetrahedron's mass to each of its nodes, kg."""
    edges = nodes[tets[:, 1:]] - nodes[tets[:, :1]]
    masses = np.zeros(len(nodes))
    np.add.at(masses, tets, (DENSITY * np.abs(np.linalg.det(edges)) / 24)[:, None])
    return masses


def words(values):
    """Numbers as an attribute."""
    return " ".join(repr(v) for v in np.asarray(values).ravel().tolist())


def compiled(nodes, tets, young, tuning):
    """The model; bodies of free nodes follow each other in the order of the nodes."""
    tolerance, iterations = tuning
    clamped = np.flatnonzero(nodes[:, 2] < 1e-9)
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco>
        <option timestep="{STEP}" gravity="0 -9.81 0" integrator="discrete" tolerance="{tolerance}" iterations="{iterations}">
          <flag contact="disable"/>
        </option>
        <worldbody>
          <flexcomp name="bar" type="direct" dim="3" mass="1" radius="0.001" point="{words(nodes)}" element="{words(tets)}">
            <elasticity young="{young}" poisson="{POISSON}" damping="0"/>
            <contact selfcollide="none" contype="0" conaffinity="0"/>
            <edge equality="false"/>
            <pin id="{words(clamped)}"/>
          </flexcomp>
        </worldbody>
        </mujoco>"""
    )
    bodies = model.flex_vertbodyid
    free = np.setdiff1d(np.arange(len(nodes)), clamped)
    masses = lumped_masses(nodes, tets)
    model.body_inertia[bodies[free]] *= (masses[free] / model.body_mass[bodies[free]])[:, None]
    model.body_mass[bodies[free]] = masses[free]
    mujoco.mj_setConst(model, mujoco.MjData(model))
    return model


def run(model, tip, steps):
    """One run from rest: median ms a step, displacement of the tip after 0.3 s."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    rest, after, times = float(data.flexvert_xpos[tip, 1]), None, []
    for step in range(1, steps + 1):
        start = time.thread_time()
        mujoco.mj_step(model, data)
        times.append(1e3 * (time.thread_time() - start))
        if not np.isfinite(data.qpos).all() or data.time < 0.5 * step * STEP:
            return {"failure": f"step {step}: MuJoCo started anew"}
        if step == TIP_STEPS:
            after = float(data.flexvert_xpos[tip, 1] - rest)
    return {"ms": statistics.median(times), "tip": after, "inverted": inverted_count(model, data)}


def inverted_count(model, data):
    """Tetrahedra that are inside out at the end of a run."""
    x, tets = data.flexvert_xpos, model.flex_elem.reshape(-1, 4)
    rest = model.flex_vert0[tets[:, 1:]] - model.flex_vert0[tets[:, :1]]
    now = x[tets[:, 1:]] - x[tets[:, :1]]
    return int((np.linalg.det(now) * np.linalg.det(rest) <= 0).sum())


def figures(name, runs):
    """What is kept of the runs with one tuning."""
    medians = [r["ms"] for r in runs if "ms" in r]
    last = runs[-1]
    return {
        "contender": name,
        "ms_a_step": statistics.median(medians) if medians else None,
        "best_ms_a_step": min(medians, default=None),
        # it does not tell those of this solve
        "iterations_a_step": None,
        "tip_m": last.get("tip"),
        "inverted": last.get("inverted"),
        "failure": last.get("failure"),
    }


def row(name, young, rounds):
    """Both tunings in turn with one bar and one modulus."""
    cells, side, _, steps, own_rounds = BARS[name]
    nodes, tets = bar_mesh(cells, side)
    tip = int(np.argmin(np.abs(nodes - (0.1, 0.1, cells[2] * side)).sum(axis=1)))
    models = {label: compiled(nodes, tets, young, tuning) for label, tuning in TUNINGS.items()}
    runs = {label: [] for label in models}
    for _ in range(rounds or own_rounds):
        for label, model in models.items():
            runs[label].append(run(model, tip, steps))
    contenders = [figures(label, found) for label, found in runs.items()]
    return {"bar": name, "tetrahedra": len(tets), "young_pa": young, "contenders": contenders}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bars", nargs="*", default=list(BARS), metavar="bar")
    parser.add_argument("--rounds", type=int, default=0)
    options = parser.parse_args()
    # it warns of flexes without edge constraints, which these do not need, and writes that to a file
    mujoco.set_mju_user_warning(lambda message: None)
    rows = [row(name, young, options.rounds) for name in options.bars for young in BARS[name][2]]
    print(json.dumps({"program": f"MuJoCo {mujoco.__version__}", "bars": rows}, indent=1))


if __name__ == "__main__":
    main()
