package sessions

import (
	"container/list"
	"context"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"time"
)

// The limits of connections.
const (
	maxSockets       = 1024      // of all, where the process may open that many files
	fewDescriptors   = 256       // files that a process may open where the operating system does not say
	descriptorShare  = 4         // at most 1/4 of the files that the process may open are connections
	strangersShare   = 2         // at most 1/2 of the connections are strangers'
	StrangersAddress = 32        // strangers' connections of one address
	socketsUser      = 64        // of one user, WebSockets among them
	WebSocketsUser   = 16        // of one user: open pages
	socketBuffer     = 256 << 10 // bytes; small, so that a page that does not read is noticed soon
)

// freshGrace is how long a new connection has for its first request before others of its address may take its place.
const freshGrace = 5 * time.Second

// Listener accepts at most a number of connections, shared fairly. A new connection is a stranger's until a request on it shows a
// login. When there are too many, strangers' connections are closed, so that users can always connect: first those whose request
// had no login, then those without a request, the oldest first.
type Listener struct {
	net.Listener
	most int // connections of all

	mu        sync.Mutex
	strangers list.List // of *Conn, oldest first
	addresses map[netip.Prefix]int
	users     map[string]*list.List // of *Conn, oldest login first
	all       int
}

// NewListener limits the connections of a listener.
func NewListener(on net.Listener) *Listener {
	return &Listener{Listener: on, most: min(maxSockets, descriptors()/descriptorShare), addresses: map[netip.Prefix]int{}, users: map[string]*list.List{}}
}

// Conn is a connection of a browser.
type Conn struct {
	net.Conn
	listener *Listener
	Address  netip.Prefix // of the browser; of IPv6 its /64 network, as each host has millions of addresses

	user   string // "": a stranger's
	since  time.Time
	judged bool // a request came without a login
	socket bool // a WebSocket
	place  *list.Element
}

// Accept implements net.Listener.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c, ok := conn.(*net.TCPConn); ok {
			_ = c.SetWriteBuffer(socketBuffer)
		}
		c := &Conn{Conn: conn, listener: l, Address: addressOf(conn.RemoteAddr().String()), since: time.Now()}
		if l.enter(c) {
			return c, nil
		}
		_ = conn.Close()
	}
}

// enter counts a new connection, closes a stranger's where there are too many, and reports whether there is room.
func (l *Listener) enter(c *Conn) bool {
	l.mu.Lock()
	var out *Conn
	switch {
	case l.strangers.Len() >= l.most/strangersShare || l.all >= l.most && l.strangers.Len() > 0:
		if out = l.oldest(func(x *Conn) bool { return x.judged }); out == nil {
			out = l.strangers.Front().Value.(*Conn)
		}
	case l.addresses[c.Address] >= StrangersAddress:
		if out = l.oldest(func(x *Conn) bool { return x.Address == c.Address && x.judged }); out == nil {
			out = l.oldest(func(x *Conn) bool { return x.Address == c.Address && c.since.Sub(x.since) > freshGrace })
		}
	}
	if out != nil {
		l.forget(out)
	}
	free := l.all < l.most
	if free {
		l.all++
		l.addresses[c.Address]++
		c.place = l.strangers.PushBack(c)
	}
	l.mu.Unlock()
	if out != nil {
		_ = out.Conn.Close()
	}
	return free
}

// oldest returns the first stranger's connection that meets a condition, or nil. The caller holds l.mu.
func (l *Listener) oldest(is func(*Conn) bool) *Conn {
	for e := l.strangers.Front(); e != nil; e = e.Next() {
		if c := e.Value.(*Conn); is(c) {
			return c
		}
	}
	return nil
}

// NotSignedIn records that a request came without a login. If its address has too many such connections, the oldest is closed.
func (c *Conn) NotSignedIn() {
	l := c.listener
	l.mu.Lock()
	c.judged = true
	var out *Conn
	if c.user == "" && l.addresses[c.Address] > StrangersAddress {
		if out = l.oldest(func(x *Conn) bool { return x.Address == c.Address && x.judged }); out != nil {
			l.forget(out)
		}
	}
	l.mu.Unlock()
	if out != nil {
		_ = out.Conn.Close()
	}
}

// forget removes a connection from its list. The caller holds l.mu.
func (l *Listener) forget(c *Conn) {
	if c.place == nil {
		return
	}
	l.all--
	if c.user == "" {
		l.strangers.Remove(c.place)
		if l.addresses[c.Address]--; l.addresses[c.Address] == 0 {
			delete(l.addresses, c.Address)
		}
	} else {
		own := l.users[c.user]
		if own.Remove(c.place); own.Len() == 0 {
			delete(l.users, c.user)
		}
	}
	c.place = nil
}

// Close implements net.Conn.
func (c *Conn) Close() error {
	c.listener.mu.Lock()
	c.listener.forget(c)
	c.listener.mu.Unlock()
	return c.Conn.Close()
}

// SignedIn records that a connection belongs to a user. If the user has too many, the oldest that is not a WebSocket is closed.
func (c *Conn) SignedIn(user string) {
	l := c.listener
	l.mu.Lock()
	var out *Conn
	if c.place != nil && c.user != user {
		l.forget(c)
		own := l.users[user]
		if own == nil {
			own = &list.List{}
			l.users[user] = own
		}
		if own.Len() >= socketsUser {
			out = plain(own)
		}
		c.user, c.place = user, own.PushBack(c)
		l.all++
	}
	if out != nil {
		l.forget(out)
	}
	l.mu.Unlock()
	if out != nil {
		_ = out.Conn.Close()
	}
}

// plain returns the first connection of a list that is no WebSocket. There is one, as WebSockets have a lower limit.
func plain(own *list.List) *Conn {
	for e := own.Front(); e != nil; e = e.Next() {
		if c := e.Value.(*Conn); !c.socket {
			return c
		}
	}
	return nil
}

// UpgradeToWebSocket records that a user's connection becomes a WebSocket. It fails where the user has too many.
func (c *Conn) UpgradeToWebSocket() error {
	c.listener.mu.Lock()
	defer c.listener.mu.Unlock()
	if err := c.listener.roomFor(c.user); err != nil {
		return err
	}
	c.socket = true
	return nil
}

// CheckRoom returns an error where a user has the most WebSockets that are allowed.
func (l *Listener) CheckRoom(user string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.roomFor(user)
}

func (l *Listener) roomFor(user string) error {
	open := 0
	if own := l.users[user]; own != nil {
		for e := own.Front(); e != nil; e = e.Next() {
			if e.Value.(*Conn).socket {
				open++
			}
		}
	}
	if open >= WebSocketsUser {
		return fmt.Errorf("%s has %d pages open, the limit: close one of them", user, open)
	}
	return nil
}

type connKey struct{}

// WithConn returns a context from which [ConnOf] gets the connection; it is for [net/http.Server.ConnContext].
func WithConn(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, conn)
}

// ConnOf returns the connection of a request. It panics for a context that is not of a request to a Listener.
func ConnOf(ctx context.Context) *Conn { return ctx.Value(connKey{}).(*Conn) }

// addressOf returns what counts as one address: of IPv6 the network, since every host has millions of addresses in it.
func addressOf(hostport string) netip.Prefix {
	at, err := netip.ParseAddrPort(hostport)
	if err != nil {
		return netip.Prefix{}
	}
	address, bits := at.Addr().Unmap().WithZone(""), 32
	if address.Is6() {
		bits = 64
	}
	prefix, _ := address.Prefix(bits) // both lengths are right
	return prefix
}
