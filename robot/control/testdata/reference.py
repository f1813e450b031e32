"""Writes the reference sequences of this folder with other people's implementations.

Run it in this folder with Python 3, numpy, scipy, filterpy 1.4.5 and ahrs 0.4.0. The files here came from numpy 1.24.2 and scipy 1.10.1.
Each file has a line of names, and a line per step.
"""
import numpy as np
from ahrs.filters import Complementary, Mahony
from filterpy.kalman import ExtendedKalmanFilter, KalmanFilter
from scipy import integrate, signal

rng = np.random.default_rng(15)


def write(name, columns, rows):
    with open(name, "w") as f:
        f.write(",".join(columns) + "\n")
        for row in rows:
            f.write(",".join(f"{float(x):.13g}" for x in row) + "\n")


def names(prefix, n):
    return [f"{prefix}{i}" for i in range(n)]


def kalman():
    """filterpy.KalmanFilter: three states, one input, two measurements that are correlated; some steps bring no measurement."""
    h = 0.05
    f = KalmanFilter(dim_x=3, dim_z=2, dim_u=1)
    f.F = np.array([[1, h, h * h / 2], [0, 1, h], [0, 0, 0.97]])
    f.B = np.array([[0], [0], [0.03]])
    f.H = np.array([[1, 0, 0], [0, 0.4, 1]])
    g = np.array([[h * h / 2], [h], [1]])
    f.Q = 0.04 * g @ g.T
    f.R = np.array([[0.01, 0.004], [0.004, 0.09]])
    f.P = np.diag([1.0, 4.0, 9.0])
    x, rows = np.array([0.4, -1.0, 2.0]), []
    for k in range(60):
        u = np.sin(0.3 * k)
        x = f.F @ x + f.B[:, 0] * u + g[:, 0] * 0.2 * rng.normal()
        z = f.H @ x + rng.multivariate_normal([0, 0], f.R)
        use = k % 7 != 3
        f.predict(u=np.array([[u]]))
        if use:
            f.update(z.reshape(2, 1))
        rows.append([u, use, *z, *f.x[:, 0], *f.P.ravel()])
    write("kalman.csv", ["u", "use"] + names("z", 2) + names("x", 3) + names("p", 9), rows)


class Unicycle(ExtendedKalmanFilter):
    """A vehicle at x, y with heading t; the inputs are the way it drives and the angle it turns in a step."""

    def predict_x(self, u=0):
        x, y, t = self.x[:, 0]
        s, w = u
        self.F = np.array([[1, 0, -s * np.sin(t + w / 2)], [0, 1, s * np.cos(t + w / 2)], [0, 0, 1]])
        self.x = np.array([[x + s * np.cos(t + w / 2)], [y + s * np.sin(t + w / 2)], [t + w]])


def extended():
    """filterpy.ExtendedKalmanFilter: distance and bearing to two landmarks in turn, the heading passing pi many times."""
    landmarks = [(4.0, 1.0), (-2.0, 5.0)]

    def hx(x, m):
        dx, dy = m[0] - x[0, 0], m[1] - x[1, 0]
        return np.array([[np.hypot(dx, dy)], [np.arctan2(dy, dx) - x[2, 0]]])

    def jacobian(x, m):
        dx, dy = m[0] - x[0, 0], m[1] - x[1, 0]
        q = dx * dx + dy * dy
        r = np.sqrt(q)
        return np.array([[-dx / r, -dy / r, 0], [dy / q, -dx / q, -1]])

    def residual(a, b):
        d = a - b
        d[1, 0] = (d[1, 0] + np.pi) % (2 * np.pi) - np.pi
        return d

    f = Unicycle(dim_x=3, dim_z=2)
    f.x, f.P = np.array([[0.1], [-0.2], [0.1]]), np.diag([0.1, 0.1, 0.05])
    f.Q, f.R = np.diag([1e-4, 1e-4, 4e-4]), np.diag([0.02, 0.003])
    true, rows = np.array([0.0, 0.0, 0.0]), []
    for k in range(80):
        s, w = 0.15, 0.21
        a = true[2] + w / 2
        true += [s * np.cos(a) + 0.01 * rng.normal(), s * np.sin(a) + 0.01 * rng.normal(), w + 0.02 * rng.normal()]
        m = landmarks[k % 2]
        z = hx(true.reshape(3, 1), m)[:, 0] + [0.14 * rng.normal(), 0.05 * rng.normal()]
        z[1] = (z[1] + np.pi) % (2 * np.pi) - np.pi
        f.predict(u=(s, w))
        f.update(z.reshape(2, 1), jacobian, hx, args=(m,), hx_args=(m,), residual=residual)
        rows.append([s, w, *m, *z, *f.x[:, 0], *f.P.ravel()])
    write("extended.csv", ["s", "w"] + names("m", 2) + names("z", 2) + names("x", 3) + names("p", 9), rows)


def motion(n, h):
    """A body that swings in all axes: its rates, the force and the field that it feels, with noise, and a bias of the gyroscope."""
    t = h * np.arange(n)
    rate = np.stack([0.8 * np.sin(1.3 * t), 0.6 * np.cos(0.9 * t), 0.5 * np.sin(0.7 * t + 1)], axis=1)
    r, force, field = np.eye(3), [], []
    from scipy.spatial.transform import Rotation

    for w in rate:
        r = r @ Rotation.from_rotvec(w * h).as_matrix()
        force.append(r.T @ [0, 0, 9.81] + 0.1 * rng.normal(size=3))
        field.append(r.T @ [0, 20, -40] + 0.3 * rng.normal(size=3))
    gyro = rate + [0.03, -0.02, 0.01] + 0.005 * rng.normal(size=(n, 3))
    return gyro, np.array(force), np.array(field)


def complementary():
    """ahrs.filters.Complementary: roll and pitch from gyroscope and accelerometer. Its angles from the accelerometer are written too."""
    h, gain = 0.01, 0.98
    gyro, force, _ = motion(100, h)
    f = Complementary(gyr=gyro, acc=force, Dt=h, gain=gain)
    measured = f.am_estimation(force)
    write("complementary.csv", ["rate0", "rate1", "angle0", "angle1", "y0", "y1"],
          np.hstack([gyro[:, :2], measured[:, :2], f.W[:, :2]]))


def attitude():
    """ahrs.filters.Mahony at 500 Hz: without magnetometer (q, b) and with it (r, c), both from a wrong start."""
    h, n = 0.002, 300
    gyro, force, field = (np.round(a, 4) for a in motion(n, h))
    one, two = Mahony(Dt=h, k_P=1.0, k_I=0.3), Mahony(Dt=h, k_P=1.0, k_I=0.3)
    q, r, rows = np.array([0.96, 0, 0.28, 0]), np.array([0.96, 0, 0.28, 0]), []
    for k in range(n):
        q = one.updateIMU(q, gyro[k], force[k])
        r = two.updateMARG(r, gyro[k], force[k], field[k])
        rows.append(np.hstack([gyro[k], force[k], field[k], q, one.b, r, two.b]))
    write("attitude.csv", names("gyro", 3) + names("force", 3) + names("field", 3) + names("q", 4) + names("b", 3) + names("r", 4) + names("c", 3), rows)


def admittance():
    """scipy: the trapezoidal rule (cont2discrete) and the motion itself (solve_ivp), for damped, free, stiff and undamped axes."""
    rows = []
    for m, d, k in [(2, 30, 400), (1.5, 8, 0), (1, 5, 50), (0.5, 0, 20)]:
        h = 0.002
        a, b = np.array([[0, 1], [-k / m, -d / m]]), np.array([[0], [1 / m]])
        ad, bd, *_ = signal.cont2discrete((a, b, np.eye(2), np.zeros((2, 1))), h, method="bilinear")
        x = exact = np.zeros(2)
        for i in range(400):
            f = 10 if i < 200 else -4
            x = ad @ x + bd[:, 0] * f
            s = integrate.solve_ivp(lambda t, y: a @ y + b[:, 0] * f, (0, h), exact, rtol=1e-10, atol=1e-12)
            exact = s.y[:, -1]
            if i % 10 == 9:
                rows.append([m, d, k, h, i, f, *x, *exact])
    write("admittance.csv", ["m", "d", "k", "h", "i", "f", "x", "v", "exact_x", "exact_v"], rows)


kalman()
extended()
complementary()
attitude()
admittance()
