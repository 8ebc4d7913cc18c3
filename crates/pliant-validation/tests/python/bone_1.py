"""Where a corner of a tumbling rigid block is, by Euler's equations: the origin of BONE-1's numbers.

    python3 crates/pliant-validation/tests/python/bone_1.py

Needs nothing but Python. A block of 0.1 x 0.2 x 0.3 m, with v = (0.5, 0, 1) m/s and w = (2, 10, 1) rad/s; the corner that begins at the origin, after 0.5 s.
Quaternions and the spin in the body's axes, by the classical method of Runge and Kutta in 20000 and 40000 steps, which agree in all digits printed.
"""

SIZE, SPIN, FLIGHT, END = (0.1, 0.2, 0.3), (2.0, 10.0, 1.0), (0.5, 0.0, 1.0), 0.5
# principal moments over m / 12
MOMENTS = [sum(s * s for k, s in enumerate(SIZE) if k != i) for i in range(3)]


def rate(y):
    a, b, c, d, p, q, r = y
    i, j, k = MOMENTS
    turn = [(-b * p - c * q - d * r) / 2, (a * p + c * r - d * q) / 2, (a * q + d * p - b * r) / 2, (a * r + b * q - c * p) / 2]
    return turn + [(j - k) * q * r / i, (k - i) * r * p / j, (i - j) * p * q / k]


def corner(steps):
    y, h = [1.0, 0.0, 0.0, 0.0, *SPIN], END / steps
    for _ in range(steps):
        k1 = rate(y)
        k2 = rate([u + h / 2 * v for u, v in zip(y, k1)])
        k3 = rate([u + h / 2 * v for u, v in zip(y, k2)])
        k4 = rate([u + h * v for u, v in zip(y, k3)])
        y = [u + h / 6 * (a + 2 * b + 2 * c + d) for u, a, b, c, d in zip(y, k1, k2, k3, k4)]
    a, b, c, d = y[:4]
    rows = [
        [1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)],
        [2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)],
        [2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)],
    ]
    return [SIZE[i] / 2 + END * FLIGHT[i] - sum(row[k] * SIZE[k] / 2 for k in range(3)) for i, row in enumerate(rows)]


for steps in (20000, 40000):
    print(steps, " ".join(f"{x:.12f}" for x in corner(steps)))
