"""Our Cholesky factors and CHOLMOD's with METIS, run in turn on the same matrices, one thread each; prints JSON. Ours on all
threads follow for themselves.

    python3 bench/cholesky/compare.py [rounds]

Needs a C compiler, libsuitesparse-dev and libopenblas-dev; nothing else in the project does. OpenBLAS does not know
every processor and then takes old kernels, so CHOLMOD runs with those that it chooses and with those for AVX2 and AVX-512; ours
are compared with the fastest.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}
CORES = ["", "HASWELL"] + (["SKYLAKEX"] if "avx512f" in Path("/proc/cpuinfo").read_text() else [])
NAMES = {"default": "ours, default order", "best": "ours, best order"}


def built(folder):
    """The two programs."""
    cholmod = str(Path(folder) / "cholmod")
    subprocess.run(["cc", "-O3", str(HERE / "cholmod.c"), "-o", cholmod, "-lcholmod", "-lopenblas"], check=True)
    build = ["cargo", "bench", "-p", "pliant-numerics", "--bench", "cholesky", "--no-run", "--message-format=json"]
    lines = subprocess.run(build, check=True, capture_output=True, text=True, cwd=HERE).stdout.splitlines()
    made = [json.loads(line) for line in lines]
    ours = [m["executable"] for m in made if m.get("executable") and m["target"]["name"] == "cholesky"]
    return cholmod, ours[0]


def records(command, extra):
    """What a program says, a record for each grid and order."""
    out = subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, **ONE_THREAD, **extra}).stdout
    return [json.loads(line) for line in out.splitlines() if line.startswith("{")]


def medians(runs):
    """The median of every number over the runs; words as they are in the first."""
    return {
        key: statistics.median(run[key] for run in runs) if isinstance(value, (int, float)) else value
        for key, value in runs[0].items()
    }


def compared(side, found):
    """Ours over the fastest CHOLMOD."""
    peers = [figures for (s, name), figures in found.items() if s == side and name.startswith("CHOLMOD")]
    fastest = {key: min(peer[key] for peer in peers) for key in ["order_and_analyse_ms", "refactor_ms", "solve_ms"]}
    ratios = {}
    for name in NAMES.values():
        ours = found[side, name]
        close = abs(ours["sum_of_solution"] / peers[0]["sum_of_solution"] - 1)
        assert close < 1e-9, f"another matrix? the solutions differ by {close}"
        ours["order_and_analyse_ms"] = ours["order_ms"] + ours["analyse_ms"]
        ratios[name] = {key: round(ours[key] / fastest[key], 3) for key in fastest}
    return ratios


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    runs = {}
    with tempfile.TemporaryDirectory() as folder:
        cholmod, ours = built(folder)
        for _ in range(rounds):
            for threads in [1, os.cpu_count()]:
                for record in records([ours, "--bench", "--json"], {"RAYON_NUM_THREADS": str(threads)}):
                    name = NAMES[record["ordering"]] + ("" if threads == 1 else ", all threads")
                    runs.setdefault((record["side"], name), []).append(record)
            for core in CORES:
                for record in records([cholmod], {"OPENBLAS_CORETYPE": core} if core else {}):
                    name = f"CHOLMOD METIS, kernels {core or record['blas_core']}"
                    runs.setdefault((record["side"], name), []).append(record)
    found = {key: medians(values) for key, values in runs.items()}
    sides = sorted({side for side, _ in found})
    result = {
        "rounds": rounds,
        "ours_over_the_fastest_cholmod": {f"{side}^3": compared(side, found) for side in sides},
        "medians": [{"name": name, **figures} for (_, name), figures in sorted(found.items())],
    }
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
