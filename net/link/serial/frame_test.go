package serial

import (
	"bytes"
	"hash/crc32"
	"slices"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// run returns the bytes from one to another.
func run(from, to int) (b []byte) {
	for i := from; i <= to; i++ {
		b = append(b, byte(i))
	}
	return b
}

// TestStuffingMatchesPublishedExamples has the examples of the article "Consistent Overhead Byte Stuffing" in Wikipedia (2024), without
// the delimiter.
func TestStuffingMatchesPublishedExamples(t *testing.T) {
	for i, c := range []struct{ data, stuffed []byte }{
		{[]byte{0}, []byte{1, 1}},
		{[]byte{0, 0}, []byte{1, 1, 1}},
		{[]byte{0, 0x11, 0}, []byte{1, 2, 0x11, 1}},
		{[]byte{0x11, 0x22, 0, 0x33}, []byte{3, 0x11, 0x22, 2, 0x33}},
		{[]byte{0x11, 0x22, 0x33, 0x44}, []byte{5, 0x11, 0x22, 0x33, 0x44}},
		{[]byte{0x11, 0, 0, 0}, []byte{2, 0x11, 1, 1, 1}},
		{run(1, 0xfe), append([]byte{0xff}, run(1, 0xfe)...)},
		{run(0, 0xfe), append([]byte{1, 0xff}, run(1, 0xfe)...)},
		{run(1, 0xff), slices.Concat([]byte{0xff}, run(1, 0xfe), []byte{2, 0xff})},
		{append(run(2, 0xff), 0), slices.Concat([]byte{0xff}, run(2, 0xff), []byte{1, 1})},
		{append(run(3, 0xff), 0, 1), slices.Concat([]byte{0xfe}, run(3, 0xff), []byte{2, 1})},
	} {
		if got := stuff(nil, c.data); !bytes.Equal(got, c.stuffed) {
			t.Errorf("example %d: %x is stuffed as %x, want %x", i+1, c.data, got, c.stuffed)
		}
		if got, ok := unstuff(bytes.Clone(c.stuffed)); !ok || !bytes.Equal(got, c.data) {
			t.Errorf("example %d: %x is read as %x, %v, want %x", i+1, c.stuffed, got, ok, c.data)
		}
	}
}

// TestChecksumIsThatOfRFC1662 has its constant for a frame with the right checksum, PPPGOODFCS32 in section C.3, and the check value of
// CRC-32/ISO-HDLC in the catalogue of G. Cook.
func TestChecksumIsThatOfRFC1662(t *testing.T) {
	const good = 0xdebb20e3
	digits := []byte("123456789")
	frame := appendFrame(nil, digits, make([]byte, 0, maxBody))
	body, ok := unstuff(frame[1 : len(frame)-1])
	if !ok || !bytes.Equal(body[len(digits):], []byte{0x26, 0x39, 0xf4, 0xcb}) {
		t.Errorf("the checksum of %q is %x, want 0xcbf43926 with its low byte first", digits, body[len(digits):])
	}
	if got := ^crc32.ChecksumIEEE(body); got != good {
		t.Errorf("the register is %#x after a frame with its checksum, want %#x", got, uint32(good))
	}
}

// received returns what a deframer makes of the bytes, in pieces of random lengths.
func received(t *testing.T, d *deframer, line []byte) (datagrams [][]byte, damaged int) {
	r := testkit.Rand(t)
	for len(line) > 0 {
		n := 1 + r.IntN(len(line))
		d.feed(line[:n], func(datagram []byte) {
			if datagram == nil {
				damaged++
				return
			}
			datagrams = append(datagrams, bytes.Clone(datagram))
		})
		line = line[n:]
	}
	return datagrams, damaged
}

func TestReceiverResynchronizesAfterGarbage(t *testing.T) {
	r := testkit.Rand(t)
	noise := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	var d deframer
	body := make([]byte, 0, maxBody)
	for i := range 2000 {
		sent := noise(1 + r.IntN(maxDatagram))
		line := append(noise(r.IntN(3*maxFrame)), appendFrame(nil, sent, body)...)
		got, _ := received(t, &d, line)
		if len(got) != 1 || !bytes.Equal(got[0], sent) {
			t.Fatalf("datagram %d of %d bytes after noise: %d datagrams arrived", i, len(sent), len(got))
		}
		line = appendFrame(nil, sent, body)
		line[1+r.IntN(len(line)-2)] ^= 1 << r.IntN(8) // one bit
		if got, damaged := received(t, &d, line); len(got) != 0 || damaged == 0 {
			t.Fatalf("datagram %d: of a frame with a wrong bit %d datagrams arrived and %d frames were damaged", i, len(got), damaged)
		}
		d = deframer{} // the wrong bit may have been that of the last zero's length
	}
}

func TestFramingAllocatesNothing(t *testing.T) {
	datagram, frame, body := run(0, 255), make([]byte, 0, maxFrame), make([]byte, 0, maxBody)
	var d deframer
	seen := 0
	take := func([]byte) { seen++ }
	testkit.NoAllocs(t, 1000, func() {
		frame = appendFrame(frame[:0], datagram, body)
		d.feed(frame, take)
	})
	if seen == 0 {
		t.Error("no datagram arrived")
	}
}

// FuzzDeframer feeds arbitrary bytes, then a frame, which must arrive.
func FuzzDeframer(f *testing.F) {
	body := make([]byte, 0, maxBody)
	f.Add([]byte{0, 2, 1, 0}, []byte("x"))
	f.Add(appendFrame(nil, run(0, 255), body), run(0, 255))
	f.Add(bytes.Repeat([]byte{0xff}, 2*maxFrame), []byte{0})
	f.Add(append([]byte{0}, run(1, 255)...), bytes.Repeat([]byte{7}, maxDatagram))
	f.Fuzz(func(t *testing.T, garbage, sent []byte) {
		sent = sent[:min(len(sent), maxDatagram)]
		var d deframer
		check := func(datagram []byte) {
			if len(datagram) > maxBody {
				t.Errorf("a datagram of %d bytes", len(datagram))
			}
		}
		d.feed(garbage, check)
		var last []byte
		d.feed(appendFrame(nil, sent, make([]byte, 0, maxBody)), func(datagram []byte) { last = bytes.Clone(datagram) })
		if !bytes.Equal(last, sent) {
			t.Errorf("%x arrived after garbage, want %x", last, sent)
		}
	})
}
