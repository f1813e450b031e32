package wire

import (
	"errors"

	"golang.org/x/sys/unix"
)

// can is a CAN interface of the kernel (SocketCAN).
type can struct {
	datagrams
	name string
}

func newCAN(a *address) (Wire, error) {
	if len(a.host) >= unix.IFNAMSIZ {
		return nil, errors.New("the name of the interface is too long")
	}
	return &can{datagrams{newDescriptor(a.text)}, a.host}, nil
}

// Open implements [Wire]. The rate of the bus is that to which the interface was set: ip link set can0 up type can bitrate 500000.
func (c *can) Open() error {
	c.end(&c.faults.closed)
	fd, err := unix.Socket(unix.AF_CAN, unix.SOCK_RAW|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, unix.CAN_RAW)
	if err != nil {
		return c.fail(err)
	}
	c.begin(fd, false)
	request, err := unix.NewIfreq(c.name)
	if err != nil {
		return c.fail(err)
	}
	if err := unix.IoctlIfreq(fd, unix.SIOCGIFINDEX, request); err != nil {
		return c.fail(err)
	}
	if err := unix.Bind(fd, &unix.SockaddrCAN{Ifindex: int(request.Uint32())}); err != nil {
		return c.fail(err)
	}
	return nil
}
