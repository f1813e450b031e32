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

// A call from one process to another is a link each way, whichever process is built, or all.
func TestCallToAnotherProcessIsALinkEachWay(t *testing.T) {
	for process, want := range map[string][3]int{ // calls, outlets, inlets
		"":      {1, 0, 0},
		"there": {1, 1, 1},
		"here":  {1, 1, 1},
		"third": {0, 0, 0},
	} {
		d := New("test")
		d.Process(process)
		d.Thread(Thread{Name: "a", Period: time.Millisecond, Process: "here"})
		d.Thread(Thread{Name: "b", Period: time.Millisecond, Process: "there"})
		d.Add("s", &server{}, Place{Thread: "a"})
		d.Add("c", &client{peer: "s"}, Place{Thread: "b"})
		net, err := d.Build()
		if err != nil {
			t.Errorf("process %q: %v", process, err)
			continue
		}
		if got := [3]int{len(net.Calls), len(net.Outlets), len(net.Inlets)}; got != want {
			t.Errorf("process %q: calls, outlets and inlets are %v, want %v", process, got, want)
		}
		for _, c := range net.Calls {
			if c.Request.Name != "c..s.double" || c.Answer.Name != "s.double..c" || c.CallerProcess != "there" || c.PeerProcess != "here" {
				t.Errorf("process %q: the call is %+v", process, c)
			}
		}
	}
}

// A fault of a call is reported once, by the process of its caller.
func TestWrongCallIsReportedOnceByTheCallersProcess(t *testing.T) {
	for process, want := range map[string]string{"there": `block "c" calls s.double: diagram.relay has no operation "double"`, "here": ""} {
		d := New("test")
		d.Process(process)
		d.Thread(Thread{Name: "a", Period: time.Millisecond, Process: "here"})
		d.Thread(Thread{Name: "b", Period: time.Millisecond, Process: "there"})
		d.Add("s", &relay{}, Place{Thread: "a"})
		d.Add("c", &client{peer: "s"}, Place{Thread: "b"})
		_, err := d.Build()
		if got := text(err); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("process %q: got %s\nwant %s", process, got, want)
		}
	}
}

func TestForeignProgramsHaveNoOperations(t *testing.T) {
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
func TestOnlyPlainNamesCrossProcesses(t *testing.T) {
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
