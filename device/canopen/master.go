package canopen

import (
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/device/wire"
)

// MasterID is the number of a [Master], with which it sends its heartbeat.
const MasterID = MaxNode

// The times of heartbeats: how often they are sent, and after which time without one a node has failed.
const (
	heartbeatPeriod = 30 * time.Millisecond
	HeartbeatTime   = 100 * time.Millisecond
)

// Master commands and watches nodes on a bus.
type Master struct {
	bus     *wire.Bus
	out     outbox
	beat    time.Duration
	remotes []Remote
	by      [MaxNode + 1]*Remote
}

// Remote is a node as its master sees it.
type Remote struct {
	id     byte
	state  State
	booted bool
	beats  bool          // a heartbeat has come
	quiet  time.Duration // since the last one
	sdo    Client

	emergency *EmergencyError // the last one; nil: none
	reported  EmergencyError
	silent    SilentError
}

// Event is what a frame meant to the master.
type Event byte

// The events.
const (
	None      Event = iota
	Heard           // a heartbeat
	Booted          // the node has booted
	Transfer        // the transfer by SDO is complete
	Received        // a PDO has come
	Disturbed       // an emergency, or the transfer was aborted; the error describes it
)

// EmergencyError is an EMCY message of a node.
type EmergencyError struct {
	Node byte // 1 to 127
	Emergency
}

// Error implements error.
func (e *EmergencyError) Error() string {
	return fmt.Sprintf("node %d reports emergency %04Xh (%s), error register %02Xh, manufacturer's data % X", e.Node, e.Code, emergencyText(e.Code), e.Register, e.Manufacturer[:])
}

// emergencyText returns the class of an emergency (CiA 301, table 26, and CiA 402).
func emergencyText(code uint16) string {
	switch {
	case code == 0:
		return "no error"
	case code == heartbeatLost:
		return "lost heartbeat"
	}
	text := map[uint16]string{0x1: "generic", 0x2: "current", 0x3: "voltage", 0x4: "temperature", 0x5: "hardware", 0x6: "software", 0x7: "additional modules", 0x8: "monitoring", 0x9: "external", 0xf: "additional functions"}[code>>12]
	if text == "" {
		return "not of CiA 301"
	}
	return text
}

// SilentError is a node without a heartbeat.
type SilentError struct {
	Node byte          // 1 to 127
	For  time.Duration // since its last heartbeat
}

// Error implements error.
func (e *SilentError) Error() string {
	return fmt.Sprintf("node %d is silent: no heartbeat for %v", e.Node, e.For)
}

// NewMaster returns the master of nodes on a bus. It panics if [CheckNodes] refuses their numbers.
func NewMaster(bus *wire.Bus, ids ...int) *Master {
	if err := CheckNodes(ids); err != nil {
		panic("canopen: " + err.Error())
	}
	m := &Master{bus: bus, remotes: make([]Remote, len(ids))}
	for i, id := range ids {
		r := &m.remotes[i]
		r.id = byte(id)
		r.sdo = Client{node: r.id, out: &m.out}
		m.by[id] = r
	}
	return m
}

// Remote returns node i, in the order of their numbers.
func (m *Master) Remote(i int) *Remote { return &m.remotes[i] }

// ID returns the number of the node.
func (r *Remote) ID() byte { return r.id }

// State returns the NMT state in the last heartbeat.
func (r *Remote) State() State { return r.state }

// SDO returns the transfers of objects of the node.
func (r *Remote) SDO() *Client { return &r.sdo }

// Emergency returns the last emergency of the node since it has booted, nil if there was none or it is over.
func (r *Remote) Emergency() *EmergencyError { return r.emergency }

// Watch returns a *[SilentError] if a node that has sent a heartbeat has sent none for [HeartbeatTime].
func (r *Remote) Watch() error {
	if r.beats && r.quiet > HeartbeatTime {
		r.silent = SilentError{r.id, HeartbeatTime}
		return &r.silent
	}
	return nil
}

// Reset drops everything that has been received, and what waits to be sent.
func (m *Master) Reset() {
	m.out.n, m.beat = 0, heartbeatPeriod
	for i := range m.remotes {
		r := &m.remotes[i]
		r.state, r.booted, r.beats, r.quiet, r.emergency, r.sdo.busy = Initializing, false, false, 0, nil, false
	}
}

// Command sends an NMT command to a node; 0: to all.
func (m *Master) Command(c Command, node byte) { m.out.frame(toAll, byte(c), node) }

// Sync sends a SYNC.
func (m *Master) Sync() { m.out.frame(syncID) }

// Send sends RPDO number, from 1, to a node.
func (m *Master) Send(node byte, number int, data []byte) {
	m.out.frame(rpdo+pdoStep*uint32(number-1)+uint32(node), data...)
}

// Elapse lets time pass: the master sends its heartbeat. It returns a transfer that has timed out.
func (m *Master) Elapse(dt time.Duration) (err error) {
	if m.beat += dt; m.beat >= heartbeatPeriod {
		m.beat = 0
		m.out.frame(heartbeat+MasterID, byte(Operational))
	}
	for i := range m.remotes {
		r := &m.remotes[i]
		r.quiet += dt
		if e := r.sdo.elapse(dt); e != nil {
			err = e
		}
	}
	return err
}

// Flush sends what the bus takes; the rest follows at the next call.
func (m *Master) Flush() error { return m.out.flush(m.bus) }

// Receive takes the oldest frame that has arrived; ok is false if there is none. f has the data of an event Received; number is that of the PDO.
func (m *Master) Receive() (r *Remote, e Event, f wire.Frame, number int, ok bool, err error) {
	f, ok, err = m.bus.Receive()
	if !ok {
		return nil, None, f, 0, false, err
	}
	r, e, number, err = m.take(&f)
	return r, e, f, number, true, err
}

func (m *Master) take(f *wire.Frame) (r *Remote, e Event, number int, err error) {
	function, id, ok := split(f)
	if r = m.by[id]; !ok || r == nil {
		return nil, None, 0, nil
	}
	switch {
	case function == heartbeat && f.Length == 1:
		r.state, r.beats, r.quiet = State(f.Data[0]&0x7f), true, 0
		if r.state == Initializing {
			r.booted, r.emergency = true, nil
			return r, Booted, 0, nil
		}
		return r, Heard, 0, nil
	case function == sdoAnswer:
		done, err := r.sdo.take(f)
		if err != nil {
			return r, Disturbed, 0, err
		}
		if done {
			e = Transfer
		}
		return r, e, 0, nil
	case function == syncID && f.Length == 8:
		code := uint16(f.Data[0]) | uint16(f.Data[1])<<8
		r.reported = EmergencyError{id, Emergency{code, f.Data[2], [5]byte(f.Data[3:])}}
		if r.emergency = nil; code != 0 {
			r.emergency = &r.reported
			return r, Disturbed, 0, r.emergency
		}
		return r, Heard, 0, nil
	case function >= tpdo && function < tpdo+PDOs*pdoStep && function&syncID != 0:
		return r, Received, int(function-tpdo)/pdoStep + 1, nil
	}
	return r, None, 0, nil
}
