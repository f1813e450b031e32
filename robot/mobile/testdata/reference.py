"""Writes vehicles.csv: poses and covariances of vehicles, by integrating the differential equations of the textbooks with SciPy.

Run it in this folder with Python 3, numpy and scipy; the file came from numpy 1.24.2 and scipy 1.10.1. Nothing here knows closed forms: the pose
obeys the equations of the vehicle, and its covariance P' = A P + P A' + B S B' with A and B by complex differences, and S the density of the wheels' noise.
"""
import numpy as np
from scipy.integrate import solve_ivp

rng = np.random.default_rng(11)


def differential(p, u):
    r1, r2, b = 0.11, 0.1, 0.45
    v, w = (r1 * u[0] + r2 * u[1]) / 2, (r2 * u[1] - r1 * u[0]) / b
    return np.array([v * np.cos(p[2]), v * np.sin(p[2]), w])


def tracked(p, u):
    """The speed of the vehicle at each track's centre of rotation is that of the track (Martinez et al. 2005)."""
    yl, yr, xv = 0.37, -0.41, 0.05
    a, b = 0.08 * (1 - 0.1) * u[0], 0.09 * (1 - 0.03) * u[1]
    w = (b - a) / (yl - yr)
    vx, vy = a + w * yl, -w * xv
    return np.array([vx * np.cos(p[2]) - vy * np.sin(p[2]), vx * np.sin(p[2]) + vy * np.cos(p[2]), w])


def ackermann(p, u):
    v = 0.3 * u[0]
    return np.array([v * np.cos(p[2]), v * np.sin(p[2]), v * np.tan(u[1]) / 2.7])


def mecanum(p, u):
    """Least squares over the wheels: along the axis of its roller, each moves as the vehicle does there (Muir and Neuman 1987)."""
    r, lx, ly = 0.05, 0.2, 0.15
    rows = []
    for x, y, s in [(lx, ly, -1), (lx, -ly, 1), (-lx, ly, 1), (-lx, -ly, -1)]:
        # along the roller's axis (1, s)/sqrt 2: the wheel's speed is that of the vehicle, vx - w y and vy + w x
        rows.append([1, s, -y + s * x])
    v = np.linalg.pinv(np.array(rows)) @ (r * u)
    c, s = np.cos(p[2]), np.sin(p[2])
    return np.array([c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]])


def jacobian(f, x):
    e = 1e-30
    return np.stack([np.imag(f(x + 1j * e * np.eye(len(x))[i])) / e for i in range(len(x))], axis=1)


def integrate(f, density, p, cov, u):
    def rate(_, y):
        pose, c = y[:3], y[3:].reshape(3, 3)
        a = jacobian(lambda x: f(x, u.astype(complex)), pose.astype(complex))
        b = jacobian(lambda x: f(pose.astype(complex), x), u.astype(complex))
        return np.hstack([f(pose, u), (a @ c + c @ a.T + b @ np.diag(density(u)) @ b.T).ravel()])

    s = solve_ivp(rate, (0, 1), np.hstack([p, cov.ravel()]), method="DOP853", rtol=1e-12, atol=1e-15)
    return s.y[:3, -1], s.y[3:, -1].reshape(3, 3)


k = 0.002  # variance of a way for each metre of it
vehicles = [  # the density of the noise of each input: a way r u has the variance k |r u|
    (differential, 2, lambda u: k * np.abs(u) / np.array([0.11, 0.1])),
    (tracked, 2, lambda u: k * np.abs(u) / np.array([0.08 * 0.9, 0.09 * 0.97])),
    (ackermann, 2, lambda u: np.array([k * abs(u[0]) / 0.3, 0.0004 / abs(0.3 * u[0])])),
    (mecanum, 4, lambda u: k * np.abs(u) / 0.05),
]
with open("vehicles.csv", "w") as out:
    out.write("vehicle,step,u0,u1,u2,u3,x,y,heading," + ",".join(f"p{i}" for i in range(9)) + "\n")
    for index, (f, n, density) in enumerate(vehicles):
        p, cov = np.array([0.5, -1.0, 2.0]), np.diag([0.01, 0.02, 0.03])
        for i in range(12):
            u = rng.uniform(-4, 8, n)
            if f is ackermann:
                u = np.array([rng.uniform(-3, 9), rng.uniform(-0.5, 0.5)])
            if i == 3 and f is differential:
                u = np.array([1.0, 1.1])  # straight on
            u = np.round(u, 6)
            p, cov = integrate(f, density, p, cov, u)
            row = list(u) + [0] * (4 - n) + list(p) + list(cov.ravel())
            out.write(f"{index},{i}," + ",".join(f"{float(x):.13g}" for x in row) + "\n")
