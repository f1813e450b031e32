package wire

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// descriptor is an open file or socket that never waits. Its zero value is not usable: see newDescriptor.
type descriptor struct {
	address    string
	fd         int
	connecting bool
	faults     *faults
	fault      *Fault // why it is not open
	poll       [1]unix.PollFd
}

func newDescriptor(address string) descriptor {
	f := newFaults(address)
	return descriptor{address: address, fd: -1, faults: f, fault: &f.closed}
}

// String implements [Wire].
func (d *descriptor) String() string { return d.address }

// Close implements [Wire].
func (d *descriptor) Close() error {
	d.end(&d.faults.closed)
	return nil
}

// begin takes over a descriptor that has just been opened.
func (d *descriptor) begin(fd int, connecting bool) {
	d.fd, d.connecting, d.fault = fd, connecting, nil
}

// end closes the descriptor for a reason, and returns it.
func (d *descriptor) end(why *Fault) error {
	if d.fd >= 0 {
		_ = unix.Close(d.fd)
	}
	d.fd, d.connecting, d.fault = -1, false, why
	return why
}

// fail is end for an error that the system has reported.
func (d *descriptor) fail(err error) error {
	errno, _ := err.(syscall.Errno)
	return d.end(d.faults.lost(errno))
}

// ready returns why data cannot be moved now, if so.
func (d *descriptor) ready() error {
	if d.fault != nil {
		return d.fault
	}
	if !d.connecting {
		return nil
	}
	d.poll[0] = unix.PollFd{Fd: int32(d.fd), Events: unix.POLLOUT}
	if n, err := unix.Poll(d.poll[:], 0); n == 0 || err == unix.EINTR {
		return &d.faults.opening
	}
	if errno, err := unix.GetsockoptInt(d.fd, unix.SOL_SOCKET, unix.SO_ERROR); err != nil || errno != 0 {
		return d.end(d.faults.lost(syscall.Errno(errno)))
	}
	d.connecting = false
	return nil
}

// read reads what is there; ok is false if nothing is.
func (d *descriptor) read(p []byte) (n int, ok bool, err error) {
	if err := d.ready(); err != nil {
		return 0, false, err
	}
	for {
		n, err = unix.Read(d.fd, p)
		switch err {
		case nil:
			return n, true, nil
		case unix.EINTR:
		case unix.EAGAIN:
			return 0, false, nil
		default:
			return 0, false, d.fail(err)
		}
	}
}

// write writes what fits.
func (d *descriptor) write(p []byte) (n int, err error) {
	if err := d.ready(); err != nil {
		return 0, err
	}
	for {
		n, err = unix.Write(d.fd, p)
		switch err {
		case nil:
			return n, nil
		case unix.EINTR:
		case unix.EAGAIN, unix.ENOBUFS:
			return 0, nil
		default:
			return 0, d.fail(err)
		}
	}
}

// byteStream is a descriptor that carries bytes.
type byteStream struct{ descriptor }

// Read implements [Wire].
func (s *byteStream) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, s.ready()
	}
	n, ok, err := s.read(p)
	if ok && n == 0 {
		return 0, s.end(&s.faults.ended) // the other end has closed
	}
	return n, err
}

// Write implements [Wire].
func (s *byteStream) Write(p []byte) (int, error) { return s.write(p) }
