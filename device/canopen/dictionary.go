package canopen

import "encoding/binary"

// Access is what may be done with an object.
type Access byte

// The kinds of access.
const (
	Readable Access = 1 << iota
	Writable
	Mappable // to PDOs: what is writable to RPDOs, what is readable to TPDOs
)

// Object is an entry of a [Dictionary]: a number of 1 to 4 bytes, or up to Max bytes.
type Object struct {
	Index  uint16
	Sub    byte
	Access Access
	Max    int    // 0: the length of Data is fixed
	Data   []byte // little-endian

	initial []byte
}

// Uint returns the number without a sign.
func (o *Object) Uint() uint32 {
	var b [4]byte
	copy(b[:], o.Data)
	return binary.LittleEndian.Uint32(b[:])
}

// Int returns the number with a sign.
func (o *Object) Int() int32 {
	shift := 32 - 8*min(len(o.Data), 4)
	return int32(o.Uint()<<shift) >> shift
}

// Set changes the number, of which it takes as many bytes as the object has.
func (o *Object) Set(x int32) {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], uint32(x))
	copy(o.Data, b[:])
}

// Dictionary is the objects of a node.
type Dictionary struct {
	objects map[uint32]*Object
}

func key(index uint16, sub byte) uint32 { return uint32(index)<<8 | uint32(sub) }

// Number adds a number of 1, 2 or 4 bytes and returns it.
func (d *Dictionary) Number(index uint16, sub byte, bytes int, a Access, value int32) *Object {
	o := &Object{Index: index, Sub: sub, Access: a, Data: make([]byte, bytes)}
	o.Set(value)
	d.add(o)
	return o
}

// Text adds a text of up to max bytes, or replaces the object with this index, and returns it.
func (d *Dictionary) Text(index uint16, sub byte, max int, a Access, text string) *Object {
	o := &Object{Index: index, Sub: sub, Access: a, Max: max, Data: append(make([]byte, 0, max), text...)}
	d.add(o)
	return o
}

func (d *Dictionary) add(o *Object) {
	if d.objects == nil {
		d.objects = map[uint32]*Object{}
	}
	o.initial = append([]byte(nil), o.Data...)
	d.objects[key(o.Index, o.Sub)] = o
}

// Find returns an object, or why there is none.
func (d *Dictionary) Find(index uint16, sub byte) (*Object, AbortCode) {
	if o := d.objects[key(index, sub)]; o != nil {
		return o, 0
	}
	if d.objects[key(index, 0)] != nil {
		return nil, AbortNoSub
	}
	return nil, AbortNoObject
}

// reset gives all objects from one index to another their first values.
func (d *Dictionary) reset(from, to uint16) {
	for _, o := range d.objects {
		if o.Index >= from && o.Index <= to {
			o.Data = append(o.Data[:0], o.initial...)
		}
	}
}
