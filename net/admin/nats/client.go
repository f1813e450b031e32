package nats

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/request"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Client is a system in other processes, on this host and others: one [System], whatever it consists of. References
// go to the process that has the block. Lost connections and processes are found again automatically.
//
// It owns one goroutine and those of its connections; all end with Close.
type Client struct {
	system  string
	only    string      // the one process that was asked for; "": all
	actor   admin.Actor // of the changes that it makes
	conns   []*nats.Conn
	servers string        // their addresses, for people
	done    chan struct{} // closed when the system has ended

	mu        sync.Mutex
	members   map[string]*member // by process
	blocks    map[string]string  // the process of each block that was seen
	groups    []admin.Group      // of the last structure
	streams   map[string]*stream // of samples, by process
	ended     bool
	seen      []string // what else answered the first search, for hints
	expected  bool     // another process of the system has named the one that was asked for
	unreached []error  // servers that did not answer at first

	lost   atomic.Uint64
	notice atomic.Pointer[func(string)]
	back   atomic.Pointer[time.Time] // when a connection came back last
	look   chan struct{}
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	keeper sync.WaitGroup
}

var _ interface {
	admin.Running
	admin.Logs
	admin.Lifetime
	admin.LossCounter
} = (*Client)(nil)

// member is a process of the system, as it was seen last. It is never changed, but another one takes its place.
type member struct {
	name  string
	found            // its own description; empty until it was found
	conn  *nats.Conn // where it was seen; nil: nowhere
	ended bool       // it has announced that it stops
}

// Dial reaches a system of this host by its name, or one process of it as "system.process". It fails if the system does not
// run.
func Dial(name string) (*Client, error) {
	system, _, err := splitName(name)
	if err != nil {
		return nil, err
	}
	return DialAt(name, OnHost(system))
}

// DialAt reaches a system, or one process of it as "system.process", at servers: that of this host, those of other
// hosts, a site's cluster. A server that does not answer is an error only where none does.
func DialAt(name string, servers ...Address) (*Client, error) {
	system, only, err := splitName(name)
	if err != nil {
		return nil, err
	}
	c := &Client{system: system, only: only, actor: admin.NewActor(os.Getenv("USER")), done: make(chan struct{}), members: map[string]*member{}, blocks: map[string]string{},
		streams: map[string]*stream{}, look: make(chan struct{}, 1)}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	if err := c.connect(servers); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	if err := c.search(); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	c.keeper.Go(c.keep)
	return c, nil
}

// connect reaches the servers, all at once. One that does not answer is tried on and on, where another one does.
func (c *Client) connect(servers []Address) error {
	conns, errs := make([]*nats.Conn, len(servers)), make([]error, len(servers))
	var gone atomic.Int32
	var all sync.WaitGroup
	var names []string
	for i, a := range servers {
		names = append(names, a.String())
		ended := sync.OnceFunc(func() {
			if int(gone.Add(1)) == len(servers) {
				c.serversEnded()
			}
		})
		all.Go(func() {
			if conns[i], errs[i] = c.open(a, ended); errs[i] != nil && len(servers) > 1 {
				conns[i], _ = c.open(a, ended, nats.RetryOnFailedConnect(true), nats.ConnectHandler(c.isBack))
			}
		})
	}
	all.Wait()
	c.servers = strings.Join(names, ", ")
	for i, conn := range conns {
		if errs[i] != nil {
			c.unreached = append(c.unreached, errs[i])
		}
		if conn != nil {
			c.conns = append(c.conns, conn)
		}
	}
	if len(c.unreached) == len(servers) {
		return errors.Join(errs...)
	}
	for _, conn := range c.conns {
		if _, err := conn.Subscribe(subject(c.system, "*", "event"), c.event); err != nil {
			return fmt.Errorf("follow the events of %s: %w", c.system, err)
		}
	}
	return nil
}

// open connects to a server; ended is called when the connection is closed for good.
func (c *Client) open(a Address, ended func(), more ...nats.Option) (*nats.Conn, error) {
	return connect(a, "sinew tools: "+c.actor.String(), ended, append(more, nats.ReconnectHandler(c.isBack),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil && c.ctx.Err() == nil && !isClosed(c.done) {
				c.notify(fmt.Sprintf("the connection to %v is lost, and tried again: %v", a, err))
			}
		}))...)
}

// isBack is called when a connection has come back.
func (c *Client) isBack(*nats.Conn) {
	now := time.Now()
	c.back.Store(&now)
	c.lookSoon()
	c.notify("the connection is back")
}

// Actor returns what events name this client, where the context of a request names no other actor.
func (c *Client) Actor() admin.Actor { return c.actor }

// search looks for the processes of the system, and again for one that does not answer though another one names it: it may wait for a processor.
func (c *Client) search() error {
	for limit := time.Now().Add(patience); ; {
		err := c.within(c.find)
		missing := c.checkFound()
		if err != nil || missing == nil || !c.expects() || time.Now().After(limit) {
			return errors.Join(err, missing)
		}
	}
}

// find looks for the processes of the system at all servers, and waits for one that is wanted.
func (c *Client) find(ctx context.Context) error {
	return c.findUntil(ctx, func() bool { return c.checkFound() == nil })
}

// findAll looks for them, and waits for each that another one names.
func (c *Client) findAll(ctx context.Context) error { return c.findUntil(ctx, c.complete) }

// findUntil looks for them until those that are wanted were seen, or none answers any more.
func (c *Client) findUntil(ctx context.Context, seen func() bool) error {
	var all sync.WaitGroup
	errs := make([]error, len(c.conns))
	for i, conn := range c.conns {
		all.Go(func() {
			errs[i] = ping(ctx, conn, func(f found) (some, all bool) {
				c.note(conn, f)
				return seen(), c.complete()
			})
		})
	}
	all.Wait()
	if slices.Contains(errs, nil) {
		return nil
	}
	return errors.Join(errs...)
}

// note takes down a process that was seen.
func (c *Client) note(conn *nats.Conn, f found) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.System != c.system || c.only != "" && f.Process != c.only {
		c.seen = append(c.seen, f.System, f.System+"."+f.Process)
		c.expected = c.expected || f.System == c.system && slices.Contains(f.Processes, c.only)
		return
	}
	for _, name := range append([]string{f.Process}, f.Processes...) {
		if c.members[name] == nil && (c.only == "" || name == c.only) {
			c.members[name] = &member{name: name}
		}
	}
	c.members[f.Process] = &member{name: f.Process, found: f, conn: conn}
}

// complete reports whether all processes were seen.
func (c *Client) complete() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.members {
		if m.conn == nil {
			return false
		}
	}
	return len(c.members) > 0
}

// expects reports whether another process of the system has named the one that was asked for.
func (c *Client) expects() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.expected
}

// checkFound returns an error where nothing was found.
func (c *Client) checkFound() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.members) > 0 {
		return nil
	}
	name := strings.TrimSuffix(c.system+"."+c.only, ".")
	return fmt.Errorf("no system %q answers at %s%s", name, c.servers, nearest.Hint(name, c.seen))
}

// now returns what is known of a process at present.
func (c *Client) now(process string) *member {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.members[process]
}

// list returns the processes, by name.
func (c *Client) list() []*member {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []*member
	for _, m := range c.members {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b *member) int { return strings.Compare(a.name, b.name) })
	return all
}

// serversEnded is called when all servers have gone for good.
func (c *Client) serversEnded() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.end()
}

// end closes done: the system has ended. The caller holds c.mu.
func (c *Client) end() {
	if !c.ended {
		c.ended = true
		close(c.done)
	}
}

// Close ends the connections; the system goes on.
func (c *Client) Close() error {
	c.cancel()
	c.mu.Lock()
	c.end()
	c.mu.Unlock()
	c.keeper.Wait()
	for _, conn := range c.conns {
		conn.Close()
	}
	return nil
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Done returns a channel that is closed when the system has ended.
func (c *Client) Done() <-chan struct{} { return c.done }

// OnNotice calls show when a connection or process that is needed is lost, and when it is back.
func (c *Client) OnNotice(show func(text string)) { c.notice.Store(&show) }

func (c *Client) notify(text string) {
	if show := c.notice.Load(); show != nil {
		(*show)(text)
	}
}

// Lost returns how many samples of all taps were sent and never arrived. The loss of the last one before all rests is counted
// when the lease is renewed, within 2.5 s.
func (c *Client) Lost() uint64 { return c.lost.Load() }

// Now returns the time of the system, 0 where it has ended.
func (c *Client) Now() clock.Time {
	for _, m := range c.list() {
		var now moment
		ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
		err := c.ask(ctx, m, "time", request.None{}, &now)
		cancel()
		if err == nil {
			return now.Now
		}
	}
	return 0
}

// waitPeriod is how often Wait looks at the time and the condition.
const waitPeriod = 5 * time.Millisecond

// Wait returns nil at time until, where until > 0, or as soon as ready returns true, where it is not nil; [ErrGone]
// when the system ends before.
func (c *Client) Wait(until clock.Time, ready func() bool) error {
	ticker := time.NewTicker(waitPeriod)
	defer ticker.Stop()
	for {
		if ready != nil && ready() || until > 0 && c.Now() >= until {
			return nil
		}
		select {
		case <-ticker.C:
		case <-c.done:
			return admin.ErrGone
		}
	}
}
