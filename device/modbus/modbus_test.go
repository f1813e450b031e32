package modbus

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
	"github.com/sinew-robotics/sinew/internal/testkit"
)

func bytesOf(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// asked returns a client on a channel in memory that has asked, and what arrives at the other end.
func asked(t testing.TB, f Framing, ask func(c *Client)) (c *Client, far wire.Wire, request []byte) {
	t.Helper()
	near, far := wire.Pipe("memory://modbus")
	if err := errors.Join(near.Open(), far.Open()); err != nil {
		t.Fatal(err)
	}
	c = NewClient(near, f)
	ask(c)
	if _, err := c.Step(0); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 300)
	n, err := far.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	return c, far, b[:n]
}

// TestFramesAreThoseOfTheManuals holds the examples, with their CRC, of Robotiq's manuals: 2F-85 & 2F-140 (page 78, step 7), Hand-E (pages 50, 66),
// 2-Finger 200 (pages 58, 60), 3-Finger (pages 66, 79).
func TestFramesAreThoseOfTheManuals(t *testing.T) {
	for _, c := range []struct {
		framing         Framing
		ask             func(c *Client)
		request, answer string
		want            []uint16
	}{
		{RTU, func(c *Client) { c.Write(9, 0x3e8, []uint16{0x0900, 0, 0xffff}) }, "09 10 03 E8 00 03 06 09 00 00 00 FF FF 72 19", "09 10 03 E8 00 03 01 30", nil},
		{RTU, func(c *Client) { c.Write(9, 0x3e8, []uint16{0x0100, 0, 0}) }, "09 10 03 E8 00 03 06 01 00 00 00 00 00 72 E1", "09 10 03 E8 00 03 01 30", nil},
		{RTU, func(c *Client) { c.Read(9, ReadHolding, 0x7d0, 1) }, "09 03 07 D0 00 01 85 CF", "09 03 02 11 00 55 D5", []uint16{0x1100}},
		{RTU, func(c *Client) { c.Read(9, ReadHolding, 0x7d0, 1) }, "09 03 07 D0 00 01 85 CF", "09 03 02 31 00 4C 15", []uint16{0x3100}},
		{RTU, func(c *Client) { c.Read(9, ReadHolding, 0x7d0, 3) }, "09 03 07 D0 00 03 04 0E", "09 03 06 39 00 00 FF 0E 0A F7 8B", []uint16{0x3900, 0x00ff, 0x0e0a}},
		{RTU, func(c *Client) { c.Read(9, ReadInput, 0x7d0, 3) }, "09 04 07 D0 00 03 B1 CE", "", nil},
		{TCP, func(c *Client) { c.transaction = 0x4532; c.Read(2, ReadInput, 0x7d0, 1) }, "45 33 00 00 00 06 02 04 07 D0 00 01", "45 33 00 00 00 05 02 04 02 11 00", []uint16{0x1100}},
	} {
		client, far, request := asked(t, c.framing, c.ask)
		if want := bytesOf(t, c.request); !bytes.Equal(request, want) {
			t.Errorf("the request is\n% x, expected\n% x", request, want)
		}
		if c.answer == "" {
			continue
		}
		for _, b := range bytesOf(t, c.answer) { // byte by byte
			if !client.Asking() {
				t.Errorf("% s: taken too early", c.answer)
			}
			_, _ = far.Write([]byte{b})
			if _, err := client.Step(time.Millisecond); err != nil {
				t.Errorf("%s: %v", c.answer, err)
			}
		}
		if client.Asking() || !slices.Equal(client.Registers(), c.want) {
			t.Errorf("%s: registers %04x, expected %04x", c.answer, client.Registers(), c.want)
		}
	}
}

func TestDamagedAnswersAreAskedForAgain(t *testing.T) {
	for answer, want := range map[string]error{
		"09 03 02 11 00 55 D4": ErrCRC, "08 03 02 11 00 55 D5": ErrForm, "09 04 02 11 00 55 D5": ErrForm, "09 03 06 39 00 00 FF 0E 0A F7 8B": ErrForm, "6c 6f 67 69 6e": ErrForm,
	} {
		c, far, request := asked(t, RTU, func(c *Client) { c.Read(9, ReadHolding, 0x7d0, 1) })
		_, _ = far.Write(bytesOf(t, answer))
		if p, err := c.Step(time.Millisecond); p != driver.Damaged || err != want {
			t.Errorf("%s: %v, %v", answer, p, err)
		}
		if _, err := c.Step(resendAfter); err != nil {
			t.Fatal(err)
		}
		again := make([]byte, 300)
		if n, _ := far.Read(again); !bytes.Equal(again[:n], request) {
			t.Errorf("%s: asked again: % x", answer, again[:n])
		}
		_, _ = far.Write(bytesOf(t, "09 03 02 11 00 55 D5"))
		if p, err := c.Step(time.Millisecond); p != driver.Complete || err != nil {
			t.Errorf("%s: the second answer: %v, %v", answer, p, err)
		}
	}
}

func TestExceptionsAreExplained(t *testing.T) {
	c, far, _ := asked(t, TCP, func(c *Client) { c.Read(9, ReadHolding, 1, 1) })
	_, _ = far.Write(bytesOf(t, "00 00 00 00 00 05 09 03 02 11 00"+"00 01 00 00 00 03 09 83 02")) // after the answer to an earlier request
	_, err := c.Step(time.Millisecond)
	var exception *ExceptionError
	if !errors.As(err, &exception) || err.Error() != "Modbus function 3 is refused with exception 2 (illegal address)" {
		t.Error(err)
	}
}

// table is registers 0 to 999, each three times its address.
type table [1000]uint16

func newTable() *table {
	var r table
	for i := range r {
		r[i] = uint16(3 * i)
	}
	return &r
}

func (r *table) Read(a uint16) (uint16, bool) {
	if int(a) >= len(r) {
		return 0, false
	}
	return r[a], true
}

func (r *table) Write(a, v uint16) bool {
	if int(a) >= len(r) {
		return false
	}
	r[a] = v
	return true
}

func TestClientAndServerAgreeAndAllocateNothing(t *testing.T) {
	for _, f := range []Framing{RTU, TCP} {
		near, far := wire.Pipe("memory://modbus")
		if err := errors.Join(near.Open(), far.Open()); err != nil {
			t.Fatal(err)
		}
		c, r := NewClient(near, f), newTable()
		s := NewServer(far, f, 9, r)
		values := []uint16{1, 2, 3}
		done := 0
		round := func() {
			c.WriteRead(9, 500, values, 499, 5)
			for range 3 {
				_ = s.Step(time.Millisecond)
				if p, _ := c.Step(time.Millisecond); p == driver.Complete {
					done++
				}
			}
		}
		testkit.NoAllocs(t, 500, round)
		if done < 500 || !slices.Equal(c.Registers(), []uint16{1497, 1, 2, 3, 1509}) {
			t.Errorf("%v: %d rounds, registers %v", f, done, c.Registers())
		}
	}
}

func FuzzClient(f *testing.F) {
	f.Add(true, bytesOf(f, "09 17 04 01 00 09 E6 F6 C1"))
	f.Add(false, bytesOf(f, "00 01 00 00 00 07 09 17 04 01 00 09 e6"))
	f.Fuzz(func(t *testing.T, rtu bool, answer []byte) {
		framing := TCP
		if rtu {
			framing = RTU
		}
		c, far, _ := asked(t, framing, func(c *Client) { c.WriteRead(9, 1, []uint16{1}, 1, 2) })
		_, _ = far.Write(answer)
		if p, err := c.Step(time.Millisecond); p == driver.Complete && (err != nil || len(c.Registers()) != 2) || (p == driver.Damaged) != (errors.Is(err, ErrCRC) || errors.Is(err, ErrForm)) {
			t.Errorf("%v, %v, %d registers", p, err, len(c.Registers()))
		}
	})
}

func FuzzServer(f *testing.F) {
	f.Add(true, bytesOf(f, "09 10 03 E8 00 03 06 09 00 00 00 FF FF 72 19"))
	f.Add(true, bytesOf(f, "09 03 07 D0 00 03 04 0E"))
	f.Add(false, bytesOf(f, "45 33 00 00 00 06 02 04 07 D0 00 01 45 34 00 00 00 06 02 04 07 D0 00 01"))
	f.Fuzz(func(t *testing.T, rtu bool, request []byte) {
		framing := TCP
		if rtu {
			framing = RTU
		}
		near, far := wire.Pipe("memory://modbus")
		_ = errors.Join(near.Open(), far.Open())
		s := NewServer(far, framing, 9, newTable())
		_, _ = near.Write(request)
		for range 5 {
			if err := s.Step(time.Millisecond); err != nil {
				t.Fatal(err)
			}
		}
		if b := make([]byte, 1<<16); rtu {
			if n, _ := near.Read(b); n > 0 && n < maxFrame && crc(b[:n]) != 0 && bytes.Count(request, []byte{9}) < 2 {
				t.Errorf("the answer has a wrong CRC: % x", b[:n])
			}
		}
	})
}
