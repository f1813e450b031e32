package console

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"sync"
	"time"
)

// The limits of the coach's port.
const (
	maxCoaches    = 16
	coachPatience = time.Second // for a program that does not read what it is told
	coachRate     = time.Second / 60
	coachLook     = time.Second // how long the list of robots is taken to stay
)

// coach lets programs show poses in the 3-D view and drive simulators, through a TCP port and lines of numbers. It has no
// login, as programs that were written for the Robotics Library know none, and so listens on loopback only.
// docs/reference/console-protocol.md describes the lines.
type coach struct {
	server   *Server
	listener net.Listener
	slots    chan struct{}

	mu      sync.Mutex
	robots  []coached
	looked  time.Time
	poses   map[string]coachPose // that were set and not shown yet, by what they place
	driving map[string]int       // ports that connections hold, by system and port
}

// coached is a robot with its number.
type coached struct {
	system string
	robotReply
}

// coachPose is told to pages on c.SESSION.coach: joint positions of a robot, or the frame of one of its links, or of one
// shape of that.
type coachPose struct {
	System string     `json:"system"`
	Robot  string     `json:"robot"`
	Q      []float64  `json:"q,omitempty"`
	Link   string     `json:"link,omitempty"`
	Shape  *int       `json:"shape,omitempty"`
	Frame  *bodyFrame `json:"frame,omitempty"`
}

// openCoach listens at an address of this machine.
func (s *Server) openCoach(address string) (*coach, error) {
	host, _, err := net.SplitHostPort(address)
	if err == nil && host != "localhost" {
		ip, parseErr := netip.ParseAddr(host)
		if parseErr != nil || !ip.IsLoopback() {
			err = errors.New("it has no login: wants an address of loopback, as 127.0.0.1:11235; others come by ssh -L")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open the coach's port at %q: %w", address, err)
	}
	c := &coach{server: s, slots: make(chan struct{}, maxCoaches), poses: map[string]coachPose{}, driving: map[string]int{}}
	if c.listener, err = net.Listen("tcp", address); err != nil {
		return nil, fmt.Errorf("open the coach's port: %w", err)
	}
	s.work.Go(c.accept)
	s.work.Go(c.show)
	return c, nil
}

func (c *coach) accept() {
	for {
		conn, err := c.listener.Accept()
		if err != nil {
			return // closed
		}
		select {
		case c.slots <- struct{}{}:
			if !c.server.goes(func() { c.serve(conn); <-c.slots }) {
				_ = conn.Close()
			}
		default:
			_ = conn.Close()
		}
	}
}

// serve works on the lines of one program. The first one that is none ends the connection: so a browser that a stranger's
// page sends here gets nothing done.
func (c *coach) serve(conn net.Conn) {
	defer conn.Close()
	defer context.AfterFunc(c.server.ctx, func() { _ = conn.Close() })()
	held := map[string]coached{}
	defer c.releaseAll(held)
	lines := bufio.NewScanner(conn)
	lines.Buffer(nil, maxCoachLine)
	for lines.Scan() {
		l, err := parseCoachLine(lines.Text())
		answer, known := "", err == nil
		if known {
			answer, err = c.obey(l, held)
		}
		if err != nil {
			answer = "error " + err.Error() + "\n"
		}
		if answer != "" {
			_ = conn.SetWriteDeadline(time.Now().Add(coachPatience))
			if _, err := conn.Write([]byte(answer)); err != nil {
				return
			}
		}
		if !known {
			return
		}
	}
}

// obey does what a line says and returns the answer.
func (c *coach) obey(l coachLine, held map[string]coached) (string, error) {
	ctx, cancel := context.WithTimeout(c.server.ctx, askPatience)
	defer cancel()
	r, err := c.find(ctx, l.indices[0])
	if err != nil {
		return "", err
	}
	if want := len(r.Joints); (l.verb == setPositions || l.verb == setTorques) && len(l.figures) != want {
		return "", fmt.Errorf("robot %d has %d joints, got %d numbers", l.indices[0], want, len(l.figures))
	}
	pose := coachPose{System: r.system, Robot: r.Name}
	switch l.verb {
	case setPositions:
		pose.Q = l.figures
		c.put(pose, r.Name)
	case placeBody, placeShape:
		if l.indices[1] >= len(r.Links) {
			return "", fmt.Errorf("robot %d has %d links", l.indices[0], len(r.Links))
		}
		f := l.frame()
		pose.Link, pose.Frame = r.Links[l.indices[1]], &f
		if l.verb == placeShape {
			pose.Shape = &l.indices[2]
		}
		c.put(pose, r.Name, pose.Link, fmt.Sprint(l.indices[2:]))
	case setTorques:
		return "\n", c.drive(ctx, r, l.figures, held)
	case tellPositions:
		return c.tell(ctx, l.indices[0], r)
	}
	return "", nil
}

// find returns the robot of a number: they are counted over all systems, by the systems' names.
func (c *coach) find(ctx context.Context, number int) (coached, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.looked) > coachLook || number >= len(c.robots) {
		c.robots, c.looked = nil, time.Now()
		names := c.server.catalog.systems.List()
		slices.Sort(names)
		for _, name := range names {
			list, err := c.server.robotsOf(ctx, name)
			if err != nil {
				return coached{}, err
			}
			for _, r := range list.Robots {
				c.robots = append(c.robots, coached{name, r})
			}
		}
	}
	if number >= len(c.robots) {
		return coached{}, fmt.Errorf("there are %d robots", len(c.robots))
	}
	return c.robots[number], nil
}

// tell answers with the positions of the joints.
func (c *coach) tell(ctx context.Context, number int, r coached) (string, error) {
	sys, err := c.server.catalog.get(r.system)
	if err != nil {
		return "", err
	}
	answer := fmt.Appendf(nil, "%d %d", tellPositions, number)
	for _, ref := range r.Position {
		reading, err := sys.Read(ctx, ref)
		if err != nil {
			return "", err
		}
		list, many := reading.Value.([]any)
		if !many {
			list = []any{reading.Value}
		}
		for _, v := range list {
			x, _ := asNumber(v)
			answer = strconv.AppendFloat(append(answer, ' '), x, 'g', -1, 64)
		}
	}
	return string(append(answer, '\n')), nil
}

// put keeps a pose until it is shown; a newer one of the same thing takes its place.
func (c *coach) put(p coachPose, what ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if key := fmt.Sprint(p.System, what); len(c.poses) < maxCoachFigures || c.poses[key].System != "" {
		c.poses[key] = p
	}
}
