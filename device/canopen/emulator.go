package canopen

import (
	"math"
	"time"

	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// The emulated drive: 65536 increments in a turn of the joint, 10 N m and 2 A rated.
const (
	emulatedIncrements = 65536
	emulatedSpeed      = 1 * emulatedIncrements // increments a second
	emulatedTorque     = 10_000                 // mN m
	emulatedCurrent    = 2_000                  // mA
	emulatedInertia    = 0.5                    // kg m²
	emulatedFriction   = 2.0                    // N m s/rad
)

// overCurrent is the code of the emergency of a drive that [Emulator.Fail] fails.
const overCurrent = 0x2310

// Emulator is drives of CiA 402 at the other end of a channel of frames, each a node. They know the cyclic modes for position, velocity and torque, move at
// most a turn of the joint a second in the first two, and are a wheel with friction in the third.
type Emulator struct {
	rack
	drives []emulated
}

// rack is emulated nodes on one bus.
type rack struct {
	bus     *wire.Bus
	frame   wire.Frame // the last one
	out     outbox
	take    func(f *wire.Frame)
	elapse  func(dt time.Duration)
	problem error // of what the nodes are part of
}

// Step implements [driver.Emulator].
func (r *rack) Step(dt time.Duration) error {
	for {
		f, ok, err := r.bus.Receive()
		if err != nil {
			r.elapse(dt)
			r.out.n = 0
			return driver.AwaitDriver(r.bus, err)
		}
		if !ok {
			break
		}
		r.frame = f
		r.take(&r.frame)
	}
	r.elapse(dt)
	if r.problem != nil {
		return r.problem
	}
	return driver.AwaitDriver(r.bus, r.out.flush(r.bus))
}

var _ driver.Emulator = (*Emulator)(nil)

// emulated is one drive.
type emulated struct {
	node    *Node
	objects Dictionary
	silent  bool
	state   DriveState
	before  uint16 // controlword

	control, status, mode, shows           *Object
	goalPosition, goalVelocity, goalTorque *Object
	position, velocity, torque, current    *Object
	abort                                  *Object
	x, v                                   float64 // increments, increments a second
}

// NewEmulator returns drives with the given numbers on an open channel of frames, at 0 and without power. It panics if [CheckNodes] refuses the numbers.
func NewEmulator(w wire.Wire, ids ...int) *Emulator {
	if err := CheckNodes(ids); err != nil {
		panic("canopen: " + err.Error())
	}
	e := &Emulator{drives: make([]emulated, len(ids))}
	e.rack = rack{bus: wire.OnBus(w), take: e.takeFrame, elapse: e.pass}
	for i, id := range ids {
		e.drives[i].create(byte(id), &e.out)
	}
	return e
}

func (m *emulated) create(id byte, out *outbox) {
	d := &m.objects
	const command, sensed = Readable | Writable | Mappable, Readable | Mappable
	m.abort = d.Number(abortOption, 0, 2, Readable|Writable, 1)
	m.control = d.Number(controlword, 0, 2, command, 0)
	m.status = d.Number(statusword, 0, 2, sensed, 0)
	m.mode = d.Number(modeOfOperation, 0, 1, command, 0)
	m.shows = d.Number(modeDisplay, 0, 1, sensed, 0)
	m.position = d.Number(positionActual, 0, 4, sensed, 0)
	m.velocity = d.Number(velocityActual, 0, 4, sensed, 0)
	m.goalTorque = d.Number(targetTorque, 0, 2, command, 0)
	d.Number(maxTorque, 0, 2, Readable|Writable, 2000)
	d.Number(ratedCurrent, 0, 4, Readable, emulatedCurrent)
	d.Number(ratedTorque, 0, 4, Readable, emulatedTorque)
	m.torque = d.Number(torqueActual, 0, 2, sensed, 0)
	m.current = d.Number(currentActual, 0, 2, sensed, 0)
	m.goalPosition = d.Number(targetPosition, 0, 4, command, 0)
	m.goalVelocity = d.Number(targetVelocity, 0, 4, command, 0)
	d.Number(positionLimits, 0, 1, Readable, 2)
	d.Number(positionLimits, 1, 4, Readable|Writable, -8*emulatedIncrements)
	d.Number(positionLimits, 2, 4, Readable|Writable, 8*emulatedIncrements)
	d.Number(interpolationTime, 0, 1, Readable, 2)
	d.Number(interpolationTime, 1, 1, Readable|Writable, 1)
	d.Number(interpolationTime, 2, 1, Readable|Writable, -3)
	d.Number(supportedModes, 0, 4, Readable, 1<<(CyclicPosition-1)|1<<(CyclicVelocity-1)|1<<(CyclicTorque-1))
	d.Text(0x2000, 0, MaxObject, Readable|Writable, "emulated by sinew; write what you like")
	m.node = newNode(id, 2<<16|profileDrive, "emulated drive of CiA 402", d, out)
	m.state = SwitchOnDisabled
}

// Fail makes drive i fail with an emergency, as from a short circuit.
func (e *Emulator) Fail(i int) { e.drives[i].fail(Emergency{Code: overCurrent, Register: 1 | 1<<1}) }

// Silence unplugs drive i from the bus, or plugs it in again.
func (e *Emulator) Silence(i int, silent bool) { e.drives[i].silent = silent }

func (e *Emulator) takeFrame(f *wire.Frame) {
	for i := range e.drives {
		if m := &e.drives[i]; !m.silent {
			m.take(f)
		}
	}
}

func (e *Emulator) pass(dt time.Duration) {
	for i := range e.drives {
		m := &e.drives[i]
		m.move(dt)
		before := e.out.n
		m.node.Elapse(dt)
		m.follow()
		if m.silent {
			e.out.n = before
		}
	}
}

// take takes a frame, and a command that it has brought: an edge of the controlword counts even if another follows at once.
func (m *emulated) take(f *wire.Frame) {
	m.node.Take(f)
	m.follow()
}

// follow follows the controlword, and loses power with the connection.
func (m *emulated) follow() {
	if m.node.State() == Initializing || m.node.State() == Stopped || m.node.Abandoned() {
		m.disconnect()
	}
	control := uint16(m.control.Uint())
	was := m.state
	m.state, m.before = was.Next(m.before, control), control
	if was == Fault && m.state != Fault {
		m.node.Emergency(Emergency{})
	}
	if m.state != Fault {
		m.shows.Set(m.mode.Int())
	}
	m.report()
}

// disconnect is the reaction to the loss of the connection (object 6007h): a fault, or power off.
func (m *emulated) disconnect() {
	m.control.Set(0)
	if m.state != OperationEnabled && m.state != QuickStopActive {
		return
	}
	if m.abort.Int() == 1 {
		m.fail(Emergency{Code: heartbeatLost, Register: 1 | 1<<4})
		return
	}
	m.state = SwitchOnDisabled
}

func (m *emulated) fail(e Emergency) {
	m.node.Emergency(e)
	m.state = Fault
	m.report()
}

// report writes the statusword: the state, voltage, remote, and whether the target is followed.
func (m *emulated) report() {
	const voltage, remote, follows = 1 << 4, 1 << 9, 1 << 12
	s := m.state.status() | voltage | remote
	if m.state == OperationEnabled && Mode(m.shows.Int()) >= CyclicPosition {
		s |= follows
	}
	m.status.Set(int32(s))
}

// move lets time pass for the joint.
func (m *emulated) move(dt time.Duration) {
	h := dt.Seconds()
	if h <= 0 {
		return
	}
	mode := Mode(m.shows.Int())
	if m.state != OperationEnabled {
		mode = NoMode
	}
	torque := 0.0 // N m
	before := m.x
	switch mode {
	case CyclicPosition:
		goal := float64(m.goalPosition.Int())
		m.x = min(max(goal, m.x-emulatedSpeed*h), m.x+emulatedSpeed*h)
		m.v = (m.x - before) / h
	case CyclicVelocity:
		m.v = min(max(float64(m.goalVelocity.Int()), -emulatedSpeed), emulatedSpeed)
		m.x += m.v * h
	default:
		if mode == CyclicTorque {
			torque = float64(m.goalTorque.Int()) / 1000 * emulatedTorque / 1000
		}
		const increment = 2 * math.Pi / emulatedIncrements
		// I v̇ = τ − b v, over h exactly
		decay := math.Exp(-emulatedFriction / emulatedInertia * h)
		m.v = m.v*decay + torque/emulatedFriction*(1-decay)/increment
		m.x += m.v * h
	}
	m.x = math.Mod(m.x, 1<<31)
	thousandths := int32(math.Round(torque * 1e6 / emulatedTorque))
	m.torque.Set(thousandths)
	m.current.Set(thousandths)
	m.position.Set(whole(m.x, math.MinInt32, math.MaxInt32))
	m.velocity.Set(whole(m.v, math.MinInt32, math.MaxInt32))
}
