package nats

import (
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

const (
	relayBytes = 32 << 10              // that a relay moves at a time
	relayPause = 50 * time.Millisecond // before the next try where the process has no descriptor for a connection
	hubFull    = "-ERR 'maximum connections exceeded'\r\n"
)

// accept joins connections through the socket to the server, until the listener is closed.
func (h *Hub) accept() {
	free := make(chan struct{}, hubClients)
	for {
		conn, err := h.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(relayPause)
			continue
		}
		select {
		case free <- struct{}{}:
		default:
			_ = conn.SetWriteDeadline(time.Now().Add(relayPause))
			_, _ = conn.Write([]byte(hubFull))
			_ = conn.Close()
			continue
		}
		h.relays.Go(func() {
			defer func() { <-free }()
			h.relay(conn)
		})
	}
}

// relay joins a connection through the socket to the server until one of both ends it.
func (h *Hub) relay(outside net.Conn) {
	defer outside.Close()
	inside, err := h.server.InProcessConn()
	if err != nil {
		return // it shuts down
	}
	defer inside.Close()
	buffer := make([]byte, relayBytes)
	n, err := inside.Read(buffer) // the server speaks first, also to a client that sends nothing
	if err == nil {
		_, err = patient{outside}.Write(buffer[:n])
	}
	if err != nil {
		return
	}
	var inward sync.WaitGroup
	inward.Go(func() {
		_, _ = io.CopyBuffer(onlyWriter{inside}, onlyReader{outside}, make([]byte, relayBytes))
		_ = inside.Close()
	})
	_, _ = io.CopyBuffer(patient{outside}, onlyReader{inside}, buffer)
	_ = inside.Close()
	_ = outside.Close()
	inward.Wait()
}

// onlyReader and onlyWriter hide what else a connection can do, so that [io.CopyBuffer] uses its buffer.
type (
	onlyReader struct{ io.Reader }
	onlyWriter struct{ io.Writer }
)

// patient writes to a client that reads, if slowly.
type patient struct{ conn net.Conn }

// Write implements io.Writer.
func (p patient) Write(b []byte) (int, error) {
	if err := p.conn.SetWriteDeadline(time.Now().Add(hubPatience)); err != nil {
		return 0, err
	}
	return p.conn.Write(b)
}
