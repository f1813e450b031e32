package serial

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// openLine opens a serial line and sets its mode. Bytes that have arrived before are dropped.
func openLine(path string, baud int) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	raw, err := file.SyscallConn()
	if err == nil {
		if controlErr := raw.Control(func(fd uintptr) { err = setMode(int(fd), baud) }); err == nil {
			err = controlErr
		}
	}
	if err != nil {
		_ = file.Close() // the first error counts
		return nil, fmt.Errorf("set the mode of %s: %w", path, err)
	}
	return file, nil
}

func setMode(fd, baud int) error {
	if err := unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return fmt.Errorf("another program uses the line: %w", err)
	}
	mode := unix.Termios{Cflag: unix.CS8 | unix.CREAD | unix.CLOCAL | unix.BOTHER, Ispeed: uint32(baud), Ospeed: uint32(baud)}
	mode.Cc[unix.VMIN] = 1
	if err := unix.IoctlSetTermios(fd, unix.TCSETS2, &mode); err != nil {
		return err
	}
	return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIOFLUSH)
}
