package serial

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/link"
)

const (
	defaultBaud = 115200
	reopenEvery = time.Second // of a line that has failed
	bitsPerByte = 10          // with start and stop bit
)

// Carrier returns the carrier serial. Its line joins two hosts.
func Carrier() link.Carrier {
	return link.Carrier{
		Name: "serial", Doc: "A serial line between two hosts.", MaxDatagram: maxDatagram, MaxPeers: 1, Period: 500 * time.Millisecond, Frame: frameBytes,
		Rate: func(address string) float64 {
			_, baud, err := parse(address)
			if err != nil {
				return 0
			}
			return float64(baud) / bitsPerByte
		},
		Check: func(address string) error { _, _, err := parse(address); return err },
		Open: func(address string) (link.Datagrams, error) {
			path, baud, err := parse(address)
			if err != nil {
				return nil, err
			}
			file, err := openLine(path, baud)
			if err != nil {
				return nil, err
			}
			return newLine(path, baud, file), nil
		},
	}
}

// parse takes an address apart.
func parse(address string) (path string, baud int, err error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "serial" || u.Host != "" || u.Path == "" || u.Path == "/" || u.Opaque != "" || u.User != nil || u.Fragment != "" {
		return "", 0, errors.New("wants the form serial:///dev/ttyUSB0?baud=57600")
	}
	options, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return "", 0, err
	}
	for name, values := range options {
		if name != "baud" || len(values) != 1 {
			return "", 0, fmt.Errorf("option %q: wants baud alone, once", name)
		}
	}
	baud = defaultBaud
	if text := options.Get("baud"); text != "" {
		if baud, err = strconv.Atoi(text); err != nil || baud < 1 || baud > 20_000_000 {
			return "", 0, fmt.Errorf("baud=%s: wants a number from 1 to 20000000", text)
		}
	}
	return u.Path, baud, nil
}

// line is one end of a serial line.
type line struct {
	path    string
	baud    int
	ours    link.Address
	other   link.Address // the only other end
	host    link.Host
	quit    chan struct{}
	work    sync.WaitGroup
	due     chan struct{} // a frame waits
	reading []byte
	frames  deframer

	mu      sync.Mutex
	file    *os.File // nil: the line has failed
	waiting []byte   // the next frame; empty: there is room
	body    []byte   // room for a datagram with its checksum
	sending []byte   // the writer's
	refused bool     // Write has returned false since there was room
}

func newLine(path string, baud int, file *os.File) *line {
	return &line{
		path: path, baud: baud, file: file, quit: make(chan struct{}), due: make(chan struct{}, 1), reading: make([]byte, 4096),
		ours: link.Address{Name: fmt.Sprintf("serial://%s?baud=%d", path, baud)}, other: link.Address{Name: "the other end of " + path},
		waiting: make([]byte, 0, maxFrame), sending: make([]byte, 0, maxFrame), body: make([]byte, 0, maxBody),
	}
}

// Serve implements link.Datagrams.
func (l *line) Serve(h link.Host) {
	l.host = h
	file := l.file
	l.work.Go(func() { l.read(file) })
	l.work.Go(l.write)
}

// Write implements link.Datagrams.
func (l *line) Write(d []byte, _ link.Address) bool {
	if len(d) > maxDatagram {
		return true // lost: no caller creates such a datagram
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) > 0 {
		l.refused = true
		return false
	}
	l.waiting = appendFrame(l.waiting, d, l.body)
	select {
	case l.due <- struct{}{}:
	default:
	}
	return true
}

// write writes frames, at the rate of the line.
func (l *line) write() {
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-l.quit:
			return
		case <-l.due:
		}
		l.mu.Lock()
		l.sending, l.waiting = l.waiting, l.sending[:0]
		file, refused := l.file, l.refused
		l.refused = false
		l.mu.Unlock()
		if refused {
			l.host.Ready(l.other)
		}
		if file != nil {
			_, _ = file.Write(l.sending) // the reader sees that the line has failed
		}
		pause.Reset(time.Duration(len(l.sending)) * bitsPerByte * time.Second / time.Duration(l.baud))
		select {
		case <-l.quit:
			return
		case <-pause.C:
		}
	}
}

// read reads the line, and opens it again when it has failed.
func (l *line) read(file *os.File) {
	take := func(d []byte) { l.host.Take(d, l.other) } // nothing, of a damaged frame, counts as rejected
	for ; ; file = l.reopen() {
		if file == nil {
			return
		}
		for {
			n, err := file.Read(l.reading)
			if l.frames.feed(l.reading[:n], take); err != nil {
				break
			}
		}
	}
}

// reopen waits until the line can be opened again; nil when it is closed meanwhile.
func (l *line) reopen() *os.File {
	l.replace(nil)
	for {
		select {
		case <-l.quit:
			return nil
		case <-time.After(reopenEvery):
		}
		if file, err := openLine(l.path, l.baud); err == nil {
			return l.replace(file)
		}
	}
}

// replace closes the file of the line for another one, which it returns; nil if the line has been closed.
func (l *line) replace(file *os.File) *os.File {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		_ = l.file.Close() // it has failed, or the line ends
	}
	l.file = file
	select {
	case <-l.quit:
		if file != nil {
			_ = file.Close()
		}
		l.file = nil
	default:
	}
	return l.file
}

// Resolve implements link.Datagrams. Whatever line the peer has, it is at the other end of this one.
func (l *line) Resolve(address string) (link.Address, error) {
	_, _, err := parse(address)
	return l.other, err
}

// Addr implements link.Datagrams.
func (l *line) Addr() link.Address { return l.ours }

// Close implements link.Datagrams.
func (l *line) Close() error {
	close(l.quit)
	l.replace(nil)
	l.work.Wait()
	return nil
}
