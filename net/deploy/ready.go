package deploy

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/internal/private"
)

// acceptTime is how long a port may take to accept a connection.
const acceptTime = 200 * time.Millisecond

// maxLine is how much of a line is searched for a text.
const maxLine = 64 << 10

// awaitShown looks for a condition until it holds, or until end is called, which waits for the last look.
func awaitShown(holds func() bool) (ready <-chan struct{}, end func()) {
	found, stop, ended := make(chan struct{}, 1), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for !holds() {
			select {
			case <-stop:
				return
			case <-time.After(lookPeriod):
			}
		}
		found <- struct{}{}
	}()
	return found, sync.OnceFunc(func() { close(stop); <-ended })
}

// accepts reports whether a program on this host accepts connections at a TCP port.
func accepts(port int) bool {
	conn, err := net.DialTimeout("tcp", net.JoinHostPort("localhost", strconv.Itoa(port)), acceptTime)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}

// lineWatch looks for a text in what a program prints from now on.
type lineWatch struct {
	file *os.File
	text []byte
	rest []byte // of the line that has not ended
}

func newLineWatch(log *os.File, text string) (*lineWatch, error) {
	file, err := private.Open(log.Name(), os.O_RDONLY)
	if err == nil {
		_, err = file.Seek(0, io.SeekEnd)
	}
	if err != nil {
		return nil, fmt.Errorf("watch the output for %q: %w", text, err)
	}
	return &lineWatch{file: file, text: []byte(text)}, nil
}

// seen reports whether a line with the text was printed.
func (w *lineWatch) seen() bool {
	chunk := make([]byte, maxLine)
	for {
		n, err := w.file.Read(chunk)
		w.rest = append(w.rest, chunk[:n]...)
		if bytes.Contains(w.rest, w.text) {
			return true
		}
		if end := bytes.LastIndexByte(w.rest, '\n'); end >= 0 {
			w.rest = append(w.rest[:0], w.rest[end+1:]...)
		} else if len(w.rest) > maxLine {
			w.rest = append(w.rest[:0], w.rest[len(w.rest)-len(w.text):]...)
		}
		if n == 0 || err != nil {
			return false
		}
	}
}

func (w *lineWatch) close() { _ = w.file.Close() }
