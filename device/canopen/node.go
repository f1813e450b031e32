package canopen

import (
	"encoding/binary"
	"time"

	"github.com/sinew-robotics/sinew/device/wire"
)

// Node is a node at the other end of a master: it answers frames and lets time pass, and its frames are sent with those of the other nodes of its owner.
type Node struct {
	id      byte
	objects *Dictionary
	out     *outbox
	state   State

	beat  time.Duration // since the last heartbeat
	watch watch         // of the master
	sdo   server
	pdos  [2][PDOs]pdo // RPDOs, TPDOs
}

// watch is the heartbeat of another node that the node consumes.
type watch struct {
	seen  bool
	lost  bool // it has ceased
	since time.Duration
}

// The objects of communication (CiA 301) that a node has beside its PDOs.
const (
	deviceType       = 0x1000
	errorRegister    = 0x1001
	deviceName       = 0x1008
	consumerHeart    = 0x1016
	producerHeart    = 0x1017
	identity         = 0x1018
	rpdoParameters   = 0x1400
	rpdoMapping      = 0x1600
	tpdoParameters   = 0x1800
	tpdoMapping      = 0x1a00
	lastCommunicated = 0x1fff
)

// heartbeatLost is the code of an emergency: the heartbeat of the master has ceased.
const heartbeatLost = 0x8130

// newNode returns a node with a dictionary, to which it adds the objects of communication.
func newNode(id byte, kind uint32, name string, d *Dictionary, out *outbox) *Node {
	n := &Node{id: id, objects: d, out: out}
	d.Number(deviceType, 0, 4, Readable, int32(kind))
	d.Number(errorRegister, 0, 1, Readable|Mappable, 0)
	d.Text(deviceName, 0, len(name), Readable, name)
	d.Number(consumerHeart, 0, 1, Readable, 1)
	d.Number(consumerHeart, 1, 4, Readable|Writable, 0)
	d.Number(producerHeart, 0, 2, Readable|Writable, 0)
	d.Number(identity, 0, 1, Readable, 1)
	d.Number(identity, 1, 4, Readable, 0)
	for i := range PDOs {
		n.pdos[0][i] = newPDO(d, rpdoParameters+uint16(i), rpdoMapping+uint16(i), rpdo+pdoStep*uint32(i)+uint32(id))
		n.pdos[1][i] = newPDO(d, tpdoParameters+uint16(i), tpdoMapping+uint16(i), tpdo+pdoStep*uint32(i)+uint32(id))
	}
	return n
}

// State returns the NMT state.
func (n *Node) State() State { return n.state }

// Abandoned reports whether the heartbeat of the master has ceased and not come again.
func (n *Node) Abandoned() bool { return n.watch.lost }

// Emergency sends an emergency, and keeps its error register.
func (n *Node) Emergency(e Emergency) {
	if o, _ := n.objects.Find(errorRegister, 0); o != nil {
		o.Set(int32(e.Register))
	}
	m := e.Manufacturer
	n.out.frame(syncID+uint32(n.id), byte(e.Code), byte(e.Code>>8), e.Register, m[0], m[1], m[2], m[3], m[4])
}

// Take answers a frame of the bus.
func (n *Node) Take(f *wire.Frame) {
	function, id, ok := split(f)
	switch {
	case !ok || n.state == Initializing:
	case function == toAll && id == 0:
		if f.Length == 2 && (f.Data[1] == 0 || f.Data[1] == n.id) {
			n.command(Command(f.Data[0]))
		}
	case function == heartbeat:
		consumed, _ := n.objects.Find(consumerHeart, 1)
		if f.Length == 1 && id == byte(consumed.Uint()>>16) {
			n.watch = watch{seen: true}
		}
	case n.state == Stopped:
	case function == sdoAsk && id == n.id:
		if f.Length == 8 {
			n.answer(&f.Data)
		}
	case n.state == Operational:
		n.takePDO(f)
	}
}

func (n *Node) command(c Command) {
	switch c {
	case StartNode:
		n.state = Operational
		for i := range n.pdos[1] {
			n.pdos[1][i].count, n.pdos[1][i].since = 0, 0
		}
	case StopNode:
		n.state, n.sdo = Stopped, server{}
	case EnterPreOperational:
		n.state = PreOperational
	case ResetNode:
		n.objects.reset(0, 0xffff)
		n.state = Initializing
	case ResetCommunication:
		n.objects.reset(deviceType, lastCommunicated)
		n.state = Initializing
	}
}

// Elapse lets time pass: the node boots, sends its heartbeat and cyclic PDOs, and misses the heartbeat of its master.
func (n *Node) Elapse(dt time.Duration) {
	if n.state == Initializing {
		n.state, n.beat, n.watch, n.sdo = PreOperational, 0, watch{}, server{}
		n.out.frame(heartbeat+uint32(n.id), byte(Initializing))
		return
	}
	if n.watch.seen {
		n.watch.since += dt
	}
	consumed, _ := n.objects.Find(consumerHeart, 1)
	if limit := time.Duration(consumed.Uint()&0xffff) * time.Millisecond; limit > 0 && n.watch.since > limit {
		n.watch = watch{lost: true}
		n.Emergency(Emergency{Code: heartbeatLost, Register: 1 | 1<<4})
		if n.state == Operational {
			n.state = PreOperational
		}
	}
	produced, _ := n.objects.Find(producerHeart, 0)
	period := time.Duration(produced.Uint()) * time.Millisecond
	if n.beat += dt; period > 0 && n.beat >= period {
		n.beat = 0
		n.out.frame(heartbeat+uint32(n.id), byte(n.state))
	}
	if n.state == Operational {
		n.cyclic(dt)
	}
}

// server is the SDO transfer of a node.
type server struct {
	object *Object
	up     bool
	toggle byte
	n, at  int // length of what is read, and what has been transferred
	buffer [MaxObject]byte
}

// answer answers an SDO.
func (n *Node) answer(d *[8]byte) {
	s := &n.sdo
	index, sub := binary.LittleEndian.Uint16(d[1:]), d[3]
	switch d[0] & specifier {
	case beginDownload:
		n.beginDownload(d, index, sub)
	case beginUpload:
		o, code := n.objects.Find(index, sub)
		switch {
		case code != 0:
			n.abort(index, sub, code)
		case o.Access&Readable == 0:
			n.abort(index, sub, AbortWriteOnly)
		case len(o.Data) >= 1 && len(o.Data) <= expeditedBytes:
			f := n.reply(beginUpload|byte(expeditedBytes-len(o.Data))<<2|expedited|sizeGiven, index, sub)
			copy(f.Data[4:], o.Data)
			n.out.add(f)
		default:
			s.object, s.up, s.toggle = o, true, 0
			s.n, s.at = copy(s.buffer[:], o.Data), 0 // what is being read does not change
			f := n.reply(beginUpload|sizeGiven, index, sub)
			binary.LittleEndian.PutUint32(f.Data[4:], uint32(s.n))
			n.out.add(f)
		}
	case downloadSegment, uploadSegment:
		n.segment(d)
	case abortTransfer:
		s.object = nil
	default:
		n.abort(index, sub, AbortCommand)
	}
}

func (n *Node) reply(command byte, index uint16, sub byte) wire.Frame {
	return wire.Frame{ID: sdoAnswer + uint32(n.id), Length: 8, Data: [8]byte{command, byte(index), byte(index >> 8), sub}}
}

func (n *Node) abort(index uint16, sub byte, code AbortCode) {
	n.sdo.object = nil
	f := n.reply(abortTransfer, index, sub)
	binary.LittleEndian.PutUint32(f.Data[4:], uint32(code))
	n.out.add(f)
}

func (n *Node) beginDownload(d *[8]byte, index uint16, sub byte) {
	o, code := n.objects.Find(index, sub)
	switch {
	case code != 0:
		n.abort(index, sub, code)
	case o.Access&Writable == 0:
		n.abort(index, sub, AbortReadOnly)
	case d[0]&expedited != 0:
		length := len(o.Data)
		if d[0]&sizeGiven != 0 {
			length = expeditedBytes - int(d[0]>>2&3)
		}
		if code := n.store(o, d[4:4+min(length, expeditedBytes)]); code != 0 {
			n.abort(index, sub, code)
			return
		}
		n.out.add(n.reply(downloadBegun, index, sub))
	case d[0]&sizeGiven != 0 && int64(binary.LittleEndian.Uint32(d[4:])) > int64(max(o.Max, len(o.Data))):
		n.abort(index, sub, AbortLength)
	default:
		n.sdo.object, n.sdo.up, n.sdo.toggle, n.sdo.at = o, false, 0, 0
		n.out.add(n.reply(downloadBegun, index, sub))
	}
}

// segment takes or gives a part of an object.
func (n *Node) segment(d *[8]byte) {
	s := &n.sdo
	o := s.object
	switch {
	case o == nil || s.up != (d[0]&specifier == uploadSegment):
		n.abort(0, 0, AbortCommand)
		return
	case d[0]&toggleBit != s.toggle:
		n.abort(o.Index, o.Sub, AbortToggle)
		return
	case s.up:
		f := segmentFrame(sdoAnswer+uint32(n.id), uploaded|s.toggle, s.buffer[s.at:s.n])
		n.out.add(f)
		if s.at, s.toggle = s.at+segmentBytes, s.toggle^toggleBit; f.Data[0]&lastSegment != 0 {
			s.object = nil
		}
		return
	}
	length := segmentBytes - int(d[0]>>1&7)
	if s.at+length > min(max(o.Max, len(o.Data)), MaxObject) {
		n.abort(o.Index, o.Sub, AbortLength)
		return
	}
	s.at += copy(s.buffer[s.at:], d[1:1+length])
	if d[0]&lastSegment != 0 {
		if code := n.store(o, s.buffer[:s.at]); code != 0 {
			n.abort(o.Index, o.Sub, code)
			return
		}
		s.object = nil
	}
	n.out.frame(sdoAnswer+uint32(n.id), downloadTaken|s.toggle, 0, 0, 0, 0, 0, 0, 0)
	s.toggle ^= toggleBit
}

// store changes an object, or returns why it cannot.
func (n *Node) store(o *Object, value []byte) AbortCode {
	if o.Max == 0 && len(value) != len(o.Data) || o.Max > 0 && len(value) > o.Max {
		return AbortLength
	}
	if code := n.checkPDO(o, value); code != 0 {
		return code
	}
	o.Data = append(o.Data[:0], value...)
	return 0
}
