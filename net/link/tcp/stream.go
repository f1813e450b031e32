package tcp

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/link"
)

const (
	lengthBytes = 2
	writeRoom   = 64 << 10 // bytes that the kernel may hold
	readRoom    = 64 << 10 // bytes that are read at once; a stream holds these and one datagram
)

// stream is a connection. A datagram is written immediately as far as the kernel accepts it; the rest of that one
// datagram waits for the goroutine that drains.
type stream struct {
	conn *net.TCPConn
	at   link.Address
	once sync.Once
	over chan struct{}
	full chan struct{}

	mu   sync.Mutex
	out  [lengthBytes + maxDatagram]byte
	rest []byte // of out
	now  nonBlocking
}

func newStream(conn *net.TCPConn, at link.Address) (*stream, error) {
	s := &stream{conn: conn, at: at, over: make(chan struct{}), full: make(chan struct{}, 1)}
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil, err
	}
	s.now.prepare(raw)
	_ = conn.SetWriteBuffer(writeRoom)
	return s, conn.SetReadDeadline(time.Now().Add(patience)) // until a peer is authenticated
}

// write sends a datagram without waiting; it returns false if another one waits.
func (s *stream) write(d []byte) bool {
	if len(d) > maxDatagram {
		return true // lost: no caller creates such a datagram
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.rest) > 0 {
		return false
	}
	binary.LittleEndian.PutUint16(s.out[:], uint16(len(d)))
	n := lengthBytes + copy(s.out[lengthBytes:], d)
	if s.rest = s.out[s.now.write(s.out[:n]):n]; len(s.rest) > 0 {
		select {
		case s.full <- struct{}{}:
		default:
		}
	}
	return true
}

// drain writes what the kernel did not accept immediately.
func (s *stream) drain(h link.Host) {
	for {
		select {
		case <-s.over:
			return
		case <-s.full:
		}
		s.mu.Lock()
		rest := s.rest // no other goroutine changes it or writes before it is empty
		s.mu.Unlock()
		_ = s.conn.SetWriteDeadline(time.Now().Add(patience))
		if _, err := s.conn.Write(rest); err != nil {
			s.close()
			return
		}
		s.mu.Lock()
		s.rest = nil
		s.mu.Unlock()
		h.Ready(s.at)
	}
}

// read passes every datagram to take, until the stream ends or is malformed.
func (s *stream) read(take func(d []byte)) { readDatagrams(s.conn, take) }

// readDatagrams passes each datagram of a stream to take, which must not keep it. It returns at the end of the
// stream, and at a length above maxDatagram, after which the stream cannot be split.
func readDatagrams(from io.Reader, take func(d []byte)) {
	in, d := bufio.NewReaderSize(from, readRoom), make([]byte, maxDatagram)
	for {
		if _, err := io.ReadFull(in, d[:lengthBytes]); err != nil {
			return
		}
		n := int(binary.LittleEndian.Uint16(d))
		if n > len(d) {
			return
		}
		if _, err := io.ReadFull(in, d[:n]); err != nil {
			return
		}
		take(d[:n])
	}
}

func (s *stream) close() {
	s.once.Do(func() {
		close(s.over)
		s.conn.Close()
	})
}
