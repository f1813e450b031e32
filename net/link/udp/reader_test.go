package udp

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
)

// TestReadersTakeTurns has receivers of one peer wait, poll, open and close concurrently, so that the right to read
// the socket changes hands all the time: every packet reaches its receiver.
func TestReadersTakeTurns(t *testing.T) {
	robot, operator := pair(t, false)
	tx, rx := ends(t, robot, operator, link.Spec{Name: "steady", Size: 64})
	other, err := robot.Send(link.Spec{Name: "other", Size: 64})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	var work sync.WaitGroup
	var over atomic.Bool
	work.Go(func() { // waits briefly in a loop, and is replaced now and then
		in := make([]byte, 64)
		for !over.Load() {
			rx, err := operator.Receive(link.Spec{Name: "other", Size: 64})
			if err != nil {
				t.Error(err)
				return
			}
			for i := range 50 {
				if i%2 == 0 {
					_, _ = rx.Receive(in, time.Duration(i)*10*time.Microsecond)
				} else {
					rx.TryReceive(in)
				}
			}
			rx.Close()
		}
	})
	total := uint64(5000)
	if testing.Short() {
		total = 500
	}
	in, slow := make([]byte, 64), 0
	for n := uint64(1); n <= total; n++ {
		begin := time.Now()
		_ = other.Send(in)
		_ = tx.Send(number(in, n))
		for {
			stamp, err := rx.Receive(in, testkit.Patience())
			if err != nil {
				t.Fatalf("packet %d: %v", n, err)
			}
			if stamp.Number == n {
				break
			}
		}
		if time.Since(begin) > period/4 {
			slow++
		}
	}
	over.Store(true)
	work.Wait()
	t.Logf("%d of %d packets took more than %v", slow, total, period/4)
}
