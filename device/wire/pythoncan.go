package wire

import "encoding/binary"

// python-can writes a frame as a MessagePack map with these keys.
var pythonCANKeys = [...]string{
	"timestamp", "arbitration_id", "is_extended_id", "is_remote_frame", "is_error_frame", "channel", "dlc", "data", "is_fd", "bitrate_switch", "error_state_indicator",
}

// The first bytes of MessagePack values.
const (
	packMap     = 0x80 // + number of entries, to 15
	packString  = 0xa0 // + length, to 31
	packNil     = 0xc0
	packFalse   = 0xc2
	packTrue    = 0xc3
	packBin8    = 0xc4
	packFloat32 = 0xca
	packFloat64 = 0xcb
	packUint8   = 0xcc
	packUint16  = 0xcd
	packUint32  = 0xce
	packUint64  = 0xcf
	packInt8    = 0xd0
	packInt64   = 0xd3
	packString8 = 0xd9
)

// appendPythonCAN appends a frame; its time stamp is 0, which lets the receiver take its own.
func appendPythonCAN(b []byte, f Frame) []byte {
	b = append(b, packMap+byte(len(pythonCANKeys)))
	flag := func(b []byte, set bool) []byte {
		if set {
			return append(b, packTrue)
		}
		return append(b, packFalse)
	}
	for i, key := range pythonCANKeys {
		b = append(b, packString+byte(len(key)))
		b = append(b, key...)
		switch i {
		case 0:
			b = binary.BigEndian.AppendUint64(append(b, packFloat64), 0)
		case 1:
			b = binary.BigEndian.AppendUint32(append(b, packUint32), f.ID)
		case 2:
			b = flag(b, f.Extended)
		case 3:
			b = flag(b, f.Remote)
		case 5:
			b = append(b, packNil)
		case 6:
			b = append(b, f.Length)
		case 7:
			if f.Remote {
				b = append(b, packBin8, 0)
			} else {
				b = append(append(b, packBin8, f.Length), f.Bytes()...)
			}
		default:
			b = append(b, packFalse)
		}
	}
	return b
}

// parsePythonCAN reads a frame; it ignores keys that it does not know, and refuses frames of CAN FD and reports of errors.
func parsePythonCAN(b []byte) (f Frame, ok bool) {
	if len(b) == 0 || b[0]&0xf0 != packMap {
		return f, false
	}
	entries := int(b[0] & 15)
	b = b[1:]
	var key, value packed
	var known int
	for range entries {
		if key, b, ok = unpack(b); !ok || key.kind != packString {
			return f, false
		}
		if value, b, ok = unpack(b); !ok {
			return f, false
		}
		switch string(key.bytes) {
		case "arbitration_id":
			f.ID = uint32(value.number)
			if ok = value.kind == packUint64 && value.number <= MaxExtendedID; !ok {
				return f, false
			}
			known++
		case "dlc":
			f.Length = uint8(value.number)
			if ok = value.kind == packUint64 && value.number <= 8; !ok {
				return f, false
			}
			known++
		case "data":
			if value.kind != packBin8 || len(value.bytes) > len(f.Data) {
				return f, false
			}
			copy(f.Data[:], value.bytes)
		case "is_extended_id":
			f.Extended = value.kind == packTrue
		case "is_remote_frame":
			f.Remote = value.kind == packTrue
		case "is_fd", "is_error_frame":
			if value.kind == packTrue {
				return f, false
			}
		}
	}
	return f, known == 2 && len(b) == 0 && f.valid()
}

// packed is a MessagePack value: its kind is packString, packNil, packFalse, packTrue, packBin8, packFloat64 or packUint64.
type packed struct {
	kind   byte
	number uint64
	bytes  []byte
}

// unpack reads the first value of b and returns what follows it. It knows the kinds that a frame has.
func unpack(b []byte) (v packed, rest []byte, ok bool) {
	if len(b) == 0 {
		return v, nil, false
	}
	first, b := b[0], b[1:]
	length := 0 // of the number or of the bytes' length
	switch {
	case first < packMap:
		return packed{kind: packUint64, number: uint64(first)}, b, true
	case first&0xe0 == packString:
		return unpackBytes(packString, int(first&31), b)
	case first == packNil, first == packFalse, first == packTrue:
		return packed{kind: first}, b, true
	case (first == packBin8 || first == packString8) && len(b) > 0:
		kind := byte(packBin8)
		if first == packString8 {
			kind = packString
		}
		return unpackBytes(kind, int(b[0]), b[1:])
	case first == packFloat32:
		v.kind, length = packFloat64, 4
	case first == packFloat64:
		v.kind, length = packFloat64, 8
	case packUint8 <= first && first <= packUint64:
		v.kind, length = packUint64, 1<<(first-packUint8)
	case packInt8 <= first && first <= packInt64: // only negative numbers, which nothing of a frame is
		v.kind, length = packFloat64, 1<<(first-packInt8)
	case first >= 0xe0:
		return packed{kind: packFloat64}, b, true
	default:
		return v, nil, false
	}
	if len(b) < length {
		return v, nil, false
	}
	for _, x := range b[:length] {
		v.number = v.number<<8 | uint64(x)
	}
	return v, b[length:], true
}

func unpackBytes(kind byte, n int, b []byte) (packed, []byte, bool) {
	if len(b) < n {
		return packed{}, nil, false
	}
	return packed{kind: kind, bytes: b[:n]}, b[n:], true
}
