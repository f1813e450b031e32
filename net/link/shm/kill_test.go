package shm

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/link"
)

// The variables that make the test binary's child an end that is going to be killed, and set how often that is done.
const (
	killRole   = "SINEW_SHM_TEST_ROLE"   // send or receive
	killSystem = "SINEW_SHM_TEST_SYSTEM" // its name space
	killDepth  = "SINEW_SHM_TEST_DEPTH"
	killRounds = "SINEW_SHM_KILLS" // more than the default
)

const killSize = 2048

// TestKilledPeers kills senders and receivers at random instants: whoever goes on gets whole packets only, and gets new
// ones as soon as the peer is back. With SINEW_SHM_KILLS=10000 it takes some minutes.
func TestKilledPeers(t *testing.T) {
	if os.Getenv(killRole) != "" {
		playVictim(t)
		return
	}
	rounds := 60
	if n, err := strconv.Atoi(os.Getenv(killRounds)); err == nil {
		rounds = n
	}
	for _, depth := range []int{0, 8} {
		for _, role := range []string{"send", "receive"} {
			t.Run(role+"/"+strconv.Itoa(depth), func(t *testing.T) { killMany(t, role, depth, rounds/4) })
		}
	}
}

func killMany(t *testing.T, role string, depth, rounds int) {
	x := transport(t)
	spec := link.Spec{Name: "killed", Size: killSize, Depth: depth}
	random := rand.New(rand.NewPCG(1, uint64(depth)))
	var tx link.Sender
	var rx link.Receiver
	var err error
	if role == "send" {
		rx, err = x.Receive(spec)
	} else {
		tx, err = x.Send(spec)
	}
	if err != nil {
		t.Fatal(err)
	}
	packet, n := make([]byte, killSize), uint64(0)
	work := func() (ok bool) { // the surviving end does its part once
		if tx != nil {
			n++
			fill(packet, n)
			return tx.Send(packet) == nil && tx.State().Connected
		}
		if _, err := rx.Receive(packet, time.Millisecond); err != nil {
			return false
		}
		if !whole(packet) {
			t.Fatal("a torn packet was delivered")
		}
		return true
	}
	for round := range rounds {
		child := exec.Command(os.Args[0], "-test.run=^TestKilledPeers$")
		child.Env = append(os.Environ(), killRole+"="+role, killSystem+"="+x.system, killDepth+"="+strconv.Itoa(depth))
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		for begin := time.Now(); !work(); {
			if time.Since(begin) > 10*time.Second {
				t.Fatalf("round %d: nothing comes through", round)
			}
		}
		for end := time.Now().Add(time.Duration(random.IntN(3000)) * time.Microsecond); time.Now().Before(end); {
			work()
		}
		_ = child.Process.Kill()
		if _ = child.Wait(); child.ProcessState.Exited() {
			t.Fatalf("round %d: the victim ended by itself: %v", round, child.ProcessState)
		}
	}
	if tx != nil {
		tx.Close()
	} else {
		rx.Close()
	}
}

// playVictim sends or receives as fast as it can until it is killed.
func playVictim(t *testing.T) {
	depth, _ := strconv.Atoi(os.Getenv(killDepth))
	x, err := New(os.Getenv(killSystem))
	if err != nil {
		t.Fatal(err)
	}
	spec := link.Spec{Name: "killed", Size: killSize, Depth: depth}
	packet := make([]byte, killSize)
	if os.Getenv(killRole) == "send" {
		tx, err := x.Send(spec)
		if err != nil {
			t.Fatal(err)
		}
		for n := uint64(0); ; n++ {
			fill(packet, n)
			_ = tx.Send(packet)
		}
	}
	rx, err := x.Receive(spec)
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := rx.Receive(packet, time.Second); err == nil && !whole(packet) {
			t.Fatal("a torn packet was delivered")
		}
	}
}

func fill(packet []byte, n uint64) {
	for i := 0; i < len(packet); i += 8 {
		binary.LittleEndian.PutUint64(packet[i:], n)
	}
}

func whole(packet []byte) bool {
	first := binary.LittleEndian.Uint64(packet)
	for i := 8; i < len(packet); i += 8 {
		if binary.LittleEndian.Uint64(packet[i:]) != first {
			return false
		}
	}
	return true
}
