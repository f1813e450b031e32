package coach

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
)

// simulator is a system with one robot of two joints, which records what it is fed.
type simulator struct {
	admin.System

	mu       sync.Mutex
	fed      []string // since the last release
	held     bool
	releases int
	lease    time.Duration
	onFeed   func()
}

// console shows a simulator alone.
type console struct{ simulator *simulator }

func (c console) Running() []string                   { return []string{"sim"} }
func (c console) System(string) (admin.System, error) { return c.simulator, nil }

func (c console) List(context.Context, string) (*robots.List, error) {
	r := robots.Robot{Name: "arm", Joints: []string{"a", "b"}, Ports: robots.Ports{Torque: []robots.JointPort{{Ref: "arm.torque", Length: 2}}}}
	return &robots.List{Robots: []robots.Robot{r}}, nil
}

func (s *simulator) FeedFor(_ context.Context, ref string, value any, lasts time.Duration) (began bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.onFeed != nil {
		s.onFeed()
	}
	began, s.held, s.lease = !s.held, true, lasts
	s.fed = append(s.fed, fmt.Sprint(ref, " ", value))
	return began, nil
}

func (s *simulator) Release(context.Context, string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fed, s.held = nil, false
	s.releases++
	return nil
}

// times returns how often the newest value was fed since the last release.
func (s *simulator) times(value string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := len(s.fed) - 1; i >= 0 && s.fed[i] == "arm.torque "+value; i-- {
		n++
	}
	return n
}

func (s *simulator) released() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.releases
}

// text is a log that may be read while it is written.
type text struct {
	mu sync.Mutex
	bytes.Buffer
}

func (t *text) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.Buffer.Write(b)
}

func (t *text) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.Buffer.String()
}

// open opens the port of a simulator.
func open(t *testing.T, s *simulator) (*Coach, *text) {
	t.Helper()
	log := &text{}
	c, err := Open("127.0.0.1:0", Options{Systems: console{s}, Robots: console{s}, Log: slog.New(slog.NewTextHandler(log, nil)), Show: func([]byte) {}, Driven: func(string, string) {}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c, log
}

// connect connects a program.
func connect(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// answer sends a line and returns the answer, "" if the connection has ended.
func answer(conn net.Conn, line string) string {
	_ = conn.SetDeadline(time.Now().Add(testkit.Patience()))
	fmt.Fprintln(conn, line)
	got, _ := bufio.NewReader(conn).ReadString('\n')
	return got
}

func TestTorquesAreRenewedUntilTheirProgramEnds(t *testing.T) {
	s := &simulator{}
	c, _ := open(t, s)
	first, second := connect(t, c.Addr().String()), connect(t, c.Addr().String())
	answer(first, "5 0 1 2")
	answer(second, "5 0 3 4")
	testkit.Await(t, "the newest torques are renewed", func() bool { return s.times("[3 4]") > 3 })
	if s.lease != lease {
		t.Errorf("a system holds torques for %v, expected %v", s.lease, lease)
	}
	second.Close()
	testkit.Await(t, "the second program has left", func() bool { return c.connections() == 1 })
	before := s.times("[3 4]")
	testkit.Await(t, "the other program keeps the torques", func() bool { return s.times("[3 4]") > before })
	first.Close()
	testkit.Await(t, "the release", func() bool { return s.released() == 1 })
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if s.released() != 1 || len(s.fed) != 0 || len(c.driving) != 0 {
		t.Errorf("%d releases, then %q", s.released(), s.fed)
	}
}

// connections returns how many programs are connected.
func (c *Coach) connections() int {
	c.programs.mu.Lock()
	defer c.programs.mu.Unlock()
	return len(c.programs.list)
}

func TestTorquesThatAnOperatorReleasesStayReleased(t *testing.T) {
	s := &simulator{}
	c, log := open(t, s)
	p := connect(t, c.Addr().String())
	answer(p, "5 0 1 2")
	_ = s.Release(t.Context(), "arm.torque")
	testkit.Await(t, "the port gives up the torques", func() bool { return strings.Contains(log.String(), "torques of a program have ended") })
	if s.held {
		t.Error("the system holds them again")
	}
	answer(p, "5 0 5 6")
	testkit.Await(t, "new torques are renewed", func() bool { return s.times("[5 6]") > 3 })
}

func TestIdleProgramMakesRoomForAnotherAndOneThatDrivesDoesNot(t *testing.T) {
	c, log := open(t, &simulator{})
	address := c.Addr().String()
	list := make([]net.Conn, maxPrograms)
	for i := range list {
		list[i] = connect(t, address)
		answer(list[i], "6")
	}
	answer(list[0], "5 0 1 2") // drives
	for _, i := range []int{1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15} {
		answer(list[i], "6")
	}
	if got := answer(connect(t, address), "6"); got != "6\n" {
		t.Errorf("another program is answered %q", got)
	}
	for i, want := range map[int]string{0: "6\n", 1: "6\n", 2: "", 3: "6\n", 15: "6\n"} {
		if got := answer(list[i], "6"); got != want {
			t.Errorf("program %d is answered %q, expected %q", i, got, want)
		}
	}
	for i := range list {
		if i != 2 {
			answer(list[i], "5 0 1 2")
		}
	}
	last := connect(t, address)
	answer(last, "5 0 1 2")
	if got := answer(connect(t, address), "6"); got != "" || !strings.Contains(log.String(), "16 programs drive robots") {
		t.Errorf("a program beyond those that drive is answered %q, and the log is\n%s", got, log)
	}
}

// TestOtherLocalUsersCannotDrive lets a stranger send lines to the port of a victim, in connections that stay and that end at once.
func TestOtherLocalUsersCannotDrive(t *testing.T) {
	u := testkit.TwoUsers(t, testkit.Roles{
		"console": func(t *testing.T) {
			c, _ := open(t, &simulator{onFeed: func() { _ = os.WriteFile(filepath.Join(os.TempDir(), "fed"), nil, 0o644) }})
			fmt.Println("address", c.Addr())
			testkit.Ready()
		},
		"stranger": func(t *testing.T) {
			for range 100 {
				conn := connect(t, os.Getenv("ADDRESS"))
				fmt.Fprintln(conn, "5 0 7 8")
				conn.Close()
			}
			if got := answer(connect(t, os.Getenv("ADDRESS")), "6"); got != "" {
				t.Fatalf("the stranger is answered %q", got)
			}
		},
		"program": func(t *testing.T) {
			if got := answer(connect(t, os.Getenv("ADDRESS")), os.Getenv("LINE")); got != os.Getenv("ANSWER")+"\n" {
				t.Fatalf("the victim's own program is answered %q", got)
			}
		},
	})
	output, _ := u.Victim.Start(t, "console")
	_, address, _ := strings.Cut(output, "address ")
	address = "ADDRESS=" + strings.TrimSpace(address)
	drives := func() bool {
		_, err := os.Stat(filepath.Join(u.Shared, "fed"))
		return err == nil
	}
	u.Stranger.Run(t, "stranger", address)
	u.Victim.Run(t, "program", address, "LINE=6", "ANSWER=6")
	if drives() {
		t.Error("the stranger drives")
	}
	u.Victim.Run(t, "program", address, "LINE=5 0 7 8", "ANSWER=")
	testkit.Await(t, "the victim's program drives", drives)
}
