"""The Python client in the measurement of pingpong.h, with the same arguments. It prints one line more, "calls ns": what a
send and a tryrec without a packet cost without any peer, half of it as for the times: the interpreter's part.
"""

import ctypes
import sys
import time

import ardnet

PAUSE, REPEAT, WARM_UP = 200e-6, 10_000_000, 100


def receive(port, spin):
    return port.tryrec() if spin else port.rec(0.01)


def ping(out, back, spin, rounds):
    clock, times = time.perf_counter_ns, []
    for i in range(-WARM_UP, rounds):
        if not spin:
            time.sleep(PAUSE)
        out.value[1] = i
        begin = clock()
        out.send()
        while not receive(back, spin) or back.value[1] != i:
            if i < 0 and clock() - begin > REPEAT:
                out.send()
                begin = clock()
        if i >= 0:
            times.append((clock() - begin) // 2)
    out.value[0] = ord("e")
    out.send()
    times.sort()
    print("p50", times[rounds // 2])
    print("p99", times[rounds * 99 // 100])
    time.sleep(0.05)  # the peer has ended
    calls = 0
    for i in range(rounds):
        if not spin:
            time.sleep(PAUSE)
        begin = clock()
        out.value[1] = i
        out.send()
        back.tryrec()
        calls += clock() - begin
    print("calls", calls // rounds // 2)


def pong(out, there, spin):
    while there.value[0] != ord("e"):
        if receive(there, spin):
            ctypes.memmove(out.value, there.value, ctypes.sizeof(out.value))
            out.send()


role, system = sys.argv[1:3]
to, back = ("there", "back") if role == "ping" else ("back", "there")
kind = ctypes.c_int32 * 256
out, into = ardnet.create(to, ardnet.OUT, kind), ardnet.create(back, ardnet.IN, kind)
ardnet.init([sys.argv[0], "-ardnet.system", system])
if role == "ping":
    ping(out, into, sys.argv[-1] == "spin", int(sys.argv[3]))
else:
    pong(out, into, sys.argv[-1] == "spin")
