package canopen

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// stage is how far the driver has come with a node.
type stage byte

const (
	fresh       stage = iota // nothing is sent
	resetting                // its communication is reset, its boot-up is awaited
	configuring              // its objects are read and written
	started                  // commanded to be operational
)

// The times of connecting: after which a node is reset or started again, and after which it has failed.
const (
	againAfter  = 200 * time.Millisecond
	absentAfter = 500 * time.Millisecond
	resendAfter = 30 * time.Millisecond // a SYNC that not all nodes have answered
)

// chain is nodes of one kind on one bus: a device whose parts are the nodes.
type chain struct {
	driver.Session
	master       *Master
	links        []link
	frame        wire.Frame    // the last one
	milliseconds uint32        // period of the exchanges
	asked        bool          // a SYNC is not answered by all yet
	waited       time.Duration // since the last SYNC
	known        bool          // there are readings
	absent       AbsentError
}

// link is the connection to a node.
type link struct {
	chain  *chain
	remote *Remote
	node   profile
	stage  stage
	script []setting
	next   int // setting
	since  time.Duration
	kind   uint32 // object 1000h
	got    byte   // a bit for each TPDO since the last SYNC
	wrong  WrongDeviceError
	left   NotOperationalError
}

// profile is what a kind of nodes adds to the connection.
type profile interface {
	profile() uint16                     // the lower half of its device type
	settings(l *link) []setting          // what is read and written while the driver connects, beside heartbeats
	reset()                              // forgets readings and commands
	take(number int, f *wire.Frame) bool // takes a TPDO, and reports whether it is understood; 1 and 2 answer each SYNC
	command()                            // sends the commands of a cycle
	release()                            // sends the command without power
	ready() bool                         // reports whether the node can be commanded
	failed() error                       // returns the error that its readings show, nil without one
}

// AbsentError is a node that does not answer while the driver connects.
type AbsentError struct {
	Node byte   // 1 to 126
	What string // it has not done
}

// Error implements error.
func (e *AbsentError) Error() string { return fmt.Sprintf("node %d %s", e.Node, e.What) }

// WrongDeviceError is a node of another profile.
type WrongDeviceError struct {
	Node byte   // 1 to 126
	Type uint32 // object 1000h
	Want uint16 // its lower half
}

// Error implements error.
func (e *WrongDeviceError) Error() string {
	want := "an actuator card"
	if e.Want == profileDrive {
		want = "a drive"
	}
	return fmt.Sprintf("node %d is of device type %08Xh: expected profile %d, %s", e.Node, e.Type, e.Want, want)
}

// NotOperationalError is a node that has left the NMT state Operational.
type NotOperationalError struct {
	Node  byte // 1 to 126
	State State
}

// Error implements error.
func (e *NotOperationalError) Error() string {
	return fmt.Sprintf("node %d is %v: expected operational", e.Node, e.State)
}

// connect makes the chain of nodes.
func (c *chain) connect(name string, w wire.Wire, ids []int, create func(i int, l *link) profile) {
	c.master, c.links = NewMaster(wire.OnBus(w), ids...), make([]link, len(ids))
	for i := range c.links {
		l := &c.links[i]
		l.chain, l.remote = c, c.master.Remote(i)
		l.node = create(i, l)
		l.script = append([]setting{{index: deviceType, into: &l.kind}, written(false, producerHeart, 0, 2, uint32(heartbeatPeriod/time.Millisecond)),
			written(false, consumerHeart, 1, 4, MasterID<<16|uint32(HeartbeatTime/time.Millisecond))}, l.node.settings(l)...)
	}
	c.Session = driver.NewSession(name, w, (*conversation)(c))
}

// conversation is the protocol of a chain.
type conversation chain

// setting is an object that is read or written while the driver connects.
type setting struct {
	index    uint16
	sub      byte
	bytes    int     // 0: it is read
	value    uint32  // written
	into     *uint32 // read to
	optional bool    // the node may refuse
}

// written is a setting that is written.
func written(optional bool, index uint16, sub byte, bytes int, value uint32) setting {
	return setting{index: index, sub: sub, bytes: bytes, value: value, optional: optional}
}

// read is a setting that is read.
func read(into *uint32, optional bool, index uint16, sub byte) setting {
	return setting{index: index, sub: sub, into: into, optional: optional}
}

// mapped returns the settings of a PDO that is exchanged at each SYNC; without objects it is not used. id is that of the first PDO in its direction.
func (l *link) mapped(parameters, mapping uint16, number int, id uint32, objects ...uint32) []setting {
	at := uint16(number - 1)
	id += pdoStep*uint32(at) + uint32(l.remote.id)
	list := []setting{written(len(objects) == 0, parameters+at, 1, 4, id|unused)}
	if len(objects) == 0 {
		return list
	}
	list = append(list, written(false, parameters+at, 2, 1, 1), written(false, mapping+at, 0, 1, 0))
	for i, o := range objects {
		list = append(list, written(false, mapping+at, byte(i+1), 4, o))
	}
	return append(list, written(false, mapping+at, 0, 1, uint32(len(objects))), written(false, parameters+at, 1, 4, id))
}

// Reset implements [driver.Conversation].
func (c *conversation) Reset() {
	c.master.Reset()
	c.asked, c.waited, c.known = false, 0, false
	for i := range c.links {
		l := &c.links[i]
		l.stage, l.next, l.since, l.got, l.kind = fresh, 0, 0, 0, 0
		l.node.reset()
	}
}

// Patience implements [driver.Conversation].
func (c *conversation) Patience() time.Duration { return absentAfter }

// End implements [driver.Conversation]: no node has power.
func (c *conversation) End() {
	c.master.out.n = 0
	for i := range c.links {
		l := &c.links[i]
		if l.stage == started {
			l.node.release()
		}
	}
	c.master.Sync()
	for i := range c.links {
		c.master.Command(EnterPreOperational, c.links[i].remote.id)
	}
	_ = c.master.Flush()
}

// Exchange implements [driver.Conversation].
func (c *conversation) Exchange(dt time.Duration) (progress driver.Progress, err error) {
	c.milliseconds = uint32(min(max(1, dt.Milliseconds()), 255))
	for {
		r, event, f, number, ok, err := c.master.Receive()
		if r == nil && err != nil {
			return driver.Nothing, err
		}
		if !ok {
			break
		}
		if event == None {
			continue
		}
		progress = driver.Answered
		for i := range c.links {
			if l := &c.links[i]; l.remote == r {
				if event == Received {
					c.frame = f
					if l.node.take(number, &c.frame) {
						l.got |= 1 << (number - 1)
					}
				} else if err := l.handle(event, err); err != nil {
					return driver.Nothing, err
				}
			}
		}
	}
	if err := c.master.Elapse(dt); err != nil {
		return driver.Nothing, err
	}
	answered := true
	for i := range c.links {
		l := &c.links[i]
		if err := l.advance(dt); err != nil {
			return driver.Nothing, err
		}
		answered = answered && l.stage == started && l.got == 3
	}
	if c.waited += dt; answered && c.asked {
		c.asked = false
		if !c.known {
			c.known = c.ready()
		} else if err := c.failed(); err != nil {
			return driver.Nothing, err
		}
		if c.known {
			progress = driver.Complete
		}
	}
	if !c.asked || c.waited > resendAfter {
		c.cycle()
	}
	if err := c.master.Flush(); err != nil {
		return driver.Nothing, err
	}
	return progress, nil
}

// ready reports whether all nodes are operational and can be commanded.
func (c *conversation) ready() bool {
	for i := range c.links {
		if l := &c.links[i]; l.remote.state != Operational || l.node.failed() != nil || !l.node.ready() {
			return false
		}
	}
	return true
}

// failed returns the error of a node that could be commanded.
func (c *conversation) failed() error {
	for i := range c.links {
		if err := c.links[i].node.failed(); err != nil {
			return err
		}
	}
	return nil
}

// handle takes an event that is no PDO.
func (l *link) handle(e Event, problem error) error {
	switch e {
	case Booted:
		if l.stage > resetting {
			l.left = NotOperationalError{l.remote.id, Initializing}
			return &l.left
		}
		if l.stage == resetting {
			l.stage, l.next = configuring, 0
			l.begin()
		}
	case Heard:
		if l.stage == started && l.chain.known && l.remote.state != Operational {
			l.left = NotOperationalError{l.remote.id, l.remote.state}
			return &l.left
		}
	case Transfer:
		return l.transferred(false)
	case Disturbed:
		if abort, ok := problem.(*AbortError); ok {
			if l.stage == configuring && l.script[l.next].optional && abort.Code != AbortTimeout {
				return l.transferred(true)
			}
			return problem
		}
		if l.chain.known {
			return problem
		}
	}
	return nil
}

// begin begins the next transfer.
func (l *link) begin() {
	s := &l.script[l.next]
	if s.bytes == 0 {
		l.remote.sdo.Upload(s.index, s.sub)
		return
	}
	value := s.value
	if s.into != nil {
		value = *s.into
	}
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], value)
	l.remote.sdo.Download(s.index, s.sub, b[:s.bytes])
}

// transferred goes on after a transfer.
func (l *link) transferred(refused bool) error {
	if l.stage != configuring {
		return nil
	}
	s := &l.script[l.next]
	if s.bytes == 0 && !refused {
		var b [4]byte
		copy(b[:], l.remote.sdo.Data())
		*s.into = binary.LittleEndian.Uint32(b[:])
		if s.index == deviceType && l.kind&0xffff != uint32(l.node.profile()) {
			l.wrong = WrongDeviceError{l.remote.id, l.kind, l.node.profile()}
			return &l.wrong
		}
	}
	if l.next++; l.next < len(l.script) {
		l.begin()
		return nil
	}
	l.stage = started
	for i := range l.chain.links {
		if other := &l.chain.links[i]; other.stage == started {
			other.since = 0
		}
	}
	l.chain.master.Command(StartNode, l.remote.id)
	return nil
}

// advance lets time pass for a node.
func (l *link) advance(dt time.Duration) error {
	before := l.since
	l.since += dt
	again := before/againAfter != l.since/againAfter
	chain := l.chain
	switch {
	case l.stage == fresh:
		l.stage, l.since = resetting, 0
		chain.master.Command(ResetCommunication, l.remote.id)
	case l.stage == resetting && l.since > absentAfter:
		chain.absent = AbsentError{l.remote.id, "does not boot"}
		return &chain.absent
	case l.stage == resetting && again:
		chain.master.Command(ResetCommunication, l.remote.id)
	case l.stage == started && !chain.known && l.since > absentAfter:
		if err := l.node.failed(); err != nil {
			return err
		}
		if !chain.others(l) {
			chain.absent = AbsentError{l.remote.id, "does not become operational"}
			return &chain.absent
		}
	case l.stage == started && !chain.known && again:
		chain.master.Command(StartNode, l.remote.id)
	}
	return l.remote.Watch()
}

// others reports whether another node is what the driver still waits for.
func (c *chain) others(l *link) bool {
	for i := range c.links {
		if other := &c.links[i]; other != l && other.stage != started {
			return true
		}
	}
	return false
}

// cycle sends all commands and the SYNC.
func (c *conversation) cycle() {
	some := false
	for i := range c.links {
		l := &c.links[i]
		if l.got = 0; l.stage == started {
			l.node.command()
			some = true
		}
	}
	if some {
		c.master.Sync()
		c.asked, c.waited = true, 0
	}
}
