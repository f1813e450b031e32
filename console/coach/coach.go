package coach

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/internal/inuse"
	"github.com/sinew-robotics/sinew/net/admin"
)

// The limits of the port.
const (
	maxPrograms     = 16          // another one takes the place of one that is idle
	writePatience   = time.Second // for a program that does not read its answers
	requestPatience = 10 * time.Second
	releasePatience = 2 * time.Second
	showPeriod      = time.Second / 60
	listPeriod      = time.Second // how long a list of robots is used
)

// Systems gives access to the systems that the console shows.
type Systems interface {
	// Running returns the names of the systems that run now.
	Running() []string
	// System returns a running system.
	System(name string) (admin.System, error)
}

// Robots lists the robots of a system. List fails if the system is unknown or does not answer.
type Robots interface {
	List(ctx context.Context, system string) (*robots.List, error)
}

// Options configure [Open].
type Options struct {
	Systems Systems
	Robots  Robots
	Log     *slog.Logger
	// Show sends a pose, as JSON, to the pages that can take it. Called by one goroutine.
	Show func(pose []byte)
	// Driven is called when a connection begins to drive a robot of a system.
	Driven func(system, robot string)
}

// Coach is an open port.
type Coach struct {
	options  Options
	listener net.Listener
	programs programs
	ctx      context.Context
	cancel   context.CancelFunc
	work     sync.WaitGroup

	mu      sync.Mutex
	robots  []robot
	looked  time.Time
	shown   map[string]*shown // by system and robot
	driving map[string]*drive // by system and robot
}

// robot is a robot that lines name by its place in the list.
type robot struct {
	system string
	robots.Robot
}

// key identifies a robot in the maps of a coach.
func (r robot) key() string { return r.system + "\x00" + r.Name }

// Open listens at an address and port of loopback. It fails for an address that is not of loopback, or that is in use.
func Open(address string, o Options) (*Coach, error) {
	host, _, err := net.SplitHostPort(address)
	if err == nil && host != "localhost" {
		ip, parseErr := netip.ParseAddr(host)
		if parseErr != nil || !ip.IsLoopback() {
			err = errors.New("the port has no login, so it must be on loopback, as 127.0.0.1:11235; use ssh -L from other hosts")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open the coach's port at %q: %w", address, err)
	}
	c := &Coach{options: o, programs: programs{driving: map[*program]bool{}}, shown: map[string]*shown{}, driving: map[string]*drive{}}
	if c.listener, err = net.Listen("tcp", address); err != nil {
		return nil, fmt.Errorf("open the coach's port: %w", inuse.Explain(err, "tcp", address, "choose another port with --coach"))
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.work.Go(c.accept)
	c.work.Go(c.show)
	return c, nil
}

// Addr returns the address of the port.
func (c *Coach) Addr() net.Addr { return c.listener.Addr() }

// Close closes the port, ends all connections, releases what they drive, and waits for that.
func (c *Coach) Close() error {
	c.cancel()
	err := c.listener.Close()
	c.work.Wait()
	return err
}

// accept serves the programs of this user. The first connection that is refused is logged, and their number at the end.
func (c *Coach) accept() {
	refused := 0
	defer func() {
		if refused > 1 {
			c.options.Log.Warn("console: the coach's port has refused connections", "number", refused)
		}
	}()
	for {
		conn, err := c.listener.Accept()
		if err != nil {
			return // closed
		}
		p := &program{coach: c, conn: conn, name: conn.RemoteAddr().String(), held: map[string]*drive{}}
		err = checkUser(conn)
		if err == nil && !c.programs.admit(p) {
			err = fmt.Errorf("%d programs drive robots", maxPrograms)
		}
		if err != nil {
			if refused++; refused == 1 {
				c.options.Log.Warn("console: the coach's port refuses a connection, and such connections after it", "program", p.name, "error", err)
			}
			_ = conn.Close()
			continue
		}
		c.work.Go(p.serve)
	}
}

// serve executes the lines of one program. A line that no such program sends ends the connection, so that a browser which another site's page
// sends here can do nothing. Answers to lines that came together leave together: programs read them at once.
func (p *program) serve() {
	c, conn := p.coach, p.conn
	defer conn.Close()
	defer context.AfterFunc(c.ctx, func() { _ = conn.Close() })()
	defer p.leave()
	lines := bufio.NewReaderSize(conn, maxLine)
	var answers []byte
	for {
		if len(answers) > 0 && (!hasLine(lines) || len(answers) > maxLine) {
			_ = conn.SetWriteDeadline(time.Now().Add(writePatience))
			if _, err := conn.Write(answers); err != nil {
				return
			}
			answers = answers[:0]
		}
		text, err := lines.ReadSlice('\n')
		if err != nil && (!errors.Is(err, io.EOF) || len(text) == 0) {
			return
		}
		if isForeign(string(text)) {
			c.options.Log.Warn("console: the coach's port has closed a connection that speaks another protocol", "program", p.name, "line", fmt.Sprintf("%.60q", text))
			return
		}
		c.programs.active(p)
		answers = append(answers, p.obey(string(text))...)
	}
}

// hasLine reports whether a whole line has been received and not read.
func hasLine(lines *bufio.Reader) bool {
	received, _ := lines.Peek(lines.Buffered())
	return bytes.IndexByte(received, '\n') >= 0
}

// obey executes a line and returns its answer. A line that cannot be executed is ignored, as in the library, and the first one of a
// connection is logged.
func (p *program) obey(text string) string {
	l, err := parseLine(text)
	answer := ""
	if err == nil {
		answer, err = p.coach.execute(l, p)
	}
	if err != nil {
		if p.ignored++; p.ignored == 1 {
			p.coach.options.Log.Warn("console: the coach's port ignores a line, and such lines after it", "program", p.name, "line", fmt.Sprintf("%.60q", text), "error", err)
		}
	}
	return answer
}

// leave releases what a program drives.
func (p *program) leave() {
	if p.ignored > 1 {
		p.coach.options.Log.Warn("console: the coach's port has ignored lines", "program", p.name, "lines", p.ignored)
	}
	p.coach.programs.leave(p)
	for _, d := range p.held {
		p.coach.leave(d)
	}
}

// execute executes a line. A question is answered even if there is an error: a program waits for it.
func (c *Coach) execute(l line, p *program) (string, error) {
	if l.verb == nothing {
		return "", nil
	}
	answer := l.answer()
	if len(l.indices) == 0 {
		return answer, nil
	}
	ctx, cancel := context.WithTimeout(c.ctx, requestPatience)
	defer cancel()
	r, err := c.find(ctx, l.indices[0])
	if err != nil {
		return answer, err
	}
	if want := len(r.Joints); (l.verb == setPositions || l.verb == setTorques) && len(l.figures) != want {
		return answer, fmt.Errorf("robot %d has %d joints, got %d numbers", l.indices[0], want, len(l.figures))
	}
	switch l.verb {
	case setPositions:
		c.pose(r, l.figures)
	case placeBody, placeShape:
		if l.indices[1] >= len(r.Links) {
			return "", fmt.Errorf("robot %d has %d links", l.indices[0], len(r.Links))
		}
		at := place{link: r.Links[l.indices[1]], shape: wholeLink}
		if l.verb == placeShape {
			at.shape = l.indices[2]
			if n := r.Shapes[l.indices[1]]; at.shape >= n {
				return "", fmt.Errorf("link %d of robot %d, %q, has %d shapes", l.indices[1], l.indices[0], at.link, n)
			}
		}
		return "", c.place(r, at, l.frame())
	case setTorques:
		return answer, c.drive(ctx, r, l.figures, p)
	case askPositions:
		q, err := c.positions(ctx, r)
		if err != nil {
			return answer, err
		}
		return l.answer(q...), nil
	}
	return "", nil
}

// find returns the robot with a number: robots are counted over all systems, in the order of the systems' names.
func (c *Coach) find(ctx context.Context, number int) (robot, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.looked) > listPeriod || number >= len(c.robots) {
		c.robots, c.looked = nil, time.Now()
		names := c.options.Systems.Running()
		slices.Sort(names)
		c.forget(names)
		for _, name := range names {
			list, err := c.options.Robots.List(ctx, name)
			if err != nil {
				return robot{}, err
			}
			for _, r := range list.Robots {
				c.robots = append(c.robots, robot{name, r})
			}
		}
	}
	if number >= len(c.robots) {
		return robot{}, fmt.Errorf("there are %d robots", len(c.robots))
	}
	return c.robots[number], nil
}

// positions returns the positions of a robot's joints: those that its system publishes, or else those that programs have set, at first 0.
func (c *Coach) positions(ctx context.Context, r robot) ([]float64, error) {
	if len(r.Position) == 0 {
		return c.posed(r), nil
	}
	sys, err := c.options.Systems.System(r.system)
	if err != nil {
		return nil, err
	}
	var q []float64
	for _, ref := range r.Position {
		reading, err := sys.Read(ctx, ref)
		if err != nil {
			return nil, err
		}
		list, many := reading.Value.([]any)
		if !many {
			list = []any{reading.Value}
		}
		for _, v := range list {
			x, _ := v.(float64)
			q = append(q, x)
		}
	}
	return q, nil
}
