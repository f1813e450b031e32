package shm_test

import (
	"sync"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/shm"
)

// TestStateMayBeCalledWhileEndsConnect calls State of both ends while they connect: the race detector checks the
// shared fields.
func TestStateMayBeCalledWhileEndsConnect(t *testing.T) {
	for name, depth := range map[string]int{"newest": 0, "queue": 4} {
		transport, err := shm.New("state_" + name)
		if err != nil {
			t.Fatal(err)
		}
		spec := link.Spec{Name: "data", Size: 8, Depth: depth}
		rx, err := transport.Receive(spec)
		if err != nil {
			t.Fatal(err)
		}
		tx, err := transport.Send(spec)
		if err != nil {
			t.Fatal(err)
		}
		var asking sync.WaitGroup
		for _, state := range []func() link.State{rx.State, tx.State} {
			asking.Go(func() {
				for range 200 {
					state()
				}
			})
		}
		time.Sleep(5 * time.Millisecond) // called before the ends connect; a channel would add an order that hides races
		packet, came := make([]byte, 8), 0
		for range 100 {
			if err := tx.Send(packet); err != nil {
				t.Error(err)
			}
			if _, ok := rx.TryReceive(packet); ok {
				came++
			}
		}
		asking.Wait()
		if came == 0 {
			t.Errorf("%s: no packet came", name)
		}
		if err := tx.Close(); err != nil {
			t.Error(err)
		}
		if err := rx.Close(); err != nil {
			t.Error(err)
		}
	}
}
