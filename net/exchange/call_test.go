package exchange

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/port"
)

// halver has an operation that fails in several ways.
type halver struct {
	Half block.Operation[float64, float64]
	Out  block.Out[float64]
	runs int
}

const longText = 100

func (h *halver) Setup(*block.Setup) error {
	h.Half.Handle(func(x float64) (float64, error) {
		h.runs++
		switch x {
		case 1:
			return 0, errors.New("")
		case 2:
			return 0, errors.New(strings.Repeat("ö", longText))
		case 3:
			return 0, errors.New(strings.Repeat("\x80", 2*longText))
		case 4:
			panic("no half of 4")
		}
		return x / 2, nil
	})
	return nil
}

type halving struct {
	call block.Caller[float64, float64]
}

func (h *halving) Setup(s *block.Setup) error {
	block.Bind(s, &h.call, "h", "half")
	return nil
}

func (h *halving) Step(clock.Tick) error { return nil }

// callEnds returns both ends of a call that crosses processes, and their blocks.
func callEnds(t testing.TB) (from *Caller, at *Server, caller *halving, owner *halver) {
	t.Helper()
	caller, owner = &halving{}, &halver{}
	var in inspect.Inspector
	inspect := func(name string, b block.Block) *port.Instance {
		i, errs := in.Inspect(name, b, port.Given{})
		if errs != nil {
			t.Fatal(errs)
		}
		return i
	}
	binding, op := inspect("c", caller).Bindings[0], inspect("h", owner).Operation("half")
	if err := binding.ResolveAway(op); err != nil {
		t.Fatal(err)
	}
	request, answer := RequestSpec("c..h.half", op, "there"), AnswerSpec("h.half..c", op, "here")
	return NewCaller(request, answer, 0, binding), NewServer(request, answer, 0, op), caller, owner
}

// slot holds the newest packet on its way from one end of a link to the other.
type slot struct {
	packet []byte
	fresh  bool
}

func (s *slot) Forward(packet []byte, _ time.Duration) error {
	s.packet, s.fresh = append(s.packet[:0], packet...), true
	return nil
}

func (s *slot) TryReceive(packet []byte) (link.Stamp, bool) {
	if !s.fresh {
		return link.Stamp{}, false
	}
	s.fresh = false
	copy(packet, s.packet)
	return link.Stamp{Size: len(packet)}, true
}

func (s *slot) State() link.State { return link.State{} }

// join binds both ends of a call to each other and returns what is between them.
func join(from *Caller, at *Server) (request, answer *slot) {
	request, answer = &slot{}, &slot{}
	from.Request.Bind(request)
	at.Request.Bind(request)
	at.Answer.Bind(answer)
	from.Answer.Bind(answer)
	return request, answer
}

// FuzzCalls lets a link carry what it likes between the ends of a call: requests and answers with parts overwritten, repeated,
// lost. A result is never taken from an answer of another number, an operation runs once for each change of the number, and its
// answer carries that number and what the operation has returned.
//
// A script is a list of steps: a letter, and what it needs. c N: call with N. p: publish, f: fetch, s: serve. l, a: lose the
// request, the answer. r K B, w K B: put the byte B at K of the request, of the answer, and deliver it again.
func FuzzCalls(f *testing.F) {
	for _, s := range []string{
		"c\x08psf", "c\x01psf", "c\x02psf", "c\x03psf", "c\x04psf", "c\x08psr\x00\x01sf", "r\x00\x00s", "r\x0c\x00sssf", "c\x08plpasfpsf",
		"c\x08psw\x14\xfff", "c\x08psw\x14\x78w\x15\xfff", "c\x08psw\x0c\xfff", "c\x08psw\x00\xfff", "c\x08psfc\x06w\x00\x00fpsf",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 200 {
			return
		}
		from, at, caller, owner := callEnds(t)
		request, answer := join(from, at)
		request.packet, answer.packet = make([]byte, at.Request.Size), make([]byte, from.Answer.Size)
		request.packet[1], answer.packet[1] = 1, 1
		var handle block.Handle[float64, float64]
		var now clock.Time
		next := func() byte {
			if len(script) == 0 {
				return 0
			}
			b := script[0]
			script = script[1:]
			return b
		}
		last, any := uint64(0), false
		for len(script) > 0 {
			switch next() {
			case 'c':
				if h, err := caller.call.Send(float64(next())); err == nil {
					handle = h
				}
			case 'p':
				now += clock.Time(sendAgain)
				from.Publish(now)
			case 'l':
				request.fresh = false
			case 'a':
				answer.fresh = false
			case 'r':
				request.packet[int(next())%len(request.packet)] = next()
				request.fresh = true
			case 'w':
				answer.packet[int(next())%len(answer.packet)] = next()
				answer.fresh = true
			case 'f':
				_, before, _ := handle.Poll()
				comes, number := answer.fresh, binary.LittleEndian.Uint64(answer.packet[len(answer.packet)-1-problemMax-numberSize:])
				from.Fetch()
				result, done, err := handle.Poll()
				if done && !before {
					checkResult(t, answer, comes && number == from.number, result, err)
				}
			case 's':
				serves, runs := request.fresh, owner.runs
				number := binary.LittleEndian.Uint64(request.packet[len(request.packet)-numberSize:])
				panicked := serveOne(at)
				if !serves {
					continue
				}
				again := any && number == last
				last, any = number, true
				checkAnswer(t, request, answer, number, owner.runs-runs, again, panicked)
			}
		}
	})
}

// serveOne serves as a thread does, which recovers what the operation panics.
func serveOne(s *Server) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	s.Serve()
	return false
}

// checkResult checks what a caller has got.
func checkResult(t *testing.T, answer *slot, own bool, result float64, err error) {
	t.Helper()
	at := len(answer.packet) - 1 - problemMax
	value := math.Float64frombits(binary.LittleEndian.Uint64(answer.packet[at-2*numberSize:]))
	switch {
	case !own:
		t.Error("the request ended without an answer of its number")
	case answer.packet[at] == 0 && err == nil && math.Float64bits(result) != math.Float64bits(value):
		t.Errorf("the result is %v, the answer %v", result, value)
	case answer.packet[at] > 0 && err == nil:
		t.Error("an error was taken for a result")
	case err != nil && (err.Error() == "" || !utf8.ValidString(err.Error())):
		t.Errorf("the error is %q", err)
	}
}

// checkAnswer checks what an operation has answered.
func checkAnswer(t *testing.T, request, answer *slot, number uint64, ran int, again, panicked bool) {
	t.Helper()
	at := len(answer.packet) - 1 - problemMax
	if got := binary.LittleEndian.Uint64(answer.packet[at-numberSize:]); got != number || !answer.fresh {
		t.Errorf("request %d has the answer of %d", number, got)
	}
	valid := request.packet[0] == 0 && request.packet[1] == 1
	if want := map[bool]int{true: 1}[valid && !again]; ran != want {
		t.Errorf("request %d (again: %v) ran the operation %d times, want %d", number, again, ran, want)
	}
	if again {
		return
	}
	x := math.Float64frombits(binary.LittleEndian.Uint64(request.packet[len(request.packet)-2*numberSize:]))
	failed := !valid || x == 1 || x == 2 || x == 3 || x == 4
	if panicked != (valid && x == 4) || (answer.packet[at] > 0) != failed {
		t.Errorf("half of %v: the error has %d bytes, panicked: %v", x, answer.packet[at], panicked)
	}
	y := math.Float64frombits(binary.LittleEndian.Uint64(answer.packet[at-2*numberSize:]))
	if !failed && math.Float64bits(y) != math.Float64bits(x/2) {
		t.Errorf("half of %v is answered as %v", x, y)
	}
}

// An error without words, or with a long text, reaches a caller in another process as an error whose text is whole letters.
func TestErrorsCrossProcesses(t *testing.T) {
	for x, want := range map[float64]string{1: wordless, 2: strings.Repeat("ö", problemMax/2), 4: block.ErrPanicked.Error()} {
		from, at, caller, _ := callEnds(t)
		join(from, at)
		handle, err := caller.call.Send(x)
		if err != nil {
			t.Fatal(err)
		}
		from.Publish(clock.Time(time.Second))
		serveOne(at)
		from.Fetch()
		if _, done, err := handle.Poll(); !done || err == nil || err.Error() != want {
			t.Errorf("half of %v: %v, %v, want %q", x, done, err, want)
		}
	}
}

// The first request may have any number: also 0 is served, not answered as if it had been.
func TestRequestNumberZeroIsServed(t *testing.T) {
	from, at, _, owner := callEnds(t)
	request, _ := join(from, at)
	_ = request.Forward(append([]byte{0, 1}, make([]byte, at.Request.Size-2)...), 0)
	at.Serve()
	if owner.runs != 1 {
		t.Errorf("the operation ran %d times", owner.runs)
	}
}
