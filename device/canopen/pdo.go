package canopen

import (
	"encoding/binary"
	"time"

	"github.com/sinew-robotics/sinew/device/wire"
)

// The transmission types of PDOs that a node knows: 1 to maxSync are each n-th SYNC; cyclic ones have an event timer.
const (
	maxSync       = 240
	manufacturers = 254
	profiles      = 255
)

// maxMapped is how many objects a PDO carries.
const maxMapped = 8

// unused marks the identifier of a PDO that is not exchanged.
const unused = 1 << 31

// pdo is a PDO of a node: its objects in the dictionary, and what it waits for.
type pdo struct {
	cob, kind, timer *Object
	length           *Object
	mapping          [maxMapped]*Object

	count   uint32        // of SYNCs
	since   time.Duration // the last transmission
	pending bool          // data wait for the SYNC
	data    [8]byte
}

func newPDO(d *Dictionary, parameters, mapping uint16, id uint32) (p pdo) {
	d.Number(parameters, 0, 1, Readable, 5)
	p.cob = d.Number(parameters, 1, 4, Readable|Writable, int32(id|unused))
	p.kind = d.Number(parameters, 2, 1, Readable|Writable, 1)
	p.timer = d.Number(parameters, 5, 2, Readable|Writable, 0)
	p.length = d.Number(mapping, 0, 1, Readable|Writable, 0)
	for i := range p.mapping {
		p.mapping[i] = d.Number(mapping, byte(i+1), 4, Readable|Writable, 0)
	}
	return p
}

// used reports whether the PDO is exchanged, and with which identifier.
func (p *pdo) used() (id uint32, ok bool) {
	x := p.cob.Uint()
	return x & wire.MaxStandardID, x&unused == 0
}

// mapped returns object i of the PDO, which checkPDO has admitted.
func (n *Node) mapped(p *pdo, i int) *Object {
	x := p.mapping[i].Uint()
	o, _ := n.objects.Find(uint16(x>>16), byte(x>>8))
	return o
}

// checkPDO checks a value before it is stored in an object of a PDO.
func (n *Node) checkPDO(o *Object, value []byte) AbortCode {
	var number [4]byte
	copy(number[:], value)
	x := binary.LittleEndian.Uint32(number[:])
	for direction := range n.pdos {
		for i := range n.pdos[direction] {
			p := &n.pdos[direction][i]
			_, used := p.used()
			switch {
			case o == p.cob:
				if x&^unused > wire.MaxStandardID || x <= tpdo || used && x&unused == 0 && x != o.Uint() {
					return AbortValue
				}
			case o == p.kind:
				if x == 0 || x > maxSync && x != manufacturers && x != profiles {
					return AbortValue
				}
			case o == p.length:
				if used {
					return AbortState
				}
				return n.checkMapping(p, int(x), direction == 1)
			case o.Index == p.length.Index:
				if used || p.length.Uint() != 0 {
					return AbortState
				}
				return n.checkMapped(x, direction == 1)
			}
		}
	}
	return 0
}

func (n *Node) checkMapping(p *pdo, count int, sent bool) AbortCode {
	if count > maxMapped {
		return AbortMappedLength
	}
	bits := uint32(0)
	for i := range count {
		x := p.mapping[i].Uint()
		if code := n.checkMapped(x, sent); code != 0 {
			return code
		}
		bits += x & 0xff
	}
	if bits > 64 {
		return AbortMappedLength
	}
	return 0
}

// checkMapped checks the entry of a mapping: index, subindex, bits.
func (n *Node) checkMapped(x uint32, sent bool) AbortCode {
	o, code := n.objects.Find(uint16(x>>16), byte(x>>8))
	switch {
	case code != 0:
		return code
	case o.Access&Mappable == 0, sent && o.Access&Readable == 0, !sent && o.Access&Writable == 0, o.Max > 0, int(x&0xff) != 8*len(o.Data):
		return AbortNotMappable
	}
	return 0
}

// takePDO takes a SYNC or an RPDO.
func (n *Node) takePDO(f *wire.Frame) {
	if f.ID == syncID {
		n.synchronize()
		return
	}
	for i := range n.pdos[0] {
		p := &n.pdos[0][i]
		if id, used := p.used(); !used || id != f.ID {
			continue
		}
		bytes := 0
		for k := range int(p.length.Uint()) {
			bytes += int(p.mapping[k].Uint()&0xff) / 8
		}
		if int(f.Length) < bytes {
			n.Emergency(Emergency{Code: 0x8210, Register: 1 | 1<<4}) // not processed due to length error
			continue
		}
		p.data, p.pending = f.Data, true
		if p.kind.Uint() > maxSync {
			n.apply(p)
		}
	}
}

// synchronize applies the RPDOs that have arrived since the last SYNC, and sends the TPDOs that are due.
func (n *Node) synchronize() {
	for i := range n.pdos[0] {
		if p := &n.pdos[0][i]; p.pending {
			n.apply(p)
		}
	}
	for i := range n.pdos[1] {
		p := &n.pdos[1][i]
		if kind := p.kind.Uint(); kind <= maxSync {
			if p.count++; p.count >= kind {
				p.count = 0
				n.send(p)
			}
		}
	}
}

// apply writes the data of an RPDO to its objects.
func (n *Node) apply(p *pdo) {
	p.pending = false
	at := 0
	for i := range int(p.length.Uint()) {
		at += copy(n.mapped(p, i).Data, p.data[at:])
	}
}

// send sends a TPDO with the values of its objects.
func (n *Node) send(p *pdo) {
	id, used := p.used()
	if !used {
		return
	}
	f := wire.Frame{ID: id}
	for i := range int(p.length.Uint()) {
		f.Length += byte(copy(f.Data[f.Length:], n.mapped(p, i).Data))
	}
	n.out.add(f)
}

// cyclic sends the TPDOs whose timer has expired.
func (n *Node) cyclic(dt time.Duration) {
	for i := range n.pdos[1] {
		p := &n.pdos[1][i]
		p.since += dt
		if period := time.Duration(p.timer.Uint()) * time.Millisecond; p.kind.Uint() > maxSync && period > 0 && p.since >= period {
			p.since = 0
			n.send(p)
		}
	}
}
