package shm

import (
	"fmt"
	"os"
	"testing"

	"github.com/sinew-robotics/sinew/net/link"
)

// BenchmarkSendAndReceive carries a packet through shared memory, both ends in one process.
func BenchmarkSendAndReceive(b *testing.B) {
	for _, size := range []int{64, 1 << 10, 1 << 20} {
		b.Run(fmt.Sprint(size), func(b *testing.B) { carry(b, link.Spec{Name: "bench", Size: size}, size) })
	}
}

func carry(b *testing.B, s link.Spec, size int) {
	x, err := New(fmt.Sprintf("bench-%d", os.Getpid()))
	if err != nil {
		b.Fatal(err)
	}
	defer Clean(x.system)
	tx, err := x.Send(s)
	if err != nil {
		b.Fatal(err)
	}
	defer tx.Close()
	rx, err := x.Receive(s)
	if err != nil {
		b.Fatal(err)
	}
	defer rx.Close()
	packet, buffer := make([]byte, size), make([]byte, s.Size)
	b.SetBytes(int64(size))
	for b.Loop() {
		if err := tx.Send(packet); err != nil {
			b.Fatal(err)
		}
		if _, ok := rx.TryReceive(buffer); !ok {
			b.Fatal("no packet")
		}
	}
}

// BenchmarkInPlace carries a packet of 1 MB that is written where it is sent from, and read where it arrives; BenchmarkTwoCopies
// does nothing but copy it twice.
func BenchmarkInPlace(b *testing.B) {
	x, err := New(fmt.Sprintf("bench-%d", os.Getpid()))
	if err != nil {
		b.Fatal(err)
	}
	defer Clean(x.system)
	s := link.Spec{Name: "bench", Size: 1 << 20, Varies: true}
	tx, err := x.Send(s)
	if err != nil {
		b.Fatal(err)
	}
	defer tx.Close()
	rx, err := x.Receive(s)
	if err != nil {
		b.Fatal(err)
	}
	defer rx.Close()
	packet, buffer := make([]byte, s.Size), make([]byte, s.Size)
	b.SetBytes(int64(s.Size))
	for b.Loop() {
		if err := tx.(link.Filler).Fill(s.Size, 0, func(p []byte) { copy(p, packet) }); err != nil {
			b.Fatal(err)
		}
		if _, ok := rx.(link.Taker).Take(func(p []byte) { copy(buffer, p) }); !ok {
			b.Fatal("no packet")
		}
	}
}

func BenchmarkTwoCopies(b *testing.B) {
	packet, between, buffer := make([]byte, 1<<20), make([]byte, 3<<20), make([]byte, 1<<20)
	b.SetBytes(1 << 20)
	for i := 0; b.Loop(); i++ {
		slot := between[i%3<<20:][:1<<20] // as the slots of a link take turns
		copy(slot, packet)
		copy(buffer, slot)
	}
}
