package console_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sinew-robotics/sinew/console"
)

func withCoach(o *console.Options) { o.Coach = "127.0.0.1:0" }

// program is one that speaks to the coach's port.
type program struct {
	net.Conn
	lines *bufio.Scanner
	t     *testing.T
}

func (r *rig) program(t *testing.T) *program {
	t.Helper()
	conn, err := net.Dial("tcp", r.CoachAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &program{conn, bufio.NewScanner(conn), t}
}

// tell sends a line and returns the answer, where one is wanted.
func (p *program) tell(answer bool, format string, args ...any) string {
	p.t.Helper()
	fmt.Fprintf(p, format+"\n", args...)
	if !answer {
		return ""
	}
	_ = p.SetReadDeadline(time.Now().Add(10 * time.Second))
	if !p.lines.Scan() {
		p.t.Fatalf("%s: no answer: %v", format, p.lines.Err())
	}
	return p.lines.Text()
}

func TestCoachShowsPoses(t *testing.T) {
	r, _ := openArm(t, withCoach)
	page := r.page(aToken + " ann")
	poses := make(chan map[string]any, 100)
	if _, err := page.Subscribe("c."+page.id+".coach", func(m *nats.Msg) {
		var x map[string]any
		_ = json.Unmarshal(m.Data, &x)
		poses <- x
	}); err != nil {
		t.Fatal(err)
	}
	page.Flush()
	next := func() map[string]any {
		t.Helper()
		select {
		case x := <-poses:
			return x
		case <-time.After(10 * time.Second):
			t.Fatal("no pose came")
			return nil
		}
	}
	p := r.program(t)
	p.tell(false, "2 0 0.1 0.2")
	if x := next(); x["robot"] != "the_arm" || x["q"].([]any)[1] != 0.2 {
		t.Errorf("pose %v", x)
	}
	p.tell(false, "0 0 3 1 2 3 0 0 %g", math.Pi/2)
	x := next()
	if q := x["frame"].(m)["q"].([]any); x["link"] == nil || math.Abs(q[2].(float64)-math.Sqrt2/2) > 1e-12 {
		t.Errorf("frame %v", x)
	}
	p.tell(false, "1 0 3 0 1 2 3 0 0 0")
	if x := next(); x["shape"] != 0.0 {
		t.Errorf("shape %v", x)
	}
	if a := p.tell(true, "6 0"); a != "6 0 0.5 -0.25" {
		t.Errorf("positions %q", a)
	}
	for line, want := range map[string]string{"2 0 1": "2 joints", "2 9 1 2": "robots", "0 0 9 0 0 0 0 0 0": "links"} {
		if a := p.tell(true, "%s", line); !strings.HasPrefix(a, "error ") || !strings.Contains(a, want) {
			t.Errorf("%s: %q, wants %q", line, a, want)
		}
	}
}

func TestCoachDrivesUntilItLeaves(t *testing.T) {
	r, _ := openArm(t, withCoach)
	p, q := r.program(t), r.program(t)
	if a := p.tell(true, "5 0 3 4"); a != "" {
		t.Errorf("answer %q", a)
	}
	await(t, "the torques", func() bool { return q.tell(true, "6 0") == "6 0 3 4" })
	p.Close()
	await(t, "the release", func() bool { return strings.Contains(r.journal.String(), "torques") && !r.fed(t) })
}

// fed reports whether the arm's torque is still fed by hand: then it has a value though nothing is linked to it.
func (r *rig) fed(t *testing.T) bool {
	return r.program(t).tell(true, "6 0") == "6 0 3 4"
}

// TestStrangersPageCannotUseTheCoach plays a browser that a stranger's page sends to the port.
func TestStrangersPageCannotUseTheCoach(t *testing.T) {
	r, _ := openArm(t, withCoach)
	p := r.program(t)
	fmt.Fprint(p, "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n5 0 7 8\n5 0 7 8\n")
	_ = p.SetReadDeadline(time.Now().Add(10 * time.Second))
	var got []string
	for p.lines.Scan() {
		got = append(got, p.lines.Text())
	}
	if len(got) > 1 {
		t.Errorf("a browser got %q", got)
	}
	if a := r.program(t).tell(true, "6 0"); a != "6 0 0.5 -0.25" {
		t.Errorf("a browser has driven the arm: %q", a)
	}
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "example.org:1", "x"} {
		if s, err := console.Open(console.Options{Coach: address}); err == nil {
			s.Close()
			t.Errorf("the coach listens at %s", address)
		}
	}
}

func FuzzCoachLine(f *testing.F) {
	for _, line := range []string{"0 0 1 1 2 3 0 0 0", "1 0 1 0 1 2 3 0 0 0", "2 0 1.5 -2e3", "5 0 1", "6 0", "2 0 NaN", "2 -1", "", "x", "6 0 1"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) { console.CheckCoachLine(t, line) })
}
