package linktest

import (
	"encoding/binary"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
)

func wrongSize(t *testing.T, p Pair) {
	tx, rx := ends(t, p, spec("size"))
	s := spec("size.varies")
	s.Varies = true
	varying, varied := ends(t, p, s)
	for what, f := range map[string]func(){
		"Send": func() { _ = tx.Send(make([]byte, 63)) }, "SendNothing": func() { _ = varying.Send(nil) }, "SendLong": func() { _ = varying.Send(make([]byte, 65)) },
		"TryReceiveVarying": func() { varied.TryReceive(make([]byte, 63)) },
		"TryReceive":        func() { rx.TryReceive(make([]byte, 65)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s accepted a packet of the wrong length", what)
				}
			}()
			f()
		}()
	}
}

func badSpecs(t *testing.T, p Pair) {
	for _, s := range []link.Spec{
		{Name: "", Size: 8}, {Name: "../etc", Size: 8}, {Name: "a/b", Size: 8}, {Name: ".hidden", Size: 8},
		{Name: "a b", Size: 8}, {Name: "empty", Size: 0}, {Name: "negative", Size: 8, Depth: -1},
	} {
		if tx, err := p.Sending.Send(s); err == nil {
			tx.Close()
			t.Errorf("%+v was accepted for sending", s)
		}
		if rx, err := p.Receiving.Receive(s); err == nil {
			rx.Close()
			t.Errorf("%+v was accepted for receiving", s)
		}
	}
}

func noAllocations(t *testing.T, p Pair) {
	for _, depth := range []int{0, 8} {
		s := spec("allocations")
		s.Depth = depth
		tx, rx := ends(t, p, s)
		prime(t, tx, rx)
		out, in := packet(1), packet(0)
		testkit.NoAllocs(t, 2000, func() {
			_ = tx.Send(out)
			rx.TryReceive(in)
		})
		tx.Close()
		rx.Close()
	}
}

// manyPackets sends a million packets to a concurrent receiver while other goroutines read the ends' states. No
// packet is torn or out of order, and the last one arrives.
func manyPackets(t *testing.T, p Pair) { sendMany(t, p, spec("many"), 1_000_000) }

// manyBuffered runs manyPackets through a queue; each dropped packet is a gap and is counted.
func manyBuffered(t *testing.T, p Pair) {
	s := spec("many-buffered")
	s.Depth = 64
	sendMany(t, p, s, 200_000)
}

func sendMany(t *testing.T, p Pair, s link.Spec, total uint64) {
	if testing.Short() {
		total = 50_000
	}
	tx, rx := ends(t, p, s)
	prime(t, tx, rx)
	before := rx.State()
	var work sync.WaitGroup
	var sent atomic.Uint64
	done := make(chan struct{})
	defer work.Wait() // before the ends are closed
	defer close(done)
	work.Go(func() {
		out := packet(0)
		for n := uint64(1); ; n = min(n+1, total) {
			for i := 0; i < len(out); i += 8 {
				binary.LittleEndian.PutUint64(out[i:], n)
			}
			sent.Add(1)
			if err := tx.Send(out); err != nil {
				t.Errorf("packet %d: %v", n, err)
			}
			if n < total {
				continue
			}
			select { // where the last one found the queue full, it is sent again
			case <-done:
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	})
	work.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
				tx.State()
				rx.State()
			}
		}
	})
	buffer, last := packet(0), uint64(0)
	for last < total {
		if _, err := rx.Receive(buffer, testkit.Patience()); err != nil {
			t.Fatalf("after packet %d: %v; the ends: %+v, %+v", last, err, tx.State(), rx.State())
		}
		n := number(t, buffer)
		if n <= last {
			t.Fatalf("packet %d after %d", n, last)
		}
		last = n
	}
	after := rx.State()
	if n := after.Packets - before.Packets + after.Lost - before.Lost; n < total || n > sent.Load() {
		t.Errorf("%d packets and %d lost, want %d to %d in all", after.Packets-before.Packets, after.Lost-before.Lost, total, sent.Load())
	}
}
