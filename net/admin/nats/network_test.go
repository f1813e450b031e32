package nats_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sinew-robotics/sinew/net/admin/nats"
)

var errCable = errors.New("the cable is out")

// cut is a network whose cable can be pulled.
type cut struct {
	nats.Address
	mu    sync.Mutex
	out   bool
	conns []net.Conn
}

// address returns the address behind the network.
func (c *cut) address() nats.Address {
	return nats.Address{Name: "the network", Dial: func(ctx context.Context) (net.Conn, string, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.out {
			return nil, "", errCable
		}
		conn, token, err := c.Dial(ctx)
		c.conns = append(c.conns, conn)
		return conn, token, err
	}}
}

// dropping is a network that loses messages with samples from now on, and counts them.
type dropping struct {
	nats.Address
	from    atomic.Bool
	dropped atomic.Int64
}

// address returns the address behind the network.
func (d *dropping) address() nats.Address {
	return nats.Address{Name: "the network", Dial: func(ctx context.Context) (net.Conn, string, error) {
		conn, token, err := d.Dial(ctx)
		if err != nil {
			return nil, "", err
		}
		return &droppingConn{Conn: conn, server: bufio.NewReader(conn), network: d}, token, nil
	}}
}

// droppingConn reads the server's protocol message by message.
type droppingConn struct {
	net.Conn
	server  *bufio.Reader
	network *dropping
	rest    []byte // of what is read
}

// Read implements net.Conn.
func (c *droppingConn) Read(b []byte) (int, error) {
	for len(c.rest) == 0 {
		line, err := c.server.ReadBytes('\n')
		if err != nil {
			return 0, err
		}
		words := strings.Fields(string(line))
		var payload []byte
		if words[0] == "MSG" || words[0] == "HMSG" {
			n, err := strconv.Atoi(words[len(words)-1])
			if err != nil {
				return 0, err
			}
			payload = make([]byte, n+len("\r\n"))
			if _, err := io.ReadFull(c.server, payload); err != nil {
				return 0, err
			}
			if c.network.from.Load() && strings.Contains(words[1], ".tap.") {
				c.network.dropped.Add(1)
				continue
			}
		}
		c.rest = append(line, payload...)
	}
	n := copy(b, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

func (c *cut) pull() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out = true
	for _, conn := range c.conns {
		conn.Close()
	}
	c.conns = nil
}

func (c *cut) plug() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out = false
}
