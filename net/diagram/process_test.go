package diagram

import (
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// server has an operation, client calls it.
type server struct {
	Double block.Operation[float64, float64]
	Out    block.Out[float64]
}

func (s *server) Setup(*block.Setup) error {
	s.Double.Handle(func(x float64) (float64, error) { return 2 * x, nil })
	return nil
}

type client struct {
	peer string
	call block.Caller[float64, float64]
}

func (c *client) Setup(s *block.Setup) error {
	block.Bind(s, &c.call, c.peer, "double")
	return nil
}

func (c *client) Step(clock.Tick) error { return nil }

// A call from one process to another is an error, whichever process is built, and if it is all.
func TestCallsStayInTheirProcess(t *testing.T) {
	for process, want := range map[string]string{
		"":      `block "c" calls s.double, but is in process "there" and s in "here": a call does not leave its process; place the threads "b" and "a" in one, or link an event`,
		"there": `block "c" calls s.double, but is in process "there" and s in "here": a call does not leave its process; place the threads "b" and "a" in one, or link an event`,
		"here":  "",
	} {
		d := New("test")
		d.Process(process)
		d.Thread(Thread{Name: "a", Period: time.Millisecond, Process: "here"})
		d.Thread(Thread{Name: "b", Period: time.Millisecond, Process: "there"})
		d.Add("s", &server{}, Place{Thread: "a"})
		d.Add("c", &client{peer: "s"}, Place{Thread: "b"})
		_, err := d.Build()
		if got := text(err); got != want {
			t.Errorf("process %q: got %s\nwant %s", process, got, want)
		}
	}
}

func TestCallsOfForeignPrograms(t *testing.T) {
	d := New("test")
	d.Thread(Thread{Name: "a", Period: time.Millisecond})
	d.Foreign("plant", "plant", nil, []string{"out"}, "")
	d.Add("c", &client{peer: "plant"}, Place{Thread: "a"})
	_, err := d.Build()
	if got := text(err); !strings.Contains(got, `"plant" is a program of its own, and those have no operations`) {
		t.Errorf("got %s", got)
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// A block may be called anything, but not where its name becomes that of shared memory.
func TestNamesThatCrossProcesses(t *testing.T) {
	for _, test := range []struct {
		name, process string
		ok            bool
	}{
		{"joint-1.left_2", "there", true}, {"Gelenk", "there", true},
		{"../etc", "there", false}, {"Öl", "there", false}, {"🤖", "there", false}, {strings.Repeat("x", 200), "there", false}, {".x", "there", false},
		{"🤖", "here", true}, {"../etc", "here", true},
	} {
		d := New("test")
		d.Thread(Thread{Name: "a", Period: time.Millisecond, Process: "here"})
		d.Thread(Thread{Name: "b", Period: time.Millisecond, Process: test.process})
		d.Add(test.name, &relay{}, Place{Thread: "a"})
		d.Add("r", &relay{}, Place{Thread: "b"})
		d.Join(Link{From: End{Block: test.name, Port: "out"}, To: End{Block: "r", Port: "in"}})
		if _, err := d.Build(); (err == nil) != test.ok {
			t.Errorf("%q to process %s: %v", test.name, test.process, err)
		}
	}
}
