package linktest

import (
	"errors"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
)

func closeWakes(t *testing.T, p Pair) {
	_, rx := ends(t, p, spec("close"))
	done := make(chan error, 1)
	go func() {
		_, err := rx.Receive(packet(0), -1)
		done <- err
	}()
	time.Sleep(20 * time.Millisecond)
	if err := rx.Close(); err != nil {
		t.Error(err)
	}
	select {
	case err := <-done:
		if !errors.Is(err, link.ErrClosed) {
			t.Errorf("received %v, want ErrClosed", err)
		}
	case <-time.After(testkit.Patience()):
		t.Fatal("Close did not wake Receive")
	}
	if err := rx.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
}

func comeAndGo(t *testing.T, p Pair) {
	for _, depth := range []int{0, 16} {
		s := spec("come-and-go")
		s.Depth = depth
		rx := receiver(t, p, s) // the receiver opens first
		if rx.State().Connected {
			t.Error("connected without a peer")
		}
		n := uint64(0)
		for range 3 {
			tx, err := p.Sending.Send(s)
			if err != nil {
				t.Fatal(err)
			}
			testkit.Await(t, "the packets of a new sender arrive", func() bool {
				n++
				_ = tx.Send(packet(n))
				_, err := rx.Receive(packet(0), 10*time.Millisecond)
				return err == nil
			})
			if err := tx.Close(); err != nil {
				t.Error(err)
			}
			testkit.Await(t, "the receiver sees that the sender is gone", func() bool { return !rx.State().Connected })
			if rx.State().Problem == "" && !p.ReceivingProgram {
				t.Error("State reports no problem though there is no sender")
			}
		}
		tx, err := p.Sending.Send(s)
		if err != nil {
			t.Fatal(err)
		}
		if err := rx.Close(); err != nil {
			t.Error(err)
		}
		testkit.Await(t, "the sender sees that the receiver is gone", func() bool { return !tx.State().Connected })
		tx.Close()
	}
}

// receiversReturn closes a receiver and reopens it while the sender continues.
func receiversReturn(t *testing.T, p Pair) {
	for _, depth := range []int{0, 16} {
		s := spec("return")
		s.Depth = depth
		tx, rx := ends(t, p, s)
		last := uint64(0)
		for range 3 {
			prime(t, tx, rx)
			send(t, tx, 1)
			stamp := await(t, rx, 1)
			if stamp.Number <= last && !p.ReceivingProgram {
				t.Errorf("depth %d: number %d after %d", depth, stamp.Number, last)
			}
			last = stamp.Number
			if err := rx.Close(); err != nil {
				t.Error(err)
			}
			testkit.Await(t, "the sender sees that the receiver is gone", func() bool { return !tx.State().Connected })
			send(t, tx, 2) // sending without a receiver is no error
			rx = receiver(t, p, s)
			testkit.Await(t, "the receiver is back", func() bool { return tx.State().Connected && rx.State().Connected })
		}
		rx.Close()
		tx.Close()
	}
}

func mismatch(t *testing.T, p Pair) {
	right := spec("mismatch")
	for name, change := range map[string]func(*link.Spec){
		"schema": func(s *link.Spec) { s.Schema = "int64 value\n" },
		"size":   func(s *link.Spec) { s.Size = 128 },
		"varies": func(s *link.Spec) { s.Varies = true },
		"depth":  func(s *link.Spec) { s.Depth = 4 },
	} {
		wrong := right
		change(&wrong)
		tx, err := p.Sending.Send(right)
		if err != nil {
			t.Fatal(err)
		}
		alone := tx.State().Problem // the problem of a sender without a receiver
		rx := receiver(t, p, wrong)
		_ = tx.Send(packet(1))
		testkit.Await(t, "the receiver reports the wrong "+name, func() bool {
			_ = tx.Send(packet(1))
			return !rx.State().Connected && rx.State().Problem != ""
		})
		testkit.Await(t, "the sender reports the wrong "+name, func() bool {
			_ = tx.Send(packet(1))
			if _, ok := rx.TryReceive(make([]byte, wrong.Size)); ok {
				t.Fatalf("a packet of the wrong %s came through", name)
			}
			problem := tx.State().Problem
			return problem != "" && problem != alone
		})
		if _, ok := rx.TryReceive(make([]byte, wrong.Size)); ok {
			t.Errorf("a packet of the wrong %s came through", name)
		}
		rx.Close()
		again := receiver(t, p, right) // the link connects to the right receiver
		testkit.Await(t, "the right receiver gets packets", func() bool {
			_ = tx.Send(packet(2))
			_, err := again.Receive(packet(0), 10*time.Millisecond)
			return err == nil
		})
		again.Close()
		tx.Close()
	}
}
