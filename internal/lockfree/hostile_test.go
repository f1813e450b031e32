package lockfree

import (
	"bytes"
	"encoding/binary"
	"testing"
	"unsafe"
)

const (
	hostilePacket = 64
	hostileDepth  = 3
	hostileRing   = 256
	resyncWithin  = 8 // packets that may be lost when the damage has ended
)

// stroke is one step of a hostile program: an operation of a correct end, or a word written into the memory.
type stroke struct {
	what  byte // below 96 the writer's turn, below 192 the reader's, else a word
	at    uint16
	value uint64
}

const strokeBytes = 11

// strokes decodes a program from fuzz data.
func strokes(data []byte) (list []stroke) {
	for ; len(data) >= strokeBytes && len(list) < 300; data = data[strokeBytes:] {
		list = append(list, stroke{data[0], binary.LittleEndian.Uint16(data[1:]), binary.LittleEndian.Uint64(data[3:])})
	}
	return list
}

// play runs a program over memory.
func play(mem []byte, program []stroke, write, read func()) {
	for _, s := range program {
		switch {
		case s.what < 96:
			write()
		case s.what < 192:
			read()
		default:
			binary.LittleEndian.PutUint64(mem[int(s.at)%(len(mem)/8)*8:], s.value)
		}
	}
}

// program encodes strokes as fuzz data.
func program(list ...stroke) (data []byte) {
	for _, s := range list {
		data = append(data, s.what)
		data = binary.LittleEndian.AppendUint16(data, s.at)
		data = binary.LittleEndian.AppendUint64(data, s.value)
	}
	return data
}

// hostileSeeds write each of some bad words over each word of the control part, in the middle of traffic.
func hostileSeeds(f *testing.F, words int) {
	w, r := stroke{what: 0}, stroke{what: 100}
	for at := range words {
		for _, v := range []uint64{0, 1, 3, 1<<32 - 2, 1<<32 - 1, 1 << 63, 1<<64 - 1} {
			f.Add(program(w, w, r, stroke{200, uint16(at), v}, r, w, r, w, w, w, w, r))
		}
	}
}

// numbered returns a packet whose bytes all equal its number.
func numbered(n byte) []byte { return bytes.Repeat([]byte{n}, hostilePacket) }

// FuzzLatest writes words into a Latest that two processes share: no panic, no undetected slot with two owners, and
// whole packets again afterwards.
func FuzzLatest(f *testing.F) {
	hostileSeeds(f, 1)
	f.Fuzz(func(t *testing.T, data []byte) {
		mem := Memory(LatestSize(hostilePacket))
		tx, rx := NewLatest(mem, hostilePacket), OpenLatest(mem, hostilePacket)
		write := func() { copy(tx.Slot(), numbered(1)); tx.Publish() }
		play(mem, strokes(data), write, func() {
			p, fresh := rx.Fetch()
			if held := rx.Holds(p); fresh && !held {
				t.Fatal("a packet was lost without damage")
			}
			half := tx.Slot()
			if unsafe.SliceData(half) == unsafe.SliceData(p) && rx.Holds(p) {
				t.Fatal("writer and reader share a slot, and the reader believes that it is its own")
			}
		})
		for n := byte(2); n < 2+resyncWithin; n++ {
			copy(tx.Slot(), numbered(n))
			tx.Publish()
			if p, fresh := rx.Fetch(); fresh && bytes.Equal(p, numbered(n)) && rx.Holds(p) {
				return
			}
		}
		t.Fatalf("no packet after %d", resyncWithin)
	})
}

// FuzzQueue writes words into a Queue that two processes share.
func FuzzQueue(f *testing.F) {
	hostileSeeds(f, QueueSize(hostilePacket, hostileDepth)/8)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, policy := range []Overflow{DropOldest, DropNewest} {
			mem := Memory(QueueSize(hostilePacket, hostileDepth))
			tx, rx := NewQueue(mem, hostilePacket, hostileDepth, policy), OpenQueue(mem, hostilePacket, hostileDepth, policy)
			got := make([]byte, hostilePacket)
			play(mem, strokes(data), func() { tx.Push(numbered(1)) }, func() { rx.Pop(got); _ = rx.Len() })
			for range resyncWithin * hostileDepth {
				tx.Push(numbered(2))
				if rx.Pop(got) && bytes.Equal(got, numbered(2)) {
					got = nil
					break
				}
			}
			if got != nil {
				t.Fatalf("%v: no packet comes through any more", policy)
			}
		}
	})
}

// FuzzRing writes words into a Ring that two processes share: records stay inside their memory, and are whole again
// afterwards.
func FuzzRing(f *testing.F) {
	hostileSeeds(f, RingSize(hostileRing)/8)
	f.Fuzz(func(t *testing.T, data []byte) {
		mem := Memory(RingSize(hostileRing))
		tx, rx := NewRing(mem, hostileRing), NewRing(mem, hostileRing)
		n := 0
		write := func() {
			n = (n + 13) % 90
			tx.Put(bytes.Repeat([]byte{7}, n))
		}
		play(mem, strokes(data), write, func() {
			if b := rx.Next(); b != nil {
				for i := range b {
					_ = b[i]
				}
				rx.Release()
			}
			if fill := rx.Fill(); fill < 0 || fill > 1 {
				t.Fatalf("the ring is filled to %v", fill)
			}
		})
		for range resyncWithin {
			tx.Put(numbered(9))
			for range RingSize(hostileRing) {
				b := rx.Next()
				if bytes.Equal(b, numbered(9)) {
					return
				}
				if b == nil {
					break
				}
				rx.Release()
			}
		}
		t.Fatalf("no record after %d", resyncWithin)
	})
}

// TestQueueNeverDeliversAPacketWhoseSlotWasTaken gives a slot to the writer in the middle of the reader's copy.
func TestQueueNeverDeliversAPacketWhoseSlotWasTaken(t *testing.T) {
	mem := Memory(QueueSize(hostilePacket, hostileDepth))
	tx, rx := NewQueue(mem, hostilePacket, hostileDepth, DropOldest), OpenQueue(mem, hostilePacket, hostileDepth, DropOldest)
	tx.Push(numbered(1))
	tx.Push(numbered(2))
	tx.turns[0].Store(77)
	got := make([]byte, hostilePacket)
	if rx.Pop(got) || rx.Damaged() != 1 {
		t.Errorf("a packet in the wrong turn was delivered (%d damages)", rx.Damaged())
	}
	if !rx.Pop(got) || !bytes.Equal(got, numbered(2)) {
		t.Error("the packet after it was lost")
	}
}

// TestRingRejectsRecordsOfAnEarlierRound moves the tail ahead, over records that were read already.
func TestRingRejectsRecordsOfAnEarlierRound(t *testing.T) {
	mem := Memory(RingSize(hostileRing))
	tx, rx := NewRing(mem, hostileRing), NewRing(mem, hostileRing)
	for range 2 * hostileRing / 32 {
		tx.Put(make([]byte, 24))
		if rx.Next() == nil {
			t.Fatal("no record")
		}
		rx.Release()
	}
	tx.tail.Add(64)
	if b := rx.Next(); b != nil || rx.Damaged() != 1 {
		t.Errorf("an old record of %d bytes was taken for a new one", len(b))
	}
	if !tx.Put(numbered(3)) || !bytes.Equal(rx.Next(), numbered(3)) {
		t.Error("the ring does not recover")
	}
}
