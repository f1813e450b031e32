"""The viewer of examples/foreign: prints where the plant is, ten times a second."""

import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "clients" / "python"))

import ardnet  # noqa: E402

position = ardnet.create("position", ardnet.IN, ardnet.Double)
ardnet.init()
while position.rec(timeout=10.0):
    x = position.value.value
    print(f"{x:8.4f} m  {'#' * max(0, int(40 * x))}", flush=True)
    time.sleep(0.1)
