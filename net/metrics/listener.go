package metrics

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// maxConnections is the number of connections that are open at the same time: those of some scrapers.
const maxConnections = 64

// listener accepts connections of which at most maxConnections are open. For a new one it closes the oldest without a request, or else the oldest, so
// that a scraper can always connect.
type listener struct {
	net.Listener

	mu   sync.Mutex
	open list.List // of *conn, oldest first
}

// conn is a connection of a listener.
type conn struct {
	net.Conn
	of    *listener
	busy  bool          // has a request
	place *list.Element // nil: closed
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: accepted, of: l}
	if out := l.enter(c); out != nil {
		_ = out.Conn.Close()
	}
	return c, nil
}

// enter adds a connection, and returns the one that has to make room for it, or nil.
func (l *listener) enter(c *conn) (out *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open.Len() >= maxConnections {
		out = l.open.Front().Value.(*conn)
		for e := l.open.Front(); e != nil && out.busy; e = e.Next() {
			if x := e.Value.(*conn); !x.busy {
				out = x
			}
		}
		l.forget(out)
	}
	c.place = l.open.PushBack(c)
	return out
}

// forget removes a connection. The caller holds l.mu.
func (l *listener) forget(c *conn) {
	if c.place != nil {
		l.open.Remove(c.place)
		c.place = nil
	}
}

// note records whether a connection has a request; it is for [net/http.Server.ConnState].
func (l *listener) note(of net.Conn, state http.ConnState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	of.(*conn).busy = state == http.StateActive
}

// Close implements net.Conn.
func (c *conn) Close() error {
	c.of.mu.Lock()
	c.of.forget(c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}
