package tcp

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/link/remote"
)

const (
	lengthBytes = 2
	writeRoom   = 64 << 10 // bytes that the kernel may hold
)

// stream is a connection. A datagram is written at once as far as the kernel takes it; the rest of it, and of no other one,
// waits for the goroutine that drains.
type stream struct {
	conn *net.TCPConn
	at   netip.AddrPort
	once sync.Once
	over chan struct{}
	full chan struct{}

	mu   sync.Mutex
	out  [lengthBytes + remote.MaxDatagram]byte
	rest []byte // of out
	now  prompt
}

func newStream(conn *net.TCPConn, at netip.AddrPort) (*stream, error) {
	s := &stream{conn: conn, at: at, over: make(chan struct{}), full: make(chan struct{}, 1)}
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil, err
	}
	s.now.prepare(raw)
	_ = conn.SetWriteBuffer(writeRoom)
	return s, conn.SetReadDeadline(time.Now().Add(patience)) // until it has proven itself
}

// write sends a datagram without waiting; false where another one waits.
func (s *stream) write(d []byte) bool {
	if len(d) > remote.MaxDatagram {
		return true // lost: nobody makes such
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

// drain writes what the kernel did not take at once.
func (s *stream) drain(h *remote.Host) {
	for {
		select {
		case <-s.over:
			return
		case <-s.full:
		}
		s.mu.Lock()
		rest := s.rest // nobody else touches it, or writes, before it is empty
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

// read gives every datagram to take, until the stream ends or makes no sense.
func (s *stream) read(take func(d []byte)) {
	in, d := bufio.NewReaderSize(s.conn, writeRoom), make([]byte, remote.MaxDatagram)
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
