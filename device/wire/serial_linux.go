package wire

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Rates of serial lines, bits a second.
const (
	defaultBaud = 115200
	maxBaud     = 20_000_000
)

// standard are the rates that have a constant; others are set by their number, which not every line takes.
var standard = map[int]int{
	1200: unix.B1200, 2400: unix.B2400, 4800: unix.B4800, 9600: unix.B9600, 19200: unix.B19200, 38400: unix.B38400, 57600: unix.B57600,
	115200: unix.B115200, 230400: unix.B230400, 460800: unix.B460800, 500000: unix.B500000, 576000: unix.B576000, 921600: unix.B921600,
	1000000: unix.B1000000, 1500000: unix.B1500000, 2000000: unix.B2000000, 3000000: unix.B3000000, 4000000: unix.B4000000,
}

// serial is a serial line with 8 bits, without flow control.
type serial struct {
	byteStream
	path *byte // for the system call
	mode unix.Termios
}

func newSerial(a *address) (Wire, error) {
	baud, err := a.number("baud", defaultBaud, 1, maxBaud)
	if err != nil {
		return nil, err
	}
	stop, err := a.number("stop", 1, 1, 2)
	if err != nil {
		return nil, err
	}
	rate, ok := standard[baud]
	if !ok {
		rate = unix.BOTHER
	}
	mode := unix.CS8 | unix.CREAD | unix.CLOCAL | rate
	if stop == 2 {
		mode |= unix.CSTOPB
	}
	switch parity := a.options.Get("parity"); parity {
	case "", "none":
	case "even":
		mode |= unix.PARENB
	case "odd":
		mode |= unix.PARENB | unix.PARODD
	default:
		return nil, fmt.Errorf("parity=%s: expected none, even or odd", parity)
	}
	path, err := unix.BytePtrFromString(a.path)
	if err != nil {
		return nil, errors.New("the path contains a zero byte")
	}
	s := &serial{byteStream: byteStream{newDescriptor(a.text)}, path: path}
	s.mode = unix.Termios{Cflag: uint32(mode), Ispeed: uint32(baud), Ospeed: uint32(baud)}
	s.mode.Cc[unix.VMIN] = 1 // otherwise nothing to read would look like the end
	return s, nil
}

// Open implements [Wire]. Bytes that have arrived before are dropped.
func (s *serial) Open() error {
	s.end(&s.faults.closed)
	at, flags := unix.AT_FDCWD, unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC
	fd, _, errno := unix.Syscall6(unix.SYS_OPENAT, uintptr(at), uintptr(unsafe.Pointer(s.path)), uintptr(flags), 0, 0, 0)
	if errno == unix.EBUSY {
		return s.end(&s.faults.inUse)
	}
	if errno != 0 {
		return s.fail(errno)
	}
	s.begin(int(fd), false)
	if unix.Flock(s.fd, unix.LOCK_EX|unix.LOCK_NB) != nil {
		return s.end(&s.faults.inUse)
	}
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, fd, unix.TCSETS2, uintptr(unsafe.Pointer(&s.mode))); errno != 0 {
		return s.fail(errno)
	}
	_ = unix.IoctlSetInt(s.fd, unix.TIOCEXCL, 0) // where the line has none, the lock remains
	_ = unix.IoctlSetInt(s.fd, unix.TCFLSH, unix.TCIOFLUSH)
	return nil
}
