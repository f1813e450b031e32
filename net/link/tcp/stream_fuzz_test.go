package tcp

import (
	"bytes"
	"encoding/binary"
	"io"
	"runtime"
	"slices"
	"testing"
	"testing/iotest"
)

// datagrams returns the datagrams in a stream of these bytes, by the definition of the format.
func datagrams(stream []byte) (all [][]byte) {
	for len(stream) >= lengthBytes {
		n := int(binary.LittleEndian.Uint16(stream))
		if stream = stream[lengthBytes:]; n > maxDatagram || n > len(stream) {
			break
		}
		all, stream = append(all, stream[:n]), stream[n:]
	}
	return all
}

// FuzzStream reads arbitrary bytes as a stream: whole, byte by byte, in halves, and with an error at the end. Each
// way yields the same datagrams, up to the first wrong length or the cut.
func FuzzStream(f *testing.F) {
	for _, s := range []string{"", "\x00", "\x00\x00\x00\x00", "\x03\x00abc", "\x03\x00abc\x02\x00d", "\xff\xffabc", "\x79\x05", "\x01\x00a\x79\x05b", "\x01\x00a\x00\x00\x01\x00b"} {
		f.Add([]byte(s))
	}
	full := append(binary.LittleEndian.AppendUint16(nil, maxDatagram), make([]byte, maxDatagram)...)
	f.Add(append(full, 1, 0, 'a'))
	f.Fuzz(func(t *testing.T, stream []byte) {
		want := datagrams(stream)
		for how, wrap := range map[string]func(io.Reader) io.Reader{
			"whole": func(r io.Reader) io.Reader { return r }, "bytes": iotest.OneByteReader, "halves": iotest.HalfReader,
			"cut": func(r io.Reader) io.Reader { return io.MultiReader(r, iotest.ErrReader(io.ErrClosedPipe)) }, "data with EOF": iotest.DataErrReader,
		} {
			var got [][]byte
			readDatagrams(wrap(bytes.NewReader(stream)), func(d []byte) { got = append(got, slices.Clone(d)) })
			if !slices.EqualFunc(got, want, bytes.Equal) {
				t.Errorf("%s: %d datagrams %x, want %d", how, len(got), got, len(want))
			}
		}
	})
}

// endless repeats bytes up to a given total.
type endless struct {
	of   []byte
	at   int
	left int
}

func (e *endless) Read(p []byte) (n int, err error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	for n = 0; n < len(p) && n < e.left; n++ {
		p[n] = e.of[e.at]
		e.at = (e.at + 1) % len(e.of)
	}
	e.left -= n
	return n, nil
}

// TestLongStreamsTakeBoundedMemory reads 20 MB of datagrams of maximum, minimum and zero length: a stream allocates
// its buffers once.
func TestLongStreamsTakeBoundedMemory(t *testing.T) {
	const slack = 16 << 10 // of the test and the runtime
	for _, n := range []int{0, 1, maxDatagram} {
		in := &endless{of: append(binary.LittleEndian.AppendUint16(nil, uint16(n)), make([]byte, n)...), left: 20 << 20}
		want := in.left / len(in.of)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := 0
		readDatagrams(in, func([]byte) { got++ })
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > readRoom+maxDatagram+slack {
			t.Errorf("datagrams of %d bytes: %d bytes were allocated", n, took)
		}
		if got != want {
			t.Errorf("datagrams of %d bytes: %d came, want %d", n, got, want)
		}
	}
}
