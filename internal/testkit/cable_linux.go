package testkit

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// SerialCable joins two serial lines, which are pseudo-terminals. It carries bytes as fast as they come.
type SerialCable struct {
	Paths [2]string // of the lines

	t     testing.TB
	noise func(b []byte)
	bytes atomic.Int64
	mu    sync.Mutex // for noise
	ends  [2]*os.File
	work  sync.WaitGroup
}

// NewSerialCable returns a cable with the paths of its lines in a folder; it is unplugged when the test ends. noise changes the bytes that
// are under way; nil changes nothing. The test is skipped if the system has no pseudo-terminals.
func NewSerialCable(t testing.TB, folder string, noise func(b []byte)) *SerialCable {
	t.Helper()
	c := &SerialCable{t: t, Paths: [2]string{filepath.Join(folder, "line-a"), filepath.Join(folder, "line-b")}, noise: noise}
	c.Plug()
	t.Cleanup(c.Unplug)
	return c
}

// Plug makes the two lines.
func (c *SerialCable) Plug() {
	c.t.Helper()
	for i, path := range c.Paths {
		end, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
		if err != nil {
			c.t.Skip("SKIPPED: this system has no pseudo-terminals:", err)
		}
		c.ends[i] = end
		raw, err := end.SyscallConn()
		number := 0
		if err == nil {
			_ = raw.Control(func(fd uintptr) {
				if err = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); err == nil {
					number, err = unix.IoctlGetInt(int(fd), unix.TIOCGPTN)
				}
			})
		}
		if err != nil {
			c.t.Fatal(err)
		}
		_ = os.Remove(path)
		if err := os.Symlink("/dev/pts/"+strconv.Itoa(number), path); err != nil {
			c.t.Fatal(err)
		}
	}
	c.work.Go(func() { c.carry(c.ends[0], c.ends[1]) })
	c.work.Go(func() { c.carry(c.ends[1], c.ends[0]) })
}

// carry copies bytes from one end to the other until the cable is unplugged.
func (c *SerialCable) carry(from, to *os.File) {
	b := make([]byte, 4096)
	for {
		n, err := from.Read(b)
		if errors.Is(err, unix.EIO) { // no program has opened the line
			time.Sleep(time.Millisecond)
			continue
		}
		if err != nil {
			return
		}
		if c.noise != nil {
			c.mu.Lock()
			c.noise(b[:n])
			c.mu.Unlock()
		}
		c.bytes.Add(int64(n))
		if _, err := to.Write(b[:n]); err != nil {
			return
		}
	}
}

// Bytes returns how many bytes the cable has carried, in both directions.
func (c *SerialCable) Bytes() int64 { return c.bytes.Load() }

// Unplug ends both lines: programs that have opened them read an error.
func (c *SerialCable) Unplug() {
	for _, end := range c.ends {
		_ = end.Close() // again at the end of the test
	}
	c.work.Wait()
}
