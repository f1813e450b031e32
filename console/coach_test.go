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
	"github.com/sinew-robotics/sinew/internal/testkit"
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

// send sends a line and returns the answer, where one is wanted.
func (p *program) send(answer bool, format string, args ...any) string {
	p.t.Helper()
	fmt.Fprintf(p, format+"\n", args...)
	if !answer {
		return ""
	}
	_ = p.SetReadDeadline(time.Now().Add(testkit.Patience()))
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
		case <-time.After(testkit.Patience()):
			t.Fatal("no pose came")
			return nil
		}
	}
	p := r.program(t)
	p.send(false, "2 0 0.1 0.2")
	if x := next(); x["robot"] != "the_arm" || x["q"].([]any)[1] != 0.2 {
		t.Errorf("pose %v", x)
	}
	p.send(false, "0 0 3 1 2 3 0 0 %g", math.Pi/2)
	x := next()
	if q := x["frame"].(m)["q"].([]any); x["link"] == nil || math.Abs(q[2].(float64)-math.Sqrt2/2) > 1e-12 {
		t.Errorf("frame %v", x)
	}
	p.send(false, "1 0 3 0 1 2 3 0 0 0")
	if x := next(); x["shape"] != 0.0 {
		t.Errorf("shape %v", x)
	}
	if a := p.send(true, "6 0"); a != "6 0 0.5 -0.25" {
		t.Errorf("positions %q", a)
	}
	answer := page.want("poses", m{"system": "test", "robot": "the_arm"}).(m)["poses"].([]any)
	if len(answer) != 3 || answer[0].(m)["q"] == nil {
		t.Errorf("a page that opens later gets %v, expected positions and two frames", answer)
	}
	p.send(false, "2 0 0 0")
	next()
	if answer := page.want("poses", m{"system": "test", "robot": "the_arm"}).(m)["poses"].([]any); len(answer) != 2 || answer[1].(m)["shape"] == nil {
		t.Errorf("after new positions the poses are %v, expected these and the shape's frame", answer)
	}
	r.page("").want("poses.discard", m{"system": "test", "robot": "the_arm"})
	if x := next(); x["robot"] != "the_arm" || len(x) != 2 {
		t.Errorf("discarded: %v", x)
	}
}

func TestCoachAnswersWhatProgramsHaveSet(t *testing.T) {
	r, _ := openRobots(t, robotFile+"  still: {type: console_test.figure, params: {urdf: arm/still.urdf}}\n", withCoach)
	p := r.program(t)
	if a := p.send(true, "6 2"); a != "6 2 0" {
		t.Errorf("positions at first: %q", a)
	}
	if a := p.send(true, "2 2 0.625\n6 2"); a != "6 2 0.625" {
		t.Errorf("the positions that were set: %q", a)
	}
	if a := r.program(t).send(true, "6 2"); a != "6 2 0.625" {
		t.Errorf("another program reads %q", a)
	}
	if a := p.send(true, "2 0 1 1\n6 0"); a != "6 0 0.5 -0.25" {
		t.Errorf("positions of a robot that its system moves: %q", a)
	}
}

// TestCoachIgnoresWhatItDoesNotKnow holds the lines that rlCoachMdl ignores, demos/rlCoachMdl/Socket.cpp of the Robotics Library.
func TestCoachIgnoresWhatItDoesNotKnow(t *testing.T) {
	r, _ := openArm(t, withCoach)
	p := r.program(t)
	for _, line := range []string{"", "3 0 0.1 0.2", "4 0 1 2", "9", "-1 0", "x", "2", "2 0 1", "2 0 nan 1", "2 9 1 2", "0 0 9 0 0 0 0 0 0", "0 0", "1 0 0 0 1", "1 0 3 9 0 0 0 0 0 0"} {
		p.send(false, "%s", line)
		if a := p.send(true, "6 0"); a != "6 0 0.5 -0.25" {
			t.Fatalf("%q is answered with %q", line, a)
		}
	}
	for line, want := range map[string]string{"6": "6", "6 9": "6 9", "6 x": "6", "6 0 7": "6 0 0.5 -0.25"} {
		if a := p.send(true, "%s", line); a != want {
			t.Errorf("%q is answered with %q, expected %q", line, a, want)
		}
	}
	if shown := r.page(aToken+" ann").want("poses", m{"system": "test", "robot": "the_arm"}).(m)["poses"].([]any); len(shown) > 0 {
		t.Errorf("lines that were ignored show %v", shown)
	}
	p.Close()
	testkit.Await(t, "the log", func() bool { return strings.Contains(r.journal.String(), "lines=") })
	if j := r.journal.String(); strings.Count(j, "ignores a line") != 1 || !strings.Contains(j, "expected 0, 1, 2, 5 or 6 first") {
		t.Errorf("the log holds not one line with the reason:\n%s", j)
	}
}

// TestCoachAnswersOneRequestAtOnce checks that the answers to lines which came together come together, as a program expects that reads once.
func TestCoachAnswersOneRequestAtOnce(t *testing.T) {
	r, _ := openArm(t, withCoach)
	p := r.program(t)
	for range 20 {
		fmt.Fprint(p, "5 0 3 4\n2 0 1 2\n6 0\n")
		answer := make([]byte, 1024)
		_ = p.SetReadDeadline(time.Now().Add(testkit.Patience()))
		n, err := p.Read(answer)
		if err != nil || strings.Count(string(answer[:n]), "\n") != 2 {
			t.Fatalf("one read returns %q, %v", answer[:n], err)
		}
	}
}

func TestCoachDrivesUntilItLeaves(t *testing.T) {
	r, _ := openArm(t, withCoach)
	p, q := r.program(t), r.program(t)
	if a := p.send(true, "5 0 3 4"); a != "" {
		t.Errorf("answer %q", a)
	}
	testkit.Await(t, "the torques", func() bool { return q.send(true, "6 0") == "6 0 3 4" })
	p.Close()
	testkit.Await(t, "the release", func() bool { return strings.Contains(r.journal.String(), "torques") && !r.fed(t) })
}

// fed reports whether the arm's torque is still fed by hand: then it has a value though nothing is linked to it.
func (r *rig) fed(t *testing.T) bool {
	return r.program(t).send(true, "6 0") == "6 0 3 4"
}

// TestStrangersPageCannotUseTheCoach plays a browser that a stranger's page sends to the port.
func TestStrangersPageCannotUseTheCoach(t *testing.T) {
	r, _ := openArm(t, withCoach)
	p := r.program(t)
	fmt.Fprint(p, "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n5 0 7 8\n5 0 7 8\n")
	_ = p.SetReadDeadline(time.Now().Add(testkit.Patience()))
	var got []string
	for p.lines.Scan() {
		got = append(got, p.lines.Text())
	}
	if len(got) > 1 {
		t.Errorf("a browser got %q", got)
	}
	if a := r.program(t).send(true, "6 0"); a != "6 0 0.5 -0.25" {
		t.Errorf("a browser has driven the arm: %q", a)
	}
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "example.org:1", "x"} {
		if s, err := console.Open(console.Options{Coach: address}); err == nil {
			s.Close()
			t.Errorf("the coach listens at %s", address)
		}
	}
}
