package nats_test

import (
	"context"
	"errors"
	"net"
	"sync"

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
