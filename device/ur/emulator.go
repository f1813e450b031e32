package ur

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// maxSpeed is how fast the emulated joints move, rad/s.
const maxSpeed = math.Pi

// variable is a value that a robot sends: its name, type, and where it comes from.
type variable struct {
	name, kind string
	append     func(e *Emulator, b []byte) []byte
}

func number(b []byte, x float64) []byte {
	return binary.BigEndian.AppendUint64(b, math.Float64bits(x))
}

func vector(b []byte, v [Joints]float64) []byte {
	for _, x := range v {
		b = number(b, x)
	}
	return b
}

func whole(b []byte, x uint32) []byte { return binary.BigEndian.AppendUint32(b, x) }

// outputs lists what the emulator can send.
func outputs() []variable {
	return []variable{
		{"timestamp", "DOUBLE", func(e *Emulator, b []byte) []byte { return number(b, e.now.Seconds()) }},
		{"actual_q", "VECTOR6D", func(e *Emulator, b []byte) []byte { return vector(b, e.position) }},
		{"target_q", "VECTOR6D", func(e *Emulator, b []byte) []byte { return vector(b, e.target) }},
		{"actual_qd", "VECTOR6D", func(e *Emulator, b []byte) []byte { return vector(b, e.velocity) }},
		{"actual_current", "VECTOR6D", func(e *Emulator, b []byte) []byte { return vector(b, [Joints]float64{}) }},
		{"actual_TCP_force", "VECTOR6D", func(e *Emulator, b []byte) []byte { return vector(b, e.Force) }},
		{"robot_mode", "INT32", func(_ *Emulator, b []byte) []byte { return whole(b, 7) }},
		{"safety_mode", "INT32", func(_ *Emulator, b []byte) []byte { return whole(b, 1) }},
		{"runtime_state", "UINT32", func(_ *Emulator, b []byte) []byte { return whole(b, 2) }},
	}
}

// Emulator is an arm at the other end of a channel, on which the program of the package runs.
type Emulator struct {
	// Force is what it estimates at the tool, N and N m.
	Force [6]float64

	wire    wire.Wire
	all     []variable
	sends   []int         // numbers of the variables, in the order of the recipe
	period  time.Duration // between its packages
	started bool
	takes   bool // the recipe of inputs is that of the driver

	now, next          time.Duration
	enabled            bool
	position, velocity [Joints]float64
	target             [Joints]float64

	in, out []byte
}

var _ driver.Emulator = (*Emulator)(nil)

// NewEmulator returns an arm on an open channel, with its joints at the given positions.
func NewEmulator(w wire.Wire, q [Joints]float64) *Emulator {
	return &Emulator{wire: w, all: outputs(), position: q, target: q, in: make([]byte, 0, 4*maxPackage), out: make([]byte, 0, 64*maxPackage), sends: make([]int, 0, 64)}
}

// Step implements [driver.Emulator].
func (e *Emulator) Step(dt time.Duration) error {
	if err := e.listen(); err != nil {
		e.in, e.out, e.started, e.enabled, e.takes = e.in[:0], e.out[:0], false, false, false
		e.move(dt)
		return driver.AwaitDriver(e.wire, err)
	}
	for rest := dt; ; {
		step := rest
		if e.started {
			step = min(step, e.next-e.now)
		}
		e.move(step)
		if rest -= step; e.started && e.now >= e.next {
			e.next += e.period
			e.send()
		} else if rest <= 0 {
			break
		}
	}
	var err error
	e.out, err = driver.Send(e.wire, e.out)
	return driver.AwaitDriver(e.wire, err)
}

// move lets time pass for the joints.
func (e *Emulator) move(dt time.Duration) {
	e.now += dt
	h := dt.Seconds()
	if h <= 0 {
		return
	}
	for i := range e.position {
		before := e.position[i]
		if e.enabled {
			e.position[i] = min(max(e.target[i], before-maxSpeed*h), before+maxSpeed*h)
		}
		e.velocity[i] = (e.position[i] - before) / h
	}
}

// listen takes the packages that have arrived.
func (e *Emulator) listen() error {
	var err error
	if e.in, err = driver.Receive(e.wire, e.in); err != nil {
		return err
	}
	rest := e.in
	for len(rest) >= header {
		n := int(binary.BigEndian.Uint16(rest))
		if n < header || n > maxPackage { // nothing after it can be understood
			rest = nil
			break
		}
		if len(rest) < n {
			break
		}
		e.answer(rest[2], rest[header:n])
		rest = rest[n:]
	}
	e.in = e.in[:copy(e.in, rest)]
	return nil
}

// reply sends a package.
func (e *Emulator) reply(kind byte, first byte, rest string) {
	if len(e.out) > cap(e.out)-maxPackage {
		return
	}
	e.out = binary.BigEndian.AppendUint16(e.out, uint16(header+1+len(rest)))
	e.out = append(append(e.out, kind, first), rest...)
}

func (e *Emulator) answer(kind byte, data []byte) {
	accepted := func(yes bool) byte {
		if yes {
			return 1
		}
		return 0
	}
	switch kind {
	case requestVersion:
		e.started, e.enabled = false, false
		e.reply(kind, accepted(len(data) == 2 && binary.BigEndian.Uint16(data) == version), "")
	case 'v': // of the controller: 5.11.0.0
		if len(e.out) <= cap(e.out)-maxPackage {
			e.out = append(e.out, 0, header+16, kind)
			for _, x := range [...]uint32{5, 11, 0, 0} {
				e.out = whole(e.out, x)
			}
		}
	case setupOutputs:
		e.setupOutputs(data)
	case setupInputs:
		e.takes = string(data) == inputNames
		if e.takes {
			e.reply(kind, 1, inputTypes)
		} else {
			e.reply(kind, 0, strings.TrimSuffix(strings.Repeat("NOT_FOUND,", 1+bytes.Count(data, []byte(","))), ","))
		}
	case startPackage:
		e.started, e.next = len(e.sends) > 0, e.now
		e.reply(kind, accepted(e.started), "")
	case pausePackage:
		e.started = false
		e.reply(kind, 1, "")
	case dataPackage:
		if !e.takes || len(data) != 1+inputBytes || data[0] != 1 {
			return
		}
		e.enabled = binary.BigEndian.Uint32(data[1:]) == 1
		for i := range e.target {
			if x := math.Float64frombits(binary.BigEndian.Uint64(data[5+8*i:])); x-x == 0 {
				e.target[i] = x
			}
		}
	}
}

// setupOutputs makes a recipe of names, which are separated by commas.
func (e *Emulator) setupOutputs(data []byte) {
	e.sends = e.sends[:0]
	if len(data) < 8 {
		e.reply(setupOutputs, 0, "")
		return
	}
	hz := math.Float64frombits(binary.BigEndian.Uint64(data))
	if !(hz >= 1 && hz <= rate) {
		hz = rate
	}
	e.period = time.Duration(float64(time.Second) / hz)
	var types []string
	recipe := byte(1)
	for name := range strings.SplitSeq(string(data[8:]), ",") {
		kind := "NOT_FOUND"
		for i := range e.all {
			if e.all[i].name == name {
				kind = e.all[i].kind
				e.sends = append(e.sends, i)
			}
		}
		if kind == "NOT_FOUND" || len(e.sends) > 32 {
			recipe = 0
		}
		types = append(types, kind)
	}
	if recipe == 0 {
		e.sends = e.sends[:0]
	}
	text := strings.Join(types, ",")
	e.reply(setupOutputs, recipe, text[:min(len(text), maxPackage-header-1)])
}

// send sends the outputs.
func (e *Emulator) send() {
	if len(e.out) > cap(e.out)-maxPackage {
		return
	}
	begin := len(e.out)
	e.out = append(e.out, 0, 0, dataPackage, 1)
	for _, i := range e.sends {
		e.out = e.all[i].append(e, e.out)
	}
	binary.BigEndian.PutUint16(e.out[begin:], uint16(len(e.out)-begin))
}
