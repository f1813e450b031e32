// Package schema turns the Go type of a port into the three representations that leave the process: a layout, a
// schema text and a wire format.
//
// A port carries plain data: bool, int8 to int64, uint8 to uint64, float32, float64, and fixed arrays and structs of
// them. At the top level, or as direct fields of a top-level struct, slices are allowed, whose lengths are fixed once
// the block is set up. A slice at the top level can be bounded instead: each of its values has a length of its own, up to
// the bound, and takes as many bytes as it needs.
//
//	t, err := schema.For[Command]()   // Type: what the data are
//	l := t.Layout(7)                  // Layout: the same with 7 elements in its slice
//	n := l.Encode(buf, ptr)           // memory → CDR, no allocation
//	err = l.Decode(ptr, buf[:n])      // CDR → memory, strict, no allocation
//
//	points.Bounded(1000).Layout()     // of a slice with values of 0 to 1000 elements; Size is that of the longest
//
// The wire format is CDR, little-endian, with the alignment rules of DDS and ROS 2 (OMG DDSI-RTPS 2.5, section 10;
// OMG CORBA 3.3 part 2, section 9.3): a header 00 01 00 00; each primitive aligned to its own size, counted after the
// header; structs and arrays add nothing; a slice is preceded by its count as a uint32. As in ROS 2, an empty struct
// is one zero byte.
//
// The schema text is a ROS 2 message definition. It has no arrays of arrays:
// [3][3]float64 becomes float64[9], row by row, which is the same on the wire. A slice is float64[], a bounded one
// float64[<=1000].
//
// Of takes a Go type, Parse a schema text from a log. A parsed Type has no memory, so it can be shown, read and
// written as a value (Value, FromValue, Leaves) but not encoded from a pointer.
package schema
