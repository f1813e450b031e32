package wire

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// pty is the end of a pseudo-terminal at which an emulator stands.
type pty struct {
	byteStream
	link    string
	offered bool // the link is there
	other   int  // the other end, kept open: otherwise this end fails while no driver has opened it
}

func newPTY(a *address) (Wire, error) {
	return &pty{byteStream: byteStream{newDescriptor(a.text)}, link: a.path, other: -1}, nil
}

// Open makes a pseudo-terminal, and a link to its other end at the path of the address. A link that is there is replaced, any other file
// is not.
func (p *pty) Open() error {
	_ = p.Close()
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return p.fail(err)
	}
	p.begin(fd, false)
	if err := p.offer(); err != nil {
		_ = p.Close()
		return fmt.Errorf("offer %s: %w", p.address, err)
	}
	return nil
}

func (p *pty) offer() error {
	if err := unix.IoctlSetPointerInt(p.fd, unix.TIOCSPTLCK, 0); err != nil {
		return err
	}
	number, err := unix.IoctlGetInt(p.fd, unix.TIOCGPTN)
	if err != nil {
		return err
	}
	path := "/dev/pts/" + strconv.Itoa(number)
	if p.other, err = unix.Open(path, unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0); err != nil {
		return err
	}
	raw := unix.Termios{Cflag: unix.CS8 | unix.CREAD | unix.CLOCAL | unix.B38400}
	raw.Cc[unix.VMIN] = 1
	if err := unix.IoctlSetTermios(p.other, unix.TCSETS, &raw); err != nil { // no echo of what arrives before the driver sets its mode
		return err
	}
	if info, err := os.Lstat(p.link); err == nil && info.Mode()&os.ModeSymlink == 0 {
		return errors.New("there is a file of that name")
	}
	_ = os.Remove(p.link)
	err = os.Symlink(path, p.link)
	p.offered = err == nil
	return err
}

// Close ends the pseudo-terminal: to a driver its line is unplugged.
func (p *pty) Close() error {
	if p.other >= 0 {
		_ = unix.Close(p.other)
		p.other = -1
	}
	_ = p.byteStream.Close()
	if !p.offered {
		return nil
	}
	p.offered = false
	return os.Remove(p.link)
}
