"""Blocks of a sinew system in Python, over the C library of clients/c.

    import ardnet

    u = ardnet.create("u", ardnet.IN, ardnet.Double)
    y = ardnet.create("position", ardnet.OUT, ardnet.Double * 2)
    arguments = ardnet.init()            # takes the options of ardnet out of sys.argv
    while u.rec(timeout=1.0):
        y.value[0] = 2 * u.value.value
        y.send()

A port holds one packet, ``value``: a ctypes number, array or Structure with the layout of the port's type, as
``sinew schema FILE block.port --python`` writes it. Values with lengths of their own, ``float64[<=100]``, are a
``sequence(Double, 100)`` with the members ``data_count`` and ``data``. Where NumPy is installed, ``array`` is a view of the same memory.
The library is found through ARDNET_LIBRARY, or compiled once with cc into a cache, where only files are used that no other user could
write. Standard library only.
"""

import ctypes
import hashlib
import os
import pathlib
import stat
import subprocess
import sys
import tempfile

IN, OUT = 0, 1
_VARIES = 2
Double, Float = ctypes.c_double, ctypes.c_float


class Error(Exception):
    """The text of ardnet_error of the C library."""


def _refuse(path, why):
    raise Error(f"ardnet: {path} is not used: {why}; remove it, name another folder with XDG_CACHE_HOME, or the library with ARDNET_LIBRARY")


def _check_own(path):
    """Refuse a file or folder of the cache that another user made, or may write."""
    info = path.lstat()
    if stat.S_ISLNK(info.st_mode):
        _refuse(path, "it is a symbolic link")
    if info.st_uid != os.getuid():
        _refuse(path, f"it belongs to user {info.st_uid}, not to user {os.getuid()}")
    if info.st_mode & 0o022:
        _refuse(path, f"its mode {info.st_mode & 0o7777:04o} lets other users write")


def _check_above(folder):
    """Refuse a folder if another user can replace this user's files in one above it."""
    trusted = {0, os.getuid(), os.stat("/").st_uid}
    for above in [*folder.absolute().parents, *folder.resolve().parents]:
        info = above.lstat()
        if info.st_uid not in trusted:
            _refuse(above, f"it belongs to user {info.st_uid} and can be used to replace files of user {os.getuid()}")
        if stat.S_ISDIR(info.st_mode) and info.st_mode & stat.S_IWOTH and not info.st_mode & stat.S_ISVTX:
            _refuse(above, f"its mode {info.st_mode & 0o7777:04o} lets all users replace its contents")


def _library():
    path = os.environ.get("ARDNET_LIBRARY")
    if not path:
        source = pathlib.Path(__file__).resolve().parents[2] / "c" / "ardnet.c"
        digest = hashlib.sha256(source.read_bytes()).hexdigest()[:16]
        cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "ardnet"
        path = cache / f"libardnet-{digest}.so"
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_own(cache)
        _check_above(cache)
        if not os.path.lexists(path):
            with tempfile.TemporaryDirectory(dir=cache) as folder:
                built = pathlib.Path(folder) / "libardnet.so"
                subprocess.run(["cc", "-std=c99", "-O2", "-shared", "-fPIC", "-o", built, source], check=True)
                built.chmod(0o700)
                os.replace(built, path)
        _check_own(path)
    library = ctypes.CDLL(str(path))
    port, packet = ctypes.c_void_p, ctypes.c_void_p
    library.ardnet_create.restype = port
    library.ardnet_create.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_size_t, ctypes.c_int]
    library.ardnet_init.argtypes = [ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_char_p)]
    library.ardnet_send_aged.argtypes = [port, packet, ctypes.c_size_t, ctypes.c_double]
    library.ardnet_rec.argtypes = [port, packet, ctypes.c_double]
    library.ardnet_tryrec.argtypes = [port, packet]
    library.ardnet_age.argtypes = [port]
    library.ardnet_age.restype = ctypes.c_double
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

    def send(self, age=0.0):
        """Publishes ``value``, acquired age seconds ago: of a sequence, the elements that are there. It never waits."""
        size = ctypes.sizeof(self.value)
        if hasattr(self.value, "_bytes_"):
            count, most = self.value.data_count, len(self.value.data)
            if count > most:
                raise Error(f"ardnet: a value of {count} elements, and the port takes at most {most}")
            size = _size(self.value, count)
        _check(_c.ardnet_send_aged(self._handle, self._address, size, age))

    def rec(self, timeout=-1.0):
        """Waits for a packet, at most timeout seconds, without limit if negative; returns whether one arrived."""
        return _check(_c.ardnet_rec(self._handle, self._address, timeout)) == 1

    def tryrec(self):
        """Takes a packet if there is a new one, and returns whether there was. It never waits."""
        return _check(_c.ardnet_tryrec(self._handle, self._address)) == 1

    @property
    def age(self):
        """The seconds since ``value``, which was received last, was acquired or else sent; negative before the first packet."""
        return _c.ardnet_age(self._handle)

    @property
    def array(self):
        """``value`` as a NumPy array that shares its memory: of a sequence, the elements that are there."""
        import numpy

        if hasattr(self.value, "_bytes_"):
            return numpy.ctypeslib.as_array(self.value.data)[: self.value.data_count]
        return numpy.ctypeslib.as_array(self.value)


def _size(value, count):
    """Returns the bytes of a packet with count elements of a sequence."""
    one, further = value._bytes_
    return one + (count - 1) * further if count else 4


def sequence(element, most):
    """Returns the type of a port whose values have 0 to most elements of a ctypes number."""
    size = ctypes.sizeof(element)
    first = max(4, size)

    class Sequence(ctypes.LittleEndianStructure):
        _pack_ = 1
        _bytes_ = (first + size, size)
        _fields_ = [("data_count", ctypes.c_uint32), ("_pad", ctypes.c_uint8 * (first - 4)), ("data", element * most)]

    return Sequence


def create(name, direction, kind, depth=0):
    """Creates a port whose packets are of a ctypes type, or a sequence. depth 0 keeps only the newest packet; otherwise at most depth packets wait."""
    size = ctypes.sizeof(kind)
    if hasattr(kind, "_bytes_"):
        value = kind()
        direction, size = direction | _VARIES, _size(value, len(value.data))
    return Port(_check(_c.ardnet_create(name.encode(), direction, size, depth)), kind)


def init(arguments=None):
    """Connects all ports according to the options on the command line, and returns the other arguments."""
    words = sys.argv if arguments is None else arguments
    count = ctypes.c_int(len(words))
    vector = (ctypes.c_char_p * (len(words) + 1))(*[w.encode() for w in words], None)
    left = _check(_c.ardnet_init(ctypes.byref(count), vector))
    rest = [vector[i].decode() for i in range(left)]
    if arguments is None:
        sys.argv[:] = rest
    return rest[1:]
