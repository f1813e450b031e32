"""Blocks of a sinew system in Python, over the C library of clients/c.

    import ardnet

    u = ardnet.create("u", ardnet.IN, ardnet.Double)
    y = ardnet.create("position", ardnet.OUT, ardnet.Double * 2)
    arguments = ardnet.init()            # takes the options of ardnet out of sys.argv
    while u.rec(timeout=1.0):
        y.value[0] = 2 * u.value.value
        y.send()

A port holds one packet, ``value``: a ctypes number, array or Structure with the layout of the port's type, as
``sinew schema FILE block.port --python`` writes it. Where NumPy is installed, ``array`` is a view of the same memory.
The library is found through ARDNET_LIBRARY, or compiled once with cc into a cache. Standard library only.
"""

import ctypes
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile

IN, OUT = 0, 1
Double, Float = ctypes.c_double, ctypes.c_float


class Error(Exception):
    """What ardnet_error of the C library says."""


def _library():
    path = os.environ.get("ARDNET_LIBRARY")
    if not path:
        source = pathlib.Path(__file__).resolve().parents[2] / "c" / "ardnet.c"
        digest = hashlib.sha256(source.read_bytes()).hexdigest()[:16]
        cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "ardnet"
        path = cache / f"libardnet-{digest}.so"
        if not path.exists():
            cache.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=cache) as folder:
                built = pathlib.Path(folder) / "libardnet.so"
                subprocess.run(["cc", "-std=c99", "-O2", "-shared", "-fPIC", "-o", built, source], check=True)
                os.replace(built, path)
    library = ctypes.CDLL(str(path))
    port, packet = ctypes.c_void_p, ctypes.c_void_p
    library.ardnet_create.restype = port
    library.ardnet_create.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_size_t, ctypes.c_int]
    library.ardnet_init.argtypes = [ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_char_p)]
    library.ardnet_send.argtypes = [port, packet]
    library.ardnet_rec.argtypes = [port, packet, ctypes.c_double]
    library.ardnet_tryrec.argtypes = [port, packet]
    library.ardnet_error.restype = ctypes.c_char_p
    return library


_c = _library()


def _check(result):
    if result is None or result == -1:
        raise Error(_c.ardnet_error().decode())
    return result


class Port:
    """A port of this program. ``value`` is the packet that is sent, or was received last."""

    def __init__(self, handle, kind):
        self._handle = handle
        self.value = kind()
        self._address = ctypes.addressof(self.value)

    def send(self):
        """Publishes ``value``. It never waits."""
        _check(_c.ardnet_send(self._handle, self._address))

    def rec(self, timeout=-1.0):
        """Waits for a packet, at most timeout seconds, for ever where negative; tells whether one came."""
        return _check(_c.ardnet_rec(self._handle, self._address, timeout)) == 1

    def tryrec(self):
        """Takes a packet if there is a new one, and tells whether there was. It never waits."""
        return _check(_c.ardnet_tryrec(self._handle, self._address)) == 1

    @property
    def array(self):
        """``value`` as a NumPy array that shares its memory."""
        import numpy

        return numpy.ctypeslib.as_array(self.value)


def create(name, direction, kind, depth=0):
    """Makes a port whose packets are of a ctypes type. depth 0: the newest packet counts; else so many may wait."""
    return Port(_check(_c.ardnet_create(name.encode(), direction, ctypes.sizeof(kind), depth)), kind)


def init(arguments=None):
    """Connects all ports as the options on the command line say, and returns the other arguments."""
    words = sys.argv if arguments is None else arguments
    count = ctypes.c_int(len(words))
    vector = (ctypes.c_char_p * (len(words) + 1))(*[w.encode() for w in words], None)
    left = _check(_c.ardnet_init(ctypes.byref(count), vector))
    rest = [vector[i].decode() for i in range(left)]
    if arguments is None:
        sys.argv[:] = rest
    return rest[1:]
